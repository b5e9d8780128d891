"""Brings a copy back to an empty place: all of it is proven first, and it arrives whole or leaves what says so."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import psycopg

from crivo.kernel.copia.chaves import check_keys, impressao_of
from crivo.kernel.copia.conferir import check_copy, header_of, open_copy
from crivo.kernel.copia.erros import (
    CopiaDanificada,
    LugarOcupado,
    OutraRestauracao,
    RestauracaoImpossivel,
    RestauracaoPelaMetade,
)
from crivo.kernel.copia.escrita import Chegando, arriving
from crivo.kernel.copia.formato import CHUNK_BYTES, Trecho, read_chunks, read_header
from crivo.kernel.copia.leitura import Passo
from crivo.kernel.copia.manifesto import Manifesto, Parte
from crivo.kernel.copia.pasta import Chegada, Marca
from crivo.kernel.errors import CrivoError
from crivo.kernel.sigilo.destruidas import FILE as DESTRUIDAS
from crivo.kernel.storage.errors import BancoIndisponivel, DiscoCheio, crivo_error_of
from crivo.kernel.storage.locks import Held, alone_with, make_closed, make_private

_LOCK: Final = ".trava"
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class Volta:
    """A copy to be brought back: from which file, to which folder and at which database, when and by whom.

    `key` is that of copies. `mestra` is a master key that was set and lies in no file; `chaves` come from the file of keys, by path.
    """

    path: Path
    data_dir: Path
    em: datetime
    por: str
    key: bytes | None = field(repr=False)
    mestra: str = field(repr=False)
    chaves: Mapping[str, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Restaurada:
    """What came back. `concluida`: an earlier try had brought the database, and only files were left to put in place."""

    manifesto: Manifesto
    concluida: bool


def bring_back(volta: Volta, reach: Callable[[], str], passo: Passo, proven: Callable[[Manifesto], None]) -> Restaurada:
    """Bring a copy back. `reach` starts the database and tells where its owner connects; `proven` is told once nothing is wrong with it.

    Raises what `check_copy` raises, FaltamChaves, LugarOcupado, OutraRestauracao, RestauracaoImpossivel; DiscoCheio, BancoIndisponivel.
    """
    with _told(volta), open_copy(volta.path) as file:
        manifest = check_copy(file, volta.path, volta.key, passo)
        chegada = Chegada(volta.data_dir)
        new = _new_keys(volta, manifest)
        proven(manifest)
        with _alone(chegada):
            begun = chegada.marked()
            if begun is None or begun.id != manifest.id:  # a mark that was cut short says of none, and nothing was put in place by it
                _empty(volta.data_dir, manifest, begun if begun is not None and begun.id else None)
            admin_url = reach()
            marca = Marca(manifest.id, (*new, *(one.nome for one in manifest.arquivos)))
            was_there = _database(volta, admin_url, manifest, marca, file, chegada, new, passo)
            chegada.place(begun if was_there and begun is not None else marca)
            chegada.forget()
    return Restaurada(manifest, was_there)


def _database(
    volta: Volta,
    admin_url: str,
    manifest: Manifesto,
    marca: Marca,
    file: BinaryIO,
    chegada: Chegada,
    new: Mapping[str, bytes],
    passo: Passo,
) -> bool:
    """Bring rows and files, the files to where they wait; whether they were there already."""
    begun = chegada.marked()
    with arriving(admin_url, manifest) as database:
        if begun is not None and begun.id == manifest.id and database.was_restored():
            return True
        database.prepare()
        chegada.forget_files()
        chegada.mark(marca)
        try:
            _stream(volta, manifest, database, file, chegada, passo)
            for nome, segredo in new.items():
                with chegada.receive(nome) as waiting:
                    waiting.write(segredo)
            database.finish()
            database.note(_noted(volta, manifest, file))
        except BaseException:
            chegada.forget_files()  # the database forgets by itself
            raise
    return False


def _stream(volta: Volta, manifest: Manifesto, database: Chegando, file: BinaryIO, chegada: Chegada, passo: Passo) -> None:
    file.seek(0)
    header = header_of(file, volta.path, volta.key)
    chunks = read_chunks(file, header, volta.key)
    following = _parts(chunks)
    for part, body in following:
        if part.tabela:
            database.load(part.nome, body, passo)
        else:
            with chegada.receive(part.nome) as waiting:
                for chunk in body:
                    waiting.write(chunk)
                    passo(part.nome, len(chunk))


def _parts(chunks: Iterator[tuple[Trecho, bytes]]) -> Iterator[tuple[Parte, Iterator[bytes]]]:
    """The parts of a copy, each to be read to its end before the next."""
    ahead: list[bytes] = []

    def body() -> Iterator[bytes]:
        for kind, raw in chunks:
            if kind is Trecho.DADOS:
                yield raw
                continue
            if kind is Trecho.PARTE:
                ahead.append(raw)
            return

    for kind, raw in chunks:
        if kind is not Trecho.PARTE:
            break
        ahead.append(raw)
        while ahead:
            part = msgspec.json.decode(ahead.pop(), type=Parte)
            rest = body()
            yield part, rest
            for _ in rest:
                raise CopiaDanificada(f"Sobrou o que ninguém leu de {part.nome}.")
        break


def _new_keys(volta: Volta, manifest: Manifesto) -> dict[str, bytes]:
    """The keys that come along and lie nowhere yet. Raises FaltamChaves."""
    lying = {nome: path.read_bytes() for nome in manifest.chaves if (path := volta.data_dir / nome).exists()}
    set_ = {"chave-mestra": volta.mestra.encode()} if volta.mestra else {}
    held = {**volta.chaves, **lying, **set_}
    check_keys(manifest.chaves, {nome: impressao_of(nome, segredo) for nome, segredo in held.items()})
    return {nome: segredo for nome, segredo in volta.chaves.items() if nome in manifest.chaves and nome not in lying and nome not in set_}


def _empty(data_dir: Path, manifest: Manifesto, begun: Marca | None) -> None:
    """Refuse a folder that has of its own what would come back. Raises LugarOcupado, RestauracaoPelaMetade."""
    if begun is not None:
        raise RestauracaoPelaMetade(
            f"Em {data_dir} a restauração de outra cópia ficou pela metade. Rode de novo com o mesmo arquivo daquela vez, ou use outra "
            "pasta em CRIVO_DATA_DIR."
        )
    there = next((one.nome for one in manifest.arquivos if _is_in_the_way(data_dir / one.nome)), None)
    if there is not None:
        raise LugarOcupado(
            f"Já existe {data_dir / there}. Uma cópia só volta a uma pasta que não tenha o que ela traz: informe outra em CRIVO_DATA_DIR, "
            "ou guarde esta com outro nome. Nada foi mudado."
        )


def _is_in_the_way(path: Path) -> bool:
    return path.name != DESTRUIDAS and path.exists()


def _noted(volta: Volta, manifest: Manifesto, file: BinaryIO) -> dict[str, object]:
    file.seek(0)
    header, digest = read_header(file), hashlib.sha256()
    file.seek(0)
    while raw := file.read(CHUNK_BYTES):
        digest.update(raw)
    return {
        "id": manifest.id,
        "feita_em": manifest.feita_em,
        "feita_por": manifest.feita_por,
        "bytes": volta.path.stat().st_size,
        "sha256": digest.hexdigest(),
        "esquema": manifest.esquema,
        "cifrada": header is not None and header.cifrada,
        "em": volta.em,
        "por": volta.por,
    }


@contextmanager
def _alone(chegada: Chegada) -> Iterator[None]:
    make_closed(chegada.data_dir)
    make_private(chegada.folder)
    try:
        with alone_with(chegada.folder / _LOCK, 0):
            try:
                yield
            finally:
                chegada.leave()
    except Held:
        raise OutraRestauracao from None


@contextmanager
def _told(volta: Volta) -> Iterator[None]:
    """What PostgreSQL and the system say, told in the tree."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiscoCheio(f"O disco de {volta.data_dir} encheu durante a restauração. {_FREE}") from None
        raise RestauracaoImpossivel(f"{error.filename or volta.data_dir}: {error.strerror}. Confira a pasta e as permissões.") from None
    except psycopg.errors.InsufficientPrivilege as error:
        raise RestauracaoImpossivel(
            "O papel de CRIVO_DATABASE_URL não pode preparar o banco: ele precisa criar tabelas no esquema 'public' e criar o papel "
            "'crivo_app' (ou ser membro dele), e ser dono do que já houver ali. Nada foi mudado."
        ) from error
    except psycopg.Error as error:
        raise _of(error) from error


_FREE: Final = "Nada ficou pela metade: libere espaço e rode o comando de novo."


def _of(error: psycopg.Error) -> CrivoError:
    known = crivo_error_of(error.sqlstate, disconnected=error.sqlstate is None)
    match known:
        case DiscoCheio():
            return DiscoCheio(f"O disco do banco de dados encheu durante a restauração. {_FREE}")
        case BancoIndisponivel():
            return BancoIndisponivel(
                "O banco de dados deixou de responder durante a restauração. Nada dela ficou no banco: confira-o e rode o comando de novo."
            )
        case None:
            return RestauracaoImpossivel(f"O banco de dados recusou o que a cópia traz (PostgreSQL {error.sqlstate}). Nada foi mudado.")
        case _:
            return known
