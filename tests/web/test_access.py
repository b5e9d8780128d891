"""Every address against every kind of visitor."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from crivo.kernel.access import ESCOPOS, PAPEIS, TABELA, Acao, Escopo, Papel, Usuario
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.web.access import ACCESS, OF_PROGRAMS, check_table
from crivo.web.pages.ao_vivo import AoVivo, Ritmo
from crivo.web.pages.clinicas import atendimento

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]

# Of each act an API address is, the one scope a key needs for it. FHIR refuses in its own words: tests/web/test_fhir_api.py.
KEYED = [
    (method, path, next(iter(TABELA[acao].escopos)))
    for (method, path), acao in ACCESS.items()
    if acao != "publica" and path.startswith("/api/")
]
PAGES = [(method, path, acao) for (method, path), acao in ACCESS.items() if acao != "publica" and not path.startswith(OF_PROGRAMS)]
SESSION = [(method, path) for method, path, _ in PAGES]
# No program judges a project or a case, nor decides over the code.
_ASKS_FOR_PROOF = "/api/clinicas/consultas"  # a scope and a role are not enough: tests/web/test_prova_do_paciente.py
_ONLY_FOR_PEOPLE: dict[Escopo, Papel] = {
    "triagem:avaliar": "gestor",
    "autorizacoes:revisar": "revisor",
    "entregas:administrar": "admin",
    "triagem:decidir": "gestor",
}
PUBLIC = [(method, path) for (method, path), admission in ACCESS.items() if admission == "publica"]


def address(path: str) -> str:
    return re.sub(r"\{nome\}", "swagger-ui.css" if "docs" in path else "crivo.css", re.sub(r"\{\w+_id\}", str(uuid4()), path))


@pytest.mark.parametrize(("method", "path", "escopo"), KEYED)
async def test_a_program_without_a_key_is_told_how_to_send_one(
    anonymous: httpx.AsyncClient, method: str, path: str, escopo: Escopo
) -> None:
    refused = await anonymous.request(method, address(path))
    assert (refused.status_code, refused.json()["codigo"]) == (401, "chave_ausente")
    assert refused.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("method", "path", "escopo"), KEYED)
async def test_a_key_without_the_scope_is_forbidden(
    anonymous: httpx.AsyncClient, scope: Scope, new_key: NewKey, method: str, path: str, escopo: Escopo
) -> None:
    others = [other for other in ESCOPOS if other != escopo]
    key = await new_key(scope, *others)
    refused = await anonymous.request(method, address(path), headers={"authorization": f"Bearer {key}"})
    assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")


@pytest.mark.parametrize(("method", "path", "escopo"), KEYED)
async def test_an_expired_key_is_refused(
    anonymous: httpx.AsyncClient, scope: Scope, new_key: NewKey, method: str, path: str, escopo: Escopo
) -> None:
    key = await new_key(scope, lasts=timedelta(minutes=1), age=timedelta(hours=1))
    refused = await anonymous.request(method, address(path), headers={"authorization": f"Bearer {key}"})
    assert (refused.status_code, refused.json()["codigo"]) == (401, "chave_recusada")


@pytest.mark.parametrize(("method", "path", "escopo"), [row for row in KEYED if row[1] != _ASKS_FOR_PROOF])
async def test_the_one_scope_of_an_address_is_enough(
    anonymous: httpx.AsyncClient, scope: Scope, new_key: NewKey, new_person: NewPerson, method: str, path: str, escopo: Escopo
) -> None:
    papel = _ONLY_FOR_PEOPLE.get(escopo)
    key = await new_key(scope, escopo, usuario=await new_person(scope, papel) if papel else None)
    admitted = await anonymous.request(method, address(path), headers={"authorization": f"Bearer {key}"}, content=b"{}")
    assert admitted.status_code not in (401, 403)


@pytest.mark.parametrize(("method", "path", "escopo"), [row for row in KEYED if "{politica_id}" in row[1] or "{autorizacao_id}" in row[1]])
async def test_what_belongs_to_another_tenant_is_absent(
    anonymous: httpx.AsyncClient,
    api: httpx.AsyncClient,
    published: str,
    pedido: dict[str, Any],
    new_tenant: Callable[[], Scope],
    new_key: NewKey,
    new_person: NewPerson,
    method: str,
    path: str,
    escopo: Escopo,
) -> None:
    decided = (await api.post("/api/autorizacoes", json=pedido)).headers["location"].rpartition("/")[2]
    target = path.replace("{politica_id}", published).replace("{autorizacao_id}", decided)
    elsewhere, papel = new_tenant(), _ONLY_FOR_PEOPLE.get(escopo)
    foreign = await new_key(elsewhere, usuario=await new_person(elsewhere, papel) if papel else None)
    sent = {"motivo": "não é meu, e mesmo assim eu tento"} | ({"decisao_final": "APROVADO"} if papel else {})
    refused = await anonymous.request(method, target, headers={"authorization": f"Bearer {foreign}"}, json=sent)
    assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")


GESTAO = {"gestor", "admin", "super_admin"}
TRIAGEM = [(method, path) for method, path, escopo in KEYED if escopo.startswith("triagem:")]
SCREENING = [row for row in SESSION if row[1].startswith(("/admin/editais", "/avaliacao"))]
FOR_JUDGES = {
    ("GET", "/api/ia/triagem/{edital_id}"),
    ("GET", "/api/ia/triagem/{edital_id}/status"),
    ("GET", "/api/ia/triagem/{edital_id}/exportacao"),
    ("GET", "/api/ia/triagem/{edital_id}/casos"),
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}/paginas/{numero}.png"),
    ("GET", "/api/editais"),
    ("GET", "/api/avaliacoes"),
    ("GET", "/api/avaliacoes/{edital_id}/{projeto_id}"),
    ("PUT", "/api/avaliacoes/{edital_id}/{projeto_id}"),
    ("GET", "/avaliacao"),
    ("GET", "/avaliacao/{projeto_id}"),
    ("POST", "/avaliacao/{projeto_id}"),
    ("POST", "/avaliacao/{projeto_id}/enviar"),
    ("POST", "/avaliacao/{projeto_id}/impedimento"),
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}"),
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}/arquivo"),
}


def may(papel: Papel, method: str, path: str) -> bool:
    """Whether a person of that role may use an address of screening at all. Source: triagem seed, Segurança."""
    return papel in GESTAO or (papel == "avaliador" and (method, path) in FOR_JUDGES)


@pytest.mark.parametrize(("method", "path"), TRIAGEM)
@pytest.mark.parametrize("papel", PAPEIS)
async def test_a_key_of_a_person_may_no_more_than_their_role(
    anonymous: httpx.AsyncClient, scope: Scope, new_key: NewKey, new_person: NewPerson, papel: Papel, method: str, path: str
) -> None:
    """Triagem 6/4: Seed, Segurança: Permissão de execução: gestor, admin, super_admin; avaliadores veem apenas projetos atribuídos a eles."""
    key = await new_key(scope, usuario=await new_person(scope, papel))
    answered = await anonymous.request(method, address(path), headers={"authorization": f"Bearer {key}"}, content=b"{}")
    assert (answered.status_code != 403) == may(papel, method, path)


@pytest.mark.parametrize(("method", "path"), SCREENING)
@pytest.mark.parametrize("papel", PAPEIS)
async def test_a_session_of_a_person_may_no_more_than_their_role(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: Callable[[str], str], papel: Papel, method: str, path: str
) -> None:
    """Triagem 1/1."""
    browser = await signed_in(scope, (await new_person(scope, papel)).ator)
    token = csrf_of((await browser.get("/")).text)
    answered = await browser.request(method, address(path), data={"csrf": token} if method == "POST" else None)
    assert (answered.status_code != 403) == may(papel, method, path)


async def test_a_session_whose_person_s_row_is_gone_opens_nothing_and_makes_nobody(
    signed_in: Callable[[Scope, str], Awaitable[httpx.AsyncClient]],
    scope: Scope,
    new_person: Callable[..., Awaitable[Usuario]],
    urls: tuple[str, str],
) -> None:
    """Source: design/sujeito.md, table, 3: such a session passed every check of a role, and made itself a super_admin."""
    gone = await new_person(scope, "revisor")
    theirs = await signed_in(scope, gone.ator)
    assert (await theirs.get("/autorizacoes")).status_code == 200
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        owner.execute("delete from usuarios where tenant_id = %s and id = %s", (scope.tenant_id, gone.id))
    for page in ("/autorizacoes", "/admin/pessoas", "/admin/chaves", "/conta"):
        assert (await theirs.get(page)).status_code == 401, page
    made = {"nome": "Mais Alta", "email": "alta@teste.exemplo", "papel": "super_admin"}
    assert (await theirs.post("/admin/pessoas", data=made)).status_code == 401


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer crv_x", "Bearer " + "a" * 5000, "Bearer crl_local_0000_1"]
)
async def test_what_is_no_key_is_refused(anonymous: httpx.AsyncClient, header: str) -> None:
    refused = await anonymous.get("/api/autorizacoes", headers={"authorization": header})
    assert (refused.status_code, refused.headers["content-type"]) == (401, "application/problem+json")


@pytest.mark.parametrize(("method", "path"), SESSION)
async def test_a_page_without_a_session_shows_how_to_enter(anonymous: httpx.AsyncClient, method: str, path: str) -> None:
    refused = await anonymous.request(method, address(path), headers={"accept": "text/html"})
    assert (refused.status_code, refused.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert "Entrar</h1>" in refused.text


@pytest.mark.parametrize("papel", PAPEIS)
@pytest.mark.parametrize(("method", "path", "acao"), PAGES)
async def test_a_page_opens_for_its_roles_and_for_no_other(
    monkeypatch: pytest.MonkeyPatch,
    scope: Scope,
    signed_in: SignedIn,
    new_person: NewPerson,
    method: str,
    path: str,
    acao: Acao,
    papel: Papel,
) -> None:
    """Triagem 6/4. What goes on telling, tells once."""
    monkeypatch.setattr(atendimento, "AoVivo", partial(AoVivo, ritmo=Ritmo(whole=0)))
    visitor = await signed_in(scope, (await new_person(scope, papel)).ator)
    answered = await visitor.request(method, address(path))
    forbidden = answered.status_code == 403 and "não faz parte do seu trabalho" in answered.text
    assert forbidden == (papel not in TABELA[acao].papeis)


@pytest.mark.parametrize(("method", "path"), SESSION)
async def test_a_key_does_not_open_pages(api: httpx.AsyncClient, method: str, path: str) -> None:
    assert (await api.request(method, address(path))).status_code == 401


@pytest.mark.parametrize(("method", "path", "escopo"), KEYED)
async def test_a_session_does_not_open_the_api(browser: httpx.AsyncClient, method: str, path: str, escopo: Escopo) -> None:
    assert (await browser.request(method, address(path))).status_code == 401


@pytest.mark.parametrize(("method", "path"), [row for row in PUBLIC if row[0] == "GET" and "oidc" not in row[1]])
async def test_a_public_address_asks_for_nothing(anonymous: httpx.AsyncClient, method: str, path: str) -> None:
    """What a code or an organisation opens is opened by the right one alone: of a made-up one nothing more is told."""
    nothing_there = "{codigo}" in path or path.startswith(("/publicacoes/", "/d/"))
    assert (await anonymous.request(method, address(path))).status_code == (404 if nothing_there else 200)


def test_an_address_that_the_table_forgot_stops_the_start(app: FastAPI) -> None:
    shorter = {row: admission for row, admission in ACCESS.items() if row != ("GET", "/api/agentes")}
    with pytest.raises(ValueError, match="/api/agentes"):
        check_table(app.routes, shorter)


def test_an_address_of_the_table_that_nothing_serves_stops_the_start(app: FastAPI) -> None:
    with pytest.raises(ValueError, match="/api/nada"):
        check_table(app.routes, {**ACCESS, ("GET", "/api/nada"): "publica"})
