"""Where whoever reloads or keeps the address of a form, or an old address, is led."""

from __future__ import annotations

import httpx
import pytest

from crivo.web.access import ACCESS, OF_PROGRAMS
from crivo.web.pages.de_volta import page_above, without

FORMS = sorted(path for method, path in ACCESS if method == "POST" and not path.startswith(OF_PROGRAMS))
AN_ID = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"


def written(path: str) -> str:
    """An address of that shape."""
    for name, value in {"edital_id": "ED-1", "projeto_id": "P1"}.items():
        path = path.replace(f"{{{name}}}", value)
    return "/".join(AN_ID if part.startswith("{") else part for part in path.split("/"))


@pytest.mark.parametrize("path", FORMS)
async def test_the_address_of_a_form_opens_a_page_and_never_says_that_a_method_is_not_taken(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(written(path))
    assert answer.status_code != 405, path
    if ("GET", path) not in ACCESS:
        assert answer.status_code == 303, path
        where = answer.headers["location"]
        there = {403} if where.startswith("/admin/organizacoes/") else {200, 303, 404}  # without a second factor; nothing of that id
        assert (await browser.get(where)).status_code in there, where


@pytest.mark.parametrize(
    ("form", "page"),
    [
        ("/admin/pessoas/x/papel", "/admin/pessoas"),
        ("/admin/editais/ED-1/triagem-ia/cancelar", "/admin/editais/ED-1/triagem-ia"),
        ("/admin/editais/ED-1/projetos/P1/reabrir", "/admin/editais/ED-1/projetos"),
        ("/autorizacoes/fila/proxima", "/autorizacoes/fila"),
        ("/autorizacoes/1/reservar", "/autorizacoes/1"),
        ("/politicas/campos/1", "/politicas/campos"),
        ("/entrar/senha", "/entrar"),
        ("/sair", "/"),
    ],
)
def test_the_page_of_a_form_is_the_nearest_above_it(form: str, page: str) -> None:
    assert page_above(form.rpartition("/")[0]) == page


async def test_a_form_that_is_reloaded_keeps_what_its_address_says(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/avaliacao/P1/enviar?edital=ED-1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/avaliacao/P1?edital=ED-1")


@pytest.mark.parametrize(
    "address",
    [
        "/autorizacoes?status=REVOGADO",
        "/autorizacoes?pagina=abc",
        "/autorizacoes?ordem=nada",
        "/autorizacoes/fila?urgencia=quem-sabe&quem=usuario:ninguem",
        "/politicas?pagina=-1",
        "/avaliacao?situacao=perdida",
        "/admin/auditoria?antes=12&acao=antiga",
        "/admin/execucoes?situacao=antiga&ordem=-antiga",
        "/admin/pessoas?papel=rei",
    ],
)
async def test_an_old_address_with_a_filter_that_there_is_not_shows_the_page(browser: httpx.AsyncClient, address: str) -> None:
    answer = await browser.get(address)
    if answer.status_code == 303:
        answer = await browser.get(answer.headers["location"])
    assert answer.status_code == 200
    assert "Parâmetro" not in answer.text


def test_what_could_not_be_read_is_all_that_an_address_loses() -> None:
    assert without("q=a+b&pagina=x&ordem=-nome", {"pagina"}) == "?q=a+b&ordem=-nome"
    assert without("pagina=x", {"pagina"}) == ""


async def test_a_program_is_still_told_which_methods_there_are(api: httpx.AsyncClient) -> None:
    answer = await api.get("/api/ia/triagem/ED-1/cancelar")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
