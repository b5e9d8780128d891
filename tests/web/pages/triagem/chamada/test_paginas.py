"""An edital written on pages, without any script: begun from a template, its projects brought, screened, and changed."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import httpx
import msgspec
import pytest
from lxml import html

from chamadas import Falsos, Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, get_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador, RequisitoDocumento
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.julgamento import NotaDada
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening, zipped

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
NOVO = "/admin/editais/novo"
EDITAR = f"/admin/editais/{EDITAL}/editar"
HOSTILE = "\"'><script>alert(1)</script>{{ 7*7 }}</textarea>"

Campos = dict[str, Any]


@pytest.fixture(autouse=True)
def _queue(urls: tuple[str, str]) -> None:
    empty_queue(urls[0])


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def form_of(page: str) -> Campos:
    """What a browser would send of the page's form, but for the button."""
    form = html.fromstring(page).xpath("//form[contains(@class, 'chamada') or contains(@class, 'envio')]")[0]
    sent: Campos = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value)
    return sent


async def press(client: httpx.AsyncClient, where: str, campos: Campos, acao: str, status: int = 200, **typed: str) -> str:
    changed = {name.replace("__", "."): value for name, value in typed.items()}
    answered = await client.post(where, data=campos | changed | {"acao": acao})
    assert answered.status_code == status, answered.text[:2000]
    return answered.headers["location"] if status == 303 else answered.text


