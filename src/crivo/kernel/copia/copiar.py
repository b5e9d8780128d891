"""Makes a copy: the files that may not be newer than the database, the database at one moment, then everything else."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import psycopg

from crivo.kernel.copia.erros import CopiaNaoGravada, NadaACopiar
from crivo.kernel.copia.formato import CHUNK_BYTES, Escritor, Trecho, confere_of
from crivo.kernel.copia.leitura import Instantaneo, Passo, parte, schema_now, snapshot
from crivo.kernel.copia.manifesto import FORMATO, Arquivo, Cabecalho, Manifesto, Tabela
from crivo.kernel.copia.pasta import ParteDaPasta
from crivo.kernel.sistema import explain
from crivo.kernel.storage.locks import working_folder
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.recusa import crivo_error_from

_WORK: Final = "copia-"
_DRAFT: Final = ".parte"
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Pedida:
    """A copy to be made: its id, when, by whom and with which program, from which folder and what of it, and under which key."""

    id: str
    em: datetime
    por: str
    crivo: str
    data_dir: Path
    partes: Sequence[ParteDaPasta]
    chaves: dict[str, str]
    key: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Copia:
    """A copy that was made: what it says of itself, the size of its file and its digest (SHA-256, hex)."""

    manifesto: Manifesto
    path: Path
    bytes: int
    sha256: str
    cifrada: bool


def make_copy(admin_url: str, path: Path, pedida: Pedida, passo: Passo) -> Copia:
    """Write a copy to a file, whole or not at all; an older file of that name stays until the new one is on disk.

    Raises CopiaNaoGravada, NadaACopiar; BancoIndisponivel.
    """
    with told_of_copying(path, admin_url), _whole(path) as file, working_folder(pedida.data_dir, _WORK) as work:
        made = _written(admin_url, file, pedida, passo, work)
    return Copia(made[0], path, made[1].bytes, made[1].sha256, pedida.key is not None)


def _written(admin_url: str, file: BinaryIO, pedida: Pedida, passo: Passo, work: Path) -> tuple[Manifesto, Escritor]:
    with ExitStack() as opened:
        with ExitStack() as held:
            earlier = [(one.nome, _kept(held.enter_context(one.read(work)), opened, work)) for one in pedida.partes if one.antes]
            moment = opened.enter_context(snapshot(admin_url))
        if moment.esquema is None:
            raise NadaACopiar("Este banco de dados ainda não tem nada do crivo. Confira CRIVO_DATABASE_URL e CRIVO_DATA_DIR.")
        if moment.esquema > HEAD:
            raise CopiaNaoGravada(f"O banco está na versão {moment.esquema}, de um crivo mais novo que este. Faça a cópia com ele.")
        header = Cabecalho(FORMATO, pedida.id, pedida.crivo, moment.esquema, pedida.em, confere_of(pedida.key, pedida.id))
        into = Escritor(file, header, pedida.key)
        tables = tuple([moment.write_table(one, into, passo) for one in moment.tabelas])
        manifest = _manifest(moment, pedida, tables, _files(earlier, pedida.partes, into, passo, work))
    if schema_now(admin_url) != manifest.esquema:
        raise CopiaNaoGravada("O banco foi atualizado para outra versão durante a cópia. Rode o comando de novo.")
    into.write(Trecho.MANIFESTO, msgspec.json.encode(manifest))
    return manifest, into


def _manifest(moment: Instantaneo, pedida: Pedida, tables: tuple[Tabela, ...], files: tuple[Arquivo, ...]) -> Manifesto:
    return Manifesto(
        id=pedida.id,
        crivo=pedida.crivo,
        esquema=moment.esquema or "",
        feita_em=pedida.em,
        feita_por=pedida.por,
        servidor=moment.servidor,
        tabelas=tables,
        sequencias=moment.sequencias(),
        arquivos=files,
        chaves={**pedida.chaves, **moment.chave()},
    )


def _files(
    earlier: Sequence[tuple[str, BinaryIO]], partes: Sequence[ParteDaPasta], into: Escritor, passo: Passo, work: Path
) -> tuple[Arquivo, ...]:
    done = [_file(nome, file, into, passo) for nome, file in earlier]
    for one in partes:
        if not one.antes:
            with one.read(work) as file:
                done.append(_file(one.nome, file, into, passo))
    return tuple(done)


def _file(nome: str, file: BinaryIO, into: Escritor, passo: Passo) -> Arquivo:
    into.write(Trecho.PARTE, parte(nome, tabela=False))
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(CHUNK_BYTES):
        into.write(Trecho.DADOS, chunk)
        digest.update(chunk)
        size += len(chunk)
        passo(nome, len(chunk))
    return Arquivo(nome, size, digest.hexdigest())


def _kept(file: BinaryIO, opened: ExitStack, work: Path) -> BinaryIO:
    """What a file held, for after it was let go."""
    kept = opened.enter_context(tempfile.TemporaryFile(dir=work))  # noqa: SIM115 - whoever opened it closes it
    shutil.copyfileobj(file, kept)
    kept.seek(0)
    return kept


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """A file under another name until it is on disk, for its owner alone."""
    draft = path.with_name(f".{path.name}.{os.getpid()}{_DRAFT}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@contextmanager
def told_of_copying(path: Path, admin_url: str) -> Iterator[None]:
    """What PostgreSQL and the system refuse while a copy is made, told in the tree. Raises CopiaNaoGravada; BancoIndisponivel."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            told = f"O disco de {path.parent} encheu durante a cópia, que não foi guardada. Libere espaço, ou grave em outro disco."
        else:
            where = path if str(error.filename or "").endswith(_DRAFT) else error.filename or path
            told = f"{where} {explain(error)}. A cópia não foi guardada; confira a pasta, o espaço e as permissões."
        raise CopiaNaoGravada(f"{told} Uma cópia anterior com esse nome continua como estava.") from None
    except psycopg.Error as error:
        known = crivo_error_from(error, admin_url)
        if known is not None:
            raise known from error
        raise CopiaNaoGravada(
            f"O banco de dados recusou a leitura (PostgreSQL {error.sqlstate}). A cópia é lida pelo papel que é dono das tabelas: "
            "confira CRIVO_DATABASE_URL."
        ) from error
