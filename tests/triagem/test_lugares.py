"""The places of an edital out of what is stored: notas sent here, and what came with the import."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from uuid import uuid4

import pytest
from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import create_usuario, find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, Cota, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.distribuicao.pessoas import QuemAvalia
from crivo.triagem.edital import AvaliacaoDada, Avaliador, HabilitacaoDada
from crivo.triagem.erros import SemClassificacao
from crivo.triagem.ja_feito import COMISSAO
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.lugares import Lugares
from crivo.triagem.quadro import Quadro, Versoes, project_digest
from crivo.triagem.service import Triagem
from crivo.triagem.storage import avaliacoes, editais, projetos
from sujeitos import as_person

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
DE_CAUCAIA = Cota("LOCAL", Condicao("municipio", "igual", "caucaia"), 1, "5.1")
REGRAS = Classificacao(vagas=(Vagas("*", 2, None, (DE_CAUCAIA,)),), suplentes=1)


def dada(projeto: str, nota: int, quem: str = "rita@avalia.exemplo", parecer: str = "") -> AvaliacaoDada:
    return AvaliacaoDada(projeto, quem, {"C1": Decimal(nota), "C2": Decimal(nota)}, parecer)


def com_feito(projetos: int, *dadas: AvaliacaoDada, decididas: tuple[HabilitacaoDada, ...] = ()) -> Importacao:
    given = importacao(projetos, avaliadores=(RITA,))
    chamada = replace(given.chamada, edital=replace(given.chamada.edital, classificacao=REGRAS), avaliacoes=dadas, habilitacoes=decididas)
    return Importacao(chamada, given.arquivos)


async def became(database: Database, scope: Scope) -> Mapping[str, tuple[str, str | None]]:
    found = await Lugares(database).resultado(scope, "ED-1")
    return {one.inscrito.id: (one.situacao, one.vaga) for one in found.lugares}


async def test_notas_that_come_without_a_parecer_leave_what_was_written(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, com_feito(1, dada("P0001", 7, parecer="Bem escrito, e cabe no prazo.")))
    await triagem.importar(scope, com_feito(1, dada("P0001", 8)))
    async with database.unit_of_work(scope) as uow:
        kept = await avaliacoes.list_of(uow, (await editais.get_by_codigo(uow, "ED-1")).id)
    assert [(one.criterio, one.nota, one.texto) for one in kept] == [
        ("C1", Decimal(8), "Bem escrito, e cabe no prazo."),
        ("C2", Decimal(8), ""),
    ]


async def test_what_came_with_the_import_is_peoples_and_makes_the_places(triagem: Triagem, database: Database, scope: Scope) -> None:
    given = com_feito(
        5,
        *(dada(f"P000{number}", number) for number in (1, 2, 3, 5)),
        decididas=(HabilitacaoDada("P0005", "inabilitado", "Não comprovou a sede."),),
    )
    told = await triagem.importar(scope, given)
    assert (told.avaliados, told.decididos) == (4, 1)
    assert await became(database, scope) == {
        "P0003": ("selecionado", "AMPLA"),
        "P0002": ("selecionado", "LOCAL"),
        "P0001": ("suplente", None),
        "P0004": ("pendente", None),
        "P0005": ("inabilitado", None),
    }
    held = await Auditoria(database, SystemClock()).conferir(scope)
    assert (held.integra, held.linhas.sem_selo) == (True, 0)


async def test_imported_again_what_changed_is_changed_and_the_rest_is_left_alone(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    decidida = HabilitacaoDada("P0002", "habilitado", "Conferido.")
    await triagem.importar(scope, com_feito(2, dada("P0001", 5), dada("P0002", 6), decididas=(decidida,)))
    told = await triagem.importar(scope, com_feito(2, dada("P0001", 9, parecer="Ouvido de novo."), dada("P0002", 6), decididas=(decidida,)))
    assert (told.avaliados, told.decididos) == (1, 0)
    written = {(one.projeto_id, one.criterio): (one.nota, one.texto) for one in await julgamento.notas(scope, "ED-1")}
    assert written["P0001", "C1"] == (Decimal(9), "Ouvido de novo.")
    assert written["P0002", "C1"] == (Decimal(6), "")
    await triagem.importar(scope, com_feito(2, decididas=(HabilitacaoDada("P0002", "inabilitado", "Fora do prazo."),)))
    decisoes = await Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decisoes(scope, "ED-1")
    assert (decisoes["P0002"].decisao, [one.motivo for one in decisoes["P0002"].anteriores]) == ("inabilitado", ["Conferido."])
    held = await Auditoria(database, SystemClock()).conferir(scope)
    assert (held.integra, held.linhas.sem_selo) == (True, 0)


async def test_who_stands_for_imported_decisions_is_nobody_who_could_judge(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, com_feito(1, decididas=(HabilitacaoDada("P0001", "habilitado"),)))
    equipe = await QuemAvalia(database, SystemClock(), Uuid7(SystemClock()).new).equipe(scope, "ED-1")
    assert COMISSAO.email not in {one.email for one in equipe.disponiveis}
    async with database.unit_of_work(scope) as uow:
        assert await find_usuario(uow, COMISSAO.email) is not None


async def test_notas_sent_here_stand_beside_those_that_came_and_drafts_count_for_nothing(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, com_feito(2, dada("P0001", 4, "bia@avalia.exemplo")))
    async with database.unit_of_work(scope) as uow:
        found = await find_usuario(uow, RITA.email)
        assert found is not None
    rita = as_person(scope, found)
    await julgamento.salvar(rita, "ED-1", "P0001", [NotaDada("C1", Decimal(8)), NotaDada("C2", Decimal(8))])
    lugar = (await Lugares(database).resultado(scope, "ED-1")).por_id["P0001"]
    assert lugar.contas is not None
    assert lugar.contas.avaliadores == 1
    await julgamento.enviar(rita, "ED-1", "P0001")
    found_now = await Lugares(database).resultado(scope, "ED-1")
    contas = found_now.por_id["P0001"].contas
    assert contas is not None
    assert (contas.avaliadores, found_now.regua.base(contas)) == (2, Decimal("60.00"))


async def test_decisions_that_a_person_imports_are_theirs(triagem: Triagem, database: Database, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        lia = await create_usuario(uow, SystemClock().now(), uuid4(), "Lia", "lia@exemplo.org", "gestor")
    await triagem.importar(as_person(scope, lia), com_feito(1, decididas=(HabilitacaoDada("P0001", "habilitado", "Sim."),)))
    decisoes = await Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decisoes(scope, "ED-1")
    assert decisoes["P0001"].decidido_por == lia.id


async def test_an_edital_that_does_not_say_how_is_told_what_to_do(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, importacao(1))
    with pytest.raises(SemClassificacao, match="acrescente `classificacao`"):
        await Lugares(database).resultado(scope, "ED-1")


async def test_other_rules_for_places_are_no_new_screening(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, com_feito(1))
    async with database.unit_of_work(scope) as uow:
        guardado = await editais.get_by_codigo(uow, "ED-1")
        (projeto,) = await projetos.load_all(uow, guardado.id)
    digests = {
        project_digest("completa", Quadro(replace(guardado.edital, classificacao=regras), (), ()), projeto, Versoes("1", "1"))
        for regras in (None, REGRAS, Classificacao(suplentes=9))
    }
    assert len(digests) == 1
