"""An execução that asks in lotes: sent at once, half the price, gone on with when it is answered, and never paid twice however it ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from chamadas import VERSOES, Falsos, Importacao, importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Worker, working
from crivo.kernel.llm import lotes_guardados
from crivo.kernel.llm.lotes_do_modelo import SENDING, open_lotes
from crivo.kernel.llm.lotes_guardados import Lote
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.andamento import Execucao
from crivo.triagem.com_modelo import ComModelo
from crivo.triagem.custeio import Custeio, Previsao
from crivo.triagem.em_lote import EmLote
from crivo.triagem.erros import LimiteDeCusto, LoteEncerrando, LoteIndisponivel
from crivo.triagem.execucao import Triador
from crivo.triagem.montagem import custeio
from crivo.triagem.quadro import Versoes, fila_of, origem_of
from crivo.triagem.service import Triagem
from provedor import Provedor, provedor_no_ar
from relogio_que_anda import RelogioQueAnda
from seguimento import Triagens, wait_for_end, wait_until
from trabalhador_falso import RAPIDO

MODELO = "openai:gpt-4o"
COM_MODELO = Versoes(VERSOES.leitura, VERSOES.regras, f"{MODELO}-abc")
RESUMO = "Oficinas de teatro de rua para oitenta jovens da zona rural, com doze encontros abertos ao público."
RESPOSTA = {
    "citacoes": [RESUMO],
    "trechos_suspeitos": [],
    "justificativa": "O projeto descreve oficinas de teatro para jovens da zona rural e encontros abertos ao público.",
    "nota": 7.5,
}


def com_resumo(projetos: int) -> Importacao:
    return importacao(projetos, mudados={f"P{numero:04}": f"{RESUMO} Turma {numero}." for numero in range(1, projetos + 1)})


@dataclass
class Casa:
    """An installation whose model takes lotes, and what its worker would do of them, one step at a time."""

    triagem: Triagem
    em_lote: EmLote
    triador: Triador
    database: Database
    scope: Scope
    clock: RelogioQueAnda
    provedor: Provedor

    async def begin(self, projetos: int = 2) -> Execucao:
        await self.triagem.importar(self.scope, com_resumo(projetos))
        return await self.triagem.executar(self.scope, "ED-1", em_lote=True)

    async def lotes(self, execucao: Execucao) -> tuple[Lote, ...]:
        async with self.database.unit_of_work(self.scope) as uow:
            return await lotes_guardados.of_origem(uow, origem_of(execucao.id))

    async def step(self, execucao: Execucao) -> Execucao:
        """Each lote one step further."""
        for lote in await self.lotes(execucao):
            await self.em_lote.seguir(self.scope, {"execucao": str(execucao.id), "lote": str(lote.id)})
        return await self.triagem.status(self.scope, "ED-1")

    async def end(self, execucao: Execucao) -> Lote:
        """The lote, after one attempt to call it off."""
        (lote,) = await self.lotes(execucao)
        await self.em_lote.encerrar(self.scope, {"lote": str(lote.id)})
        (lote,) = await self.lotes(execucao)
        return lote

    async def see_through(self) -> Execucao:
        """The execução once a worker has done what is left of it."""
        worker = Worker(self.database, self.triador.tasks(), concurrency=4, rhythm=RAPIDO, also=[fila_of(MODELO)])
        async with working(worker):
            return await wait_for_end(self.triagem, self.scope, "ED-1")


@pytest.fixture
async def casa(database: Database, scope: Scope, triagens: Triagens, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Casa]:
    with provedor_no_ar(Provedor(campos=lambda pedido: RESPOSTA)) as provedor:
        monkeypatch.setenv("OPENAI_BASE_URL", provedor.url)
        monkeypatch.setenv("OPENAI_API_KEY", "chave-de-teste")
        settings, clock = load_settings(None, modelo=MODELO, modelo_segundos=5), RelogioQueAnda(SystemClock().now())
        async with open_modelo(settings, database, clock) as modelo:
            assert modelo is not None
            lotes = open_lotes(settings, database, clock, modelo)
            assert lotes is not None
            achadores = Falsos(leitora=ComModelo(modelo, 25)).achadores()
            triador = Triador(database, Fila(), clock, Uuid7(clock).new, achadores, COM_MODELO)
            em_lote = EmLote(database, Fila(), clock, lotes, triador.ler)
            yield Casa(triagens(COM_MODELO, custeio(modelo, None)), em_lote, triador, database, scope, clock, provedor)


async def test_the_first_readings_leave_in_one_lote_and_the_run_goes_on_with_their_answers_at_half_the_price(casa: Casa) -> None:
    casa.provedor.balcao.abertos_por = 1
    begun = await casa.begin()
    assert begun.lote is not None
    assert (begun.status, begun.lote.lotes, begun.lote.abertos, begun.lote.enviado_em) == ("em_andamento", 1, 1, None)
    sent = await casa.step(begun)
    assert sent.lote is not None
    assert (sent.lote.perguntas, sent.lote.respondidas, sent.lote.enviado_em) == (4, 0, casa.clock.now())
    under_way = await casa.step(begun)
    assert under_way.lote is not None
    assert (under_way.lote.respondidas, under_way.lote.abertos, under_way.segundos_restantes) == (1, 1, None)
    fetched = await casa.step(begun)
    assert fetched.lote is not None
    assert (fetched.lote.recolhidas, fetched.lote.abertos, fetched.status) == (4, 0, "em_andamento")
    assert not casa.provedor.balcao.arquivos  # the texts are at the provider no longer than they have to be
    ended = await casa.see_through()
    assert (ended.status, ended.notas_sem_resposta, ended.custo) == ("concluida", 0, fetched.custo)
    assert not casa.provedor.recebidos  # everything was found in the ledger
    for projeto in (await casa.triagem.resultado(casa.scope, "ED-1")).projetos:
        assert [(nota.nota_sugerida, nota.situacao) for nota in projeto.notas] == [(Decimal("7.5"), "sugerida")] * 2


async def test_a_worker_with_the_model_sends_a_lote_by_itself_and_has_the_next_look_in_the_queue(casa: Casa) -> None:
    begun = await casa.begin()
    worker = Worker(casa.database, casa.em_lote.tasks(), concurrency=1, rhythm=RAPIDO, also=[fila_of(MODELO)])
    async with working(worker):
        sent = await wait_until(casa.triagem, casa.scope, "ED-1", lambda now: now.lote is not None and now.lote.enviado_em is not None)
    assert (sent.status, len(casa.provedor.balcao.lotes)) == ("em_andamento", 1)
    async with casa.database.unit_of_work(casa.scope) as uow:
        assert await Fila().count(uow, {"execucao": str(begun.id)}) == 1


async def test_the_same_run_asked_one_by_one_costs_twice_as_much(casa: Casa) -> None:
    begun = await casa.begin()
    for _ in range(2):
        in_lote = await casa.step(begun)
    await casa.see_through()
    changed = importacao(2, mudados={f"P{numero:04}": f"{RESUMO} Turno {numero}." for numero in (1, 2)})
    await casa.triagem.importar(casa.scope, changed)
    await casa.triagem.executar(casa.scope, "ED-1")
    assert (await casa.see_through()).custo == in_lote.custo * 2


async def test_what_a_lote_has_no_answer_to_is_asked_the_ordinary_way(casa: Casa) -> None:
    def one_fails(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        lines[0]["error"] = {"code": "server_error", "message": "Scripted"}
        return lines

    casa.provedor.balcao.muda = one_fails
    begun = await casa.begin()
    await casa.step(begun)
    assert (await casa.step(begun)).status == "em_andamento"
    ended = await casa.see_through()
    assert (ended.status, ended.notas_sem_resposta, len(casa.provedor.recebidos)) == ("concluida", 0, 1)


async def test_a_lote_that_ran_out_of_time_stops_the_run_says_so_and_only_the_rest_is_asked_when_it_is_gone_on_with(casa: Casa) -> None:
    casa.provedor.balcao.fim, casa.provedor.balcao.muda = "expired", lambda lines: lines[:3]
    begun = await casa.begin()
    await casa.step(begun)
    stopped = await casa.step(begun)
    assert stopped.status == "erro"
    assert "com 3 de 4 perguntas respondidas" in (stopped.erro_mensagem or "")
    assert [lote.estado for lote in await casa.lotes(begun)] == ["vencido"]
    assert (await casa.triagem.retomar(casa.scope, "ED-1")).status == "em_andamento"
    ended = await casa.see_through()
    assert (ended.status, ended.notas_sem_resposta, len(casa.provedor.recebidos)) == ("concluida", 0, 1)


@pytest.mark.parametrize("when", ["at once", "later"])
async def test_a_lote_that_is_refused_stops_the_run_and_nobody_pays_the_ordinary_price_who_did_not_ask_to(casa: Casa, when: str) -> None:
    if when == "at once":
        casa.provedor.balcao.recusa_lote = 400
    else:
        casa.provedor.balcao.fim, casa.provedor.balcao.erros = "failed", ("token_limit_exceeded",)
    begun = await casa.begin()
    await casa.step(begun)
    stopped = await casa.step(begun)
    assert (stopped.status, stopped.custo) == ("erro", Decimal(0))
    assert "token_limit_exceeded" in (stopped.erro_mensagem or "")
    assert "Retome a triagem" in (stopped.erro_mensagem or "")
    assert not casa.provedor.recebidos


async def test_a_provider_that_is_away_is_waited_for_and_the_page_says_so(casa: Casa) -> None:
    casa.provedor.balcao.recusa = 503
    begun = await casa.begin()
    waiting = await casa.step(begun)
    assert (waiting.status, "não responde" in (waiting.erro_mensagem or "")) == ("em_andamento", True)
    casa.provedor.balcao.recusa = 0
    sent = await casa.step(begun)
    assert (sent.erro_mensagem, len(casa.provedor.balcao.lotes)) == (None, 1)


async def test_a_cancelled_run_calls_its_lote_off_keeps_what_it_answered_and_asks_nothing_twice(casa: Casa) -> None:
    casa.provedor.balcao.abertos_por = 1
    casa.provedor.balcao.muda = lambda lines: lines[:3]
    begun = await casa.begin()
    await casa.step(begun)
    cancelled = await casa.triagem.cancelar(casa.scope, "ED-1")
    assert cancelled.status == "cancelada"
    for again in (casa.triagem.retomar(casa.scope, "ED-1"), casa.triagem.executar(casa.scope, "ED-1")):
        with pytest.raises(LoteEncerrando):
            await again
    assert ((await casa.end(begun)).estado, casa.provedor.balcao.arquivos) == ("cancelado", {})
    assert (await casa.lotes(begun))[0].recolhidas == 3
    await casa.triagem.retomar(casa.scope, "ED-1")
    ended = await casa.see_through()
    assert (ended.status, ended.notas_sem_resposta, len(casa.provedor.recebidos)) == ("concluida", 0, 1)


async def test_a_run_that_is_cancelled_before_its_lote_leaves_sends_nothing(casa: Casa) -> None:
    begun = await casa.begin()
    await casa.triagem.cancelar(casa.scope, "ED-1")
    await casa.step(begun)
    assert ([lote.estado for lote in await casa.lotes(begun)], casa.provedor.balcao.arquivos) == (["cancelado"], {})
    assert (await casa.triagem.retomar(casa.scope, "ED-1")).status == "em_andamento"


async def test_a_worker_that_dies_between_sending_and_noting_sends_nothing_twice(casa: Casa) -> None:
    casa.provedor.balcao.perde = True
    begun = await casa.begin()
    await casa.step(begun)
    await casa.step(begun)
    assert (await casa.lotes(begun))[0].provedor_id is None
    casa.clock.passa(seconds=SENDING.total_seconds() + 1)
    await casa.step(begun)
    await casa.step(begun)
    assert len(casa.provedor.balcao.lotes) == 1
    ended = await casa.see_through()
    assert (ended.status, casa.provedor.recebidos) == ("concluida", [])


async def test_a_lote_that_cannot_be_seen_through_stops_the_run_and_is_called_off(casa: Casa) -> None:
    casa.provedor.balcao.abertos_por = 1
    begun = await casa.begin()
    await casa.step(begun)
    (lote,) = await casa.lotes(begun)
    await casa.em_lote.desistir(casa.scope, {"execucao": str(begun.id), "lote": str(lote.id)}, None)
    assert (await casa.triagem.status(casa.scope, "ED-1")).status == "erro"
    assert (await casa.end(begun)).estado == "cancelado"


async def test_a_queue_that_was_lost_leaves_no_lote_open_for_ever(casa: Casa, urls: tuple[str, str]) -> None:
    casa.provedor.balcao.abertos_por = 1
    begun = await casa.begin()
    await casa.step(begun)
    (lote,) = await casa.lotes(begun)
    for _ in range(2):
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
            connection.execute("truncate procrastinate_jobs cascade")
        assert (await casa.triagem.status(casa.scope, "ED-1")).status == "erro"
        async with casa.database.unit_of_work(casa.scope) as uow:
            assert await Fila().count(uow, {"lote": str(lote.id)}) == 1
    assert (await casa.end(begun)).estado == "cancelado"


async def test_a_provider_that_is_silent_for_days_is_waited_for_no_longer(casa: Casa) -> None:
    begun = await casa.begin()
    await casa.step(begun)
    casa.provedor.balcao.lotes["batch_1"]["status"] = "in_progress"
    casa.clock.passa(days=timedelta(days=4).days)
    casa.provedor.balcao.fora = True
    assert (await casa.step(begun)).status == "erro"


async def test_more_projects_than_one_lote_takes_go_out_in_several(casa: Casa) -> None:
    begun = await casa.begin(projetos=26)
    assert [len(lote.sobre) for lote in await casa.lotes(begun)] == [25, 1]


async def test_the_estimate_tells_both_prices_and_the_limit_is_held_against_the_one_that_is_chosen(
    triagens: Triagens, scope: Scope
) -> None:
    dear = Custeio(MODELO, Decimal("1.5"), lambda _quadro, _lidos: Previsao(8, 4000, 800, Decimal(2)), lotes=True)
    triagem = triagens(COM_MODELO, dear)
    await triagem.importar(scope, com_resumo(1))
    estimativa = await triagem.estimar(scope, "ED-1")
    assert (estimativa.custo, estimativa.custo_em_lote) == (Decimal(2), Decimal(1))
    with pytest.raises(LimiteDeCusto):
        await triagem.executar(scope, "ED-1")
    assert (await triagem.executar(scope, "ED-1", em_lote=True)).lote is not None


async def test_lotes_are_for_notas_of_a_model_whose_provider_takes_them(triagens: Triagens, scope: Scope) -> None:
    none, some = triagens(COM_MODELO, Custeio("azure:meu")), triagens(COM_MODELO, Custeio(MODELO, lotes=True))
    await none.importar(scope, com_resumo(1))
    assert (await none.estimar(scope, "ED-1")).custo_em_lote is None
    with pytest.raises(LoteIndisponivel, match="não recebe lotes"):
        await none.executar(scope, "ED-1", em_lote=True)
    with pytest.raises(LoteIndisponivel, match="não pergunta nada"):
        await some.executar(scope, "ED-1", "habilitacao", em_lote=True)
