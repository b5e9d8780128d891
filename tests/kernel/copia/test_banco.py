"""A database comes back from its copy as it was, on either kind of server, or nothing of it does. Source: design/operacao.md, Backup."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine

from copiadas import EM, ENTRIES, KEY, Servidor, brought_back, copied, holds, nothing
from crivo.kernel.copia.conferir import check_copy
from crivo.kernel.copia.copiar import Pedida, make_copy
from crivo.kernel.copia.erros import (
    ChaveDaCopiaErrada,
    CopiaDanificada,
    CopiaMaisNova,
    CopiaNaoGravada,
    LugarOcupado,
    NadaACopiar,
    NaoECopia,
    OutraRestauracao,
    RestauracaoImpossivel,
    RestauracaoPelaMetade,
)
from crivo.kernel.copia.escrita import arriving
from crivo.kernel.copia.manifesto import Manifesto
from crivo.kernel.copia.pasta import refuse_half_restored
from crivo.kernel.copia.restaurar import Restaurada, Volta, bring_back
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.migrating import HEAD, ensure_runtime_role, migrate, upgrade_in
from crivo.kernel.storage.urls import libpq_url, sqlalchemy_url

NewDatabase = Callable[[], str]
HANG_UP = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"


def bring_to(url: str, revision: str) -> None:
    """Make the schema as it was at a revision."""
    engine = create_engine(sqlalchemy_url(url))
    with engine.begin() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        ensure_runtime_role(raw)
        upgrade_in(connection, revision)
    engine.dispose()


def is_bare(url: str) -> bool:
    """Whether nothing of crivo is in a database."""
    with psycopg.connect(libpq_url(url)) as connection:
        return connection.execute("select count(*) from pg_class where relnamespace = 'public'::regnamespace").fetchall() == [(0,)]


# What PostgreSQL does alike whoever owns the tables is tried on one server.
on_one_server = pytest.mark.parametrize("urls", ["embutido"], indirect=True)


@pytest.mark.parametrize("key", [KEY, None], ids=["cifrada", "aberta"])
def test_all_organisations_come_back_whole(source: str, new_database: NewDatabase, tmp_path: Path, key: bytes | None) -> None:
    copia, place = copied(source, tmp_path / "c", tmp_path / "de", key), new_database()
    assert {one.nome: one.linhas for one in copia.manifesto.tabelas}["auditoria"] == sum(ENTRIES.values())
    assert brought_back(tmp_path / "c", place, tmp_path / "para", key).manifesto == copia.manifesto
    assert holds(place)
    with psycopg.connect(libpq_url(place)) as connection:
        assert connection.execute("select count(*) from procrastinate_jobs").fetchall() == [(1,)]
        row = connection.execute("select id::text, bytes, sha256, restaurada_por from copias").fetchall()
    assert row == [(copia.manifesto.id, copia.bytes, copia.sha256, "cli:teste")]
    assert not list((tmp_path / "para").iterdir())


def test_row_level_security_guards_and_keys_are_as_the_migrations_make_them(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    """What was taken aside for the rows to come in is back: no difference to a database that was only migrated."""
    asked = (
        "select relname, relrowsecurity, relforcerowsecurity from pg_class where relnamespace = $ and relkind in ('r', 'S') order by 1",
        "select relname, unnest(relacl)::text from pg_class where relnamespace = $ order by 1, 2",
        "select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where connamespace = $ order by 1, 2",
        "select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2",
        "select polrelid::regclass::text, polname, pg_get_expr(polqual, polrelid) from pg_policy order by 1, 2",
        "select relname from pg_class where relnamespace = $ and relkind = 'i' order by 1",
    )
    copied(source, tmp_path / "c", tmp_path / "de")
    place = new_database()
    brought_back(tmp_path / "c", place, tmp_path / "para")
    with psycopg.connect(libpq_url(source)) as before, psycopg.connect(libpq_url(place)) as after:
        for statement in asked:
            asking = statement.replace("$", "'public'::regnamespace").encode()
            assert before.execute(asking).fetchall() == after.execute(asking).fetchall()


@on_one_server
def test_no_table_is_forgotten(source: str, tmp_path: Path) -> None:
    """Whatever a migration makes is in a copy without anybody saying so: a table that the program's role may use is the program's."""
    copia = copied(source, tmp_path / "c", tmp_path / "de")
    with psycopg.connect(libpq_url(source)) as connection:
        every = connection.execute("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'").fetchall()
    assert {one.nome for one in copia.manifesto.tabelas} == {row[0] for row in every}


def test_sequences_go_on_where_they_stood(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place = new_database()
    brought_back(tmp_path / "c", place, tmp_path / "para")
    with psycopg.connect(libpq_url(place)) as connection:
        connection.execute("insert into procrastinate_jobs (queue_name, task_name, args) values ('q', 't', '{}')")
        ids = [row[0] for row in connection.execute("select id from procrastinate_jobs order by id").fetchall()]
    assert ids == [1, 2]


@on_one_server
def test_a_copy_is_of_one_moment_while_others_write(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    """A chain and its head are two tables: copied at two moments they would not fit, and here entries are added all the while."""
    ended, failed = threading.Event(), list[psycopg.Error]()

    def write() -> None:
        try:
            with psycopg.connect(libpq_url(source), autocommit=True) as connection:
                connection.execute("select set_config('app.tenant_id', 'local', false)")
                while not ended.is_set():
                    connection.execute(
                        "with n as (update auditoria_cabecas set seq = seq + 1 where tenant_id = 'local' returning seq) "
                        "insert into auditoria select 'local', seq, now(), 'a', 'b', 'c', '{}', '', '' from n"
                    )
        except psycopg.Error as error:
            failed.append(error)

    writing = threading.Thread(target=write)
    writing.start()
    try:
        copias = [copied(source, tmp_path / f"c{one}", tmp_path / "de") for one in range(3)]
    finally:
        ended.set()
        writing.join()
    assert not failed
    assert copias[0].manifesto.linhas < copias[2].manifesto.linhas
    for one in range(3):
        place = new_database()
        brought_back(tmp_path / f"c{one}", place, tmp_path / f"para{one}")
        with psycopg.connect(libpq_url(place)) as connection:
            connection.execute("select set_config('app.tenant_id', 'local', true)")
            found = connection.execute("select max(a.seq), max(c.seq) from auditoria a, auditoria_cabecas c").fetchall()
        assert found[0][0] == found[0][1]


@pytest.mark.parametrize("urls", ["por_endereco"], indirect=True)
def test_where_the_owner_cannot_list_the_organisations_no_empty_copy_is_made(new_database: NewDatabase, tmp_path: Path) -> None:
    old = new_database()
    bring_to(old, "0009")
    with pytest.raises(CopiaNaoGravada, match="sairia vazia"):
        copied(old, tmp_path / "c", tmp_path / "de")
    assert not (tmp_path / "c").exists()


def test_a_copy_of_an_older_version_comes_back_to_this_one(new_database: NewDatabase, tmp_path: Path) -> None:
    old = new_database()
    bring_to(old, "0012")
    with psycopg.connect(libpq_url(old)) as raw:
        raw.execute("select set_config('app.tenant_id', 'local', true)")
        raw.execute("insert into catalogos values ('local', 7)")
    copia, place = copied(old, tmp_path / "c", tmp_path / "de"), new_database()
    assert copia.manifesto.esquema == "0012"
    brought_back(tmp_path / "c", place, tmp_path / "para")
    with psycopg.connect(libpq_url(place)) as raw:
        raw.execute("select set_config('app.tenant_id', 'local', true)")
        assert raw.execute("select versao from catalogos").fetchall() == [(7,)]
        assert raw.execute("select version_num from alembic_version").fetchall() == [(HEAD,)]


@on_one_server
def test_a_copy_goes_from_the_embedded_server_to_one_by_its_address_and_back(
    source: str, new_database: NewDatabase, server_by_address: str, tmp_path: Path
) -> None:
    """Two versions of PostgreSQL where the machine's own is not 18; and an owner who is bound by row-level security."""
    other = Servidor(server_by_address)
    there = other.make("copia_de_fora")
    try:
        copied(source, tmp_path / "c", tmp_path / "de")
        brought_back(tmp_path / "c", there, tmp_path / "la")
        assert holds(there)
        copied(there, tmp_path / "d", tmp_path / "la")
        back = new_database()
        brought_back(tmp_path / "d", back, tmp_path / "para")
        assert holds(back)
    finally:
        other.do("drop database copia_de_fora with (force)")


