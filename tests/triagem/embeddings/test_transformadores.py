"""A sentence-transformers model reads every word of a text, however long: chunks fit it, and their vectors are pooled."""

from __future__ import annotations

import numpy as np
import pytest

from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.embeddings.transformadores import SentenceTransformersEmbedder


class ByPairs:
    """A tokenizer: two characters a token."""

    def tokenize(self, text: str) -> list[str]:
        return [text[at : at + 2] for at in range(0, len(text), 2)]


class SmallModel:
    """A model that takes ten tokens, two of them its own; a vector counts the a's and the b's."""

    max_seq_length: int | None = 10

    def __init__(self) -> None:
        self.tokenizer = ByPairs()
        self.read: list[str] = []

    def encode(self, sentences: list[str], /, *, convert_to_numpy: bool, show_progress_bar: bool) -> Matriz:
        self.read += sentences
        return np.array([[text.count("a"), text.count("b")] for text in sentences], np.float32)


def test_no_chunk_is_longer_than_the_model_takes_and_no_word_is_lost() -> None:
    modelo = SmallModel()
    embedder = SentenceTransformersEmbedder("teste", modelo, 2)
    texto = "aaaa bb aaaaaa b " * 40
    embedder.embed([texto])
    assert max(sum(len(modelo.tokenizer.tokenize(word)) for word in chunk.split()) for chunk in modelo.read) <= 8
    assert " ".join(modelo.read).split() == texto.split()


def test_a_word_longer_than_the_model_is_cut_and_read_whole() -> None:
    chunks = SentenceTransformersEmbedder("teste", SmallModel(), 2).cut("a" * 999)
    assert "".join(chunks).replace(" ", "") == "a" * 999
    assert max(map(len, chunks)) <= 16


def test_the_end_of_a_long_text_counts_as_much_as_its_beginning() -> None:
    vectors = SentenceTransformersEmbedder("teste", SmallModel(), 2).embed([("aaaa " * 50) + ("bbbb " * 50)])
    assert vectors[0] == pytest.approx([2**-0.5, 2**-0.5], abs=0.02)


def test_an_empty_text_is_a_row_of_zeros() -> None:
    assert not SentenceTransformersEmbedder("teste", SmallModel(), 2).embed(["  "]).any()
