"""Delivering what waits for one destination: in order for each pedido, at least once, and without holding a worker for long.

One worker at a time delivers to a destination. One that dies with it in hand leaves it to others after its lease; what it had sent and not
written down is sent again, with the same id and the same bytes.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from crivo.autorizacoes.entregas import storage
from crivo.autorizacoes.entregas.assinatura import headers_of
from crivo.autorizacoes.entregas.aviso import job_of
from crivo.autorizacoes.entregas.carga import body_of, example_body
from crivo.autorizacoes.entregas.carta import letter_of
from crivo.autorizacoes.entregas.contracts import Destino, Entrega, Falha, Segredos, SituacaoDaCarta, Tentativa
from crivo.autorizacoes.entregas.espera import INSISTE, is_over, pause_after, rest_after
from crivo.autorizacoes.entregas.saida import Mensagem, Respondida, Resposta, Saida, failure_of
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.revisao.storage import reviews_of
from crivo.autorizacoes.storage import find as find_autorizacao
from crivo.kernel import medidas
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.cartas import CartaGuardada, Correio
from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.logs import logger
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

MOST_QUEUED: Final = 50_000
"""Beyond so many that wait, a destination is turned off: an outbox nobody takes from does not grow for ever."""
KEPT: Final = timedelta(days=30)
"""How long what came to an end is kept, with its tries."""
_AT_ONCE: Final = 8
_ROUND_SECONDS: Final = 30.0  # a worker is then somebody else's, and the rest waits its turn
_AGENT: Final = "crivo-entregas/1"


@dataclass(frozen=True, slots=True)
class _Pronta:
    """A delivery about to go: its exact bytes, signed."""

    entrega: Entrega
    mensagem: Mensagem


@dataclass(frozen=True, slots=True)
class _Feita:
    """A delivery that was tried."""

    entrega: Entrega
    resposta: Resposta
    em: datetime
    milissegundos: int


@dataclass(slots=True)
class _NaMao:
    """A destination that this worker has in hand until a moment, which each round moves on: the lease is known by it."""

    destino_id: UUID
    ate: datetime


class Entregador:
    """Delivers what waits in the outbox, by one way out."""

    def __init__(
        self,
        database: Database,
        fila: Fila,
        clock: Clock,
        saida: Saida,
        correio: Correio,
        endereco: str,
        *,
        acaso: Callable[[], float] = random.random,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """`endereco` is where the pages are, without a slash at its end; `ticks` are seconds of a clock that only goes forward."""
        self._database = database
        self._fila = fila
        self._clock = clock
        self._saida = saida
        self._correio = correio
        self._endereco = endereco
        self._acaso = acaso
        self._ticks = ticks

    async def run(self, scope: Scope, about: Mapping[str, str]) -> None:
        """The job of one destination; what cannot go now is put into the queue for later."""
        await self.deliver(scope, UUID(about["destino"]))

    async def give_up(self, scope: Scope, about: Mapping[str, str], _: Exception | None) -> None:
        """A job that never came to an end: nothing is lost, and the next decision, or a person, begins another."""
        logger.warning("entregas_interrompidas", extra={"tenant": scope.tenant_id, "codigo": about["destino"]})

    async def deliver(self, scope: Scope, destino_id: UUID) -> int:
        """Deliver what waits for a destination and may go; how many were tried."""
        mao = await self._take(scope, destino_id)
        if mao is None:
            return 0
        tried, until = 0, self._ticks() + _ROUND_SECONDS
        try:
            while self._ticks() < until:
                done = await self._some(scope, mao)
                tried += done
                if not done:
                    break
        finally:
            await self._let_go(scope, mao)
        return tried

    async def _take(self, scope: Scope, destino_id: UUID) -> _NaMao | None:
        async with self._database.unit_of_work(scope) as uow:
            destino = await storage.destino(uow, destino_id)
            if destino is None or destino.situacao == "desligado":
                return None
            if destino.situacao == "pausado":
                await self._bound(uow, destino)
                return None
            taken = await storage.take(uow, destino_id)
            if taken is not None:
                return _NaMao(destino_id, taken)
            left = await storage.lease_left(uow, destino_id)
            await self._wake(uow, destino_id, self._clock.now() + timedelta(seconds=left + 1))
        return None

    async def _let_go(self, scope: Scope, mao: _NaMao) -> None:
        """Whoever puts something into the outbox meanwhile either is seen here or finds the destination free."""
        async with self._database.unit_of_work(scope) as uow:
            await storage.let_go(uow, mao.destino_id, mao.ate)
            destino = await storage.destino(uow, mao.destino_id)
            due = await storage.next_due(uow, mao.destino_id)
            if destino is None or destino.situacao != "ativo" or due is None:
                return
            await self._bound(uow, destino)
            await self._wake(uow, mao.destino_id, max(due, destino.descansa_ate or due))

    async def _some(self, scope: Scope, mao: _NaMao) -> int:
        """One round: what may go now, at most eight at once; how many were tried, or told to nobody."""
        async with self._database.unit_of_work(scope) as uow:
            now = self._clock.now()
            destino = await storage.destino(uow, mao.destino_id)
            kept = await storage.renew(uow, mao.destino_id, mao.ate)
            if kept is None:
                return 0
            mao.ate = kept
            if destino is None or destino.situacao != "ativo":
                return 0
            if destino.descansa_ate is not None and destino.descansa_ate > now:
                return 0
            is_suspect = destino.descansa_ate is not None  # then one message tries for all
            found = await storage.due(uow, destino.id, now, 1 if is_suspect else _AT_ONCE)
            segredos = await storage.secrets_of(uow, destino.id, now)
            prontas = [one for entrega in found if (one := await self._made(uow, destino, segredos, entrega, now)) is not None]
        if not prontas:
            return len(found)
        feitas = await asyncio.gather(*[self._try(one) for one in prontas])
        await self._note(scope, destino, feitas)
        return len(found)

    async def _made(self, uow: UnitOfWork, destino: Destino, segredos: Segredos | None, entrega: Entrega, now: datetime) -> _Pronta | None:
        """The message of a delivery; None where none is to be sent: what it tells of was erased, or it is a letter, which is posted."""
        if entrega.autorizacao_id is None:
            corpo = example_body(entrega.id, entrega.criada_em)
        else:
            autorizacao = await find_autorizacao(uow, entrega.autorizacao_id)
            if not isinstance(autorizacao, Autorizacao):
                await storage.end(uow, entrega.id, "cancelada", now, tried=0)
                medidas.entregas.labels("cancelada").inc()
                return None
            found = await reviews_of(uow, autorizacao.id) if entrega.revisao_id is not None else ()
            revisao = next((one for one in found if one.id == entrega.revisao_id), None)
            corpo = body_of(autorizacao, revisao, destino.conteudo, self._endereco)
        if segredos is None:
            carta = letter_of(destino.endereco, entrega, self._endereco)
            await self._correio.post(uow, carta, now, chave=_letter(entrega, entrega.tentativas))
            await storage.note_try(uow, entrega.id, Tentativa(entrega.tentativas + 1, now, 0, None, None))
            await storage.end(uow, entrega.id, "entregue", now)
            medidas.entregas.labels("entregue").inc()
            return None
        headers = {
            "content-type": "application/json",
            "content-length": str(len(corpo)),
            "user-agent": _AGENT,
            **headers_of(str(entrega.id), now, corpo, segredos.validos),
        }
        return _Pronta(entrega, Mensagem(destino.endereco, headers, corpo))

    async def with_letters(self, uow: UnitOfWork, entregas: Sequence[Entrega]) -> tuple[Entrega, ...]:
        """Deliveries to a destination by e-mail, each with what became of the letter that was posted last of it."""
        keys = {one.id: _letter(one, one.tentativas - 1) for one in entregas}
        fates = await self._correio.fate_of(uow, *keys.values())
        return tuple([replace(one, carta=_fate(fates.get(keys[one.id]))) for one in entregas])

    async def _try(self, pronta: _Pronta) -> _Feita:
        began = self._ticks()
        resposta = await self._saida.send(pronta.mensagem)
        return _Feita(pronta.entrega, resposta, self._clock.now(), max(0, round((self._ticks() - began) * 1000)))

    async def _note(self, scope: Scope, destino: Destino, feitas: Sequence[_Feita]) -> None:
        """Write down how each try ended, and what that means for the destination."""
        async with self._database.unit_of_work(scope) as uow:
            failures = [falha for one in feitas if (falha := await self._note_one(uow, one)) is not None]
            if len(failures) < len(feitas):
                await storage.note_reached(uow, destino.id)
            elif failures:
                seguidas = [await storage.note_failed(uow, destino.id) for _ in failures][-1]
                pause = rest_after(seguidas, self._acaso())
                await storage.rest(uow, destino.id, None if pause is None else self._clock.now() + pause)
            if "desligado_la" in failures and await storage.set_situacao(uow, destino.id, ("ativo",), "desligado", "gone"):
                await append(uow, self._clock.now(), [_turned_off(destino, "gone")])

    async def _note_one(self, uow: UnitOfWork, feita: _Feita) -> Falha | None:
        entrega, falha = feita.entrega, failure_of(feita.resposta)
        status = feita.resposta.status if isinstance(feita.resposta, Respondida) else None
        numero = entrega.tentativas + 1
        await storage.note_try(uow, entrega.id, Tentativa(numero, feita.em, feita.milissegundos, status, falha))
        if falha is None:
            await storage.end(uow, entrega.id, "entregue", feita.em)
            medidas.entregas.labels("entregue").inc()
            return None
        told = {"tenant": uow.scope.tenant_id, "codigo": falha, "status": status, "tentativa": numero}
        logger.warning("entrega_nao_feita", extra=told)
        if is_over(feita.em, entrega.insiste_ate):
            await storage.end(uow, entrega.id, "desistiu", feita.em)
            medidas.entregas.labels("desistiu").inc()
            await append(uow, feita.em, [NewEntry(acao="entrega.desistida", alvo=f"entrega:{entrega.id}", dados={"falha": falha})])
        else:
            pause = pause_after(numero, self._acaso())
            await storage.later(uow, entrega.id, min(feita.em + pause, entrega.insiste_ate))
            medidas.entregas.labels("adiada").inc()
        return falha

    async def _bound(self, uow: UnitOfWork, destino: Destino) -> None:
        """Turn off a destination that too much waits for; what waits stays."""
        if (await storage.queued(uow, destino.id)).quantas <= MOST_QUEUED:
            return
        if await storage.set_situacao(uow, destino.id, ("ativo", "pausado"), "desligado", "fila_cheia"):
            await append(uow, self._clock.now(), [_turned_off(destino, "fila_cheia")])

    async def _wake(self, uow: UnitOfWork, destino_id: UUID, em: datetime) -> None:
        now = self._clock.now()
        if em <= now:
            await self._fila.defer(uow, [job_of(destino_id)])
        elif await storage.claim_wake(uow, destino_id, em, now):
            await self._fila.defer(uow, [job_of(destino_id, math.ceil((em - now).total_seconds()))])


def insists_until(em: datetime) -> datetime:
    """Until when something that is put into the outbox now is tried."""
    return em + INSISTE


def _letter(entrega: Entrega, tentativa: int) -> str:
    return f"entrega:{entrega.id}:{tentativa}"


def _fate(carta: CartaGuardada | None) -> SituacaoDaCarta | None:
    if carta is None:
        return None
    if carta.situacao == "enviando":
        return "na_fila"
    return "gravada" if carta.situacao == "enviada" and carta.via == "arquivo" else carta.situacao


def _turned_off(destino: Destino, motivo: str) -> NewEntry:
    return NewEntry(acao="entregas.desligado", alvo=f"destino:{destino.id}", dados={"motivo": motivo})
