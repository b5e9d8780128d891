"""Other people's text inside a prompt: between marks with a number that nobody outside can know, so that it cannot end them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Protocol

from crivo.kernel.llm.port import Dado, Parte

_ANY_NONCE = ""


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def digest(self) -> bytes: ...


def new_nonce() -> str:
    """A number for the marks of some questions; those that share a beginning share it."""
    return secrets.token_hex(8)


def render(partes: Iterable[Parte], nonce: str) -> str:
    """The parts as one text, each `Dado` between its marks."""
    return "\n\n".join(parte if isinstance(parte, str) else _marked(parte, nonce) for parte in partes)


def content_digest(partes: Iterable[Parte]) -> bytes:
    """SHA-256 of what is asked, the same under any nonce."""
    return _hashed(sha256(), partes)


def content_secret(partes: Iterable[Parte]) -> bytes:
    """What only whoever has the content can tell, of which `content_digest` says nothing: what seals the answer to it."""
    return _hashed(sha256(b"crivo.segredo.1"), partes)


def _hashed(hashed: _Hash, partes: Iterable[Parte]) -> bytes:
    for parte in partes:
        kind, text = ("d", _marked(parte, _ANY_NONCE)) if isinstance(parte, Dado) else ("t", parte)
        encoded = text.encode()
        hashed.update(f"{kind}{len(encoded)}:".encode())
        hashed.update(encoded)
    return hashed.digest()


def _marked(dado: Dado, nonce: str) -> str:
    return f"<dado {nonce} {dado.rotulo}>\n{dado.texto}\n</dado {nonce}>"
