"""Everybody judges three projects first: the rest waits until all have sent them, or somebody who manages opens it and says why."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from casa_avaliada import TODOS, Casa, chamada
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.dadas import PedidaDadas
from crivo.triagem.distribuicao.calibracoes import PreviaDeCalibracao
from crivo.triagem.distribuicao.lembrete import SemLembrete
from crivo.triagem.distribuicao.sorteio import shuffled
from crivo.triagem.documentacao import project_of
from crivo.triagem.erros import AvaliacaoJaEnviada, CalibracaoInvalida, CalibracaoMudou, NadaADesfazer, ProjetoEmEspera, ProjetoNotFound
from crivo.triagem.julgamento import EmEspera
from crivo.triagem.service import Triagem


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, chamada(6))
    return Casa(database, scope)


@pytest.fixture
async def lia(casa: Casa) -> Scope:
    return casa.as_(await casa.person("Lia Prado", "gestor"))


@pytest.fixture
async def dois(casa: Casa, lia: Scope) -> list[Usuario]:
    people = [await casa.person(nome) for nome in ("Rita Melo", "Davi Sena")]
    for one in people:
        await casa.quem.incluir(lia, "ED-1", one.id)
        await casa.give(lia, ["P0005", "P0006"], one)
    return people


async def begun(casa: Casa, lia: Scope, codigos: list[str]) -> PreviaDeCalibracao:
    previa = await casa.calibracoes.prever(lia, "ED-1", codigos)
    await casa.calibracoes.comecar(lia, "ED-1", codigos, "", previa.prevista)
    return previa


async def test_the_rest_is_closed_wherever_it_could_be_met_until_the_last_nota_of_all_is_sent(
    casa: Casa, lia: Scope, dois: list[Usuario], database: Database
) -> None:
    rita, davi = dois
    previa = await begun(casa, lia, TODOS)
    assert (previa.projetos, previa.sorteados, previa.recebem) == (tuple(TODOS), False, (("Davi Sena", 3), ("Rita Melo", 3)))
    as_rita = casa.as_(rita)
    assert await casa.codes_of(rita) == TODOS
    assert [one.de.projeto_id for one in (await casa.julgamento.fila(as_rita, PedidaDadas())).linhas] == TODOS
    assert await casa.julgamento.em_espera(as_rita) == (EmEspera("ED-1", 2, 3, 0),)
    with pytest.raises(ProjetoEmEspera, match="acertar a régua"):
        await casa.julgamento.projeto(as_rita, "ED-1", "P0005")
    with pytest.raises(ProjetoEmEspera):
        await casa.judge(rita, "P0005", 7, 7)
    async with database.unit_of_work(as_rita) as uow:
        await project_of(uow, "ED-1", "P0001")
        with pytest.raises(ProjetoNotFound):  # nor its documents
            await project_of(uow, "ED-1", "P0005")
    for codigo in TODOS:
        await casa.judge(rita, codigo, 7, 8)
    assert await casa.julgamento.em_espera(as_rita) == (EmEspera("ED-1", 2, 3, 3),)  # she is done, and Davi is not
    with pytest.raises(ProjetoEmEspera):
        await casa.julgamento.projeto(as_rita, "ED-1", "P0005")
    for codigo in TODOS:
        await casa.judge(davi, codigo, 7, 8)
    assert await casa.julgamento.em_espera(as_rita) == ()
    await casa.judge(rita, "P0005", 7, 7)
    found = await casa.calibracoes.ver(lia, "ED-1")
    assert found.calibracao is not None
    assert (found.calibracao.aberta_em is not None, found.calibracao.aberta_por, found.em_curso) == (True, None, False)
    await casa.julgamento.reabrir(lia, "ED-1", "P0001", rita.id)  # what opened stays open
    assert "P0006" in await casa.codes_of(rita)


async def test_whoever_manages_sees_meanwhile_how_far_the_notas_agree(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    for codigo, hers, his in (("P0001", 2, 3), ("P0002", 5, 5), ("P0003", 9, 8)):
        await casa.judge(rita, codigo, hers, hers)
        assert (await casa.calibracoes.ver(lia, "ED-1")).acordo is not None
        if codigo != "P0003":
            await casa.judge(davi, codigo, his, his)
    found = await casa.calibracoes.ver(lia, "ED-1")
    assert [(one.nome, one.tem, one.enviou) for one in found.pessoas] == [("Davi Sena", 3, 2), ("Rita Melo", 3, 3)]
    assert found.em_curso
    assert found.acordo is not None
    assert (found.acordo.completas, found.acordo.icc.valor) == (1, None)
    await casa.judge(davi, "P0003", 8, 8)
    acordo = (await casa.calibracoes.ver(lia, "ED-1")).acordo
    assert acordo is not None
    merito = acordo.criterios[0]
    assert (merito.nome, merito.amplitude) == ("Mérito", 0.1)
    first = merito.projetos[0]
    assert (first.menor, first.maior, first.media) == (Decimal(2), Decimal(3), Decimal("2.5"))
    assert acordo.completas == 2
    assert acordo.icc.valor is not None
    assert 0.9 < acordo.icc.valor < 1


async def test_the_rest_is_opened_before_that_with_a_reason_and_closed_again(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita = dois[0]
    await begun(casa, lia, TODOS)
    with pytest.raises(CalibracaoInvalida) as refused:
        await casa.calibracoes.abrir(lia, "ED-1", " ")
    assert [one.caminho for one in refused.value.problemas] == ["motivo"]
    await casa.calibracoes.abrir(lia, "ED-1", "Davi está de licença.")
    assert len(await casa.codes_of(rita)) == 5
    with pytest.raises(CalibracaoInvalida, match="já estão abertos"):
        await casa.calibracoes.abrir(lia, "ED-1", "Outra vez.")
    await casa.calibracoes.fechar(lia, "ED-1")
    assert await casa.codes_of(rita) == TODOS
    with pytest.raises(CalibracaoInvalida, match="não há o que fechar"):
        await casa.calibracoes.fechar(lia, "ED-1")
    for acao in ("calibracao.comecada", "calibracao.aberta", "calibracao.fechada"):
        assert len(await casa.audited(acao)) == 1


async def test_undone_it_takes_back_what_nobody_wrote_of_and_closes_nothing(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    await casa.judge(rita, "P0002", 7, 7)
    await casa.calibracoes.desfazer(lia, "ED-1")
    assert await casa.codes_of(rita) == ["P0002", "P0005", "P0006"]
    assert await casa.codes_of(davi) == ["P0005", "P0006"]
    assert (await casa.calibracoes.ver(lia, "ED-1")).calibracao is None
    with pytest.raises(CalibracaoInvalida):
        await casa.calibracoes.desfazer(lia, "ED-1")
    await begun(casa, lia, TODOS)  # and another may begin


async def test_three_are_drawn_with_the_semente_those_first_from_which_nobody_is_kept(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    order = shuffled("SEMENTE-1", [f"P{at:04}" for at in range(1, 7)])
    previa = await casa.calibracoes.prever(lia, "ED-1", [])
    assert (previa.projetos, previa.sorteados, previa.semente) == (order[:3], True, "SEMENTE-1")
    await casa.impedimentos.registrar(lia, "ED-1", dois[0].id, [order[0]], "É irmã de quem propõe.")
    assert (await casa.calibracoes.prever(lia, "ED-1", [])).projetos == order[1:4]
    with pytest.raises(CalibracaoMudou) as changed:
        await casa.calibracoes.comecar(lia, "ED-1", [], "", previa.prevista)
    assert isinstance(changed.value.nova, PreviaDeCalibracao)
    named = await casa.calibracoes.prever(lia, "ED-1", list(order[:3]))
    assert [(one.nome, one.projeto_id) for one in named.ficam_sem] == [("Rita Melo", order[0])]


async def test_whoever_is_impeded_in_one_of_the_three_waits_for_the_other_two_alone(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    for codigo in ("P0001", "P0002"):
        await casa.judge(rita, codigo, 7, 7)
    for codigo in TODOS:
        await casa.judge(davi, codigo, 7, 7)
    await casa.impedimentos.declarar(casa.as_(rita), "ED-1", "P0003", "Trabalhei neste projeto.")
    assert await casa.codes_of(rita) == ["P0001", "P0002", "P0005", "P0006"]


async def test_when_whoever_owes_the_last_notas_leaves_the_rest_opens(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    for codigo in TODOS:
        await casa.judge(rita, codigo, 7, 7)
    await casa.quem.tirar(lia, "ED-1", davi.id, None)
    found = (await casa.calibracoes.ver(lia, "ED-1")).calibracao
    assert found is not None
    assert found.aberta_em is not None
    await casa.julgamento.reabrir(lia, "ED-1", "P0001", rita.id)
    assert "P0005" in await casa.codes_of(rita)


async def test_what_a_round_gave_is_undone_with_it_alone_and_of_what_waits_nobody_is_reminded(
    casa: Casa, lia: Scope, dois: list[Usuario]
) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    (ato, *_) = (await casa.quem.equipe(lia, "ED-1")).atos
    with pytest.raises(NadaADesfazer, match="na página da calibração"):
        await casa.distribuicao.desfazer(lia, "ED-1", ato.id)
    previa = await casa.lembretes.prever(lia, "ED-1", ["P0001", "P0005"])
    assert previa.projetos == (SemLembrete("P0005", "em_espera"),)
    assert {(one.avaliador, one.projetos) for one in previa.lembrar} == {(rita.id, ("P0001",)), (davi.id, ("P0001",))}


async def test_whoever_sends_the_last_notas_while_a_round_is_undone_waits_in_no_circle(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    for _ in range(3):
        await begun(casa, lia, TODOS)
        ended = await asyncio.gather(
            casa.calibracoes.desfazer(lia, "ED-1"),
            *[casa.judge(who, codigo, 7, 7) for who in (rita, davi) for codigo in TODOS],
            return_exceptions=True,
        )
        assert not [one for one in ended if isinstance(one, Exception) and not isinstance(one, ProjetoNotFound | AvaliacaoJaEnviada)]


async def test_whoever_comes_in_later_waits_for_nothing(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    await begun(casa, lia, TODOS)
    bia = await casa.person("Bia Nery")
    await casa.quem.incluir(lia, "ED-1", bia.id)
    await casa.give(lia, ["P0004"], bia)
    assert await casa.codes_of(bia) == ["P0004"]


async def test_of_two_who_send_the_last_notas_at_once_the_second_opens_the_rest(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    rita, davi = dois
    await begun(casa, lia, TODOS)
    for codigo in TODOS[:2]:
        for who in dois:
            await casa.judge(who, codigo, 7, 7)
    await asyncio.gather(casa.judge(rita, "P0003", 7, 7), casa.judge(davi, "P0003", 8, 8))
    found = await casa.calibracoes.ver(lia, "ED-1")
    assert found.calibracao is not None
    assert found.calibracao.aberta_em is not None


async def test_what_will_not_do_is_told(casa: Casa, lia: Scope, dois: list[Usuario]) -> None:
    prever = casa.calibracoes.prever
    with pytest.raises(CalibracaoInvalida, match="é de 3 projetos"):
        await prever(lia, "ED-1", ["P0001", "P0002", "P0002"])
    with pytest.raises(ProjetoNotFound, match="P0099"):
        await prever(lia, "ED-1", ["P0001", "P0002", "P0099"])
    with pytest.raises(CalibracaoInvalida, match="semente"):
        await prever(lia, "ED-1", [], "a\nb")
    await begun(casa, lia, TODOS)
    with pytest.raises(CalibracaoInvalida, match="Já há uma calibração"):
        await prever(lia, "ED-1", TODOS)
    await casa.quem.tirar(lia, "ED-1", dois[0].id, None)
    await casa.calibracoes.desfazer(lia, "ED-1")
    with pytest.raises(CalibracaoInvalida, match="ao menos duas pessoas"):
        await prever(lia, "ED-1", TODOS)
