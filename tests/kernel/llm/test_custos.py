"""What calls cost and how they went, out of the ledger. Source: design, operacao.md (cost by day, model, application, agent)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from crivo.kernel.clock import FixedClock
from crivo.kernel.cotas import set_cotas
from crivo.kernel.llm.custos import (
    Custos,
    Gastos,
    Grupo,
    Periodo,
    PeriodoInvalido,
    Recorte,
    Soma,
    by,
    calendar_month,
    chosen,
    projected,
    reaches_on,
    read_periodo,
    total_of,
)
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

_NOON = datetime(2026, 3, 10, 15, tzinfo=UTC)  # noon in Brasília
_MARCO = Periodo(date(2026, 3, 1), date(2026, 3, 31))
_NOTHING = Answer(b"", 0, 0, Decimal(0), duracao_ms=30, falha="fora_do_ar")


async def note(
    database: Database,
    scope: Scope,
    em: datetime,
    answer: Answer,
    agente: str = "triagem.criterio",
    origem: str = "execucao:1",
    modelo: str = "openai:gpt-4o",
) -> None:
    """A call as the ledger notes it at an instant."""
    call = Call(modelo, b"p", repr((em, answer, agente, origem)).encode(), prompt_versao="3")
    await Ledger(database, FixedClock(em)).note(scope, call, origem, answer, agente)


@pytest.fixture
def casa(scope: Scope) -> Scope:
    return Scope(scope.tenant_id, scope.ator, CONSOLE)


@pytest.fixture
def custos(database: Database) -> Custos:
    return Custos(database, FixedClock(_NOON), None)


async def test_a_month_is_summed_by_day_model_and_agent_where_people_are(custos: Custos, database: Database, casa: Scope) -> None:
    late = datetime(2026, 3, 2, 2, 30, tzinfo=UTC)  # still the first of March in Brasília
    await note(database, casa, late, Answer(b"", 100, 10, Decimal("0.5"), duracao_ms=900))
    await note(database, casa, _NOON, Answer(b"", 200, 20, Decimal("1.25")), agente="clinicas.planner", origem="conversa:1")
    await note(database, casa, _NOON, Answer(b"", 300, 30, None), agente="clinicas.planner", origem="conversa:2")
    await note(database, casa, datetime(2026, 2, 28, 12, tzinfo=UTC), Answer(b"", 1, 1, Decimal(99)))
    found = await custos.gastos(casa)
    assert found.periodo == _MARCO
    assert found.grupos == (
        Grupo(date(2026, 3, 1), "openai:gpt-4o", "triagem.criterio", Soma(1, 100, 10, Decimal("0.5"))),
        Grupo(date(2026, 3, 10), "openai:gpt-4o", "clinicas.planner", Soma(2, 500, 50, Decimal("1.25"), sem_preco=1)),
    )
    assert list(by(found.grupos, lambda one: one.aplicacao)) == ["clinicas", "triagem"], "the dearest first"
    assert total_of(chosen(found.grupos, Recorte(aplicacao="triagem"))).custo == Decimal("0.5")


async def test_what_was_paid_for_nothing_is_told_apart(custos: Custos, database: Database, casa: Scope) -> None:
    await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(1)))
    await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(2), falha="fora_do_formato"))
    await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(4), provisoria=True))
    await note(database, casa, _NOON, _NOTHING)
    soma = total_of((await custos.gastos(casa)).grupos)
    assert (soma.chamadas, soma.falharam, soma.provisorias, soma.custo, soma.custo_perdido) == (4, 2, 1, Decimal(7), Decimal(6))


async def test_calls_are_found_by_what_they_were_for_and_by_how_they_ended(custos: Custos, database: Database, casa: Scope) -> None:
    await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(1), duracao_ms=1_200), origem="execucao:1")
    await note(database, casa, _NOON + timedelta(minutes=1), _NOTHING, agente="clinicas.planner", origem="conversa:1")
    folha = await custos.chamadas(casa, Recorte(_MARCO), 1, 25)
    assert [(one.origem, one.desfecho, one.duracao_ms, one.prompt_versao) for one in folha.itens] == [
        ("conversa:1", "fora_do_ar", 30, "3"),
        ("execucao:1", "respondida", 1_200, "3"),
    ]
    for recorte, origens in (
        (Recorte(desfecho="fora_do_ar"), ["conversa:1"]),
        (Recorte(origens=("execucao:1", "execucao:9")), ["execucao:1"]),
        (Recorte(origens=()), []),
        (Recorte(agente="clinicas.planner", modelo="openai:gpt-4o", aplicacao="clinicas"), ["conversa:1"]),
        (Recorte(Periodo(date(2026, 3, 11), date(2026, 3, 12))), []),
    ):
        assert [one.origem for one in (await custos.chamadas(casa, recorte, 1, 25)).itens] == origens
    beyond = await custos.chamadas(casa, Recorte(), 9, 1)
    assert (beyond.pagina, beyond.soma.chamadas, [one.origem for one in beyond.itens]) == (2, 2, ["execucao:1"])


async def test_what_calls_were_paid_for_comes_the_dearest_first(custos: Custos, database: Database, casa: Scope) -> None:
    for origem, custo in (("conversa:1", 1), ("execucao:1", 5), ("execucao:1", 2)):
        await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(custo)), origem=origem)
    folha = await custos.origens(casa, Recorte(_MARCO), 1, 1)
    assert (folha.total, [(one.origem, one.custo, one.ultima) for one in folha.itens]) == (2, [("execucao:1", Decimal(7), _NOON)])
    assert [one.origem for one in (await custos.origens(casa, Recorte(_MARCO), 2, 1)).itens] == ["conversa:1"]
    assert (await custos.origens(casa, Recorte(_MARCO), 9, 1)).pagina == 1


async def test_the_limit_is_the_organisations_own_or_else_the_installations(database: Database, casa: Scope) -> None:
    custos = Custos(database, FixedClock(_NOON), Decimal(40))
    assert (await custos.gastos(casa)).limite == Decimal(40)
    async with database.unit_of_work(casa) as uow:
        await set_cotas(uow, {"custo_mes": Decimal(7)})
    assert (await custos.gastos(casa)).limite == Decimal(7)


async def test_nobody_sees_the_calls_of_another_organisation(
    custos: Custos, database: Database, casa: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await note(database, casa, _NOON, Answer(b"", 10, 1, Decimal(1)))
    other = Scope(new_tenant().tenant_id, "teste", CONSOLE)
    assert (await custos.gastos(other)).grupos == ()
    assert (await custos.chamadas(other, Recorte(), 1, 25)).soma == Soma()


async def test_an_answer_of_a_model_says_how_long_it_took_only_where_it_was_asked(database: Database, casa: Scope, custos: Custos) -> None:
    async def answer() -> Answer:
        return Answer(b"{}", 10, 1, Decimal(1), duracao_ms=250)

    ledger = Ledger(database, FixedClock(_NOON))
    for origem in ("conversa:1", "conversa:2"):
        await ledger.answer(casa, Call("m", b"p", b"c", prompt_versao="2"), origem, answer, "clinicas.planner")
    assert [(one.origem, one.duracao_ms) for one in (await custos.chamadas(casa, Recorte(), 1, 25)).itens] == [("conversa:1", 250)]


def _gastos(custo: str, agora: datetime, limite: str | None = None, periodo: Periodo = _MARCO) -> Gastos:
    grupo = Grupo(date(2026, 3, 1), "m", "a.b", Soma(custo=Decimal(custo)))
    return Gastos(periodo, (grupo,), None if limite is None else Decimal(limite), agora)


def test_a_month_is_projected_at_the_pace_of_its_days_so_far() -> None:
    tenth = datetime(2026, 3, 11, 3, tzinfo=UTC)  # ten whole days in Brasília
    assert projected(_gastos("10", tenth)) == Decimal(31)
    assert reaches_on(_gastos("10", tenth, "15.5")) == date(2026, 3, 16)
    assert reaches_on(_gastos("10", tenth, "31")) is None
    assert reaches_on(_gastos("10", tenth, "9")) is None, "it was reached already"


def test_nothing_is_projected_of_a_first_day_or_of_another_period() -> None:
    assert projected(_gastos("10", datetime(2026, 3, 1, 20, tzinfo=UTC))) is None
    assert projected(_gastos("10", datetime(2026, 4, 11, tzinfo=UTC))) is None
    assert projected(_gastos("10", _NOON, periodo=Periodo(date(2026, 3, 2), date(2026, 3, 31)))) is None


@pytest.mark.parametrize(
    ("asked", "periodo"),
    [
        (("", "", ""), _MARCO),
        (("2026-02", "", ""), Periodo(date(2026, 2, 1), date(2026, 2, 28))),
        (("", "2026-02-10", ""), Periodo(date(2026, 2, 10), date(2026, 3, 10))),
        (("", "", "2026-02-10"), Periodo(date(2026, 2, 1), date(2026, 2, 10))),
        (("", "2026-12-10", ""), Periodo(date(2026, 12, 10), date(2026, 12, 10))),
    ],
)
def test_a_period_is_a_month_or_days(asked: tuple[str, str, str], periodo: Periodo) -> None:
    assert read_periodo(*asked, date(2026, 3, 10)) == periodo


@pytest.mark.parametrize(
    "asked",
    [("2026-13", "", ""), ("", "ontem", ""), ("", "2026-03-02", "2026-03-01"), ("", "2024-01-01", "2026-01-01"), ("9999-12", "", "")],
)
def test_days_that_are_no_period_are_refused(asked: tuple[str, str, str]) -> None:
    with pytest.raises(PeriodoInvalido):
        read_periodo(*asked, date(2026, 3, 10))


def test_december_is_whole() -> None:
    assert calendar_month(date(2026, 12, 31)) == Periodo(date(2026, 12, 1), date(2026, 12, 31))
