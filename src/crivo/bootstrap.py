"""The composition root: from settings to a container of use cases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database, open_database
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.montagem import open_tasks, versoes
from crivo.triagem.service import Custeio, Triagem

if TYPE_CHECKING:
    from crivo.clinicas.conversas import Conversas
    from crivo.kernel.jobs.worker import Worker


@dataclass(frozen=True, slots=True)
class Container:
    """Everything a channel needs, made once and handed over."""

    settings: Settings
    clock: Clock
    database: Database
    autorizacoes: Autorizacoes
    politicas: Politicas
    clinicas: Callable[[], AbstractAsyncContextManager[Conversas]]  # opened by the channel that talks
    triagem: Triagem
    julgamento: Julgamento
    trabalhador: Callable[[int], AbstractAsyncContextManager[Worker]]  # opened by the process that works, so many jobs at a time


class ModoIndisponivel(CrivoError):
    """A mode of the authorization agents that this version cannot run."""

    codigo: ClassVar[str] = "modo_indisponivel"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Modo ainda não disponível"


@asynccontextmanager
async def open_container(settings: Settings) -> AsyncIterator[Container]:
    """The container over an open database, which is closed at the end. Raises ModoIndisponivel before anything is opened."""
    if settings.modo_autorizacoes != "codigo":
        raise ModoIndisponivel(
            f"CRIVO_MODO_AUTORIZACOES={settings.modo_autorizacoes} ainda não existe nesta versão; use codigo, em que o código escreve tudo."
        )
    database = await open_database(settings)
    try:
        yield assemble(settings, settings.clock, database)
    finally:
        await database.close()


def assemble(settings: Settings, clock: Clock, database: Database) -> Container:
    """The container over a database that is open already."""
    new_id = Uuid7(clock).new
    custeio = Custeio(settings.modelo, settings.limite_custo)
    return Container(
        settings,
        clock,
        database,
        Autorizacoes(database, Vigentes(), clock, new_id),
        Politicas(database, clock, new_id),
        lambda: open_clinicas(settings),
        Triagem(database, Fila(), clock, new_id, lambda: versoes(settings.embeddings), custeio),
        Julgamento(database, clock),
        lambda ao_mesmo_tempo: open_worker(settings, database, ao_mesmo_tempo),
    )


@asynccontextmanager
async def open_clinicas(settings: Settings) -> AsyncIterator[Conversas]:
    """Conversations with the installation's clinics, wherever these run; one that is away makes an answer partial."""
    # Imported only where somebody talks: it would nearly double the start of every other command.
    from crivo.clinicas.conversas import open_conversas
    from crivo.clinicas.service import Clinicas

    async with open_conversas(Clinicas(settings.data_dir, settings.agora, log_nivel=settings.log_nivel)) as conversas:
        yield conversas


@asynccontextmanager
async def open_worker(settings: Settings, database: Database, ao_mesmo_tempo: int) -> AsyncIterator[Worker]:
    """A worker for the jobs of every application, so many at a time; the block must last for as long as it runs."""
    from crivo.kernel.jobs.worker import Worker  # here, for the sake of every command that does not work

    clock = settings.clock
    async with open_tasks(database, clock, Uuid7(clock).new, settings.embeddings) as tasks:
        yield Worker(database, tasks, concurrency=ao_mesmo_tempo)
