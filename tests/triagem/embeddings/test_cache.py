"""A text is turned into a vector once, and its vector found again under its embedder's name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crivo.triagem.embeddings.cache import MemoryVectorCache, read_vetores
from crivo.triagem.embeddings.port import Embedder, Matriz


class LengthEmbedder:
    """A text's length over two dimensions; remembers what it was asked."""

    dimensoes = 2
    limiar = 0.5
    lote = 3

    def __init__(self, nome: str = "comprimento") -> None:
        self.nome = nome
        self.asked: list[str] = []

    def embed(self, textos: Sequence[str]) -> Matriz:
        self.asked += textos
        return np.array([[len(texto), 1] for texto in textos], np.float32)


class ThreeEmbedder:
    """The same name, one dimension more."""

    nome = "comprimento"
    dimensoes = 3
    limiar = 0.5
    lote = 3

    def embed(self, textos: Sequence[str]) -> Matriz:
        return np.ones((len(textos), 3), np.float32)


def rows(matriz: Matriz) -> list[list[float]]:
    return [[float(value) for value in row] for row in matriz]


async def test_vectors_come_in_the_order_of_the_texts_with_what_made_them() -> None:
    embedder: Embedder = LengthEmbedder()
    vetores = await read_vetores(["abc", "a", "ab"], embedder, MemoryVectorCache())
    assert (vetores.embedder, vetores.limiar) == ("comprimento", 0.5)
    assert rows(vetores.matriz) == [[3, 1], [1, 1], [2, 1]]


async def test_a_text_is_asked_for_once_however_often_it_comes() -> None:
    embedder, cache = LengthEmbedder(), MemoryVectorCache()
    await read_vetores(["a", "bb", "a"], embedder, cache)
    vetores = await read_vetores(["bb", "ccc", "a"], embedder, cache)
    assert embedder.asked == ["a", "bb", "ccc"]
    assert rows(vetores.matriz) == [[2, 1], [3, 1], [1, 1]]


async def test_another_embedder_makes_its_own() -> None:
    cache, other = MemoryVectorCache(), LengthEmbedder("outro")
    await read_vetores(["a"], LengthEmbedder(), cache)
    await read_vetores(["a"], other, cache)
    assert other.asked == ["a"]


async def test_a_kept_vector_of_the_wrong_size_is_made_anew() -> None:
    cache = MemoryVectorCache()
    await read_vetores(["a"], LengthEmbedder(), cache)
    assert rows((await read_vetores(["a"], ThreeEmbedder(), cache)).matriz) == [[1, 1, 1]]


@pytest.mark.parametrize("textos", [[], ["\ud800"]])
async def test_no_text_and_one_that_is_no_unicode_are_read_too(textos: list[str]) -> None:
    assert (await read_vetores(textos, LengthEmbedder(), MemoryVectorCache())).matriz.shape == (len(textos), 2)
