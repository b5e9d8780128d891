"""The composition root: from settings to a container of use cases."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from crivo.auditoria.ancoragem import CHAVE, Ancoragem
from crivo.auditoria.conferencia import Auditoria
from crivo.autorizacoes import cota as cota_de_decisoes
from crivo.autorizacoes.acervo import AcervoDeAutorizacoes
from crivo.autorizacoes.entregas.montagem import leads, open_entregador
from crivo.autorizacoes.entregas.montagem import task_of as delivery_of_decisions
from crivo.autorizacoes.entregas.service import Entregas
from crivo.autorizacoes.fhir.porta import Fhir
from crivo.autorizacoes.formulario.servico import PedidosAMao
from crivo.autorizacoes.links.service import Links
from crivo.autorizacoes.mapeamento.service import Formatos
from crivo.autorizacoes.modelo.formato import PropostasDeFormato
from crivo.autorizacoes.modelo.redator import PRAZO_SECONDS
from crivo.autorizacoes.politicas.casos.servico import CasosDePolitica
from crivo.autorizacoes.politicas.conferir.servico import Conferencias
from crivo.autorizacoes.politicas.planilha.servico import Planilhas
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import CalendariosDePrazo, Responsaveis, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.autorizacoes.simulacao.service import Simulacoes
from crivo.autorizacoes.tiss.porta import Tiss
from crivo.autorizacoes.tiss.xml import Esquema
from crivo.clinicas.acervo import AcervoDeConversas
from crivo.clinicas.guarda import Limites
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.access.contas import with_bound_cpf
from crivo.kernel.access.organizacoes import Organizacoes
from crivo.kernel.atos.espera import ESPERA, Spool
from crivo.kernel.audit.registrar import Ledger
from crivo.kernel.cartas import Correio
from crivo.kernel.cartas.acervo import AcervoDeCartas
from crivo.kernel.cartas.montagem import open_entrega, task_of
from crivo.kernel.cartas.saida import Pasta
from crivo.kernel.cartas.servico import Cartas
from crivo.kernel.clock import Clock
from crivo.kernel.copia.servico import Copias
from crivo.kernel.cotas import Nome
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.custos import Custos
from crivo.kernel.llm.esforco import effort_of, patience
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, Roteiro
from crivo.kernel.logs import logger
from crivo.kernel.relogio import require_sane
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo import Aplicacao
from crivo.kernel.sigilo.acervo import Silo
from crivo.kernel.sigilo.guarda import guard
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.locks import make_closed, sweep
from crivo.kernel.storage.patience import PATIENT, Patience
from crivo.kernel.storage.session import Database, open_database
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.triagem import cota as cota_de_editais
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.comparar import Comparar
from crivo.triagem.conclusoes import Conclusoes
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.desistencia.servico import Desistencias
from crivo.triagem.diligencias.publico import Respostas
from crivo.triagem.diligencias.servico import Diligencias
from crivo.triagem.distribuicao.calibracoes import Calibracoes
from crivo.triagem.distribuicao.impedimentos import QuemNaoPode
from crivo.triagem.distribuicao.lembretes import Lembretes
from crivo.triagem.distribuicao.pessoas import QuemAvalia
from crivo.triagem.distribuicao.prazos import Prazos
from crivo.triagem.distribuicao.servico import Distribuicao
from crivo.triagem.distribuicao.sorteios import Sorteios
from crivo.triagem.documentacao import Documentacao
from crivo.triagem.documentos.leitor import Leitor
from crivo.triagem.ensaio import Ensaio
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.lugares import Lugares
from crivo.triagem.mesa import Mesa
from crivo.triagem.montagem import ao_mesmo_tempo as at_once
from crivo.triagem.montagem import custeio, filas, open_tasks, versoes
from crivo.triagem.paginas import DE_UMA_PAGINA, Paginas
from crivo.triagem.painel import Painel
from crivo.triagem.percurso import Percurso
from crivo.triagem.planilha.servico import NotasTrazidas
from crivo.triagem.publicacao.documentos.impressora import Impressora
from crivo.triagem.publicacao.dossies import Dossies
from crivo.triagem.publicacao.publicacoes import Publicacoes
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.recursos.papeis import PapeisDeRecurso
from crivo.triagem.recursos.peticoes import Peticoes
from crivo.triagem.recursos.servico import Recursos
from crivo.triagem.service import Triagem
from crivo.triagem.tratamento import Casos

if TYPE_CHECKING:
    from crivo.clinicas.conversas import Conversas
    from crivo.kernel.atos import Registrar
    from crivo.kernel.jobs.worker import Worker
    from crivo.kernel.medidas import Valor
    from crivo.vigia.coleta import Coleta


_DRAWING: Final = 2  # pages drawn at a time
_STARTING: Final = "inicio"
_SINCE_LAST_NIGHT: Final = timedelta(hours=48)
_EVERY_NIGHT: Final = "17 6 * * *"  # 3h17 in Brasília
_EVERY_QUARTER: Final = "*/15 * * * *"
_EVERY_MORNING: Final = "11 11 * * *"  # 8h11 in Brasília


@dataclass(frozen=True, slots=True)
class Container:
    """Everything a channel needs, made once and handed over."""

    settings: Settings
    clock: Clock
    database: Database
    modelo: Modelo | None
    autorizacoes: Autorizacoes
    tiss: Tiss
    fhir: Fhir
    politicas: Politicas
    conferencias: Conferencias
    casos_de_politica: CasosDePolitica
    simulacoes: Simulacoes
    formatos: Formatos
    planilhas: Planilhas
    pedidos_a_mao: PedidosAMao
    propostas_de_formato: PropostasDeFormato
    revisoes: Revisoes
    responsaveis: Responsaveis
    calendarios: CalendariosDePrazo
    entregas: Entregas
    links: Links
    clinicas: Callable[[], AbstractAsyncContextManager[Conversas]]  # opened by the channel that talks
    triagem: Triagem
    chamadas: Chamadas
    julgamento: Julgamento
    casos: Casos
    decisoes: Habilitacoes
    conclusoes: Conclusoes
    lugares: Lugares
    desistencias: Desistencias
    resultados: Resultados
    percurso: Percurso
    ensaio: Ensaio
    publicacoes: Publicacoes
    dossies: Dossies
    peticoes: Peticoes
    recursos: Recursos
    papeis_de_recurso: PapeisDeRecurso  # draws with what `paginas` draws
    quem_avalia: QuemAvalia
    distribuicao: Distribuicao
    notas_trazidas: NotasTrazidas
    lembretes: Lembretes
    sorteios: Sorteios
    quem_nao_pode: QuemNaoPode
    calibracoes: Calibracoes
    prazos: Prazos
    documentacao: Documentacao
    paginas: Paginas  # closed by the channel that shows them
    painel: Painel
    mesa: Mesa
    comparar: Comparar
    auditoria: Auditoria
    ancoragem: Ancoragem
    atos: Ledger  # where what is done outside of a unit of work is noted
    pessoas: Pessoas
    organizacoes: Organizacoes
    custos: Custos
    copias: Copias
    correio: Correio
    cartas: Cartas
    diligencias: Diligencias
    respostas: Respostas
    trabalhador: Callable[[int], AbstractAsyncContextManager[Worker]]  # for the process that works; takes the most jobs at a time


def _answer_criterio(conteudo: str) -> dict[str, Any]:
    """What the simulated model says of a critério."""
    from crivo.triagem.avaliacao.simulado import answer_criterio  # here, as hardly any start needs it

    return answer_criterio(conteudo)


# Who plays the simulated model, by the agent that asks.
_ROTEIROS: Final[Mapping[str, Roteiro]] = {"triagem.criterio": _answer_criterio}


def _log_suspended(tenant: str) -> None:
    logger.warning("organizacao_suspensa", extra={"tenant": tenant})  # others may be served all the same


@asynccontextmanager
async def open_container(
    settings: Settings,
    patience: Patience = PATIENT,
    *,
    any_organisation: bool = False,
    restoring: bool = False,
    on_suspended: Callable[[str], None] = _log_suspended,
) -> AsyncIterator[Container]:
    """The container over an open database, waited for so long, and the configured model; what is on its way at the end is kept
    before they are closed. `restoring`: see `open_database`. Raises InquilinoDesconhecido where the settings' organisation is not there,
    unless any will do.
    """
    if settings.agora is None:
        require_sane(settings.clock)
    with suppress(OSError):  # where it cannot be made, whatever needs it first says so
        await asyncio.to_thread(make_closed, settings.data_dir.expanduser().absolute())
    await asyncio.to_thread(sweep, settings.data_dir)  # what a process that was killed left behind
    guard(settings.data_dir / CHAVE)  # the key of the anchors is read hours later, when nobody looks
    database = await open_database(settings, restoring=restoring)
    try:
        async with open_modelo(settings, database, settings.clock, _ROTEIROS) as modelo:
            container = assemble(settings, settings.clock, database.within(patience), modelo)
            if not any_organisation:
                await container.organizacoes.require(settings.tenant)
                if await container.organizacoes.suspensa(settings.tenant):
                    on_suspended(settings.tenant)
            await container.pessoas.reaplicar(_STARTING)
            yield container
    finally:
        await database.close()


def assemble(settings: Settings, clock: Clock, database: Database, modelo: Modelo | None = None) -> Container:
    """The container over a database and a model that are open already."""
    new_id, fila = Uuid7(clock).new, Fila()
    atos = Ledger(database, clock, Spool(settings.data_dir, clock))
    real = modelo if settings.tem_modelo else None  # the simulated one grades projects, and does nothing else
    resultados, impressora = Resultados(database, clock, new_id), Impressora()
    casos, lugares, mesa = Casos(database, clock, new_id), Lugares(database), Mesa(database, clock, new_id)
    recursos = Recursos(database, clock, new_id, Correio(fila, new_id), settings.endereco)
    diligencias = Diligencias(database, clock, new_id, fila, Correio(fila, new_id), settings.calendario, settings.endereco)
    desenhista = Leitor(DE_UMA_PAGINA, processos=_DRAWING)
    politicas, vigentes = Politicas(database, clock, new_id), Vigentes()
    modo = settings.modo if real else "codigo"
    prazo = patience(PRAZO_SECONDS, effort_of(settings))
    autorizacoes = Autorizacoes(database, vigentes, clock, new_id, modelo=real, modo=modo, fila=fila, prazo_textos_seconds=prazo)
    ancoragem = Ancoragem(database, clock, settings.data_dir, settings.auditoria_ancora)
    return Container(
        settings=settings,
        clock=clock,
        database=database,
        modelo=modelo,
        autorizacoes=autorizacoes,
        tiss=Tiss(database, autorizacoes, Esquema(settings.tiss_xsd)),
        fhir=Fhir(database, autorizacoes),
        politicas=politicas,
        conferencias=Conferencias(database, clock),
        casos_de_politica=CasosDePolitica(database, clock),
        simulacoes=Simulacoes(database, clock),
        formatos=Formatos(database, vigentes, clock, new_id),
        planilhas=Planilhas(database, clock, politicas),
        pedidos_a_mao=PedidosAMao(database, vigentes, autorizacoes, clock, new_id),
        propostas_de_formato=PropostasDeFormato(real),
        revisoes=Revisoes(database, clock, new_id, settings.calendario, fila),
        responsaveis=Responsaveis(database, clock, new_id),
        calendarios=CalendariosDePrazo(database, clock),
        entregas=open_entregas(settings, clock, database),
        links=Links(database, clock, new_id, os.urandom, settings.endereco),
        clinicas=lambda: open_clinicas(settings, database, real, atos),
        triagem=Triagem(
            database,
            fila,
            clock,
            new_id,
            lambda: versoes(settings.embeddings, modelo),
            custeio(modelo, settings.limite_custo, settings.modelo_familia),
        ),
        chamadas=Chamadas(database, clock, new_id, lambda: versoes(settings.embeddings, modelo)),
        julgamento=Julgamento(database, clock, new_id),
        casos=casos,
        decisoes=Habilitacoes(database, clock, new_id),
        conclusoes=Conclusoes(database),
        desistencias=Desistencias(database, clock, new_id),
        percurso=Percurso(database, clock),
        ensaio=Ensaio(database),
        lugares=lugares,
        resultados=resultados,
        publicacoes=Publicacoes(resultados, database, clock, settings.endereco, impressora),
        dossies=Dossies(mesa, casos, lugares, resultados, diligencias, recursos, database, clock, impressora),
        peticoes=Peticoes(database, clock, new_id, Correio(fila, new_id), settings.endereco),
        recursos=recursos,
        papeis_de_recurso=PapeisDeRecurso(database, clock, new_id, desenhista),
        quem_avalia=QuemAvalia(database, clock, new_id),
        distribuicao=Distribuicao(database, clock, new_id),
        notas_trazidas=NotasTrazidas(database, clock, new_id),
        lembretes=Lembretes(database, clock, new_id),
        sorteios=Sorteios(database, clock, new_id),
        quem_nao_pode=QuemNaoPode(database, clock, new_id),
        calibracoes=Calibracoes(database, clock, new_id),
        prazos=Prazos(database, clock, new_id),
        documentacao=Documentacao(database, clock),
        paginas=Paginas(database, desenhista),
        painel=Painel(database, clock, new_id),
        mesa=mesa,
        comparar=Comparar(settings, database),
        auditoria=Auditoria(database, clock, anotadas=ancoragem),
        ancoragem=ancoragem,
        atos=atos,
        pessoas=open_pessoas(settings, clock, database),
        organizacoes=open_organizacoes(settings, clock, database),
        custos=Custos(database, clock, settings.limite_custo),
        copias=Copias(database, clock),
        correio=Correio(fila, new_id),
        diligencias=diligencias,
        respostas=Respostas(database, clock, new_id, fila),
        cartas=Cartas(database, fila, clock, open_entrega(settings, database, fila)),
        trabalhador=lambda trabalhos: open_worker(settings, database, modelo, trabalhos),
    )


@asynccontextmanager
async def open_clinicas(
    settings: Settings, database: Database, modelo: Modelo | None = None, registrar: Registrar | None = None
) -> AsyncIterator[Conversas]:
    """Conversations with the installation's clinics, wherever these run; one that is away makes an answer partial."""
    # Imported only where somebody talks: it would nearly double the start of every other command.
    from crivo.clinicas.conta import still_proven
    from crivo.clinicas.conversas import open_conversas
    from crivo.clinicas.orquestrador.linha import waits_of
    from crivo.clinicas.service import Clinicas
    from crivo.clinicas.storage import GuardaNoBanco

    clinicas = Clinicas(
        settings.data_dir,
        settings.agora,
        log_nivel=settings.log_nivel,
        modelo=modelo,
        planejador=settings.planeja if modelo else "embutido",
        prazos=waits_of(settings),
        dono=Scope(settings.tenant, "clinicas"),
        registrar=registrar,
    )
    guarda, prova = GuardaNoBanco(database, settings.tenant, time.time), still_proven(database, settings.tenant)
    async with open_conversas(clinicas, guarda=guarda, prova=prova) as conversas:
        yield conversas


