"""The model of an installation: nothing is paid twice, nobody spends beyond the limit, and every failure has one name."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest

from crivo.kernel import medidas
from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.llm.custos import Chamada, Custos, Recorte
from crivo.kernel.llm.ledger import Answer, Call, Ledger, cost_of
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel
from crivo.kernel.settings import Settings
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from perguntas import SEGREDO, Parecer, campos, pergunta
from provedor import Falta, Provedor, always

Configure = Callable[..., Settings]
Abre = Callable[..., Awaitable[Modelo]]
_FEBRUARY, _MARCH = datetime(2026, 3, 1, 2, tzinfo=UTC), datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
async def abre(configure: Configure, database: Database) -> AsyncIterator[Abre]:
    """Opens the model of an installation, until the end of the test."""
    async with AsyncExitStack() as stack:

        async def make(
            modelo: str = "openai:gpt-4o",
            *,
            clock: Clock | None = None,
            roteiros: Mapping[str, Any] | None = None,
            store: Database = database,
            **chosen: Any,
        ) -> Modelo:
            opening = open_modelo(configure(modelo, **chosen), store, clock or SystemClock(), roteiros or {})
            opened = await stack.enter_async_context(opening)
            assert opened is not None
            return opened

        yield make


async def _spent(database: Database, scope: Scope) -> tuple[Decimal, int]:
    async with database.unit_of_work(scope) as uow:
        gasto = await cost_of(uow, "teste:1")
    return gasto.custo, gasto.sem_preco


async def _refused(modelo: Modelo, scope: Scope, **question: Any) -> str:
    with pytest.raises(ModeloIndisponivel) as refused:
        await modelo.ask(scope, pergunta(**question), "teste:1")
    return refused.value.falha


async def test_where_no_model_is_configured_there_is_none(configure: Configure, database: Database) -> None:
    async with open_modelo(configure(""), database, SystemClock()) as modelo:
        assert modelo is None


def test_whoever_asks_no_model_loads_none_of_its_libraries() -> None:
    loaded = (
        "import sys, crivo.kernel.llm.modelo, crivo.bootstrap; print(sorted({'openai', 'pydantic_ai', 'genai_prices'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize(("nome", "simulado"), [("openai:gpt-4o", False), ("simulado", True)])
async def test_a_model_says_its_name_and_whether_it_is_played_by_code(abre: Abre, nome: str, *, simulado: bool) -> None:
    modelo = await abre(nome)
    assert (modelo.nome, modelo.simulado) == (nome, simulado)


async def test_an_answer_is_paid_for_once_and_comes_back_as_it_was(
    abre: Abre, provedor: Provedor, database: Database, scope: Scope
) -> None:
    modelo = await abre()
    first, again = [await modelo.ask(scope, pergunta(nonce=nonce), "teste:1") for nonce in ("um", "dois")]
    assert first.valor == again.valor == Parecer("Um bom projeto.", 7)
    assert (first.repetida, again.repetida) == (False, True)
    assert (first.modelo, first.tokens_entrada, first.tokens_saida, first.custo) == (
        again.modelo,
        again.tokens_entrada,
        again.tokens_saida,
        again.custo,
    )
    assert first.custo is not None
    assert first.custo > 0
    assert await _spent(database, scope) == (first.custo, 0)
    assert provedor.pagos == 1


async def test_what_was_asked_is_counted_by_how_it_ended_and_what_was_paid_once(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    def told() -> list[float]:
        ends = [medidas.modelo_chamadas.labels("openai:gpt-4o", one) for one in ("respondida", "repetida", "limite_de_uso")]
        paid = [medidas.modelo_tokens.labels("openai:gpt-4o", one) for one in ("entrada", "saida")]
        return [one._value.get() for one in (*ends, *paid, medidas.modelo_custo.labels("openai:gpt-4o"))]

    before, modelo = told(), await abre()
    reply = await modelo.ask(scope, pergunta(), "teste:1")
    await modelo.ask(scope, pergunta(), "teste:1")
    provedor.sempre = always("limite_segundos")
    with pytest.raises(ModeloIndisponivel):
        await modelo.ask(scope, pergunta(amostra=1, espera_seconds=1), "teste:1")
    assert reply.custo is not None
    found = [now - then for now, then in zip(told(), before, strict=True)]
    assert found == pytest.approx([1, 1, 1, reply.tokens_entrada, reply.tokens_saida, float(reply.custo)])


async def test_a_later_process_finds_the_answer_and_the_model_that_gave_it(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    provedor.sempre = lambda pedido, earlier: "erro_401" if pedido.modelo == "gpt-4o" else None
    first = await (await abre(modelo_reserva="openai-chat:gpt-4o-mini")).ask(scope, pergunta(), "teste:1")
    again = await (await abre(modelo_reserva="openai-chat:gpt-4o-mini")).ask(scope, pergunta(), "teste:1")
    assert (again.repetida, again.valor) == (True, first.valor)
    assert first.modelo == again.modelo == "openai-chat:gpt-4o-mini"
    assert provedor.pagos == 1


async def _noted(database: Database, scope: Scope) -> list[Chamada]:
    found = await Custos(database, SystemClock(), None).chamadas(Scope(scope.tenant_id, "teste", CONSOLE), Recorte(), 1, 25)
    return sorted(found.itens, key=lambda one: one.desfecho or "")


async def test_each_call_is_noted_with_its_prompt_its_time_and_its_end_also_one_that_cost_nothing(
    abre: Abre, provedor: Provedor, database: Database, scope: Scope
) -> None:
    modelo = await abre()
    for _ in range(2):
        reply = await modelo.ask(scope, pergunta(), "teste:1")  # the second is answered by the ledger, and is no call
    provedor.sempre = always("erro_401")
    assert await _refused(modelo, scope, amostra=1) == "nao_aceito"
    refused, answered = await _noted(database, scope)
    assert (refused.desfecho, refused.custo, refused.tokens_entrada) == ("nao_aceito", Decimal(0), 0)
    assert (answered.desfecho, answered.custo, answered.modelo, answered.origem) == ("respondida", reply.custo, modelo.nome, "teste:1")
    for one in (refused, answered):
        assert one.duracao_ms is not None
        assert one.prompt_versao == pergunta().prompt.versao
    assert await _spent(database, scope) == (reply.custo, 0)


async def test_what_a_reserve_answered_is_its_own_cost(abre: Abre, provedor: Provedor, database: Database, scope: Scope) -> None:
    provedor.sempre = lambda pedido, earlier: "erro_401" if pedido.modelo == "gpt-4o" else None
    await (await abre(modelo_reserva="openai-chat:gpt-4o-mini")).ask(scope, pergunta(), "teste:1")
    assert [one.modelo for one in await _noted(database, scope)] == ["openai-chat:gpt-4o-mini"]


@pytest.mark.parametrize("other", [{"texto": "Outro projeto."}, {"amostra": 1}, {"temperatura": 0.1}])
async def test_another_content_sample_or_temperature_is_another_question(
    abre: Abre, provedor: Provedor, scope: Scope, other: dict[str, Any]
) -> None:
    modelo = await abre()
    for question in (pergunta(), pergunta(**other)):
        assert not (await modelo.ask(scope, question, "teste:1")).repetida
    assert provedor.pagos == 2


async def test_the_installations_temperature_counts_over_the_agents(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    """PRD 1.3.3: the agents' temperature, unless the installation sets one."""
    await (await abre(modelo_temperatura=0.0)).ask(scope, pergunta(temperatura=0.6), "teste:1")
    assert provedor.recebidos[0].temperatura == 0.0


