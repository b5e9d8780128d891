"""The end of the chain noted elsewhere finds what the chain by itself cannot: a tail cut with its head, and a chain written anew."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from casa_auditada import CasaAuditada
from crivo.auditoria.ancoragem import Ancoragem, AncoraImpossivel, anchoring
from crivo.auditoria.conferencia import Auditoria, Conferencia
from crivo.kernel.atos.espera import Spool
from crivo.kernel.audit.chain import GENESIS, next_digest
from crivo.kernel.audit.registrar import Ledger
from crivo.kernel.clock import FixedClock
from crivo.kernel.sigilo.assinatura import Assinante, Publica
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_NOW = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))


class Correio:
    """An address that takes what it is sent, or does not."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.up = True

    def __call__(self, address: str, body: bytes) -> None:
        assert address == "https://cartorio.exemplo.org/ancoras"
        if not self.up:
            raise TimeoutError
        self.sent.append(body)


async def _against(casa: CasaAuditada, ancoragem: Ancoragem, key: Publica | None = None) -> Conferencia:
    lines = ancoragem.arquivo.read_bytes().splitlines()
    return await casa.auditoria.conferir(casa.scope, lines, key or ancoragem.publica())


@pytest.fixture
def ancoragem(database: Database, tmp_path: Path) -> Ancoragem:
    return Ancoragem(database, _NOW, tmp_path)


def _breaks(found: Conferencia) -> list[tuple[int, str, int | None]]:
    assert found.ancoras is not None
    return [(one.linha, one.motivo, one.seq) for one in found.ancoras.quebras]


async def test_an_untouched_chain_bears_out_every_anchor(casa: CasaAuditada, ancoragem: Ancoragem) -> None:
    await casa.publish()
    await ancoragem.ancorar(casa.scope)
    await casa.review()
    (noted,) = (await ancoragem.ancorar(casa.scope)).ancoras
    assert (noted.tenant, noted.seq) == (casa.scope.tenant_id, 4)
    found = await _against(casa, ancoragem)
    assert found.integra
    assert found.ancoras is not None
    assert found.ancoras.ancoras == 2
    assert (ancoragem.arquivo.stat().st_mode & 0o777, (ancoragem.arquivo.parent / "ancoras.chave").stat().st_mode & 0o777) == (0o600, 0o600)
    copied = Publica.of_pem((ancoragem.arquivo.parent / "ancoras.publica.pem").read_bytes())
    assert (await _against(casa, ancoragem, copied)).integra


async def test_a_tail_that_was_cut_with_its_head_is_found_by_the_anchor(casa: CasaAuditada, ancoragem: Ancoragem) -> None:
    """Source: design/sujeito.md, table, 6: the chain alone holds."""
    await casa.publish()
    await casa.review()
    await ancoragem.ancorar(casa.scope)
    casa.tamper(
        "delete from autorizacao_revisoes",
        "delete from auditoria where MINE and seq >= 4",
        "update auditoria_cabecas set (seq, digest) = (select seq, digest from auditoria where MINE and seq = 3) where MINE",
    )
    assert (await casa.conferida()).integra
    found = await _against(casa, ancoragem)
    assert not found.integra
    assert _breaks(found) == [(1, "ancora_ausente", 4)]


async def test_the_installation_s_own_anchors_are_held_against_the_chain_unasked(
    casa: CasaAuditada, ancoragem: Ancoragem, tmp_path: Path
) -> None:
    own = Auditoria(casa.database, _NOW, anotadas=ancoragem)
    await casa.publish()
    assert (await own.conferir(casa.scope)).sem_ancora
    await ancoragem.ancorar(casa.scope)
    found = await own.conferir(casa.scope)
    assert (found.integra, found.sem_ancora) == (True, False)
    (tmp_path / "ancoras.chave").unlink()  # what was signed with a key that is lost is verified by the public one
    assert (await own.conferir(casa.scope)).integra
    casa.tamper(
        "delete from auditoria where MINE and seq = 2",
        "update auditoria_cabecas set (seq, digest) = (select seq, digest from auditoria where MINE and seq = 1) where MINE",
    )
    assert _breaks(await own.conferir(casa.scope)) == [(1, "ancora_ausente", 2)]


async def test_what_is_being_noted_while_the_chain_is_read_is_left_for_the_next_reading(ancoragem: Ancoragem, tmp_path: Path) -> None:
    ancoragem.publica()
    ancoragem.arquivo.write_bytes(b"uma\nduas\n")
    with ancoragem.abertas() as noted, ancoragem.arquivo.open("ab") as growing:
        growing.write(b'{"tenant":')
        growing.flush()
        assert noted is not None
        assert list(noted[0]) == [b"uma\n", b"duas\n"]


async def test_a_chain_that_was_written_anew_is_found_by_the_anchor(
    casa: CasaAuditada, ancoragem: Ancoragem, urls: tuple[str, str]
) -> None:
    """Source: design/sujeito.md, table, 6: the chain alone holds."""
    await casa.publish()
    await casa.review()
    await ancoragem.ancorar(casa.scope)
    _rewrite(urls[0], casa.scope, lambda ator: "usuario:davi" if ator == "usuario:rita" else ator)
    assert (await casa.conferida()).integra
    assert _breaks(await _against(casa, ancoragem)) == [(1, "ancora_diverge", 4)]


