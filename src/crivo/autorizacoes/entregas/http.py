"""Messages over HTTP: to an address that was looked at and to no other, in bounded time and memory. The one owner of `httpcore2` here.

A name is asked of DNS once for each try, what it leads to is looked at, and the connection goes to that very address: a name that leads
elsewhere a moment later changes nothing. Nothing is followed from there.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import httpcore2

from crivo.autorizacoes.entregas.contracts import Falha
from crivo.autorizacoes.entregas.endereco import Alvo, read_alvo
from crivo.autorizacoes.entregas.erros import DestinoInvalido
from crivo.autorizacoes.entregas.redes import is_named, may_reach
from crivo.autorizacoes.entregas.saida import Mensagem, Respondida, Resposta, SemResposta
from crivo.kernel.enderecos import Rede

WHOLE_SECONDS: Final = 15.0
_CONNECT_SECONDS: Final = 5.0
_ASK_SECONDS: Final = 2.0
_MOST_READ: Final = 16_384  # of an answer, and thrown away: it lets whoever answers end well
_MOST_ADDRESSES: Final = 4
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]


class _Recusado(Exception):
    """The name leads nowhere, or only to where nothing is sent."""

    def __init__(self, falha: Falha) -> None:
        super().__init__(falha)
        self.falha: Final = falha


async def resolve(host: str, porta: int) -> Sequence[str]:
    """The addresses of a host, as this machine is told them. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, porta, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]


async def where_it_leads(alvo: Alvo, redes: Sequence[Rede], *, resolver: Resolver = resolve, seconds: float = _ASK_SECONDS) -> Falha | None:
    """Why nothing would reach an address now, as far as its name says: it leads nowhere, or inside; None where it may be written to.

    A name that takes longer than `seconds` to be found says nothing.
    """
    try:
        async with asyncio.timeout(seconds):
            found = await resolver(alvo.host, alvo.porta)
    except TimeoutError:
        return None
    except (OSError, UnicodeError):
        return "sem_nome"
    cifrado = alvo.esquema == "https"
    return None if _allowed(found, redes, cifrado=cifrado) else "endereco_proibido" if found else "sem_nome"


def _allowed(found: Sequence[str], redes: Sequence[Rede], *, cifrado: bool) -> list[str]:
    """The addresses of a name that may be connected to."""
    return [one for one in found if may_reach(one, redes) and (cifrado or is_named(one, redes))]


class _Pinned(httpcore2.AsyncNetworkBackend):
    """Connects to addresses that were looked at."""

    def __init__(self, resolver: Resolver, redes: Sequence[Rede], *, cifrado: bool) -> None:
        self._resolver = resolver
        self._redes = redes
        self._cifrado = cifrado
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the library calls it
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Raises _Recusado where nothing may be sent to what the name leads to."""
        try:
            found = await self._resolver(host, port)
        except (OSError, UnicodeError):
            raise _Recusado("sem_nome") from None
        if not found:
            raise _Recusado("sem_nome")
        allowed = _allowed(found, self._redes, cifrado=self._cifrado)
        if not allowed:
            raise _Recusado("endereco_proibido")
        failed: Exception | None = None
        for address in allowed[:_MOST_ADDRESSES]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed or _Recusado("sem_nome")


class SaidaHttp:
    """Posts each message over a connection of its own."""

    def __init__(
        self,
        redes: Sequence[Rede],
        *,
        resolver: Resolver = resolve,
        contexto: ssl.SSLContext | None = None,
        whole_seconds: float = WHOLE_SECONDS,
    ) -> None:
        """`redes` are one's own networks that may be written to; `contexto` says which certificates are believed, by default those of the
        system.
        """
        self._redes = tuple(redes)
        self._resolver = resolver
        self._contexto = contexto
        self._whole_seconds = whole_seconds

    async def send(self, mensagem: Mensagem) -> Resposta:
        """Post a message; whatever happens is an answer, within `whole_seconds`."""
        try:
            alvo = read_alvo(mensagem.endereco, self._redes)
        except DestinoInvalido:  # the installation allows less than it did when the address was written
            return SemResposta("endereco_proibido")
        try:
            async with asyncio.timeout(self._whole_seconds):
                return await self._post(alvo, mensagem)
        except _Recusado as error:
            return SemResposta(error.falha)
        except (TimeoutError, httpcore2.TimeoutException):
            return SemResposta("demorou")
        except (httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
            return SemResposta("resposta_ilegivel")
        except (httpcore2.NetworkError, OSError) as error:
            return SemResposta("certificado" if _is_about_tls(error) else "sem_conexao")

    async def _post(self, alvo: Alvo, mensagem: Mensagem) -> Respondida:
        headers = [("host", alvo.autoridade), ("connection", "close"), *mensagem.cabecalhos.items()]
        backend = _Pinned(self._resolver, self._redes, cifrado=alvo.esquema == "https")
        extensions = {"timeout": {"connect": _CONNECT_SECONDS, "read": self._whole_seconds, "write": self._whole_seconds}}
        async with (
            httpcore2.AsyncConnectionPool(self._contexto, max_connections=1, network_backend=backend) as pool,
            pool.stream("POST", _url(alvo), headers=headers, content=mensagem.corpo, extensions=extensions) as answer,
        ):
            await _drain(answer, self._whole_seconds)
            return Respondida(answer.status)


async def _drain(answer: httpcore2.Response, seconds: float) -> None:
    """Let whoever answers say a little, and throw it away; what they take long over, or break off, changes no status."""
    read = 0
    try:
        async with asyncio.timeout(min(2.0, seconds / 4)):
            async for piece in answer.aiter_stream():
                read += len(piece)
                if read > _MOST_READ:
                    return
    except (TimeoutError, httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError):
        return


def _url(alvo: Alvo) -> httpcore2.URL:
    return httpcore2.URL(scheme=alvo.esquema, host=alvo.host, port=alvo.porta, target=alvo.alvo)


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
