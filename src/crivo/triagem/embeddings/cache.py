"""Vectors made once for each text, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

import numpy as np

from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.triagem.embeddings.port import Embedder, EmbedderRemoto, Matriz, VectorCache, Vetores

_BYTES: Final = 4  # of a number


class MemoryVectorCache:
    """A cache that lasts as long as the process."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, bytes], bytes] = {}

    async def find(self, embedder: str, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those that are kept, by digest."""
        return {digest: self._kept[embedder, digest] for digest in digests if (embedder, digest) in self._kept}

    async def keep(self, embedder: str, vetores: Mapping[bytes, bytes]) -> None:
        """Keep these; one that is kept already stays as it is."""
        for digest, vetor in vetores.items():
            self._kept.setdefault((embedder, digest), vetor)


async def read_vetores(textos: Sequence[str], embedder: Embedder, cache: VectorCache) -> Vetores:
    """The vectors of the texts, in their order; only those that the cache lacks are made, in a thread, and then kept."""
    digests = _digests(textos)
    by_digest = dict(zip(digests, textos, strict=True))
    kept = {digest: vetor for digest, vetor in (await cache.find(embedder.nome, list(by_digest))).items() if _fits(vetor, embedder)}
    missing = [digest for digest in by_digest if digest not in kept]
    for start in range(0, len(missing), embedder.lote):
        some = missing[start : start + embedder.lote]
        new = _rows(some, await asyncio.to_thread(embedder.embed, [by_digest[digest] for digest in some]))
        await cache.keep(embedder.nome, new)
        kept |= new
    return Vetores(embedder.nome, embedder.limiar, _matrix([kept[digest] for digest in digests], embedder.dimensoes))


async def fetch_vetores(textos: Sequence[str], embedder: EmbedderRemoto, cache: VectorCache) -> Vetores:
    """The same by a service: only what the cache lacks is asked for, and kept as it comes.

    Raises ModeloIndisponivel, also where the service's vectors are no longer as long as those that are kept.
    """
    digests = _digests(textos)
    by_digest = dict(zip(digests, textos, strict=True))
    kept = dict(await cache.find(embedder.nome, list(by_digest)))
    missing = [digest for digest in by_digest if digest not in kept]
    async for places, made in embedder.embed([by_digest[digest] for digest in missing]):
        new = _rows([missing[place] for place in places], made)
        await cache.keep(embedder.nome, new)
        kept |= new
    lengths = {len(vetor) for vetor in kept.values()}
    if len(lengths) > 1:
        raise ModeloIndisponivel("fora_do_formato")
    return Vetores(embedder.nome, embedder.limiar, _matrix([kept[digest] for digest in digests], max(lengths, default=0) // _BYTES))


def _digests(textos: Sequence[str]) -> list[bytes]:
    return [sha256(texto.encode("utf-8", "surrogatepass")).digest() for texto in textos]


def _rows(digests: Sequence[bytes], made: Matriz) -> dict[bytes, bytes]:
    return {digest: row.astype("<f4").tobytes() for digest, row in zip(digests, made, strict=True)}


def _fits(vetor: bytes, embedder: Embedder) -> bool:
    return len(vetor) == _BYTES * embedder.dimensoes


def _matrix(vetores: Sequence[bytes], dimensoes: int) -> Matriz:
    flat = np.frombuffer(b"".join(vetores), "<f4").astype(np.float32)
    return flat.reshape(len(vetores), dimensoes)
