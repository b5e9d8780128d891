"""A pedido on a form that needs no script: searched, previewed, sent once, and nothing typed is lost. Source: design, The workbench."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
NOVO = "/autorizacoes/novo"


@pytest.fixture
async def gestora(
    container: Container, scope: Scope, politica: dict[str, Any], new_person: NewPerson, signed_in: SignedIn
) -> httpx.AsyncClient:
    politica = {
        **politica,
        "planos": ["PRATA", "OURO"],
        "regras": [{**politica["regras"][0], "descricao": "Ressonância de crânio"}, politica["regras"][1]],
    }
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def hidden(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)}


async def sent(gestora: httpx.AsyncClient, page: str, acao: str, **fields: Any) -> httpx.Response:
    """What comes of a form: the page that is opened after it, or the way to the decision."""
    answer = await gestora.post(NOVO, data={**hidden(page), "acao": acao, **fields})
    where = answer.headers.get("location", "")
    return await gestora.get(where) if where.startswith(NOVO) else answer


TYPED = {"administradora": "ADM-TESTE", "plano": "PRATA", "procura": "ressonância", "quantidade": "1", "tabela": "TUSS"}
WHOM = {"beneficiario": "B-9", "idade": "50", "carencia": "400", "prestador": "CREDENCIADO"}


async def test_a_pedido_is_searched_previewed_and_decided_once(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    page = (await gestora.get(NOVO)).text
    found = (await sent(gestora, page, "procurar", **TYPED)).text
    assert 'value="41101014"' in found
    assert "Ressonância de crânio" in found
    chosen = {**TYPED, "codigo": "41101014"}
    preview = (await sent(gestora, found, "ver", **chosen)).text
    assert "O que esta regra pede" in preview
    assert "Manual de teste" in preview
    assert 'name="documentos" value="LAUDO_MEDICO"' in preview
    answers = [await sent(gestora, preview, "enviar", **chosen, **WHOM, documentos="LAUDO_MEDICO") for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    assert answers[0].headers["location"] == answers[1].headers["location"]
    (only,) = (await container.autorizacoes.listar(scope)).itens
    assert (only.decisao_final, only.administradora_id) == ("APROVADO", "ADM-TESTE")
    assert only.pedido_id is not None
    assert only.pedido_id.startswith("F2")


async def test_words_that_were_written_over_the_search_decide_nothing_for_what_was_chosen_before(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    preview = (await sent(gestora, (await gestora.get(NOVO)).text, "ver", **TYPED)).text
    assert re.search(r'value="41101014" checked', preview)
    other = {**TYPED, **WHOM, "codigo": "41101014", "procura": "30715016"}
    answer = await sent(gestora, preview, "enviar", **other, documentos="LAUDO_MEDICO")
    assert answer.status_code == 409
    assert "Nada foi enviado" in answer.text
    assert re.search(r'value="30715016" checked', answer.text)
    assert 'value="41101014"' not in answer.text
    assert (await container.autorizacoes.listar(scope)).itens == ()
    assert 'value="41101014"' not in (await sent(gestora, preview, "ver", **other)).text
    sent_then = await sent(gestora, answer.text, "enviar", **other | {"codigo": "30715016"}, documentos="LAUDO_MEDICO")
    assert sent_then.status_code == 303
    (only,) = (await container.autorizacoes.listar(scope)).itens
    stored = await container.autorizacoes.obter(scope, only.id)
    assert json.loads(stored.pedido)["procedimento"]["codigo"] == "30715016"


async def test_what_the_regra_asks_is_shown_before_anything_is_sent(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    page = (await gestora.get(NOVO)).text
    answer = await sent(gestora, page, "enviar", **TYPED, **WHOM, codigo="41101014")
    assert answer.status_code == 409
    assert "O que esta regra pede" in answer.text
    assert (await container.autorizacoes.listar(scope)).itens == ()


async def test_faults_stand_beside_their_fields_and_nothing_typed_is_lost(gestora: httpx.AsyncClient) -> None:
    preview = (await sent(gestora, (await gestora.get(NOVO)).text, "ver", **TYPED, codigo="41101014")).text
    odd = {**TYPED, "codigo": "41101014", "plano": "PRATA", "carencia": "muita", "beneficiario": '"><b>', "outros_documentos": "Foto 3x4"}
    answer = await sent(gestora, preview, "enviar", **odd, documentos="LAUDO_MEDICO")
    assert answer.status_code == 422
    for field in ("carencia", "prestador"):
        assert f'id="{field}-erro"' in answer.text, field
    assert 'value="muita"' in answer.text
    assert "Foto 3x4" in answer.text
    assert re.search(r'name="documentos" value="LAUDO_MEDICO" checked', answer.text)
    assert "<b>" not in answer.text


async def test_the_only_procedure_found_is_chosen_and_what_is_typed_wrong_is_told_before_sending(gestora: httpx.AsyncClient) -> None:
    page = (await gestora.get(NOVO)).text
    assert re.search(r'<select id="plano"[^>]*>\s*<option value="" selected>', page)
    odd = {**TYPED, "plano": "prata", "quantidade": "Um", "nascimento": "31/02/1980"}
    shown = await sent(gestora, page, "ver", **odd)
    assert shown.status_code == 422
    assert re.search(r'value="41101014" checked', shown.text)
    assert "O que esta regra pede" in shown.text
    assert 'value="PRATA" selected' in shown.text
    for field in ("quantidade", "nascimento"):
        assert f'id="{field}-erro"' in shown.text, field
    assert 'id="beneficiario-erro"' not in shown.text


async def test_a_procedure_with_some_of_the_words_is_shown_and_not_chosen(gestora: httpx.AsyncClient) -> None:
    page = (await gestora.get(NOVO)).text
    found = (await sent(gestora, page, "ver", **{**TYPED, "procura": "ressonância do crânio com contraste"})).text
    assert 'name="codigo" value="41101014"> ' in found
    assert "Nenhum procedimento tem todas estas palavras" in found
    assert "O que esta regra pede" not in found


async def test_a_code_that_no_regra_names_says_that_a_person_will_look(gestora: httpx.AsyncClient) -> None:
    page = (await gestora.get(NOVO)).text
    found = (await sent(gestora, page, "procurar", **{**TYPED, "procura": "9.99.99.99-9"})).text
    assert 'value="99999999"' in found or 'value="999999999"' in found
    preview = (await sent(gestora, found, "ver", **{**TYPED, "procura": "9.99.99.99-9"}, codigo="99999999")).text
    assert "Nenhuma regra em vigor" in preview


async def test_whoever_may_not_decide_has_no_form(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> None:
    avaliador = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert (await avaliador.get(NOVO)).status_code == 403


async def decided(gestora: httpx.AsyncClient, **fields: Any) -> str:
    """Where the decision is read that the form was sent for."""
    preview = (await sent(gestora, (await gestora.get(NOVO)).text, "ver", **TYPED)).text
    answer = await sent(gestora, preview, "enviar", **{**TYPED, **WHOM, "codigo": "41101014", **fields})
    assert answer.status_code == 303
    return answer.headers["location"]


async def test_a_decision_is_corrected_with_what_was_sent_under_the_same_number(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    where = await decided(gestora, idade="", nascimento="05/03/1980", urgencia="sim", outros_documentos="Receita médica")
    pendente = (await gestora.get(where)).text
    assert "Senha" not in pendente
    correct = unescape(re.search(r'href="([^"]+)">[^\n]*Corrigir e enviar de novo', pendente)[1])  # type: ignore[index]
    form = (await gestora.get(correct)).text
    assert "Vai com o mesmo número" in form
    assert "O que esta regra pede" in form
    for written in ('value="B-9"', 'value="05/03/1980"', 'value="400"', 'value="41101014" checked', 'value="RECEITA_MEDICA" checked'):
        assert written in form, written
    assert re.search(r'name="urgencia" value="sim" checked', form)
    numero = re.search(r'id="pedido_id"[^>]*value="(F2[^"]+)"', form)[1]  # type: ignore[index]
    again = {"administradora": "ADM-TESTE", "plano": "PRATA", "procura": "41101014", "codigo": "41101014", "quantidade": "1", **WHOM}
    answer = await sent(gestora, form, "enviar", **again, pedido_id=numero, documentos="LAUDO_MEDICO")
    assert answer.status_code == 303
    decisions = (await container.autorizacoes.listar(scope)).itens
    assert [(one.pedido_id, one.decisao_final) for one in decisions] == [(numero, "APROVADO"), (numero, "PENDENTE_AJUSTES")]
    listed = (await gestora.get("/autorizacoes")).text
    assert listed.count("<bdi>41101014 Ressonância de crânio</bdi>") == 2
    assert "B-9" not in listed
    approved = (await gestora.get(answer.headers["location"])).text
    assert re.search(r"Senha</dt>\s*<dd[^>]*>(?:<bdi>)?[0-9A-F]{20}<", approved)
    assert re.search(r"Vale até</dt>\s*<dd[^>]*>(?:<bdi>)?\d\d/\d\d/\d{4}<", approved)


async def test_a_number_that_was_used_is_told_before_it_is_used_again(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await decided(gestora, pedido_id="G-1")
    preview = (await sent(gestora, (await gestora.get(NOVO)).text, "ver", **TYPED)).text
    again = {**TYPED, **WHOM, "codigo": "41101014", "pedido_id": "G-1"}
    told = await sent(gestora, preview, "enviar", **again)
    assert told.status_code == 409
    assert "Já há um pedido com este número" in told.text
    assert len((await container.autorizacoes.listar(scope)).itens) == 1
    meant = [await sent(gestora, told.text, "enviar", **again) for _ in range(2)]
    assert [one.status_code for one in meant] == [303, 303]
    assert len((await container.autorizacoes.listar(scope)).itens) == 2
    other = await sent(gestora, told.text, "enviar", **{**again, "pedido_id": "G-2"})
    assert other.status_code == 303


async def test_a_document_that_nobody_knows_is_told_before_the_pedido_goes_without_the_one_that_is_missing(
    gestora: httpx.AsyncClient,
) -> None:
    preview = (await sent(gestora, (await gestora.get(NOVO)).text, "ver", **TYPED)).text
    typed = {**TYPED, **WHOM, "codigo": "41101014", "outros_documentos": "laudo.pdf"}
    told = await sent(gestora, preview, "enviar", **typed)
    assert told.status_code == 409
    assert "Não reconheci “laudo.pdf”, e a regra ainda pede o laudo médico" in told.text
    meant = await sent(gestora, told.text, "enviar", **typed)
    assert meant.status_code == 303
    page = (await gestora.get(meant.headers["location"])).text
    assert re.search(r"Não reconheci: <bdi>laudo pdf</bdi>. Se for laudo médico", page)
    known = await sent(gestora, preview, "enviar", **{**typed, "outros_documentos": "Laudo médico - Dra Heloísa.pdf"})
    assert "Aprovado" in (await gestora.get(known.headers["location"])).text
    searched = (await sent(gestora, told.text, "procurar", **{**typed, "procura": "nada disto"})).text
    assert 'name="outros_documentos" value="laudo.pdf"' in searched


async def test_what_will_not_be_enough_is_said_so_beside_what_there_is_to_do(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any]
) -> None:
    idosa = {**politica["regras"][0], "descricao": "Ressonância", "restricoes_idade": {"min": None, "max": 40}}
    await container.politicas.importar(scope, json.dumps({**politica, "versao": "1.1", "regras": [idosa]}).encode(), publicar=True)
    page = (await gestora.get(await decided(gestora))).text
    assert "Anexar: laudo médico" in page
    assert "necessários, mas não bastam; ainda ficaria por resolver: a restrição de idade." in page


async def test_every_page_of_the_form_is_one_that_is_opened_and_the_way_back_from_a_decision_leads_to_what_was_sent(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    page = (await gestora.get(NOVO)).text
    turned = await gestora.post(NOVO, data={**hidden(page), "acao": "ver", **TYPED, **WHOM})
    assert turned.status_code == 303
    kept = turned.headers["set-cookie"]
    assert "HttpOnly" in kept
    assert "B-9" not in kept + turned.headers["location"]
    preview = await gestora.get(turned.headers["location"])
    assert 'value="B-9"' in preview.text
    refused = await gestora.post(NOVO, data={**hidden(preview.text), "acao": "enviar", **TYPED, **WHOM, "codigo": "41101014", "plano": ""})
    assert (await gestora.get(refused.headers["location"])).status_code == 422
    where = (await sent(gestora, preview.text, "enviar", **TYPED, **WHOM, codigo="41101014")).headers["location"]
    back = (await gestora.get(turned.headers["location"])).text
    assert "Correção de um pedido que já foi decidido" in back
    assert where in back
    assert hidden(back)["chave"] != hidden(preview.text)["chave"]
    other = (await gestora.get(f"{NOVO}?f={'0' * 32}")).text
    assert "não guarda mais" in other
    assert "B-9" not in other


async def test_a_form_too_long_to_be_kept_is_shown_at_once_and_whole(gestora: httpx.AsyncClient) -> None:
    page = (await gestora.get(NOVO)).text
    odd = "".join(chr(200 + (7 * n * n) % 5000) for n in range(2_000))
    answer = await gestora.post(NOVO, data={**hidden(page), "acao": "ver", **TYPED, "outros_documentos": odd})
    assert answer.status_code == 200
    assert odd[:50] in unescape(answer.text)
