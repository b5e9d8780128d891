"""The PostgreSQL that comes with crivo: the first process to need it starts it, all of the same data folder share it, the last stops it.

A process holds the server by a file that it keeps locked. The system frees that lock however the process ends, so that one killed
with -9 is never taken for a live one. POSIX only, as the locks are.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from crivo.kernel.sistema import explain
from crivo.kernel.storage.cluster import ADMIN, DATABASE, RUNTIME_ROLE, Cluster, EmbutidoIndisponivel, Postmaster, require_installed
from crivo.kernel.storage.locks import Held, alone_with, make_private
from crivo.kernel.storage.processes import program_of

_LOCK: Final = ".trava"  # in a folder that nobody else may enter: whoever can open a file can hold it, and all commands with it
_LOCK_SECONDS: Final = 240.0  # a server that recovers from a crash may take two minutes to start, and one to stop


@dataclass(frozen=True, slots=True)
class EmbeddedStatus:
    """Whether the embedded server of a data folder is up, and how many processes hold it."""

    data_dir: Path
    created: bool
    running: bool
    pid: int | None
    handles: int


class EmbeddedPostgres:
    """A hold on the embedded server of one data folder. Nothing happens before `start`; `release` may be called more than once.

    `settings` are PostgreSQL's own, for tests alone: the product keeps every default that durability rests on.
    """

    def __init__(self, data_dir: Path, settings: Mapping[str, str] | None = None) -> None:
        self._home = _Home(data_dir.expanduser().absolute())
        self._cluster = Cluster(self._home.cluster, tuple((settings or {}).items()))
        self._handle: _Handle | None = None
        self._socket_dir: Path | None = None

    def start(self) -> None:
        """Make the cluster where there is none, see that the server runs, and take hold of it. Raises EmbutidoIndisponivel."""
        self._home.create()
        with self._home.locked():
            self._home.prune()
            self._cluster.create()
            running = self._cluster.start()
            self._socket_dir = running.socket_dir
            if self._handle is None:
                self._handle = self._home.take_handle()
                atexit.register(self.release)

    def ensure_running(self) -> None:
        """Start the server again where it died while this process held it; quick when it lives."""
        with self._home.locked():
            self._socket_dir = self._cluster.start().socket_dir

    def release(self) -> None:
        """Let go; the last live process to do so stops the server."""
        if self._handle is None or self._handle.pid != os.getpid():  # a forked child inherits the object, not the hold
            return
        atexit.unregister(self.release)
        with self._home.locked():
            self._handle.path.unlink(missing_ok=True)
            os.close(self._handle.descriptor)
            self._handle = None
            if self._home.prune() == 0:
                self._cluster.stop()

    @property
    def admin_url(self) -> str:
        """Where the owner of the schema connects, for migrations alone."""
        return self._url(ADMIN)

    @property
    def runtime_url(self) -> str:
        """Where everything else connects: the role that owns nothing."""
        return self._url(RUNTIME_ROLE)

    def _url(self, role: str) -> str:
        if self._socket_dir is None:
            raise EmbutidoIndisponivel("O PostgreSQL embutido ainda não foi iniciado neste processo.")
        return f"postgresql://{role}@/{DATABASE}?host={quote(str(self._socket_dir), safe='')}"


def embedded_status(data_dir: Path) -> EmbeddedStatus:
    """How the embedded server of a data folder fares; starts and creates nothing. Raises EmbutidoIndisponivel where there is none."""
    require_installed()
    home = _Home(data_dir.expanduser().absolute())
    cluster = Cluster(home.cluster)
    if not home.handles.is_dir():
        return EmbeddedStatus(home.path, created=False, running=False, pid=None, handles=0)
    with home.locked():
        found: Postmaster | None = cluster.postmaster()
        handles = home.prune()
    return EmbeddedStatus(home.path, created=True, running=found is not None, pid=found.pid if found else None, handles=handles)


def is_new(data_dir: Path) -> bool:
    """Whether a start of the embedded server would make a database there, where none is yet; not where there is no such server."""
    try:
        require_installed()
    except EmbutidoIndisponivel:
        return False
    return not _Home(data_dir.expanduser().absolute()).has_cluster()


@dataclass(frozen=True, slots=True)
class _Handle:
    """A file that a process keeps locked for as long as it holds the server."""

    descriptor: int
    path: Path
    pid: int


class _Home:
    """The data folder: the cluster, the lock that orders starts and stops, and a file for each process that holds the server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cluster = path / "postgres"
        self.handles = path / "postgres.usos"

    def create(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            make_private(self.handles)
        except (PermissionError, FileExistsError, NotADirectoryError):
            raise EmbutidoIndisponivel(
                f"Não foi possível criar a pasta {self.path}. Indique em CRIVO_DATA_DIR uma em que se possa gravar."
            ) from None
        except OSError as error:
            raise EmbutidoIndisponivel(
                f"Não foi possível usar a pasta de dados: {self.path} {explain(error)}. Indique outra em CRIVO_DATA_DIR."
            ) from None

    def has_cluster(self) -> bool:
        try:
            return (self.cluster / "PG_VERSION").exists()
        except OSError:  # somebody's, whoever they are: the start says so
            return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        with ExitStack() as held:
            self._enter(held)
            yield

    def _enter(self, held: ExitStack) -> None:
        try:
            make_private(self.handles)
            held.enter_context(alone_with(self.handles / _LOCK, _LOCK_SECONDS))
        except PermissionError:
            raise EmbutidoIndisponivel(f"A pasta {self.path} pertence a outro usuário. Indique outra em CRIVO_DATA_DIR.") from None
        except Held as by:
            raise EmbutidoIndisponivel(
                f"{_told(by.pid)} segura o banco embutido de {self.path} há mais de {_LOCK_SECONDS:.0f} segundos. "
                "Espere que termine, ou encerre-o e tente de novo."
            ) from None

    def take_handle(self) -> _Handle:
        descriptor, name = tempfile.mkstemp(prefix=f"{os.getpid()}.", dir=self.handles)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return _Handle(descriptor, Path(name), os.getpid())

    def prune(self) -> int:
        """Remove the handles of processes that are gone, and count the live ones; for the holder of the lock."""
        live = 0
        for name in self.handles.iterdir():
            if name.name == _LOCK:
                continue
            try:
                with name.open("r+b") as handle:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    name.unlink(missing_ok=True)
            except (BlockingIOError, PermissionError):
                live += 1
        return live


def _told(pid: int | None) -> str:
    program = program_of(pid) if pid is not None else None
    return f"O processo {pid} ({program})" if program else "Outro processo"
