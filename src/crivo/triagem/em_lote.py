"""The work of an execução that asks in lotes: what is sure to be asked is sent at once, and once it is answered the projects go on.

They find the answers in the ledger, and ask the ordinary way what nobody could foresee, and what came back without a good answer. Where a
lote is refused or ends early the execução stops and says so: nobody pays the ordinary price who did not ask to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.llm import lotes_guardados
from crivo.kernel.llm.lotes import Colheita, LoteRecusado, Lotes, Situacao
from crivo.kernel.llm.lotes_guardados import Estado, Lote
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import ModeloIndisponivel, Question
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.avaliacao.avaliador import first_questions
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.erros import ProjetoNotFound
from crivo.triagem.lotes import ENCERRAR, LOTE, call_off, ending_of, job_of
from crivo.triagem.palavras import count, number
from crivo.triagem.quadro import jobs_of, load_quadro
from crivo.triagem.storage import execucoes
from crivo.triagem.storage.execucoes import Registro

_SOONEST_SECONDS: Final = 30
_LATEST_SECONDS: Final = 600
_PART: Final = 10  # of the time that a lote is under way, before it is looked at again
_GIVEN_UP: Final = timedelta(days=3)  # three times the longest that a provider takes
_UNHEARD: Final = "O provedor do modelo não responde; o crivo tenta de novo sozinho. Você pode esperar, ou cancelar a triagem."
_LOST: Final = (
    "O lote enviado ao provedor foi interrompido vezes demais. O que veio está guardado; retome a triagem para perguntar o resto."
)

Ler = Callable[[Scope, Registro, UUID], Awaitable[ProjetoLido]]


class EmLote:
    """Does the jobs of lotes. `ler` reads a project with its documents."""

    def __init__(self, database: Database, fila: Fila, clock: Clock, lotes: Lotes, ler: Ler) -> None:
        self._database = database
        self._fila = fila
        self._clock = clock
        self._lotes = lotes
        self._ler = ler

    def tasks(self) -> tuple[Task, ...]:
        """What a worker has to know to do these jobs."""
        return (Task(LOTE, self.seguir, self.desistir), Task(ENCERRAR, self.encerrar, self.desistir_de_encerrar, waits=False))

    async def seguir(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Take a lote one step further: sent, looked at, or fetched; then its projects go on. Nothing where it is no longer wanted."""
        registro, lote = await self._find(scope, UUID(about["lote"]))
        if registro is None or lote is None or lote.encerrado_em is not None or registro.status != "em_andamento":
            return
        try:
            await self._step(scope, registro, lote)
        except LoteRecusado as error:
            await self._stop(scope, registro, lote, "recusado", f"{error.mensagem} Retome a triagem para isso.")
        except ModeloIndisponivel as error:
            away = error.falha == "fora_do_ar"
            if self._is_old(lote) or not (away or lote.provedor_id):
                await self._stop(scope, registro, lote, "recusado", error.mensagem)
            else:
                await self._look_later(scope, registro, lote, _UNHEARD if away else error.mensagem)

    async def desistir(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """Stop an execução one of whose lotes cannot be seen through; what was sent is called off."""
        registro, lote = await self._find(scope, UUID(about["lote"]))
        if registro is not None and lote is not None:
            await self._stop(scope, registro, lote, None, _LOST)

    async def encerrar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Call a lote off at its provider, and keep what it had answered: it is paid for."""
        registro, lote = await self._find(scope, UUID(about["lote"]))
        if lote is None or lote.encerrado_em is not None:
            return
        try:
            if not await self._lotes.cancelar(scope, lote.id):
                await self._close(scope, lote, "cancelado", 0)
                return
            situacao = await self._lotes.olhar(scope, lote.id)
            if situacao.fim is None:
                await self._end_later(scope, lote)
                return
            colheita = await self._fetch(scope, registro, lote, situacao)
            await self._close(scope, lote, "cancelado", colheita.recolhidas)
            await self._lotes.esquecer(scope, lote.id)
        except LoteRecusado:
            await self._close(scope, lote, "recusado", 0)
        except ModeloIndisponivel:
            if self._is_old(lote):
                await self._close(scope, lote, "recusado", 0)
            else:
                await self._end_later(scope, lote)

    async def desistir_de_encerrar(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """Count a lote as over that could not be called off."""
        _, lote = await self._find(scope, UUID(about["lote"]))
        if lote is not None:
            await self._close(scope, lote, "recusado", 0)

    async def _step(self, scope: Scope, registro: Registro, lote: Lote) -> None:
        if lote.provedor_id is None:
            if await self._lotes.enviar(scope, lote.id, await self._perguntas(scope, registro, lote)) == "nada_a_perguntar":
                await self._go_on(scope, registro, lote, 0)
            else:
                await self._look_later(scope, registro, lote)
            return
        situacao = await self._lotes.olhar(scope, lote.id)
        if situacao.fim is None:
            await self._look_later(scope, registro, lote)
            return
        if situacao.fim == "recusado":
            raise LoteRecusado(situacao.motivo or "recusado")
        colheita = await self._fetch(scope, registro, lote, situacao)
        if situacao.fim == "concluido":
            await self._go_on(scope, registro, lote, colheita.recolhidas)
        else:
            await self._stop(scope, registro, lote, situacao.fim, _ended_early(situacao, lote, colheita), colheita.recolhidas)
        await self._lotes.esquecer(scope, lote.id)

    async def _fetch(self, scope: Scope, registro: Registro | None, lote: Lote, situacao: Situacao) -> Colheita:
        if situacao.fim == "recusado":
            return Colheita(0)
        return await self._lotes.colher(scope, lote.id, [] if registro is None else await self._perguntas(scope, registro, lote))

    async def _perguntas(self, scope: Scope, registro: Registro, lote: Lote) -> list[Question[Any]]:
        """What is sure to be asked of a lote's projects, the same each time that it is made; of one that is gone, nothing."""
        async with self._database.unit_of_work(scope) as uow:
            quadro = await load_quadro(uow, registro.edital_id)
        nonce, asked = new_nonce(), []
        for projeto_id in lote.sobre:
            try:
                lido = await self._ler(scope, registro, UUID(projeto_id))
            except ProjetoNotFound:
                continue
            asked += await asyncio.to_thread(first_questions, quadro.edital, quadro.criterios, lido, nonce)
        return list(asked)

    async def _go_on(self, scope: Scope, registro: Registro, lote: Lote, recolhidas: int) -> None:
        """Have the projects of a lote analysed, as those of any execução are."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            current = await execucoes.lock(uow, registro.id)
            await lotes_guardados.close(uow, lote.id, "recolhido", recolhidas, now)
            if current is not None and current.status == "em_andamento":
                await execucoes.note_waiting(uow, registro.id, None)
                await self._fila.defer(uow, jobs_of(registro.id, [UUID(one) for one in lote.sobre], lote.modelo))

    async def _stop(self, scope: Scope, registro: Registro, lote: Lote, estado: Estado | None, mensagem: str, recolhidas: int = 0) -> None:
        """End an execução that cannot go on as it was asked for; its other lotes are called off, and this one where it has no `estado`."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            current = await execucoes.lock(uow, registro.id)
            if estado is not None:
                await lotes_guardados.close(uow, lote.id, estado, recolhidas, now)
            if current is not None and current.status == "em_andamento":
                await execucoes.finish(uow, registro.id, "erro", mensagem, now)
                await self._fila.discard(uow, {"execucao": str(registro.id)})
                await self._fila.defer(uow, await call_off(uow, current, now))

    async def _look_later(self, scope: Scope, registro: Registro, lote: Lote, espera: str | None = None) -> None:
        async with self._database.unit_of_work(scope) as uow:
            current = await execucoes.lock(uow, registro.id)
            if current is not None and current.status == "em_andamento":
                await execucoes.note_waiting(uow, registro.id, espera)
                await self._fila.defer(uow, [job_of(registro.id, lote.id, lote.modelo, self._pause(lote))])

    async def _end_later(self, scope: Scope, lote: Lote) -> None:
        async with self._database.unit_of_work(scope) as uow:
            await self._fila.defer(uow, [ending_of(lote, _SOONEST_SECONDS)])

    async def _close(self, scope: Scope, lote: Lote, estado: Estado, recolhidas: int) -> None:
        async with self._database.unit_of_work(scope) as uow:
            await lotes_guardados.close(uow, lote.id, estado, recolhidas, self._clock.now())

    async def _find(self, scope: Scope, lote_id: UUID) -> tuple[Registro | None, Lote | None]:
        async with self._database.unit_of_work(scope) as uow:
            lote = await lotes_guardados.find(uow, lote_id)
            registro = None if lote is None else await execucoes.find(uow, UUID(lote.origem.rpartition(":")[2]))
        return registro, lote

    def _pause(self, lote: Lote) -> int:
        """Seconds before the next look: a tenth of the time that it is under way."""
        elapsed = self._clock.now() - (lote.enviado_em or lote.created_at)
        return min(_LATEST_SECONDS, max(_SOONEST_SECONDS, int(elapsed.total_seconds()) // _PART))

    def _is_old(self, lote: Lote) -> bool:
        return self._clock.now() - (lote.enviado_em or lote.created_at) > _GIVEN_UP


def _ended_early(situacao: Situacao, lote: Lote, colheita: Colheita) -> str:
    what = "O prazo do lote no provedor passou" if situacao.fim == "vencido" else "O lote foi cancelado no provedor"
    return (
        f"{what} com {number(colheita.recolhidas)} de {count(lote.perguntas, 'pergunta respondida', 'perguntas respondidas')}. "
        "O que veio está guardado; retome a triagem para perguntar o resto do jeito comum, pelo preço comum."
    )
