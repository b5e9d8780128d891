"""What delivers decisions, as the settings have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from crivo.autorizacoes.entregas.aviso import ENTREGAR
from crivo.autorizacoes.entregas.contracts import Falha
from crivo.autorizacoes.entregas.endereco import Alvo
from crivo.autorizacoes.entregas.entregador import Entregador
from crivo.autorizacoes.entregas.saida import Mensagem, Resposta
from crivo.kernel.cartas import Correio
from crivo.kernel.enderecos import Rede
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database

if TYPE_CHECKING:
    from crivo.kernel.jobs.tasks import Task
    from crivo.kernel.settings import Settings

_ATTEMPTS: Final = 8  # of a job that the database fails; a message that does not go is another matter


class _SaidaDepois:
    """The way out over HTTP, made when something first goes: its library is no weight of the commands that send nothing."""

    def __init__(self, settings: Settings) -> None:
        self._redes = settings.entrega_redes

    async def send(self, mensagem: Mensagem) -> Resposta:
        """Send it once."""
        from crivo.autorizacoes.entregas.http import SaidaHttp

        return await SaidaHttp(self._redes).send(mensagem)


async def leads(alvo: Alvo, redes: Sequence[Rede]) -> Falha | None:
    """Why nothing would reach an address now, as DNS has it."""
    from crivo.autorizacoes.entregas.http import where_it_leads  # here, as above

    return await where_it_leads(alvo, redes)


def open_entregador(settings: Settings, database: Database, fila: Fila, correio: Correio) -> Entregador:
    """What delivers the decisions of an installation."""
    return Entregador(database, fila, settings.clock, _SaidaDepois(settings), correio, settings.endereco)


def task_of(entregador: Entregador) -> Task:
    """Delivering what waits for a destination, as work for workers; that of a suspended organisation waits."""
    from crivo.kernel.jobs.tasks import Task  # here, for the sake of commands that do not work

    return Task(ENTREGAR, entregador.run, entregador.give_up, attempts=_ATTEMPTS)
