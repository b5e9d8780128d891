"""Letters over SMTP, as the library `aiosmtplib` speaks it: the one file that calls it. Source: RFC 5321; RFC 3207; RFC 8314."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

import aiosmtplib

from crivo.kernel.cartas.guardada import Falha, Via
from crivo.kernel.cartas.saida import Envelope, NaoEntregue
from crivo.kernel.enderecos import is_loopback, read_host

Cifra = Literal["nenhuma", "starttls", "tls"]
_SCHEMES: Final[dict[str, tuple[Cifra, int]]] = {"smtp": ("nenhuma", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465)}
_STEP_SECONDS: Final = 30.0
_WHOLE_SECONDS: Final = 120.0  # less than the lease of a letter, so that nobody else sends it meanwhile
_PERMANENT: Final = 500


@dataclass(frozen=True, slots=True)
class Servidor:
    """A server that takes letters, and as whom one enters there."""

    host: str
    porta: int
    cifra: Cifra
    usuario: str = field(default="", repr=False)
    senha: str = field(default="", repr=False)


def read_servidor(url: str) -> Servidor:
    """A server by its address, as `smtp+starttls://usuario:senha@servidor:587`. Raises ValueError, which never repeats the address.

    A password goes over a connection that is not encrypted to this machine alone.
    """
    try:
        parts = urlsplit(url.strip())
        porta = parts.port
    except ValueError:
        raise ValueError("não é o endereço de um servidor de e-mail") from None
    host = read_host(parts.netloc.rpartition("@")[2])
    if parts.scheme not in _SCHEMES or host is None or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError("não é o endereço de um servidor de e-mail")
    cifra, usual = _SCHEMES[parts.scheme]
    usuario, senha = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(usuario) != bool(senha):
        raise ValueError("tem usuário sem senha, ou senha sem usuário")
    if usuario and cifra == "nenhuma" and not is_loopback(host):
        raise ValueError("mandaria a senha sem cifra")
    return Servidor(host, porta or usual, cifra, usuario, senha)


class Smtp:
    """Hands each letter to a server, over a connection of its own."""

    via: Final[Via] = "smtp"

    def __init__(self, servidor: Servidor, step_seconds: float = _STEP_SECONDS) -> None:
        self._servidor = servidor
        self._step_seconds = step_seconds

    async def send(self, envelope: Envelope) -> None:
        """Hand a letter over. Raises NaoEntregue, which says nothing of what the server said but its code."""
        try:
            async with asyncio.timeout(_WHOLE_SECONDS):
                await self._send(envelope)
        except NaoEntregue:
            raise
        except aiosmtplib.SMTPAuthenticationError as error:
            raise NaoEntregue("entrada_recusada", passa=True, resposta=error.code) from error  # whoever runs it mends it meanwhile
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = error.recipients[0].code
            raise _answered(code, "destinatario_recusado") from error
        except aiosmtplib.SMTPResponseException as error:
            raise _answered(error.code, "mensagem_recusada") from error
        except (aiosmtplib.SMTPNotSupported, ssl.SSLError) as error:
            raise NaoEntregue("sem_cifra", passa=True) from error
        except TimeoutError as error:
            raise NaoEntregue("demorou", passa=True) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise NaoEntregue("sem_conexao", passa=True) from error

    async def _send(self, envelope: Envelope) -> None:
        servidor = self._servidor
        client = aiosmtplib.SMTP(
            hostname=servidor.host,
            port=servidor.porta,
            local_hostname=envelope.de.rpartition("@")[2],
            timeout=self._step_seconds,
            use_tls=servidor.cifra == "tls",
            start_tls=False,  # begun below, where it is told from other failures
        )
        try:
            await client.connect()
            await client.ehlo()
            if servidor.cifra == "starttls":
                if not client.supports_extension("starttls"):
                    raise NaoEntregue("sem_cifra", passa=True)
                await client.starttls()
            if servidor.usuario:
                await client.login(servidor.usuario, servidor.senha)
            await client.sendmail(envelope.de, [envelope.para], envelope.mensagem)
        finally:
            client.close()  # once the letter is theirs, a goodbye that fails would only have it sent again


def _answered(code: int, falha: Falha) -> NaoEntregue:
    """By the reply code: 5yz is for good, 4yz of the moment. Source: RFC 5321, 4.2.1."""
    return (
        NaoEntregue(falha, passa=False, resposta=code) if code >= _PERMANENT else NaoEntregue("servidor_ocupado", passa=True, resposta=code)
    )
