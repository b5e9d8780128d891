"""Who may speak to a clinic: from an address that is its own, with a token that was made for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import nullcontext
from typing import Final

import msgspec
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from crivo.clinicas.clinica.tokens import Bearer, Refused, Verifier
from crivo.kernel.rastros import TRACEPARENT, known, read_trace_id

BEARER: Final = "crivo.clinicas.bearer"  # where the request's scope says who holds its token
_SCHEME: Final = "bearer"


class Gate:
    """Lets a request through to `inner` once its Host, Origin and token are right; otherwise answers 421, 403 or 401."""

    def __init__(self, inner: ASGIApp, verifier: Verifier, hosts: Collection[str]) -> None:
        self._inner = inner
        self._verifier = verifier
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
        held = self._bearer(request)
        if not isinstance(held, Bearer):
            await _unauthenticated(held, self._verifier.clinic_id)(scope, receive, send)
            return
        trace_id = read_trace_id(request.headers.get(TRACEPARENT, ""))
        with known(trace_id=trace_id) if trace_id else nullcontext():
            await self._inner({**scope, BEARER: held}, receive, send)

    def _bearer(self, request: Request) -> Bearer | Refused:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self._verifier.of(token.strip()) if scheme.lower() == _SCHEME else "invalida"


def _with_ports(names: Iterable[str]) -> list[str]:
    return [pattern for name in names for pattern in (name, f"{name}:*")]


def _unauthenticated(refused: Refused, clinic_id: str) -> Response:
    what = "Esta chave venceu." if refused == "vencida" else "Esta clínica atende apenas com uma chave feita para ela."
    told = {
        "codigo": "nao_autenticado",
        "message": f"{what} Faça uma com `crivo clinicas token {clinic_id}` e envie Authorization: Bearer <chave>.",
    }
    return Response(msgspec.json.encode(told), 401, {"WWW-Authenticate": "Bearer"}, "application/json")