async def test_a_line_that_was_touched_or_signed_with_another_key_is_found(casa: CasaAuditada, ancoragem: Ancoragem) -> None:
    await casa.publish()
    await ancoragem.ancorar(casa.scope)
    assert _breaks(await _against(casa, ancoragem, Assinante.of_seed(b"k" * 32).publica)) == [(1, "assinatura_invalida", 2)]
    line = json.loads(ancoragem.arquivo.read_bytes())
    touched = [json.dumps({**line, "em": "2020-01-01T00:00:00Z"}).encode(), b"{nada", b"\xff", b""]
    found = await casa.auditoria.conferir(casa.scope, touched, ancoragem.publica())
    assert _breaks(found) == [(1, "assinatura_invalida", 2), (2, "ancora_ilegivel", None), (3, "ancora_ilegivel", None)]


async def test_anchors_of_others_say_nothing_of_a_chain(
    casa: CasaAuditada, ancoragem: Ancoragem, database: Database, new_tenant: Callable[[], Scope], urls: tuple[str, str]
) -> None:
    await CasaAuditada(database, other := new_tenant(), urls[0]).publish()
    await ancoragem.ancorar(other)
    found = await _against(casa, ancoragem)
    assert found.ancoras is not None
    assert (found.ancoras.ancoras, found.integra) == (0, True)


async def test_once_a_day_every_chain_is_noted(
    casa: CasaAuditada, database: Database, new_tenant: Callable[[], Scope], urls: tuple[str, str], tmp_path: Path
) -> None:
    await casa.publish()
    await CasaAuditada(database, other := new_tenant(), urls[0]).publish()
    both = {casa.scope.tenant_id, other.tenant_id}
    for hours, noted in ((0, both), (23, set()), (24, both), (25, set())):
        clock = FixedClock(_NOW.now() + timedelta(hours=hours))
        done = await Ancoragem(database, clock, tmp_path).em_dia()
        assert {one.tenant for one in done.ancoras} & both == noted, hours


async def test_a_service_notes_as_it_starts(casa: CasaAuditada, ancoragem: Ancoragem, tmp_path: Path) -> None:
    await casa.publish()
    async with anchoring(ancoragem, Ledger(casa.database, _NOW, Spool(tmp_path, _NOW)), casa.auditoria):
        async with asyncio.timeout(10):
            while not ancoragem.arquivo.exists():  # noqa: ASYNC110 - it says nothing when it is done
                await asyncio.sleep(0.01)
    assert (await _against(casa, ancoragem)).integra


async def test_a_tenant_without_entries_has_nothing_to_note(casa: CasaAuditada, ancoragem: Ancoragem) -> None:
    assert (await ancoragem.ancorar(casa.scope)).ancoras == ()
    assert not ancoragem.arquivo.exists()


async def test_what_an_address_did_not_take_is_kept_and_sent_along_with_the_next(
    casa: CasaAuditada, database: Database, tmp_path: Path
) -> None:
    correio = Correio()
    ancoragem = Ancoragem(database, _NOW, tmp_path, "https://cartorio.exemplo.org/ancoras", correio)
    await casa.publish()
    correio.up = False
    assert [(await ancoragem.ancorar(casa.scope)).enviada for _ in range(2)] == [False, False]
    assert len(ancoragem.arquivo.read_bytes().splitlines()) == 2
    correio.up = True
    assert (await ancoragem.ancorar(casa.scope)).enviada
    assert [len(body.splitlines()) for body in correio.sent] == [3]
    assert correio.sent[0] == ancoragem.arquivo.read_bytes()
    await ancoragem.ancorar(casa.scope)
    assert [len(body.splitlines()) for body in correio.sent] == [3, 1]


async def test_a_line_that_was_torn_takes_no_other_with_it(casa: CasaAuditada, ancoragem: Ancoragem) -> None:
    await casa.publish()
    ancoragem.arquivo.write_bytes(b'{"tenant":"x"')
    await ancoragem.ancorar(casa.scope)
    assert _breaks(await _against(casa, ancoragem)) == [(1, "ancora_ilegivel", None)]


async def test_a_file_may_be_chosen_and_one_that_cannot_be_written_is_told(casa: CasaAuditada, database: Database, tmp_path: Path) -> None:
    await casa.publish()
    chosen = tmp_path / "fora" / "ancoras.txt"
    assert (await Ancoragem(database, _NOW, tmp_path, str(chosen)).ancorar(casa.scope)).arquivo == chosen
    assert len(chosen.read_bytes().splitlines()) == 1
    with pytest.raises(AncoraImpossivel):
        await Ancoragem(database, _NOW, tmp_path, str(tmp_path)).ancorar(casa.scope)


def _rewrite(owner_url: str, scope: Scope, of: Callable[[str], str]) -> None:
    """The whole chain again, with other actors, every seal of it right."""
    with psycopg.connect(libpq_url(owner_url)) as connection:
        mine = (scope.tenant_id,)
        connection.execute("select set_config('app.tenant_id', %s, true)", mine)
        connection.execute("set local session_replication_role = replica")
        rows = connection.execute(
            "select seq, em, ator, acao, alvo, dados from auditoria where tenant_id = %s order by seq", mine
        ).fetchall()
        previous, seq = GENESIS, 0
        for seq, em, ator, acao, alvo, dados in rows:
            digest = next_digest(previous, scope.tenant_id, seq, em, of(ator), acao, alvo, dados)
            values = (of(ator), previous, digest, *mine, seq)
            connection.execute(
                "update auditoria set ator = %s, digest_anterior = %s, digest = %s where tenant_id = %s and seq = %s", values
            )
            previous = digest
        connection.execute("update auditoria_cabecas set seq = %s, digest = %s where tenant_id = %s", (seq, previous, *mine))
