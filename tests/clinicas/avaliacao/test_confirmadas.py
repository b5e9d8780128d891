"""What an evaluation says to a proposal of exactly what a turn expects, and to none else."""

from __future__ import annotations

import json
from typing import Any

from crivo.clinicas.avaliacao.conjunto import Caso, read_cases
from crivo.clinicas.avaliacao.ensaio import read_data, run_case
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import DADOS
from crivo.clinicas.avaliacao.pontuacao import CasoObtido

BOOK = {"texto": "marca com o Dr. Heitor dia 15 às 16h"}
GONE = {"clinic": "clinic_c", "action": "cancel_appointment"}


def ran(*turnos: dict[str, Any]) -> CasoObtido:
    case = {"id": "a", "classe": "normal", "paciente": {"nome": "Ana Braga", "cpf": "529.982.247-25"}, "turnos": turnos}
    cases: tuple[Caso, ...] = read_cases(json.dumps([case]).encode())
    now = stated_clock(DADOS)
    assert now is not None
    return run_case(cases[0], read_data(DADOS), now)


def test_a_turn_that_expects_the_cancellation_is_told_yes() -> None:
    got = ran(BOOK, {"texto": "cancela", "plano": [GONE]})
    assert got.turnos[1].confirmado
    assert [step.action for step in got.turnos[1].steps] == ["cancel_appointment"]
    assert got.estado["clinic_c"] == ()


def test_a_turn_that_expects_nothing_is_told_nothing_and_the_case_answers_by_itself() -> None:
    got = ran(BOOK, {"texto": "cancela"}, {"texto": "não"})
    assert not any(turno.confirmado for turno in got.turnos)
    assert len(got.estado["clinic_c"]) == 1


def test_a_turn_that_expects_a_question_or_another_act_is_told_nothing() -> None:
    other = {**GONE, "parameters": {"date": "2028-09-13"}}
    assert not ran(BOOK, {"texto": "cancela", "plano": [GONE], "pergunta": True}).turnos[1].confirmado
    assert not ran(BOOK, {"texto": "cancela", "plano": [other]}).turnos[1].confirmado
