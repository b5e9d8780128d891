"""Embeddings by a sentence-transformers model whose weights are in a folder; the library is an extra of this package."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol

import numpy as np

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.instalacao import command_for_extra
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz

_LIMIAR: Final = 0.85  # the seed's, for want of one of each model's own; the edital's pairs correct it
_SPECIAL_TOKENS: Final = 2  # that a model puts around what it reads
_LONGEST_TOKENS: Final = 512  # where a model does not say how much it takes


class EmbeddingsUnavailable(CrivoError):
    """The embeddings that were asked for cannot be made on this installation."""

    codigo: ClassVar[str] = "embeddings_indisponiveis"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Não dá para comparar os textos deste jeito"


class Modelo(Protocol):
    """What is used of a sentence-transformers model."""

    tokenizer: Any
    max_seq_length: int | None

    def encode(self, sentences: list[str], /, *, convert_to_numpy: bool, show_progress_bar: bool) -> Matriz:
        """A row a sentence."""
        ...


class SentenceTransformersEmbedder:
    """Each text cut into chunks that the model takes whole; a text's vector is the mean of theirs, by their length."""

    limiar: Final = _LIMIAR
    lote: Final = 256

    def __init__(self, nome: str, modelo: Modelo, dimensoes: int) -> None:
        self.nome = nome
        self.dimensoes = dimensoes
        self._modelo = modelo

    def embed(self, textos: Sequence[str]) -> Matriz:
        """The texts × dimensoes; no text is truncated."""
        vectors = np.zeros((len(textos), self.dimensoes), np.float32)
        for row, texto in enumerate(textos):
            chunks = self.cut(texto)
            if chunks:
                encoded = self._modelo.encode(chunks, convert_to_numpy=True, show_progress_bar=False)
                lengths = np.array([len(chunk) for chunk in chunks], np.float32)
                vectors[row] = lengths @ unit(np.array(encoded, np.float32))
        return unit(vectors)

    def cut(self, texto: str) -> list[str]:
        """The text in pieces of whole words, each of which fits the model."""
        room = (self._modelo.max_seq_length or _LONGEST_TOKENS) - _SPECIAL_TOKENS
        chunks: list[str] = []
        held: list[str] = []
        used = 0
        for word in texto.split():
            for piece in self._pieces(word, room):
                tokens = self._tokens(piece)
                if held and used + tokens > room:
                    chunks.append(" ".join(held))
                    held, used = [], 0
                held.append(piece)
                used += tokens
        return [*chunks, " ".join(held)] if held else chunks

    def _pieces(self, word: str, room: int) -> list[str]:
        """The word, halved until each part fits: a word may be a whole page without a blank."""
        if len(word) == 1 or self._tokens(word) <= room:
            return [word]
        middle = len(word) // 2
        return [*self._pieces(word[:middle], room), *self._pieces(word[middle:], room)]

    def _tokens(self, word: str) -> int:
        return len(self._modelo.tokenizer.tokenize(word))


def open_folder(folder: str) -> SentenceTransformersEmbedder:
    """The embedder of the weights in a folder; nothing is fetched from anywhere.

    Raises EmbeddingsUnavailable where the folder holds no such model, or the extra is not installed.
    """
    path = Path(folder).expanduser()
    if not folder or not (path / "modules.json").is_file():
        raise EmbeddingsUnavailable(
            f"Não há modelo do sentence-transformers na pasta “{folder}”: aponte CRIVO_EMBEDDINGS=sentence-transformers:<pasta> "
            "para a pasta que tem o arquivo modules.json, ou use local."
        )
    if find_spec("sentence_transformers") is None:
        raise EmbeddingsUnavailable(
            f"Falta o sentence-transformers nesta instalação: rode {command_for_extra('sentence-transformers')}, "
            "ou use CRIVO_EMBEDDINGS=local."
        )
    from sentence_transformers import SentenceTransformer  # here: an extra, and slow to import

    try:
        modelo = SentenceTransformer(str(path), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise EmbeddingsUnavailable(
            f"O modelo da pasta “{folder}” não abriu: confira se todos os arquivos dele estão lá, ou use CRIVO_EMBEDDINGS=local."
        ) from error
    dimensoes = modelo.get_sentence_embedding_dimension()
    return SentenceTransformersEmbedder(f"sentence-transformers:{path.resolve().name}", modelo, int(dimensoes))
