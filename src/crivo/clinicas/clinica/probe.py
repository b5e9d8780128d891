"""Whether a clinic answers: one ping with its own token, so that no other program on the port is taken for it."""

from __future__ import annotations

import http.client
from typing import Final
from urllib.parse import urlsplit

import msgspec

from crivo.clinicas.clinica.errors import ClinicaSemChaves
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.tokens import read_tokens
from crivo.clinicas.registro import Clinica

_SECONDS: Final = 2.0
_PING: Final = msgspec.json.encode({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
_OK: Final = 200


def answers(clinica: Clinica, folder: ClinicFolder) -> bool:
    """Whether the clinic of that folder answers at its address, within two seconds."""
    address = urlsplit(clinica.url)
    try:
        token = read_tokens(folder).atendimento
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=_SECONDS)
        try:
            connection.request("POST", address.path, _PING, {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
            return connection.getresponse().status == _OK
        finally:
            connection.close()
    except (ClinicaSemChaves, OSError, http.client.HTTPException):
        return False
