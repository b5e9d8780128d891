"""Bearer tokens: a kind, the tenant, a public id and a 256-bit secret, of which only the digest is ever kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

TokenKind = Literal["crv", "crl", "crs"]  # an API key, a sign-in link, a browser session
RandomBytes = Callable[[int], bytes]

_ID_BYTES: Final = 8
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(r"(crv|crl|crs)_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([0-9a-f]{16})_([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Token:
    """A token taken apart; its secret stays out of every representation."""

    kind: TokenKind
    tenant_id: str
    id: str
    secret: str = field(repr=False)

    @classmethod
    def new(cls, kind: TokenKind, tenant_id: str, random_bytes: RandomBytes) -> Token:
        """A token that nobody else has."""
        return cls(kind, tenant_id, random_bytes(_ID_BYTES).hex(), random_bytes(_SECRET_BYTES).hex())

    @property
    def text(self) -> str:
        """What is handed to its owner, once."""
        return f"{self.kind}_{self.tenant_id}_{self.id}_{self.secret}"

    @property
    def digest(self) -> bytes:
        """What is kept of it: SHA-256, enough for a secret that nobody chose."""
        return digest_of(self.text)


def digest_of(text: str) -> bytes:
    """What is kept of a token's text."""
    return hashlib.sha256(text.encode()).digest()


def read_token(text: str, kind: TokenKind) -> Token | None:
    """The token that a text spells, or None where it is not one of that kind."""
    found = _TOKEN.fullmatch(text)
    if found is None or found[1] != kind:
        return None
    return Token(kind, found[2], found[3], found[4])
