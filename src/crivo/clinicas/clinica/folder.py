"""A clinic's own folder: its silo, its key, its door and nothing of any other clinic."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.kernel.storage.locks import make_closed

_OWNER_ONLY_FOLDER: Final = 0o700
_OWNER_ONLY_FILE: Final = 0o600


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
            raise SiloIndisponivel(f"Não foi possível criar a pasta {self.path}: {error.strerror}. Confira as permissões.") from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process at a time prepare this folder; the lock goes with the process that holds it."""
        with private_file(self.path / ".trava", os.O_RDWR) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield


@contextmanager
def private_file(path: Path, flags: int) -> Iterator[int]:
    """A descriptor of a file that its owner alone may read, made where it does not exist. Raises SiloIndisponivel."""
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY_FILE)
    except OSError as error:
        raise SiloIndisponivel(f"Não foi possível abrir {path}: {error.strerror}. Confira as permissões da pasta.") from None
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
            raise SiloIndisponivel(f"Não foi possível gravar {path}: {error.strerror}. Confira o espaço e as permissões.") from None
