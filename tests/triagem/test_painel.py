"""Lists that are read by the page say what the whole call says, whatever is searched for, and in whatever order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from itertools import product

import psycopg
import pytest

from chamadas import importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.casos.guardados import ListaCasos
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import Edital
from crivo.triagem.guardados import Por
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.painel import Achada, ListaAvaliacao, ListaHabilitacao, Painel, Pedida
from crivo.triagem.service import Triagem
from triagem_inteira import Inteira
from triagem_pronta import put_screened

PROJETOS = 240
SEARCHED = (
    "",
    "ação",
    "ACAO 7",
    "p00012",
    "strasse",
    "filme",
    "teatro de rua",
    "%",
    "_",
    "\\",
    "529",
    "982.247",
    "ﬁ",
    "ΚΑΛΛΙΤΈΧΝΗΣ",
    "\0",
    "İ",
)
_FILTROS = ("", "habilitado", "pendencia", "inabilitado", "erro", "outro")
_DECISOES = ("", "sem-decisao", "com-decisao", "outra")
_ORDENS = ("", "projeto", "-projeto", "situacao", "-situacao", "confianca", "-confianca", "outra")
_A_PAGE = 130
Reading = Callable[[Pedida], Awaitable[Achada]]


@pytest.fixture
def painel(database: Database) -> Painel:
    return Painel(database, SystemClock(), Uuid7(SystemClock()).new)


@pytest.fixture
async def inteira(database: Database, scope: Scope, urls: tuple[str, str], triagem: Triagem, julgamento: Julgamento) -> Inteira:
    """A screened call with notas, ties, odd names, failures, and projects and a critério that were withdrawn since; read whole."""
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, PROJETOS, julgados=60, sinais=90)
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        for withdrawn in (
            "update projetos set retirado_em = now() where tenant_id = %s and codigo in ('P00012', 'P00013', 'P00070')",
            "update criterios set retirado_em = now() where tenant_id = %s and codigo = 'C3'",
        ):
            connection.execute(withdrawn, (scope.tenant_id,))
    return await whole(database, scope, triagem, julgamento)


async def whole(database: Database, scope: Scope, triagem: Triagem, julgamento: Julgamento) -> Inteira:
    return Inteira(
        await triagem.edital(scope, "ED-1"),
        await triagem.resultado(scope, "ED-1"),
        await Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decisoes(scope, "ED-1"),
        await julgamento.notas(scope, "ED-1"),
        await julgamento.incumbencias(scope, "ED-1"),
    )


@pytest.fixture
def reading(painel: Painel, scope: Scope) -> Reading:
    async def read(pedida: Pedida) -> Achada:
        found = (await painel.abrir(scope, "ED-1", pedida)).achada
        assert found is not None
        return found

    return read


async def pages(reading: Reading, pedida: Pedida) -> AsyncIterator[Achada]:
    """Every page of a list, one after another."""
    pagina = 1
    while True:
        found = await reading(replace(pedida, pagina=pagina, tamanho=_A_PAGE))
        yield found
        if pagina * _A_PAGE >= found.lista.total:
            return
        pagina += 1


async def test_habilitacao_by_the_page_is_what_the_whole_call_says(inteira: Inteira, reading: Reading) -> None:
    asked = {
        *product(SEARCHED, ("",), ("projeto",), ("",)),
        *product(("",), _FILTROS, _ORDENS, ("",)),
        *product(("",), _FILTROS, ("",), _DECISOES),
        ("ação", "pendencia", "-confianca", "sem-decisao"),
    }
    for q, filtro, ordem, decisao in sorted(asked):
        seen, total = [], -1
        async for found in pages(reading, Pedida("habilitacao", q, filtro, ordem, decisao=decisao)):
            assert isinstance(found.lista, ListaHabilitacao)
            seen += [one.projeto_id for one in found.lista.triados]
            total = found.lista.total
        expected = inteira.habilitacao(q, filtro, ordem, decisao)
        assert (seen, total) == (expected, len(expected)), (q, filtro, ordem, decisao)


async def test_avaliacao_by_the_page_is_what_the_whole_call_says(inteira: Inteira, reading: Reading) -> None:
    for q, ordem in product(SEARCHED, ("", "projeto", "inscricao", "nota", "-nota")):
        seen: list[tuple[str, int | None]] = []
        async for found in pages(reading, Pedida("avaliacao", q, "", ordem)):
            assert isinstance(found.lista, ListaAvaliacao)
            seen += [(one.projeto_id, found.lista.posicoes.get(one.projeto_id)) for one in found.lista.triados]
        assert seen == inteira.avaliacao(q, ordem), (q, ordem)


async def test_cases_by_the_page_are_what_the_whole_call_says(inteira: Inteira, reading: Reading) -> None:
    """Of a call that was screened before there were cases: whoever looks first makes them."""
    for q, tipo in product((*SEARCHED, "repeticao", "de-outro", "caso 7"), ("", "similaridade", "texto_oculto")):
        seen: list[tuple[int, str]] = []
        async for found in pages(reading, Pedida("irregularidades", q, tipo=tipo)):
            assert isinstance(found.lista, ListaCasos)
            seen += [(one.numero, one.titulo) for one in found.lista.casos]
        assert seen == inteira.casos(q, tipo), (q, tipo)
    assert found.situacoes == {"aberto": len(inteira.casos())}


@pytest.mark.parametrize("por", ["pessoas", "sugestao"])
async def test_the_ranking_by_the_page_is_what_the_whole_call_says(inteira: Inteira, painel: Painel, scope: Scope, por: Por) -> None:
    seen: list[tuple[str, int | None]] = []
    for pagina in range(1, 6):
        ranking = (await painel.classificar(scope, "ED-1", por, pagina, 50)).ranking
        seen += [(one.codigo, one.posicao) for one in ranking.postos]
        for one in ranking.postos:
            for mean, means in ((one.pessoas, inteira.given), (one.sugestao, inteira.suggested)):
                assert (None if mean is None else round(mean, 10)) == (round(means[one.codigo], 10) if one.codigo in means else None), (
                    one.codigo
                )
    assert seen == inteira.ranking(por)
    assert (ranking.total, ranking.com_sugestao > 0) == (PROJETOS - 3, True)
    lowest = (await painel.classificar(scope, "ED-1", por, 1, PROJETOS, ordem="-posicao")).ranking.postos
    assert [one.posicao for one in lowest if one.posicao] == sorted([place for _, place in seen if place], reverse=True)
    found = (await painel.classificar(scope, "ED-1", por, 1, 50, q="strasse")).ranking
    assert [(one.codigo, one.posicao) for one in found.postos] == [one for one in seen if one[0] in {um.codigo for um in found.postos}]
    assert 0 < found.total == len(found.postos) < 50
    nothing = (await painel.classificar(scope, "ED-1", por, 3, 50, q="não há tal projeto")).ranking
    assert (nothing.total, nothing.postos, nothing.com_sugestao > 0) == (0, (), True)
    assert (await painel.classificar(scope, "ED-1", None, 999, 50)).ranking == (
        await painel.classificar(scope, "ED-1", "pessoas", 5, 50)
    ).ranking


@pytest.mark.parametrize("por", ["pessoas", "sugestao"])
async def test_whom_a_person_left_out_stands_after_all_others_in_no_place(
    inteira: Inteira, painel: Painel, database: Database, scope: Scope, urls: tuple[str, str], por: Por
) -> None:
    first = (await painel.classificar(scope, "ED-1", por, 1, 50)).ranking.postos[0]
    assert (first.posicao, first.fora) == (1, False)
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("select set_config('app.tenant_id', %s, false)", (scope.tenant_id,))
        connection.execute(
            "insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, motivo, decidido_por, decidido_em) "
            "select tenant_id, %s, 'inabilitado', 'Fora do município', (select id from usuarios u where u.tenant_id = p.tenant_id limit 1), now() "
            "from projetos p where id = %s "
            "on conflict (tenant_id, projeto_id) do update set decisao = 'inabilitado'",
            (first.projeto_id, first.projeto_id),
        )
    ranking = (await painel.classificar(scope, "ED-1", por, 1, PROJETOS)).ranking
    assert ranking.postos[0].codigo != first.codigo
    assert ranking.postos[0].posicao == 1
    left_out = [one for one in ranking.postos if one.fora]
    assert first.codigo in {one.codigo for one in left_out}
    assert list(ranking.postos[-len(left_out) :]) == left_out
    assert {one.posicao for one in left_out} == {None}
    listed = (await painel.abrir(scope, "ED-1", Pedida("avaliacao", tamanho=PROJETOS))).achada
    assert listed is not None
    assert isinstance(listed.lista, ListaAvaliacao)
    assert first.codigo not in listed.lista.posicoes


async def test_the_figures_are_counted_as_the_whole_call_counts_them(inteira: Inteira, reading: Reading) -> None:
    counted = (await reading(Pedida())).panorama
    expected = inteira.figures()
    assert {name: getattr(counted, name) for name in expected if name != "media"} == {k: v for k, v in expected.items() if k != "media"}
    assert counted.media is not None
    assert round(counted.media, 10) == round(inteira.figures()["media"], 10)  # type: ignore[call-overload]


async def test_a_page_has_all_that_its_lines_say(inteira: Inteira, reading: Reading) -> None:
    by_code = {one.projeto_id: one for one in inteira.resultado.projetos}
    projetos = {one.id: one for one in inteira.chamada.projetos}
    first = await reading(Pedida("habilitacao", pagina=2))
    assert isinstance(first.lista, ListaHabilitacao)
    assert all(one == by_code[one.projeto_id] for one in first.lista.triados)
    assert first.lista.decisoes == {
        one.projeto_id: inteira.decisoes[one.projeto_id] for one in first.lista.triados if one.projeto_id in inteira.decisoes
    }
    second = await reading(Pedida("avaliacao", "", "", "inscricao"))
    assert isinstance(second.lista, ListaAvaliacao)
    here = {one.projeto_id for one in second.lista.triados}
    assert all(one == by_code[one.projeto_id] for one in second.lista.triados)
    assert list(second.lista.notas) == [one for one in inteira.notas if one.projeto_id in here]
    assert list(second.lista.incumbencias) == [one for one in inteira.incumbencias if one.projeto_id in here]
    for found in (first, second):
        for codigo, cabecalho in found.cabecalhos.items():
            projeto = projetos[codigo]
            assert (cabecalho.titulo, cabecalho.proponente, cabecalho.categoria) == (projeto.titulo, projeto.proponente, projeto.categoria)
            assert cabecalho.arquivos == tuple(one.arquivo for one in projeto.documentos)
    assert "P00012" not in first.cabecalhos


async def test_a_page_past_the_end_is_the_last_one(inteira: Inteira, reading: Reading) -> None:
    found = await reading(Pedida(pagina=1_000_000))
    expected = inteira.habilitacao()
    assert isinstance(found.lista, ListaHabilitacao)
    assert found.lista.pagina == -(-len(expected) // 25)
    assert [one.projeto_id for one in found.lista.triados] == expected[(found.lista.pagina - 1) * 25 :]


async def test_what_was_stored_before_names_were_folded_is_searched_all_the_same(
    inteira: Inteira, reading: Reading, urls: tuple[str, str], scope: Scope
) -> None:
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        for forgotten in (
            "update editais set procura_versao = 0 where tenant_id = %s",
            "update projetos set procura = '', titulo_dobrado = '' where tenant_id = %s",
            "update triagem_ia_irregularidades set procura = '' where tenant_id = %s",
        ):
            connection.execute(forgotten, (scope.tenant_id,))
    found = await reading(Pedida("habilitacao", "strasse", ordem="projeto", tamanho=500))
    assert isinstance(found.lista, ListaHabilitacao)
    assert [one.projeto_id for one in found.lista.triados] == inteira.habilitacao("strasse", "", "projeto") != []
    casos = await reading(Pedida("irregularidades", "acao", tamanho=500))
    assert isinstance(casos.lista, ListaCasos)
    assert [(one.numero, one.titulo) for one in casos.lista.casos] == inteira.casos("acao") != []


async def test_a_call_without_a_model_or_a_finished_run_is_told_as_such(
    painel: Painel, database: Database, scope: Scope, triagem: Triagem
) -> None:
    await triagem.importar(scope, importacao(3, "ED-2"))
    vista = await painel.abrir(scope, "ED-2", Pedida())
    assert (vista.edital, vista.projetos, vista.achada) == (Edital("ED-2", "Edital ED-2"), 3, None)
    ranking = (await painel.classificar(scope, "ED-2", None, 1, 50)).ranking
    assert ([one.posicao for one in ranking.postos], ranking.por, ranking.com_sugestao) == ([None] * 3, "sugestao", 0)
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, 30, "ED-3", com_notas=False)
    achada = (await painel.abrir(scope, "ED-3", Pedida("avaliacao"))).achada
    assert achada is not None
    assert (achada.panorama.com_notas, achada.panorama.media, achada.panorama.lidos) == (0, None, achada.lista.total)
    assert isinstance(achada.lista, ListaAvaliacao)
    assert [one.projeto_id for one in achada.lista.triados] == sorted(one.projeto_id for one in achada.lista.triados) != []
