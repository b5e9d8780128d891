"""Under which name, and from where, a request reaches the server: told by the settings, and by nobody who merely says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from crivo.kernel.enderecos import Rede, host_of, is_loopback, is_within, read_address, read_host
from crivo.kernel.errors import Kind
from crivo.web.problems import HttpError

# Probes ask by the number of a machine; what these two answer is the same under any name.
_PROBES: Final = frozenset({"/healthz", "/readyz"})

Refuse = Callable[[Request], Awaitable[Response]]


class HostDesconhecido(HttpError):
    """A request for a host that this server is not."""

    codigo: ClassVar[str] = "host_desconhecido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Endereço desconhecido"
    status: ClassVar[int] = 400

    def __init__(self) -> None:
        super().__init__(
            "Este servidor não atende pelo nome que foi pedido. Use o endereço que você recebeu; "
            "quem cuida da instalação acrescenta outros em CRIVO_ENDERECO_PUBLICO ou CRIVO_HOSTS."
        )


class BehindProxies:
    """Outermost of all: where a request comes from and how it was served are what the listed proxies say; nobody else is believed."""

    def __init__(self, app: ASGIApp, proxies: Sequence[Rede], endereco: str) -> None:
        self._app = app
        self._proxies = proxies
        # What is published over https is served over https, whatever stands between: its cookies are those of https.
        self._secure_host = host_of(endereco) if endereco.startswith("https://") else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, as it came to the first of the proxies."""
        if scope["type"] == "http":
            peer = scope["client"][0] if scope.get("client") else ""
            if is_within(peer, self._proxies):
                scope = dict(scope, client=(_first_stranger(_values(scope, b"x-forwarded-for"), peer, self._proxies), 0))
                if (said := _values(scope, b"x-forwarded-proto")) and said[-1] in {"http", "https"}:
                    scope["scheme"] = said[-1]
            if self._secure_host is not None and host_asked(scope) == self._secure_host:
                scope = dict(scope, scheme="https")
        await self._app(scope, receive, send)


class AllowedHosts:
    """Lets through what asks for a host that this server is: its public one, its machine's own, and those of the settings."""

    def __init__(self, app: ASGIApp, endereco: str, hosts: Sequence[str], refuse: Refuse) -> None:
        self._app = app
        self._hosts = frozenset({host_of(endereco), *hosts})
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it before anything of it is read."""
        if scope["type"] == "http" and scope["path"] not in _PROBES:
            host = host_asked(scope)
            if host is None or not (host in self._hosts or is_loopback(host)):
                await (await self._refuse(Request(scope, receive)))(scope, receive, send)
                return
        await self._app(scope, receive, send)


def host_asked(scope: Scope) -> str | None:
    """The host that a request asks for; None where it names none, several, or what is none."""
    said = [value for name, value in scope["headers"] if name == b"host"]
    return read_host(said[0].decode("latin-1")) if len(said) == 1 else None


def _first_stranger(chain: Sequence[str], peer: str, proxies: Sequence[Rede]) -> str:
    """Whom the outermost of the proxies spoke with: the last address of the chain that is not one of them."""
    nearest = peer
    for said in reversed(chain):
        address = read_address(said)
        if address is None:
            return nearest  # beyond what cannot be read, anybody may have written anything
        nearest = address
        if not is_within(address, proxies):
            return nearest
    return nearest


def _values(scope: Scope, wanted: bytes) -> list[str]:
    """The values of a header that may be given several times, and several at once."""
    said = b",".join(value for name, value in scope["headers"] if name == wanted).decode("latin-1")
    return [value.strip() for value in said.split(",") if value.strip()]
