"""What keeps the secrets of second factors from whoever reads the database or its backups: a key outside of both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar, Final, Protocol

from crivo.kernel.errors import CrivoError, Kind

_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class SeloErrado(CrivoError):
    """The key at hand did not seal what is stored, or cannot be read."""

    codigo: ClassVar[str] = "chave_do_segundo_fator_errada"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O segundo fator não pôde ser conferido"


class Selo(Protocol):
    """Seals a value into a place, which it cannot be moved from."""

    def seal(self, nome: str, plain: bytes) -> bytes:
        """The value, sealed into that place."""
        ...

    def open(self, nome: str, stored: bytes) -> bytes:
        """The value that was sealed into that place."""
        ...


class SeloDeArquivo:
    """AES-256-GCM under a key in a file that nobody else may read; made where there is none. Servers of one database share the file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def seal(self, nome: str, plain: bytes) -> bytes:
        """The value, sealed into that place."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE_BYTES)
        return nonce + AESGCM(self._key()).encrypt(nonce, plain, nome.encode())

    def open(self, nome: str, stored: bytes) -> bytes:
        """The value that was sealed into that place. Raises SeloErrado."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            return AESGCM(self._key()).decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], nome.encode())
        except InvalidTag:
            raise self._wrong() from None

    def _key(self) -> bytes:
        try:
            key = self._path.read_bytes() if self._path.exists() else self._made()
        except OSError:
            raise self._wrong() from None
        if len(key) != _KEY_BYTES:
            raise self._wrong()
        return key

    def _made(self) -> bytes:
        """A new key, there at once and whole; of two who make one, both take the first."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._path.with_name(f"{self._path.name}.{os.urandom(8).hex()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, os.urandom(_KEY_BYTES))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        try:
            os.link(draft, self._path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return self._path.read_bytes()

    def _wrong(self) -> SeloErrado:
        return SeloErrado(f"A chave em {self._path} não é a que guardou os segundos fatores. Traga-a de volta, ou tire e refaça cada um.")
