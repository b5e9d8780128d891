"""Projects are given to people who judge, taken and undone without a nota being lost, and people are reminded of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest

from casa_avaliada import AMBAS, CLOCK, TODOS, Casa
from chamadas import importacao
from crivo.kernel.access import SemPermissao, Usuario, change_email, deactivate_usuario, get_pessoa
from crivo.kernel.access.usuarios import UsuarioInexistente
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.lembretes import Lembretes
from crivo.triagem.distribuicao.previa import DeFora, PreviaDeDistribuicao
from crivo.triagem.edital import Avaliador
from crivo.triagem.erros import (
    AvaliadorNotFound,
    DistribuicaoInvalida,
    DistribuicaoMudou,
    DistribuicaoNotFound,
    NadaADesfazer,
    ProjetoNotFound,
)
from crivo.triagem.guardados import Atribuicao
from crivo.triagem.julgamento import NotaDada
from crivo.triagem.service import Triagem
from crivo.triagem.storage import avaliacoes, chaves, editais, julgadores


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, importacao(3))
    return Casa(database, scope)


@pytest.fixture
async def lia(casa: Casa) -> Scope:
    return casa.as_(await casa.person("Lia Prado", "gestor"))


@pytest.fixture
async def rita(casa: Casa, lia: Scope) -> Usuario:
    rita = await casa.person("Rita Melo")
    await casa.quem.incluir(lia, "ED-1", rita.id)
    return rita


async def test_somebody_is_brought_in_given_projects_and_sees_them(casa: Casa, lia: Scope, rita: Usuario) -> None:
    ato_id = await casa.give(lia, ["P0002", "P0001"], rita)
    assert await casa.codes_of(rita) == ["P0001", "P0002"]
    (pessoa,) = (equipe := await casa.quem.equipe(lia, "ED-1")).pessoas
    assert (pessoa.nome, pessoa.projetos, pessoa.por_comecar, pessoa.rascunhos, pessoa.enviadas) == ("Rita Melo", 2, 2, 0, 0)
    assert (equipe.projetos, equipe.sem_ninguem) == (3, 1)
    assert [(ato.id, ato.projetos, ato.dadas, ato.em_vigor) for ato in equipe.atos] == [(ato_id, 2, 2, 2)]
    assert [(one["projeto"], one["avaliadores"]) for one in await casa.audited("projeto.distribuido")] == [
        ("P0001", [str(rita.id)]),
        ("P0002", [str(rita.id)]),
    ]


async def test_whoever_cannot_have_a_project_is_left_out_with_why(casa: Casa, lia: Scope, rita: Usuario) -> None:
    davi = await casa.person("Davi Sena", email="p2@exemplo.org")  # who proposes P0002 has that e-mail
    await casa.quem.incluir(lia, "ED-1", davi.id)
    await casa.give(lia, ["P0001"], rita)
    await casa.decisoes.decidir(lia, "ED-1", "P0003", "inabilitado", "Falta a certidão.", None)
    previa = await casa.distribuicao.prever(lia, "ED-1", [*TODOS, "P0009"], [rita.id, davi.id])
    assert [(one.projeto_id, one.avaliadores) for one in previa.entram] == [("P0002", (rita.id,))]
    assert previa.ficam == (
        DeFora("P0001", "ja_dado", rita.id),
        DeFora("P0001", "conflito", davi.id, ("e-mail do mesmo domínio",)),
        DeFora("P0002", "conflito", davi.id, ("o mesmo e-mail",)),
        DeFora("P0003", "inabilitado"),
        DeFora("P0009", "desconhecido"),
    )
    assert previa.avaliadores[1].nome == "Davi Sena"


async def test_a_project_withdrawn_since_the_preview_has_nothing_given_and_is_named(
    casa: Casa, lia: Scope, rita: Usuario, triagem: Triagem, database: Database, scope: Scope
) -> None:
    previa = await casa.distribuicao.prever(lia, "ED-1", TODOS, [rita.id])
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql(
            "update projetos set retirado_em = now() where tenant_id = %s and codigo = 'P0003'", (scope.tenant_id,)
        )
    with pytest.raises(DistribuicaoMudou, match=r"Nada foi feito: .* Mudou: P0003") as refused:
        await casa.distribuicao.dar(lia, "ED-1", TODOS, [rita.id], previa.prevista)
    assert refused.value.mudaram == ("P0003",)
    assert isinstance(refused.value.nova, PreviaDeDistribuicao)
    assert refused.value.nova.ficam == (DeFora("P0003", "retirado"),)
    assert await casa.codes_of(rita) == []


async def test_of_two_who_give_at_once_one_gives_and_the_other_is_told(casa: Casa, lia: Scope, rita: Usuario) -> None:
    outra = casa.as_(await casa.person("Bia Nery", "gestor"))
    previa = await casa.distribuicao.prever(lia, "ED-1", TODOS, [rita.id])
    ended = await asyncio.gather(
        *[casa.distribuicao.dar(who, "ED-1", TODOS, [rita.id], previa.prevista) for who in (lia, outra)], return_exceptions=True
    )
    (refused,) = [one for one in ended if isinstance(one, DistribuicaoMudou)]
    assert refused.mudaram == tuple(TODOS)
    assert len((await casa.quem.equipe(lia, "ED-1")).atos) == 1


async def test_an_act_is_undone_but_for_what_somebody_wrote(casa: Casa, lia: Scope, rita: Usuario) -> None:
    ato_id = await casa.give(lia, TODOS, rita)
    await casa.julgamento.salvar(casa.as_(rita), "ED-1", "P0002", [NotaDada("C1", None, "Ainda pensando.")])
    other = casa.as_(await casa.person("Davi Sena", "gestor"))
    with pytest.raises(SemPermissao):
        await casa.distribuicao.desfazer(other, "ED-1", ato_id)
    undone = await casa.distribuicao.desfazer(lia, "ED-1", ato_id)
    assert (undone.voltaram, undone.ficaram) == (2, 1)
    assert await casa.codes_of(rita) == ["P0002"]
    with pytest.raises(NadaADesfazer, match="o que foi escrito não se perde"):
        await casa.distribuicao.desfazer(lia, "ED-1", ato_id)
    assert [one["projeto"] for one in await casa.audited("distribuicao.desfeita")] == ["P0001", "P0003"]
    with pytest.raises(DistribuicaoNotFound):
        await casa.distribuicao.ato(lia, "ED-1", uuid4())


async def test_a_project_with_sent_notas_is_taken_with_a_reason_and_they_count_on_unless_it_is_said(
    casa: Casa, lia: Scope, rita: Usuario
) -> None:
    await casa.give(lia, TODOS, rita)
    for codigo in ("P0001", "P0002"):
        await casa.julgamento.registrar_notas(casa.as_(rita), "ED-1", codigo, AMBAS)
    with pytest.raises(DistribuicaoInvalida, match="Escreva o motivo") as refused:
        await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001", "P0003"])
    assert [one.caminho for one in refused.value.problemas] == ["motivo"]
    with pytest.raises(DistribuicaoInvalida, match="Escolha se as notas"):
        await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001"], "Saiu de férias.", "talvez")
    assert await casa.codes_of(rita) == TODOS
    taken = await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001", "P0003"], "Saiu de férias.")
    assert (taken.projetos, taken.com_notas, taken.saiu) == (2, 1, False)
    await casa.quem.tirar(lia, "ED-1", rita.id, ["P0002"], "Conhece o grupo.", "nao_contam")
    assert {(one.projeto_id, one.criterio) for one in await casa.julgamento.notas(lia, "ED-1")} == {("P0001", "C1"), ("P0001", "C2")}
    assert await casa.codes_of(rita) == []
    await casa.give(lia, ["P0001", "P0002"], rita)  # given again, each is as it was left
    given: tuple[Atribuicao, ...] = await casa.julgamento.meus_projetos(casa.as_(rita))
    assert [(one.projeto_id, one.avaliado, one.comecado) for one in given] == [("P0001", True, True), ("P0002", False, True)]


async def test_whoever_leaves_an_edital_leaves_it_with_all_projects(casa: Casa, lia: Scope, rita: Usuario) -> None:
    await casa.give(lia, TODOS, rita)
    taken = await casa.quem.tirar(lia, "ED-1", rita.id, None)
    assert (taken.projetos, taken.saiu) == (3, True)
    equipe = await casa.quem.equipe(lia, "ED-1")
    assert (equipe.pessoas, [one.nome for one in equipe.disponiveis], equipe.sem_ninguem) == ((), ["Lia Prado", "Rita Melo"], 3)
    with pytest.raises(AvaliadorNotFound):
        await casa.quem.projetos(lia, "ED-1", rita.id)


async def test_who_may_not_judge_who_is_there_and_who_is_nobody_here_are_told_apart(
    casa: Casa, lia: Scope, rita: Usuario, new_tenant: Callable[[], Scope], database: Database
) -> None:
    with pytest.raises(DistribuicaoInvalida, match="Rita Melo já avalia este edital"):
        await casa.quem.incluir(lia, "ED-1", rita.email)
    with pytest.raises(DistribuicaoInvalida, match="não pode avaliar"):
        await casa.quem.incluir(lia, "ED-1", (await casa.person("Davi Sena", "operador")).id)
    elsewhere = Casa(database, new_tenant())
    stranger = await elsewhere.person("Bia Nery", email="bia@fora.exemplo")
    with pytest.raises(UsuarioInexistente):
        await casa.quem.incluir(lia, "ED-1", stranger.id)
    with pytest.raises(AvaliadorNotFound):
        await casa.quem.incluir(lia, "ED-1", stranger.email)
    with pytest.raises(AvaliadorNotFound):
        await casa.distribuicao.prever(lia, "ED-1", TODOS, [rita.id, stranger.id])
    for nobody in ([], [uuid4()]):
        with pytest.raises((DistribuicaoInvalida, AvaliadorNotFound)):
            await casa.distribuicao.prever(lia, "ED-1", TODOS, nobody)
    with pytest.raises(ProjetoNotFound, match="P0001"):
        await casa.quem.tirar(lia, "ED-1", rita.id, ["P0001"])


async def test_whoever_lost_their_access_since_the_preview_is_given_nothing(casa: Casa, lia: Scope, rita: Usuario, scope: Scope) -> None:
    admin = casa.as_(await casa.person("Ana Luz", "admin"))
    previa = await casa.distribuicao.prever(lia, "ED-1", TODOS, [rita.id])
    async with casa.database.unit_of_work(admin) as uow:
        await deactivate_usuario(uow, CLOCK.now(), await get_pessoa(uow, rita.id))
    with pytest.raises(DistribuicaoInvalida, match="Não pode mais avaliar: Rita Melo"):
        await casa.distribuicao.dar(lia, "ED-1", TODOS, [rita.id], previa.prevista)
    assert (await casa.quem.equipe(lia, "ED-1")).pessoas[0].impedida == "acesso_retirado"


async def test_people_are_reminded_once_a_day_until_they_send(casa: Casa, lia: Scope, rita: Usuario, database: Database) -> None:
    await casa.give(lia, TODOS, rita)
    await casa.julgamento.registrar_notas(casa.as_(rita), "ED-1", "P0003", AMBAS)
    previa = await casa.lembretes.prever(lia, "ED-1", TODOS)
    assert [(one.nome, one.projetos) for one in previa.lembrar] == [("Rita Melo", ("P0001", "P0002"))]
    await casa.lembretes.lembrar(lia, "ED-1", TODOS, previa.prevista)
    ((standing, who),) = await casa.lembretes.meus(casa.as_(rita))
    assert (standing.edital_id, standing.projetos, who, standing.em) == ("ED-1", ("P0001", "P0002"), "Lia Prado", CLOCK.now())
    again = await casa.lembretes.prever(lia, "ED-1", TODOS)
    assert (again.lembrar, [(one.razao, one.por) for one in again.ficam]) == ((), [("lembrada_hoje", "Lia Prado")])
    with pytest.raises(DistribuicaoInvalida, match="Ninguém seria lembrado"):
        await casa.lembretes.lembrar(lia, "ED-1", TODOS, again.prevista)
    tomorrow = Lembretes(database, CLOCK.after(timedelta(days=1)), Uuid7(SystemClock()).new)
    assert len((await tomorrow.prever(lia, "ED-1", TODOS)).lembrar) == 1
    for codigo in ("P0001", "P0002"):
        await casa.julgamento.registrar_notas(casa.as_(rita), "ED-1", codigo, AMBAS)
    assert await casa.lembretes.meus(casa.as_(rita)) == ()
    assert [one["projetos"] for one in await casa.audited("avaliador.lembrado")] == [2]
    assert (await casa.quem.equipe(lia, "ED-1")).pessoas[0].lembrada_por == "Lia Prado"


async def test_of_two_who_remind_at_once_one_reminds(casa: Casa, lia: Scope, rita: Usuario) -> None:
    await casa.give(lia, TODOS, rita)
    asked = [(["P0001"], lia), (["P0002"], casa.as_(await casa.person("Bia Nery", "gestor")))]
    seen = [(await casa.lembretes.prever(who, "ED-1", codigos)).prevista for codigos, who in asked]
    ended = await asyncio.gather(
        *[casa.lembretes.lembrar(who, "ED-1", codigos, prevista) for (codigos, who), prevista in zip(asked, seen, strict=True)],
        return_exceptions=True,
    )
    assert sum(isinstance(one, DistribuicaoMudou) for one in ended) == 1


async def test_an_import_that_gives_the_same_keeps_acts_and_reminders_and_what_people_gave_is_what_the_screening_reads(
    casa: Casa, lia: Scope, rita: Usuario, triagem: Triagem, scope: Scope
) -> None:
    await casa.give(lia, ["P0001", "P0003"], rita)
    previa = await casa.lembretes.prever(lia, "ED-1", TODOS)
    await casa.lembretes.lembrar(lia, "ED-1", TODOS, previa.prevista)
    assert [one.projetos for one in (await triagem.edital(scope, "ED-1")).avaliadores] == [("P0001", "P0003")]
    again = importacao(3, avaliadores=[Avaliador("Rita Melo", rita.email, ("P0001", "P0002"))])
    await triagem.importar(scope, again)
    given = await casa.julgamento.meus_projetos(casa.as_(rita))
    assert [(one.projeto_id, one.lembrado_em is not None) for one in given] == [("P0001", True), ("P0002", False)]
    assert (await casa.quem.equipe(lia, "ED-1")).atos[0].em_vigor == 1


async def test_whoever_has_another_email_since_keeps_their_projects_when_projects_are_brought(
    casa: Casa, lia: Scope, rita: Usuario, triagem: Triagem, scope: Scope
) -> None:
    await casa.give(lia, ["P0001"], rita)
    admin = casa.as_(await casa.person("Ana Luz", "admin"))
    async with casa.database.unit_of_work(admin) as uow:
        await change_email(uow, CLOCK.now(), await get_pessoa(uow, rita.id), "rita@outra.exemplo")
    people = (await triagem.edital(scope, "ED-1")).avaliadores
    assert [(one.email, one.projetos) for one in people] == [("rita@outra.exemplo", ("P0001",))]
    await triagem.importar(scope, importacao(3, avaliadores=people))  # as bringing projects alone does
    assert [one.id for one in (await casa.quem.equipe(lia, "ED-1")).pessoas] == [rita.id]


async def test_only_a_person_who_manages_gives_takes_and_reminds(casa: Casa, rita: Usuario, scope: Scope) -> None:
    for who in (scope, casa.as_(rita)):
        with pytest.raises(SemPermissao):
            await casa.quem.incluir(who, "ED-1", rita.id)
        with pytest.raises(SemPermissao):
            await casa.distribuicao.dar(who, "ED-1", TODOS, [rita.id], "x")
        with pytest.raises(SemPermissao):
            await casa.lembretes.lembrar(who, "ED-1", TODOS, "x")


async def test_a_project_is_not_taken_back_at_the_very_moment_at_which_it_is_written_of(casa: Casa, lia: Scope, rita: Usuario) -> None:
    ato_id = await casa.give(lia, ["P0001"], rita)
    (par,) = (await casa.distribuicao.ato(lia, "ED-1", ato_id)).dadas
    async with casa.database.unit_of_work(casa.as_(rita)) as uow:
        await chaves.hold(uow, par.projeto)  # as whoever writes does first
        undoing = asyncio.create_task(casa.distribuicao.desfazer(lia, "ED-1", ato_id))
        done, _ = await asyncio.wait({undoing}, timeout=0.2)
        assert not done
        (criterio, *_) = await editais.criterios_of(uow, (await editais.get_by_codigo(uow, "ED-1")).id)
        await avaliacoes.save(uow, par.projeto, criterio.id, rita.id, None, "Um começo.", CLOCK.now())
    with pytest.raises(NadaADesfazer):
        await undoing
    assert await casa.codes_of(rita) == ["P0001"]


async def test_who_is_erased_is_told_of_by_nothing_but_that_they_judge(casa: Casa, lia: Scope, rita: Usuario) -> None:
    async with casa.database.unit_of_work(casa.scope) as uow:
        await julgadores.clear(uow, [rita.id])
        stored = await uow.connection.exec_driver_sql("select dados from edital_avaliadores where usuario_id = %s", (rita.id,))
        assert stored.scalar_one() == {}
