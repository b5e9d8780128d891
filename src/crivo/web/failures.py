"""What the client is told when something fails: a page where a person reads, problem details everywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec
from fastapi.exceptions import RequestValidationError
from fastapi.params import ParamTypes
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.organizacoes import SegundoFatorExigido
from crivo.kernel.cotas import PECA, CotaAtingida, CotaEsgotada
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.suspensao import OrganizacaoSuspensa
from crivo.web.access import methods_of
from crivo.web.edge import CODIGO
from crivo.web.entrance import HostDesconhecido
from crivo.web.fhir import FHIR, FHIR_JSON, outcome_of
from crivo.web.pages import csrf
from crivo.web.pages.conta.entrada import entrance, step_address
from crivo.web.pages.de_volta import page_above, without
from crivo.web.pages.rendering import page
from crivo.web.passos import EntradaCompleta, PassoPendente
from crivo.web.problems import (
    PROBLEM_JSON,
    ErroInterno,
    MetodoNaoAceito,
    ParametroInvalido,
    RequisicaoRecusada,
    RotaInexistente,
    from_http_exception,
    from_validation,
    headers_of,
    problem_of,
    status_of,
)
from crivo.web.session_cookie import session_id_of
from crivo.web.state import pode, request_id_of, scope_of

_WRONG_METHOD: Final = 405
_OPENED: Final = ("GET", "HEAD")
# What is told to programs in their own words.
_TO_PEOPLE: Final[Mapping[type[CrivoError], tuple[str, str]]] = {
    RotaInexistente: ("Página não encontrada", "Não há nada neste endereço. Confira o que foi digitado, ou comece pelo início."),
    MetodoNaoAceito: ("Esta página não abre assim", "Volte ao início e siga pelos botões das páginas."),
    RequisicaoRecusada: ("Não deu para entender o que chegou", "Volte à página anterior e envie de novo."),
    ParametroInvalido: ("Este endereço não está certo", "Algo nele não pôde ser lido. Volte à página anterior e escolha de novo."),
}
_encode = msgspec.json.Encoder(decimal_format="number").encode


async def answer_crivo_error(request: Request, error: Exception) -> Response:
    """An error of the tree."""
    if not isinstance(error, CrivoError):
        raise error
    return _answer(request, error)


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """A refusal of the framework's own: no such address, method, or body."""
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == _WRONG_METHOD and request.method in _OPENED and _is_read_by_a_person(request):
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(page_above(request.url.path.rpartition("/")[0]) + query, 303)
    allow = methods_of(getattr(request.scope.get("route"), "path", ""))
    return _answer(request, from_http_exception(error, allow))


async def answer_validation_error(request: Request, error: Exception) -> Response:
    """Parameters that could not be read."""
    if not isinstance(error, RequestValidationError):
        raise error
    wrong = {str(fault["loc"][-1]) for fault in error.errors() if fault["loc"][0] == ParamTypes.query.value}
    all_told = len(wrong) == len(error.errors()) and wrong <= request.query_params.keys()
    if all_told and request.method in _OPENED and _is_read_by_a_person(request):
        return RedirectResponse(request.url.path + without(request.url.query, wrong), 303)  # an old address shows the page all the same
    return _answer(request, from_validation(error))


async def answer_unexpected(request: Request) -> Response:
    """A fault of this program: nothing of it reaches the client but the request's id."""
    return _answer(request, ErroInterno())


async def answer_unknown_host(request: Request) -> Response:
    """A host that this server is not: never a page, whose links would lead to that host."""
    return _problem(request, HostDesconhecido())


def _answer(request: Request, error: CrivoError) -> Response:
    if _is_read_by_a_person(request):
        request.scope[CODIGO] = error.codigo
        return _page(request, error)
    return _problem(request, error)


def _problem(request: Request, error: CrivoError) -> Response:
    request.scope[CODIGO] = error.codigo
    told = request_id_of(request)
    if request.url.path.startswith(FHIR):
        return Response(_encode(outcome_of(error, told)), status_of(error), headers_of(error), FHIR_JSON)
    return Response(_encode(problem_of(error, told)), status_of(error), headers_of(error), PROBLEM_JSON)


def _page(request: Request, error: CrivoError) -> Response:
    if isinstance(error, PassoPendente):
        return RedirectResponse(step_address(error.falta, _way_back(request)), 303)
    if isinstance(error, EntradaCompleta):
        return RedirectResponse("/", 303)
    if error.kind is Kind.UNAUTHENTICATED:
        return entrance(request, error, volta=_way_back(request))
    titulo, mensagem = _TO_PEOPLE.get(type(error), (error.titulo, error.mensagem))
    endereco, acao = "/", "Ir para o início"
    sair = ""
    if isinstance(error, OrganizacaoSuspensa):
        titulo = f"{error.nome} está suspensa" if error.nome else titulo
        sair = csrf.token_of(request) if session_id_of(request) else ""
        endereco, acao = "/entrar", "Ir para a entrada"
    elif isinstance(error, SegundoFatorExigido):
        endereco, acao = "/conta", "Abrir Sua conta"
    elif isinstance(error, CotaAtingida | CotaEsgotada) and pode(request, "organizacoes.administrar"):
        mensagem = mensagem.replace(PECA, "Você cuida desta instalação: se precisa de mais, mude a cota.")
        endereco, acao = f"/admin/organizacoes/{scope_of(request).tenant_id}#titulo-cotas", "Mudar as cotas"
    frame = {"titulo": titulo, "mensagem": mensagem, "endereco": endereco, "acao": acao, "sair": sair}
    return page(request, "erro.html", status_of(error), headers_of(error), **frame)


def _way_back(request: Request) -> str:
    """The page to go on with after signing in: the one that was asked for, or the one whose form was sent."""
    if request.method == "GET":
        return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    came_from = urlsplit(request.headers.get("referer", ""))
    return came_from.path if came_from.netloc == request.headers.get("host") else ""


def _is_read_by_a_person(request: Request) -> bool:
    return not request.url.path.startswith(("/api/", FHIR)) and "text/html" in request.headers.get("accept", "")
