"""A CPF as an account keeps it: sealed, and known again by a keyed digest. The one file here that calls `cryptography`.

The key is a file of the installation, for its owner's eyes. Source: NIST SP 800-38D.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from stdnum.br import cpf as check

from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

RandomBytes = Callable[[int], bytes]

_NAME: Final = "contas-de-pacientes.chave"
_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_OWNER_ONLY: Final = 0o600


class ChaveDasContasErrada(CrivoError):
    """The key of the patients' accounts is away, damaged, or not the one that they were sealed under."""

    codigo: ClassVar[str] = "chave_das_contas_errada"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "As contas de pacientes não abrem"


class CofreDeCpf:
    """Seals and opens the CPFs of one installation."""

    def __init__(self, key: bytes, random_bytes: RandomBytes = os.urandom) -> None:
        self._key = key
        self._random_bytes = random_bytes

    @classmethod
    def at(cls, folder: Path, random_bytes: RandomBytes = os.urandom) -> CofreDeCpf:
        """The keeper of an installation's folder, with a key made now if there is none. Raises ChaveDasContasErrada."""
        path = folder / _NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Whoever comes second reads what the first one made.
            with suppress(FileExistsError):
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER_ONLY)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(random_bytes(_KEY_BYTES))
            key = path.read_bytes()
        except OSError as error:
            raise ChaveDasContasErrada(f"Não foi possível ler {path}: {error.strerror}. Confira as permissões.") from None
        if len(key) != _KEY_BYTES:
            raise ChaveDasContasErrada(f"O arquivo {path} está danificado. Devolva o que estava lá, da sua cópia de segurança.")
        return cls(key, random_bytes)

    def digest(self, tenant_id: str, digits: str) -> bytes:
        """By which a CPF is known again in a tenant; it tells nobody the CPF."""
        return hmac.digest(self._derived("resumo"), f"{tenant_id}\0{digits}".encode(), "sha256")

    def seal(self, place: str, digits: str) -> bytes:
        """A CPF sealed into its place, which is whose account of which tenant."""
        nonce = self._random_bytes(_NONCE_BYTES)
        return nonce + self._cipher().encrypt(nonce, digits.encode(), place.encode())

    def open(self, place: str, sealed: bytes) -> str:
        """The CPF in that place, in eleven digits. Raises ChaveDasContasErrada."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher().decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], place.encode()).decode()
        except (InvalidTag, ValueError):
            raise ChaveDasContasErrada("A chave das contas de pacientes não é a que estava aqui. Devolva-a e tente de novo.") from None

    def _cipher(self) -> AESGCM:
        # Here, since it takes a while to load, and most commands seal nothing.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._derived("cifra"))

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self._key, f"crivo.contas.{purpose}".encode(), "sha256")


def cpf_digits(text: str) -> str | None:
    """The eleven digits of a valid CPF, with or without points; None for what is none."""
    digits = "".join(char for char in text if char not in ".-/ ")
    return digits if digits.isdecimal() and digits.isascii() and len(set(digits)) > 1 and check.is_valid(digits) else None