async def test_a_call_is_made_from_a_template_gets_its_projects_and_is_screened(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    assert 'href="/admin/editais/novo"' in (await gestora.get("/admin/editais")).text
    begun = (await gestora.get(f"{NOVO}?molde=pnab-projetos")).text
    assert "confira com o seu jurídico" in begun
    campos = form_of(begun)
    assert "edital.id" in campos
    assert campos["edital.id"] == [""]
    wrong = await press(gestora, NOVO, campos, "salvar", 422)
    assert "Preencha este campo." in wrong
    assert 'href="#edital-id"' in wrong
    typed = {"edital.id": "ED-9", "edital.inscricoes.inicio": "2026-08-01", "edital.inscricoes.fim": "2026-09-15"}
    to = await press(gestora, NOVO, form_of(wrong) | typed, "salvar", 303)
    assert to == "/admin/editais/ED-9/projetos?ok=edital"
    assert "ainda não tem projetos" in (await gestora.get(to)).text

    projetos = [
        {
            "id": f"P{at}",
            "titulo": f"Projeto {at}",
            "categoria": "Música",
            "resumo": "Roda de samba na praça.",
            "proponente": {"nome": "Ana Braga"},
            "campos": {"tipo_de_proponente": tipo, "municipio": "Sobral", **({"cota": "pessoas negras"} if at == 1 else {})},
            "documentos": [{"requisito": "REQ-8", "arquivo": "auto.txt"}] if at == 1 else [],
        }
        for at, tipo in ((1, "Pessoa Física"), (2, "Pessoa Jurídica"))
    ]
    packed = zipped({"projetos": projetos}, {"auto.txt": "AUTODECLARAÇÃO ÉTNICO-RACIAL\nAna Braga".encode()})
    campos = form_of((await gestora.get("/admin/editais/ED-9/projetos")).text)
    answered = await gestora.post("/admin/editais/ED-9/projetos", data=campos, files={"arquivo": ("projetos.zip", packed)})
    assert answered.status_code == 303, answered.text
    assert answered.headers["location"] == "/admin/editais/ED-9/triagem-ia?ok=importado"
    campos = {"csrf": form_of((await gestora.get("/admin/editais/ED-9/projetos")).text)["csrf"], "tipo": "completa"}
    assert (await gestora.post("/admin/editais/ED-9/triagem-ia", data=campos)).status_code == 303
    async with screening(database, dataclasses.replace(Falsos().achadores(), habilitar=habilitar)):
        assert (await wait_for_end(container.triagem, scope, "ED-9")).status == "concluida"
    found = {
        one.projeto_id: {item.requisito: item for item in one.itens} for one in (await container.triagem.resultado(scope, "ED-9")).projetos
    }
    assert not found["P1"]["REQ-3"].pedido
    assert found["P2"]["REQ-3"].motivo == "documento_ausente"
    assert found["P1"]["REQ-8"].pedido
    assert not found["P2"]["REQ-8"].pedido


async def test_rows_come_and_go_with_what_was_typed_kept(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    campos = form_of((await gestora.get(NOVO)).text)
    page = await press(gestora, NOVO, campos, "adicionar:requisitos:documento", edital__id="ED-5", edital__nome=f"Edital {HOSTILE}")
    assert f"Edital {HOSTILE}" not in page
    page = await press(gestora, NOVO, form_of(page), "adicionar:requisitos:condicao", requisitos__0__documento="PORTFOLIO")
    campos = form_of(page) | {"requisitos.1.campo": "municipio", "requisitos.1.operador": "em", "requisitos.1.valor": "Sobral; Caucaia"}
    page = await press(gestora, NOVO, campos, "subir:requisitos:1")
    page = await press(gestora, NOVO, form_of(page), "adicionar:criterios:criterio")
    page = await press(gestora, NOVO, form_of(page), "retirar:criterios:0")
    assert "sai quando você salvar" in page
    page = await press(gestora, NOVO, form_of(page), "repor:criterios:0")
    await press(gestora, NOVO, form_of(page) | {"criterios.0.nome": "Mérito", "criterios.0.niveis": "0: nada\n10: tudo"}, "salvar", 303)
    chamada = (await container.chamadas.abrir(scope, "ED-5")).chamada
    assert chamada.edital.nome == f"Edital {HOSTILE}"
    assert [one.id for one in chamada.requisitos] == ["REQ-2", "REQ-1"]
    assert getattr(chamada.requisitos[0], "valor", None) == ["Sobral", "Caucaia"]
    assert len(chamada.criterios[0].niveis) == 2


async def test_a_new_edital_takes_no_others_place(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, importacao(1, EDITAL))
    campos = form_of((await gestora.get(NOVO)).text)
    page = await press(gestora, NOVO, campos, "salvar", 422, edital__id=EDITAL, edital__nome="Outro")
    assert "Já existe um edital com este código" in page
    assert len((await container.triagem.edital(scope, EDITAL)).projetos) == 1


async def test_a_change_is_shown_before_it_is_kept_and_kept_as_it_was_shown(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await container.triagem.importar(scope, importacao(3, EDITAL))
    campos = form_of((await gestora.get(EDITAR)).text)
    assert "Nada mudou" in await press(gestora, EDITAR, campos, "salvar")
    shown = await press(gestora, EDITAR, campos, "salvar", requisitos__0__documento="ESTATUTO", requisitos__0__eliminatorio="sim")
    assert "O que muda" in shown
    assert re.search(r"Documento</dt><dd><span class=\"antes\" dir=\"auto\">Portfólio", shown)
    assert (await container.chamadas.abrir(scope, EDITAL)).visto == 1
    confirmed = form_of(shown)
    another = await press(gestora, EDITAR, confirmed, "confirmar", requisitos__0__clausula="9.9")
    assert "O que muda" in another  # what was typed since was not shown yet
    assert (await container.chamadas.abrir(scope, EDITAL)).visto == 1
    assert await press(gestora, EDITAR, confirmed, "confirmar", 303) == f"{EDITAR}?ok=alterado"
    aberta = await container.chamadas.abrir(scope, EDITAL)
    assert (aberta.visto, aberta.projetos) == (2, 3)
    assert aberta.chamada.requisitos == (RequisitoDocumento("REQ-1", "ESTATUTO", eliminatorio=True),)
    late = await press(gestora, EDITAR, confirmed | {"requisitos.0.clausula": "4.2"}, "salvar")
    stale = await press(gestora, EDITAR, form_of(late), "confirmar", 409)
    assert "O edital mudou enquanto você escrevia" in stale
    assert 'value="4.2"' in stale


async def test_what_people_graded_by_is_told_at_its_field(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    await container.triagem.importar(scope, importacao(1, EDITAL, avaliadores=[Avaliador("Rita", "rita@avalia.exemplo", ("P0001",))]))
    async with database.unit_of_work(scope) as uow:
        rita = await get_usuario(uow, "rita@avalia.exemplo")
    await container.julgamento.salvar(as_person(scope, rita), EDITAL, "P0001", [NotaDada("C1", Decimal(7))])
    campos = form_of((await gestora.get(EDITAR)).text)
    shown = await press(gestora, EDITAR, campos, "salvar", criterios__0__nota_max="5")
    assert "Ficam como estão: 1 nota." in shown
    refused = await press(gestora, EDITAR, form_of(shown), "confirmar", 422)
    assert "Este critério tem 1 nota dada por pessoas nesta escala: ela não muda mais." in refused
    assert 'href="#criterios-0-nota_max"' in refused


async def test_the_effect_is_shown_over_the_projects_and_nothing_is_kept(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    await container.triagem.importar(scope, importacao(4, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        await wait_for_end(container.triagem, scope, EDITAL)
    campos = form_of((await gestora.get(EDITAR)).text)
    shown = await press(gestora, EDITAR, campos, "efeito", requisitos__0__documento="ESTATUTO")
    assert "4 projetos mudariam de sugestão" in shown
    assert "4 → 0" in shown
    assert "P0001</strong> atende → não atende" in shown
    assert (await container.chamadas.abrir(scope, EDITAL)).visto == 1


async def test_a_field_typed_wrong_and_a_category_that_is_lacking_are_told_where_they_are_mended(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    chamada = importacao(2, EDITAL, documentos=0).chamada
    first, second = chamada.projetos
    first = msgspec.structs.replace(first, campos={"municipio": "Sobral"}, categoria="Dança & circo")
    edital = msgspec.structs.replace(chamada.edital, categorias=("Música",))
    await container.triagem.importar(scope, Importacao(msgspec.structs.replace(chamada, edital=edital, projetos=(first, second)), {}))
    opened = (await gestora.get(EDITAR)).text
    assert "Há projetos em uma categoria que não está nesta lista" in opened
    assert "categoria=Dan%C3%A7a+%26+circo" in opened
    campos = form_of(opened) | {"requisitos.0.quando.campo": "municpio", "requisitos.0.quando.valor": "Sobral"}
    for acao in ("efeito", "salvar"):
        shown = await press(gestora, EDITAR, campos, acao)
        assert 'href="#requisitos-0-quando-campo"' in shown
        assert "Nenhum projeto tem o campo “municpio”; você quis dizer “municipio”?" in shown
    added = await press(gestora, EDITAR, campos, "categoria:Dança & circo")
    assert [text.strip() for text in form_of(added)["edital.categorias"]] == ["Música\nDança & circo"]
    assert "que não está nesta lista" not in added
    screening = (await gestora.get(f"/admin/editais/{EDITAL}/triagem-ia")).text
    assert "1 categoria fora do edital" in screening
    assert f"/admin/editais/{EDITAL}/mesa?visao=todos&amp;categoria=*" in screening


async def test_what_deserves_a_look_in_an_import_is_told_on_the_page(gestora: httpx.AsyncClient) -> None:
    projeto = {"id": "P1", "titulo": "T", "resumo": "R", "proponente": {"nome": "Ana"}, "campos": {"municipio": "Sobral"}}
    requisito = {"id": "R1", "tipo": "documento", "documento": "PORTFOLIO", "quando": {"campo": "municpio", "operador": "existe"}}
    whole = {
        "edital": {"id": "ED-8", "nome": "N"},
        "requisitos": [requisito],
        "criterios": [{"id": "C1", "nome": "M"}],
        "projetos": [projeto],
    }
    campos = form_of((await gestora.get("/admin/editais")).text)
    for sent in (whole, {nome: parte for nome, parte in whole.items() if nome != "projetos"}):  # also of an edital that comes alone
        answered = await gestora.post("/admin/editais", data=campos, files={"arquivo": ("e.json", json.dumps(sent).encode())})
        assert answered.status_code == 200
        assert "Nenhum projeto tem o campo “municpio”; você quis dizer “municipio”?" in answered.text
        assert 'href="/admin/editais/ED-8/triagem-ia"' in answered.text


async def test_projects_that_would_leave_are_told_and_leave_only_where_that_is_marked(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await container.triagem.importar(scope, importacao(2, EDITAL))
    where = f"/admin/editais/{EDITAL}/projetos"
    campos = form_of((await gestora.get(where)).text)
    sent = json.dumps({"projetos": [{"id": "P0001", "titulo": "T", "resumo": "R", "proponente": {"nome": "Ana"}}]}).encode()
    refused = await gestora.post(where, data=campos, files={"arquivo": ("p.json", sent)})
    assert refused.status_code == 409
    assert "1 projeto que está no edital: P0002" in refused.text
    taken = await gestora.post(where, data=campos | {"retirar": "sim"}, files={"arquivo": ("p.json", sent)})
    assert taken.status_code == 303
    assert (await container.chamadas.abrir(scope, EDITAL)).projetos == 1
    wrong = await gestora.post(where, data=campos, files={"arquivo": ("p.json", b'{"projetos": [{"id": 3}]}')})
    assert wrong.status_code == 422
    assert "Nada" in wrong.text or "nada" in wrong.text
    whole = json.dumps({"edital": {"id": EDITAL, "nome": "Outro"}, "projetos": []}).encode()
    assert "traz um edital inteiro" in (await gestora.post(where, data=campos, files={"arquivo": ("p.json", whole)})).text


async def test_who_judges_finds_none_of_it(scope: Scope, container: Container, new_person: NewPerson, signed_in: SignedIn) -> None:
    await container.triagem.importar(scope, importacao(1, EDITAL))
    client = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    for where in (NOVO, EDITAR, f"/admin/editais/{EDITAL}/projetos"):
        assert (await client.get(where)).status_code == 403


async def test_what_is_not_there_is_absent(gestora: httpx.AsyncClient) -> None:
    for where in ("/admin/editais/ED-404/editar", "/admin/editais/ED-404/projetos"):
        assert (await gestora.get(where)).status_code == 404
    blank = (await gestora.get(f"{NOVO}?molde=nenhum")).text
    assert "Em branco" in blank
    await press(gestora, NOVO, form_of(blank) | {"molde": "../x"}, "adicionar:fases:fase")


async def test_a_form_of_another_site_changes_nothing(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    campos = form_of((await gestora.get(NOVO)).text) | {"edital.id": "ED-7", "edital.nome": "X", "acao": "salvar", "csrf": "outro"}
    assert (await gestora.post(NOVO, data=campos)).status_code == 403
    assert await container.triagem.editais(scope) == ()
