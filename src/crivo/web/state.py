"""What the application holds while it runs, and what each request has learnt so far."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from crivo.bootstrap import Container
from crivo.kernel.access import Porteiro, Sessoes
from crivo.kernel.tenancy import Scope
from crivo.web.edge import REQUEST_ID, TENANT
from crivo.web.limiter import Limiter
from crivo.web.metrics import Metrics

_SCOPE = "crivo.scope"


@dataclass(frozen=True, slots=True)
class WebState:
    """The use cases and the doorkeepers of one running application."""

    container: Container
    porteiro: Porteiro
    sessoes: Sessoes
    limiter: Limiter
    metrics: Metrics

    @classmethod
    def over(cls, container: Container, metrics: Metrics) -> WebState:
        """The state over an open container."""
        return cls(
            container,
            Porteiro(container.database, container.clock),
            Sessoes(container.database, container.clock),
            Limiter(container.settings.limite_por_minuto),
            metrics,
        )


def state_of(request: Request) -> WebState:
    """The state of the application that serves a request."""
    state: WebState = request.app.state.web
    return state


def enter(request: Request, scope: Scope) -> None:
    """Note who is acting, once it is known."""
    request.scope[_SCOPE] = scope
    request.scope[TENANT] = scope.tenant_id


def scope_of(request: Request) -> Scope:
    """Who is acting. Raises LookupError on a public address, where nobody is known."""
    scope: Scope = request.scope[_SCOPE]
    return scope


def find_scope(request: Request) -> Scope | None:
    """Who is acting, or None where nobody is known."""
    scope: Scope | None = request.scope.get(_SCOPE)
    return scope


def request_id_of(request: Request) -> str:
    """The id under which the log knows this request."""
    return str(request.scope.get(REQUEST_ID, ""))
