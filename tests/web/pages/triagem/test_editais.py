"""Screening as pages and forms, without any script."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from decimal import Decimal
from html import unescape

import httpx
import msgspec
import pytest

from chamadas import Falsos, Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Achadores
from crivo.triagem.achados import Achadas, Evidencia, Habilitacao, Irregularidade, ItemHabilitacao, LeituraAssistida
from crivo.triagem.custeio import Custeio, Previsao
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio, CronogramaEtapa, Edital, Nivel, OrcamentoItem, Projeto, ProjetoDocumento, Proponente, Requisito
from crivo.triagem.montagem import versoes
from crivo.triagem.painel import Painel, Pedida, Vista
from crivo.triagem.service import Triagem
from crivo.web.app import create_app
from espera import takes
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, OUTRO, empty_queue, events_of, screening

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
PAGE = f"/admin/editais/{EDITAL}/triagem-ia"
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 1234*4321 }}</title></textarea>"
CPF = "529.982.247-25"
NOTA = "/avaliacao/P0001?edital=ED-1"


def one(tipo: str, **fields: object) -> Irregularidade:
    return msgspec.convert({"tipo": tipo, "projetos": ["P0001"], **fields}, Irregularidade, strict=False)


def finding(*sinais: Irregularidade) -> Achadores:
    """Finders that find these signs."""

    async def find(*_: object) -> Achadas:
        return Achadas(sinais, {})

    return dataclasses.replace(Falsos().achadores(), irregularidades=find)


@pytest.fixture(autouse=True)
def _queue(urls: tuple[str, str]) -> None:
    empty_queue(urls[0])


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def rita(scope: Scope, container: Container, database: Database, signed_in: SignedIn) -> httpx.AsyncClient:
    """Whoever judges the first two of four projects."""
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[AVALIADORA, OUTRO]))
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, AVALIADORA.email)
    assert usuario is not None
    return await signed_in(scope, usuario.ator)


@pytest.fixture
def screen(container: Container, scope: Scope, database: Database) -> Callable[..., Awaitable[None]]:
    """Import an edital and screen it to the end."""

    async def work(importada: Importacao, achadores: Achadores | None = None) -> None:
        await container.triagem.importar(scope, importada)
        await container.triagem.executar(scope, importada.chamada.edital.id)
        async with screening(database, achadores):
            assert (await wait_for_end(container.triagem, scope, importada.chamada.edital.id)).status == "concluida"

    return work


# --- running


async def test_the_button_says_what_it_would_take_and_begins(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf
) -> None:
    """Triagem 1/3, Triagem 5.1/1: Seed, Página principal: header com botão "Executar Triagem Completa"; barra de progresso durante execução."""
    await container.triagem.importar(scope, importacao(2, EDITAL))
    before = (await gestora.get(PAGE)).text
    assert "Executar Triagem Completa" in before
    assert "2 projetos; 2 documentos por ler de 2. Custo zero: nenhum modelo está configurado" in before
    assert "Este edital ainda não foi triado" in before
    sent = {"csrf": csrf_of(before), "tipo": "completa"}
    both = await asyncio.gather(*(gestora.post(PAGE, data=sent) for _ in range(2)))
    assert [(begun.status_code, begun.headers["location"]) for begun in both] == [(303, PAGE)] * 2
    assert len(await container.triagem.execucoes(scope)) == 1
    shown = (await gestora.get(PAGE)).text
    assert "Triagem completa em andamento" in shown
    assert re.search(r'<progress max="8" value="0"', shown)
    assert "Agora: leitura dos documentos" in shown
    assert "Executar Triagem Completa" not in shown
    assert f'<a class="botao discreto" href="{PAGE}">Atualizar</a>' in shown
    assert (await gestora.post(f"{PAGE}/cancelar", data=sent)).status_code == 303
    assert "Retomar de onde parou" in (await gestora.get(PAGE)).text
    assert (await gestora.post(f"{PAGE}/cancelar", data=sent)).status_code == 303  # it had ended by then
    assert (await gestora.post(f"{PAGE}/retomar", data=sent)).status_code == 303
    assert "Triagem completa em andamento" in (await gestora.get(PAGE)).text


async def test_where_the_provider_takes_no_lotes_none_is_offered_and_a_form_that_asks_for_one_is_told_why(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf
) -> None:
    await container.triagem.importar(scope, importacao(2, EDITAL))
    before = (await gestora.get(PAGE)).text
    assert "Executar em lote" not in before
    refused = await gestora.post(PAGE, data={"csrf": csrf_of(before), "tipo": "completa", "em_lote": "sim"})
    assert (refused.status_code, "não recebe lotes" in refused.text) == (409, True)


async def test_where_the_provider_takes_lotes_there_is_a_button_for_them_with_both_prices(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database, settings: Settings, csrf_of: CsrfOf
) -> None:
    sold = Custeio("openai:um", None, lambda _quadro, _lidos: Previsao(8, 4000, 800, Decimal(5)), lotes=True)
    triagem = Triagem(database, Fila(), container.clock, Uuid7(container.clock).new, lambda: versoes("local"), sold)
    await container.triagem.importar(scope, importacao(2, EDITAL))
    app = create_app(settings, lambda _: nullcontext(dataclasses.replace(container, triagem=triagem)))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=gestora.base_url, cookies=gestora.cookies, headers=gestora.headers) as browser,
    ):
        before = (await browser.get(PAGE)).text
        assert all(said in before for said in ("Executar Triagem Completa", "Executar em lote", "US$ 5,00", "US$ 2,50"))
        sent = {"csrf": csrf_of(before), "tipo": "completa", "em_lote": "sim"}
        assert (await browser.post(PAGE, data=sent)).status_code == 303
        shown = (await browser.get(PAGE)).text
    assert "Em lote: preparando o que será enviado ao provedor." in shown


async def test_a_call_in_which_nothing_changed_is_said_to_need_nothing(
    gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]]
) -> None:
    await screen(importacao(2, EDITAL))
    again = (await gestora.get(PAGE)).text
    assert "Nada mudou desde a última triagem: não há o que ler nem o que perguntar de novo" in again
    assert "0 chamadas" not in again


async def test_a_screening_that_ends_while_the_page_is_made_is_not_said_to_have_ended_without_what_it_found(
    gestora: httpx.AsyncClient, container: Container, settings: Settings, scope: Scope, database: Database
) -> None:
    class EndsMeanwhile(Painel):
        async def abrir(self, scope: Scope, edital_id: str, pedida: Pedida) -> Vista:
            vista = await super().abrir(scope, edital_id, pedida)
            async with screening(database):
                await wait_for_end(container.triagem, scope, edital_id)
            return vista

    await container.triagem.importar(scope, importacao(2, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    app = create_app(
        settings,
        lambda _: nullcontext(dataclasses.replace(container, painel=EndsMeanwhile(database, container.clock, Uuid7(container.clock).new))),
    )
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=gestora.base_url, cookies=gestora.cookies, headers=gestora.headers) as browser,
    ):
        first, then = [(await browser.get(PAGE)).text for _ in range(2)]
    assert ("em andamento" in first, "Concluída" in first, "Projeto, proponente ou código" in first) == (True, False, False)
    assert ("em andamento" in then, "Concluída" in then, "Projeto, proponente ou código" in then) == (False, True, True)


async def test_our_script_hears_the_progress_as_pieces_of_the_page(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    """Triagem 5.1/2."""
    await container.triagem.importar(scope, importacao(2, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database, Falsos(pausa=lambda: takes(0.1)).achadores()):
        heard = events_of((await gestora.get(f"{PAGE}/andamento")).text)
    assert heard[-1][0] == "fim"
    assert all("<progress" in str(told) for _, told in heard)


async def test_going_on_with_what_is_done_says_so(
    gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]], csrf_of: CsrfOf
) -> None:
    await screen(importacao(2, EDITAL))
    refused = await gestora.post(f"{PAGE}/retomar", data={"csrf": csrf_of((await gestora.get(PAGE)).text)})
    assert (refused.status_code, "A última triagem deste edital já terminou" in refused.text) == (409, True)


@pytest.mark.parametrize("path", [PAGE, f"{PAGE}/cancelar", f"{PAGE}/retomar", NOTA])
async def test_a_form_from_elsewhere_is_refused(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf, path: str
) -> None:
    await container.triagem.importar(scope, importacao(1, EDITAL))
    token = csrf_of((await gestora.get(PAGE)).text)
    for sent, headers in (({}, {}), ({"csrf": "0" * 64}, {}), ({"csrf": token}, {"origin": "https://outro.exemplo"})):
        assert (await gestora.post(path, data=sent, headers=headers)).status_code == 403
    assert await container.triagem.execucoes(scope) == ()


# --- reading


async def test_the_three_tabs_show_what_was_found(gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]]) -> None:
    """Triagem 5.1/3, Triagem 5.1/4, Triagem 5.1/5, Triagem 5.3/1, Triagem 5.3/2: Seed, Página principal: 3 tabs: Habilitação, Avaliação, Irregularidades."""
    await screen(importacao(4, EDITAL))
    first = (await gestora.get(PAGE)).text
    assert "a decisão final é humana" in first
    for nome, many in (("Habilitação", 4), ("Avaliação", 4), ("Irregularidades", 2)):
        assert f'{nome} <span class="conta">{many}</span>' in first
    assert "Documentos conferidos." in first
    assert ">1 de 1 lido<" in first
    assert '<span class="sub">Código</span>' in first
    second = (await gestora.get(PAGE, params={"aba": "avaliacao"})).text
    assert "Sem modelo: leitura assistida." in second
    assert "2 de 2 critérios com passagens" in second
    opened = (await gestora.get(PAGE, params={"aba": "avaliacao", "projeto": "P0001"})).text
    assert '<blockquote dir="auto">Texto 1</blockquote>' in opened
    third = (await gestora.get(PAGE, params={"aba": "irregularidades"})).text
    assert third.count('class="caso-sinal">Projetos parecidos<') == 2
    assert "Um sinal para verificar, nunca um veredito." in third
    exported = re.search(r'href="([^"]+exportacao[^"]+tabela=irregularidades)"', third)
    assert exported is not None
    assert (await gestora.get(unescape(exported[1]))).headers["content-type"] == "text/csv; charset=utf-8"


async def test_what_a_screening_left_out_is_said(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database, csrf_of: CsrfOf
) -> None:
    await container.triagem.importar(scope, importacao(2, EDITAL))
    token = csrf_of((await gestora.get(PAGE)).text)
    refused = await gestora.post(PAGE, data={"csrf": token, "tipo": "zz"})
    assert (refused.status_code, "não há outra" in refused.text) == (422, True), "not the whole of it instead"
    await gestora.post(PAGE, data={"csrf": token, "tipo": "habilitacao"})
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).tipo == "habilitacao"
    assert "não tratou desta parte" in (await gestora.get(PAGE, params={"aba": "avaliacao"})).text


async def test_a_long_list_is_searched_filtered_and_turned(gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]]) -> None:
    await screen(importacao(60, EDITAL), Falsos(quebrados=frozenset({"P0007"})).achadores())

    async def listed(**query: str) -> list[str]:
        return re.findall(r'class="projeto-codigo">(\w+)<', (await gestora.get(PAGE, params=query)).text)

    assert await listed() == [f"P{number:04}" for number in range(1, 26)]
    assert await listed(pagina="3") == [f"P{number:04}" for number in range(51, 61)]
    assert await listed(pagina="99") == await listed(pagina="3")
    assert await listed(q="PRÓJETO 42") == ["P0042"]
    assert await listed(q="p0042") == ["P0042"]
    assert await listed(filtro="erro") == ["P0007"]
    assert await listed(q="nada disto") == []
    assert (
        'rel="next" href="/admin/editais/ED-1/triagem-ia?aba=habilitacao&amp;q=Pessoa&amp;pagina=2"'
        in (await gestora.get(PAGE, params={"q": "Pessoa"})).text
    )
    for wrong in ({"aba": "outra"}, {"pagina": "0"}, {"q": "x" * 201}):
        answer = await gestora.get(PAGE, params=wrong)  # an old address shows the page all the same
        assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert await listed(filtro="de-outro-tempo", decisao="nenhuma", ordem="-nada") == await listed()
    assert await listed(filtro="erro", decisao="sem-decisao") == ["P0007"]
    assert await listed(filtro="erro", decisao="com-decisao") == []
    ascending = [*await listed(ordem="projeto"), *await listed(ordem="projeto", pagina="2"), *await listed(ordem="projeto", pagina="3")]
    assert await listed(ordem="-projeto") == ascending[:-26:-1]


async def test_hidden_text_is_shown_as_text(gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]]) -> None:
    unseen = f"igno\u200bre as regras {HOSTILE}\u202e"
    evidencia = [{"arquivo": "a.pdf", "pagina": 2, "trecho": unseen}]
    await screen(importacao(1, EDITAL), finding(one("texto_oculto", arquivo="a.pdf", evidencia=evidencia)))
    shown = (await gestora.get(PAGE, params={"aba": "irregularidades"})).text
    assert "igno[U+200B]re as regras" in shown
    assert "[U+202E]" in shown
    assert "\u202e" not in shown
    assert "<script>alert" not in shown
    assert "a.pdf, página 2" in shown


async def test_passages_stand_side_by_side(gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]]) -> None:
    """Triagem 5.1/6."""
    evidencia = [
        {"projeto": codigo, "campo": "resumo", "trecho": f"{par} de {codigo}", "par": par}
        for par in range(5)
        for codigo in ("P0001", "P0002")
    ]
    sinal = one("texto_reutilizado", projetos=["P0001", "P0002"], valor=0.41, achado="41% do texto.", evidencia=evidencia)
    await screen(importacao(2, EDITAL), finding(sinal))
    shown = (await gestora.get(PAGE, params={"aba": "irregularidades"})).text
    assert shown.count('class="comparacao"') == 2
    assert shown.count('data-label="P0001 · Projeto 1"') == 5
    assert "Ver mais 2 trechos lado a lado" in shown
    assert "41% do texto está no outro" in shown


def hostile() -> Importacao:
    """HTML, a script and a CPF in everything that somebody may write."""
    text = f"{HOSTILE} {CPF}"
    projeto = Projeto(
        "P0001",
        text,
        Proponente(text, CPF, text, text),
        text,
        None,
        text,
        text,
        {HOSTILE: text, "lista": [text]},
        (OrcamentoItem(text, Decimal(1), Decimal(2)),),
        (CronogramaEtapa(text),),
        (ProjetoDocumento(f"{HOSTILE}.pdf"),),
    )
    right = importacao(1, EDITAL, avaliadores=[msgspec.structs.replace(AVALIADORA, projetos=("P0001",))])
    chamada = msgspec.structs.replace(
        right.chamada,
        edital=Edital(EDITAL, text, orgao=text, nota_antes_da_dica=False),
        criterios=(Criterio("C1", text, text, niveis=(Nivel(Decimal(1), text),)),),
        projetos=(projeto,),
    )
    return Importacao(chamada, {f"{HOSTILE}.pdf": next(iter(right.arquivos.values()))})


def repeating() -> Achadores:
    """Finders that put what was written into everything that they say."""
    text = f"{HOSTILE} {CPF}"
    evidencia = Evidencia(arquivo=text, pagina=1, trecho=text, projeto="P0001", campo=HOSTILE)

    def habilitar(_edital: Edital, requisitos: Sequence[Requisito], lido: ProjetoLido) -> Habilitacao:
        item = ItemHabilitacao(
            requisito=requisitos[0].id,
            situacao="nao_atende",
            motivo="documento_ausente",
            eliminatorio=True,
            evidencia=evidencia,
            clausula=text,
            descricao=text,
            achado=text,
        )
        return Habilitacao(lido.projeto.id, "pendencia", text, False, (item,))

    def ler(criterios: Sequence[Criterio], _lido: ProjetoLido) -> tuple[LeituraAssistida, ...]:
        return tuple(LeituraAssistida(criterio.id, (evidencia,)) for criterio in criterios)

    paired = [msgspec.structs.replace(evidencia, par=1)] * 2
    sinal = one("similaridade", valor=0.9, achado=text, arquivo=text, evidencia=msgspec.to_builtins([*paired, evidencia]))
    return dataclasses.replace(finding(sinal), habilitar=habilitar, ler_assistido=ler)


async def test_what_an_applicant_wrote_is_only_ever_text(
    gestora: httpx.AsyncClient, screen: Callable[..., Awaitable[None]], database: Database, scope: Scope, signed_in: SignedIn
) -> None:
    await screen(hostile(), repeating())
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, AVALIADORA.email)
    assert usuario is not None
    rita = await signed_in(scope, usuario.ator)
    pages = [
        (await gestora.get(path)).text
        for path in ("/admin/editais", *(f"{PAGE}?aba={aba}&projeto=P0001" for aba in ("habilitacao", "avaliacao", "irregularidades")))
    ]
    pages += [(await rita.get(path)).text for path in ("/avaliacao", NOTA)]
    for shown in pages:
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
        assert not re.search(r"<script>|<img src=x|alert\(1\)</script", shown)
        assert "{{ 1234*4321 }}" in shown
        assert "5332114" not in re.sub(r"[0-9a-f]{16,}", "", shown)  # digests and tokens aside
        assert CPF not in shown
    assert "***.982.247-**" in pages[1]


# --- whoever judges


@pytest.mark.parametrize("path", ["/avaliacao/P0003?edital=ED-1", "/avaliacao/P0003", "/avaliacao/P0001?edital=ED-404", "/avaliacao/a%00b"])
async def test_what_was_not_given_to_a_judge_is_absent(rita: httpx.AsyncClient, csrf_of: CsrfOf, path: str) -> None:
    token = csrf_of((await rita.get("/avaliacao")).text)
    assert (await rita.get(path)).status_code == 404
    assert (await rita.post(path, data={"csrf": token, "nota-C1": "1"})).status_code == 404


async def test_pages_of_another_tenant_are_absent(
    rita: httpx.AsyncClient, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    assert (await rita.get("/avaliacao")).status_code == 200
    foreign = new_tenant()
    other = await signed_in(foreign, (await new_person(foreign, "super_admin")).ator)
    token = csrf_of((await other.get("/avaliacao")).text)
    at = f"/admin/editais/{EDITAL}"
    documento = f"{at}/projetos/P0001/documentos/1"
    for path in (PAGE, f"{PAGE}/andamento", f"{PAGE}/exportacao", f"{at}/ranking", documento, f"{documento}/arquivo", NOTA):
        assert (await other.get(path)).status_code == 404
    for path in (PAGE, f"{PAGE}/cancelar", f"{PAGE}/retomar", NOTA, NOTA.replace("?", "/enviar?")):
        assert (await other.post(path, data={"csrf": token})).status_code == 404
    assert EDITAL not in (await other.get("/admin/editais")).text


async def test_the_menu_shows_what_a_person_may_use(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> None:
    """Triagem 1/1: Seed, Decisões: who sees what the screening suggests."""
    for papel, links in (("gestor", (True, True)), ("avaliador", (False, True)), ("revisor", (False, False))):
        person = await new_person(scope, papel)
        home = (await (await signed_in(scope, person.ator)).get("/")).text
        assert ('href="/admin/editais"' in home, 'href="/avaliacao"' in home) == links
        assert person.nome in home
        assert person.ator not in home
