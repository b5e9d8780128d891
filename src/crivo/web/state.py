"""What the application holds while it runs, and what each request has learnt so far."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from crivo.bootstrap import Container
from crivo.clinicas.conversas import Conversas
from crivo.kernel.access import Escopo, Porteiro, Sessoes
from crivo.kernel.tenancy import Scope
from crivo.web.edge import REQUEST_ID, TENANT
from crivo.web.limiter import Limiter
from crivo.web.metrics import Metrics

_SCOPE = "crivo.scope"
_ESCOPOS = "crivo.escopos"


@dataclass(frozen=True, slots=True)
class WebState:
    """The use cases and the doorkeepers of one running application."""

    container: Container
    conversas: Conversas
    porteiro: Porteiro
    sessoes: Sessoes
    limiter: Limiter
    metrics: Metrics

    @classmethod
    def over(cls, container: Container, conversas: Conversas, metrics: Metrics) -> WebState:
        """The state over an open container."""
        return cls(
            container,
            conversas,
            Porteiro(container.database, container.clock),
            Sessoes(container.database, container.clock),
            Limiter(container.settings.limite_por_minuto),
            metrics,
        )


def state_of(request: Request) -> WebState:
    """The state of the application that serves a request."""
    state: WebState = request.app.state.web
    return state


def enter(request: Request, scope: Scope, escopos: frozenset[Escopo] = frozenset()) -> None:
    """Note who is acting, once it is known, and what their key may do."""
    request.scope[_SCOPE] = scope
    request.scope[_ESCOPOS] = escopos
    request.scope[TENANT] = scope.tenant_id


def scope_of(request: Request) -> Scope:
    """Who is acting. Raises LookupError on a public address, where nobody is known."""
    scope: Scope = request.scope[_SCOPE]
    return scope


def escopos_of(request: Request) -> frozenset[Escopo]:
    """What the key of whoever is acting may do; nothing for a person, who has none. Raises LookupError on a public address."""
    escopos: frozenset[Escopo] = request.scope[_ESCOPOS]
    return escopos


def find_scope(request: Request) -> Scope | None:
    """Who is acting, or None where nobody is known."""
    scope: Scope | None = request.scope.get(_SCOPE)
    return scope


def request_id_of(request: Request) -> str:
    """The id under which the log knows this request."""
    return str(request.scope.get(REQUEST_ID, ""))
