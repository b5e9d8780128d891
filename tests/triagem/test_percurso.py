"""Where a call stands, step by step in the order of its phases. Source: design, The whole life of a call."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.percurso import Fatos, Passo, next_of, steps_of
from crivo.triagem.publicacao.guardados import Publicada

HOJE = date(2026, 11, 27)
NADA = Fatos(HOJE, ("habilitacao", "avaliacao"), 0, 0, 0, False, False, 0, 0, 0, 0, False, ())
TRIADA = replace(NADA, requisitos=3, criterios=2, projetos=10, triada=True, sozinhos=10)
AVALIADA = replace(TRIADA, decididos=10, sozinhos=0, dadas=20, enviadas=20)


def publicada(versao: int, fase: FaseDoResultado, recursos_ate: date | None = None) -> Publicada:
    return Publicada("ED-1", versao, fase, "ABC", "0" * 64, "ED-1", "", recursos_ate, UUID(int=1), datetime(2026, 11, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("fatos", "passo"),
    [
        (NADA, "edital"),
        (replace(NADA, requisitos=3, criterios=2), "projetos"),
        (replace(TRIADA, triada=False), "triagem"),
        (replace(TRIADA, triando=True), "triagem"),
        (replace(TRIADA, decididos=9), "habilitacao"),
        (replace(TRIADA, decididos=10), "distribuicao"),
        (replace(AVALIADA, enviadas=19), "avaliacao"),
        (AVALIADA, "regras"),
        (replace(AVALIADA, com_regras=True), "preliminar"),
        (replace(AVALIADA, com_regras=True, versoes=(publicada(1, "preliminar", HOJE),)), "recursos"),
        (replace(AVALIADA, com_regras=True, versoes=(publicada(1, "preliminar", HOJE - timedelta(days=1)),)), "final"),
        (replace(AVALIADA, com_regras=True, versoes=(publicada(1, "preliminar"),)), "final"),
        (replace(AVALIADA, com_regras=True, versoes=(publicada(1, "preliminar"),), recursos_abertos=1), "recursos"),
    ],
)
def test_what_is_next_is_the_first_step_that_is_not_done(fatos: Fatos, passo: Passo) -> None:
    found = next_of(steps_of(fatos))
    assert found is not None
    assert found.passo == passo


def test_an_answer_to_a_diligencia_opens_the_habilitacao_again() -> None:
    answered = replace(AVALIADA, diligencias_respondidas=1)
    found = next_of(steps_of(answered))
    assert found is not None
    assert (found.passo, found.estado) == ("habilitacao", "andando")


def test_a_call_with_a_final_list_has_nothing_left() -> None:
    whole = replace(AVALIADA, com_regras=True, versoes=(publicada(2, "final"), publicada(1, "preliminar")))
    etapas = steps_of(whole)
    assert next_of(etapas) is None
    assert {one.estado for one in etapas} == {"feito"}


def test_where_merit_comes_first_the_steps_do_too() -> None:
    steps = [one.passo for one in steps_of(replace(TRIADA, ordem_fases=("avaliacao", "habilitacao")))]
    assert steps.index("avaliacao") < steps.index("habilitacao")


def test_a_step_says_how_much_of_it_is_done() -> None:
    found = {one.passo: one for one in steps_of(replace(TRIADA, decididos=4, sozinhos=3))}
    assert (found["habilitacao"].feitos, found["habilitacao"].total, found["habilitacao"].estado) == (4, 10, "andando")
    assert (found["distribuicao"].feitos, found["distribuicao"].total) == (7, 10)
