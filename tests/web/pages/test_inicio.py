"""The first page: what waits for this person today, and nothing of what others do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx
import pytest

from crivo.kernel.access import PAPEIS, Papel, Usuario
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Tipo
from crivo.triagem.andamento import Execucao
from crivo.triagem.service import EditalNaLista
from crivo.web.pages.inicio import _PARA, _to_decide
from crivo.web.pages.navegacao import AREAS, areas_of

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]


@pytest.mark.parametrize("papel", PAPEIS)
async def test_with_nothing_waiting_every_role_is_told_so(scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: Papel) -> None:
    shown = await (await signed_in(scope, (await new_person(scope, papel)).ator)).get("/")
    assert shown.status_code == 200
    assert "Nada espera por você agora" in shown.text


async def test_a_reviewer_sees_how_many_decisions_wait_and_others_do_not(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, api: httpx.AsyncClient, published: str, pedido: dict[str, Any]
) -> None:
    for n in range(2):
        await api.post("/api/autorizacoes", json={**pedido, "pedido_id": f"P-{n}", "documentos_anexos": []})
    reviewer = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    assert "2 decisões esperam por uma pessoa" in (await reviewer.get("/")).text
    patient = await signed_in(scope, (await new_person(scope, "paciente")).ator)
    assert "esperam por uma pessoa" not in (await patient.get("/")).text


@pytest.mark.parametrize("papel", PAPEIS)
def test_every_place_of_the_navigation_says_what_it_is_for(papel: Papel) -> None:
    places = {
        lugar.endereco for area in areas_of(Scope("local", "usuario:x", Pessoa("local", UUID(int=1), papel))) for lugar in area.lugares
    }
    assert places - {"/"} <= set(_PARA)
    assert places


def test_nothing_is_described_that_has_no_place() -> None:
    assert set(_PARA) <= {lugar.endereco for area in AREAS for lugar in area.lugares}


def _screened(tipo: Tipo, projetos: int) -> EditalNaLista:
    when = datetime(2026, 11, 16, 12, tzinfo=UTC)
    execucao = Execucao(
        id=UUID(int=1),
        edital_id="ED/1",
        tipo=tipo,
        status="concluida",
        fase=None,
        fases=(),
        total_projetos=projetos,
        projetos_analisados=projetos,
        projetos_com_erro=0,
        reaproveitados=0,
        irregularidades_reaproveitadas=False,
        custo=Decimal(0),
        chamadas_sem_preco=0,
        notas_sem_resposta=0,
        segundos_restantes=None,
        erro_mensagem=None,
        iniciada_por="cli",
        executado_por=None,
        created_at=when,
        concluida_em=when,
    )
    return EditalNaLista("ED/1", "Edital 1", projetos, when, execucao)


def test_a_screened_edital_waits_for_the_decisions_that_people_have_not_made() -> None:
    waiting = _to_decide(_screened("completa", 40), 39)
    assert waiting is not None
    assert (waiting.detalhe, waiting.endereco) == (
        "1 projeto espera a sua decisão de habilitação.",
        "/admin/editais/ED%2F1/mesa",
    )


@pytest.mark.parametrize(("tipo", "decided"), [("completa", 40), ("irregularidades", 0)])
def test_an_edital_that_asks_for_no_decision_is_not_among_what_waits(tipo: Tipo, decided: int) -> None:
    assert _to_decide(_screened(tipo, 40), decided) is None
