"""The lotes of an execução: noted with it, called off with it, and counted for whoever follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.llm import lotes_guardados
from crivo.kernel.llm.lotes_guardados import Lote
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.andamento import NoLote
from crivo.triagem.erros import LoteEncerrando
from crivo.triagem.quadro import fila_of, origem_of
from crivo.triagem.storage.execucoes import Registro

LOTE: Final = "triagem.lote"
ENCERRAR: Final = "triagem.lote_encerrar"
# Even with long documents, many critérios and samples, less than a provider takes in one file.
_PROJETOS: Final = 25


async def note_lotes(uow: UnitOfWork, registro: Registro, pending: Sequence[UUID], modelo: str, new_id: Callable[[], UUID]) -> list[Job]:
    """Note the lotes in which the projects of an execução are to be asked about, and the job of each, for workers with that model."""
    jobs = []
    for begin in range(0, len(pending), _PROJETOS):
        some, lote_id = pending[begin : begin + _PROJETOS], new_id()
        await lotes_guardados.insert(uow, lote_id, origem_of(registro.id), [str(one) for one in some], modelo, registro.created_at)
        jobs.append(job_of(registro.id, lote_id, modelo))
    return jobs


def job_of(execucao_id: UUID, lote_id: UUID, modelo: str, em_segundos: int = 0) -> Job:
    """What sends a lote, looks at it, and fetches its answers."""
    return Job(LOTE, {"execucao": str(execucao_id), "lote": str(lote_id)}, fila=fila_of(modelo), em_segundos=em_segundos)


def ending_of(lote: Lote, em_segundos: int = 0) -> Job:
    """What calls a lote off at its provider. It is not about the execução, which may have ended long before."""
    return Job(ENCERRAR, {"lote": str(lote.id)}, fila=fila_of(lote.modelo), em_segundos=em_segundos)


async def call_off(uow: UnitOfWork, registro: Registro, em: datetime) -> list[Job]:
    """End the lotes of an execução that is over: those that never left, here; the others by their jobs."""
    if not registro.em_lote:
        return []
    jobs = []
    for lote in await lotes_guardados.of_origem(uow, origem_of(registro.id)):
        if lote.estado == "por_enviar":
            await lotes_guardados.close(uow, lote.id, "cancelado", 0, em)
        elif lote.encerrado_em is None:
            jobs.append(ending_of(lote))
    return jobs


async def endings_lacking(uow: UnitOfWork, fila: Fila, registro: Registro) -> list[Job]:
    """The jobs that would end the lotes of an execução that is over, where the queue has lost them."""
    if not registro.em_lote:
        return []
    found = await lotes_guardados.of_origem(uow, origem_of(registro.id))
    return [ending_of(one) for one in found if one.encerrado_em is None and not await fila.count(uow, {"lote": str(one.id)})]


async def refuse_while_ending(uow: UnitOfWork, last: Registro | None) -> None:
    """Raises LoteEncerrando while a lote of an execução that is over may still be answered: the same would be asked, and paid, twice."""
    if last is None or not last.em_lote:
        return
    lote = await lotes_of(uow, last.id)
    if lote is not None and lote.abertos:
        raise LoteEncerrando(
            "O provedor ainda está encerrando o lote da triagem anterior, e o que ele responder até lá é aproveitado. "
            "Isso leva alguns minutos; tente de novo daqui a pouco."
        )


async def lotes_of(uow: UnitOfWork, execucao_id: UUID) -> NoLote | None:
    """What an execução asks in lotes, all of them together; None where it has none."""
    found = await lotes_guardados.of_origem(uow, origem_of(execucao_id))
    if not found:
        return None
    sent = [one.enviado_em for one in found if one.enviado_em is not None]
    return NoLote(
        len(found),
        sum(one.encerrado_em is None for one in found),
        sum(one.perguntas for one in found),
        sum(one.respondidas for one in found),
        sum(one.recolhidas for one in found),
        min(sent, default=None),
    )
