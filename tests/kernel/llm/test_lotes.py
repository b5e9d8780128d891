"""Questions sent in one lote: paid once and at its price, kept where every answer is, and every way that it can go wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from crivo.kernel.llm import lotes_guardados
from crivo.kernel.llm.encomendas import read_lines, write_lines
from crivo.kernel.llm.envio import Escrita
from crivo.kernel.llm.ledger import cost_of
from crivo.kernel.llm.lotes import LoteRecusado, Lotes, sells_lotes
from crivo.kernel.llm.lotes_do_modelo import SENDING, open_lotes
from crivo.kernel.llm.lotes_guardados import Lote
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from perguntas import SEGREDO, campos, pergunta
from provedor import Provedor
from relogio_que_anda import RelogioQueAnda

Configure = Callable[..., Settings]
_NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TEXTOS = ("Um projeto.", "Outro projeto.", SEGREDO)


@dataclass
class Casa:
    """An installation whose model takes lotes, and the lote that it is about to send."""

    modelo: Modelo
    lotes: Lotes
    database: Database
    scope: Scope
    clock: RelogioQueAnda
    lote_id: UUID

    @property
    def perguntas(self) -> list[Question[Any]]:
        return [pergunta(texto) for texto in TEXTOS]

    async def lote(self) -> Lote:
        async with self.database.unit_of_work(self.scope) as uow:
            found = await lotes_guardados.find(uow, self.lote_id)
        assert found is not None
        return found

    async def gasto(self) -> Decimal:
        async with self.database.unit_of_work(self.scope) as uow:
            return (await cost_of(uow, "teste:1")).custo

    async def colher(self) -> Any:
        assert await self.lotes.enviar(self.scope, self.lote_id, self.perguntas) == "enviado"
        assert (await self.lotes.olhar(self.scope, self.lote_id)).fim is not None
        return await self.lotes.colher(self.scope, self.lote_id, self.perguntas)


Abre = Callable[..., Any]


@pytest.fixture
async def abre(configure: Configure, database: Database, scope: Scope) -> AsyncIterator[Abre]:
    """Opens an installation with a lote that is to be sent, until the end of the test."""
    async with AsyncExitStack() as stack:

        async def make(modelo: str = "openai:gpt-4o", *, store: Database = database, **chosen: Any) -> Casa:
            settings, clock = configure(modelo, **chosen), RelogioQueAnda(_NOW)
            opened = await stack.enter_async_context(open_modelo(settings, store, clock))
            lotes = open_lotes(settings, store, clock, opened)
            assert opened is not None
            assert lotes is not None
            casa = Casa(opened, lotes, store, scope, clock, uuid4())
            async with store.unit_of_work(scope) as uow:
                await lotes_guardados.insert(uow, casa.lote_id, "teste:1", ["P1", "P2"], modelo, _NOW)
            return casa

        yield make


@pytest.fixture
async def casa(abre: Abre) -> Casa:
    made: Casa = await abre()
    return made


@pytest.mark.parametrize(
    ("nome", "takes"),
    [
        ("openai:gpt-5", True),
        ("openai-chat:gpt-4o", True),
        ("azure:meu", False),
        ("openai-compatible:x", False),
        ("simulado", False),
        ("", False),
    ],
)
def test_only_a_service_that_is_known_to_sell_lotes_is_sent_any(nome: str, takes: bool) -> None:
    assert sells_lotes(nome) is takes


def test_where_the_service_takes_none_there_are_no_lotes(configure: Configure, database: Database) -> None:
    assert open_lotes(configure("simulado"), database, RelogioQueAnda(_NOW), None) is None


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "openai-chat:gpt-4o"])
async def test_a_lote_holds_what_would_be_asked_one_by_one_and_its_answers_are_found_by_whoever_asks(
    abre: Abre, provedor: Provedor, modelo: str
) -> None:
    casa = await abre(modelo)
    colheita = await casa.colher()
    assert (colheita.recolhidas, colheita.com_erro, colheita.estranhas, colheita.repetidas) == (3, 0, 0, 0)
    replies = [await casa.modelo.ask(casa.scope, question, "teste:1") for question in casa.perguntas]
    assert [(reply.repetida, reply.valor.texto) for reply in replies] == [(True, "Um bom projeto.")] * 3
    assert not provedor.recebidos
    await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0], amostra=1), "teste:1")
    (alone,) = provedor.recebidos
    assert provedor.balcao.enviadas[0]["body"] == alone.corpo
    assert provedor.balcao.enviadas[0]["url"] == alone.caminho


async def test_what_is_answered_in_a_lote_costs_half_and_no_more_when_it_is_fetched_again(casa: Casa) -> None:
    await casa.colher()
    paid = await casa.gasto()
    alone = await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0], amostra=1), "outra:1")
    assert alone.custo is not None
    first = await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0]), "outra:1")
    assert first.custo == alone.custo / 2
    again = await casa.lotes.colher(casa.scope, casa.lote_id, casa.perguntas)
    assert (again.recolhidas, await casa.gasto()) == (3, paid)


async def test_only_what_has_no_answer_is_sent_and_each_question_once(casa: Casa, provedor: Provedor) -> None:
    await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0]), "teste:1")
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, [*casa.perguntas, *casa.perguntas]) == "enviado"
    assert len(provedor.balcao.enviadas) == 2
    lote = await casa.lote()
    assert (lote.estado, lote.perguntas, lote.provedor_id) == ("enviado", 2, "batch_1")


async def test_where_everything_is_answered_nothing_is_sent(casa: Casa, provedor: Provedor) -> None:
    for question in casa.perguntas:
        await casa.modelo.ask(casa.scope, question, "teste:1")
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "nada_a_perguntar"
    assert not provedor.balcao.arquivos


async def test_an_answer_with_a_fault_is_told_so_once_the_ordinary_way_and_the_mended_one_is_kept(casa: Casa, provedor: Provedor) -> None:
    def whole(parecer: Any) -> str | None:
        return "A nota passa de 7." if parecer.nota > 7 else None

    first, second = campos(nota=9), campos(nota=6)
    provedor.balcao.campos, provedor.campos = lambda _: first, lambda _: second
    question = pergunta(TEXTOS[0], conferir=whole)
    await casa.lotes.enviar(casa.scope, casa.lote_id, [question])
    await casa.lotes.olhar(casa.scope, casa.lote_id)
    assert (await casa.lotes.colher(casa.scope, casa.lote_id, [question])).recolhidas == 1
    (asked,) = provedor.recebidos
    assert "A nota passa de 7." in asked.texto
    reply = await casa.modelo.ask(casa.scope, question, "teste:1")
    assert (reply.repetida, reply.valor.nota, reply.provisoria) == (True, 6, False)


async def test_an_answer_with_a_fault_that_cannot_be_asked_again_is_paid_and_not_kept(casa: Casa, provedor: Provedor) -> None:
    question = pergunta(TEXTOS[0], conferir=lambda parecer: "Não serve.", espera_seconds=1)
    provedor.sempre = lambda pedido, earlier: "erro_401"
    await casa.lotes.enviar(casa.scope, casa.lote_id, [question])
    await casa.lotes.olhar(casa.scope, casa.lote_id)
    assert (await casa.lotes.colher(casa.scope, casa.lote_id, [question])).recolhidas == 0
    assert await casa.gasto() > 0
    provedor.sempre = None
    assert not (await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0]), "teste:1")).repetida


async def test_lines_with_errors_of_nobody_and_twice_are_told_and_nothing_of_them_is_kept(casa: Casa, provedor: Provedor) -> None:
    def spoilt(lines: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        good, bad, twice = lines
        bad["error"] = {"code": "server_error", "message": SEGREDO}
        return [good, bad, twice, dict(twice), {**good, "custom_id": "p-de-ninguem"}]

    provedor.balcao.muda = spoilt
    colheita = await casa.colher()
    assert (colheita.recolhidas, colheita.com_erro, colheita.estranhas, colheita.repetidas) == (2, 1, 1, 1)
    replies = [await casa.modelo.ask(casa.scope, question, "teste:1") for question in casa.perguntas]
    assert [reply.repetida for reply in replies] == [True, False, True]
    paid = await casa.gasto()
    await casa.lotes.colher(casa.scope, casa.lote_id, casa.perguntas)
    assert await casa.gasto() == paid  # an answer to nothing that is asked any more was paid for, and is counted once


@pytest.mark.parametrize(
    ("body", "kept"), [({}, 0), ({"choices": []}, 0), ([], 0), ("texto", 0)], ids=["empty", "no choice", "list", "text"]
)
async def test_a_body_that_is_no_answer_is_asked_the_ordinary_way(abre: Abre, provedor: Provedor, body: Any, kept: int) -> None:
    casa = await abre("openai-chat:gpt-4o")

    def spoilt(lines: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        lines[0]["response"]["body"] = body
        return lines

    provedor.balcao.muda = spoilt
    assert (await casa.colher()).recolhidas == 2
    assert not (await casa.modelo.ask(casa.scope, pergunta(TEXTOS[0]), "teste:1")).repetida


@pytest.mark.parametrize(("fim", "told"), [("expired", "vencido"), ("cancelled", "cancelado")])
async def test_what_a_lote_was_answered_before_it_ended_early_is_kept(casa: Casa, provedor: Provedor, fim: Any, told: str) -> None:
    provedor.balcao.fim, provedor.balcao.muda = fim, lambda lines: lines[:1]
    assert (await casa.colher()).recolhidas == 1
    assert (await casa.lotes.olhar(casa.scope, casa.lote_id)).fim == told


async def test_a_lote_that_is_refused_after_it_was_taken_says_why(casa: Casa, provedor: Provedor) -> None:
    provedor.balcao.fim, provedor.balcao.erros = "failed", ("token_limit_exceeded", "Não é um código")
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "enviado"
    situacao = await casa.lotes.olhar(casa.scope, casa.lote_id)
    assert (situacao.fim, situacao.motivo) == ("recusado", "token_limit_exceeded")


async def test_how_far_a_lote_is_is_noted_with_each_look(casa: Casa, provedor: Provedor) -> None:
    provedor.balcao.abertos_por = 1
    await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    situacao = await casa.lotes.olhar(casa.scope, casa.lote_id)
    assert (situacao.fim, situacao.respondidas, situacao.perguntas) == (None, 1, 3)
    assert (await casa.lote()).respondidas == 1


async def test_a_lote_that_was_begun_and_not_noted_is_found_at_the_service_and_not_sent_again(casa: Casa, provedor: Provedor) -> None:
    provedor.balcao.perde = True
    with pytest.raises(ModeloIndisponivel):
        await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert (await casa.lote()).estado == "enviando"
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "espere"
    casa.clock.passa(seconds=SENDING.total_seconds() + 1)
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "enviado"
    assert (len(provedor.balcao.lotes), (await casa.lote()).provedor_id) == (1, "batch_1")


async def test_a_lote_whose_sender_died_before_it_was_begun_is_sent_once_more(casa: Casa, provedor: Provedor) -> None:
    async with casa.database.unit_of_work(casa.scope) as uow:
        await lotes_guardados.claim(uow, casa.lote_id, 3, Decimal(1), casa.clock.now())
    casa.clock.passa(seconds=SENDING.total_seconds() + 1)
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "enviado"
    assert len(provedor.balcao.lotes) == 1


async def test_a_file_that_could_not_be_handed_over_is_handed_over_at_the_next_attempt(casa: Casa, provedor: Provedor) -> None:
    provedor.balcao.recusa = 503
    with pytest.raises(ModeloIndisponivel):
        await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert ((await casa.lote()).estado, (await casa.lote()).custo_previsto) == ("por_enviar", Decimal(0))
    provedor.balcao.recusa = 0
    assert await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas) == "enviado"


@pytest.mark.parametrize(("what", "motivo"), [("recusa", "invalid_file"), ("recusa_lote", "token_limit_exceeded")])
async def test_a_lote_that_is_not_taken_says_why_in_the_services_code_alone(casa: Casa, provedor: Provedor, what: str, motivo: str) -> None:
    setattr(provedor.balcao, what, 400)
    with pytest.raises(LoteRecusado, match=motivo) as refused:
        await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert "Scripted" not in str(refused.value)


async def test_a_lote_that_could_go_beyond_the_months_limit_is_not_sent(abre: Abre, provedor: Provedor) -> None:
    casa = await abre(limite_custo=Decimal("0.001"))
    with pytest.raises(ModeloIndisponivel) as refused:
        await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert (refused.value.falha, provedor.balcao.arquivos, (await casa.lote()).estado) == ("orcamento", {}, "por_enviar")


async def test_a_lote_counts_as_spent_until_it_ends(abre: Abre) -> None:
    casa = await abre(limite_custo=Decimal("0.025"))
    await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert (await casa.lote()).custo_previsto > Decimal("0.015")
    with pytest.raises(ModeloIndisponivel) as refused:
        await casa.modelo.ask(casa.scope, pergunta("Um terceiro."), "teste:1")
    assert refused.value.falha == "orcamento"
    await casa.lotes.colher(casa.scope, casa.lote_id, casa.perguntas)
    async with casa.database.unit_of_work(casa.scope) as uow:
        await lotes_guardados.close(uow, casa.lote_id, "recolhido", 3, casa.clock.now())
    assert not (await casa.modelo.ask(casa.scope, pergunta("Um terceiro."), "teste:1")).repetida


async def test_a_lote_is_called_off_at_the_service_and_one_that_never_left_is_not(casa: Casa, provedor: Provedor) -> None:
    assert await casa.lotes.cancelar(casa.scope, casa.lote_id) is False
    provedor.balcao.abertos_por = 5
    await casa.lotes.enviar(casa.scope, casa.lote_id, casa.perguntas)
    assert await casa.lotes.cancelar(casa.scope, casa.lote_id) is True
    assert (await casa.lotes.olhar(casa.scope, casa.lote_id)).fim == "cancelado"
    assert await casa.lotes.cancelar(casa.scope, casa.lote_id) is True  # it has ended: there is nothing to stop


async def test_the_texts_of_a_lote_that_is_done_with_are_erased_at_the_service(casa: Casa, provedor: Provedor) -> None:
    await casa.colher()
    assert provedor.balcao.arquivos
    await casa.lotes.esquecer(casa.scope, casa.lote_id)
    assert not provedor.balcao.arquivos


def test_a_file_has_a_request_a_line_and_what_cannot_be_read_of_answers_is_no_answer() -> None:
    line = write_lines({"p-1": Escrita("/responses", b'{"model":"m","input":"a\\nb"}')})
    assert line.count(b"\n") == 1
    assert msgspec.json.decode(line) == {
        "custom_id": "p-1",
        "method": "POST",
        "url": "/v1/responses",
        "body": {"model": "m", "input": "a\nb"},
    }
    saida = read_lines(
        b'{"custom_id": "p-1", "response": {"status_code": 200, "body": {"a": 1}}}\n\n{"custom_id"\n[]\n{"custom_id": "p-2"}'
    )
    assert (saida.corpos, saida.com_erro, saida.repetidas) == ({"p-1": b'{"a": 1}'}, 3, 0)
