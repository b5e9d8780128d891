"""The default evaluation: what it is made of; how it comes out on six real processes is in `cli/test_avaliacao_clinicas.py`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.ensaio import read_data, run_offline
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_cpf
from federacao import DADOS as FIXTURE

FRESCOS = Path(__file__).parents[1] / "frescos.json"


def test_the_set_has_the_classes_and_the_number_of_cases_that_are_asked() -> None:
    """Blueprint 5.6/1: at least 30 queries over the three specialties, with edge cases and adversarial ones; Design: at least 120."""
    cases = read_case_file(CONJUNTO)
    classes = Counter(case.classe for case in cases)
    asked = {step.clinic for case in cases for turn in case.turnos for step in turn.plano}
    assert len(cases) >= 120
    assert min(classes["normal"], classes["borda"]) >= 30
    assert min(classes["adversarial"], classes["multi_clinica"], classes["multi_turno"]) >= 10
    assert asked == {f"clinic_{letter}" for letter in "abcdef"}


def test_many_queries_need_every_clinic_of_a_specialty() -> None:
    """Blueprint 5.6/2: queries that exercise the routing over several clinics."""
    turns = [turn for case in read_case_file(CONJUNTO) for turn in case.turnos]
    pairs = ({"clinic_a", "clinic_c"}, {"clinic_b", "clinic_f"}, {"clinic_d", "clinic_e"})
    for pair in pairs:
        assert sum(pair <= {step.clinic for step in turn.plano} for turn in turns) >= 5


def test_everybody_in_the_set_is_made_up_with_a_cpf_that_checks() -> None:
    cpfs = {case.paciente.cpf for case in read_case_file(CONJUNTO) if case.paciente}
    assert cpfs
    assert all(read_cpf(cpf) == cpf for cpf in cpfs)


@pytest.mark.skipif(not FIXTURE.exists(), reason="the shared fixture is not beside this checkout")
def test_no_doctor_of_the_default_clinics_works_in_the_shared_fixture() -> None:
    now = stated_clock(DADOS)
    assert now is not None
    own, shared = (read_data(folder).open(now).directory() for folder in (DADOS, FIXTURE))
    assert not own.keys() & shared.keys()


@pytest.mark.slow
def test_the_fresh_dialogues_come_out_right() -> None:
    """Design: the embedded planner is held against unseen dialogues; these were written before they were run."""
    now = stated_clock(DADOS)
    assert now is not None
    figures = run_offline(read_case_file(FRESCOS), DADOS, now).geral
    assert figures.casos.total >= 150
    assert (figures.plan_accuracy.valor or 0) >= 0.95
    assert (figures.estado.valor or 0) >= 0.95
