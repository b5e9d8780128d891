"""`crivo banco backup` and `crivo banco restaurar`: all of an installation there and back, and what is said when it cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from crivo.clinicas.amostra import seed
from crivo.clinicas.clinica.serving import prepare
from crivo.clinicas.copia import FOLDER, SiloCopiado
from crivo.clinicas.service import Clinicas
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from tests.cli.conftest import NewTerminal, Terminal

BACKUP_KEY = b64encode(os.urandom(32)).decode()


@pytest.fixture
def new_database(urls: tuple[str, str]) -> Iterator[Callable[[], str]]:
    """Makes an empty database on the server of the tests."""
    made = list[str]()

    def make() -> str:
        made.append(f"volta_{uuid4().hex[:8]}")
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as admin:
            admin.execute(f"create database {made[-1]}".encode())
        return urlsplit(urls[0])._replace(path=f"/{made[-1]}").geturl()

    yield make
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as admin:
        for name in made:
            admin.execute(f"drop database {name} with (force)".encode())


@pytest.fixture
def home(terminal_in: NewTerminal, new_database: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """An installation of its own: a master key in its folder, a decision, and an agenda of a clinic."""
    made = terminal_in(tmp_path, new_database(), Scope("local", "teste"), monkeypatch)
    del made.environment["CRIVO_CHAVE_MESTRA"]
    from crivo.autorizacoes import amostra

    politica = next(one for one in amostra.politicas() if one.nome.startswith("alvorada-2026"))
    pedido = next(one for one in amostra.pedidos() if one.nome.startswith("01"))
    for one in (politica, pedido):
        made.file(one.nome, one.conteudo.decode())
    assert made.run("politicas", "importar", politica.nome, "--publicar").exit_code == 0
    assert made.run("autorizacoes", "decidir", pedido.nome).exit_code == 0
    assert made.run("auditoria", "ancorar").exit_code == 0
    clinicas = Clinicas(Path(made.environment["CRIVO_DATA_DIR"]))
    prepare(clinicas.place("clinic_a"), lambda day: seed("clinic_a", day))
    return made


@pytest.fixture
def elsewhere(home: Terminal, new_database: Callable[[], str]) -> Terminal:
    """Another machine: nothing of the first one's folder or database."""
    return replace(
        home, environment={**home.environment, "CRIVO_DATABASE_URL": new_database(), "CRIVO_DATA_DIR": str(home.folder / "outra-maquina")}
    )


def test_an_installation_comes_back_on_another_machine(home: Terminal, elsewhere: Terminal) -> None:
    made = home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves", "--json")
    assert made.exit_code == 0, made.stderr
    told = json.loads(made.stdout)
    assert told["tabelas"]["autorizacoes"] == 1
    assert f"{FOLDER}/clinic_a/silo.sqlite3" in told["arquivos"]
    assert told["anotada"] is True
    back = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert back.exit_code == 0, back.stderr
    assert "está inteira" in back.stdout
    assert "✓ A auditoria de cada organização se sustenta." in back.stdout
    verified = elsewhere.run("auditoria", "verificar")
    assert verified.exit_code == 0
    assert "1 âncora confere" in verified.stdout
    listed = [json.loads(one.run("autorizacoes", "listar", "--json").stdout) for one in (home, elsewhere)]
    assert listed[0] == listed[1]
    agendas = []
    for one in (home, elsewhere):
        with closing(Clinicas(Path(one.environment["CRIVO_DATA_DIR"])).place("clinic_a").open_silo()) as silo:
            agendas.append((silo.all_slots(), silo.patients()))
    assert agendas[0] == agendas[1]
    assert len(agendas[1][1].patients) == 3  # opened with the clinic's own key, which came apart


def test_no_key_is_in_a_copy_and_all_are_in_the_file_of_keys(home: Terminal) -> None:
    assert home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves").exit_code == 0
    for name in ("c.crivo", "c.chaves"):
        assert (home.folder / name).stat().st_mode & 0o777 == 0o600
    kept = json.loads((home.folder / "c.chaves").read_text())["chaves"]
    assert {"chave-mestra", "ancoras.chave", "clinicas/clinic_a/chave-mestra"} <= kept.keys()
    from crivo.kernel.copia.formato import read_chunks, read_header

    with (home.folder / "c.crivo").open("rb") as file:
        header = read_header(file)
        assert header is not None
        held = b"".join(body for _, body in read_chunks(file, header, None))
    folder = Path(home.environment["CRIVO_DATA_DIR"])
    for name in kept:
        assert (folder / name).read_bytes().strip() not in held, name


