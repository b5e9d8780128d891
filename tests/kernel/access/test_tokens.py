"""A bearer token is one of the system's own randomness, which only its owner can spell."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable
from typing import Any

import pytest

from crivo.kernel.access import Sessoes, create_chave
from crivo.kernel.access.tokens import Token, TokenKind, read_token


@pytest.mark.parametrize("kind", ["crv", "crl", "crs"])
def test_a_token_holds_256_bits_that_nobody_can_guess(kind: TokenKind) -> None:
    asked: list[int] = []

    def counted(size: int) -> bytes:
        asked.append(size)
        return secrets.token_bytes(size)

    token = Token.new(kind, "local", counted)
    assert asked[-1] * 8 == 256
    assert bytes.fromhex(token.secret) == bytes.fromhex(token.text.rpartition("_")[2])
    assert read_token(token.text, kind) == token
    assert token.secret not in repr(token)


@pytest.mark.parametrize("maker", [Sessoes.__init__, create_chave])
def test_the_randomness_of_tokens_is_the_systems(maker: Callable[..., Any]) -> None:
    assert inspect.signature(maker).parameters["random_bytes"].default is secrets.token_bytes
