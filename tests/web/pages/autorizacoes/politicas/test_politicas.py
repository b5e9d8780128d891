"""Políticas on pages: versions, regras in words, import with its report, publish and revoke, two versions side by side."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
UNKNOWN = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"
HOSTILE = "<script>alert(1)</script> 🙂 שלום"


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
def send_file(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> Callable[[bytes, str], Awaitable[httpx.Response]]:
    async def send(content: bytes, name: str = "politica.json") -> httpx.Response:
        token = csrf_of((await gestora.get("/politicas/importar")).text)
        return await gestora.post("/politicas/importar", files=[("csrf", (None, token.encode())), ("arquivo", (name, content))])

    return send


SendFile = Callable[..., Awaitable[httpx.Response]]


async def test_with_no_policy_the_page_says_what_is_missing(gestora: httpx.AsyncClient) -> None:
    assert "Ainda não há políticas" in (await gestora.get("/politicas")).text
    assert "Não há duas versões" in (await gestora.get("/politicas/comparar")).text


async def test_an_import_is_a_draft_with_a_report_of_what_was_read_and_what_looks_odd(
    gestora: httpx.AsyncClient, send_file: SendFile, politica: dict[str, Any]
) -> None:
    regra = {**politica["regras"][0], "limite_quantidade": 0.5, "observacoes": "Alternativa coberta: 40304370 (hemograma)."}
    content = json.dumps({**politica, "regras": [regra]}, indent=1).encode()
    report = unescape((await send_file(content)).text)
    assert "Guardada como rascunho" in report
    assert "40304370 - hemograma" in report
    assert "Um limite abaixo de 1 não deixa aprovar" in report
    assert "Linha " in report
    again = unescape((await send_file(content)).text)
    assert "nada mudou" in again
    assert "40304370 - hemograma" in again
    assert "Rascunho" in (await gestora.get("/politicas")).text


@pytest.mark.parametrize(
    ("content", "name", "status", "said"),
    [
        (b"", "p.json", 422, "Escolha um arquivo"),
        (b"{", "p.json", 422, "A política não pôde ser lida"),
        (b"administradora_id: A\nregras:\n  - regra_id: R-1\n    cobertura: TALVEZ\n", "p.yaml", 422, "Linha 4"),
        (b"\xff\xfe", "p.json", 422, "codificação UTF-8"),
        (b"\x89PNG\r\n", "foto.png", 422, "Este arquivo é uma imagem"),
        (b"x" * 10_200_000, "p.json", 413, "passa do limite"),
    ],
    ids=["empty", "no json", "wrong value", "no text", "an image", "too large"],
)
async def test_a_file_that_will_not_do_is_told_with_every_line(
    send_file: SendFile, content: bytes, name: str, status: int, said: str
) -> None:
    refused = await send_file(content, name)
    assert refused.status_code == status
    assert said in unescape(refused.text)


async def test_a_published_version_is_not_overwritten(send_file: SendFile, politica: dict[str, Any], published: str) -> None:
    refused = await send_file(json.dumps({**politica, "vigencia_inicio": "2026-02-01"}).encode())
    assert (refused.status_code, "Importe a mudança com outra versão" in unescape(refused.text)) == (409, True)


async def test_a_draft_is_published_and_then_revoked_with_a_reason(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf, politica: dict[str, Any]
) -> None:
    made = (await container.politicas.importar(scope, json.dumps(politica).encode())).politica.id
    address = f"/politicas/{made}"
    asked = await gestora.get(f"{address}/publicar")
    assert "Publicar esta versão?" in asked.text
    token = {"csrf": csrf_of(asked.text)}
    for _ in range(2):
        assert (await gestora.post(f"{address}/publicar", data=token)).headers["location"] == f"{address}?ok=publicado"
    assert "Em vigor" in (await gestora.get(address)).text
    wordless = await gestora.post(f"{address}/revogar", data={**token, "motivo": " x "})
    assert (wordless.status_code, "Escreva o motivo" in wordless.text) == (422, True)
    for _ in range(2):
        revoked = await gestora.post(f"{address}/revogar", data={**token, "motivo": "Substituída."})
        assert revoked.headers["location"] == f"{address}?ok=revogado"
    assert "Revogada" in (await gestora.get(address)).text
    late = await gestora.post(f"{address}/publicar", data=token)
    assert (late.status_code, "não volta a valer" in late.text) == (409, True)
    assert "Só se publica um rascunho" in (await gestora.get(f"{address}/publicar")).text


async def test_a_draft_cannot_be_revoked(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf, politica: dict[str, Any]
) -> None:
    made = (await container.politicas.importar(scope, json.dumps(politica).encode())).politica.id
    token = csrf_of((await gestora.get("/politicas")).text)
    refused = await gestora.post(f"/politicas/{made}/revogar", data={"csrf": token, "motivo": "Não serve."})
    assert (refused.status_code, "ainda é um rascunho" in refused.text) == (409, True)


async def test_a_reviewer_reads_and_does_not_change(scope: Scope, new_person: NewPerson, signed_in: SignedIn, published: str) -> None:
    rita = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    page = await rita.get(f"/politicas/{published}")
    assert page.status_code == 200
    assert "Revogar" not in page.text
    assert "Importar" not in (await rita.get("/politicas")).text


async def test_regras_are_told_in_words_and_no_machine_name_is_shown(gestora: httpx.AsyncClient, published: str) -> None:
    page = unescape((await gestora.get(f"/politicas/{published}")).text)
    for words in ("Coberto com condições", "Sem cobertura", "laudo médico", "até 2", "20%", "30 dias", "todos os planos"):
        assert words in page
    for machine in ("NAO_COBERTA", "CONDICIONAL", "LAUDO_MEDICO", "limite_quantidade", "None"):
        assert machine not in page


async def test_the_regra_that_decided_is_marked_in_its_document_even_far_down(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    model = politica["regras"][0]
    many = [{**model, "regra_id": f"R {number}/ç", "codigo": f"4110{number:04}"} for number in range(1_000, 1_120)]
    await container.politicas.importar(scope, json.dumps({**politica, "regras": many}).encode(), publicar=True)
    asked = {**pedido, "procedimento": {"codigo": "41101100", "tabela": "TUSS", "quantidade": 1}}
    decided = (await container.autorizacoes.decidir(scope, json.dumps(asked).encode())).autorizacao.id
    page = (await gestora.get(f"/autorizacoes/{decided}")).text
    address = unescape(page.split('class="acoes regra-link"')[1].split('href="')[1].split('"')[0])
    assert address.endswith("#regra")
    shown = unescape((await gestora.get(address)).text)
    marked = shown.split('id="regra"')[1].split("</tr>")[0]
    assert "R 1100/ç" in marked
    assert "Decidiu o pedido" in marked
    assert "Não há nesta versão uma regra" in unescape((await gestora.get(f"{address.split('?')[0]}?regra=NADA")).text)


async def test_two_versions_stand_side_by_side(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any], published: str
) -> None:
    first, second = politica["regras"]
    changed = {**first, "limite_quantidade": 5, "carencia_min_dias": 180}
    later = {**politica, "versao": "2.0", "vigencia_inicio": "2027-01-01", "regras": [changed, {**second, "regra_id": "R-NOVA"}]}
    other = (await container.politicas.importar(scope, json.dumps(later).encode())).politica.id
    page = unescape((await gestora.get(f"/politicas/comparar?de={published}&para={other}")).text)
    assert "<del>até 2</del>" in page
    assert "<ins>até 5</ins>" in page
    assert "<ins>180 dias</ins>" in page
    assert "Entrou" in page
    assert "Saiu" in page
    assert "<ins>2.0</ins>" in page
    same = unescape((await gestora.get(f"/politicas/comparar?de={published}&para={published}")).text)
    assert "Nenhuma regra difere" in same


@pytest.mark.parametrize("path", [f"/politicas/{UNKNOWN}", f"/politicas/{UNKNOWN}/publicar", f"/politicas/comparar?de={UNKNOWN}&para=x"])
async def test_what_is_not_there_is_told(gestora: httpx.AsyncClient, path: str) -> None:
    answer = await gestora.get(path)
    assert answer.status_code == 404
    assert "crivo politicas listar" not in answer.text


async def test_a_policy_of_another_tenant_is_not_there(
    new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf, published: str
) -> None:
    elsewhere = new_tenant()
    bia = await signed_in(elsewhere, (await new_person(elsewhere, "gestor")).ator)
    token = csrf_of((await bia.get("/politicas")).text)
    assert (await bia.get(f"/politicas/{published}")).status_code == 404
    assert (await bia.get(f"/politicas/comparar?de={published}&para={published}")).status_code == 404
    assert (await bia.post(f"/politicas/{published}/revogar", data={"csrf": token, "motivo": "Não é meu."})).status_code == 404


async def test_html_in_any_field_is_shown_and_not_run(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any]
) -> None:
    regra = {"regra_id": HOSTILE, "codigo": "123", "plano_id": HOSTILE, "cobertura": "COBERTA", "observacoes": HOSTILE}
    hostile = {**politica, "administradora_id": HOSTILE, "documento": HOSTILE, "versao": "<b>1</b>", "regras": [regra]}
    other = (await container.politicas.importar(scope, json.dumps({**hostile, "versao": "2"}).encode())).politica.id
    made = (await container.politicas.importar(scope, json.dumps(hostile).encode())).politica.id
    for path in ("/politicas", f"/politicas/{made}", f"/politicas/comparar?de={made}&para={other}", f"/politicas/{made}/publicar"):
        shown = (await gestora.get(path)).text
        assert "<script>alert" not in shown
        assert "<b>1</b>" not in shown
        assert "alert(1)" in shown


async def test_the_page_shows_what_a_publication_closes_and_changes_before_it_is_done(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf, politica: dict[str, Any]
) -> None:
    first = {**politica, "vigencia_fim": None, "planos": ["PRATA", "BRONZE"]}
    await container.politicas.importar(scope, json.dumps(first).encode(), publicar=True)
    newer = {**first, "versao": "99", "vigencia_inicio": "2027-01-01", "regras": first["regras"][:1], "planos": ["PRATA"]}
    made = (await container.politicas.importar(scope, json.dumps(newer).encode())).politica.id
    asked = await gestora.get(f"/politicas/{made}/publicar")
    assert "passa a valer só até 31/12/2026" in unescape(asked.text)
    assert "Saiu" in asked.text
    assert "A versão nova não traz um plano da anterior" in asked.text
    assert "Confira se é isso mesmo: BRONZE." in asked.text
    assert "O que muda no documento" in asked.text
    token = {"csrf": csrf_of(asked.text)}
    unseen = await gestora.post(f"/politicas/{made}/publicar", data=token)
    assert (unseen.status_code, "O que se encerra" in unseen.text) == (200, True)
    confirmacao = unseen.text.partition('name="confirmacao" value="')[2].partition('"')[0]
    done = await gestora.post(f"/politicas/{made}/publicar", data={**token, "confirmacao": confirmacao})
    assert done.headers["location"] == f"/politicas/{made}?ok=publicado"
