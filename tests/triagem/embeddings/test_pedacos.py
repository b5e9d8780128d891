"""Texts are cut so that no service has to truncate them, and put together into few requests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.embeddings.pedacos import Limites, batches, cut, groups, pool

SMALL = Limites(pedaco_bytes=10, pedido_pedacos=3, pedido_bytes=24)


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_no_chunk_is_too_large_and_nothing_but_blanks_is_lost(texto: str) -> None:
    chunks = cut(texto, 10)
    assert all(0 < len(chunk.encode()) <= 10 for chunk in chunks)
    assert "".join("".join(chunks).split()) == "".join(texto.split())


def test_words_stay_whole_where_they_fit() -> None:
    assert cut("  um dois\n três quatro ", 10) == ["um dois", "três", "quatro"]


def test_what_is_no_unicode_can_be_sent_all_the_same() -> None:
    assert cut("a\ud800b", 10) == ["a?b"]


@given(st.lists(st.text("abc", min_size=1, max_size=10), max_size=30))
def test_requests_keep_the_order_and_the_limits(pedacos: list[str]) -> None:
    asked = list(batches(pedacos, SMALL))
    assert [pedaco for batch in asked for pedaco in batch] == pedacos
    assert all(1 <= len(batch) <= 3 and sum(map(len, batch)) <= 24 for batch in asked)


def test_short_texts_share_a_request_and_a_long_one_has_its_own() -> None:
    assert list(groups([["a"], ["b" * 10], [], ["c" * 10] * 5, ["d"]], SMALL)) == [[0, 1, 2], [3], [4]]


def test_a_longer_chunk_weighs_more() -> None:
    pooled = pool(np.array([[2, 0], [0, 2]], np.float32), ["a" * 30, "b" * 10])
    assert pooled[0] == pytest.approx(np.array([3, 1]) / 10**0.5)
