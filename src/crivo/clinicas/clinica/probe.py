"""Whether a clinic answers: one ping with a token of its own, said to nobody but the clinic."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import socket
import ssl
from contextlib import ExitStack
from typing import Final
from urllib.parse import urlsplit

import msgspec

from crivo.clinicas.caminho import Local, Tls, Way
from crivo.clinicas.clinica.errors import ClinicaSemChaves
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import read_keys
from crivo.clinicas.clinica.tokens import sign
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import Clock, SystemClock

_SECONDS: Final = 2.0
_PING: Final = msgspec.json.encode({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
_OK: Final = 200
_HTTPS: Final = 443
_HERE: Final = "127.0.0.1"


def answers(clinica: Clinica, folder: ClinicFolder, way: Way, clock: Clock | None = None) -> bool:
    """Whether the clinic of that folder answers on that way, within two seconds."""
    try:
        address = urlsplit(clinica.url)
        token = sign(read_keys(folder).atual, clinica.id, "atendimento", (clock or SystemClock()).now())
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        with ExitStack() as stack:
            # At its own door a clinic is asked by its own name, whatever those outside call it: behind what speaks TLS for it they do.
            named = _HERE if isinstance(way, Local) else address.hostname or ""
            connection = http.client.HTTPConnection(named, address.port, timeout=_SECONDS)
            connection.sock = stack.enter_context(_connected(way, address.hostname or "", address.port or _HTTPS))
            connection.request("POST", address.path, _PING, headers)
            return connection.getresponse().status == _OK
    except (ClinicaSemChaves, OSError, ValueError, http.client.HTTPException):
        return False


def _connected(way: Way, host: str, port: int) -> socket.socket:
    """A connection to whoever was proven to be the clinic. Raises OSError."""
    match way:
        case Local():
            return _at_door(way)
        case Tls(impressao):
            return _by_tls(impressao, host, port)


def _at_door(door: Local) -> socket.socket:
    if not door.is_private():
        raise PermissionError
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connected.settimeout(_SECONDS)
        with door.address() as address:
            connected.connect(address)
    except OSError:
        connected.close()
        raise
    return connected


def _by_tls(impressao: bytes | None, host: str, port: int) -> socket.socket:
    context = ssl.create_default_context()
    if impressao is not None:  # this one certificate is trusted, whoever signed it and whatever it is for
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    connected = context.wrap_socket(socket.create_connection((host, port), _SECONDS), server_hostname=host)
    shown = hashlib.sha256(connected.getpeercert(binary_form=True) or b"").digest()
    if impressao is not None and not hmac.compare_digest(shown, impressao):
        connected.close()
        raise ssl.SSLCertVerificationError
    return connected