async def test_how_hard_the_model_is_to_think_makes_another_question_and_who_waits_does_not(
    abre: Abre, provedor: Provedor, scope: Scope
) -> None:
    heard: list[int] = []
    for esforco, repetida in ((None, False), ("alto", False), ("alto", True), ("baixo", False), (None, True)):
        modelo = await abre("openai:gpt-5", modelo_esforco=esforco)
        assert (await modelo.ask(scope, pergunta(ao_escrever=heard.append), "teste:1")).repetida is repetida
    assert [pedido.corpo.get("reasoning", {}).get("effort") for pedido in provedor.recebidos] == [None, "high", "low"]
    assert (await modelo.ask(scope, pergunta(), "teste:1")).repetida


async def test_many_who_ask_the_same_at_once_pay_once(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    provedor.espera_seconds = 0.1
    modelo = await abre()
    replies = await asyncio.gather(*(modelo.ask(scope, pergunta(), "teste:1") for _ in range(25)))
    assert {reply.valor for reply in replies} == {Parecer("Um bom projeto.", 7)}
    assert sum(not reply.repetida for reply in replies) == 1
    assert provedor.pagos == 1


async def test_another_tenant_pays_for_its_own(abre: Abre, provedor: Provedor, new_tenant: Callable[[], Scope]) -> None:
    modelo = await abre()
    for scope in (new_tenant(), new_tenant()):
        assert not (await modelo.ask(scope, pergunta(), "teste:1")).repetida
    assert provedor.pagos == 2


async def test_an_answer_is_kept_although_whoever_asked_is_gone(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    provedor.espera_seconds = 0.3
    modelo = await abre()
    asking = asyncio.create_task(modelo.ask(scope, pergunta(), "teste:1"))
    await _until(lambda: bool(provedor.recebidos))
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await modelo.ask(scope, pergunta(), "teste:1")).repetida
    assert provedor.pagos == 1


async def test_an_answer_on_its_way_is_kept_when_the_process_ends(
    abre: Abre, configure: Configure, provedor: Provedor, database: Database, scope: Scope
) -> None:
    provedor.espera_seconds = 0.3
    async with open_modelo(configure("openai:gpt-4o"), database, SystemClock()) as modelo:
        assert modelo is not None
        asking = asyncio.create_task(modelo.ask(scope, pergunta(), "teste:1"))
        await _until(lambda: bool(provedor.recebidos))
    assert (await asking).valor.nota == 7
    assert (await (await abre()).ask(scope, pergunta(), "teste:1")).repetida
    assert provedor.pagos == 1


# --- what may be spent


async def test_a_spent_budget_refuses_before_anything_is_asked_and_serves_what_is_paid(
    abre: Abre, provedor: Provedor, scope: Scope
) -> None:
    await (await abre(clock=FixedClock(_MARCH))).ask(scope, pergunta(), "teste:1")
    modelo = await abre(clock=FixedClock(_MARCH), limite_custo=Decimal("0.0000001"))
    assert await _refused(modelo, scope, texto="Outro projeto.") == "orcamento"
    assert (await modelo.ask(scope, pergunta(), "teste:1")).repetida
    assert len(provedor.recebidos) == 1


async def test_a_budget_is_of_the_month_and_of_the_tenant(abre: Abre, database: Database, new_tenant: Callable[[], Scope]) -> None:
    in_february, in_march, never = new_tenant(), new_tenant(), new_tenant()
    for scope, when in ((in_february, _FEBRUARY), (in_march, _MARCH)):
        spent = Answer(b"", 1, 1, Decimal(5))
        await Ledger(database, FixedClock(when)).note(scope, Call("openai:gpt-4o", b"p", b"c"), "teste:0", spent)
    modelo = await abre(clock=FixedClock(_MARCH), limite_custo=Decimal(1))
    assert await _refused(modelo, in_march) == "orcamento"
    for scope in (in_february, never):
        assert (await modelo.ask(scope, pergunta(), "teste:1")).valor.nota == 7


async def test_calls_under_way_count_as_spent(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    provedor.espera_seconds = 0.3
    modelo = await abre(limite_custo=Decimal("0.0105"))  # one call as it is estimated, and not two
    asked = (modelo.ask(scope, pergunta(f"Projeto {number}."), "teste:1") for number in range(8))
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert [one.falha for one in ended if isinstance(one, ModeloIndisponivel)] == ["orcamento"] * 7
    assert provedor.pagos == 1


async def test_a_call_whose_price_nobody_knows_costs_none_and_is_counted_apart(abre: Abre, database: Database, scope: Scope) -> None:
    reply = await (await abre("openai-compatible:llama3", limite_custo=Decimal("0.01"))).ask(scope, pergunta(), "teste:1")
    assert reply.custo is None
    assert await _spent(database, scope) == (Decimal(0), 1)


async def test_an_answer_that_cannot_be_used_is_paid_for_and_may_be_asked_again(
    abre: Abre, provedor: Provedor, database: Database, scope: Scope
) -> None:
    provedor.faltas.extend(["esquema_errado", "esquema_errado"])
    modelo = await abre()
    assert await _refused(modelo, scope) == "fora_do_formato"
    spent, _ = await _spent(database, scope)
    assert spent > 0
    assert not (await modelo.ask(scope, pergunta(), "teste:1")).repetida
    assert provedor.pagos == 3


async def test_an_answer_that_could_not_be_mended_is_served_once_noted_and_asked_again(
    abre: Abre, provedor: Provedor, database: Database, scope: Scope
) -> None:
    provedor.sempre = lambda pedido, earlier: "erro_401" if "Não serve." in pedido.texto else None
    provedor.espera_seconds = 0.1
    modelo = await abre()

    def asked() -> Any:
        return modelo.ask(scope, pergunta(conferir=lambda parecer: "Não serve."), "teste:1")

    replies = await asyncio.gather(*(asked() for _ in range(5)))
    assert [reply.provisoria for reply in replies] == [True] * 5
    assert len(provedor.recebidos) == 2
    first, _ = await _spent(database, scope)
    assert first == replies[0].custo
    provedor.sempre = None
    again, after = await asked(), await asked()
    assert (again.provisoria, again.repetida, after.repetida) == (False, False, True)
    assert again.custo is not None
    assert await _spent(database, scope) == (first + again.custo, 0)
    assert provedor.pagos == 3


async def test_what_was_told_once_more_is_paid_too(abre: Abre, provedor: Provedor, scope: Scope) -> None:
    plain = await (await abre()).ask(scope, pergunta("Um."), "teste:1")
    provedor.faltas.append("esquema_errado")
    mended = await (await abre()).ask(scope, pergunta("Dois."), "teste:1")
    assert mended.tokens_entrada > 2 * plain.tokens_entrada
    assert mended.custo is not None
    assert plain.custo is not None
    assert mended.custo > plain.custo


# --- what fails


@pytest.mark.parametrize(
    ("falta", "falha"),
    [
        ("erro_401", "nao_aceito"),
        ("silencio", "demorou"),
        ("corpo_nao_json", "ilegivel"),
        ("esquema_errado", "fora_do_formato"),
        ("recusa", "recusou"),
    ],
)
async def test_a_failure_has_its_name_and_holds_nothing_of_the_content(
    abre: Abre, provedor: Provedor, scope: Scope, falta: Falta, falha: str
) -> None:
    provedor.sempre, provedor.silencio_seconds = always(falta), 2
    provedor.campos = lambda pedido: {"texto": SEGREDO, "nota": SEGREDO}
    lines = StringIO()
    handler = logging.StreamHandler(lines)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        modelo = await abre(modelo_segundos=1)
        with pytest.raises(ModeloIndisponivel) as failed:
            await modelo.ask(scope, pergunta(), "teste:1")
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    told = "".join(traceback.format_exception(failed.value)) + lines.getvalue() + repr(vars(failed.value))
    assert failed.value.falha == falha
    assert failed.value.__cause__ is None
    assert failed.value.__context__ is None
    assert "Quaresma" not in told
    assert "529.982" not in told


async def test_a_question_shows_nothing_of_the_content() -> None:
    assert "Quaresma" not in repr(pergunta())


async def test_a_database_that_is_away_is_a_model_that_is_away(abre: Abre, database: Database, scope: Scope) -> None:
    class Faltosa(Database):
        @asynccontextmanager
        async def unit_of_work(self, scope: Scope) -> AsyncIterator[UnitOfWork]:
            raise BancoIndisponivel("Fora do ar.")
            yield  # an iterator all the same

    faltosa = Faltosa(database.url)
    try:
        assert await _refused(await abre(store=faltosa), scope) == "fora_do_ar"
    finally:
        await faltosa.close()


async def test_code_plays_a_model_through_the_ledger_and_costs_nothing(
    abre: Abre, provedor: Provedor, database: Database, scope: Scope
) -> None:
    modelo = await abre("simulado", roteiros={"teste.parecer": lambda texto: campos(nota=len(texto) % 10)})
    first, again = [await modelo.ask(scope, pergunta(), "teste:1") for _ in range(2)]
    assert (first.modelo, first.custo, first.repetida, again.repetida) == ("simulado", Decimal(0), False, True)
    assert await _spent(database, scope) == (Decimal(0), 0)
    assert await _refused(modelo, scope, texto="Outro.", agente="teste.outro") == "nao_aceito"
    assert not provedor.recebidos


async def _until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while True:
            if happened():
                return
            await asyncio.sleep(0.005)
