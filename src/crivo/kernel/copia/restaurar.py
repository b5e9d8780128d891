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
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.sistema import explain
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
    """What came back. `concluida`: an earlier try had brought the database; `postos`: files were put in place by this one."""

    manifesto: Manifesto
    concluida: bool
    postos: bool


def bring_back(
    volta: Volta,
    reach: Callable[[], str],
    passo: Passo,
    proven: Callable[[Manifesto], None],
    ended: Callable[[Restaurada], None] = lambda _: None,
) -> Restaurada:
    """Bring a copy back. `reach` starts the database and tells where its owner connects; `proven` is told once nothing is wrong with the
    copy nor with the place, before the first row; `ended` once all is there, and is told again by a later try where it did not return.

    Raises what `check_copy` raises, FaltamChaves, LugarOcupado, OutraRestauracao, RestauracaoImpossivel; DiscoCheio, BancoIndisponivel.
    """
    with _told(volta), open_copy(volta.path) as file:
        manifest = check_copy(file, volta.path, volta.key, passo)
        chegada = Chegada(volta.data_dir)
        new = _new_keys(volta, manifest)
        with _alone(chegada):
            begun = chegada.marked()
            again = begun is not None and begun.id == manifest.id
            if begun is None or not again:  # a mark that was cut short says of none, and nothing was put in place by it
                _empty(volta.data_dir, manifest, begun if begun is not None and begun.id else None)
                begun = Marca(manifest.id, (*new, *(one.nome for one in manifest.arquivos)))
                chegada.mark(begun)  # from here on nobody else works in this folder
            arrival = _Arrival(volta, manifest, begun, file, chegada, new, again)
            was_there = arrival.bring(reach, passo, proven)
            done = Restaurada(manifest, was_there, chegada.place(begun) if was_there else chegada.place(arrival.marca))
            ended(done)
            chegada.forget()
    return done


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A copy on its way into a place that is marked for it. `again`: an earlier try had marked it, and perhaps brought the database."""

    volta: Volta
    manifest: Manifesto
    begun: Marca
    file: BinaryIO
    chegada: Chegada
    new: Mapping[str, bytes]
    again: bool

    @property
    def marca(self) -> Marca:
        """What this try puts in place."""
        return Marca(self.manifest.id, (*self.new, *(one.nome for one in self.manifest.arquivos)))

    def bring(self, reach: Callable[[], str], passo: Passo, proven: Callable[[Manifesto], None]) -> bool:
        """Bring rows to the database, and files to where they wait; whether they were there already."""
        committing = False
        try:
            with arriving(reach(), self.manifest) as database:
                if self.again and database.was_restored():
                    return True
                database.prepare()
                proven(self.manifest)
                self.chegada.clear()
                self.chegada.mark(self.marca)
                _stream(self.volta, self.manifest, database, self.file, self.chegada, passo)
                for nome, segredo in self.new.items():
                    with self.chegada.receive(nome) as waiting:
                        waiting.write(segredo)
                database.finish()
                database.note(_noted(self.volta, self.manifest, self.file))
                committing = True
        except BaseException:
            if not committing and not self.again:  # the database forgets by itself; of an earlier try nobody knows how far it came
                self.chegada.clear()
                self.chegada.forget()
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
    set_ = {MESTRA: volta.mestra.encode()} if volta.mestra else {}
    held = {**volta.chaves, **lying, **set_}
    stands = dict.fromkeys(lying, str(volta.data_dir)) | dict.fromkeys(set_, "CRIVO_CHAVE_MESTRA")
    check_keys(manifest.chaves, {nome: impressao_of(nome, segredo) for nome, segredo in held.items()}, stands)
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
        raise RestauracaoImpossivel(f"{error.filename or volta.data_dir} {explain(error)}. Confira a pasta e as permissões.") from None
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
