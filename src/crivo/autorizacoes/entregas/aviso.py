"""Where a decision is left to be told of: in the transaction that stores it, so that neither is there without the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.autorizacoes.entregas import storage
from crivo.autorizacoes.entregas.contracts import Evento
from crivo.autorizacoes.entregas.espera import INSISTE
from crivo.autorizacoes.entregas.storage import Assunto
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.storage.session import UnitOfWork

ENTREGAR: Final = "entregas.entregar"
"""The task that delivers what waits for one destination."""
_PEDIDO: Final = "pedido"


class Avisos:
    """The outbox of decisions, as whoever stores them sees it. It costs one statement, however many decisions and destinations."""

    def __init__(self, fila: Fila) -> None:
        self._fila = fila

    async def decididas(self, uow: UnitOfWork, autorizacoes: Sequence[Autorizacao]) -> None:
        """Decisions of the code, in the order in which they were taken."""
        await self._post(uow, "autorizacao.decidida", [Assunto(one.id, None, _thread(uow, one), one.recebida_em) for one in autorizacoes])

    async def revista(self, uow: UnitOfWork, autorizacao: Autorizacao, revisao_id: UUID, em: datetime) -> None:
        """A person's decision over one."""
        await self._post(uow, "autorizacao.revista", [Assunto(autorizacao.id, revisao_id, _thread(uow, autorizacao), em)])

    async def _post(self, uow: UnitOfWork, evento: Evento, assuntos: Sequence[Assunto]) -> None:
        told = await storage.post(uow, evento, assuntos, INSISTE)
        if told:
            await self._fila.defer(uow, [job_of(one) for one in sorted(told)])


def job_of(destino_id: UUID, em_segundos: int = 0) -> Job:
    """The work of delivering what waits for a destination."""
    return Job(ENTREGAR, {"destino": str(destino_id)}, em_segundos=em_segundos)


def _thread(uow: UnitOfWork, autorizacao: Autorizacao) -> bytes:
    """By what the decisions of one pedido are known to be of one; a decision without a number is alone."""
    numero = f"{autorizacao.administradora_id or ''}|{autorizacao.pedido_id}" if autorizacao.pedido_id else ""
    return uow.cofre.index(uow.scope.tenant_id, _PEDIDO, numero) or autorizacao.id.bytes
