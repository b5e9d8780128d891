"""Whoever must not judge a project has it no more, and what they gave counts for nothing from then on, until the impediment is undone."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from casa_avaliada import AMBAS, Casa, chamada
from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.distribuicao.previa import DeFora
from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio
from crivo.triagem.edital import AvaliacaoDada, Avaliador
from crivo.triagem.erros import (
    AvaliadorNotFound,
    DistribuicaoInvalida,
    ImpedimentoNotFound,
    NadaADesfazer,
    ProjetoNotFound,
)
from crivo.triagem.service import Triagem

MOTIVO = "É irmã de Pessoa 1, que propõe."


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, chamada(4))
    return Casa(database, scope)


@pytest.fixture
async def lia(casa: Casa) -> Scope:
    return casa.as_(await casa.person("Lia Prado", "gestor"))


@pytest.fixture
async def tres(casa: Casa, lia: Scope) -> list[Usuario]:
    people = [await casa.person(nome, email=f"{nome.split()[0]}@juri.exemplo") for nome in ("Rita Melo", "Davi Sena", "Bia Nery")]
    for one in people:
        await casa.quem.incluir(lia, "ED-1", one.id)
    return people


async def judged(casa: Casa, lia: Scope, *who: Usuario) -> None:
    """The first project, by people who give it 5, 6, 7 and so on."""
    for at, one in enumerate(who):
        await casa.give(lia, ["P0001"], one)
        await casa.judge(one, "P0001", 5 + at, 5 + at)


async def test_she_says_so_herself_before_judging_and_the_project_leaves_her_list(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita = tres[0]
    await casa.give(lia, ["P0001", "P0002"], rita)
    assert not await casa.impedimentos.declarar(casa.as_(rita), "ED-1", "P0001", MOTIVO)
    assert await casa.codes_of(rita) == ["P0002"]
    ((one,), nomes) = ((found := await casa.impedimentos.lista(lia, "ED-1")).lista, found.nomes)
    assert (one.projeto_id, nomes[one.avaliador], one.motivo, one.por, one.tirada, one.notas) == (
        "P0001",
        "Rita Melo",
        MOTIVO,
        rita.id,
        True,
        (),
    )
    (told,) = await casa.audited("impedimento.registrado")
    assert (told["declarado"], told["notas"]) == (True, "nenhuma")
    assert "irmã" not in str(told)


async def test_whoever_is_impeded_is_given_it_by_no_hand_draw_or_import(
    casa: Casa, lia: Scope, tres: list[Usuario], triagem: Triagem
) -> None:
    rita, davi, bia = tres
    await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001", "P0003"], MOTIVO)
    previa = await casa.distribuicao.prever(lia, "ED-1", ["P0001"], [rita.id, davi.id])
    assert (previa.ficam, [one.avaliadores for one in previa.entram]) == ((DeFora("P0001", "impedida", rita.id),), [(davi.id,)])
    drawn = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert {one.projeto_id for one in drawn.entram if rita.id in one.avaliadores} <= {"P0002", "P0004"}
    feita = chamada(4)
    people = tuple([Avaliador(one.nome, one.email, ("P0001", "P0002")) for one in (rita, davi, bia)])
    before = AvaliacaoDada("P0001", rita.email, {"C1": Decimal(9), "C2": Decimal(9)})
    chamada_de_novo = structs.replace(feita.chamada, avaliadores=people, avaliacoes=(before,))
    await triagem.importar(casa.scope, replace(feita, chamada=chamada_de_novo))
    assert await casa.codes_of(rita) == ["P0002"]
    assert (await casa.places(lia))["P0001"][0] == "pendente"
    assert [one for one in await casa.julgamento.notas(lia, "ED-1") if one.avaliador == rita.id] == []


async def test_found_late_it_takes_the_notas_out_of_every_mean_and_asks_for_another_and_undone_they_count_again(
    casa: Casa, lia: Scope, tres: list[Usuario], database: Database
) -> None:
    rita, davi, bia = tres
    await judged(casa, lia, rita, davi)
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("55.00"))
    assert await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO) == 1
    assert (await casa.places(lia))["P0001"][0] == "pendente"
    assert {one.avaliador for one in await casa.julgamento.notas(lia, "ED-1")} == {davi.id}
    assert [(one.projeto_id, one.razao, one.quantos) for one in (await casa.sorteios.como(lia, "ED-1")).pedem] == [
        ("P0001", "impedimento", 1)
    ]
    (one,) = (await casa.impedimentos.lista(lia, "ED-1")).lista
    assert [(nota.criterio, nota.nota, nota.texto) for nota in one.notas] == [  # what stood stays readable
        ("C1", Decimal(5), "Porque sim."),
        ("C2", Decimal(5), ""),
    ]
    await casa.drawn(lia, PedidoDeSorteio(alvo="outra"))
    await casa.judge(bia, "P0001", 8, 8)
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("70.00"))
    assert (await casa.sorteios.como(lia, "ED-1")).pedem == ()
    await casa.impedimentos.desfazer(lia, "ED-1", one.id)
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("63.33"))
    assert await casa.codes_of(rita) == ["P0001"]
    with pytest.raises(NadaADesfazer):
        await casa.impedimentos.desfazer(lia, "ED-1", one.id)
    conferida = await Auditoria(database, casa.clock).conferir(casa.scope)
    assert (conferida.integra, conferida.linhas.sem_selo) == (True, 0)


async def test_she_may_find_it_out_herself_after_sending(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, _ = tres
    await judged(casa, lia, rita, davi)
    assert await casa.impedimentos.declarar(casa.as_(rita), "ED-1", "P0001", "Só agora vi que é minha prima.")
    assert (await casa.places(lia))["P0001"][0] == "pendente"
    with pytest.raises(ProjetoNotFound):
        await casa.julgamento.projeto(casa.as_(rita), "ED-1", "P0001")


async def test_notas_that_counted_on_after_the_project_was_taken_stop_counting_too(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, _ = tres
    await judged(casa, lia, rita, davi)
    await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001"], "Saiu da comissão.", "contam")
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("55.00"))
    await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO)
    assert (await casa.places(lia))["P0001"][0] == "pendente"
    (one,) = (await casa.impedimentos.lista(lia, "ED-1")).lista
    await casa.impedimentos.desfazer(lia, "ED-1", one.id)
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("55.00"))
    assert await casa.codes_of(rita) == []  # as it was: taken


async def test_a_draft_stays_hers_and_comes_back_with_the_project(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita = tres[0]
    await casa.give(lia, ["P0001"], rita)
    await casa.julgamento.salvar(casa.as_(rita), "ED-1", "P0001", AMBAS)
    await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO)
    (one,) = (await casa.impedimentos.lista(lia, "ED-1")).lista
    await casa.impedimentos.desfazer(lia, "ED-1", one.id)
    para = await casa.julgamento.projeto(casa.as_(rita), "ED-1", "P0001")
    assert [(nota.nota, nota.enviada_em) for nota in para.minhas] == [(Decimal(7), None), (Decimal(8), None)]


async def test_what_will_not_do_is_refused_and_nothing_changes(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, _ = tres
    await casa.give(lia, ["P0001"], rita)
    registrar = casa.impedimentos.registrar
    for codigos, motivo, campo in ((["P0001"], " oi ", "motivo"), (["P0001"], "x" * 2_001, "motivo"), ([], MOTIVO, "codigos")):
        with pytest.raises(DistribuicaoInvalida) as refused:
            await registrar(lia, "ED-1", rita.id, codigos, motivo)
        assert [one.caminho for one in refused.value.problemas] == [campo]
    with pytest.raises(ProjetoNotFound, match="P0099"):
        await registrar(lia, "ED-1", rita.id, ["P0001", "P0099"], MOTIVO)
    with pytest.raises(AvaliadorNotFound):
        await registrar(lia, "ED-1", uuid4(), ["P0001"], MOTIVO)
    with pytest.raises(ProjetoNotFound):
        await casa.impedimentos.declarar(casa.as_(davi), "ED-1", "P0001", MOTIVO)
    assert await casa.codes_of(rita) == ["P0001"]
    await registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO)
    with pytest.raises(DistribuicaoInvalida, match="já está registrado em P0001"):
        await registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO)
    with pytest.raises(ImpedimentoNotFound):
        await casa.impedimentos.desfazer(lia, "ED-1", UUID(int=3))
    (one,) = (await casa.impedimentos.lista(lia, "ED-1")).lista
    await casa.quem.tirar(lia, "ED-1", rita.id, None)
    with pytest.raises(DistribuicaoInvalida, match="não avalia mais este edital"):
        await casa.impedimentos.desfazer(lia, "ED-1", one.id)


async def test_the_reason_stands_in_no_clear_column_is_told_to_its_person_and_goes_with_the_project(
    casa: Casa, lia: Scope, tres: list[Usuario], database: Database
) -> None:
    rita = tres[0]
    await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001"], MOTIVO)
    async with database.unit_of_work(casa.scope) as uow:
        (row,) = await uow.connection.exec_driver_sql("select dito from impedimentos where tenant_id = %s", (casa.scope.tenant_id,))
        assert "irmã" not in row.dito
        held = await AcervoDeTriagem().held(uow, [rita.id])
        assert MOTIVO in [one["impedimento"]["motivo"] for one in held if "impedimento" in one]
        key = await uow.connection.exec_driver_sql(
            "select chave from projetos where tenant_id = %s and codigo = 'P0001'", (casa.scope.tenant_id,)
        )
        await AcervoDeTriagem().erase(uow, [key.scalar_one()])
    (one,) = (await casa.impedimentos.lista(lia, "ED-1")).lista
    assert (one.motivo, one.avaliador) == (None, rita.id)
