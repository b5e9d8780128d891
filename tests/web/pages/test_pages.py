"""What a person sees and does, without any script."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any
from uuid import UUID

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Papel
from crivo.kernel.tenancy import Scope

LinkOf = Callable[..., Awaitable[str]]

UNKNOWN = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"  # an id that nobody was given
HTML = {"accept": "text/html"}
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 1234*4321 }}"


async def send(browser: httpx.AsyncClient, csrf_of: Callable[[str], str], texto: str = "", arquivo: bytes = b"") -> httpx.Response:
    token = csrf_of((await browser.get("/autorizacoes")).text)
    fields = [("csrf", (None, token.encode())), ("texto", (None, texto.encode())), ("arquivo", ("pedido.json" if arquivo else "", arquivo))]
    return await browser.post("/autorizacoes", files=fields)


async def read(browser: httpx.AsyncClient, csrf_of: Callable[[str], str], pedido: dict[str, Any]) -> str:
    sent = await send(browser, csrf_of, json.dumps(pedido))
    assert sent.status_code == 303
    return (await browser.get(sent.headers["location"])).text


# --- entering and leaving


async def test_opening_the_link_does_not_use_it_up(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, link_of: LinkOf
) -> None:
    link = await link_of("super_admin")
    for _ in range(3):
        shown = await anonymous.get("/entrar", params={"token": link}, headers=HTML)
        assert (shown.status_code, shown.cookies) == (200, httpx.Cookies())
    entered = await anonymous.post("/entrar", data={"token": link})
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert (await anonymous.get("/", headers=HTML)).status_code == 200


async def test_a_link_works_once(anonymous: httpx.AsyncClient, container: Container, scope: Scope, link_of: LinkOf) -> None:
    link = await link_of("super_admin")
    await anonymous.post("/entrar", data={"token": link})
    again = await anonymous.post("/entrar", data={"token": link}, headers=HTML)
    assert again.status_code == 401
    assert "já foi usado ou venceu" in again.text


@pytest.mark.parametrize("token", ["", "x", "a" * 3_000, "crl_local_0000000000000000_" + "0" * 64, "'; drop table sessoes; --"])
async def test_what_is_no_link_is_refused(anonymous: httpx.AsyncClient, token: str) -> None:
    refused = await anonymous.post("/entrar", data={"token": token}, headers=HTML)
    assert (refused.status_code, "set-cookie" in refused.headers) == (401, False)


async def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, link_of: LinkOf
) -> None:
    plain = await anonymous.post("/entrar", data={"token": await link_of("super_admin")})
    secure = await anonymous.post("https://crivo.teste/entrar", data={"token": await link_of("super_admin")})
    assert re.fullmatch(r"crivo_sessao=crs_\S+; HttpOnly; Path=/; SameSite=lax", plain.headers["set-cookie"])
    assert re.fullmatch(r"__Host-crivo_sessao=crs_\S+; HttpOnly; Path=/; SameSite=lax; Secure", secure.headers["set-cookie"])


@pytest.mark.parametrize("papel", ["super_admin", "revisor"])
async def test_entering_anew_ends_the_session_that_the_browser_had(browser: httpx.AsyncClient, link_of: LinkOf, papel: Papel) -> None:
    """Source: ASVS 5.0.0, 7.2.4: as the same person or as another."""
    before = browser.cookies["crivo_sessao"]
    assert (await browser.post("/entrar", data={"token": await link_of(papel)})).status_code == 303
    assert browser.cookies["crivo_sessao"] != before
    assert (await browser.get("/")).status_code == 200
    assert (await browser.get("/", headers={"cookie": f"crivo_sessao={before}"})).status_code == 401


async def test_a_try_that_fails_ends_no_session(browser: httpx.AsyncClient) -> None:
    assert (await browser.post("/entrar", data={"token": "x"})).status_code == 401
    assert (await browser.get("/")).status_code == 200


@pytest.mark.parametrize(
    ("address", "cookie", "tema"),
    [
        ("http://crivo.teste/entrar", "crivo_tema=escuro", "escuro"),
        ("https://crivo.teste/entrar", "__Host-crivo_tema=claro", "claro"),
        ("https://crivo.teste/entrar", "crivo_tema=escuro", ""),
        ("http://crivo.teste/entrar", "crivo_tema=<b>", ""),
    ],
)
async def test_over_https_a_theme_is_this_host_s_own(anonymous: httpx.AsyncClient, address: str, cookie: str, tema: str) -> None:
    """Source: ASVS 5.0.0, 3.3.1 and 3.3.3."""
    page = (await anonymous.get(address, headers=HTML | {"cookie": cookie})).text
    found = re.search(r'data-tema="(\w*)"', page)
    assert (found[1] if found else "") == tema


async def test_leaving_ends_the_session_and_not_only_the_cookie(browser: httpx.AsyncClient, csrf_of: Callable[[str], str]) -> None:
    cookie = browser.cookies["crivo_sessao"]
    token = csrf_of((await browser.get("/")).text)
    assert (await browser.post("/sair", data={"csrf": token})).headers["location"] == "/entrar"
    assert (await browser.get("/", headers={"cookie": f"crivo_sessao={cookie}"})).status_code == 401


# --- forms from elsewhere


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://outro.teste"}, {"origin": "null"}],
)
@pytest.mark.parametrize("path", ["/autorizacoes", "/sair", "/entrar"])
async def test_a_form_that_another_site_sends_is_refused(
    browser: httpx.AsyncClient, csrf_of: Callable[[str], str], path: str, headers: dict[str, str]
) -> None:
    token = csrf_of((await browser.get("/")).text)
    refused = await browser.post(path, data={"csrf": token, "texto": "{}", "token": "x"}, headers=headers)
    assert refused.status_code == 403
    assert (await browser.get("/")).status_code == 200


@pytest.mark.parametrize("token", [None, "", "0" * 64, "ção"])
@pytest.mark.parametrize("path", ["/autorizacoes", "/sair"])
async def test_a_form_without_the_session_s_own_token_is_refused(browser: httpx.AsyncClient, path: str, token: str | None) -> None:
    fields = {"texto": "{}"} | ({} if token is None else {"csrf": token})
    assert (await browser.post(path, data=fields, headers={"sec-fetch-site": "same-origin"})).status_code == 403
    assert (await browser.get("/")).status_code == 200


async def test_the_token_of_another_session_is_refused(
    browser: httpx.AsyncClient,
    anonymous: httpx.AsyncClient,
    container: Container,
    scope: Scope,
    csrf_of: Callable[[str], str],
    link_of: LinkOf,
) -> None:
    await anonymous.post("/entrar", data={"token": await link_of("super_admin")})
    token = csrf_of((await anonymous.get("/", headers=HTML)).text)
    assert (await browser.post("/autorizacoes", data={"csrf": token, "texto": "{}"})).status_code == 403


# --- sending a pedido


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("by_file", [True, False])
async def test_a_pedido_is_sent_decided_and_read(
    browser: httpx.AsyncClient, csrf_of: Callable[[str], str], pedido: dict[str, Any], by_file: bool
) -> None:
    raw = json.dumps(pedido)
    sent = await send(browser, csrf_of, "" if by_file else raw, raw.encode() if by_file else b"")
    assert sent.status_code == 303
    page = (await browser.get(sent.headers["location"])).text
    assert '<h1 dir="auto">Pedido T-1</h1>' in page
    assert "Aprovado" in page
    assert "Manual de teste" in page
    assert "O pedido está de acordo com a regra." in page


@pytest.mark.parametrize(
    ("texto", "status", "said"),
    [
        ("{ nada", 400, "escrita quebrada na linha 1"),
        ("[]", 422, "deve ser um objeto JSON"),
        ('{"plano_id": "A", "plano_id": "B"}', 422, "mais de uma vez"),
        ("  ", 422, "Escolha um arquivo .json ou cole"),
        ('{"a": "' + "x" * 1_100_000 + '"}', 413, "passa do limite de 1 MB"),
    ],
    ids=["no json", "no object", "repeated", "nothing", "too large"],
)
async def test_a_refused_pedido_comes_back_with_the_reason_and_the_text(
    browser: httpx.AsyncClient, csrf_of: Callable[[str], str], texto: str, status: int, said: str
) -> None:
    refused = await send(browser, csrf_of, texto)
    assert refused.status_code == status
    assert said in refused.text
    kept = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", refused.text, re.DOTALL)
    assert kept is not None
    assert unescape(kept[1]) == texto


async def test_a_file_and_a_text_at_once_are_refused(browser: httpx.AsyncClient, csrf_of: Callable[[str], str]) -> None:
    refused = await send(browser, csrf_of, "{}", b"{}")
    assert refused.status_code == 422
    assert "um dos dois" in refused.text


async def test_a_form_far_over_the_limit_is_stopped(browser: httpx.AsyncClient, csrf_of: Callable[[str], str]) -> None:
    refused = await send(browser, csrf_of, "x" * 4_000_000)
    assert refused.status_code == 413
    assert "grande demais" in refused.text


@pytest.mark.parametrize("content_type", ["multipart/form-data", "multipart/form-data; boundary=x", "application/json", ""])
async def test_a_body_that_is_no_form_is_refused(browser: httpx.AsyncClient, content_type: str) -> None:
    refused = await browser.post("/autorizacoes", content=b"--y\r\nx", headers={"content-type": content_type})
    assert refused.status_code in (400, 403)


# --- reading


@pytest.mark.usefixtures("published")
async def test_the_six_agents_are_shown_with_what_they_saw_answered_and_took(
    browser: httpx.AsyncClient, csrf_of: Callable[[str], str], pedido: dict[str, Any]
) -> None:
    page = await read(browser, csrf_of, pedido | {"documentos_anexos": []})
    titles = re.findall(r'<span class="etapa-nome">(.*?)</span>', page)
    assert titles == ["Pedido recebido", "Normalização", "Parâmetros", "Consulta às regras", "Avaliação", "Ajustes", "Síntese"]
    assert len(re.findall(r"0,\d+ s</span>|0,\d+ s\s", page)) >= 6
    assert page.count("O que este agente pode ver:") == 6
    assert "&#34;documentacao_pendente&#34;" in page
    assert "Faltam documentos" in page
    assert "Anexar: laudo médico" in page
    assert re.search(r"Mensagem para o beneficiário</span> <span class=\"escrito-por\">.*Código</span>", page)


@pytest.mark.usefixtures("published")
async def test_an_agent_that_was_not_needed_is_said_so(
    browser: httpx.AsyncClient, csrf_of: Callable[[str], str], pedido: dict[str, Any]
) -> None:
    assert "não foi preciso" in await read(browser, csrf_of, pedido)


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("kind", ["decisao", "trilha"])
async def test_the_decision_and_the_trail_can_be_kept(
    browser: httpx.AsyncClient, api: httpx.AsyncClient, csrf_of: Callable[[str], str], pedido: dict[str, Any], kind: str
) -> None:
    location = (await send(browser, csrf_of, json.dumps(pedido))).headers["location"]
    kept = await browser.get(f"{location}/{kind}.json")
    assert kept.headers["content-disposition"].startswith(f'attachment; filename="{kind}-')
    assert kept.content == (await api.get(f"/api{location}{'/trilha' if kind == 'trilha' else ''}")).content


async def test_html_in_any_field_is_shown_and_not_run(browser: httpx.AsyncClient, csrf_of: Callable[[str], str]) -> None:
    pedido = {
        **dict.fromkeys(("pedido_id", "administradora_id", "plano_id", "data_pedido", "urgencia", HOSTILE), HOSTILE),
        "beneficiario": {"id": HOSTILE, "nome": HOSTILE},
        "procedimento": {"codigo": HOSTILE, "descricao": HOSTILE, "quantidade": HOSTILE},
        "documentos_anexos": [{"tipo": HOSTILE}],
    }
    page = await read(browser, csrf_of, pedido)
    listed = (await browser.get("/autorizacoes")).text
    refused = (await send(browser, csrf_of, f"</textarea>{HOSTILE}")).text
    for shown in (page, listed, refused):
        assert "<script>" not in shown
        assert "<img src=x" not in shown
        assert "5332114" not in re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d\d:\d\d", "", shown)


async def test_cpfs_are_covered_on_pages(browser: httpx.AsyncClient, csrf_of: Callable[[str], str]) -> None:
    page = await read(browser, csrf_of, {"pedido_id": "529.982.247-25", "beneficiario": {"id": "52998224725"}})
    listed = (await browser.get("/autorizacoes")).text
    assert "***.982.247-**" in page
    assert "sem número" in listed  # a number that names the person stays sealed with the pedido
    assert "529.982.247-25" not in page + listed
    assert "52998224725" not in page


@pytest.mark.usefixtures("published")
async def test_the_list_is_filtered_and_goes_on(browser: httpx.AsyncClient, api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    for number in range(22):
        await api.post("/api/autorizacoes", json=pedido | {"pedido_id": f"T-{number:02}"})
    await api.post("/api/autorizacoes", json=pedido | {"pedido_id": "SEM-LAUDO", "documentos_anexos": []})
    first = (await browser.get("/autorizacoes", params={"status": "APROVADO"})).text
    following = re.search(r'rel="next" href="(.*?)"', first)
    assert following is not None
    second = (await browser.get(unescape(following[1]))).text
    assert re.findall(r">(T-\d\d)<", first) == [f"T-{number:02}" for number in range(21, 1, -1)]
    assert re.findall(r">(T-\d\d)<", second) == ["T-01", "T-00"]
    assert "SEM-LAUDO" not in first + second
    assert 'rel="next"' not in second


async def test_an_empty_list_says_what_to_do(browser: httpx.AsyncClient) -> None:
    assert "Ainda não há decisões" in (await browser.get("/autorizacoes")).text
    assert "Nenhuma decisão com este filtro" in (await browser.get("/autorizacoes?status=NEGADO")).text
    assert "Não há mais decisões" in (await browser.get(f"/autorizacoes?cursor={UNKNOWN}")).text


@pytest.mark.parametrize(
    ("path", "status"),
    [("/autorizacoes/nao-e-id", 404), (f"/autorizacoes/{UNKNOWN}", 404), ("/autorizacoes?status=X", 422), ("/nada", 404)],
)
async def test_what_is_not_there_is_told_on_a_page(browser: httpx.AsyncClient, path: str, status: int) -> None:
    answer = await browser.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "Ir para o início" in answer.text


async def test_a_program_gets_problem_details_from_a_page_s_address(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/autorizacoes/nao-e-id", headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


async def test_decisions_of_another_tenant_are_not_on_pages(
    browser: httpx.AsyncClient,
    anonymous: httpx.AsyncClient,
    container: Container,
    new_tenant: Callable[[], Scope],
    csrf_of: Callable[[str], str],
    link_of: LinkOf,
) -> None:
    location = (await send(browser, csrf_of, "{}")).headers["location"]
    await anonymous.post("/entrar", data={"token": await link_of("super_admin", new_tenant())})
    for path in (location, f"{location}/trilha.json", f"{location}/decisao.json"):
        assert (await anonymous.get(path, headers=HTML)).status_code == 404
    assert "Ainda não há decisões" in (await anonymous.get("/autorizacoes", headers=HTML)).text


async def test_what_is_downloaded_has_no_whole_cpf_and_else_is_what_is_stored(
    browser: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: Callable[[str], str], pedido: dict[str, Any]
) -> None:
    """Whoever is given the file is not the holder, who gets theirs whole by `crivo pessoas exportar`."""
    theirs = {**pedido["beneficiario"], "cpf": "529.982.247-25", "registro": 52998224725, "fone": 11987654321}
    sent = {**pedido, "pedido_id": "P-52998224725", "beneficiario": theirs}
    location = (await send(browser, csrf_of, json.dumps(sent))).headers["location"]
    stored = await container.autorizacoes.obter(scope, UUID(location.rpartition("/")[2]))
    whole, masked = re.compile(r"529\.?982\.?247-?25"), "***.982.247-**"
    assert len(whole.findall(stored.trilha.decode())) >= 4
    for path, what in (("trilha", stored.trilha), ("decisao", stored.decisao)):
        given = (await browser.get(f"{location}/{path}.json")).json()
        assert whole.search(json.dumps(given)) is None
        assert given["pedido_id"] == f"P-{masked}"
        assert given.keys() == json.loads(what).keys()
    location = (await send(browser, csrf_of, json.dumps({**pedido, "pedido_id": "SEM-CPF"}))).headers["location"]
    stored = await container.autorizacoes.obter(scope, UUID(location.rpartition("/")[2]))
    assert (await browser.get(f"{location}/trilha.json")).content == stored.trilha
    assert (await browser.get(f"{location}/decisao.json")).content == stored.decisao


@pytest.mark.parametrize("name", ["crivo.css", "crivo.svg"])
async def test_a_static_file_is_kept_by_its_digest(anonymous: httpx.AsyncClient, name: str) -> None:
    page = (await anonymous.get("/entrar")).text
    found = re.search(rf'href="(/static/{name}\?v=[0-9a-f]{{16}})"', page)
    assert found is not None
    assert (await anonymous.get(found[1])).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "immutable" not in (await anonymous.get(f"/static/{name}?v=outra")).headers["cache-control"]


@pytest.mark.parametrize("name", ["nada.css", "..%2fapp.py", "%2e%2e%2fapp.py", "app.py", "__init__.py", "", ".git", "estilo"])
async def test_nothing_but_the_static_files_is_served(anonymous: httpx.AsyncClient, name: str) -> None:
    assert (await anonymous.get(f"/static/{name}")).status_code == 404


async def test_a_password_is_masked_and_may_be_pasted_or_filled_in(anonymous: httpx.AsyncClient) -> None:
    page = (await anonymous.get("/entrar")).text
    (field,) = re.findall(r'<input[^>]*name="senha"[^>]*>', page)
    assert 'type="password"' in field
    assert 'autocomplete="current-password"' in field
    assert "onpaste" not in page
    assert 'autocomplete="off"' not in page


@pytest.mark.parametrize("path", ["/", "/autorizacoes", "/politicas", "/admin/editais", "/clinicas/conversa"])
async def test_every_page_of_whoever_is_signed_in_has_the_way_out(browser: httpx.AsyncClient, path: str) -> None:
    page = (await browser.get(path, headers=HTML)).text
    assert re.search(r'<form[^>]*action="/sair"', page)


@pytest.mark.parametrize("path", ["/", "/autorizacoes", "/entrar"])
async def test_pages_have_no_inline_style_or_script(browser: httpx.AsyncClient, path: str) -> None:
    page = (await browser.get(path)).text
    assert re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", page) is None
    assert '<html lang="pt-BR">' in page
