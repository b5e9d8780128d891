"""What of the data folder goes into a copy, as values that whoever knows those files makes; and the mark of a copy on its way back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Protocol

import msgspec

from crivo.kernel.atos.linhas import append_lines, locked
from crivo.kernel.copia.erros import RestauracaoPelaMetade
from crivo.kernel.sigilo.destruidas import FILE as DESTRUIDAS
from crivo.kernel.storage.locks import make_closed

FOLDER: Final = "restaurando"
_MARK: Final = "copia.json"


class ParteDaPasta(Protocol):
    """A file that a copy holds. `antes`: it must be read before the database is, and stay as it is until then."""

    @property
    def nome(self) -> str:
        """Its path in the data folder, with `/`."""
        ...

    @property
    def antes(self) -> bool:
        """Whether what it tells may not be newer than the database."""
        ...

    @contextmanager
    def read(self, work: Path) -> Iterator[BinaryIO]:
        """Its bytes at one moment; `work` is a folder of one's own. Raises OSError."""
        ...


@dataclass(frozen=True, slots=True)
class ArquivoDaPasta:
    """A file that is written whole, or line by line under its lock."""

    nome: str
    path: Path
    antes: bool = False

    @contextmanager
    def read(self, work: Path) -> Iterator[BinaryIO]:
        """What it holds now; with `antes` nobody writes it for as long as the block lasts."""
        if not self.antes:
            with self.path.open("rb") as file:
                yield file
            return
        with locked(self.path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            yield file


@dataclass(frozen=True, slots=True)
class ChaveDaPasta:
    """A key that lies in the data folder: its path there, and what its file holds. `exigida`: what is copied opens with no other."""

    nome: str
    segredo: bytes = field(repr=False)
    exigida: bool = False


class Marca(msgspec.Struct, frozen=True):
    """What a copy on its way back leaves beside itself: which one, and the files that it puts in place once the database has it."""

    id: str
    arquivos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chegada:
    """Where the files of a copy wait until the database has it, in the data folder that they come back to."""

    data_dir: Path

    @property
    def folder(self) -> Path:
        """The folder in which they wait."""
        return self.data_dir / FOLDER

    def marked(self) -> Marca | None:
        """The copy whose way back was not ended; None where there is none."""
        try:
            return msgspec.json.decode((self.folder / _MARK).read_bytes(), type=Marca)
        except OSError:  # none, or a folder that whoever needs it will say is closed
            return None
        except msgspec.DecodeError:
            return Marca("", ())

    def mark(self, marca: Marca) -> None:
        """Say that one is on its way, on disk before it returns. Raises OSError."""
        self._write(self.folder / _MARK, msgspec.json.encode(marca))

    @contextmanager
    def receive(self, nome: str) -> Iterator[BinaryIO]:
        """A file to be filled, for its owner alone; on disk at the end. Raises OSError."""
        path = self._waiting(nome)
        make_closed(path.parent)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())

    def place(self, marca: Marca) -> bool:
        """Put in place all that waits; what is there already, by an earlier try, stays. Whether anything waited. Raises OSError."""
        waited = False
        for nome in marca.arquivos:
            waiting, path = self._waiting(nome), self.data_dir / nome
            if not waiting.exists():
                continue
            waited = True
            make_closed(path.parent)
            if path.name == DESTRUIDAS and path.exists():  # what was erased since stays erased
                append_lines(path, waiting.read_bytes())
                waiting.unlink()
            else:
                waiting.replace(path)
            _sync(path.parent)
        return waited

    def forget(self) -> None:
        """Remove the mark, once all is done."""
        (self.folder / _MARK).unlink(missing_ok=True)
        _sync(self.folder)

    def clear(self) -> None:
        """Remove what waits; the mark stays."""
        shutil.rmtree(self.folder / "pasta", ignore_errors=True)

    def leave(self) -> None:
        """Remove the folder itself where nothing was left half done."""
        if self.marked() is None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _waiting(self, nome: str) -> Path:
        return self.folder / "pasta" / nome

    def _write(self, path: Path, content: bytes) -> None:
        """Whole in one moment: a mark is there at every moment of one that replaces it."""
        draft = path.with_name(f".{path.name}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync(path.parent)


def half_restored(data_dir: Path) -> str | None:
    """What is to be done where a copy did not come back to a folder whole (pt-BR); None where nothing is."""
    if Chegada(data_dir.expanduser()).marked() is None:
        return None
    return (
        f"Uma cópia estava sendo restaurada em {data_dir}, e não se sabe se chegou inteira. Espere que termine; se o processo "
        "parou, rode de novo 'crivo banco restaurar' com o mesmo arquivo."
    )


def refuse_half_restored(data_dir: Path) -> None:
    """Keep whatever would work here from a folder that a copy did not come back to whole. Raises RestauracaoPelaMetade."""
    if (told := half_restored(data_dir)) is not None:
        raise RestauracaoPelaMetade(told)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
