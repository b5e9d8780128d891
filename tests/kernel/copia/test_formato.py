"""A copy is read as it was written or not at all: cut, altered, put together from others, or under another key."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.copia.erros import ChaveDaCopiaErrada, CopiaDanificada, CopiaMaisNova
from crivo.kernel.copia.formato import CHUNK_BYTES, Escritor, Trecho, confere_of, header_line, read_chunks, read_header
from crivo.kernel.copia.manifesto import FORMATO, Cabecalho
from crivo.kernel.errors import CrivoError

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
EM = datetime(2026, 3, 10, 12, tzinfo=UTC)
CHUNKS = ((Trecho.PARTE, b"tabela"), (Trecho.DADOS, b"linhas " * 9), (Trecho.DADOS, b""), (Trecho.MANIFESTO, b"fim"))
sealed_or_not = pytest.mark.parametrize("key", [KEY, None], ids=["cifrada", "aberta"])


def written(key: bytes | None, chunks: Sequence[tuple[Trecho, bytes]] = CHUNKS, copia_id: str = "c-1") -> bytes:
    file = io.BytesIO()
    into = Escritor(file, Cabecalho(FORMATO, copia_id, "0.1.0", "0030", EM, confere_of(key, copia_id)), key)
    for kind, body in chunks:
        into.write(kind, body)
    assert into.bytes == len(file.getvalue())
    return file.getvalue()


def read(raw: bytes, key: bytes | None) -> list[tuple[Trecho, bytes]] | None:
    file = io.BytesIO(raw)
    header = read_header(file)
    return None if header is None else list(read_chunks(file, header, key))


@sealed_or_not
@given(bodies=st.lists(st.binary(max_size=3000), max_size=6))
def test_what_was_written_is_read(key: bytes | None, bodies: list[bytes]) -> None:
    chunks = [*((Trecho.DADOS, body) for body in bodies), (Trecho.MANIFESTO, b"{}")]
    assert read(written(key, chunks), key) == chunks


@sealed_or_not
def test_a_whole_chunk_of_noise_goes_through(key: bytes | None) -> None:
    chunks = [(Trecho.DADOS, os.urandom(CHUNK_BYTES)), (Trecho.MANIFESTO, b"")]
    assert read(written(key, chunks), key) == chunks


@sealed_or_not
def test_cut_at_any_byte_it_is_refused(key: bytes | None) -> None:
    whole = written(key)
    for size in range(len(whole)):
        try:
            assert read(whole[:size], key) is None, size
        except CopiaDanificada:
            continue
        assert size < len(b"crivo-copia ")  # of which nothing tells that it was to become a copy


@sealed_or_not
def test_one_bit_altered_anywhere_is_found(key: bytes | None) -> None:
    whole = written(key)
    for at in range(len(whole)):
        for bit in (0x01, 0x80):
            altered = bytearray(whole)
            altered[at] ^= bit
            try:
                assert read(bytes(altered), key) is None, at
            except (CopiaDanificada, CopiaMaisNova, ChaveDaCopiaErrada):
                continue
            assert at < len(b"crivo-copia ")


@sealed_or_not
def test_chunks_that_changed_places_or_came_twice_are_found(key: bytes | None) -> None:
    same = [(Trecho.DADOS, bytes([one]) * 40) for one in range(3)]
    whole = written(key, [*same, (Trecho.MANIFESTO, b"")])
    head = whole.index(b"\n") + 1
    length = 5 + int.from_bytes(whole[head : head + 4], "big")
    first, second = whole[head : head + length], whole[head + length : head + 2 * length]
    for put_together in (second + first, first + first + second, second):
        with pytest.raises(CopiaDanificada, match="alterado"):
            read(whole[:head] + put_together + whole[head + 2 * length :], key)


@sealed_or_not
def test_a_chunk_of_another_copy_is_found(key: bytes | None) -> None:
    one, other = written(key), written(key, copia_id="c-2")
    with pytest.raises((CopiaDanificada, ChaveDaCopiaErrada)):
        read(one[: one.index(b"\n") + 1] + other[other.index(b"\n") + 1 :], key)


@sealed_or_not
def test_more_after_the_end_is_found(key: bytes | None) -> None:
    with pytest.raises(CopiaDanificada, match="depois do fim"):
        read(written(key) + b"\n", key)


def test_without_its_key_or_with_another_a_sealed_copy_says_so() -> None:
    with pytest.raises(ChaveDaCopiaErrada, match="é cifrada"):
        read(written(KEY), None)
    with pytest.raises(ChaveDaCopiaErrada, match="não é a desta cópia"):
        read(written(KEY), OTHER)


def test_an_open_copy_needs_no_key_and_a_sealed_one_shows_nothing_of_what_it_holds() -> None:
    assert read(written(None), KEY) == list(CHUNKS)
    assert b"tabela" in written(None)
    assert b"tabela" not in written(KEY)


def test_what_bears_no_seal_is_not_taken_for_opened() -> None:
    """The key leaves alone what was stored before there were keys; a copy has no such past."""
    open_header = Cabecalho(FORMATO, "c-1", "0.1.0", "0030", EM, confere_of(KEY, "c-1"))
    line, unsealed = header_line(open_header), written(None)
    with pytest.raises(CopiaDanificada):
        read(line + unsealed[unsealed.index(b"\n") + 1 :], KEY)


def test_a_newer_format_is_told_as_one() -> None:
    newer = written(None).replace(b'"formato":1', b'"formato":2')
    with pytest.raises(CopiaMaisNova, match="Atualize o crivo"):
        read(newer, None)


@given(raw=st.binary(max_size=300))
def test_no_file_is_a_fault_of_the_program(raw: bytes) -> None:
    try:
        found = read(raw, KEY)
    except CrivoError:
        return
    assert found is None
    try:
        read(b"crivo-copia " + raw, KEY)
    except CrivoError:
        return
    raise AssertionError("noise was read as a copy")
