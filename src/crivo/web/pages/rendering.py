"""Templates into pages. Everything that is put into one is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from crivo.web.pages import csrf
from crivo.web.pages.atores import PAPEIS_PALAVRAS
from crivo.web.pages.avisos import feito_of
from crivo.web.pages.formatos import FILTROS
from crivo.web.pages.navegacao import areas_of, iniciais, may_open
from crivo.web.pages.problemas import ProblemaVisto
from crivo.web.pages.static import address_of
from crivo.web.session_cookie import cookie_name
from crivo.web.state import find_scope, find_visita, papel_of, quem_of, request_id_of, state_of

_THEME_COOKIE: Final = "crivo_tema"
_THEMES: Final = frozenset({"claro", "escuro"})
_ACCOUNT: Final = "/conta"
_RECEPTION: Final = "/clinicas/atendimento"


def page(request: Request, template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    """A page out of a template; its frame has the signed-in person, where they can go, and the theme they chose."""
    return HTMLResponse(_environment().get_template(template).render(_frame(request) | values), status, headers)


def _frame(request: Request) -> dict[str, Any]:
    scope, papel, quem = find_scope(request), papel_of(request), quem_of(request)
    visita = find_visita(request)
    if visita is not None and visita.falta is not None:  # who is still on the way in sees the way in, and no more of the house
        quem = ""
    chosen = request.cookies.get(cookie_name(request, _THEME_COOKIE), "")
    return {
        "quem": quem,
        "iniciais": iniciais(quem),
        "papel": papel,
        "papel_em_palavras": PAPEIS_PALAVRAS[papel].nome if papel else "",
        "areas": areas_of(scope, casa=state_of(request).container.organizacoes.casa) if scope else (),
        "esperas": _waiting(request),
        "aqui": request.url.path,
        "conta": _ACCOUNT if scope else "",
        "avisada": visita is not None and visita.avisada and visita.falta is None and request.url.path != _ACCOUNT,
        "tema": chosen if chosen in _THEMES else "",
        "feito": feito_of(request) if scope else "",
        "csrf": csrf.token_of(request) if scope else "",
        "request_id": request_id_of(request),
    }


def _waiting(request: Request) -> dict[str, int]:
    """How many wait at a place of the navigation, by its address."""
    scope = find_scope(request)
    if scope is None or not may_open(scope, _RECEPTION):
        return {}
    fila = state_of(request).conversas.recepcao.fila(scope.tenant_id)
    return {_RECEPTION: sum(espera.atendente is None for espera in fila)}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("crivo.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["static"] = address_of
    environment.filters.update(FILTROS, problema_visto=ProblemaVisto.of)
    return environment
