"""What a form of notas gives to be kept: nothing that another tab stored is undone in silence, and nothing that was typed is lost."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from crivo.triagem.guardados import Avaliacao, TextoSemNota
from crivo.triagem.julgamento import NotaDada
from crivo.web.pages.triagem.meu_rascunho import Gravada, lost, missing, read_written, review_seal

AGORA = datetime(2026, 9, 1, tzinfo=UTC)


def para(c1: tuple[str, str] | None = None, c2: tuple[str, str] | None = None) -> Any:
    """A project with two critérios, and what stands stored for each: nota, text."""
    stored = {code: of for code, of in (("C1", c1), ("C2", c2)) if of is not None}
    return SimpleNamespace(
        criterios=(SimpleNamespace(id="C1"), SimpleNamespace(id="C2")),
        minhas=tuple([Avaliacao("P1", code, UUID(int=1), Decimal(n), t, AGORA, None) for code, (n, t) in stored.items() if n]),
        sem_nota=tuple([TextoSemNota(code, t, AGORA) for code, (n, t) in stored.items() if not n]),
    )


def seen(nota: str = "", texto: str = "") -> str:
    return Gravada(Decimal(nota) if nota else None, texto).selo


def form(**fields: str) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in fields.items()}


def test_what_is_typed_is_given_and_a_criterio_with_nothing_in_it_is_left_as_it_was() -> None:
    dadas, escritas = read_written(para(), form(nota_C1="7,5", texto_C1=" Bom. ", nota_C2="", texto_C2=""))
    assert (dadas, escritas) == ([NotaDada("C1", Decimal("7.5"), "Bom.")], {})


def test_what_was_begun_may_be_emptied() -> None:
    dadas, _ = read_written(para(c1=("7", "Bom.")), form(nota_C1="", texto_C1="", visto_C1=seen("7", "Bom.")))
    assert dadas == [NotaDada("C1", None, "")]


@pytest.mark.parametrize("nota", ["sete", "7..5", "--"])
def test_what_is_no_number_comes_back_as_it_was_typed(nota: str) -> None:
    dadas, escritas = read_written(para(), form(nota_C1=nota, texto_C1="Bom."))
    assert (dadas, escritas["C1"].nota, escritas["C1"].texto) == ([], nota, "Bom.")


def test_what_another_tab_stored_stays_where_this_one_changed_nothing() -> None:
    stale = form(nota_C1="", texto_C1="", visto_C1=seen(), nota_C2="5", texto_C2="", visto_C2=seen())
    dadas, escritas = read_written(para(c1=("9", "Outra aba.")), stale)
    assert (dadas, escritas) == ([NotaDada("C2", Decimal(5), "")], {})


def test_what_both_tabs_wrote_alike_is_no_conflict() -> None:
    both = form(nota_C1="9,0", texto_C1="Igual.\r\nSim.", visto_C1=seen())
    assert read_written(para(c1=("9", "Igual.\nSim.")), both) == ([], {})


def test_what_both_tabs_changed_is_told_with_what_stands_stored() -> None:
    dadas, escritas = read_written(para(c1=("9", "Outra aba.")), form(nota_C1="3", texto_C1="Esta.", visto_C1=seen()))
    assert dadas == []
    assert (escritas["C1"].nota, escritas["C1"].texto) == ("3", "Esta.")
    assert "lá ficou gravado nota 9, “Outra aba.”" in escritas["C1"].recusa
    settled, none_left = read_written(para(c1=("9", "Outra aba.")), form(nota_C1="3", texto_C1="Esta.", visto_C1=seen("9", "Outra aba.")))
    assert (settled, none_left) == ([NotaDada("C1", Decimal(3), "Esta.")], {})


def test_a_nota_that_lacks_is_told_with_the_text_that_was_written_for_it() -> None:
    found = missing(para(c1=("", "Só texto."), c2=("8", "")), {}, {})
    assert (list(found), found["C1"].texto) == (["C1"], "Só texto.")
    assert list(missing(para(c2=("8", "")), form(nota_C1="7", nota_C2="", texto_C2=""), {})) == ["C2"]


def test_what_can_be_kept_no_more_is_what_stands_nowhere() -> None:
    typed = form(nota_C1="9", texto_C1="Igual.", nota_C2="4", texto_C2="Tarde.")
    assert list(lost(para(c1=("9", "Igual.")), typed)) == ["C2"]
    assert list(lost(None, typed)) == ["C1", "C2"]
    assert lost(None, form(nota_C1="", texto_C1="", csrf="0")) == {}


def test_what_was_looked_over_is_told_by_every_nota_and_text() -> None:
    before = review_seal(para(c1=("9", "Sim."), c2=("8", "")))
    assert before == review_seal(para(c1=("9.0", "Sim."), c2=("8", "")))
    for other in (para(c1=("9", "Não."), c2=("8", "")), para(c1=("8", "Sim."), c2=("9", "")), para(c1=("9", "Sim."))):
        assert review_seal(other) != before
