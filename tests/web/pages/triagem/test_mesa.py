"""The mesa over HTTP: a queue in an address, a project beside it, and a decision that goes on to the next."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from decimal import Decimal

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, get_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from crivo.triagem.julgamento import NotaDada
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}"
MESA = f"{BASE}/mesa"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002", "P0003"))


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    """Four projects, all of them suggested as habilitado, without a model."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[RITA]))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


def lines(html: str) -> list[str]:
    """The codes in the queue, in order."""
    return re.findall(r"<small title=[^>]*>(P\d+)", html)


async def decide(client: httpx.AsyncClient, csrf_of: CsrfOf, where: str, **fields: str) -> httpx.Response:
    """Decide as the form on the page does."""
    page = (await client.get(where)).text
    (action,) = re.findall(r'id="decisao" method="post" action="([^"]+)"', page)
    return await client.post(action.replace("&amp;", "&"), data={"csrf": csrf_of(page), **fields})


@pytest.mark.usefixtures("screened")
async def test_deciding_goes_on_to_the_next_of_the_same_queue_until_all_is_decided(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    where, opened = f"{MESA}/P0002", []
    for _ in range(4):
        answer = await decide(gestora, csrf_of, where, decisao="habilitado", motivo="")
        assert answer.status_code == 303
        where = answer.headers["location"]
        opened.append(where.partition("?")[0].removeprefix(MESA))
    assert opened == ["/P0003", "/P0004", "/P0001", ""]
    last = (await gestora.get(where)).text
    assert "Tudo decidido" in last
    assert "P0001: habilitado" in last
    assert lines((await gestora.get(f"{MESA}?visao=todos")).text) == ["P0001", "P0002", "P0003", "P0004"]


@pytest.mark.usefixtures("screened")
async def test_the_queue_of_the_address_is_the_one_that_is_gone_through(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    query = "visao=todos&f=1&ordem=-inscricao"
    page = (await gestora.get(f"{MESA}/P0003?{query}")).text
    assert lines(page) == ["P0004", "P0003", "P0002", "P0001"]
    assert "2 de 4" in page
    answer = await decide(gestora, csrf_of, f"{MESA}/P0003?{query}", decisao="habilitado", motivo="")
    assert re.match(rf"{MESA}/P0002\?visao=todos&f=1&ordem=-inscricao&ato=[0-9a-f-]+$", answer.headers["location"])


@pytest.mark.usefixtures("screened")
async def test_one_begins_by_the_first_that_nobody_decided_on(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    await decide(gestora, csrf_of, f"{MESA}/P0001", decisao="habilitado", motivo="")
    for view, first in (("todos", "P0002"), ("a-decidir", "P0002"), ("todos&f=1&ordem=-inscricao", "P0004")):
        assert f"Começar por {first}</a>" in (await gestora.get(f"{MESA}?visao={view}")).text
    done = (await gestora.get(f"{MESA}?visao=todos&f=1&decisao=habilitado")).text
    assert "Este projeto já está decidido" in done
    assert "Começar por" not in done


@pytest.mark.usefixtures("screened")
async def test_without_notas_the_queue_is_in_no_order_of_them_and_says_so(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    page = (await gestora.get(f"{MESA}?visao=todos")).text
    assert "ordem=-nota" not in page
    assert "sem notas ainda" in page
    assert "Ainda não há o que ordenar por nota" in (await gestora.get(f"{MESA}?visao=todos&f=1&ordem=-nota")).text
    async with database.unit_of_work(scope) as uow:
        rita = as_person(scope, await get_usuario(uow, "rita@avalia.exemplo"))
    await container.julgamento.salvar(rita, EDITAL, "P0001", [NotaDada("C1", Decimal(7)), NotaDada("C2", Decimal(7))])
    await container.julgamento.enviar(rita, EDITAL, "P0001")
    graded = (await gestora.get(f"{MESA}?visao=todos&f=1&ordem=-nota")).text
    assert "Ainda não há o que ordenar" not in graded
    assert "ordem=nota" in graded


@pytest.mark.usefixtures("screened")
async def test_a_decision_that_says_too_little_comes_back_with_what_was_written(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    answer = await decide(gestora, csrf_of, f"{MESA}/P0002", decisao="inabilitado", motivo="não")
    assert answer.status_code == 422
    assert "A decisão não foi guardada" in answer.text
    assert re.search(r'value="inabilitado" required checked', answer.text)
    assert ">\nnão</textarea>" in answer.text
    assert lines(answer.text) == ["P0001", "P0002", "P0003", "P0004"]


@pytest.mark.usefixtures("screened")
async def test_a_reason_that_code_made_is_nobodys_for_another_decision(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    """Without scripts it stays in the field, whatever is chosen."""
    made = {"motivo": "Cláusula 4.1: certidão.\r\nFalta.", "feito_pendencia": "Cláusula 4.1: certidão.\nFalta."}
    refused = await decide(gestora, csrf_of, f"{MESA}/P0002", decisao="inabilitado", **made)
    assert refused.status_code == 422
    assert "O motivo escrito é o de “Pendência”, e você escolheu “Inabilitado”" in refused.text
    assert (await decide(gestora, csrf_of, f"{MESA}/P0002", decisao="pendencia", **made)).status_code == 303


@pytest.mark.usefixtures("screened")
async def test_the_reason_of_the_decision_that_stands_is_refused_once_for_another(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    """It goes to whoever applied: a pendência's would tell somebody habilitado what they lack."""
    where = f"{MESA}/P0002?visao=todos"
    await decide(gestora, csrf_of, where, decisao="pendencia", motivo="Falta a certidão municipal.", visto="")
    page = (await gestora.get(where)).text
    assert 'value="pendencia" required checked data-motivo="Falta a certidão municipal."' in page
    kept = dict(re.findall(r'name="(visto|feito_\w+)" value="([^"]*)"', page.partition('id="decisao"')[2]))
    sent = {**kept, "decisao": "habilitado", "motivo": "Falta a certidão municipal."}
    refused = await decide(gestora, csrf_of, where, **sent)
    assert refused.status_code == 422
    assert "O motivo escrito é o de “Pendência”, e você escolheu “Habilitado”" in refused.text
    assert re.search(r'id="motivo"[^>]*aria-invalid="true"[^>]*>\nFalta a certidão municipal.</textarea>', refused.text)
    assert (await decide(gestora, csrf_of, where, **sent | {"motivo": "Chegou a certidão que faltava."})).status_code == 303


@pytest.mark.usefixtures("screened")
async def test_who_sends_the_reason_of_another_decision_again_means_it(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    sent = {"decisao": "inabilitado", "motivo": "Fora do município.", "feito_pendencia": "Fora do município."}
    refused = await decide(gestora, csrf_of, f"{MESA}/P0002", **sent)
    (again,) = re.findall(r'name="mesmo_assim" value="([^"]+)"', refused.text)
    assert again == "inabilitado"
    assert (await decide(gestora, csrf_of, f"{MESA}/P0002", **sent, mesmo_assim=again)).status_code == 303


@pytest.mark.usefixtures("screened")
async def test_of_two_people_who_decide_at_once_the_second_is_told_and_keeps_what_they_wrote(
    gestora: httpx.AsyncClient, csrf_of: CsrfOf, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    other = await signed_in(scope, (await new_person(scope, "gestor", "outra@exemplo.org")).ator)
    page = (await other.get(f"{MESA}/P0002")).text
    (action,) = re.findall(r'id="decisao" method="post" action="([^"]+)"', page)
    await decide(gestora, csrf_of, f"{MESA}/P0002", decisao="habilitado", motivo="", visto="")
    late = {"csrf": csrf_of(page), "decisao": "inabilitado", "motivo": "Falta a certidão municipal.", "visto": ""}
    told = await other.post(action.replace("&amp;", "&"), data=late)
    assert told.status_code == 409
    assert re.search(r"decidiu “Habilitado” em .* Nada foi gravado", told.text)
    assert "Falta a certidão municipal.</textarea>" in told.text
    assert re.search(r'value="inabilitado" required checked', told.text)
    visto = re.findall(r'name="visto" value="([^"]+)"', told.text.partition('id="decisao"')[2])[0]
    assert (await other.post(action.replace("&amp;", "&"), data=late | {"visto": visto})).status_code == 303
    history = (await other.get(f"{MESA}/P0002?visao=todos")).text.partition("Histórico (2)")[2]
    assert history.index("Inabilitado") < history.index("Habilitado")


@pytest.mark.usefixtures("screened")
async def test_what_was_decided_is_undone_where_nobody_went_on_since(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    first = await decide(gestora, csrf_of, f"{MESA}/P0002", decisao="habilitado", motivo="", visto="")
    page = (await gestora.get(first.headers["location"])).text
    assert "P0002: habilitado" in page
    (ato,) = re.findall(r'name="ato" value="([^"]+)"', page)
    undone = await gestora.post(f"{MESA}/desfazer", data={"csrf": csrf_of(page), "ato": ato})
    assert undone.headers["location"].startswith(f"{MESA}/P0002?")
    again = (await gestora.get(undone.headers["location"])).text
    assert "Sua decisão" in again
    assert "Desfeito" in again.partition("Histórico (2)")[2]
    late = await gestora.post(f"{MESA}/desfazer", data={"csrf": csrf_of(page), "ato": ato})
    assert late.status_code == 409
    assert "Isto já foi desfeito" in late.text
    assert 'name="ato"' not in (await gestora.get(first.headers["location"])).text
    for strange in ("", "x", "00000000-0000-0000-0000-000000000000"):
        assert (await gestora.post(f"{MESA}/desfazer", data={"csrf": csrf_of(page), "ato": strange})).status_code == 404


@pytest.mark.usefixtures("screened")
async def test_filters_combine_and_one_that_is_no_more_is_told_while_the_rest_works(gestora: httpx.AsyncClient) -> None:
    page = (await gestora.get(f"{MESA}?visao=todos&f=1&situacao=habilitado&requisito=REQ-9&cor=azul&decisao=sem&q=p0003")).text
    assert lines(page) == ["P0003"]
    assert "O filtro “Requisito em falta: REQ-9” não existe mais neste edital" in page
    assert "O filtro “cor” não existe mais" in page
    assert lines((await gestora.get(f"{MESA}?visao=todos&f=1&situacao=inabilitado")).text) == []
    assert "Nada foi encontrado" in (await gestora.get(f"{MESA}?visao=todos&f=1&situacao=inabilitado")).text
    assert "A visão deste endereço não existe mais" in (await gestora.get(f"{MESA}?visao=00000000-0000-0000-0000-000000000000")).text
    assert "Esta ordem não existe mais" in (await gestora.get(f"{MESA}?ordem=beleza")).text


@pytest.mark.usefixtures("screened")
async def test_a_view_is_saved_by_name_for_its_person_without_what_was_searched(
    gestora: httpx.AsyncClient, csrf_of: CsrfOf, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    page = (await gestora.get(f"{MESA}?visao=todos&f=1&situacao=habilitado&ordem=-projeto&coluna=caso&q=cortejo")).text
    (action,) = set(re.findall(r'action="([^"]+/visoes[^"]*)"', page))
    saved = await gestora.post(action.replace("&amp;", "&"), data={"csrf": csrf_of(page), "nome": " Os  meus "})
    assert saved.status_code == 303
    own = (await gestora.get(saved.headers["location"])).text
    assert re.search(r'aria-current="true"><span dir="auto">Os meus</span> <span class="conta">4</span>', own)
    assert lines(own) == ["P0004", "P0003", "P0002", "P0001"]
    assert "cortejo" not in own
    assert 'class="c-nota"' not in own
    other = await signed_in(scope, (await new_person(scope, "gestor", "outra@exemplo.org")).ator)
    assert "Os meus" not in (await other.get(MESA)).text
    assert "A visão deste endereço não existe mais" in (await other.get(saved.headers["location"])).text
    (visao,) = re.findall(r'name="apagar" value="([^"]+)"', own)
    refused = await other.post(f"{MESA}/visoes", data={"csrf": csrf_of((await other.get(MESA)).text), "apagar": visao})
    assert refused.status_code == 404
    gone = await gestora.post(f"{MESA}/visoes", data={"csrf": csrf_of(own), "apagar": visao})
    assert gone.status_code == 303
    assert "Os meus" not in (await gestora.get(MESA)).text


@pytest.mark.usefixtures("screened")
async def test_a_view_without_a_name_is_refused_beside_the_queue(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    page = (await gestora.get(MESA)).text
    for nome in (" ", "x" * 61):
        answer = await gestora.post(f"{MESA}/visoes", data={"csrf": csrf_of(page), "nome": nome})
        assert answer.status_code == 422
        assert "A visão não foi salva" in answer.text
        assert len(lines(answer.text)) == 4


@pytest.mark.usefixtures("screened")
async def test_a_project_withdrawn_while_it_was_open_is_told_beside_the_queue(
    gestora: httpx.AsyncClient, csrf_of: CsrfOf, container: Container, scope: Scope
) -> None:
    page = (await gestora.get(f"{MESA}/P0004")).text
    await container.triagem.importar(scope, importacao(3, EDITAL))
    (action,) = re.findall(r'id="decisao" method="post" action="([^"]+)"', page)
    sent = await gestora.post(action.replace("&amp;", "&"), data={"csrf": csrf_of(page), "decisao": "habilitado", "motivo": ""})
    assert sent.status_code == 404
    for answer in (sent, await gestora.get(f"{MESA}/P0004")):
        assert "Projeto não encontrado" in answer.text
        assert lines(answer.text) == ["P0001", "P0002", "P0003"]
        assert 'id="decisao"' not in answer.text


async def test_before_a_screening_the_mesa_says_what_comes_first(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, importacao(2, EDITAL))
    page = (await gestora.get(MESA)).text
    assert "ainda não foi triado" in page
    assert f'href="{BASE}/triagem-ia"' in page
    assert lines(page) == ["P0001", "P0002"]
    assert "A última triagem não tratou deste projeto" in (await gestora.get(f"{MESA}/P0001")).text


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize("papel", ["avaliador", "revisor", "operador", "paciente"])
async def test_the_mesa_is_for_whoever_manages(scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: str) -> None:
    other = await signed_in(scope, (await new_person(scope, papel, f"{papel}@exemplo.org")).ator)
    assert (await other.get(MESA)).status_code == 403
    assert (await other.get(f"{MESA}/P0001")).status_code == 403
