"""Templates into pages. Everything that is put into one is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from crivo.web.pages import csrf
from crivo.web.pages.static import address_of
from crivo.web.state import find_scope, papel_of, quem_of, request_id_of


def page(request: Request, template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    """A page out of a template; the signed-in person and the form token are there for every one."""
    scope = find_scope(request)
    ambient = {
        "quem": quem_of(request),
        "papel": papel_of(request),
        "csrf": csrf.token_of(request) if scope else "",
        "request_id": request_id_of(request),
    }
    return HTMLResponse(_environment().get_template(template).render(ambient | values), status, headers)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("crivo.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["static"] = address_of
    return environment
