"""Which embedder a setting names. Source: interfaces, Settings (`EMBEDDINGS`)."""

from __future__ import annotations

from typing import Final

from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.port import Embedder
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable, open_folder

LOCAL: Final = "local"
_FOLDER: Final = "sentence-transformers:"
_OF_MODELS: Final = ("openai:", "http://", "https://")


def open_embedder(setting: str) -> Embedder:
    """The embedder of `CRIVO_EMBEDDINGS`: `local` (also where it is empty) or `sentence-transformers:<folder>`.

    Raises EmbeddingsUnavailable, saying what would be right.
    """
    if setting in {"", LOCAL}:
        return LocalEmbedder()
    if setting.startswith(_FOLDER):
        return open_folder(setting.removeprefix(_FOLDER))
    if setting.startswith(_OF_MODELS):
        raise EmbeddingsUnavailable(
            "Comparar textos por um serviço de modelos ainda não está disponível: use CRIVO_EMBEDDINGS=local, que não precisa de modelo, "
            "ou sentence-transformers:<pasta>."
        )
    raise EmbeddingsUnavailable(f"CRIVO_EMBEDDINGS={setting} não é uma opção: use local ou sentence-transformers:<pasta>.")