def test_a_place_that_was_only_prepared_is_still_empty(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place = new_database()
    migrate(place)
    brought_back(tmp_path / "c", place, tmp_path / "para")
    assert holds(place)


def test_a_place_in_which_somebody_stored_something_is_left_alone(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place = new_database()
    migrate(place)
    with psycopg.connect(libpq_url(place)) as connection:
        connection.execute("select set_config('app.tenant_id', 'local', true)")
        connection.execute("insert into catalogos values ('local', 3)")
    with pytest.raises(LugarOcupado, match="já está em uso por um crivo"):
        brought_back(tmp_path / "c", place, tmp_path / "para")
    with pytest.raises(LugarOcupado, match="mais de uma organização"):
        brought_back(tmp_path / "c", source, tmp_path / "para")
    with psycopg.connect(libpq_url(place)) as connection:
        connection.execute("select set_config('app.tenant_id', 'local', true)")
        assert connection.execute("select versao from catalogos").fetchall() == [(3,)]
    assert holds(source)
    assert not (tmp_path / "para" / "restaurando").exists()


@on_one_server
def test_tables_of_another_program_beside_ours_stay(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place = new_database()
    migrate(place)
    with psycopg.connect(libpq_url(place)) as connection:
        connection.execute("create table de_outro as select 1 as um")
    brought_back(tmp_path / "c", place, tmp_path / "para")
    with psycopg.connect(libpq_url(place)) as connection:
        assert connection.execute("select um from de_outro").fetchall() == [(1,)]


@on_one_server
def test_a_damaged_copy_is_refused_before_anything_is_touched(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de", KEY)
    whole, place = (tmp_path / "c").read_bytes(), new_database()
    middle = len(whole) // 2
    cases: dict[str, tuple[bytes, type[Exception]]] = {
        "cortada": (whole[:middle], CopiaDanificada),
        "com um byte depois do fim": (whole + b"x", CopiaDanificada),
        "duas, uma depois da outra": (whole + whole, CopiaDanificada),
        "com uma linha em branco": (whole + b"\n", CopiaDanificada),
        "alterada": (whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :], CopiaDanificada),
        "vazia": (b"", NaoECopia),
        "outra coisa": (b"PGDMP" + whole, NaoECopia),
    }
    for name, (raw, error) in cases.items():
        (tmp_path / name).write_bytes(raw)
        with pytest.raises(error):
            brought_back(tmp_path / name, place, tmp_path / "para", KEY)
    copied(source, tmp_path / "aberta", tmp_path / "de")
    (tmp_path / "aberta e mais").write_bytes((tmp_path / "aberta").read_bytes() + b"x")
    with pytest.raises(CopiaDanificada, match="depois do fim"):
        brought_back(tmp_path / "aberta e mais", place, tmp_path / "para")
    for key in (None, bytes(range(1, 33))):
        with pytest.raises(ChaveDaCopiaErrada):
            brought_back(tmp_path / "c", place, tmp_path / "para", key)
    with pytest.raises(RestauracaoImpossivel, match="não há não existe"):
        brought_back(tmp_path / "não há", place, tmp_path / "para", KEY)
    assert is_bare(place)
    assert not (tmp_path / "para").exists()


@on_one_server
def test_a_copy_of_a_newer_version_is_refused(
    source: str, new_database: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    monkeypatch.setattr("crivo.kernel.copia.conferir.HEAD", "0001")
    with pytest.raises(CopiaMaisNova, match=f"versão {HEAD}.*até a 0001"):
        brought_back(tmp_path / "c", new_database(), tmp_path / "para")


@on_one_server
def test_of_two_that_restore_at_once_one_is_told(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    """By the folder where they share it, by the database where they do not."""
    copia, place = copied(source, tmp_path / "c", tmp_path / "de"), new_database()
    proven = list[Manifesto]()
    with arriving(place, copia.manifesto), pytest.raises(OutraRestauracao):
        bring_back(Volta(tmp_path / "c", tmp_path / "para", EM, "cli:teste", None, "", {}), lambda: place, nothing, proven.append)
    assert not proven
    assert not (tmp_path / "para" / "restaurando").exists()
    outcomes = list[object]()

    def restore() -> None:
        try:
            outcomes.append(brought_back(tmp_path / "c", place, tmp_path / "para"))
        except (OutraRestauracao, LugarOcupado) as error:
            outcomes.append(type(error))

    both = [threading.Thread(target=restore) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sum(isinstance(one, type) for one in outcomes) == 1, outcomes
    assert holds(place)


@on_one_server
def test_a_server_that_starts_meanwhile_waits_for_all_of_it(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place, had_to_do, waited = new_database(), list[bool](), list[bool]()
    starting = threading.Thread(target=lambda: had_to_do.append(migrate(place)))

    def start(table: str, _: int) -> None:
        if table == "tenants" and proven and not waited:
            starting.start()
            starting.join(1)
            waited.append(starting.is_alive())

    proven = list[Manifesto]()
    volta = Volta(tmp_path / "c", tmp_path / "para", EM, "cli:teste", None, "", {})
    bring_back(volta, lambda: place, start, proven.append)
    starting.join(30)
    assert waited == [True]
    assert had_to_do == [False]
    assert holds(place)


@pytest.mark.parametrize("urls", ["por_endereco"], indirect=True)
def test_a_role_without_rights_is_told_which_it_lacks(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place, proven = new_database(), list[Manifesto]()
    creator = place.replace("crivo_dono", "postgres")
    with psycopg.connect(libpq_url(creator), autocommit=True) as connection:
        connection.execute("drop role if exists copia_sem_direito")
        connection.execute("create role copia_sem_direito login")
    user = place.partition("//")[2].partition("@")[0]
    volta = Volta(tmp_path / "c", tmp_path / "para", EM, "cli:teste", None, "", {})
    with pytest.raises(RestauracaoImpossivel, match="criar tabelas no esquema"):
        bring_back(volta, lambda: place.replace(f"//{user}@", "//copia_sem_direito@"), nothing, proven.append)
    assert not proven  # nothing is said to be restored where it cannot be
    assert is_bare(place)
    assert not (tmp_path / "para" / "restaurando").exists()


@on_one_server
def test_a_database_that_is_gone_half_way_leaves_the_older_copy_as_it_was(source: str, tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"de antes")
    killed = list[str]()

    def kill(table: str, _: int) -> None:
        if not killed:
            killed.append(table)
            with psycopg.connect(libpq_url(source.replace("crivo_dono", "postgres")), autocommit=True) as connection:
                connection.execute(HANG_UP)

    (tmp_path / "de").mkdir()
    pedida = Pedida("c-1", EM, "cli:teste", "0", tmp_path / "de", (), {}, None)
    with pytest.raises(BancoIndisponivel):
        make_copy(source, tmp_path / "c", pedida, kill)
    assert (tmp_path / "c").read_bytes() == b"de antes"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["c", "de"]
    assert not list((tmp_path / "de").iterdir())


def test_a_database_that_is_gone_half_way_back_has_nothing_of_it(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    place, proven, killed = new_database(), list[Manifesto](), list[str]()

    def kill(table: str, _: int) -> None:
        if proven and table == "auditoria" and not killed:
            killed.append(table)
            with psycopg.connect(libpq_url(place.replace("crivo_dono", "postgres")), autocommit=True) as connection:
                connection.execute(HANG_UP)

    volta = Volta(tmp_path / "c", tmp_path / "para", EM, "cli:teste", None, "", {})
    with pytest.raises(BancoIndisponivel, match="Nada dela ficou"):
        bring_back(volta, lambda: place, kill, proven.append)
    assert is_bare(place)
    brought_back(tmp_path / "c", place, tmp_path / "para")
    assert holds(place)


@on_one_server
def test_a_place_that_is_not_reached_is_told_and_left_as_it_was(source: str, tmp_path: Path) -> None:
    copied(source, tmp_path / "c", tmp_path / "de")
    with pytest.raises(BancoIndisponivel, match=r"Não há PostgreSQL que atenda em 127\.0\.0\.1:1\."):
        brought_back(tmp_path / "c", "postgresql://ana:segredo@127.0.0.1:1/casa", tmp_path / "para")
    assert not list((tmp_path / "para").iterdir())


@on_one_server
def test_what_was_not_told_to_its_end_is_ended_by_the_next_try(source: str, new_database: NewDatabase, tmp_path: Path) -> None:
    """The mark goes last: while whoever verifies and notes has not returned, nobody else works here."""
    copied(source, tmp_path / "c", tmp_path / "de")
    place, volta = new_database(), Volta(tmp_path / "c", tmp_path / "para", EM, "cli:teste", None, "", {})

    def dies(_: Restaurada) -> None:
        with pytest.raises(RestauracaoPelaMetade):
            refuse_half_restored(tmp_path / "para")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring_back(volta, lambda: place, nothing, lambda _: None, dies)
    with pytest.raises(RestauracaoPelaMetade):
        refuse_half_restored(tmp_path / "para")
    told = list[Restaurada]()
    assert bring_back(volta, lambda: place, nothing, lambda _: None, told.append).concluida
    assert len(told) == 1
    refuse_half_restored(tmp_path / "para")
    assert holds(place)


@on_one_server
def test_of_an_empty_database_there_is_nothing_to_copy(new_database: NewDatabase, tmp_path: Path) -> None:
    with pytest.raises(NadaACopiar):
        copied(new_database(), tmp_path / "c", tmp_path / "de")
    assert not (tmp_path / "c").exists()


@on_one_server
def test_a_schema_that_changes_under_a_copy_spoils_it(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.kernel.copia.copiar.schema_now", lambda _: "9999")
    with pytest.raises(CopiaNaoGravada, match="Rode o comando de novo"):
        copied(source, tmp_path / "c", tmp_path / "de")
    assert not (tmp_path / "c").exists()


@on_one_server
def test_the_manifest_tells_every_table_with_its_digest(source: str, tmp_path: Path) -> None:
    copia = copied(source, tmp_path / "c", tmp_path / "de", KEY)
    with (tmp_path / "c").open("rb") as file:
        found: Manifesto = check_copy(file, tmp_path / "c", KEY, nothing)
    assert found == copia.manifesto
    assert {"auditoria", "tenants", "segredos", "copias", "procrastinate_jobs", "alembic_version"} <= {one.nome for one in found.tabelas}
    assert len({one.sha256 for one in found.tabelas}) > 2
    assert (tmp_path / "c").stat().st_mode & 0o777 == 0o600
