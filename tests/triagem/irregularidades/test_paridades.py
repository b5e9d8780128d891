"""All pairs by tiles are all pairs: none lost, none twice, at any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.paridades import Vizinhos, todas_as_paridades


def drawn(total: int, dimensoes: int, semente: int) -> Matriz:
    """Unit rows, a tenth of them nearly the same as another."""
    sorte = np.random.default_rng(semente)
    rows = sorte.standard_normal((total, dimensoes)).astype(np.float32)
    copies = sorte.choice(total, total // 10, replace=False)
    rows[copies] = rows[sorte.choice(total, len(copies))] + 0.05 * sorte.standard_normal((len(copies), dimensoes)).astype(np.float32)
    return unit(rows)


def swept(vetores: Matriz, limiar: float) -> list[tuple[int, int]]:
    found = [
        (int(one), int(other))
        for pares in todas_as_paridades(vetores, limiar)
        for one, other in zip(pares.primeiro, pares.segundo, strict=True)
    ]
    assert len(found) == len(set(found))
    return sorted(found)


@settings(max_examples=25, deadline=None)
@given(
    total=st.sampled_from([0, 1, 2, 3, 255, 256, 257, 700, 1025, 2049, 2600]), semente=st.integers(0, 10**6), limiar=st.floats(0.3, 0.99)
)
@example(total=700, semente=1, limiar=-0.2)  # nearly every pair
def test_the_pairs_above_a_threshold_are_those_that_the_whole_product_has(total: int, semente: int, limiar: float) -> None:
    vetores = drawn(total, 16, semente)
    whole = np.triu(vetores.astype(np.float64) @ vetores.T.astype(np.float64), 1)
    one, other = np.nonzero(np.triu(np.ones((total, total), np.bool_), 1) & (whole >= limiar + 1e-5))
    surely = set(zip(one.tolist(), other.tolist(), strict=True))
    found = set(swept(vetores, limiar))
    assert surely <= found
    assert all(whole[pair] >= limiar - 1e-5 for pair in found - surely)


@pytest.mark.parametrize("total", [2, 40, 1300, 2100])
def test_each_row_meets_its_nearest_other(total: int) -> None:
    vetores = drawn(total, 16, 7)
    whole = (vetores @ vetores.T).astype(np.float64)
    np.fill_diagonal(whole, -2)
    vizinhos = Vizinhos(total)
    for _ in todas_as_paridades(vetores, 2.0, vizinhos):
        pytest.fail("no cosine is above one")
    assert vizinhos.cosseno == pytest.approx(whole.max(axis=1), abs=1e-5)
    assert whole[np.arange(total), vizinhos.indice] == pytest.approx(whole.max(axis=1), abs=1e-5)
    assert (vizinhos.indice != np.arange(total)).all()


def test_a_row_alone_has_no_neighbour() -> None:
    vizinhos = Vizinhos(1)
    assert list(todas_as_paridades(drawn(1, 4, 1), 0.0, vizinhos)) == []
    assert vizinhos.indice.tolist() == [-1]


def test_rows_of_zeros_are_near_nothing() -> None:
    vetores = np.zeros((600, 8), np.float32)
    assert swept(vetores, 0.1) == []


def test_one_tile_at_a_time_is_held() -> None:
    """20,000 equal rows have 200 million pairs; each tile brings at most half a million of them."""
    vetores = np.ones((20_000, 1), np.float32)
    largest = total = 0
    for pares in todas_as_paridades(vetores, 0.5):
        largest, total = max(largest, len(pares)), total + len(pares)
    assert total == 20_000 * 19_999 // 2
    assert largest <= 256 * 2048