@asynccontextmanager
async def open_worker(settings: Settings, database: Database, modelo: Modelo | None, trabalhos: int) -> AsyncIterator[Worker]:
    """A worker for the jobs of every application, for as long as the block lasts.

    At most `trabalhos` jobs at a time; those that wait for the model do not count.
    """
    from crivo.autorizacoes.modelo.tarefas import tasks  # here, for the sake of every command that does not work
    from crivo.autorizacoes.revisao.avisos import AvisosDePrazo
    from crivo.kernel.jobs.tasks import ATOR, Daily
    from crivo.kernel.jobs.worker import Worker
    from crivo.triagem.diligencias.tarefas import LembretesDePrazo

    database = database.within(PATIENT)
    clock, new_id, many = settings.clock, Uuid7(settings.clock).new, settings.modelo_concorrencia
    real = modelo if settings.tem_modelo else None
    async with open_tasks(database, clock, new_id, settings, modelo, many) as screening:
        deciding = tasks(database, Vigentes(), clock, new_id, real)
        pessoas = open_pessoas(settings, clock, database)

        async def retaining() -> None:
            scope = Scope(settings.tenant, ATOR, CONSOLE)
            await retain(pessoas, settings, scope)
            since = clock.now() - _SINCE_LAST_NIGHT
            if any([await pessoas.apagou_desde(replace(scope, tenant_id=one), since) for one in await pessoas.organizacoes(scope)]):
                await database.rewrite(whatever_it_takes=True)

        scope = Scope(settings.tenant, ATOR, CONSOLE)
        correio, calendario = Correio(Fila(), new_id), settings.calendario
        lembretes = LembretesDePrazo(database, clock, correio, calendario, settings.endereco, lambda: pessoas.organizacoes(scope), scope)
        avisos = AvisosDePrazo(database, clock, correio, settings.prazo_aviso, calendario, settings.endereco)
        delivering = delivery_of_decisions(open_entregador(settings, database, Fila(), correio))
        entregas = open_entregas(settings, clock, database)

        async def warning() -> None:
            for one in await pessoas.organizacoes(scope):
                await avisos.avisar(replace(scope, tenant_id=one))

        async def clearing() -> None:
            for one in await pessoas.organizacoes(scope):
                await entregas.limpar(replace(scope, tenant_id=one))

        yield Worker(
            database,
            (*screening, *deciding, task_of(open_entrega(settings, database, Fila())), delivering),
            concurrency=at_once(trabalhos, modelo, many),
            also=filas(modelo),
            daily=[
                Daily("pessoas.retencao", _EVERY_NIGHT, retaining),
                Daily("diligencias.lembretes", _EVERY_MORNING, lembretes.lembrar),
                Daily("autorizacoes.avisos", _EVERY_QUARTER, warning),
                Daily("entregas.limpar", _EVERY_NIGHT, clearing),
            ],
        )


