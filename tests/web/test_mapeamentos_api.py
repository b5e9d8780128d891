"""Their own format in, over HTTP: a mapping is tried, imported, published, read by and closed."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.usefixtures("published")

MAPA: dict[str, Any] = {
    "mapeamento": "acme",
    "administradora": "ADM-1",
    "reconhecer": {"$.de": "ACME"},
    "itens": "$.servicos[*]",
    "campos": {
        "pedido_id": "$.n",
        "plano_id": "$.plano",
        "beneficiario.id": "$.quem",
        "procedimento.codigo": "$item",
        "procedimento.quantidade": {"valor": 1},
    },
}
CORPO: dict[str, Any] = {"de": "ACME", "n": "G-1", "plano": "PRATA", "quem": "B-1", "servicos": ["41101014", "30101573"]}


async def publish(api: httpx.AsyncClient) -> str:
    """The mapping, in force; its address."""
    imported = await api.post("/api/mapeamentos", json=MAPA)
    assert imported.status_code == 201, imported.text
    where = str(imported.headers["location"])
    seen = (await api.get(f"{where}/publicacao")).json()
    assert (seen["encerra"], seen["conflitos"]) == (None, [])
    assert (await api.post(f"{where}/publicar", params={"confirmacao": seen["confirmacao"]})).json()["status"] == "publicado"
    return where


async def test_a_body_with_two_pedidos_is_answered_with_both_and_where_they_are(api: httpx.AsyncClient) -> None:
    where = await publish(api)
    headers = {"idempotency-key": "k-1"}
    answered = await api.post("/api/autorizacoes", json=CORPO, headers=headers)
    decisoes = answered.json()["decisoes"]
    assert [one["decisao"]["pedido_id"] for one in decisoes] == ["G-1-1", "G-1-2"]
    assert (await api.get(decisoes[1]["links"]["decisao"])).json() == decisoes[1]["decisao"]
    trilha = (await api.get(decisoes[1]["links"]["trilha"])).json()
    assert trilha["formato"]["origem"]["procedimento.codigo"] == "$.servicos[1]"
    again = await api.post("/api/autorizacoes", json=CORPO, headers=headers)
    assert (again.headers["idempotency-replayed"], again.content) == ("true", answered.content)
    found = (await api.get("/api/autorizacoes", params={"pedido_id": "G-1-2"})).json()["itens"]
    assert [one["id"] for one in found] == [decisoes[1]["id"]]
    assert (await api.post(f"{where}/encerrar", json={"motivo": "Mudaram de sistema."})).json()["status"] == "encerrado"
    assert (await api.get("/api/mapeamentos")).json()["itens"][0]["status"] == "encerrado"


async def test_an_xml_is_taken_where_a_mapping_reads_it(api: httpx.AsyncClient) -> None:
    await publish(api)
    xml = {"content-type": "application/xml; charset=ISO-8859-1"}
    unknown = await api.post("/api/autorizacoes", content=b"<g/>", headers=xml)
    assert (unknown.status_code, unknown.json()["codigo"]) == (422, "formato_nao_reconhecido")
    trap = await api.post("/api/autorizacoes", content=b'<!DOCTYPE g [<!ENTITY a "x">]><g>&a;</g>', headers=xml)
    assert (trap.status_code, trap.json()["codigo"]) == (400, "xml_invalido")
    soap = await api.post("/api/autorizacoes", content=b"<g/>", headers={"content-type": "application/soap+xml"})
    assert soap.json()["codigo"] == "formato_nao_reconhecido"
    empty = await api.post("/api/autorizacoes", content=b"", headers=xml)
    assert (empty.status_code, empty.json()["detail"].startswith("O que chegou está vazio")) == (400, True)
    other = await api.post("/api/autorizacoes", content=b"<g/>", headers={"content-type": "image/png"})
    assert "application/json ou application/soap+xml ou application/xml ou text/csv" in other.json()["detail"]


async def test_a_mapping_is_tried_without_being_stored(api: httpx.AsyncClient) -> None:
    tried = await api.post("/api/mapeamentos/testar", json={"mapeamento": MAPA, "pedido": {**CORPO, "obs": "x"}})
    assert tried.status_code == 200
    assert [one["normalizado"]["procedimento"]["codigo"] for one in tried.json()["pedidos"]] == CORPO["servicos"]
    assert tried.json()["nao_usados"] == [{"caminho": "$.obs", "valor": "x"}]
    assert {one["decisao"]["decisao_final"] for one in tried.json()["pedidos"]} == {"PENDENTE_AJUSTES"}
    wrong = await api.post("/api/mapeamentos/testar", json={"mapeamento": "mapeamento: x\ncampos: {a: '$'}", "pedido": {}})
    assert wrong.status_code == 422
    assert ("destino_desconhecido", "campos.a", 2) in [(p["codigo"], p["caminho"], p["linha"]) for p in wrong.json()["problemas"]]
    assert (await api.get("/api/mapeamentos")).json()["itens"] == []


async def test_a_pedido_out_of_its_format_is_refused_by_the_senders_own_path(api: httpx.AsyncClient) -> None:
    await publish(api)
    refused = await api.post("/api/autorizacoes", json={**CORPO, "plano": ["PRATA"]})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "pedido_fora_do_formato")
    assert {problem["caminho"] for problem in refused.json()["problemas"]} == {"$.plano"}
    cut = await api.post("/api/autorizacoes", content=b'{"de": "ACME",\n "n": ', headers={"content-type": "application/json"})
    assert (cut.status_code, "linha 2, coluna" in cut.json()["detail"]) == (400, True)


async def test_an_administradora_that_no_politica_has_is_told_beside_the_decision(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    assert "crivo-aviso" not in (await api.post("/api/autorizacoes", json=pedido)).headers
    slipped = await api.post("/api/autorizacoes", json=pedido | {"administradora_id": "ADM-O01"})
    assert slipped.headers["crivo-aviso"] == "administradora_desconhecida"


@pytest.mark.parametrize("address", ["/api/autorizacoes", "/api/politicas", "/api/mapeamentos"])
async def test_a_filter_that_is_not_there_is_refused_by_name(api: httpx.AsyncClient, address: str) -> None:
    refused = await api.get(address, params={"cor": "OURO"})
    assert refused.status_code == 422
    assert [(problem["caminho"], problem["codigo"]) for problem in refused.json()["problemas"]] == [("cor", "parametro_desconhecido")]
