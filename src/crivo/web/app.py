"""The application: routes, doorkeeping, failures and the edge put together."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from crivo.bootstrap import Container, open_container
from crivo.kernel.connections import limites_here
from crivo.kernel.errors import CrivoError
from crivo.kernel.settings import Settings
from crivo.web import failures
from crivo.web.access import admit, check_table
from crivo.web.api import (
    autorizacoes,
    avaliacoes,
    clinicas,
    clinicas_atendimento,
    docs,
    fhir,
    lote,
    mapeamentos,
    planilhas,
    politicas,
    politicas_conferir,
    revisao,
    sistema,
    tiss,
    triagem,
    triagem_avaliadores,
    triagem_casos,
    triagem_decisoes,
    triagem_editais,
    triagem_lugares,
    triagem_publicacoes,
    triagem_recursos,
)
from crivo.web.api import custos as custos_api
from crivo.web.api import entregas as entregas_api
from crivo.web.api.openapi import document
from crivo.web.edge import Edge
from crivo.web.entrance import AllowedHosts, BehindProxies
from crivo.web.metrics import Metrics
from crivo.web.pages import exemplos, inicio, static
from crivo.web.pages.administracao import auditoria, cartas, chaves, componentes, cotas, custos, entregas, organizacoes, pessoas
from crivo.web.pages.autorizacoes import calendarios, decisoes, fila, links, novo, partilha
from crivo.web.pages.autorizacoes import revisao as revisao_page
from crivo.web.pages.autorizacoes.formatos import lista as formatos_lista
from crivo.web.pages.autorizacoes.formatos import montar as formatos_montar
from crivo.web.pages.autorizacoes.politicas import campos, mudancas, planilha, simulacao, versoes
from crivo.web.pages.autorizacoes.politicas import casos as casos_de_politica
from crivo.web.pages.clinicas import atendimento, contas, conversa, minhas, qualidade, situacao
from crivo.web.pages.conta import conta, entrada, entrada_externa, entrada_segundo_fator, nova_senha, segundo_fator
from crivo.web.pages.publicacoes import paginas as publicacoes
from crivo.web.pages.triagem import (
    avaliacao,
    avaliador,
    avaliadores,
    calibracao,
    casos,
    comparar,
    diligencia_publica,
    diligencias,
    distribuicao,
    documento,
    dossie,
    editais,
    execucoes,
    mesa,
    notas,
    percurso,
    procurar,
    ranking,
    recurso_papel,
    recurso_publico,
    recurso_resposta,
    recursos,
    resultado_arquivo,
    sorteio,
)
from crivo.web.pages.triagem import decisoes as decisoes_de_habilitacao
from crivo.web.pages.triagem.chamada import paginas as chamada
from crivo.web.pages.triagem.chamada import projetos as chamada_projetos
from crivo.web.pages.triagem.regras import paginas as regras
from crivo.web.pages.triagem.resultado import desistencias as resultado_desistencias
from crivo.web.pages.triagem.resultado import paginas as resultado_paginas
from crivo.web.pages.triagem.resultado import publicar as resultado_publicar
from crivo.web.state import WebState

OpenContainer = Callable[[Settings], AbstractAsyncContextManager[Container]]
# Matched in order: the one that matters most for speed comes first.
ROUTERS = (
    autorizacoes.router,
    lote.router,
    tiss.router,
    fhir.router,
    mapeamentos.router,
    politicas.router,
    politicas_conferir.router,
    planilhas.router,
    revisao.router,
    entregas_api.router,
    clinicas.router,
    clinicas_atendimento.router,
    triagem.router,
    triagem_avaliadores.router,
    triagem_casos.router,
    triagem_decisoes.router,
    triagem_editais.router,
    triagem_lugares.router,
    triagem_publicacoes.router,
    triagem_recursos.router,
    avaliacoes.router,
    sistema.router,
    custos_api.router,
    docs.router,
    exemplos.router,  # before what has an id in its place
    links.router,
    fila.router,  # before the decisions: its address is none of an id
    novo.router,  # likewise
    partilha.router,
    calendarios.router,
    revisao_page.router,
    decisoes.router,
    formatos_montar.router,  # before the formats: its address is none of an id
    formatos_lista.router,
    campos.router,
    mudancas.router,
    casos_de_politica.router,
    simulacao.router,  # before the versions: its address is none of an id
    planilha.router,
    versoes.router,
    conversa.router,
    atendimento.router,
    situacao.router,
    minhas.router,
    contas.router,
    qualidade.router,
    editais.router,
    decisoes_de_habilitacao.router,
    avaliadores.router,
    avaliador.router,
    distribuicao.router,
    notas.router,
    resultado_paginas.router,
    resultado_publicar.router,
    resultado_desistencias.router,
    sorteio.router,
    calibracao.router,
    diligencias.router,
    diligencia_publica.router,
    chamada.router,
    chamada_projetos.router,
    percurso.router,
    regras.router,
    avaliacao.router,
    documento.router,
    dossie.router,
    ranking.router,
    resultado_arquivo.router,
    recursos.router,  # before what has a number in its place
    recurso_resposta.router,
    recurso_papel.router,
    recurso_publico.router,
    mesa.router,
    casos.router,
    comparar.router,
    procurar.router,
    inicio.router,
    execucoes.router,
    pessoas.router,
    chaves.router,
    cotas.router,
    custos.router,
    organizacoes.router,
    auditoria.router,
    cartas.router,
    entregas.router,
    conta.router,
    segundo_fator.router,
    componentes.router,
    entrada_externa.router,
    nova_senha.router,
    entrada_segundo_fator.router,
    entrada.router,
    publicacoes.router,
    static.router,
)


def create_app(settings: Settings, open_container: OpenContainer = open_container) -> FastAPI:
    """The web application. Its lifespan opens the container, and closes it when the last request is done."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_container(settings) as container, container.clinicas() as conversas:
            app.state.web = WebState.over(container, conversas, metrics, limites_here().conexoes)
            yield
            await app.state.web.decisoes.finish()
            await container.paginas.close()

    app = _Application(
        title="crivo",
        version=version("crivo"),
        lifespan=lifespan,
        dependencies=[Depends(admit)],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
    )
    app.state.metrics = metrics
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(CrivoError, failures.answer_crivo_error)
    app.add_exception_handler(HTTPException, failures.answer_http_exception)
    app.add_exception_handler(RequestValidationError, failures.answer_validation_error)
    # Each goes around those before it.
    app.add_middleware(AllowedHosts, endereco=settings.endereco, hosts=settings.hosts, refuse=failures.answer_unknown_host)
    app.add_middleware(
        Edge,
        metrics=metrics,
        last_resort=failures.answer_unexpected,
        new_request_id=lambda: secrets.token_hex(12),
        ticks=time.perf_counter,
    )
    app.add_middleware(BehindProxies, proxies=settings.proxies, endereco=settings.endereco)
    check_table(app.routes)
    return app


class _Application(FastAPI):
    """FastAPI with this program's own OpenAPI document."""

    def openapi(self) -> dict[str, Any]:
        """The document, made once."""
        if self.openapi_schema is None:
            self.openapi_schema = document(self)
        return self.openapi_schema
