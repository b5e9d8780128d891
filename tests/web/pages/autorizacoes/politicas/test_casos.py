"""The test cases of a version on its page: accepted, written, changed, taken away; whose they are is nobody's."""

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
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
_CASO = """caso: passa do limite
pedido:
  {pedido_id: GUIA-9, administradora_id: ADM-TESTE, plano_id: OURO, beneficiario: {id: 111.444.777-35},
   procedimento: {codigo: "1", quantidade: 3}}
esperado: {decisao_final: APROVADO_PARCIAL, quantidade_aprovada: %s}
"""


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def casos(container: Container, scope: Scope, politica: dict[str, Any]) -> str:
    """Where the cases of a draft are."""
    documento = {**politica, "regras": [{"regra_id": "A", "codigo": "1", "cobertura": "COBERTA", "limite_quantidade": 2}]}
    made = (await container.politicas.importar(scope, json.dumps(documento).encode())).politica.id
    return f"/politicas/{made}/casos"


async def test_a_case_is_written_held_against_the_draft_changed_and_taken_away(
    gestora: httpx.AsyncClient, casos: str, csrf_of: CsrfOf
) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    assert (await gestora.post(f"{casos}/gravar", data={**token, "texto": _CASO % "3"})).status_code == 303
    shown = unescape((await gestora.get(f"{casos}?caso=passa do limite")).text)
    assert "esperado 3, saiu 2" in " ".join(shown.replace("<bdi>", "").replace("</bdi>", "").split())
    assert "111.444" not in shown
    assert "GUIA-9" not in shown
    assert "Mudar “passa do limite”" in shown
    await gestora.post(f"{casos}/gravar", data={**token, "texto": _CASO % "2"})
    assert "1 de 1" in (await gestora.get(casos)).text
    gone = await gestora.post(f"{casos}/apagar", data={**token, "caso": "passa do limite"})
    assert gone.headers["location"] == f"{casos}?ok=caso_apagado"
    twice = await gestora.post(f"{casos}/apagar", data={**token, "caso": "passa do limite"})
    assert twice.status_code == 404


async def test_what_cannot_be_kept_is_told_and_stays_in_the_field(gestora: httpx.AsyncClient, casos: str, csrf_of: CsrfOf) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    refused = await gestora.post(f"{casos}/gravar", data={**token, "texto": "pedido: {}\nesperado: TALVEZ"})
    assert refused.status_code == 422
    assert "esperado: TALVEZ" in refused.text
    assert "deve ser uma destas" in refused.text


