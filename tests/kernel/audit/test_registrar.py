"""What is done outside of the database is in the chain, or waits in a file until it can be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from crivo.kernel.atos import NewEntry
from crivo.kernel.atos.espera import AtoSemRegistro, Spool
from crivo.kernel.audit import Entry, verify_tenant
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.audit.registrar import Ledger
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_THEN = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))
_NOW = _THEN.after(timedelta(hours=2))
_ATO = NewEntry("consulta.marcada", "clinica:clinic_a", {"hora": "10:00"})


async def _told(database: Database, scope: Scope) -> tuple[Entry, ...]:
    async with database.unit_of_work(scope) as uow:
        assert not (await verify_tenant(uow)).quebras
        return await list_latest(uow, 10)


async def test_an_act_is_in_the_chain_at_once_where_the_database_is_there(database: Database, scope: Scope, tmp_path: Path) -> None:
    spool = Spool(tmp_path, _NOW)
    await Ledger(database, _NOW, spool).registrar(scope, [_ATO])
    (entry,) = await _told(database, scope)
    assert (entry.ator, entry.acao, entry.dados) == (scope.ator, "consulta.marcada", '{"hora":"10:00"}')
    assert spool.is_empty


async def test_an_act_waits_while_the_database_is_away_and_goes_along_with_the_next(
    database: Database, scope: Scope, tmp_path: Path
) -> None:
    away = Database("postgresql://ninguem@127.0.0.1:1/nada")
    await Ledger(away, _THEN, Spool(tmp_path, _THEN)).registrar(scope, [_ATO, _ATO])
    await away.close()
    spool = Spool(tmp_path, _NOW)
    assert (spool.is_empty, spool.path.stat().st_mode & 0o777) == (False, 0o600)
    await Ledger(database, _NOW, spool).registrar(Scope(scope.tenant_id, "usuario:2"), [_ATO])
    entries = await _told(database, scope)
    assert [(one.ator, one.dados) for one in reversed(entries)] == [
        ("usuario:2", '{"hora":"10:00"}'),
        ("teste", '{"feito_em":"2026-11-20T13:00:00+00:00","hora":"10:00"}'),
        ("teste", '{"feito_em":"2026-11-20T13:00:00+00:00","hora":"10:00"}'),
    ]
    assert spool.is_empty


async def test_what_no_chain_takes_stays_and_holds_nobody_up(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope], tmp_path: Path
) -> None:
    spool, other = Spool(tmp_path, _THEN), new_tenant()
    spool.add(Scope("nunca-houve", "cli:eu"), [_ATO])
    with spool.path.open("ab") as file:
        file.write(b"{rasgada\n\xff\n")
    spool.add(scope, [_ATO])
    spool.add(other, [_ATO])
    ledger = Ledger(database, _NOW, spool)
    assert await ledger.gather() == 2
    assert [len(await _told(database, one)) for one in (scope, other)] == [1, 1]
    assert len(spool.path.read_bytes().splitlines()) == 3
    assert await ledger.gather() == 0


def test_where_not_even_the_file_takes_an_act_it_is_said(scope: Scope, tmp_path: Path) -> None:
    spool = Spool(tmp_path, _THEN)
    spool.path.mkdir()
    with pytest.raises(AtoSemRegistro):
        spool.add(scope, [_ATO])
