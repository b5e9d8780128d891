"""A clinic's own folder: its silo, its key, its door and nothing of any other clinic."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.clinica.errors import ClinicaJaNoAr, SiloIndisponivel
from crivo.kernel.sistema import explain
from crivo.kernel.storage.locks import make_closed

_OWNER_ONLY_FOLDER: Final = 0o700
_OWNER_ONLY_FILE: Final = 0o600
_HANDOVER_SECONDS: Final = 1.0  # one that is ending, or that merely looks, is out of the way by then
_LOOK_SECONDS: Final = 0.02


class NoAr(msgspec.Struct, frozen=True):
    """The process that answers for a clinic, the one that started it, and the port; 0 where that is not known yet."""

    pid: int
    de: int
    porta: int = 0


@dataclass(frozen=True, slots=True)
class ClinicFolder:
    """Where the files of one clinic are."""

    path: Path

    @classmethod
    def under(cls, data_dir: Path, clinic_id: str) -> ClinicFolder:
        """The folder of a clinic in crivo's data folder."""
        return cls(data_dir / "clinicas" / clinic_id)

    @property
    def silo(self) -> Path:
        """The SQLite file."""
        return self.path / "silo.sqlite3"

    @property
    def keys(self) -> Path:
        """The key that its tokens are made from."""
        return self.path / "chaves.json"

    def create(self) -> None:
        """Make the folder, which its owner alone may enter. Raises SiloIndisponivel."""
        try:
            make_closed(self.path.absolute())
            self.path.chmod(_OWNER_ONLY_FOLDER)
        except OSError as error:
            raise SiloIndisponivel(
                f"Não foi possível criar a pasta da clínica: {self.path} {explain(error)}. Confira de quem é a pasta de dados."
            ) from None

    def up(self, porta: int) -> NoAr | None:
        """Who answers now at the door of that port of the registry, by a file that it keeps locked; None where nobody does, however the
        last one ended.
        """
        try:
            descriptor = os.open(self._served(porta), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _told(descriptor)
        finally:
            os.close(descriptor)
        return None

    @contextmanager
    def serving(self, porta: int) -> Iterator[Callable[[int], None]]:
        """Be the one process that answers at that door while the block lasts; what is given says on which port it answers too.

        Raises ClinicaJaNoAr, SiloIndisponivel.
        """
        with private_file(self._served(porta), os.O_RDWR) as descriptor:
            _take(descriptor, self.path)

            def tell(at: int) -> None:
                told = msgspec.json.encode(NoAr(os.getpid(), os.getppid(), at))
                try:
                    os.ftruncate(descriptor, 0)
                    os.pwrite(descriptor, told, 0)
                except OSError as error:
                    path = self._served(porta)
                    raise SiloIndisponivel(f"Não foi possível gravar o arquivo da clínica: {path} {explain(error)}.") from None

            tell(0)
            yield tell

    def _served(self, porta: int) -> Path:
        return self.path / f"{porta}.no-ar"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process at a time prepare this folder; the lock goes with the process that holds it."""
        with private_file(self.path / ".trava", os.O_RDWR) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield


def _take(descriptor: int, folder: Path) -> None:
    deadline = time.monotonic() + _HANDOVER_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(_LOOK_SECONDS)
                continue
            found = _told(descriptor)
            raise ClinicaJaNoAr(already_up([(folder.name, found)], folder.parent)) from None
        else:
            return


def already_up(found: Sequence[tuple[str, NoAr]], folder: Path) -> str:
    """Which clinics somebody answers for already, who that is, and what to do (pt-BR)."""
    who = "; ".join(f"{name}, processo {no_ar.pid}" + (f", porta {no_ar.porta}" if no_ar.porta else "") for name, no_ar in found)
    return (
        f"Já há quem atenda em {folder}: {who}. Converse com 'crivo clinicas conversar', ou encerre antes o processo "
        f"{found[0][1].de}, que {'a' if len(found) == 1 else 'as'} subiu."
    )


def _told(descriptor: int) -> NoAr:
    try:
        return msgspec.json.decode(os.pread(descriptor, 1024, 0), type=NoAr)
    except msgspec.DecodeError:  # it has just come, and is about to say
        return NoAr(0, 0)


@contextmanager
def private_file(path: Path, flags: int) -> Iterator[int]:
    """A descriptor of a file that its owner alone may read, made where it does not exist. Raises SiloIndisponivel."""
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY_FILE)
    except OSError as error:
        raise SiloIndisponivel(f"Não foi possível abrir o arquivo da clínica: {path} {explain(error)}.") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def write_private(path: Path, content: bytes) -> None:
    """Put a whole file in place, or leave what was there; its owner alone may read it. Raises SiloIndisponivel."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with private_file(partial, os.O_WRONLY | os.O_TRUNC) as descriptor:
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.write(content)
            os.fsync(descriptor)
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise SiloIndisponivel(f"Não foi possível gravar o arquivo da clínica: {path} {explain(error)}.") from None
