from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crivo.triagem.achados import NotaSugerida, ProjetoTriado, Resultado
from crivo.triagem.concordancia import (
    PARES_MINIMO,
    Acordo,
    Medida,
    NotaHumana,
    icc,
    mean_difference,
    measure_concordancia,
    quadratic_kappa,
    sugeridas_of,
)
from crivo.triagem.edital import Criterio, Nivel

# Shrout & Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS: Final = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=np.float64)
# Agresti (1990), table 2.10: husbands and wives on a scale of four levels.
AGRESTI: Final = ((7, 7, 2, 3), (2, 8, 3, 7), (1, 5, 4, 9), (2, 8, 9, 14))


def pairs_of(table: tuple[tuple[int, ...], ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int_]]:
    return np.array([(i, j) for i, row in enumerate(table) for j, times in enumerate(row) for _ in range(times)])


def test_icc_is_that_of_the_published_example_with_its_interval() -> None:
    """Design, Reading: the agreement report (ICC). Shrout & Fleiss 1979: 0.29; McGraw & Wong's interval for it, 0.02 to 0.76."""
    found = icc(SHROUT_FLEISS)
    assert found.valor == pytest.approx(0.2898, abs=5e-5)
    assert found.inferior == pytest.approx(0.0188, abs=5e-5)
    assert found.superior == pytest.approx(0.7611, abs=5e-5)


def test_quadratic_kappa_is_that_of_the_published_example() -> None:
    """Design, Reading: the agreement report (weighted kappa). Fleiss-Cohen weights on Agresti's table: 0.332."""
    assert quadratic_kappa(pairs_of(AGRESTI), 4).valor == pytest.approx(0.332, abs=5e-4)


def test_with_two_levels_quadratic_kappa_is_plain_kappa() -> None:
    """Cohen's kappa of 20, 5, 10, 15: observed 0.7, by chance 0.5."""
    assert quadratic_kappa(pairs_of(((20, 5), (10, 15))), 2).valor == pytest.approx(0.4)


def test_the_interval_of_a_mean_difference_is_student_s() -> None:
    """Differences 1, 2, 3, 4, 5: mean 3, standard error √0.5, t(4) 2.776."""
    pairs = np.array([[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]], dtype=np.float64)
    found = mean_difference(pairs)
    assert found.valor == 3
    assert found.inferior == pytest.approx(3 - 2.776445 * math.sqrt(0.5), abs=1e-5)
    assert found.superior == pytest.approx(3 + 2.776445 * math.sqrt(0.5), abs=1e-5)


def test_perfect_agreement_is_one_and_a_constant_shift_costs() -> None:
    same = np.column_stack([np.arange(6.0), np.arange(6.0)])
    assert icc(same).valor == pytest.approx(1)
    shifted = icc(same + np.array([0, 3]))
    assert shifted.valor is not None
    assert shifted.valor < 0.7
    assert shifted.razao is not None


