"""A form that is being filled in, kept by the browser itself and legible to nobody there: sealed for one session. Pure.

It lets every page of the form be one that is opened, and not one that was sent: the way back asks for nothing to be sent again.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.sigilo import Chave, DadosViolados, is_sealed

FINALIDADE: Final = "formulario"
MAIS_LONGO: Final = 3_600
"""Characters that a sealed one may have: browsers keep cookies of 4,096 bytes, the name and what is said of it included."""


class Rascunho(msgspec.Struct, frozen=True, array_like=True):
    """The form `chave` as it stands: what is typed, what was asked for last, and why it was refused, where it was.

    `enviada` is the decision that it led to; then nothing else of it is kept.
    """

    chave: str
    campos: dict[str, str] = {}
    documentos: tuple[str, ...] = ()
    recusa: str = ""
    mensagem: str = ""
    faltas: dict[str, str] = {}
    enviada: UUID | None = None


def seal_rascunho(chave: Chave, sessao: str, rascunho: Rascunho) -> str | None:
    """The form as a text that only this session's pages open; None where it is too long for a cookie."""
    sealed = urlsafe_b64encode(chave.seal(_place(sessao), zlib.compress(msgspec.msgpack.encode(rascunho), 9))).decode()
    return sealed if len(sealed) <= MAIS_LONGO else None


def open_rascunho(chave: Chave, sessao: str, guardado: str) -> Rascunho | None:
    """The form that a text holds; None where it holds none, or one of another session."""
    try:
        sealed = urlsafe_b64decode(guardado.encode())
        return msgspec.msgpack.decode(zlib.decompress(chave.open(_place(sessao), sealed)), type=Rascunho) if is_sealed(sealed) else None
    except (binascii.Error, ValueError, DadosViolados, zlib.error, msgspec.DecodeError):
        return None


def _place(sessao: str) -> str:
    return f"rascunho|{sessao}"
