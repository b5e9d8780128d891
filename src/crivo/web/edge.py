"""The outermost layer of every request: its id, the headers that every answer carries, the log line, the metrics, and the last resort."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crivo.kernel.logs import logger
from crivo.kernel.rastros import Trecho, known, span
from crivo.web.metrics import METHODS, OTHER_METHOD, Metrics
from crivo.web.pace import RITMO, Paced, Ritmo

REQUEST_ID: Final = "crivo.request_id"
TENANT: Final = "crivo.tenant"
CODIGO: Final = "crivo.codigo"
HELD: Final = "crivo.held"
_SANE_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_CLIENT_GONE: Final = 499
_SERVER_FAULT: Final = 500
_EVENTS: Final = b"text/event-stream"
_UNMATCHED: Final = "(nenhuma)"

CSP: Final = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
SECURITY_HEADERS: Final = (
    (b"content-security-policy", CSP.encode()),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # 'no-referrer' would make browsers send 'Origin: null' with our own forms.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_STRICT_TRANSPORT: Final = (b"strict-transport-security", b"max-age=31536000")

LastResort = Callable[[Request], Awaitable[Response]]


class Edge:
    """Pure ASGI: no task and no queue of its own stands between the server and the application."""

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        last_resort: LastResort,
        new_request_id: Callable[[], str],
        ticks: Callable[[], float],
        ritmo: Ritmo = RITMO,
    ) -> None:
        """`ticks` are seconds of a clock that only goes forward."""
        self._app = app
        self._metrics = metrics
        self._last_resort = last_resort
        self._new_request_id = new_request_id
        self._ticks = ticks
        self._ritmo = ritmo

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; whatever goes wrong, the client gets an answer without a trace."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope[REQUEST_ID] = _sane_id(scope) or self._new_request_id()
        method = scope["method"] if scope["method"] in METHODS else OTHER_METHOD
        with known(request_id=request_id), span(method, "servidor", _traceparent(scope), http__request__method=method) as trecho:
            await self._serve(scope, receive, send, request_id, trecho)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, request_id: str, trecho: Trecho) -> None:
        started = self._ticks()
        always = (*SECURITY_HEADERS, _STRICT_TRANSPORT) if scope["scheme"] == "https" else SECURITY_HEADERS
        status, listened = 0, False
        held = scope[HELD] = ExitStack()
        paced = Paced(receive, self._ritmo, self._ticks)

        async def dress(message: Message) -> None:
            nonlocal status, listened
            if message["type"] == "http.response.start":
                status = message["status"]
                stated = [*message["headers"], (b"x-request-id", request_id.encode())]
                listened = any(name == b"content-type" and value.startswith(_EVENTS) for name, value in message["headers"])
                names = {name for name, _ in stated}
                message["headers"] = stated + [header for header in always if header[0] not in names]
            await send(message)

        try:
            await self._app(scope, paced, dress)
        except ClientDisconnect:
            status = status or _CLIENT_GONE
        except Exception:
            logger.exception("falha_inesperada", extra={"request_id": request_id, "rota": _route(scope), "metodo": scope["method"]})
            if status:
                raise  # part of an answer has left already: only breaking the connection tells the client
            await (await self._last_resort(Request(scope, receive)))(scope, receive, dress)
        finally:
            held.close()
            self._record(scope, request_id, status, self._ticks() - started, trecho, listened=listened)

    def _record(self, scope: Scope, request_id: str, status: int, seconds: float, trecho: Trecho, *, listened: bool) -> None:
        route = _route(scope)
        _tell(trecho, scope, route, status)
        self._metrics.answered(scope["method"], route, status, None if listened else seconds)
        fields = {
            "request_id": request_id,
            "rota": route,
            "metodo": scope["method"],
            "status": status,
            "duracao_ms": round(seconds * 1000, 3),
            "tenant": scope.get(TENANT),
        }
        if CODIGO in scope:
            fields["codigo"] = scope[CODIGO]
        logger.info("requisicao_atendida", extra=fields)


def _tell(trecho: Trecho, scope: Scope, route: str, status: int) -> None:
    """What a span says of a request: its method, the template of its address, how it ended."""
    trecho.rename(f"{scope['method'] if scope['method'] in METHODS else OTHER_METHOD} {route}")
    trecho.note("http.route", route)
    trecho.note("http.response.status_code", status)
    if status >= _SERVER_FAULT:
        trecho.fail(scope.get(CODIGO) or str(status))


def _traceparent(scope: Scope) -> str | None:
    """The span of whoever asks, where they tell one."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"traceparent"), None)


def _sane_id(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            return value.decode() if _SANE_ID.fullmatch(value) else None
    return None


def _route(scope: Scope) -> str:
    """The template of the address: the address itself may hold what must not be kept."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else _UNMATCHED
