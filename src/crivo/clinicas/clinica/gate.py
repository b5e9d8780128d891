"""Who may speak to a clinic: from an address that is its own, with one of its tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import msgspec
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from crivo.clinicas.clinica.tokens import Role, Tokens

ROLE: Final = "crivo.clinicas.role"  # where the request's scope says which role its token proved
_SCHEME: Final = "bearer"


class Gate:
    """Lets a request through to `inner` once its Host, Origin and token are right; otherwise answers 421, 403 or 401."""

    def __init__(self, inner: ASGIApp, tokens: Tokens, hosts: Collection[str]) -> None:
        self._inner = inner
        self._tokens = tokens
        self._security = TransportSecurityMiddleware(
            TransportSecuritySettings(
                allowed_hosts=_with_ports(hosts),
                allowed_origins=_with_ports(f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")),
            )
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        request = Request(scope)
        refused = await self._security.validate_request(request)
        if refused is not None:
            await refused(scope, receive, send)
            return
        role = self._role(request)
        if role is None:
            await _unauthenticated()(scope, receive, send)
            return
        await self._inner({**scope, ROLE: role}, receive, send)

    def _role(self, request: Request) -> Role | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self._tokens.role_of(token.strip()) if scheme.lower() == _SCHEME else None


def _with_ports(names: Iterable[str]) -> list[str]:
    return [pattern for name in names for pattern in (name, f"{name}:*")]


def _unauthenticated() -> Response:
    told = {"codigo": "nao_autenticado", "message": "Esta clínica atende apenas com a chave dela: envie Authorization: Bearer <chave>."}
    return Response(msgspec.json.encode(told), 401, {"WWW-Authenticate": "Bearer"}, "application/json")
