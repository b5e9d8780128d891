"""What is sealed opens under its own key, in its own place, and unchanged. Source: design/sujeito.md, Erasure."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from crivo.kernel.sigilo import Chave, DadosViolados, is_sealed

_KEY = Chave.of(bytes(32), "local|1")
_WRAPPING = Chave.of(bytes(range(32)), "local|chaves")


def test_what_was_sealed_opens_again_and_says_nothing_meanwhile() -> None:
    sealed = _KEY.seal("autorizacoes.pedido", "João da Silva".encode())
    assert is_sealed(sealed)
    assert b"Silva" not in sealed
    assert _KEY.open("autorizacoes.pedido", sealed).decode() == "João da Silva"


def test_a_sealed_value_is_aes_256_gcm_with_a_nonce_of_its_own() -> None:
    """Opened by the library alone: a mark of four bytes, twelve of a nonce, the ciphertext with its tag, bound to its place."""
    sealed = _KEY.seal("autorizacoes.pedido", b"dor no peito")
    nonce, ciphertext = sealed[4:16], sealed[16:]
    assert AESGCM(bytes(32)).decrypt(nonce, ciphertext, b"local|1|autorizacoes.pedido") == b"dor no peito"
    assert len(ciphertext) == len(b"dor no peito") + 16
    assert len({_KEY.seal("x", b"1")[4:16] for _ in range(1_000)}) == 1_000


def test_the_same_value_is_never_sealed_alike_twice() -> None:
    assert _KEY.seal("x", b"1") != _KEY.seal("x", b"1")


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (Chave.of(bytes(range(32)), "local|1"), "x"),
        (Chave.of(bytes(32), "local|2"), "x"),
        (Chave.of(bytes(32), "outra|1"), "x"),
        (_KEY, "y"),
    ],
)
def test_another_key_another_row_another_tenant_and_another_column_open_nothing(key: Chave, name: str) -> None:
    with pytest.raises(DadosViolados):
        key.open(name, _KEY.seal("x", b"1"))


@pytest.mark.parametrize("position", [4, 16, -1])
def test_a_single_changed_byte_is_noticed(position: int) -> None:
    sealed = bytearray(_KEY.seal("x", b"conteudo"))
    sealed[position] ^= 1
    with pytest.raises(DadosViolados):
        _KEY.open("x", bytes(sealed))


def test_what_was_stored_before_there_were_keys_is_read_as_it_stands() -> None:
    assert _KEY.open("x", b'{"pedido_id":"P-1"}') == b'{"pedido_id":"P-1"}'
    assert _KEY.open_text("x", "um motivo") == "um motivo"
    assert _KEY.open_text("x", _KEY.seal_text("x", "um motivo")) == "um motivo"


def _kept(registro: str, plain: bytes, tenant: str = "local") -> tuple[str, bytes, bytes]:
    """A record with its key as it stands wrapped, and a value under that key."""
    secret = registro.encode().ljust(32)
    return registro, _WRAPPING.seal(registro, secret), Chave.of(secret, f"{tenant}|{registro}").seal("x", plain)


def test_many_values_each_under_its_own_key_open_as_they_do_one_at_a_time() -> None:
    assert _WRAPPING.open_each("local", "x", [_kept(str(at), b"%d" % at) for at in range(50)]) == [b"%d" % at for at in range(50)]
    assert _WRAPPING.open_each("local", "x", []) == []


@pytest.mark.parametrize(
    "kept",
    [
        ("2", *_kept("1", b"a")[1:]),
        ("1", _kept("2", b"a")[1], _kept("1", b"a")[2]),
        _kept("1", b"a", "outra"),
        (*_kept("1", b"a")[:2], _kept("1", b"a")[2][:-1] + b"\0"),
        (*_kept("1", b"a")[:2], b"a"),
        ("1", b"", _kept("1", b"a")[2]),
    ],
)
def test_of_many_one_in_another_s_place_or_changed_opens_nothing(kept: tuple[str, bytes, bytes]) -> None:
    with pytest.raises(DadosViolados):
        _WRAPPING.open_each("local", "x", [_kept("1", b"a"), kept])