async def test_proposed_cases_are_accepted_by_name_and_only_by_who_manages(
    gestora: httpx.AsyncClient, casos: str, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    assert (await gestora.post(f"{casos}/aceitar", data={**token, "caso": "A: passa"})).status_code == 303
    shown = (await gestora.get(casos)).text
    assert "1 de 1" in shown
    assert "A: acima do limite" in shown
    reviewer = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    page = await reviewer.get(casos)
    assert (page.status_code, "Aceitar os marcados" in page.text) == (200, False)
    assert (await reviewer.post(f"{casos}/aceitar", data={"csrf": csrf_of(page.text)})).status_code == 403


async def test_accepting_says_what_was_not_kept_and_nothing_is_accepted_that_nobody_chose(
    gestora: httpx.AsyncClient, casos: str, csrf_of: CsrfOf
) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    none = await gestora.post(f"{casos}/aceitar", data=token)
    assert (none.status_code, "Nenhum caso está marcado" in none.text) == (422, True)
    some = await gestora.post(f"{casos}/aceitar", data={**token, "caso": ["A: passa", "Z: passa"]})
    assert (some.status_code, "Foi guardado 1 de 2" in some.text, "“Z: passa”" in some.text) == (409, True, True)
    rest = await gestora.post(f"{casos}/aceitar", data={**token, "todos": "sim"})
    assert rest.headers["location"] == f"{casos}?ok=casos_aceitos"
    assert "2 de 2" in (await gestora.get(casos)).text


async def test_the_cases_of_the_version_before_are_shown_and_accepted_where_they_changed(
    gestora: httpx.AsyncClient, casos: str, container: Container, scope: Scope, politica: dict[str, Any], csrf_of: CsrfOf
) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    await gestora.post(f"{casos}/aceitar", data={**token, "todos": "sim"})
    await gestora.post(f"{casos.removesuffix('/casos')}/publicar", data={**token, "confirmacao": ""})
    regras = [{"regra_id": "A", "codigo": "1", "cobertura": "COBERTA", "limite_quantidade": 5}]
    seguinte = {**politica, "versao": f"{politica['versao']}.1", "vigencia_inicio": "2026-12-01", "regras": regras}
    made = (await container.politicas.importar(scope, json.dumps(seguinte).encode())).politica.id
    shown = unescape((await gestora.get(f"/politicas/{made}/casos")).text)
    assert f"2 casos vêm da versão {politica['versao']}" in shown
    assert "1 de 2" in shown
    (aceito,) = re.findall(r'name="texto" value="([^"]*)"', shown)
    assert (await gestora.post(f"/politicas/{made}/casos/gravar", data={**token, "texto": aceito})).status_code == 303
    assert "2 de 2" in (await gestora.get(f"/politicas/{made}/casos")).text


async def test_a_case_that_failed_in_the_version_before_already_is_told_apart_from_one_that_fails_now(
    gestora: httpx.AsyncClient, casos: str, container: Container, scope: Scope, politica: dict[str, Any], csrf_of: CsrfOf
) -> None:
    token = {"csrf": csrf_of((await gestora.get(casos)).text)}
    for nome, quantos in (("passa do limite", "2"), ("falha sempre", "3")):
        await gestora.post(f"{casos}/gravar", data={**token, "texto": (_CASO % quantos).replace("passa do limite", nome)})
    antes = casos.removeprefix("/politicas/").removesuffix("/casos")
    await container.politicas.publicar(scope, UUID(antes), motivo="um caso falha e é conhecido")
    regras = [{"regra_id": "A", "codigo": "1", "cobertura": "COBERTA", "limite_quantidade": 1}]
    seguinte = {**politica, "versao": f"{politica['versao']}.1", "vigencia_inicio": "2026-12-01", "regras": regras}
    made = (await container.politicas.importar(scope, json.dumps(seguinte).encode())).politica.id
    provada = await container.casos_de_politica.guardada(scope, made)
    assert {um.caso.nome for um in provada.testada.falhos} == {"passa do limite", "falha sempre"}
    assert provada.ja_falhavam == {"falha sempre"}
    assert (await gestora.get(f"/politicas/{made}/casos")).text.count("e já falhava nela") == 1


async def test_before_publishing_the_avisos_are_counted_and_equal_ones_are_one_on_the_page_of_the_version(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any]
) -> None:
    one = {"cobertura": "COBERTA", "documentos_obrigatorios": ["LAUDO_MEDCO"]}
    regras = [{**one, "regra_id": f"A-{codigo}", "codigo": codigo} for codigo in ("1", "2", "3")]
    made = (await container.politicas.importar(scope, json.dumps({**politica, "regras": regras}).encode())).politica.id
    asked = (await gestora.get(f"/politicas/{made}/publicar")).text
    assert "a conferência não achou erros, mas achou avisos" in asked.lower()
    assert "3 avisos; 3 podem mudar uma decisão" in asked
    assert "Documento que ninguém conhece: 3" in asked
    shown = " ".join((await gestora.get(f"/politicas/{made}")).text.replace("<bdi>", "").replace("</bdi>", "").split())
    assert shown.count("que não é um documento conhecido") == 1
    assert "O mesmo em A-2 e A-3." in shown


async def test_the_cases_of_another_tenant_are_not_there(
    casos: str, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    elsewhere = new_tenant()
    bia = await signed_in(elsewhere, (await new_person(elsewhere, "gestor")).ator)
    token = {"csrf": csrf_of((await bia.get("/politicas")).text)}
    assert (await bia.get(casos)).status_code == 404
    assert (await bia.post(f"{casos}/gravar", data={**token, "texto": _CASO % "2"})).status_code == 404
