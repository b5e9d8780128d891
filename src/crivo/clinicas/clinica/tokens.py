"""The two bearer tokens of a clinic, one for each role; made at its first start, and kept in its own folder."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from crivo.clinicas.clinica.errors import ClinicaSemChaves
from crivo.clinicas.clinica.folder import ClinicFolder, write_private

Role = Literal["atendimento", "operador"]
RandomBytes = Callable[[int], bytes]

_SECRET_BYTES: Final = 32


class Tokens(msgspec.Struct, frozen=True):
    """What each role proves itself by; `operador` may also read a patient's record."""

    atendimento: str
    operador: str

    def role_of(self, token: str) -> Role | None:
        """The role that a token proves, in a time that does not tell how near it is to a right one."""
        given = token.encode("utf-8", "replace")
        # Both are always compared.
        is_atendimento = hmac.compare_digest(given, self.atendimento.encode())
        is_operador = hmac.compare_digest(given, self.operador.encode())
        if is_operador:
            return "operador"
        return "atendimento" if is_atendimento else None

    def __repr__(self) -> str:
        return "Tokens(...)"


def ensure_tokens(folder: ClinicFolder, random_bytes: RandomBytes) -> Tokens:
    """The clinic's tokens, made now if it has none; call it under the folder's lock."""
    if folder.tokens.exists():
        return read_tokens(folder)
    tokens = Tokens(random_bytes(_SECRET_BYTES).hex(), random_bytes(_SECRET_BYTES).hex())
    write_private(folder.tokens, msgspec.json.encode(tokens))
    return tokens


def read_tokens(folder: ClinicFolder) -> Tokens:
    """The clinic's tokens. Raises ClinicaSemChaves where there are none yet, or none that can be read."""
    try:
        tokens = msgspec.json.decode(folder.tokens.read_bytes(), type=Tokens)
    except OSError:
        raise ClinicaSemChaves(f"Não há chaves em {folder.tokens}. Suba a clínica uma vez com `crivo clinicas subir`.") from None
    except msgspec.MsgspecError:
        raise ClinicaSemChaves(
            f"O arquivo {folder.tokens} está danificado. Apague-o e suba a clínica de novo para criar outras chaves."
        ) from None
    if not (tokens.atendimento and tokens.operador):  # an empty token would let in a request that has none
        raise ClinicaSemChaves(f"O arquivo {folder.tokens} tem chave vazia. Apague-o e suba a clínica de novo para criar outras chaves.")
    return tokens
