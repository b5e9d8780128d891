"""What models cost, as whoever pays sees it. Source: design, operacao.md (cost by day, model, application, agent; traces searchable)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import get_args
from uuid import UUID

import httpx
import pytest

from chamadas import importacao
from crivo.autorizacoes.agentes import AGENTES as CONTRATOS
from crivo.autorizacoes.modelo.formato import AGENTE as FORMATO
from crivo.autorizacoes.modelo.mapeamento import AGENTE as MAPEAMENTO
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.llm.custos import Gastos, Grupo, Periodo, Soma, calendar_month
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.llm.port import Falha
from crivo.kernel.tenancy import Scope
from crivo.triagem.avaliacao.pergunta import AGENTE as CRITERIO
from crivo.triagem.comparacao import AGENTE as EMBEDDINGS
from crivo.triagem.habilitacao.reconhecimento import AGENTE as HABILITACAO
from crivo.triagem.quadro import origem_of
from crivo.web.pages.administracao.custos_palavras import AGENTES, DESFECHOS, Assuntos
from crivo.web.pages.administracao.custos_vista import ALTURA, draw, limit_of, shown_of
from sujeitos import as_person

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
ClientOf = Callable[[str], httpx.AsyncClient]
CUSTOS, CHAMADAS = "/admin/execucoes/custos", "/admin/execucoes/chamadas"
CONVERSA = "conversa:0198a6f4-0000-7000-8000-000000000001"
SECRET = b"o que o modelo disse"


async def note(container: Container, scope: Scope, answer: Answer, agente: str, origem: str, modelo: str = "openai:gpt-5") -> None:
    call = Call(modelo, b"p", repr((answer, agente, origem)).encode(), prompt_versao="7")
    await Ledger(container.database, container.clock).note(scope, call, origem, answer, agente)


@pytest.fixture
async def execucao(container: Container, scope: Scope, new_person: NewPerson) -> UUID:
    """A screening, with calls of three agents, of which one failed and one is of a model without a price."""
    hers = as_person(scope, await new_person(scope, "gestor"))
    await container.triagem.importar(hers, importacao(1, "ED-1"))
    one = (await container.triagem.executar(hers, "ED-1")).id
    for answer, agente, origem in (
        (Answer(SECRET, 1_000, 50, Decimal("1.25"), duracao_ms=2_300), "triagem.criterio", origem_of(one)),
        (Answer(SECRET, 900, 0, Decimal("0.25"), duracao_ms=900, falha="fora_do_formato"), "triagem.criterio", origem_of(one)),
        (Answer(SECRET, 10, 1, None), "clinicas.planner", CONVERSA),
    ):
        await note(container, scope, answer, agente, origem)
    return one


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


async def test_a_month_is_seen_by_application_model_and_agent_with_what_it_was_for(gestora: httpx.AsyncClient, execucao: UUID) -> None:
    shown = (await gestora.get(CUSTOS)).text
    for said in (
        "US$ 1,50",
        "e 1 sem preço conhecido",
        "1 falhou",
        "por US$ 0,2500",
        "Triagem de editais",
        "triagem.criterio",
        "openai:gpt-5",
    ):
        assert said in shown
    assert "Custo por dia, de " in shown, "the picture says what it shows"
    assert f'href="{CHAMADAS}?q=execucao%3A{execucao}"' in shown
    assert '<a href="/admin/editais/ED-1/triagem-ia"><bdi>Triagem de ED-1</bdi></a>' in shown
    assert "<bdi>Conversa</bdi>" in shown
    only = (await gestora.get(CUSTOS, params={"aplicacao": "clinicas"})).text
    assert "Triagem de ED-1" not in only
    assert "US$ 1,50" not in only
    assert "US$ 1,50" in (await gestora.get("/admin/execucoes")).text, "the page of executions says so too"


async def test_calls_are_looked_for_by_edital_id_and_fault_and_never_show_what_was_said(gestora: httpx.AsyncClient, execucao: UUID) -> None:
    for params, calls in (
        ({}, 3),
        ({"q": "ed-1"}, 2),
        ({"q": str(execucao)}, 2),
        ({"q": CONVERSA}, 1),
        ({"q": "ED-9"}, 0),
        ({"desfecho": "fora_do_formato"}, 1),
        ({"agente": "clinicas.planner", "modelo": "openai:gpt-5"}, 1),
        ({"de": "2020-01-01", "ate": "2020-01-31"}, 0),
    ):
        shown = (await gestora.get(CHAMADAS, params=params)).text
        assert shown.count('<th scope="row">') == calls, params
        assert SECRET.decode() not in shown
    whole = (await gestora.get(CHAMADAS)).text
    for said in ("prompt versão 7", "2,3 s", "Fora da forma pedida", "sem preço conhecido", "não se sabe"):
        assert said in whole


async def test_days_that_are_none_are_told_and_this_month_is_shown(gestora: httpx.AsyncClient, execucao: UUID) -> None:
    for page in (CUSTOS, CHAMADAS):
        shown = await gestora.get(page, params={"de": "2026-02-30"})
        assert shown.status_code == 200
        assert "A data não existe no calendário." in shown.text
        assert "Triagem de ED-1" in shown.text


async def test_both_lists_are_taken_home_as_files(gestora: httpx.AsyncClient, execucao: UUID) -> None:
    custos = await gestora.get(f"{CUSTOS}.csv")
    assert custos.headers["content-type"] == "text/csv; charset=utf-8"
    assert "triagem.criterio;openai:gpt-5;2;1900;50;1,5;0;1;0;0,25" in custos.content.decode("utf-8-sig")
    chamadas = (await gestora.get(f"{CHAMADAS}.csv", params={"q": "ED-1"})).content.decode("utf-8-sig").splitlines()
    assert len(chamadas) == 3
    assert all(line.endswith(f"execucao:{execucao}") for line in chamadas[1:])


async def test_nobody_sees_what_another_organisation_paid(
    execucao: UUID, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn
) -> None:
    theirs = new_tenant()
    browser = await signed_in(theirs, (await new_person(theirs, "admin")).ator)
    assert "Nenhuma chamada a modelo neste período" in (await browser.get(CUSTOS)).text
    assert "Nenhuma chamada" in (await browser.get(CHAMADAS, params={"q": f"execucao:{execucao}"})).text


async def test_the_api_answers_the_same_figures(
    scope: Scope, new_key: Callable[..., Awaitable[str]], client_of: ClientOf, execucao: UUID
) -> None:
    async with client_of(await new_key(scope, "custos:ler")) as api:
        found = (await api.get("/api/custos")).json()
        assert (found["total"]["chamadas"], found["total"]["custo"], found["total"]["custo_perdido"]) == (3, 1.5, 0.25)
        assert list(found["por_agente"]) == ["triagem.criterio", "clinicas.planner"]
        assert found["por_aplicacao"]["clinicas"]["sem_preco"] == 1
        calls = (await api.get("/api/custos/chamadas", params={"origem": f"execucao:{execucao}", "limite": 1, "pagina": 2})).json()
        assert (calls["total"]["chamadas"], calls["pagina"], len(calls["itens"])) == (2, 2, 1)
        for wrong in ({"mes": "2026-13"}, {"quando": "ontem"}):
            refused = await api.get("/api/custos", params=wrong)
            assert (refused.status_code, refused.json()["codigo"]) == (422, "parametro_invalido")


def _grupo(dia: date, custo: str, agente: str = "triagem.criterio", modelo: str = "m") -> Grupo:
    return Grupo(dia, modelo, agente, Soma(chamadas=1, custo=Decimal(custo)))


FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)


def test_a_picture_has_a_bar_for_each_day_as_high_as_what_it_cost() -> None:
    figura = draw([_grupo(FIRST, "4"), _grupo(LAST, "1"), _grupo(LAST, "1", "clinicas.planner")], Periodo(FIRST, LAST))
    assert figura is not None
    assert (len(figura.barras), figura.topo) == (31, "US$ 4,00")
    assert figura.barras[0].partes == (("triagem", 0.0, ALTURA),)
    assert [(style, height) for style, _, height in figura.barras[-1].partes] == [("clinicas", ALTURA / 4), ("triagem", ALTURA / 4)]
    assert figura.dito == "Custo por dia, de 01/03/2026 a 31/03/2026: US$ 6,00 ao todo; o dia de mais foi 01/03/2026, com US$ 4,00."


def test_a_long_period_is_drawn_by_month_and_calls_without_a_cost_by_their_number() -> None:
    figura = draw([_grupo(FIRST, "0"), _grupo(date(2026, 1, 2), "0")], Periodo(date(2026, 1, 1), LAST))
    assert figura is not None
    assert (len(figura.barras), figura.topo, figura.primeira, figura.ultima) == (3, "1 chamada", "01/2026", "03/2026")
    assert draw([], Periodo(FIRST, LAST)) is None


def test_the_simulated_model_is_shown_apart_and_alone_where_there_is_no_other() -> None:
    simulated, paid = _grupo(FIRST, "0", modelo="simulado"), _grupo(FIRST, "2")
    assert shown_of([simulated, paid]) == ((paid,), simulated.soma)
    assert shown_of([simulated]) == ((simulated,), Soma())


@pytest.mark.parametrize(
    ("limite", "parte", "dito", "projecao"),
    [
        (None, None, "O gasto do mês não tem limite.", "No ritmo de até agora, o mês terminaria em cerca de US$ 31,00 (projeção)."),
        ("20", 0.5, "US$ 10,00 de US$ 20,00 do mês", "O limite seria atingido por volta de 21/03/2026."),
        (
            "10",
            1.0,
            "US$ 10,00 de US$ 10,00 do mês",
            "O limite do mês foi atingido: perguntas novas não são feitas, e o código faz a sua parte.",
        ),
    ],
)
def test_a_month_is_told_by_its_limit_and_its_pace(limite: str | None, parte: float | None, dito: str, projecao: str) -> None:
    grupos = (_grupo(FIRST, "10"),)
    at = datetime(2026, 3, 11, 3, tzinfo=UTC)  # ten whole days in Brasília
    seen = limit_of(Gastos(calendar_month(FIRST), grupos, None if limite is None else Decimal(limite), at), grupos)
    assert seen is not None
    assert (seen.parte, seen.dito) == (parte, dito)
    assert seen.projecao.endswith(projecao)
    assert limit_of(Gastos(calendar_month(FIRST), grupos, None, at + timedelta(days=40)), grupos) is None


def test_what_was_paid_for_is_named_and_led_to_only_as_far_as_whoever_looks_may_know() -> None:
    one = UUID(int=1)
    knows = Assuntos({one: "P-1 529.982.247-25"}, {one: "ED 1"}, {one}, ve_decisoes=True, ve_triagens=True)
    assert (knows.see(f"execucao:{one}").nome, knows.see(f"execucao:{one}").endereco) == (
        "Triagem de ED 1",
        "/admin/editais/ED%201/triagem-ia",
    )
    assert (knows.see(f"sombra:{one}").endereco, "529" in knows.see(f"sombra:{one}").nome) == (f"/autorizacoes/{one}", False)
    assert knows.see(f"conversa:{one}").endereco == f"/clinicas/atendimento/{one}"
    assert knows.see("autorizacoes:formato").endereco == "/formatos"
    for origem in (f"execucao:{one}", f"autorizacao:{one}", f"conversa:{one}", "autorizacoes:formato", "execucao:x", "outro"):
        assert Assuntos().see(origem).endereco == ""


def test_every_way_in_which_a_call_may_fail_has_words() -> None:
    assert set(get_args(Falha)) - DESFECHOS.keys() == {"orcamento"}, "what the limit held back was not asked"


def test_every_agent_that_asks_a_model_has_words() -> None:
    asking = {*(one.name for one in CONTRATOS), FORMATO, MAPEAMENTO, CRITERIO, HABILITACAO, EMBEDDINGS}
    assert asking - AGENTES.keys() == set()
