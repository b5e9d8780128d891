"""Notas in a spreadsheet are foreseen, brought in whole or not at all, and stay of the people who gave them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from chamadas import importacao
from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import find_usuario
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.distribuicao.impedimentos import QuemNaoPode
from crivo.triagem.edital import Avaliador
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.planilha.erros import PlanilhaMudou, PlanilhaRecusada
from crivo.triagem.planilha.previa import DecisaoMudada, NotaMudada
from crivo.triagem.planilha.servico import NotasTrazidas
from crivo.triagem.service import Triagem
from crivo.triagem.storage import atribuicoes, decisoes, editais, julgadores, projetos
from planilhas import livro
from sujeitos import as_person

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
DAVI = Avaliador("Davi Sena", "davi@avalia.exemplo", ())


@pytest.fixture
def notas_trazidas(database: Database) -> NotasTrazidas:
    return NotasTrazidas(database, SystemClock(), Uuid7(SystemClock()).new)


@pytest.fixture(autouse=True)
async def _imported(triagem: Triagem, scope: Scope) -> None:
    await triagem.importar(scope, importacao(3, avaliadores=(RITA, DAVI)))


async def brought(notas_trazidas: NotasTrazidas, scope: Scope, content: bytes) -> None:
    previa = await notas_trazidas.conferir(scope, "ED-1", content)
    await notas_trazidas.trazer(scope, "ED-1", content, previa.prevista)


async def written(julgamento: Julgamento, scope: Scope) -> dict[tuple[str, str], tuple[Decimal, str]]:
    return {(one.projeto_id, one.criterio): (one.nota, one.texto) for one in await julgamento.notas(scope, "ED-1")}


async def intact(database: Database, scope: Scope) -> tuple[bool, int]:
    held = await Auditoria(database, SystemClock()).conferir(scope)
    return held.integra, held.linhas.sem_selo


async def test_what_is_brought_in_is_peoples_and_brought_again_changes_nothing(
    notas_trazidas: NotasTrazidas, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    content = livro(
        ("P0001", "Rita Melo", 8.5, 7, "Muito bom."),
        ("P0002", "bia@avalia.exemplo", "6,5", 9, None),
        habilitacao=[("P0003", "inabilitado", "Fora do prazo.")],
    )
    previa = await notas_trazidas.conferir(scope, "ED-1", content)
    assert (previa.notas_novas, previa.notas_mudadas, previa.decisoes_novas, previa.projetos) == (4, 0, 1, 2)
    assert previa.pessoas_novas == ("bia@avalia.exemplo",)
    assert await written(julgamento, scope) == {}  # nothing is kept by looking
    told = await notas_trazidas.trazer(scope, "ED-1", content, previa.prevista)
    assert (told.projetos_com_notas, told.notas_novas, told.decisoes, told.pessoas_novas) == (2, 4, 1, 1)
    assert await written(julgamento, scope) == {
        ("P0001", "C1"): (Decimal("8.5"), "Muito bom."),
        ("P0001", "C2"): (Decimal(7), ""),
        ("P0002", "C1"): (Decimal("6.5"), ""),
        ("P0002", "C2"): (Decimal(9), ""),
    }
    async with database.unit_of_work(scope) as uow:
        guardado = await editais.get_by_codigo(uow, "ED-1")
        people = {one.email: one.projetos for one in await julgadores.avaliadores_of(uow, guardado.id)}
        decided = await decisoes.decisions_of(uow, guardado.id)
    assert people["bia@avalia.exemplo"] == ("P0002",)
    assert (decided["P0003"].decisao, decided["P0003"].motivo) == ("inabilitado", "Fora do prazo.")
    again = await notas_trazidas.conferir(scope, "ED-1", content)
    assert (again.muda, again.notas_iguais, again.decisoes_iguais, again.pessoas_novas) == (False, 4, 1, ())
    assert await intact(database, scope) == (True, 0)


async def test_what_changes_is_told_before_and_texts_that_the_sheet_does_not_have_stay(
    notas_trazidas: NotasTrazidas, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    async with database.unit_of_work(scope) as uow:
        rita = as_person(scope, await find_usuario(uow, RITA.email) or pytest.fail("nobody"))
    await julgamento.salvar(
        rita, "ED-1", "P0001", [NotaDada("C1", Decimal(8), "Pelo mérito."), NotaDada("C2", Decimal(5), "Pelo alcance.")]
    )
    content = livro(("P0001", "Rita Melo", 8, 6, None), habilitacao=[("P0001", "habilitado", "Conferido.")])
    previa = await notas_trazidas.conferir(scope, "ED-1", content)
    assert previa.mudadas == (
        NotaMudada("P0001", RITA.nome, "C1", Decimal(8), Decimal(8), rascunho=True, de_parecer=False),
        NotaMudada("P0001", RITA.nome, "C2", Decimal(5), Decimal(6), rascunho=True, de_parecer=False),
    )
    await notas_trazidas.trazer(scope, "ED-1", content, previa.prevista)
    assert await written(julgamento, scope) == {
        ("P0001", "C1"): (Decimal(8), "Pelo mérito."),
        ("P0001", "C2"): (Decimal(6), "Pelo alcance."),
    }
    other = livro(("P0001", "Rita Melo", 8, 7, "Revisto."), habilitacao=[("P0001", "pendência", None)])
    changed = await notas_trazidas.conferir(scope, "ED-1", other)
    assert changed.decisoes == (DecisaoMudada("P0001", "habilitado", "pendencia"),)
    assert [(one.criterio, one.de_parecer, one.rascunho) for one in changed.mudadas] == [("C1", True, False), ("C2", False, False)]
    same = await notas_trazidas.conferir(
        scope, "ED-1", livro(("P0001", "Rita Melo", 8, 6, None), habilitacao=[("P0001", "habilitado", None)])
    )
    assert same.muda is False  # a reason that is not written again is not taken away
    assert await intact(database, scope) == (True, 0)


async def test_where_anything_is_wrong_nothing_is_kept(notas_trazidas: NotasTrazidas, julgamento: Julgamento, scope: Scope) -> None:
    content = livro(("P0001", "Rita Melo", 8, 7, None), ("P0002", "Rita Melo", 80, 7, None))
    with pytest.raises(PlanilhaRecusada) as refused:
        await notas_trazidas.conferir(scope, "ED-1", content)
    assert [(one.caminho, one.codigo) for one in refused.value.problemas] == [("Notas!C3", "nota_fora_da_escala")]
    with pytest.raises(PlanilhaRecusada):
        await notas_trazidas.trazer(scope, "ED-1", content, "qualquer")
    assert await written(julgamento, scope) == {}


async def test_where_something_changed_since_the_preview_nothing_is_kept_and_the_preview_of_now_is_told(
    notas_trazidas: NotasTrazidas, julgamento: Julgamento, triagem: Triagem, scope: Scope
) -> None:
    content = livro(("P0001", "Rita Melo", 8, 7, None))
    previa = await notas_trazidas.conferir(scope, "ED-1", content)
    await brought(notas_trazidas, scope, livro(("P0001", "Rita Melo", 3, 7, None)))
    with pytest.raises(PlanilhaMudou) as changed:
        await notas_trazidas.trazer(scope, "ED-1", content, previa.prevista)
    assert [(one.criterio, one.antes, one.agora) for one in changed.value.nova.mudadas] == [("C1", Decimal(3), Decimal(8))]
    assert (await written(julgamento, scope))["P0001", "C1"][0] == Decimal(3)


async def test_who_asked_to_be_erased_is_not_brought_back_and_their_cell_says_so(
    notas_trazidas: NotasTrazidas, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    content = livro(("P0001", RITA.email, 8, 7, None), ("P0002", DAVI.email, 8, 7, None))
    await Pessoas(database, SystemClock(), (AcervoDeContas(), AcervoDeTriagem())).apagar(scope, RITA.email, "Pedido 7")
    with pytest.raises(PlanilhaRecusada) as refused:
        await notas_trazidas.conferir(scope, "ED-1", content)
    assert [(one.caminho, one.codigo) for one in refused.value.problemas] == [("Notas!B2", "avaliador_apagado")]
    assert await written(julgamento, scope) == {}


async def test_the_model_of_an_edital_names_its_projects_and_who_has_them(notas_trazidas: NotasTrazidas, scope: Scope) -> None:
    content = await notas_trazidas.modelo(scope, "ED-1")
    previa = await notas_trazidas.conferir(scope, "ED-1", content)
    assert (previa.muda, previa.em_branco) == (False, 6)


async def test_notas_of_somebody_impeded_are_refused_by_their_cell(notas_trazidas: NotasTrazidas, database: Database, scope: Scope) -> None:
    """Whoever declared that they must not judge comes back by no door."""
    async with database.unit_of_work(scope) as uow:
        rita = await find_usuario(uow, RITA.email)
    assert rita is not None
    quem_nao_pode = QuemNaoPode(database, SystemClock(), Uuid7(SystemClock()).new)
    await quem_nao_pode.declarar(as_person(scope, rita), "ED-1", "P0001", "É parente de quem propõe.")
    with pytest.raises(PlanilhaRecusada) as refused:
        await notas_trazidas.conferir(scope, "ED-1", livro(("P0001", "Rita Melo", 8.5, 7, None), ("P0002", "Rita Melo", 8, 7, None)))
    assert [(one.codigo, one.caminho) for one in refused.value.problemas] == [("avaliador_impedido", "Notas!B2")]


async def test_a_call_that_comes_again_without_saying_who_judges_what_leaves_what_was_given(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    """A draw is not lost by an edital whose dates are put right."""
    async with database.unit_of_work(scope) as uow:
        edital = await editais.get_by_codigo(uow, "ED-1")
        davi = await find_usuario(uow, DAVI.email)
        assert davi is not None
        ids = await projetos.ids_of(uow, edital.id)
        await atribuicoes.put(uow, [(davi.id, ids["P0002"])])
    free = (Avaliador(RITA.nome, RITA.email), DAVI)
    await triagem.importar(scope, importacao(3, avaliadores=free))
    async with database.unit_of_work(scope) as uow:
        given = await atribuicoes.of_projects(uow, edital.id, ["P0001", "P0002", "P0003"])
    assert [one.codigo for one in given] == ["P0001", "P0002"]
    await triagem.importar(scope, importacao(3, avaliadores=free[:1]))
    async with database.unit_of_work(scope) as uow:
        assert [one.codigo for one in await atribuicoes.of_projects(uow, edital.id, ["P0001", "P0002", "P0003"])] == ["P0001"]


async def test_a_nota_that_a_comma_parted_is_refused_where_columns_are_parted_by_commas(
    notas_trazidas: NotasTrazidas, scope: Scope
) -> None:
    with pytest.raises(PlanilhaRecusada) as refused:
        await notas_trazidas.conferir(scope, "ED-1", b"Projeto,Avaliador,C1,C2,Parecer\nP0001,Rita Melo,8,5,7\n")
    assert [(one.codigo, one.caminho) for one in refused.value.problemas] == [("celula_estranha", "Notas!E2")]
    assert (await notas_trazidas.conferir(scope, "ED-1", b"Projeto,Avaliador,C1,C2,Parecer\nP0001,Rita Melo,8.5,7,\n")).notas_novas == 2
