"""Texts cut into chunks that a model takes whole, and chunks put together into what is asked at once.

Sizes are bytes of UTF-8: whatever words a tokenizer makes of a text, it makes at least one byte into each of its tokens. So a chunk
of no more bytes than the model takes tokens always fits, and no tokenizer has to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz


@dataclass(frozen=True, slots=True)
class Limites:
    """The most that a service takes: bytes of a chunk, chunks of a request, bytes of a request."""

    pedaco_bytes: int
    pedido_pedacos: int
    pedido_bytes: int


def cut(texto: str, most_bytes: int) -> list[str]:
    """The text in chunks of whole words, each of at most `most_bytes` bytes; a longer word is cut. Only blanks are lost."""
    chunks: list[str] = []
    held: list[str] = []
    used = 0
    for word in texto.encode("utf-8", "replace").decode().split():
        for piece in _pieces(word, most_bytes):
            size = len(piece.encode())
            if held and used + 1 + size > most_bytes:
                chunks.append(" ".join(held))
                held, used = [], 0
            used += size + (1 if held else 0)
            held.append(piece)
    return [*chunks, " ".join(held)] if held else chunks


def batches(pedacos: Sequence[str], limites: Limites) -> Iterator[list[str]]:
    """The chunks in as few requests as the limits allow, in their order."""
    batch: list[str] = []
    used = 0
    for pedaco in pedacos:
        size = len(pedaco.encode())
        if batch and (len(batch) == limites.pedido_pedacos or used + size > limites.pedido_bytes):
            yield batch
            batch, used = [], 0
        batch.append(pedaco)
        used += size
    if batch:
        yield batch


def groups(cortados: Sequence[Sequence[str]], limites: Limites) -> Iterator[list[int]]:
    """The places of the texts that are asked for together: as many as fill one request, a longer text alone."""
    group: list[int] = []
    count = used = 0
    for place, pedacos in enumerate(cortados):
        size = sum(len(pedaco.encode()) for pedaco in pedacos)
        if group and (count + len(pedacos) > limites.pedido_pedacos or used + size > limites.pedido_bytes):
            yield group
            group, count, used = [], 0, 0
        group.append(place)
        count += len(pedacos)
        used += size
    if group:
        yield group


def pool(vetores: Matriz, pedacos: Sequence[str]) -> Matriz:
    """The vector of a text: the mean of its chunks' directions, each weighed by its bytes, of length one."""
    weights = np.array([[len(pedaco.encode()) for pedaco in pedacos]], np.float32)
    return unit(weights @ unit(np.array(vetores, np.float32)))


def _pieces(word: str, most_bytes: int) -> list[str]:
    if len(word) == 1 or len(word.encode()) <= most_bytes:
        return [word]
    middle = len(word) // 2
    return [*_pieces(word[:middle], most_bytes), *_pieces(word[middle:], most_bytes)]
