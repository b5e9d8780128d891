"""The file of a copy: a line of JSON, then numbered chunks of at most 1 MiB, each packed by zstd and sealed or chained to the one before.

A chunk is its length (4 bytes, big-endian), its kind (1 byte) and its payload. Under a key each is sealed by AES-256-GCM into its own
number and kind of this one file; without one it ends with the SHA-256 of all that came before and itself. The last chunk is the
manifest, and nothing comes after it: so a cut, a swap and an alteration are found, and without a key whoever does them on purpose is not.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import BinaryIO, Final

import msgspec
import zstandard

from crivo.kernel.copia.erros import ChaveDaCopiaErrada, CopiaDanificada, CopiaMaisNova
from crivo.kernel.copia.manifesto import FORMATO, Cabecalho
from crivo.kernel.sigilo.cifra import Chave, derived, is_sealed
from crivo.kernel.sigilo.erros import DadosViolados

MAGIC: Final = b"crivo-copia "
CHUNK_BYTES: Final = 1 << 20
_HEADER_BYTES: Final = 4096
_HEAD: Final = struct.Struct(">IB")
_LONGEST: Final = CHUNK_BYTES + 65_536  # what cannot be packed grows a little, and is sealed
_DIGEST_BYTES: Final = 32
_LEVEL: Final = 3
_CUT: Final = "A cópia está cortada: falta o fim do arquivo."
_BEGINNING: Final = "A cópia não é a que foi gravada: o seu começo foi alterado."
_ALTERED: Final = "A cópia não é a que foi gravada: o trecho {numero} foi alterado."


class Trecho(IntEnum):
    """What a chunk is."""

    PARTE = 1  # a table or a file begins
    DADOS = 2  # bytes of it
    MANIFESTO = 3  # the end


def confere_of(key: bytes | None, copia_id: str) -> str:
    """By which the key of a copy is known again (hex); empty without one."""
    return "" if key is None else derived(_of_this_one(key, copia_id), "confere").hex()


def header_line(header: Cabecalho) -> bytes:
    """The first line of a copy."""
    return MAGIC + msgspec.json.encode(header) + b"\n"


def read_header(file: BinaryIO) -> Cabecalho | None:
    """How a copy is to be read; None for a file that is none. Raises CopiaDanificada, CopiaMaisNova."""
    line = file.readline(_HEADER_BYTES)
    if not line.startswith(MAGIC):
        return None
    if not line.endswith(b"\n"):
        raise CopiaDanificada(_CUT)
    try:
        found = msgspec.json.decode(line[len(MAGIC) :], type=dict)
        if isinstance(formato := found.get("formato"), int) and formato > FORMATO:
            raise CopiaMaisNova(f"{formato} do formato", str(FORMATO))
        header = msgspec.json.decode(line[len(MAGIC) :], type=Cabecalho)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CopiaDanificada(_BEGINNING) from None
    if header_line(header) != line:  # other bytes that say the same
        raise CopiaDanificada(_BEGINNING)
    return header


class Escritor:
    """Writes the chunks of a copy whose header was written. The bytes and the digest of all that it wrote are told at the end."""

    def __init__(self, file: BinaryIO, header: Cabecalho, key: bytes | None) -> None:
        self._file = file
        self._packer = zstandard.ZstdCompressor(level=_LEVEL)
        self._guard = _Guard(header, key)
        self._whole = hashlib.sha256()
        self.bytes = 0
        self._put(header_line(header))

    def write(self, kind: Trecho, body: bytes) -> None:
        """Add a chunk of at most `CHUNK_BYTES`. Raises OSError."""
        payload = self._guard.closed(kind, self._packer.compress(body))
        self._put(_HEAD.pack(len(payload), kind))
        self._put(payload)

    @property
    def sha256(self) -> str:
        """Of the file so far (hex)."""
        return self._whole.hexdigest()

    def _put(self, raw: bytes) -> None:
        self._file.write(raw)
        self._whole.update(raw)
        self.bytes += len(raw)


def read_chunks(file: BinaryIO, header: Cabecalho, key: bytes | None) -> Iterator[tuple[Trecho, bytes]]:
    """The chunks after the header, each proven before it is given. Raises ChaveDaCopiaErrada, CopiaDanificada; OSError."""
    check_key(header, key)
    guard, unpacker = _Guard(header, key if header.cifrada else None), zstandard.ZstdDecompressor()
    while True:
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise CopiaDanificada(_CUT)
        length, said = _HEAD.unpack(head)
        if length > _LONGEST or said not in Trecho.__members__.values():
            raise CopiaDanificada(_ALTERED.format(numero=guard.number + 1))
        payload = file.read(length)
        if len(payload) < length:
            raise CopiaDanificada(_CUT)
        kind = Trecho(said)
        body = _unpacked(unpacker, guard.opened(kind, payload), guard.number)
        if kind is Trecho.MANIFESTO and file.read(1):  # before it is given: whoever has the manifest asks for no more
            raise CopiaDanificada("Há mais bytes depois do fim da cópia.")
        yield kind, body
        if kind is Trecho.MANIFESTO:
            return


def check_key(header: Cabecalho, key: bytes | None) -> None:
    """Refuse to go on without the key that a copy was sealed under. Raises ChaveDaCopiaErrada."""
    if not header.cifrada:
        return
    if key is None:
        raise ChaveDaCopiaErrada("Esta cópia é cifrada. Informe em CRIVO_BACKUP_CHAVE a chave com que foi feita. Nada foi mudado.")
    if confere_of(key, header.id) != header.confere:
        raise ChaveDaCopiaErrada(
            "A chave em CRIVO_BACKUP_CHAVE não é a desta cópia. Informe a que valia quando ela foi feita, "
            f"em {header.feita_em:%d/%m/%Y}. Nada foi mudado."
        )


def _of_this_one(key: bytes, copia_id: str) -> bytes:
    return derived(key, f"copia|{copia_id}")


def _unpacked(unpacker: zstandard.ZstdDecompressor, packed: bytes, number: int) -> bytes:
    try:
        if not 0 <= zstandard.frame_content_size(packed) <= CHUNK_BYTES:
            raise CopiaDanificada(_ALTERED.format(numero=number))
        return unpacker.decompress(packed)
    except zstandard.ZstdError:
        raise CopiaDanificada(_ALTERED.format(numero=number)) from None


class _Guard:
    """Binds each chunk to its number, its kind and its file."""

    def __init__(self, header: Cabecalho, key: bytes | None) -> None:
        self.number = 0
        self._chain = hashlib.sha256(header_line(header)).digest()
        self._key = None if key is None else Chave.of(_of_this_one(key, header.id), f"copia|{self._chain.hex()}")

    def closed(self, kind: Trecho, packed: bytes) -> bytes:
        """What is written of a chunk."""
        self.number += 1
        if self._key is not None:
            return self._key.seal(f"{self.number}|{kind}", packed)
        return packed + self._next(kind, packed)

    def opened(self, kind: Trecho, payload: bytes) -> bytes:
        """What was packed. Raises CopiaDanificada."""
        self.number += 1
        altered = CopiaDanificada(_ALTERED.format(numero=self.number))
        if self._key is None:
            packed, digest = payload[:-_DIGEST_BYTES], payload[-_DIGEST_BYTES:]
            if self._next(kind, packed) != digest:
                raise altered
            return packed
        if not is_sealed(payload):  # what bears no mark would be given back as it is
            raise altered
        try:
            return self._key.open(f"{self.number}|{kind}", payload)
        except DadosViolados:
            raise altered from None

    def _next(self, kind: Trecho, packed: bytes) -> bytes:
        self._chain = hashlib.sha256(self._chain + bytes([kind]) + packed).digest()
        return self._chain
