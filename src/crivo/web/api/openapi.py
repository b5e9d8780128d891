"""The OpenAPI document: FastAPI's own reading of the routes, with the contracts as schemas, the keys and every failure added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from crivo.autorizacoes.contracts import Decisao, Politica
from crivo.autorizacoes.lote import LineDecisoes, LineResult
from crivo.autorizacoes.revisao import Revisao, RevisaoProposta
from crivo.autorizacoes.trilha import Trilha
from crivo.clinicas.turnos import Turno
from crivo.kernel.access import TABELA
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.web.access import ACCESS, Admission
from crivo.web.api import (
    auditoria_schemas,
    clinicas_atendimento,
    clinicas_schemas,
    custos,
    entregas,
    mapeamentos_schemas,
    politicas_schemas,
    schemas,
    triagem_avaliadores,
    triagem_casos,
    triagem_recursos,
    triagem_schemas,
)
from crivo.web.api.documenting import REF, failure, failures
from crivo.web.api.links import add_links
from crivo.web.api.revisao import Historico
from crivo.web.problems import ProblemDetails

_CONTRACTS: Final = (
    Decisao,
    Trilha,
    Politica,
    LineDecisoes,
    LineResult,
    Revisao,
    RevisaoProposta,
    Historico,
    ProblemDetails,
    schemas.Decisoes,
    schemas.PaginaAutorizacoes,
    schemas.PrazoDeAutorizacao,
    schemas.ListaPoliticas,
    schemas.PoliticaCompleta,
    schemas.PreviaPublicacao,
    schemas.SimulacaoPolitica,
    schemas.PoliticaImportada,
    schemas.Publicacao,
    schemas.PlanilhaConferida,
    schemas.Revogacao,
    politicas_schemas.ConferenciaDaPolitica,
    politicas_schemas.TesteDaPolitica,
    schemas.ListaAgentes,
    auditoria_schemas.VerificacaoAuditoria,
    custos.CustosDoPeriodo,
    custos.PaginaChamadas,
    schemas.Situacao,
    clinicas_schemas.NovaConversa,
    clinicas_schemas.ConsultasVistas,
    clinicas_schemas.Mensagem,
    clinicas_schemas.ConversaVista,
    clinicas_atendimento.Atendente,
    clinicas_atendimento.Fila,
    Turno,
    *clinicas_schemas.EVENTS,
    *mapeamentos_schemas.CONTRACTS,
    *entregas.CONTRACTS,
    *triagem_schemas.CONTRACTS,
    *triagem_casos.CONTRACTS,
    *triagem_avaliadores.CONTRACTS,
    *triagem_recursos.CONTRACTS,
)
_DESCRIPTION: Final = (
    "Decide pedidos de autorização de benefícios de saúde diante das políticas publicadas de cada administradora. "
    "Um pedido com erros de negócio não é erro de HTTP: ele é decidido. "
    "Conversa também com as clínicas federadas, para listar, marcar, remarcar e cancelar consultas. "
    "Tria os projetos de editais e mostra o que achou, com a evidência de cada achado; quem decide são pessoas. "
    "As falhas vêm como RFC 9457, com um `codigo` estável. "
    "Por FHIR R4, com as mesmas chaves: `POST /fhir/Claim/$submit` e `GET /fhir/ClaimResponse/{id}`, que `GET /fhir/metadata` descreve; "
    "ali as falhas são `OperationOutcome`."
)


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document. Source: interfaces, HTTP."""
    described: dict[str, Any] = get_openapi(
        title=app.title, version=app.version, openapi_version="3.1.0", description=_DESCRIPTION, routes=app.routes
    )
    _, components = msgspec.json.schema_components(_CONTRACTS, ref_template=REF)
    components["Irregularidade"]["properties"]["tipo"] = {"enum": sorted(SINAL_DE)}  # the type leaves open what the catalogue closes
    described["components"] = {"schemas": _with_numbers(components), "securitySchemes": {"chave": _KEY}}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            _complete(operation, ACCESS[method.upper(), path])
    add_links(described["paths"])
    return described


def _complete(operation: dict[str, Any], admission: Admission) -> None:
    responses = operation["responses"]
    # FastAPI adds its own 422 to every route with a parameter; ours are declared.
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    if admission != "publica":
        operation["security"] = [{"chave": []}]
        escopos = " ou ".join(f"`{one}`" for one in sorted(TABELA[admission].escopos))
        operation["description"] = f"{operation.get('description', '')}\n\nEscopo da chave: {escopos}.".strip()
        responses.update(_by_name(failures(401, 403, 429, 503)))
    else:
        operation["security"] = []
    responses["default"] = failure("Erro inesperado.")


def _with_numbers(schema: Any) -> Any:
    """The same, with decimals as the numbers that they are sent as."""
    if isinstance(schema, dict):
        if schema.get("format") == "decimal":
            return {**{key: value for key, value in schema.items() if key != "format"}, "type": "number"}
        return {key: _with_numbers(value) for key, value in schema.items()}
    return [_with_numbers(value) for value in schema] if isinstance(schema, list) else schema


def _by_name(responses: dict[int | str, dict[str, Any]]) -> Iterable[tuple[str, dict[str, Any]]]:
    return ((str(status), described) for status, described in responses.items())


_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "crv_<organização>_<id>_<segredo>",
    "description": "Chave de API, criada com `crivo chaves criar`. A organização vem da chave.",
}