@pytest.mark.parametrize("ratings", [np.full((6, 2), 7.0), np.zeros((6, 2))])
def test_notas_that_never_vary_have_no_coefficient_and_say_why(ratings: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    assert icc(ratings) == Medida(None, razao="Todas as notas são iguais; não há variação em que concordar.")
    assert quadratic_kappa(ratings.astype(int) * 0, 5).valor is None


@settings(max_examples=200, deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(5, 12), st.just(2)), elements=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.75, 1.0])))
def test_no_figure_is_ever_not_a_number(ratings: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    for medida in (icc(ratings), mean_difference(ratings), quadratic_kappa((ratings * 4).astype(int), 5)):
        figures = [figure for figure in (medida.valor, medida.inferior, medida.superior) if figure is not None]
        assert all(math.isfinite(figure) for figure in figures)
        assert len(figures) == 3 or medida.razao
        assert not figures or figures[0] <= 1 + 1e-9


# --- the report

C1: Final = Criterio("C1", "Mérito", niveis=(Nivel(Decimal(0), "a"), Nivel(Decimal(5), "b"), Nivel(Decimal(10), "c")))
C2: Final = Criterio("C2", "Alcance", nota_min=Decimal(1), nota_max=Decimal(5))


def humanas(avaliador: str, criterio: str, notas: str) -> list[NotaHumana]:
    return [NotaHumana(f"P{n}", criterio, avaliador, Decimal(nota)) for n, nota in enumerate(notas.split())]


def sugeridas(criterio: str, notas: str) -> dict[tuple[str, str], Decimal]:
    return {(f"P{n}", criterio): Decimal(nota) for n, nota in enumerate(notas.split())}


def by_name(acordos: tuple[Acordo, ...]) -> dict[tuple[str, str | None], Acordo]:
    return {(acordo.de, acordo.com): acordo for acordo in acordos}


def test_the_report_is_by_criterio_by_avaliador_and_between_avaliadores() -> None:
    """Design, Reading: mean difference, weighted kappa, ICC, by critério and by avaliador."""
    people = [*humanas("ana", "C1", "0 2 4 6 8 10"), *humanas("rui", "C1", "2 4 6 8 10 10"), *humanas("ana", "C2", "1 2 3 4 5 5")]
    found = measure_concordancia([C1, C2], people, {**sugeridas("C1", "1 3 5 7 9 10"), **sugeridas("C2", "2 3 4 5 5 5")})
    by_criterio = by_name(found.por_criterio)
    assert by_criterio["C1", None].diferenca_media.valor == pytest.approx(0)
    assert by_criterio["C2", None].diferenca_media.valor == pytest.approx(4 / 6 / 4)
    assert [(acordo.de, acordo.pares) for acordo in found.por_avaliador] == [("ana", 12), ("rui", 6)]
    assert by_name(found.por_avaliador)["rui", None].diferenca_media.valor == pytest.approx(-5 / 6 / 10)
    assert [(acordo.de, acordo.com, acordo.pares) for acordo in found.entre_avaliadores] == [("ana", "rui", 6)]
    assert by_name(found.entre_avaliadores)["ana", "rui"].diferenca_media.valor == pytest.approx(10 / 6 / 10)


def test_kappa_is_on_the_levels_of_the_rubric() -> None:
    """Notas that fall to the same level agree fully, however they differ within it."""
    (acordo,) = measure_concordancia([C1], humanas("ana", "C1", "0 1 5 6 9 10"), sugeridas("C1", "2 0 4 5 10 8")).por_criterio
    assert acordo.kappa.valor == pytest.approx(1)
    assert acordo.icc.valor is not None
    assert acordo.icc.valor < 1


def test_few_notas_give_a_reason_in_place_of_a_coefficient() -> None:
    (acordo,) = measure_concordancia([C1], humanas("ana", "C1", "1 2 3 4"), sugeridas("C1", "1 2 3 4")).por_criterio
    assert acordo.pares == PARES_MINIMO - 1
    assert (acordo.kappa.valor, acordo.icc.valor) == (None, None)
    assert "ao menos 5" in str(acordo.kappa.razao)
    assert acordo.diferenca_media.valor == 0


def test_one_nota_in_common_has_a_difference_and_no_interval_and_none_has_neither() -> None:
    found = measure_concordancia([C1, C2], humanas("ana", "C1", "4"), sugeridas("C1", "6"))
    first, second = found.por_criterio
    assert first.diferenca_media.valor == pytest.approx(0.2)
    assert first.diferenca_media.inferior is None
    assert (second.pares, second.diferenca_media.valor, second.diferenca_media.razao) == (0, None, "Não há notas em comum.")


def test_without_any_nota_there_is_a_report_with_nothing_in_it() -> None:
    found = measure_concordancia([C1], [], {})
    assert [acordo.pares for acordo in found.por_criterio] == [0]
    assert (found.por_avaliador, found.entre_avaliadores) == ((), ())


def test_notas_of_a_criterio_that_is_gone_are_left_out() -> None:
    assert measure_concordancia([C1], humanas("ana", "C9", "1 2 3"), {}).por_avaliador == ()


def test_the_suggested_notas_are_those_of_the_execucao() -> None:
    nota = NotaSugerida("C1", Decimal("7.5"), "", Decimal("0.8"), ())
    projeto = ProjetoTriado("P1", None, "", None, (), (nota,))
    assert sugeridas_of(Resultado("E", "X", (projeto,), ())) == {("P1", "C1"): Decimal("7.5")}