def open_entregas(settings: Settings, clock: Clock, database: Database) -> Entregas:
    """Where decisions go, and how that fares."""
    new_id, fila = Uuid7(clock).new, Fila()
    entregador = open_entregador(settings, database, fila, Correio(fila, new_id))
    envia = settings.smtp_url is not None
    return Entregas(database, fila, clock, new_id, os.urandom, entregador, leads, settings.entrega_redes, envia_cartas=envia)


def open_organizacoes(settings: Settings, clock: Clock, database: Database) -> Organizacoes:
    """The organisations of the installation, of which that of the settings looks after all."""
    instalacao: dict[Nome, Decimal] = {"conversas": Decimal(Limites().por_inquilino)}
    if settings.limite_custo is not None:
        instalacao["custo_mes"] = settings.limite_custo
    por_chave = Decimal(settings.limite_por_minuto) if settings.limite_por_minuto else None
    medidores = cota_de_decisoes.measure, cota_de_editais.measure
    return Organizacoes(
        database, clock, Uuid7(clock).new, settings.tenant, medidores, cota_de_decisoes.count_of_month, instalacao, por_chave
    )


@asynccontextmanager
async def open_coleta(container: Container, conversas: Callable[[], Conversas | None] = lambda: None) -> AsyncIterator[Coleta]:
    """What an operator may ask of the installation; of clinics and the reception only where conversations are held in this process.

    It asks over a connection of its own: where people wait for one, whoever watches must hear of it and not wait behind them.
    """
    from crivo.vigia import leituras  # here, for the sake of every start that nobody watches
    from crivo.vigia.coleta import Coleta, Grupo

    settings, own = container.settings, Database(container.database.url, pool_size=1)
    banco = leituras.Banco(own.within(leituras.PACIENCIA), container.clock, settings.limite_custo, settings.calendario)
    folders, espera = settings.data_dir / "clinicas", settings.data_dir / ESPERA

    async def clinicas() -> Sequence[Valor]:
        held = conversas()
        return () if held is None else await leituras.clinicas(held.situacao, lambda one: (folders / one).exists())

    async def recepcao() -> Sequence[Valor]:
        held = conversas()
        if held is None:
            return ()
        return leituras.recepcao([(one, held.recepcao.waited(one)) for one in await held.fila(settings.tenant)])

    async def pool() -> Sequence[Valor]:
        return leituras.pool(container.database)

    grupos = (
        Grupo("pool", pool, cada=0),
        Grupo("banco", banco.servidor),
        Grupo("fila", banco.fila),
        Grupo("pendencias", banco.pendencias, cada=30, ate=120),  # one organisation after the other: as long as there are many
        Grupo("auditoria", lambda: banco.auditoria(container.ancoragem.anotadas_em, espera), cada=60),
        Grupo("disco", lambda: asyncio.to_thread(leituras.disco, settings.data_dir)),
        Grupo("clinicas", clinicas),
        Grupo("recepcao", recepcao, cada=0),
    )
    coleta = Coleta(grupos)
    try:
        yield coleta
    finally:
        await coleta.close()
        await own.close()