def test_without_its_keys_nothing_is_touched_and_the_missing_ones_are_named(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo")
    refused = elsewhere.run("banco", "restaurar", "c.crivo")
    assert refused.exit_code == 2
    assert "não se encontra ancoras.chave, chave-mestra" in refused.stderr
    assert "Nada foi mudado." in refused.stderr
    assert not Path(elsewhere.environment["CRIVO_DATA_DIR"]).exists()
    with psycopg.connect(libpq_url(elsewhere.environment["CRIVO_DATABASE_URL"])) as connection:
        assert connection.execute("select to_regclass('tenants')").fetchall() == [(None,)]


def test_another_master_key_is_told_before_anything_is_touched(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    elsewhere.environment["CRIVO_CHAVE_MESTRA"] = BACKUP_KEY
    refused = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert refused.exit_code == 2
    assert "não é a desta cópia chave-mestra" in refused.stderr
    assert "A de CRIVO_CHAVE_MESTRA vale mais do que a de --chaves" in refused.stderr


def test_where_the_folder_has_another_key_another_folder_is_advised(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    there = Path(elsewhere.environment["CRIVO_DATA_DIR"])
    there.mkdir()
    (there / "chave-mestra").write_text(BACKUP_KEY)
    (there / "chave-mestra").chmod(0o600)
    refused = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert refused.exit_code == 2
    assert "não é a desta cópia chave-mestra" in refused.stderr
    assert f"O que já está em {there} vale mais do que --chaves: restaure em outra pasta" in refused.stderr


@pytest.mark.parametrize("lost", ["chave-mestra", "clinicas/clinic_a/chave-mestra", "ancoras.chave"])
def test_keys_that_are_not_all_there_replace_no_good_file_of_keys(home: Terminal, lost: str) -> None:
    assert home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves").exit_code == 0
    good = (home.folder / "c.chaves").read_bytes(), (home.folder / "c.crivo").read_bytes()
    path = Path(home.environment["CRIVO_DATA_DIR"]) / lost
    away = path.rename(home.folder / "guardada")
    for name in ("c.chaves", "outro.chaves"):
        refused = home.run("banco", "backup", "c.crivo", "--chaves", name)
        assert refused.exit_code == 2
        assert f"não se encontra {lost}" in refused.stderr
        assert "Nada foi gravado" in refused.stderr
    assert ((home.folder / "c.chaves").read_bytes(), (home.folder / "c.crivo").read_bytes()) == good
    assert not (home.folder / "outro.chaves").exists()
    away.rename(path)
    assert home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves").exit_code == 0


@pytest.mark.parametrize("lost", ["chave-mestra", "clinicas/clinic_a/chave-mestra"])
def test_a_key_that_is_another_is_not_guarded_as_the_right_one(home: Terminal, lost: str) -> None:
    (Path(home.environment["CRIVO_DATA_DIR"]) / lost).write_text(BACKUP_KEY)
    refused = home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    assert refused.exit_code == 2
    assert f"não é a que ela usa {lost}" in refused.stderr
    assert not (home.folder / "c.chaves").exists()
    assert not (home.folder / "c.crivo").exists()


def test_a_file_of_keys_of_another_installation_is_not_written_over(home: Terminal) -> None:
    """Nor is one with the key of a clinic that is here no more: copies of before may open with no other."""
    assert home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves").exit_code == 0
    kept = json.loads((home.folder / "c.chaves").read_text())
    for nome, segredo in (("chave-mestra", BACKUP_KEY), ("clinicas/clinic_z/chave-mestra", BACKUP_KEY)):
        chaves = {**kept["chaves"], nome: b64encode(segredo.encode()).decode()}
        theirs = home.file("outra.chaves", json.dumps({**kept, "chaves": chaves}))
        refused = home.run("banco", "backup", "d.crivo", "--chaves", theirs)
        assert refused.exit_code == 2
        assert f"nele se perderia {nome}" in refused.stderr
        assert json.loads(theirs.read_text())["chaves"] == chaves
        assert not (home.folder / "d.crivo").exists()
    exchanged = {**kept["chaves"], "clinicas/registro.chave": "eA==", "clinicas/clinic_a/chaves.json": "eA=="}  # made anew where missing
    older = home.file("velha.chaves", json.dumps({**kept, "chaves": exchanged}))
    assert home.run("banco", "backup", "d.crivo", "--chaves", older).exit_code == 0


@pytest.mark.parametrize("lost", ["chave-mestra", "clinicas/clinic_a/chave-mestra"])
def test_a_copy_says_that_a_key_is_lacking_and_comes_back_with_the_key_of_before(home: Terminal, elsewhere: Terminal, lost: str) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    (Path(home.environment["CRIVO_DATA_DIR"]) / lost).unlink()
    told = home.run("banco", "backup", "d.crivo")
    assert told.exit_code == 0
    assert f"✗ Das chaves, não se encontra {lost}" in told.stdout
    assert json.loads(home.run("banco", "backup", "d.crivo", "--json").stdout)["chaves_que_faltam"] == [lost]
    assert lost in elsewhere.run("banco", "restaurar", "d.crivo").stderr
    back = elsewhere.run("banco", "restaurar", "d.crivo", "--chaves", "c.chaves")
    assert back.exit_code == 0, back.stderr
    assert (Path(elsewhere.environment["CRIVO_DATA_DIR"]) / lost).exists()


def test_a_file_of_keys_that_is_none_or_that_others_read_is_told(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    home.file("x.chaves", "{}").chmod(0o600)
    whole = (home.folder / "c.chaves").read_text()
    home.file("cortado.chaves", whole[: len(whole) // 2]).chmod(0o600)
    for name, told in (
        ("x.chaves", "não é um arquivo de chaves"),
        ("cortado.chaves", "está cortado"),
        ("nao-ha", "não existe"),
        (".", "pasta"),
    ):
        refused = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", name)
        assert refused.exit_code == 2
        assert told in refused.stderr
        assert "O arquivo de chaves não serve" in refused.stderr
        assert "Faltam chaves" not in refused.stderr
    (home.folder / "c.chaves").chmod(0o644)
    assert "chmod 600" in elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves").stderr


def test_with_a_key_of_copies_the_file_is_sealed_and_opens_with_no_other(home: Terminal, elsewhere: Terminal) -> None:
    home.environment["CRIVO_BACKUP_CHAVE"] = BACKUP_KEY
    assert "cifrada" in home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves").stdout
    assert b"alvorada" not in (home.folder / "c.crivo").read_bytes()
    refused = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert refused.exit_code == 2
    assert "CRIVO_BACKUP_CHAVE" in refused.stderr
    elsewhere.environment["CRIVO_BACKUP_CHAVE"] = BACKUP_KEY
    assert elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves").exit_code == 0


def test_it_comes_back_to_no_folder_that_has_what_it_brings(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    elsewhere.environment["CRIVO_DATA_DIR"] = home.environment["CRIVO_DATA_DIR"]
    refused = elsewhere.run("banco", "restaurar", "c.crivo")
    assert refused.exit_code == 1
    assert "Já existe " in refused.stderr
    assert not (Path(home.environment["CRIVO_DATA_DIR"]) / "restaurando").exists()


def test_what_was_erased_since_the_copy_stays_erased(home: Terminal, elsewhere: Terminal) -> None:
    """The list of destroyed keys that is already there is added to, and never overwritten."""
    folder = Path(home.environment["CRIVO_DATA_DIR"])
    (folder / "chaves_destruidas").write_text(f"local {uuid4()}\n")
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    there = Path(elsewhere.environment["CRIVO_DATA_DIR"])
    there.mkdir()
    newer = f"local {uuid4()}\n"
    (there / "chaves_destruidas").write_text(newer)
    back = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert back.exit_code == 0, back.stderr
    kept = (there / "chaves_destruidas").read_text()
    assert newer in kept
    assert (folder / "chaves_destruidas").read_text() in kept


def test_the_copy_and_the_return_are_in_the_audit_and_doutor_counts_the_days(home: Terminal, elsewhere: Terminal) -> None:
    def exame(where: Terminal) -> dict[str, str]:
        told = json.loads(where.run("doutor", "--json").stdout)["exames"]
        return next(one for one in told if one["nome"] == "Cópia de segurança")

    assert exame(home)["estado"] == "opcional"
    assert (exame(home)["detalhe"], exame(home)["ato"]) == ("nenhuma foi feita", "crivo banco backup ARQ")
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    assert exame(home)["estado"] == "bem"
    assert exame(home)["detalhe"].startswith("a última hoje, em ")
    elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    for where, acao in ((home, "banco.copiado"), (elsewhere, "banco.restaurado")):
        with psycopg.connect(libpq_url(where.environment["CRIVO_DATABASE_URL"])) as connection:
            connection.execute("select set_config('app.tenant_id', 'local', true)")
            assert connection.execute("select ator like 'cli:%%' from auditoria where acao = %s", (acao,)).fetchall() == [(True,)]
    with psycopg.connect(libpq_url(home.environment["CRIVO_DATABASE_URL"])) as connection:
        connection.execute("update copias set feita_em = feita_em - interval '9 days'")
    assert exame(home)["estado"] == "mal"
    assert exame(home)["detalhe"].startswith("a última há 9 dias")


def test_the_state_tells_of_the_last_copy_as_the_doctor_does(home: Terminal) -> None:
    assert "faça um com 'crivo banco backup ARQ'" in home.run("banco", "estado").stdout
    home.run("banco", "backup", "c.crivo")
    told = json.loads(home.run("doutor", "--json").stdout)["exames"]
    seen = next(one["detalhe"] for one in told if one["codigo"] == "copia").partition(", em ")[2]
    assert ", por cli:" in seen
    assert f"✓ Último backup: {seen}." in home.run("banco", "estado").stdout


def test_the_doctor_tells_of_a_clinic_whose_key_is_gone_or_another(home: Terminal) -> None:
    def exame() -> dict[str, str] | None:
        told = json.loads(home.run("doutor", "--json").stdout)["exames"]
        return next((one for one in told if one["codigo"] == "chave_da_clinica"), None)

    path = Path(home.environment["CRIVO_DATA_DIR"]) / "clinicas" / "clinic_a" / "chave-mestra"
    assert exame() is None
    kept = path.read_text()
    for told in ("não se encontra", "não é a que fechou"):
        path.unlink() if told == "não se encontra" else path.write_text(BACKUP_KEY)
        found = exame()
        assert found is not None
        assert found["estado"] == "mal"
        assert f"clinicas/clinic_a/chave-mestra {told}" in found["detalhe"]
        assert found["ato"].startswith("install -m 600 ")
    path.write_text(kept)
    path.chmod(0o600)
    assert exame() is None


def test_a_copy_that_cannot_be_written_is_told_by_the_name_that_was_given(home: Terminal) -> None:
    refused = home.run("banco", "backup", home.folder / "nao-ha" / "c.crivo")
    assert refused.exit_code == 1
    assert f"{home.folder / 'nao-ha' / 'c.crivo'} não existe" in refused.stderr
    same = home.run("banco", "backup", "c.crivo", "--chaves", "./c.crivo")
    assert same.exit_code == 2
    assert "mesmo arquivo" in same.stderr


@pytest.mark.parametrize("given", ["", "PGDMP nada disso", "crivo-copia {}\n"])
def test_what_is_no_copy_is_told_as_that(elsewhere: Terminal, given: str) -> None:
    elsewhere.file("x.crivo", given)
    refused = elsewhere.run("banco", "restaurar", "x.crivo")
    assert refused.exit_code == 1
    assert "Nada foi mudado." in refused.stderr


def test_a_disk_that_fills_leaves_the_older_copy_and_no_half_one(home: Terminal) -> None:
    """The limit of a file's size stands in for the disk's end."""
    home.file("c.crivo", "de antes")
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); from crivo.cli.main import main; main()"
    done = _python(limited, home, "banco", "backup", "c.crivo")
    assert done.returncode == 1
    assert "encheu durante a cópia" in done.stderr.decode()
    assert (home.folder / "c.crivo").read_text() == "de antes"
    assert not list(home.folder.glob(".c.crivo*"))


def test_a_disk_that_fills_on_the_way_back_leaves_nothing_and_says_so(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); from crivo.cli.main import main; main()"
    done = _python(limited, elsewhere, "banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert done.returncode == 1
    assert "encheu durante a restauração" in done.stderr.decode()
    assert not list(Path(elsewhere.environment["CRIVO_DATA_DIR"]).iterdir())
    again = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert again.exit_code == 0, again.stderr


@pytest.mark.parametrize("at", ["reach", "schema", "rows", "files", "end"])
def test_one_that_was_killed_half_way_says_so_and_is_begun_again(home: Terminal, elsewhere: Terminal, at: str) -> None:
    """With -9, before the database is reached, before and while rows come in, once the database has all of them and the files are still
    to be put in place, and once all is there and was neither verified nor noted.
    """
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    module, owner, method = {
        "reach": ("crivo.kernel.copia.escrita", "Chegando", "__init__"),
        "schema": ("crivo.kernel.copia.escrita", "Chegando", "load"),
        "rows": ("crivo.kernel.copia.escrita", "Chegando", "finish"),
        "files": ("crivo.kernel.copia.pasta", "Chegada", "place"),
        "end": ("crivo.auditoria.conferencia", "Auditoria", "conferir"),
    }[at]
    die = (
        f"import os, signal; from {module} import {owner}\n"
        f"{owner}.{method} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from crivo.cli.main import main; main()"
    )
    killed = _python(die, elsewhere, "banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    there = Path(elsewhere.environment["CRIVO_DATA_DIR"])
    keys = sorted(path for path in there.rglob("chave-mestra") if "restaurando" not in path.parts)
    for words in (("politicas", "listar"), ("banco", "migrar"), ("banco", "backup", "x"), ("clinicas", "exportar", "clinic_a")):
        refused = elsewhere.run(*words)
        assert refused.exit_code == 1
        assert "rode de novo 'crivo banco restaurar' com o mesmo arquivo" in refused.stderr
    assert sorted(path for path in there.rglob("chave-mestra") if "restaurando" not in path.parts) == keys
    state = elsewhere.run("banco", "estado")
    assert state.exit_code == 1
    exames = {one["codigo"]: one for one in json.loads(elsewhere.run("doutor", "--json").stdout)["exames"]}
    assert (exames["restauracao"]["estado"], exames["restauracao"]["ato"]) == ("mal", "crivo banco restaurar ARQ")
    for told in (state.stdout, exames["restauracao"]["detalhe"]):
        assert "crivo banco restaurar" in told
        assert "migrar" not in told
    other = elsewhere.folder / "d.crivo"
    home.run("banco", "backup", "d.crivo")
    assert "de outra cópia ficou pela metade" in elsewhere.run("banco", "restaurar", other, "--chaves", "c.chaves").stderr
    again = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert again.exit_code == 0, again.stderr
    assert ("faltava pôr os arquivos" in again.stdout) is (at == "files")
    assert ("faltava verificar a auditoria" in again.stdout) is (at == "end")
    assert "✓ A auditoria de cada organização se sustenta." in again.stdout
    with psycopg.connect(libpq_url(elsewhere.environment["CRIVO_DATABASE_URL"])) as connection:
        connection.execute("select set_config('app.tenant_id', 'local', true)")
        assert connection.execute("select count(*) from auditoria where acao = 'banco.restaurado'").fetchall() == [(1,)]
    assert not (there / "restaurando").exists()
    assert elsewhere.run("auditoria", "verificar").exit_code == 0


def test_nothing_is_said_to_be_restored_before_the_place_was_looked_at(home: Terminal, elsewhere: Terminal) -> None:
    home.run("banco", "backup", "c.crivo", "--chaves", "c.chaves")
    elsewhere.environment["CRIVO_DATABASE_URL"] = home.environment["CRIVO_DATABASE_URL"]
    refused = elsewhere.run("banco", "restaurar", "c.crivo", "--chaves", "c.chaves")
    assert refused.exit_code == 1
    assert "O banco de dados já está em uso por um crivo" in refused.stderr
    assert "Restaurando" not in refused.stdout
    assert not list(Path(elsewhere.environment["CRIVO_DATA_DIR"]).iterdir())


def test_a_silo_is_copied_whole_while_the_clinic_writes_it(home: Terminal, tmp_path: Path) -> None:
    import sqlite3
    import threading

    silo = Path(home.environment["CRIVO_DATA_DIR"]) / FOLDER / "clinic_a" / "silo.sqlite3"
    ended = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(silo, isolation_level=None, timeout=10)) as connection:
            while not ended.is_set():
                connection.execute("begin immediate")
                for day in ("2030-01-01", "2030-01-02"):  # two rows in one transaction: a copy has both or none
                    connection.execute(
                        "insert into slots (doctor, specialty, date, time, available) values (?, 'x', ?, '09:00', 1)",
                        (str(time.time_ns()), day),
                    )
                connection.execute("commit")

    writing = threading.Thread(target=write)
    writing.start()
    try:
        for one in range(5):
            (tmp_path / f"w{one}").mkdir()
            with SiloCopiado("silo", silo).read(tmp_path / f"w{one}") as file:
                (tmp_path / f"copia{one}").write_bytes(file.read())
    finally:
        ended.set()
        writing.join()
    for one in range(5):
        with closing(sqlite3.connect(tmp_path / f"copia{one}")) as copied:
            assert copied.execute("pragma integrity_check").fetchall() == [("ok",)]
            counted = copied.execute("select sum(date = '2030-01-01'), sum(date = '2030-01-02') from slots").fetchall()
        assert counted[0][0] == counted[0][1]


def _python(program: str, where: Terminal, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A program in a process of its own, with the words of a command line."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=inherited | where.environment, cwd=where.folder, capture_output=True, check=False, timeout=120)
