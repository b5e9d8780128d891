"""How a database fares is read without changing, migrating or making anything."""

from __future__ import annotations

import threading
from pathlib import Path

import psycopg
import pytest

from crivo.kernel.storage import estado
from crivo.kernel.storage.estado import look
from crivo.kernel.storage.migrating import HEAD, migrate, pending, revisions
from crivo.kernel.storage.urls import libpq_url
from espera import wait_until
from instalacao_guardada import restore


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_an_empty_database_is_told_as_empty_and_stays_so(empty_database: str, tmp_path: Path) -> None:
    found = look(empty_database, tmp_path)
    assert found.esquema is not None
    assert (found.esquema.situacao, found.esquema.banco, found.esquema.aqui) == ("vazio", None, HEAD)
    assert [name[:4] for name in found.esquema.por_executar] == list(revisions())
    assert (found.linhas, found.ultimo_backup, found.serve) == ({}, None, True)
    assert look(empty_database, tmp_path).linhas == {}
    assert list(tmp_path.iterdir()) == []


def test_an_older_schema_is_told_with_what_would_be_run_and_is_not_migrated(empty_database: str, tmp_path: Path) -> None:
    restore(empty_database, "0002")
    _execute(empty_database, "analyze")
    found = look(empty_database, tmp_path)
    assert found.esquema is not None
    assert (found.esquema.situacao, found.esquema.banco, found.esquema.por_executar) == ("atras", "0002", pending("0002"))
    assert found.esquema.por_executar[0] == "0003_modelos"
    assert found.linhas["autorizacoes"] == 9
    assert (found.onde, found.serve) == ("por_endereco", True)


def test_the_schema_of_a_newer_program_is_told_and_cannot_be_worked_with(empty_database: str, tmp_path: Path) -> None:
    migrate(empty_database)
    assert look(empty_database, tmp_path).serve
    _execute(empty_database, "update alembic_version set version_num = '9999'")
    found = look(empty_database, tmp_path)
    assert found.esquema is not None
    assert (found.esquema.situacao, found.esquema.por_executar, found.serve) == ("a_frente", (), False)


def test_what_the_server_says_of_itself(empty_database: str, tmp_path: Path) -> None:
    servidor = look(empty_database, tmp_path).servidor
    assert servidor is not None
    assert servidor.suporte == "suportado"
    assert servidor.bytes > 1_000_000
    assert 0 < servidor.conexoes <= servidor.limite_conexoes
    assert (servidor.arquivo.ligado, servidor.arquivo.ultimo) == (False, None)


def test_what_is_held_up_is_told_by_process_and_age_and_not_by_what_it_says(
    empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estado, "_LONG_SECONDS", 0)
    _execute(empty_database, "create table algo (nome text)")
    with psycopg.connect(libpq_url(empty_database)) as holder:
        holder.execute("insert into algo values ('Maria de Tal')")
        waiter = threading.Thread(target=_execute, args=(empty_database, "alter table algo add column outro text"))
        waiter.start()
        wait_until(lambda: (found := look(empty_database, tmp_path).servidor) is not None and found.esperas == 1)
        servidor = look(empty_database, tmp_path).servidor
        assert servidor is not None
        assert (holder.info.backend_pid, "idle in transaction") in [(one.processo, one.situacao) for one in servidor.transacoes]
        assert "Maria" not in repr(servidor)
        holder.rollback()
        waiter.join(30)


def test_the_last_copy_is_told_where_copies_are_noted(empty_database: str, tmp_path: Path) -> None:
    _execute(
        empty_database,
        "drop table if exists copias",
        "create table copias (feita_em timestamptz, feita_por text)",
        "insert into copias values ('2026-11-20T10:00:00Z', 'cli:ana'), ('2026-11-19T10:00:00Z', 'cli:rui')",
    )
    seen = look(empty_database, tmp_path)
    found = seen.ultimo_backup
    assert found is not None
    assert seen.backup_por == "cli:ana"
    assert found.isoformat().startswith("2026-11-20T")


def test_a_database_that_is_away_is_told_with_the_reason(tmp_path: Path) -> None:
    found = look("postgresql://ninguem@/nada?host=%2Ftmp%2Fnenhum-soquete-aqui", tmp_path)
    assert found.motivo is not None
    assert "CRIVO_DATABASE_URL" in found.motivo
    assert (found.servidor, found.serve) == (None, False)


def test_an_embedded_database_that_was_never_made_is_not_made_by_looking(tmp_path: Path) -> None:
    found = look("", tmp_path / "dados")
    assert (found.onde, found.serve) == ("embutido", False)
    assert found.motivo is not None
    assert "crivo banco migrar" in found.motivo
    assert not (tmp_path / "dados").exists()
