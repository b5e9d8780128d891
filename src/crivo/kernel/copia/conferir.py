"""Reads a copy from end to end before anything is touched: every chunk proven, every part as its manifest says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from crivo.kernel.copia.erros import CopiaDanificada, CopiaMaisNova, NaoECopia, RestauracaoImpossivel
from crivo.kernel.copia.formato import Trecho, check_key, read_chunks, read_header
from crivo.kernel.copia.leitura import Passo
from crivo.kernel.copia.manifesto import Arquivo, Cabecalho, Manifesto, Parte, Tabela, is_safe
from crivo.kernel.sistema import explain
from crivo.kernel.storage.migrating import HEAD

T = TypeVar("T")


@contextmanager
def open_copy(path: Path) -> Iterator[BinaryIO]:
    """The file of a copy. Raises RestauracaoImpossivel."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise RestauracaoImpossivel(f"A cópia {path} {explain(error)}. Confira o caminho e as permissões.") from None
    with file:
        yield file


def header_of(file: BinaryIO, path: Path, key: bytes | None) -> Cabecalho:
    """How a copy is to be read, where this program and this key can.

    Raises NaoECopia, CopiaDanificada, CopiaMaisNova, ChaveDaCopiaErrada.
    """
    header = read_header(file)
    if header is None:
        raise NaoECopia(path)
    if header.esquema > HEAD:
        raise CopiaMaisNova(header.esquema, HEAD)
    check_key(header, key)
    return header


def check_copy(file: BinaryIO, path: Path, key: bytes | None, passo: Passo) -> Manifesto:
    """What a copy holds, once all of it was read and is as it was written.

    Raises as `header_of`; CopiaDanificada where anything at all is not as its manifest says.
    """
    header = header_of(file, path, key)
    found: list[tuple[Parte, int, str]] = []
    digest, size, part = hashlib.sha256(), 0, None
    for kind, body in read_chunks(file, header, key):
        if kind is not Trecho.DADOS and part is not None:
            found.append((part, size, digest.hexdigest()))
            part = None
        match kind:
            case Trecho.PARTE:
                part, digest, size = _decoded(body, Parte), hashlib.sha256(), 0
            case Trecho.DADOS:
                digest.update(body)
                size += len(body)
                passo(part.nome if part else "", len(body))
            case Trecho.MANIFESTO:
                return _agreed(header, _decoded(body, Manifesto), found)
    raise AssertionError("the reader ends with the manifest, or raises")


def _agreed(header: Cabecalho, manifest: Manifesto, found: list[tuple[Parte, int, str]]) -> Manifesto:
    told: list[Tabela | Arquivo] = [*manifest.tabelas, *manifest.arquivos]
    same = [(Parte(one.nome, isinstance(one, Tabela)), one.bytes, one.sha256) for one in told] == found
    if not same or (header.id, header.esquema) != (manifest.id, manifest.esquema):
        raise CopiaDanificada("O que a cópia traz não é o que ela diz trazer.")
    if not all(is_safe(nome) for nome in (*[one.nome for one in manifest.arquivos], *manifest.chaves)):
        raise CopiaDanificada("A cópia quer gravar fora da pasta de dados.")
    return manifest


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        raise CopiaDanificada("A cópia não diz o que traz.") from None