def open_pessoas(settings: Settings, clock: Clock, database: Database) -> Pessoas:
    """What people may ask of their data, through everything that holds some."""
    pasta = Pasta(settings.data_dir)
    acervos = AcervoDeAutorizacoes(), AcervoDeTriagem(), AcervoDeContas(), AcervoDeCartas(pasta), AcervoDeConversas()
    return Pessoas(database, clock, acervos, lambda: silos_of(settings), with_bound_cpf)


def silos_of(settings: Settings) -> Sequence[Silo]:
    """The agendas of the clinics on this machine; one that runs elsewhere is asked there."""
    from crivo.clinicas.apagamento import silos  # here, for the sake of every start that asks for nobody's data
    from crivo.clinicas.service import Clinicas

    return silos(Clinicas(settings.data_dir, settings.agora))


async def retain(pessoas: Pessoas, settings: Settings, scope: Scope) -> dict[str, int]:
    """Erase what is past its term in every organisation; how many records, by application. Without terms nothing is erased."""
    terms: dict[Aplicacao, int | None] = {"autorizacoes": settings.retencao_autorizacoes, "triagem": settings.retencao_triagem}
    terms["cartas"] = settings.retencao_triagem  # what else sends any tells of no person
    dias = {aplicacao: many for aplicacao, many in terms.items() if many is not None}
    done: Counter[str] = Counter()
    if dias:
        for tenant_id in await pessoas.organizacoes(scope):
            done.update(await pessoas.reter(replace(scope, tenant_id=tenant_id), dias))
    if settings.retencao_clinicas is not None:
        done.update(await pessoas.reter_silos(settings.retencao_clinicas))
    return dict(done)
