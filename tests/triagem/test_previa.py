"""Who enters a decision on many and who stays out, told before anything happens; and what changed since it was told."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.guardados import DecisaoHabilitacao
from crivo.triagem.previa import Candidato, Razao, changed_since, foresee

_WHEN = datetime(2026, 11, 20, 13, tzinfo=UTC)


def decided(codigo: str, decisao: HabilitacaoSugerida, ato: int = 1) -> DecisaoHabilitacao:
    return DecisaoHabilitacao(codigo, decisao, "habilitado", "", UUID(int=9), _WHEN, ato=UUID(int=ato))


def project(
    codigo: str = "P1",
    sugestao: HabilitacaoSugerida | None = "habilitado",
    decisao: DecisaoHabilitacao | None = None,
    *casos: str,
    retirado: bool = False,
) -> Candidato:
    return Candidato(codigo, retirado, sugestao, decisao, casos)


@pytest.mark.parametrize(
    ("found", "razao"),
    [
        (None, "desconhecido"),
        (project(retirado=True), "retirado"),
        (project("P1", "habilitado", decided("P1", "habilitado")), "igual"),
        (project("P1", None), "nao_triado"),
        (project("P1", "habilitado", None, "caso 5"), "caso_aberto"),
        (project("P1", "pendencia"), "pendencia"),
        (project("P1", "inabilitado"), "excluido"),
    ],
)
def test_a_project_that_is_not_ready_stays_out_and_is_told_why(found: Candidato | None, razao: Razao) -> None:
    previa = foresee("ED-1", ["P1"], {"P1": found} if found else {}, "habilitado")
    assert ([one.razao for one in previa.ficam], previa.entram) == ([razao], ())


def test_what_was_suggested_keeps_nobody_out_of_another_decision_than_habilitado_and_a_reason_is_asked_for() -> None:
    found = {"P1": project("P1", "pendencia"), "P2": project("P2", "inabilitado")}
    previa = foresee("ED-1", ["P2", "P1", "P2"], found, "inabilitado")
    assert ([one.projeto_id for one in previa.entram], previa.pede_motivo) == (["P1", "P2"], True)
    assert not foresee("ED-1", ["P2"], found, "inabilitado").pede_motivo


def test_somebody_decided_otherwise_enters_and_what_would_be_replaced_is_told() -> None:
    before = decided("P1", "inabilitado")
    (enters,) = foresee("ED-1", ["P1"], {"P1": project("P1", "habilitado", before)}, "habilitado").entram
    assert enters.agora == before


def test_a_preview_that_is_still_true_says_that_nothing_changed() -> None:
    found = {f"P{at}": project(f"P{at}") for at in range(50)}
    assert (
        changed_since(foresee("ED-1", list(found), found, "habilitado").prevista, foresee("ED-1", sorted(found), found, "habilitado"))
        is None
    )


@pytest.mark.parametrize(
    "now",
    [
        project("P7", "pendencia"),
        project("P7", "habilitado", decided("P7", "inabilitado")),
        project("P7", "habilitado", None, "caso 1"),
        project("P7", retirado=True),
        None,
    ],
)
def test_whatever_changes_of_a_project_makes_the_preview_old_and_names_the_project(now: Candidato | None) -> None:
    found = {f"P{at}": project(f"P{at}") for at in range(9)}
    before = foresee("ED-1", list(found), found, "habilitado")
    after = {codigo: one for codigo, one in {**found, "P7": now}.items() if one is not None}
    assert changed_since(before.prevista, foresee("ED-1", list(found), after, "habilitado")) == ("P7",)


def test_another_decision_taken_since_is_a_change_though_it_says_the_same() -> None:
    before = {"P1": project("P1", "habilitado", decided("P1", "inabilitado", ato=1))}
    after = {"P1": project("P1", "habilitado", decided("P1", "inabilitado", ato=2))}
    prevista = foresee("ED-1", ["P1"], before, "habilitado").prevista
    assert changed_since(prevista, foresee("ED-1", ["P1"], after, "habilitado")) == ("P1",)


@pytest.mark.parametrize("prevista", ["", "x", "não é isto", "A" * 10_000])
def test_a_preview_that_nobody_made_is_old_and_names_nothing(prevista: str) -> None:
    assert changed_since(prevista, foresee("ED-1", ["P1"], {"P1": project()}, "habilitado")) == ()


def test_the_preview_of_another_selection_or_decision_is_none_of_this_one() -> None:
    found = {codigo: project(codigo) for codigo in ("P1", "P2")}
    nova = foresee("ED-1", ["P1"], found, "habilitado")
    assert changed_since(foresee("ED-1", ["P1", "P2"], found, "habilitado").prevista, nova) == ()
    assert changed_since(foresee("ED-1", ["P1"], found, "pendencia").prevista, nova) == ("P1",)
