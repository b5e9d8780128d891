"""The local embedder: texts that share words are near, a vector depends on its text alone, and nothing breaks it."""

from __future__ import annotations

import numpy as np
import pytest

from crivo.triagem.embeddings.local import LocalEmbedder

CAPOEIRA = "O grupo treina capoeira angola no galpão da estação e abre a roda no mercado uma vez por mês."
CAPOEIRAS = "Grupos que treinam capoeiras de Angola, em galpões de estações, abrem rodas nos mercados todo mês."
RENDA = "Quarenta rendeiras de bilro vendem toalhas sem atravessador e ensinam o ponto às meninas da praia."


def cosines(*textos: str) -> np.ndarray:
    vectors = LocalEmbedder().embed(textos)
    return vectors @ vectors.T


def test_vectors_are_float32_rows_of_length_one() -> None:
    vectors = LocalEmbedder().embed([CAPOEIRA, RENDA])
    assert (vectors.shape, vectors.dtype.name) == ((2, 512), "float32")
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_inflected_words_stay_near_and_other_subjects_far() -> None:
    found = cosines(CAPOEIRA, CAPOEIRAS, RENDA)
    assert found[0, 1] > 0.6 > 0.35 > found[0, 2]


def test_case_accents_and_punctuation_do_not_count() -> None:
    assert cosines("Oficina de percussão, já!", "OFICINA DE PERCUSSAO JA")[0, 1] == pytest.approx(1, abs=1e-5)


def test_a_vector_depends_on_its_text_alone() -> None:
    alone = LocalEmbedder().embed([RENDA])[0]
    among = LocalEmbedder().embed([CAPOEIRA, *(f"texto número {n} sobre dança" for n in range(300)), RENDA])[-1]
    assert np.array_equal(alone, among)


def test_the_same_text_has_the_same_vector_on_every_machine() -> None:
    """The projection is worked out, not drawn: numbers kept years ago still compare."""
    vector = LocalEmbedder().embed(["renda de bilro"])[0]
    assert np.flatnonzero(vector)[:6].tolist() == [1, 5, 6, 7, 8, 12]
    assert int(vector.argmax()) == 490
    assert float(vector.max()) == pytest.approx(0.2132, abs=1e-4)


@pytest.mark.parametrize("texto", ["", "   ", "🎭🎪🎨", "...", "\x00", "de a o para com"])
def test_a_text_with_nothing_to_compare_is_a_row_of_zeros(texto: str) -> None:
    assert not LocalEmbedder().embed([texto]).any()


def test_no_text_at_all_is_an_empty_matrix() -> None:
    assert LocalEmbedder().embed([]).shape == (0, 512)


def test_two_megabytes_are_one_vector() -> None:
    vector = LocalEmbedder().embed([f"{CAPOEIRA} {RENDA} " * 10_500])[0]
    assert float(vector @ LocalEmbedder().embed([f"{CAPOEIRA} {RENDA}"])[0]) > 0.95
