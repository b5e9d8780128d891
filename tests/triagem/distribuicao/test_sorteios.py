"""A draw says who judges what: foreseen, given in one act, made again by anybody, undone; and another person is drawn where one is asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import psycopg
import pytest
from msgspec import structs

from casa_avaliada import CLOCK, Casa, chamada
from crivo.kernel.access import Usuario, deactivate_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.sorteio import Falta, draw, resumo_of
from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio
from crivo.triagem.distribuicao.terceira import Distancia, PedeOutra
from crivo.triagem.edital import Avaliador
from crivo.triagem.erros import AvaliadorNotFound, DistribuicaoInvalida, DistribuicaoMudou, DistribuicaoNotFound
from crivo.triagem.service import Triagem

OUTRA = PedidoDeSorteio(alvo="outra")


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, chamada(6))
    return Casa(database, scope)


@pytest.fixture
async def lia(casa: Casa) -> Scope:
    return casa.as_(await casa.person("Lia Prado", "gestor"))


@pytest.fixture
async def tres(casa: Casa, lia: Scope) -> list[Usuario]:
    people = [await casa.person(nome) for nome in ("Rita Melo", "Davi Sena", "Bia Nery")]
    for one in people:
        await casa.quem.incluir(lia, "ED-1", one.id)
    return people


async def test_what_was_foreseen_is_given_evenly_shows_in_everybodys_list_and_is_taken_back(
    casa: Casa, lia: Scope, tres: list[Usuario]
) -> None:
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert (previa.semente, previa.por_projeto, previa.dadas, previa.faltas) == ("SEMENTE-1", 2, 12, ())
    assert [(one.nome, one.tem, one.recebe) for one in previa.pessoas] == [("Bia Nery", 0, 4), ("Davi Sena", 0, 4), ("Rita Melo", 0, 4)]
    ato = await casa.sorteios.dar(lia, "ED-1", PedidoDeSorteio(), previa.prevista)
    foreseen = {who: [one.projeto_id for one in previa.entram if who in one.avaliadores] for who in (one.id for one in tres)}
    assert {one.id: await casa.codes_of(one) for one in tres} == foreseen
    equipe = await casa.quem.equipe(lia, "ED-1")
    assert sorted((one.nome, one.projetos, one.por_comecar) for one in equipe.pessoas) == [
        ("Bia Nery", 4, 4),
        ("Davi Sena", 4, 4),
        ("Rita Melo", 4, 4),
    ]
    (told,) = await casa.audited("avaliadores.sorteados")
    assert (told["ato"], told["semente"], told["por_projeto"], told["sem_gente"]) == (str(ato.id), "SEMENTE-1", 2, 0)
    assert told["pares_sha256"] == previa.pares_resumo
    await casa.distribuicao.desfazer(lia, "ED-1", ato.id)
    assert [await casa.codes_of(one) for one in tres] == [[], [], []]
    again = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert (again.entram, again.pares_resumo) == (previa.entram, previa.pares_resumo)


async def test_anybody_makes_the_draw_again_from_what_was_written_down(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    with pytest.raises(DistribuicaoNotFound, match="nenhum foi feito"):
        await casa.sorteios.conferir(lia, "ED-1")
    ato = await casa.drawn(lia)
    await casa.judge(tres[0], (await casa.codes_of(tres[0]))[0], 7, 8)  # what comes later changes nothing of it
    found = await casa.sorteios.conferir(lia, "ED-1", ato)
    assert found.confere
    assert found.refeito.pares == draw(found.sorteio.entrada).pares
    (told,) = await casa.audited("avaliadores.sorteados")
    assert (told["entrada_sha256"], told["pares_sha256"]) == (resumo_of(found.sorteio.entrada), found.refeito.resumo)


async def test_a_draw_that_was_rewritten_does_not_hold(casa: Casa, lia: Scope, tres: list[Usuario], urls: tuple[str, str]) -> None:
    ato = await casa.drawn(lia)
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (casa.scope.tenant_id,))
        done = owner.execute("update sorteios set entrada = replace(entrada, 'SEMENTE-1', 'SEMENTE-2') where ato_id = %s", (ato,))
        assert done.rowcount == 1
    assert not (await casa.sorteios.conferir(lia, "ED-1")).confere


async def test_what_each_has_already_is_counted_and_projects_that_have_their_people_are_left(
    casa: Casa, lia: Scope, tres: list[Usuario]
) -> None:
    rita, davi, _ = tres
    await casa.give(lia, ["P0001", "P0002", "P0003"], rita, davi)
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert (previa.completos, [one.projeto_id for one in previa.entram]) == (3, ["P0004", "P0005", "P0006"])
    assert [(one.nome, one.tem) for one in previa.pessoas] == [("Bia Nery", 0), ("Davi Sena", 3), ("Rita Melo", 3)]
    assert sorted(one.fica for one in previa.pessoas) == [3, 4, 5]  # each of three projects goes to Bia and to one of the others


async def test_what_a_draw_cannot_give_is_told_of_each_project_with_why(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, bia = tres
    await casa.impedimentos.registrar(lia, "ED-1", rita.id, ["P0001"], "É irmã de quem propõe.")
    await casa.impedimentos.registrar(lia, "ED-1", davi.id, ["P0001"], "Trabalhou no projeto.")
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert previa.faltas == (Falta("P0001", 1, {"impedidas": 2}),)
    assert next(one.avaliadores for one in previa.entram if one.projeto_id == "P0001") == (bia.id,)
    few = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio(maximo=2))
    assert (few.dadas, sum(one.faltam for one in few.faltas)) == (6, 6)
    assert all(one.fica == 2 for one in few.pessoas)


async def test_whoever_may_have_an_interest_is_not_drawn_and_whoever_lost_access_is_named(
    casa: Casa, lia: Scope, tres: list[Usuario], database: Database, scope: Scope
) -> None:
    davi = await casa.person("Davi Outro", email="p2@exemplo.org")  # who proposes P0002 has that e-mail, and all of them that domain
    await casa.quem.incluir(lia, "ED-1", davi.id)
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, CLOCK.now(), tres[2])
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert {one.nome: one.recebe for one in previa.pessoas} == {"Davi Outro": 0, "Davi Sena": 6, "Rita Melo": 6}
    assert [(one.nome, one.causa) for one in previa.nao_sorteadas] == [("Bia Nery", "acesso_retirado")]


async def test_a_project_from_which_somebody_was_taken_is_not_drawn_to_them_again(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, bia = tres
    await casa.give(lia, ["P0001"], rita)
    await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001"], "Conhece o grupo.")
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert set(next(one.avaliadores for one in previa.entram if one.projeto_id == "P0001")) == {davi.id, bia.id}


async def test_what_changed_since_the_preview_gives_nothing_and_names_the_projects(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    one = previa.entram[0]
    await casa.impedimentos.registrar(lia, "ED-1", one.avaliadores[0], [one.projeto_id], "É vizinha de quem propõe.")
    with pytest.raises(DistribuicaoMudou, match="Nada foi feito") as refused:
        await casa.sorteios.dar(lia, "ED-1", PedidoDeSorteio(), previa.prevista)
    assert one.projeto_id in refused.value.mudaram
    assert [await casa.codes_of(one) for one in tres] == [[], [], []]


async def test_of_two_who_give_a_draw_at_once_one_gives(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    outra = casa.as_(await casa.person("Ana Reis", "gestor"))
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    ended = await asyncio.gather(
        *[casa.sorteios.dar(who, "ED-1", PedidoDeSorteio(), previa.prevista) for who in (lia, outra)], return_exceptions=True
    )
    assert sum(isinstance(one, DistribuicaoMudou) for one in ended) == 1
    assert sum(one.projetos for one in (await casa.quem.equipe(lia, "ED-1")).pessoas) == 12


@pytest.mark.parametrize(
    ("pedido", "campo"),
    [
        (PedidoDeSorteio(por_projeto=0), "por_projeto"),
        (PedidoDeSorteio(por_projeto=51), "por_projeto"),
        (PedidoDeSorteio(maximo=0), "maximo"),
        (PedidoDeSorteio(semente="x" * 201), "semente"),
        (PedidoDeSorteio(semente="uma\nlinha"), "semente"),
    ],
)
async def test_a_draw_that_will_not_do_is_refused_at_its_field(
    casa: Casa, lia: Scope, tres: list[Usuario], pedido: PedidoDeSorteio, campo: str
) -> None:
    with pytest.raises(DistribuicaoInvalida) as refused:
        await casa.sorteios.prever(lia, "ED-1", pedido)
    assert [one.caminho for one in refused.value.problemas] == [campo]


async def test_nobody_to_draw_and_nothing_to_draw_are_told(casa: Casa, lia: Scope) -> None:
    with pytest.raises(DistribuicaoInvalida, match="Ninguém que possa avaliar"):
        await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())


async def test_categorias_are_kept_to_whatever_their_case_and_are_changed_on_a_page_of_ones_own(
    casa: Casa, lia: Scope, tres: list[Usuario], triagem: Triagem
) -> None:
    feita = chamada(6)
    named = tuple([structs.replace(one, categoria="Música" if at < 3 else "Dança") for at, one in enumerate(feita.chamada.projetos)])
    people = tuple([Avaliador(one.nome, one.email) for one in tres])
    await triagem.importar(casa.scope, replace(feita, chamada=structs.replace(feita.chamada, projetos=named, avaliadores=people)))
    rita, davi, _ = tres
    await casa.quem.mudar_categorias(lia, "ED-1", rita.id, ["musica"])
    await casa.quem.mudar_categorias(lia, "ED-1", davi.id, ["Dança"])
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    got = {who.id: [one.projeto_id for one in previa.entram if who.id in one.avaliadores] for who in tres}
    assert (got[rita.id], got[davi.id]) == (["P0001", "P0002", "P0003"], ["P0004", "P0005", "P0006"])
    assert [one.categorias for one in previa.pessoas if one.id == rita.id] == [("Música",)]
    assert len(await casa.audited("avaliador.categorias")) == 2
    with pytest.raises(DistribuicaoInvalida, match="Nenhum projeto"):
        await casa.quem.mudar_categorias(lia, "ED-1", rita.id, ["Circo"])
    with pytest.raises(AvaliadorNotFound):
        await casa.quem.mudar_categorias(lia, "ED-1", UUID(int=1), [])


async def test_where_two_are_too_far_apart_another_is_drawn_who_is_neither(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, bia = tres
    await casa.give(lia, ["P0001", "P0002"], rita, davi)
    for codigo, theirs in (("P0001", (5, 9)), ("P0002", (5, 8))):
        await casa.judge(rita, codigo, theirs[0], 7)
        await casa.judge(davi, codigo, theirs[1], 7)
    como = await casa.sorteios.como(lia, "ED-1")
    assert como.pedem == (PedeOutra("P0001", "divergem", 1, 0, (Distancia("Mérito", Decimal(5), Decimal(9)),)),)  # 3,0 is not beyond 3,0
    assert (await casa.places(lia))["P0001"][0] == "pendente"
    previa = await casa.sorteios.prever(lia, "ED-1", OUTRA)
    assert [(one.projeto_id, one.avaliadores) for one in previa.entram] == [("P0001", (bia.id,))]
    ato = await casa.drawn(lia, OUTRA)
    assert [(one.quantos, one.a_caminho) for one in (await casa.sorteios.como(lia, "ED-1")).pedem] == [(0, 1)]
    with pytest.raises(DistribuicaoInvalida, match="não há o que confirmar"):
        await casa.drawn(lia, OUTRA)
    await casa.distribuicao.desfazer(lia, "ED-1", ato)
    assert [(one.quantos, one.a_caminho) for one in (await casa.sorteios.como(lia, "ED-1")).pedem] == [(1, 0)]
    await casa.drawn(lia, OUTRA)
    await casa.judge(bia, "P0001", 7, 7)
    assert (await casa.sorteios.como(lia, "ED-1")).pedem == ()
    assert (await casa.places(lia))["P0001"] == ("nao_classificado", Decimal("70.00"))


async def test_where_nobody_else_may_the_project_is_told_and_stays_in_the_list(casa: Casa, lia: Scope, tres: list[Usuario]) -> None:
    rita, davi, bia = tres
    await casa.give(lia, ["P0001"], rita, davi)
    await casa.judge(rita, "P0001", 2, 7)
    await casa.judge(davi, "P0001", 9, 7)
    await casa.impedimentos.registrar(lia, "ED-1", bia.id, ["P0001"], "É sócia de quem propõe.")
    previa = await casa.sorteios.prever(lia, "ED-1", OUTRA)
    assert (previa.entram, previa.faltas) == ((), (Falta("P0001", 1, {"impedidas": 3}),))


async def test_an_edital_without_rules_draws_one_person_a_project_with_its_code_as_semente(
    casa: Casa, lia: Scope, tres: list[Usuario], triagem: Triagem
) -> None:
    feita = chamada(6, None)
    people = tuple([Avaliador(one.nome, one.email) for one in tres])
    await triagem.importar(casa.scope, replace(feita, chamada=structs.replace(feita.chamada, avaliadores=people)))
    previa = await casa.sorteios.prever(lia, "ED-1", PedidoDeSorteio())
    assert (previa.semente, previa.por_projeto, previa.dadas) == ("ED-1", 1, 6)
    assert not (await casa.sorteios.como(lia, "ED-1")).divergencia
