"""Which embedder a setting names. Source: interfaces, Settings (`EMBEDDINGS`)."""

from __future__ import annotations

from typing import Final

from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.openai import ENDERECOS, OPENAI
from crivo.triagem.embeddings.port import Embedder
from crivo.triagem.embeddings.semantico import SEMANTICO, open_semantico
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable, open_folder

LOCAL: Final = "local"
_FOLDER: Final = "sentence-transformers:"


def is_remote(setting: str) -> bool:
    """Whether a service is asked for the vectors: `openai:<model>`, or the address of a service."""
    return setting.startswith((OPENAI, *ENDERECOS))


def open_embedder(setting: str) -> Embedder:
    """The embedder of `CRIVO_EMBEDDINGS` that runs here: `local` (also where it is empty), `semantico` or `sentence-transformers:<folder>`.

    Raises EmbeddingsUnavailable, saying what would be right.
    """
    if setting in {"", LOCAL}:
        return LocalEmbedder()
    if setting == SEMANTICO:
        return open_semantico()
    if setting.startswith(_FOLDER):
        return open_folder(setting.removeprefix(_FOLDER))
    raise EmbeddingsUnavailable(
        f"CRIVO_EMBEDDINGS={setting} não é uma opção: use local, semantico ou sentence-transformers:<pasta>, "
        "ou ainda openai:<modelo> ou o endereço de um serviço compatível seguido de #<modelo>."
    )
