"""Ed25519, as the library `cryptography` does it: whoever has the public half holds what was signed against it, and can sign nothing.

Source: RFC 8032; keys in PEM as RFC 8410 writes them, so that other programs read them too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

SEED_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Publica:
    """A public key, which verifies."""

    _key: Ed25519PublicKey = field(repr=False)

    @classmethod
    def of_pem(cls, pem: bytes) -> Publica | None:
        """The key that a PEM holds; None where it holds none of Ed25519."""
        try:
            key = load_pem_public_key(pem)
        except ValueError:
            return None
        return cls(key) if isinstance(key, Ed25519PublicKey) else None

    def pem(self) -> bytes:
        """The key as text that other programs read."""
        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether the message was signed with the private half, and not touched since."""
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Assinante:
    """A private key, which signs."""

    _key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of_seed(cls, seed: bytes) -> Assinante:
        """The key of 32 secret bytes."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def publica(self) -> Publica:
        """The half that may be given away."""
        return Publica(self._key.public_key())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self._key.sign(message)
