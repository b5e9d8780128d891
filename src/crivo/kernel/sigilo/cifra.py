"""AES-256-GCM, as the library `cryptography` does it: the one file that calls it for what is stored.

A sealed value says nothing but that it is one: a mark, a random nonce of 96 bits, and the ciphertext with its tag. It opens only
under its own key and in its own place. Source: NIST SP 800-38D; RFC 5869 for derived keys.
"""

from __future__ import annotations

import hmac
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from crivo.kernel.sigilo.erros import DadosViolados

KEY_BYTES: Final = 32
RandomBytes = Callable[[int], bytes]

_MARK: Final = b"\x00cs1"  # no JSON, text or file that is kept in the clear begins so
_TEXT_MARK: Final = "cs1:"
_NONCE_BYTES: Final = 12
_HEAD: Final = len(_MARK) + _NONCE_BYTES


@dataclass(frozen=True, slots=True)
class Chave:
    """A key in use. `lugar` is what every value is bound to beside its own name: whose it is and in which row."""

    lugar: str
    _cipher: AESGCM = field(repr=False, compare=False)
    _random: RandomBytes = field(default=os.urandom, repr=False, compare=False)

    @classmethod
    def of(cls, secret: bytes, lugar: str, random_bytes: RandomBytes = os.urandom) -> Chave:
        """The key of 32 secret bytes."""
        return cls(lugar, AESGCM(secret), random_bytes)

    def seal(self, nome: str, plain: bytes) -> bytes:
        """The value sealed into the place of that name, as in `autorizacoes.trilha`."""
        nonce = self._random(_NONCE_BYTES)
        return _MARK + nonce + self._cipher.encrypt(nonce, plain, self._bound(nome))

    def open(self, nome: str, stored: bytes) -> bytes:
        """The value in that place; one that was stored before there were keys is as it stands. Raises DadosViolados."""
        if not is_sealed(stored):
            return stored
        try:
            return self._cipher.decrypt(stored[len(_MARK) : _HEAD], stored[_HEAD:], self._bound(nome))
        except (InvalidTag, ValueError):
            raise DadosViolados from None

    def seal_text(self, nome: str, plain: str) -> str:
        """`seal`, for columns of text."""
        return _TEXT_MARK + b64encode(self.seal(nome, plain.encode())).decode()

    def open_text(self, nome: str, stored: str) -> str:
        """`open`, for columns of text."""
        return self.open(nome, b64decode(stored[len(_TEXT_MARK) :])).decode() if is_sealed_text(stored) else stored

    def open_each(self, tenant_id: str, nome: str, kept: Iterable[tuple[str, bytes, bytes]]) -> list[bytes]:
        """Values of one name, each under a key of its own: a record, its key as this one wrapped it, and the value. Raises DadosViolados.

        No key is kept, nor made into a `Chave`: of thousands at once that took three times as long.
        """
        unwrap, around, mark, opened = self._cipher.decrypt, self.lugar, len(_MARK), []
        try:
            for registro, embrulhada, stored in kept:
                if not (embrulhada.startswith(_MARK) and stored.startswith(_MARK)):
                    raise DadosViolados
                secret = unwrap(embrulhada[mark:_HEAD], embrulhada[_HEAD:], f"{around}|{registro}".encode())
                bound = f"{tenant_id}|{registro}|{nome}".encode()
                opened.append(AESGCM(secret).decrypt(stored[mark:_HEAD], stored[_HEAD:], bound))
        except (InvalidTag, ValueError):
            raise DadosViolados from None
        return opened

    def _bound(self, nome: str) -> bytes:
        return f"{self.lugar}|{nome}".encode()


def is_sealed(stored: bytes) -> bool:
    """Whether a stored value is a sealed one."""
    return stored[: len(_MARK)] == _MARK


def is_sealed_text(stored: str) -> bool:
    """Whether a stored text is a sealed one."""
    return stored.startswith(_TEXT_MARK)


def derived(secret: bytes, purpose: str) -> bytes:
    """A key of its own for a purpose, 32 bytes, that tells nothing of the secret nor of any other. Source: RFC 5869, one block."""
    extracted = hmac.digest(b"crivo.sigilo.1", secret, "sha256")
    return hmac.digest(extracted, purpose.encode() + b"\x01", "sha256")
