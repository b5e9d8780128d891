"""That a project withdrew is recorded once it was seen what comes of it, and taken back with all that the project had."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from uuid import uuid4

import pytest

from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import SemPermissao, create_usuario
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.desistencia.guardadas import Desistida
from crivo.triagem.desistencia.servico import Desistencias
from crivo.triagem.erros import DesistenciaInvalida, DesistenciaMudou, DesistenciaNotFound, ProjetoNotFound
from crivo.triagem.lugares import Lugares
from crivo.triagem.service import Triagem
from notas_dadas import chamada_com_notas
from sujeitos import as_person

HOJE = today(SystemClock())
MOTIVO = "Carta do proponente, que vai morar fora."


@pytest.fixture
def desistencias(database: Database) -> Desistencias:
    return Desistencias(database, SystemClock(), Uuid7(SystemClock()).new)


async def person(database: Database, scope: Scope, papel: str = "gestor") -> Scope:
    async with database.unit_of_work(scope) as uow:
        nome = f"{uuid4()}"
        return as_person(scope, await create_usuario(uow, SystemClock().now(), uuid4(), nome, f"{nome}@orgao.exemplo", papel))


@pytest.fixture
async def gestora(database: Database, scope: Scope) -> Scope:
    return await person(database, scope)


async def situations(database: Database, scope: Scope) -> dict[str, str]:
    found = await Lugares(database).resultado(scope, "ED-1")
    return {one.inscrito.id: one.situacao for one in found.lugares}


async def withdraw(desistencias: Desistencias, scope: Scope, projeto: str, em: date | None = HOJE, motivo: str = MOTIVO) -> Desistida:
    previa = await desistencias.prever(scope, "ED-1", projeto)
    return await desistencias.registrar(scope, "ED-1", projeto, em, motivo, previa.prevista)


async def test_the_next_of_the_vaga_enters_and_was_told_before(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5, 7]))
    previa = await desistencias.prever(gestora, "ED-1", "P0001")
    assert [(one.antes.projeto_id, one.antes.situacao, one.depois.situacao) for one in previa.mudancas] == [
        ("P0001", "selecionado", "desclassificado"),
        ("P0003", "suplente", "selecionado"),
        ("P0002", "nao_classificado", "suplente"),
    ]
    made = await desistencias.registrar(gestora, "ED-1", "P0001", HOJE, f"  {MOTIVO}  ", previa.prevista)
    assert (made.projeto_id, made.desistiu_em, made.motivo, made.em_vigor) == ("P0001", HOJE, MOTIVO, True)
    assert await situations(database, gestora) == {"P0001": "desclassificado", "P0003": "selecionado", "P0002": "suplente"}
    assert (await Auditoria(database, SystemClock()).conferir(gestora)).integra


async def test_taking_it_back_gives_each_the_place_that_it_had(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5, 7]))
    before = await situations(database, gestora)
    made = await withdraw(desistencias, gestora, "P0001")
    back = await desistencias.prever(gestora, "ED-1", "P0001")
    assert back.ato == "desfazer"
    undone = await desistencias.desfazer(gestora, "ED-1", made.id, back.prevista)
    assert not undone.em_vigor
    assert await situations(database, gestora) == before
    assert (await Auditoria(database, SystemClock()).conferir(gestora)).integra
    with pytest.raises(DesistenciaInvalida, match="já foi desfeita"):
        await desistencias.desfazer(gestora, "ED-1", made.id, back.prevista)
    again = await withdraw(desistencias, gestora, "P0001")
    assert [one.id for one in (await desistencias.listar(gestora, "ED-1")).todas] == [again.id, made.id]


async def test_of_two_who_record_it_at_once_one_is_told_that_it_was_done(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5]))
    seen = (await desistencias.prever(gestora, "ED-1", "P0001")).prevista
    both = (gestora, await person(database, scope))
    ended = await asyncio.gather(
        *(desistencias.registrar(one, "ED-1", "P0001", HOJE, MOTIVO, seen) for one in both), return_exceptions=True
    )
    refused = [one for one in ended if isinstance(one, DesistenciaMudou)]
    assert len(refused) == 1
    assert "já registrou" in str(refused[0])
    assert len((await desistencias.listar(gestora, "ED-1")).todas) == 1


async def test_what_is_not_what_was_seen_is_not_recorded(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5, 7]))
    seen = (await desistencias.prever(gestora, "ED-1", "P0001")).prevista
    await triagem.importar(scope, chamada_com_notas([9, 8, 7]))
    with pytest.raises(DesistenciaMudou, match="Nada foi feito") as refused:
        await desistencias.registrar(gestora, "ED-1", "P0001", HOJE, MOTIVO, seen)
    assert refused.value.nova.mudancas[1].depois.projeto_id == "P0002"
    assert (await desistencias.listar(gestora, "ED-1")).todas == ()


@pytest.mark.parametrize(
    ("em", "motivo", "dito"),
    [
        (None, MOTIVO, "em que dia"),
        (HOJE + timedelta(days=2), MOTIVO, "ainda não veio"),
        (date(206, 11, 20), MOTIVO, "Confira o ano"),
        (HOJE, "   ", "Escreva como a desistência chegou"),
        (HOJE, "x" * 2_001, "até 2000"),
        (HOJE, "um\0dois três", "até 2000"),
    ],
)
async def test_what_will_not_do_is_told_at_its_field(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, em: date | None, motivo: str, dito: str
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5]))
    with pytest.raises(DesistenciaInvalida, match=dito) as refused:
        await withdraw(desistencias, gestora, "P0001", em, motivo)
    assert refused.value.problemas[0].caminho in {"desistiu_em", "motivo"}
    assert (await desistencias.listar(gestora, "ED-1")).todas == ()


async def test_only_a_person_who_manages_records_it_and_who_did_or_administers_takes_it_back(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5]))
    with pytest.raises(SemPermissao):
        await desistencias.prever(await person(database, scope, "avaliador"), "ED-1", "P0001")
    with pytest.raises(SemPermissao, match="Só uma pessoa"):
        await withdraw(desistencias, scope, "P0001")
    made = await withdraw(desistencias, gestora, "P0001")
    seen = (await desistencias.prever(gestora, "ED-1", "P0001")).prevista
    with pytest.raises(SemPermissao, match="quem administra"):
        await desistencias.desfazer(await person(database, scope), "ED-1", made.id, seen)
    assert not (await desistencias.desfazer(await person(database, scope, "admin"), "ED-1", made.id, seen)).em_vigor


async def test_a_project_that_is_not_there_is_told_so(triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5]))
    with pytest.raises(ProjetoNotFound):
        await desistencias.prever(gestora, "ED-1", "P0009")
    with pytest.raises(DesistenciaNotFound):
        await desistencias.desfazer(gestora, "ED-1", uuid4(), "")


async def test_an_edital_without_rules_lets_a_project_withdraw_too(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5], None))
    assert not (await desistencias.prever(gestora, "ED-1", "P0001")).com_regras
    assert (await withdraw(desistencias, gestora, "P0001")).em_vigor


async def test_the_reason_is_told_to_the_person_and_goes_with_the_key_of_the_project(
    triagem: Triagem, desistencias: Desistencias, gestora: Scope, scope: Scope, database: Database
) -> None:
    await triagem.importar(scope, chamada_com_notas([9, 5]))
    await withdraw(desistencias, gestora, "P0001")
    async with database.unit_of_work(scope) as uow:
        stored = (await uow.connection.exec_driver_sql("select selado, chave from desistencias")).one()
        assert MOTIVO.encode() not in bytes(stored.selado)
        told = await AcervoDeTriagem().held(uow, [stored.chave])
        assert [one["desistencias"] for one in told] == [[{"desistiu_em": HOJE.isoformat(), "motivo": MOTIVO, "desfeita": False}]]
        await uow.cofre.destroy(uow, [stored.chave], SystemClock().now())
    assert [one.motivo for one in (await desistencias.listar(gestora, "ED-1")).todas] == [None]
