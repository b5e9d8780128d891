"""Decisions that wait have an owner: claimed, given, let go of, many at once and undone; and deadlines are told of once."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from casos import pedido, regra
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import (
    CalendariosDePrazo,
    Dito,
    LoteGrandeDemais,
    ReservaDeOutro,
    Responsaveis,
    RevisaoProposta,
    Revisoes,
    SemDestinatario,
)
from crivo.autorizacoes.revisao.avisos import AvisosDePrazo
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.access import SemPermissao, Usuario
from crivo.kernel.access.usuarios import create_usuario
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.cartas import Correio
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.prazos import NACIONAL
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import Papel, Pessoa
from crivo.kernel.tenancy import Scope

NOW = datetime.fromisoformat("2026-11-20T10:00:00-03:00")


class Casa:
    """The queue of one tenant, at a moment."""

    def __init__(self, database: Database, elapsed: timedelta = timedelta(0)) -> None:
        clock = FixedClock(NOW + elapsed)
        new_id = Uuid7(clock).new
        self.database = database
        self.politicas = Politicas(database, clock, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), clock, new_id)
        self.revisoes = Revisoes(database, clock, new_id)
        self.responsaveis = Responsaveis(database, clock, new_id)
        self.calendarios = CalendariosDePrazo(database, clock)
        self.avisos = AvisosDePrazo(database, clock, Correio(Fila(), new_id), 0.75, NACIONAL, "https://crivo.exemplo.org")

    async def deny(self, scope: Scope, **changes: Any) -> UUID:
        raw = json.dumps(pedido(**{"documentos_anexos": [], **changes})).encode()
        return (await self.autorizacoes.decidir(scope, raw)).autorizacao.id

    async def owners(self, scope: Scope) -> list[str]:
        return [one.responsavel for one in sorted(await self.revisoes.fila(scope), key=lambda one: one.id)]


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    document = {**head, "regras": [regra(documentos_obrigatorios=["LAUDO_MEDICO"], tipo_atendimento="EXAME_LABORATORIAL")]}
    await made.politicas.importar(scope, json.dumps(document).encode(), publicar=True)
    return made


async def person(database: Database, scope: Scope, papel: Papel) -> tuple[Usuario, Scope]:
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, NOW, uuid4(), f"Pessoa {papel}", f"{uuid4().hex[:8]}@exemplo.org", papel)
    return made, Scope(scope.tenant_id, made.ator, Pessoa(scope.tenant_id, made.id, papel))


async def test_what_is_claimed_is_one_s_own_until_it_is_let_go_of(casa: Casa, database: Database, scope: Scope) -> None:
    _, rita = await person(database, scope, "revisor")
    _, caio = await person(database, scope, "revisor")
    one = await casa.deny(scope)
    done = await casa.responsaveis.assumir(rita, {one: ""})
    assert (done.feitas, done.mudaram, done.fora) == (1, 0, 0)
    with pytest.raises(ReservaDeOutro, match="outra pessoa responsável"):
        await casa.revisoes.reservar(caio, one)
    with pytest.raises(ReservaDeOutro):
        await casa.revisoes.decidir(caio, one, RevisaoProposta(decisao_final="NEGADO", motivo="Não é minha esta."), livre=True)
    assert (await casa.responsaveis.soltar(caio, {one: ""})).feitas == 0
    assert (await casa.responsaveis.soltar(rita, {one: ""})).feitas == 1
    await casa.revisoes.reservar(caio, one)


async def test_of_two_who_claim_at_once_one_has_it_and_the_other_is_told(casa: Casa, database: Database, scope: Scope) -> None:
    people = [(await person(database, scope, "revisor"))[1] for _ in range(2)]
    ids = [await casa.deny(scope, pedido_id=f"P-{number}") for number in range(4)]
    done = await asyncio.gather(*[casa.responsaveis.assumir(one, dict.fromkeys(ids, "")) for one in people])
    assert sum(one.feitas for one in done) == 4
    assert sum(one.mudaram for one in done) == 4
    assert all(await casa.owners(scope))


async def test_many_are_given_and_what_changed_meanwhile_is_counted_apart(casa: Casa, database: Database, scope: Scope) -> None:
    rita, as_rita = await person(database, scope, "revisor")
    caio, as_caio = await person(database, scope, "revisor")
    _, gil = await person(database, scope, "gestor")
    ids = [await casa.deny(scope, pedido_id=f"P-{number}") for number in range(4)]
    await casa.responsaveis.assumir(as_caio, {ids[0]: ""})
    await casa.revisoes.decidir(as_rita, ids[1], RevisaoProposta(decisao_final="APROVADO", motivo="O laudo chegou depois."), livre=True)
    done = await casa.responsaveis.dar(gil, {**dict.fromkeys(ids, ""), uuid4(): ""}, rita.ator)
    assert (done.feitas, done.mudaram, done.fora) == (2, 1, 2)
    assert await casa.owners(scope) == [caio.ator, rita.ator, rita.ator]
    assert (await casa.responsaveis.desfazer(as_rita, done.lote)).feitas == 0  # it was another's act
    undone = await casa.responsaveis.desfazer(gil, done.lote, done.feitas)
    assert (undone.feitas, await casa.owners(scope)) == (2, [caio.ator, "", ""])
    assert (await casa.responsaveis.desfazer(gil, undone.lote)).feitas == 2
    async with database.unit_of_work(scope) as uow:
        entry = (await list_latest(uow, 1))[0]
    assert (entry.acao, json.loads(entry.dados)["quantas"]) == ("fila.desfeita", 2)


async def test_who_only_reviews_gives_to_nobody_and_nothing_is_given_to_who_does_not(casa: Casa, database: Database, scope: Scope) -> None:
    rita, as_rita = await person(database, scope, "revisor")
    ana, _ = await person(database, scope, "avaliador")
    _, gil = await person(database, scope, "gestor")
    one = await casa.deny(scope)
    with pytest.raises(SemPermissao):
        await casa.responsaveis.dar(as_rita, {one: ""}, rita.ator)
    for nobody in (ana.ator, "usuario:ninguem", ""):
        with pytest.raises(SemDestinatario):
            await casa.responsaveis.dar(gil, {one: ""}, nobody)
    with pytest.raises(LoteGrandeDemais):
        await casa.responsaveis.assumir(as_rita, {uuid4(): "" for _ in range(501)})
    assert set(await casa.responsaveis.quem_reve(gil)) >= {rita.ator, gil.ator}


async def test_the_queue_counts_by_the_kind_that_the_regra_says_and_by_the_place_that_people_say(casa: Casa, scope: Scope) -> None:
    one = await casa.deny(scope)
    (found,) = await casa.revisoes.fila(scope)
    assert found.prazo is not None
    assert (found.tipo, found.prazo.dias_uteis, found.prazo.ate.date().isoformat()) == ("EXAME_LABORATORIAL", 3, "2026-11-25")
    assert (found.plano_id, found.regra_id, found.motivos) == ("PRATA", "R-1", ("documentacao_pendente",))
    assert (await casa.revisoes.dizeres(scope, [one]))[one].beneficiario == "B-1"
    await casa.calendarios.definir(scope, Dito("adm-1", "PE", "Recife", "2026-11-24"))
    await casa.calendarios.definir(scope, Dito("ADM-1", "PE", "Recife", "2026-11-24, 11-25"))
    (guardado,) = await casa.calendarios.listar(scope)
    assert (guardado.dito.administradora_id, guardado.por) == ("adm-1", scope.ator)
    (found,) = await casa.revisoes.fila(scope)
    assert found.prazo is not None
    assert found.prazo.ate.date().isoformat() == "2026-11-27"
    await casa.calendarios.retirar(scope, "adm-1")
    assert await casa.calendarios.listar(scope) == ()


async def test_a_kind_that_only_the_pedido_says_is_read_and_another_word_is_none(casa: Casa, scope: Scope) -> None:
    for number, said in enumerate(("alta complexidade", "qualquer coisa", 7)):
        await casa.deny(scope, pedido_id=f"P-{number}", administradora_id="OUTRA", procedimento__tipo_atendimento=said)
    found = sorted(await casa.revisoes.fila(scope), key=lambda one: one.pedido_id or "")
    assert [one.tipo for one in found] == ["ALTA_COMPLEXIDADE", None, None]


async def test_what_was_stored_before_there_was_a_queue_like_this_is_completed(casa: Casa, scope: Scope, urls: tuple[str, str]) -> None:
    import psycopg

    from crivo.kernel.storage.urls import libpq_url

    one = await casa.deny(scope)
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("delete from autorizacao_fichas where tenant_id = %s", (scope.tenant_id,))
    (found,) = await casa.revisoes.fila(scope)
    assert (found.id, found.tipo, found.regra_id) == (one, "EXAME_LABORATORIAL", "R-1")


async def test_whoever_has_it_is_told_once_when_it_is_near_and_those_who_run_the_queue_when_it_is_past(
    casa: Casa, database: Database, scope: Scope
) -> None:
    rita, as_rita = await person(database, scope, "revisor")
    await person(database, scope, "revisor")
    await person(database, scope, "gestor")
    ids = [await casa.deny(scope, pedido_id=f"P-{number}") for number in range(3)]
    await casa.responsaveis.assumir(as_rita, {ids[0]: "", ids[1]: ""})
    assert await casa.avisos.avisar(scope) == 0
    near = Casa(database, timedelta(days=5))
    assert await near.avisos.avisar(scope) == 2  # Rita of hers, both who review of the one that is nobody's: two letters
    assert await near.avisos.avisar(scope) == 0
    late = Casa(database, timedelta(days=6))
    assert await late.avisos.avisar(scope) == 3
    assert await late.avisos.avisar(scope) == 0
    async with database.unit_of_work(scope) as uow:
        rows = (await uow.connection.exec_driver_sql("select chave from cartas where tenant_id = %s", (scope.tenant_id,))).scalars()
        assert all("P-" not in one and rita.email not in one for one in rows)
