"""What was destroyed is in no page and in no log once both are written anew. Source: design/sujeito.md, Erasure."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg

from chaves_de_teste import cofre_de_teste
from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.rewriting import rewrite
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

_NOW = datetime(2026, 11, 20, tzinfo=UTC)


async def test_a_destroyed_key_is_in_no_file_of_the_server_once_it_is_written_anew(tmp_path: Path) -> None:
    embedded = EmbeddedPostgres(tmp_path, settings={"fsync": "off"})
    embedded.start()
    try:
        migrate(embedded.admin_url)
        database = Database(embedded.runtime_url, cofre=cofre_de_teste())
        scope = Scope(LOCAL_TENANT, "teste")
        gone, stays = [cofre_de_teste().new(LOCAL_TENANT, uuid4(), Identidade("52998224725"), _NOW) for _ in range(2)]
        async with database.unit_of_work(scope) as uow:
            await uow.cofre.keep(uow, "autorizacoes", [gone, stays])
        _say(embedded, "analyze chaves_de_pessoas", "select pg_switch_wal()", "checkpoint")  # as a day of work does
        async with database.unit_of_work(scope) as uow:
            await uow.cofre.destroy(uow, [gone.id], _NOW)
        _say(embedded, "checkpoint")
        assert len(_files_with(tmp_path, gone.embrulhada)) >= 2  # its page, and the log
        assert rewrite(embedded.admin_url, own_server=True) == "tudo"
        assert _files_with(tmp_path, gone.embrulhada) == []
        async with database.unit_of_work(scope) as uow:
            keys = await uow.cofre.keys(uow, [gone.id, stays.id])
        assert keys == {gone.id: None, stays.id: stays.chave}
        await database.close()
    finally:
        embedded.release()


def test_of_a_server_that_is_somebody_elses_the_tables_are_written_anew_by_who_owns_them(
    embedded_urls: tuple[str, str],
) -> None:
    assert [rewrite(url, own_server=False) for url in embedded_urls] == ["tabelas", "de_outro"]


def _say(embedded: EmbeddedPostgres, *statements: str) -> None:
    with psycopg.connect(libpq_url(embedded.admin_url), autocommit=True) as owner:
        for statement in statements:
            owner.execute(statement)


def _files_with(folder: Path, content: bytes) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and content in path.read_bytes()]
