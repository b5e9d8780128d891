"""The composition root: from settings to a container of use cases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from crivo.auditoria.ancoragem import Ancoragem
from crivo.auditoria.conferencia import Auditoria
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.access.cpf_guardado import CofreDeCpf
from crivo.kernel.atos.espera import Spool
from crivo.kernel.audit.registrar import Ledger
from crivo.kernel.clock import Clock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, Roteiro
from crivo.kernel.settings import Settings
from crivo.kernel.storage.patience import PATIENT, Patience
from crivo.kernel.storage.session import Database, open_database
from crivo.kernel.tenancy import Scope
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.documentacao import Documentacao
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.montagem import ao_mesmo_tempo as at_once
from crivo.triagem.montagem import custeio, filas, open_tasks, versoes
from crivo.triagem.painel import Painel
from crivo.triagem.service import Triagem

if TYPE_CHECKING:
    from crivo.clinicas.conversas import Conversas
    from crivo.kernel.atos import Registrar
    from crivo.kernel.jobs.worker import Worker


@dataclass(frozen=True, slots=True)
class Container:
    """Everything a channel needs, made once and handed over."""

    settings: Settings
    clock: Clock
    database: Database
    modelo: Modelo | None
    autorizacoes: Autorizacoes
    politicas: Politicas
    revisoes: Revisoes
    clinicas: Callable[[], AbstractAsyncContextManager[Conversas]]  # opened by the channel that talks
    triagem: Triagem
    julgamento: Julgamento
    habilitacoes: Habilitacoes
    documentacao: Documentacao
    painel: Painel
    auditoria: Auditoria
    ancoragem: Ancoragem
    atos: Ledger  # where what is done outside of a unit of work is noted
    contas: Callable[[], CofreDeCpf]  # the key of the patients' accounts, read where one of them is asked about
    trabalhador: Callable[[int], AbstractAsyncContextManager[Worker]]  # opened by the process that works, so many jobs at a time


def _answer_criterio(conteudo: str) -> dict[str, Any]:
    """What the simulated model says of a critério."""
    from crivo.triagem.avaliacao.simulado import answer_criterio  # here, as hardly any start needs it

    return answer_criterio(conteudo)


# Who plays the simulated model, by the agent that asks.
_ROTEIROS: Final[Mapping[str, Roteiro]] = {"triagem.criterio": _answer_criterio}


@asynccontextmanager
async def open_container(settings: Settings, patience: Patience = PATIENT) -> AsyncIterator[Container]:
    """The container over an open database, waited for so long, and the configured model; what is on its way at the end is kept
    before they are closed.
    """
    database = await open_database(settings)
    try:
        async with open_modelo(settings, database, settings.clock, _ROTEIROS) as modelo:
            yield assemble(settings, settings.clock, database.within(patience), modelo)
    finally:
        await database.close()


def assemble(settings: Settings, clock: Clock, database: Database, modelo: Modelo | None = None) -> Container:
    """The container over a database and a model that are open already."""
    new_id, fila = Uuid7(clock).new, Fila()
    atos = Ledger(database, clock, Spool(settings.data_dir, clock))
    real = modelo if settings.tem_modelo else None  # the simulated one grades projects, and does nothing else
    return Container(
        settings,
        clock,
        database,
        modelo,
        Autorizacoes(database, Vigentes(), clock, new_id, modelo=real, modo=settings.modo if real else "codigo", fila=fila),
        Politicas(database, clock, new_id),
        Revisoes(database, clock, new_id),
        lambda: open_clinicas(settings, real, atos),
        Triagem(
            database,
            fila,
            clock,
            new_id,
            lambda: versoes(settings.embeddings, modelo),
            custeio(modelo, settings.limite_custo, settings.modelo_familia),
        ),
        Julgamento(database, clock, new_id),
        Habilitacoes(database, clock, new_id),
        Documentacao(database, clock),
        Painel(database),
        Auditoria(database, clock),
        Ancoragem(database, clock, settings.data_dir, settings.auditoria_ancora),
        atos,
        lru_cache(1)(lambda: CofreDeCpf.at(settings.data_dir.expanduser())),
        lambda trabalhos: open_worker(settings, database, modelo, trabalhos),
    )


@asynccontextmanager
async def open_clinicas(settings: Settings, modelo: Modelo | None = None, registrar: Registrar | None = None) -> AsyncIterator[Conversas]:
    """Conversations with the installation's clinics, wherever these run; one that is away makes an answer partial."""
    # Imported only where somebody talks: it would nearly double the start of every other command.
    from crivo.clinicas.conversas import open_conversas
    from crivo.clinicas.service import Clinicas

    clinicas = Clinicas(
        settings.data_dir,
        settings.agora,
        log_nivel=settings.log_nivel,
        modelo=modelo,
        planejador=settings.planeja if modelo else "embutido",
        dono=Scope(settings.tenant, "clinicas"),
        registrar=registrar,
    )
    async with open_conversas(clinicas) as conversas:
        yield conversas


@asynccontextmanager
async def open_worker(settings: Settings, database: Database, modelo: Modelo | None, trabalhos: int) -> AsyncIterator[Worker]:
    """A worker for the jobs of every application, so many at a time beside those that wait for the model; the block must last for as
    long as it runs.
    """
    from crivo.autorizacoes.modelo.tarefas import tasks  # here, for the sake of every command that does not work
    from crivo.kernel.jobs.worker import Worker

    database = database.within(PATIENT)
    clock, new_id, many = settings.clock, Uuid7(settings.clock).new, settings.modelo_concorrencia
    real = modelo if settings.tem_modelo else None
    async with open_tasks(database, clock, new_id, settings, modelo, many) as screening:
        deciding = tasks(database, Vigentes(), clock, new_id, real)
        yield Worker(database, (*screening, *deciding), concurrency=at_once(trabalhos, modelo, many), also=filas(modelo))
