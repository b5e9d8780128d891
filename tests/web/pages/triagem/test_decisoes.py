"""Many decided at once on pages that need no script: marked, foreseen, confirmed, undone; and what was met on the way."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from html import unescape

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}"
PAGE = f"{BASE}/triagem-ia"
DECISOES = f"{BASE}/decisoes"
PREVIA = f"{DECISOES}/previa"
_MOTIVO = "Não comprovou a sede."


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    """Four projects, all of them suggested as habilitado, without a model."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def lia(scope: Scope, new_person: NewPerson) -> Usuario:
    return await new_person(scope, "gestor")


@pytest.fixture
async def gestora(scope: Scope, lia: Usuario, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, lia.ator)


@pytest.fixture
async def davi(scope: Scope, new_person: NewPerson) -> Scope:
    return as_person(scope, await new_person(scope, "gestor"))


def form_of(page: str, action: str) -> dict[str, str]:
    """The fields of the form that is sent there, as the page has them."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form, action
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])}


async def foreseen(client: httpx.AsyncClient, *codigos: str, decisao: str = "habilitado") -> httpx.Response:
    return await client.get(PREVIA, params={"codigo": codigos, "decisao": decisao, "volta": f"{PAGE}?aba=habilitacao"})


async def decided(container: Container, who: Scope) -> dict[str, str]:
    return {codigo: one.decisao for codigo, one in (await container.decisoes.decisoes(who, EDITAL)).items()}


async def test_marked_projects_are_foreseen_confirmed_and_undone_without_any_script(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    listed = (await gestora.get(PAGE)).text
    assert re.findall(r'type="checkbox" name="codigo" value="(\w+)" form="lote"', listed) == ["P0001", "P0002", "P0003", "P0004"]
    preview = await foreseen(gestora, "P0001", "P0003")
    assert (preview.status_code, await decided(container, scope)) == (200, {})
    assert "Habilitar 2 projetos" in preview.text
    sent = await gestora.post(DECISOES, data=form_of(preview.text, DECISOES) | {"motivo": ""})
    assert re.fullmatch(rf"{re.escape(PAGE)}\?aba=habilitacao&ato=[0-9a-f-]{{36}}", sent.headers["location"])
    assert await decided(container, scope) == {"P0001": "habilitado", "P0003": "habilitado"}
    told = (await gestora.get(sent.headers["location"])).text
    assert "2 projetos." in told
    assert "Pessoa gestor" in told
    (undo,) = re.findall(rf'action="({re.escape(DECISOES)}/atos/[0-9a-f-]+/desfazer)"', told)
    undone = await gestora.post(undo, data=form_of(told, undo))
    assert undone.headers["location"] == f"{PAGE}?aba=habilitacao&ok=desfeito"
    assert await decided(container, scope) == {}
    opened = (await gestora.get(PAGE, params={"projeto": "P0001"})).text
    assert "Desfeita por Pessoa gestor" in opened


async def test_a_preview_says_who_stays_out_and_why_and_what_would_be_replaced(
    gestora: httpx.AsyncClient, container: Container, davi: Scope
) -> None:
    await container.decisoes.decidir(davi, EDITAL, "P0001", "habilitado", "", None)
    await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", _MOTIVO, None)
    preview = (await foreseen(gestora, "P0001", "P0002", "P0003", "P0099")).text
    rows = {code: row for row, code in re.findall(r'(<tr[^>]*>.*?class="projeto-codigo">(\w+)<.*?</tr>)', preview, re.DOTALL)}
    assert "já está decidido assim" in rows["P0001"]
    assert "não há projeto com este código" in rows["P0099"]
    assert "Inabilitado" in rows["P0002"]
    assert "fica de fora" not in rows["P0002"] + rows["P0003"]
    assert re.search(r"Ficam de fora</dt><dd>2", preview)
    assert re.search(r"Registros na auditoria</dt><dd>2", preview)


async def test_all_that_answer_a_search_are_decided_at_once(gestora: httpx.AsyncClient, container: Container, davi: Scope) -> None:
    await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", _MOTIVO, None)
    preview = await gestora.get(PREVIA, params={"alvo": "todos", "filtro": "sem-decisao", "decisao": "habilitado"})
    assert form_of(preview.text, DECISOES)["codigos"] == "P0001 P0003 P0004"


async def test_more_than_an_address_holds_is_foreseen_by_a_form(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await gestora.get(PAGE)).text)
    codigos = " ".join(f"P{at:04}" for at in range(1, 5_001))
    preview = await gestora.post(PREVIA, data={"csrf": token, "codigos": codigos, "decisao": "habilitado"})
    assert "Habilitar 4 projetos" in preview.text
    assert "E mais 4.796 que ficam de fora" in preview.text
    assert (await gestora.post(DECISOES, data=form_of(preview.text, DECISOES))).status_code == 303


async def test_an_old_preview_decides_nobody_and_shows_what_changed(
    gestora: httpx.AsyncClient, container: Container, davi: Scope, scope: Scope
) -> None:
    preview = (await foreseen(gestora, "P0001", "P0002")).text
    await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", _MOTIVO, None)
    refused = await gestora.post(DECISOES, data=form_of(preview, DECISOES) | {"motivo": "Tudo conferido."})
    assert (refused.status_code, await decided(container, scope)) == (409, {"P0002": "inabilitado"})
    assert "Mudou: P0002" in refused.text
    assert "Tudo conferido." in refused.text
    again = await gestora.post(DECISOES, data=form_of(refused.text, DECISOES))
    assert (again.status_code, await decided(container, scope)) == (303, {"P0001": "habilitado", "P0002": "habilitado"})
    assert (await gestora.get(DECISOES)).status_code == 200  # where the refusal was is an address to come back to


async def test_a_project_withdrawn_while_its_preview_was_open_is_told(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    preview = (await foreseen(gestora, "P0003", "P0004")).text
    await container.triagem.importar(scope, importacao(3, EDITAL))
    refused = await gestora.post(DECISOES, data=form_of(preview, DECISOES))
    assert (refused.status_code, "foi retirado do edital" in refused.text) == (409, True)


async def test_a_reason_that_is_missing_is_told_at_its_field(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    preview = (await foreseen(gestora, "P0001", "P0002", decisao="inabilitado")).text
    assert "obrigatório" in preview
    refused = await gestora.post(DECISOES, data=form_of(preview, DECISOES) | {"motivo": " "})
    assert (refused.status_code, await decided(container, scope)) == (422, {})
    assert re.search(r'<textarea id="motivo"[^>]*aria-invalid="true"[^>]*autofocus', refused.text)
    assert re.search(r'id="motivo-erro">.*Escreva o motivo', refused.text)


async def test_nothing_marked_is_told_and_leads_back(gestora: httpx.AsyncClient) -> None:
    for query in ({}, {"codigo": [], "decisao": "habilitado"}, {"codigo": ["P0001"], "decisao": "talvez"}):
        page = await gestora.get(PREVIA, params=query)
        assert (page.status_code, "Voltar à lista" in page.text) == (200, True)


async def test_of_two_who_decide_on_one_project_the_second_is_told_and_can_decide_having_seen_it(
    gestora: httpx.AsyncClient, container: Container, davi: Scope
) -> None:
    page = (await gestora.get(PAGE, params={"projeto": "P0002"})).text
    action = f"{BASE}/projetos/P0002/habilitacao?aba=habilitacao#projeto-P0002"
    sent = form_of(page, action) | {"decisao": "inabilitado", "motivo": "Falta a ata da eleição."}
    await container.decisoes.decidir(davi, EDITAL, "P0002", "pendencia", "Pediu prazo.", None)
    refused = await gestora.post(action.partition("#")[0], data=sent)
    assert refused.status_code == 409
    assert re.search(r'id="projeto-P0002" open', refused.text)
    assert re.search(r'id="erro-motivo-P0002".*Pessoa gestor decidiu “Pendência” em .*Nada foi gravado', refused.text)
    assert "Pediu prazo." in refused.text
    assert "Falta a ata da eleição." in refused.text
    again = form_of(refused.text, action) | {"decisao": "inabilitado", "motivo": "Falta a ata da eleição."}
    assert (await gestora.post(action.partition("#")[0], data=again)).status_code == 303


async def test_a_decision_is_undone_in_its_line_by_whoever_took_it_and_not_by_another(
    gestora: httpx.AsyncClient, container: Container, davi: Scope, lia: Usuario, scope: Scope
) -> None:
    mine = as_person(scope, lia)
    await container.decisoes.decidir(mine, EDITAL, "P0001", "inabilitado", _MOTIVO, None)
    theirs = await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", _MOTIVO, None)
    page = (await gestora.get(PAGE, params={"projeto": "P0001"})).text
    (undo,) = re.findall(r'action="([^"]+/desfazer)"', page)
    fields = form_of(page, undo)
    back = await gestora.post(undo, data=fields)
    assert back.headers["location"] == f"{PAGE}?aba=habilitacao&projeto=P0001&ok=desfeito#projeto-P0001"
    assert await decided(container, scope) == {"P0002": "inabilitado"}
    assert "/desfazer" not in (await gestora.get(PAGE, params={"projeto": "P0002"})).text
    assert (await gestora.post(f"{DECISOES}/atos/{theirs.id}/desfazer", data=fields)).status_code == 403


async def test_undoing_after_somebody_went_on_leaves_theirs_and_says_so(
    gestora: httpx.AsyncClient, container: Container, davi: Scope, scope: Scope
) -> None:
    preview = (await foreseen(gestora, "P0001", "P0002")).text
    told = (await gestora.get((await gestora.post(DECISOES, data=form_of(preview, DECISOES))).headers["location"])).text
    (undo,) = re.findall(r'action="([^"]+/desfazer)"', told)
    stands = (await container.decisoes.decisoes(davi, EDITAL))["P0002"]
    await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", _MOTIVO, stands.versao)
    undone = await gestora.post(undo, data=form_of(told, undo))
    assert undone.headers["location"].startswith(f"{DECISOES}?ato=")
    shown = (await gestora.get(undone.headers["location"])).text
    rows = {code: row for row, code in re.findall(r'(<tr[^>]*>(?:(?!</tr>).)*class="projeto-codigo">(\w+)<.*?</tr>)', shown, re.DOTALL)}
    assert ("Desfeita" in rows["P0001"], "Mudou depois" in rows["P0002"]) == (True, True)
    assert await decided(container, scope) == {"P0002": "inabilitado"}
    twice = await gestora.post(undo, data=form_of(told, undo))
    assert (twice.status_code, "Isto já foi desfeito por Pessoa gestor" in twice.text) == (409, True)
    assert (await gestora.get(undo)).headers["location"] == undone.headers["location"].removesuffix("&ok=desfeito")


async def test_coming_back_leads_nowhere_else(gestora: httpx.AsyncClient) -> None:
    for volta in ("https://mau.exemplo/", "//mau.exemplo", "/admin/editais/OUTRO/x", f"{BASE}/\\mau.exemplo", f"/admin/editais/{EDITAL}x"):
        shown = (await gestora.get(PREVIA, params={"codigo": "P0001", "volta": volta})).text
        assert form_of(shown, DECISOES)["volta"] == PAGE
    old = await gestora.get(PAGE, params={"ato": "não é um número", "filtro": "o-que-ja-nao-ha"})
    assert old.status_code == 200
