"""Importing, publishing and revoking over HTTP."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import yaml

UNKNOWN = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"  # an id that nobody was given


async def test_a_politica_is_imported_as_a_draft_and_found_again(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    imported = await api.post("/api/politicas", json=politica)
    assert imported.status_code == 201
    assert imported.json()["politica"]["status"] == "rascunho"
    assert imported.json()["relatorio"]["regras_total"] == 2
    found = (await api.get(imported.headers["location"])).json()
    assert found["politica"] == imported.json()["politica"]
    assert [regra["regra_id"] for regra in found["documento"]["regras"]] == ["R-1", "R-2"]
    assert (await api.get("/api/politicas")).json()["itens"] == [imported.json()["politica"]]


async def test_importing_the_same_document_again_changes_nothing(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    first = await api.post("/api/politicas", json=politica)
    second = await api.post("/api/politicas", json=politica)
    assert (second.status_code, second.json()["mudou"]) == (200, False)
    assert second.headers["location"] == first.headers["location"]


@pytest.mark.parametrize("content_type", ["application/yaml", "application/x-yaml", "text/yaml"])
async def test_yaml_is_read_as_yaml(api: httpx.AsyncClient, politica: dict[str, Any], content_type: str) -> None:
    document = yaml.safe_dump(politica, allow_unicode=True)
    imported = await api.post("/api/politicas", content=document.encode(), headers={"content-type": content_type})
    assert imported.status_code == 201
    assert imported.json()["politica"]["documento"] == "Manual de teste"


async def test_a_faulty_document_is_told_every_fault_with_path_and_line(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    politica["regras"][0]["cobertura"] = "TALVEZ"
    politica["regras"][1]["limite_quatidade"] = 2
    refused = await api.post("/api/politicas", content=yaml.safe_dump(politica), headers={"content-type": "application/yaml"})
    faults = refused.json()["problemas"]
    assert (refused.status_code, len(faults)) == (422, 2)
    assert {fault["caminho"] for fault in faults} == {"regras[0].cobertura", "regras[1].limite_quatidade"}
    assert all(fault["linha"] for fault in faults)


async def test_what_is_neither_json_nor_yaml_is_refused_by_its_type(api: httpx.AsyncClient) -> None:
    refused = await api.post("/api/politicas", content=b"a;b", headers={"content-type": "text/csv"})
    assert (refused.status_code, refused.json()["codigo"]) == (415, "tipo_nao_aceito")


async def test_publishing_puts_it_in_force_and_revoking_takes_it_out(
    api: httpx.AsyncClient, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    async def outcome() -> str:
        return str((await api.post("/api/autorizacoes", json=pedido)).json()["artefato_registro"]["motivos"])

    location = (await api.post("/api/politicas", json=politica)).headers["location"]
    assert await outcome() == "['regra_nao_encontrada']"
    published = await api.post(f"{location}/publicar")
    assert (published.status_code, published.json()["status"]) == (200, "publicada")
    assert await outcome() == "[]"
    revoked = await api.post(f"{location}/revogar", json={"motivo": "substituída"})
    assert (revoked.status_code, revoked.json()["status"]) == (200, "revogada")
    assert await outcome() == "['regra_nao_encontrada']"
    assert (await api.post(f"{location}/publicar")).status_code == 409


async def test_a_published_version_with_another_text_is_a_conflict(
    api: httpx.AsyncClient, published: str, politica: dict[str, Any]
) -> None:
    politica["regras"].pop()
    refused = await api.post("/api/politicas", json=politica)
    assert (refused.status_code, refused.json()["codigo"]) == (409, "versao_ja_publicada")


@pytest.mark.parametrize(
    ("raw", "status", "codigo"),
    [
        (b"", 400, "json_invalido"),
        (b"nada", 400, "json_invalido"),
        (b"\xff", 400, "json_invalido"),
        (b"[]", 422, "revogacao_invalida"),
        (b"{}", 422, "revogacao_invalida"),
        (b'{"motivo": 1}', 422, "revogacao_invalida"),
        (b'{"motivo": "  "}', 422, "revogacao_invalida"),
        (b'{"motivo": "sim", "nome": "x"}', 422, "revogacao_invalida"),
        (b'{"motivo": "' + b"a" * 501 + b'"}', 422, "revogacao_invalida"),
        (b'{"motivo": "' + b"a" * 20_000 + b'"}', 413, "corpo_grande_demais"),
    ],
    ids=range(10),
)
async def test_a_revocation_needs_a_reason_that_can_be_kept(
    api: httpx.AsyncClient, published: str, raw: bytes, status: int, codigo: str
) -> None:
    refused = await api.post(f"/api/politicas/{published}/revogar", content=raw)
    assert (refused.status_code, refused.json()["codigo"]) == (status, codigo)


@pytest.mark.parametrize("unknown", [UNKNOWN, "nao-e-id"])
@pytest.mark.parametrize(("method", "suffix"), [("GET", ""), ("POST", "/publicar"), ("POST", "/revogar")])
async def test_a_politica_that_is_not_there_is_absent(api: httpx.AsyncClient, method: str, suffix: str, unknown: str) -> None:
    absent = await api.request(method, f"/api/politicas/{unknown}{suffix}", json={"motivo": "não há"})
    assert (absent.status_code, absent.json()["codigo"]) == (404, "politica_nao_encontrada")


async def test_what_a_publication_would_close_is_told_before_and_may_be_confirmed(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    await api.post("/api/politicas?publicar=true", json={**politica, "vigencia_fim": None, "planos": ["PRATA", "BRONZE"]})
    newer = {**politica, "planos": ["PRATA"], "versao": "99", "vigencia_inicio": "2027-01-01", "vigencia_fim": None}
    address = (await api.post("/api/politicas", json=newer)).headers["location"]
    previa = (await api.get(f"{address}/publicacao")).json()
    assert [(uma["versao"], uma["vigencia_fim_depois"]) for uma in previa["encerra"]] == [(politica["versao"], "2026-12-31")]
    assert previa["planos_perdidos"] == ["BRONZE"]
    assert {"campo": "planos", "antes": ["PRATA", "BRONZE"], "depois": ["PRATA"]} in previa["cabecalho"]
    stale = await api.post(f"{address}/publicar?confirmacao=outra")
    assert (stale.status_code, stale.json()["codigo"]) == (409, "publicacao_mudou")
    published = await api.post(f"{address}/publicar?confirmacao={previa['confirmacao']}")
    assert (published.status_code, published.json()["status"]) == (200, "publicada")
    fins = {um["versao"]: um["vigencia_fim"] for um in (await api.get("/api/politicas")).json()["itens"]}
    assert fins == {politica["versao"]: "2026-12-31", "99": None}


async def test_a_draft_is_simulated_over_what_was_decided_and_over_what_is_sent(
    api: httpx.AsyncClient, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    await api.post("/api/politicas?publicar=true", json=politica)
    for numero in (1, 2):
        asked = {**pedido, "pedido_id": f"P-{numero}", "procedimento": {**pedido["procedimento"], "quantidade": numero}}
        await api.post("/api/autorizacoes", json=asked)
    regras = [{**politica["regras"][0], "limite_quantidade": 1}, politica["regras"][1]]
    draft = (await api.post("/api/politicas", json={**politica, "versao": "2.0", "regras": regras})).json()["politica"]["id"]
    told = (await api.post(f"/api/politicas/{draft}/simular")).json()
    assert (told["total"], told["mudam"], told["matriz"]) == (2, 1, {"APROVADO→APROVADO_PARCIAL": 1})
    assert list(told)[:6] == ["total", "mudam", "matriz", "por_regra", "casos", "segundos"]
    assert [(one["pedido_id"], one["motivos_antes"], one["motivos_depois"]) for one in told["casos"]] == [
        ("P-2", [], ["acima_do_limite_quantitativo"])
    ]
    lines = b"\n".join([json.dumps(asked).encode(), b"{"])
    sent = await api.post(f"/api/politicas/{draft}/simular", content=lines, headers={"content-type": "application/x-ndjson"})
    assert (sent.json()["total"], sent.json()["mudam"], sent.json()["linhas_com_erro"], sent.json()["desde"]) == (1, 1, [2], None)
    table = await api.post(f"/api/politicas/{draft}/simular", content=b"a;b\n1;2\n", headers={"content-type": "text/csv"})
    assert (table.status_code, table.json()["total"], table.json()["ilegiveis"]) == (200, 0, 2)
    assert (told["mesma_decisao"]["total"], told["repetidos"], told["casos"][0]["mudancas"][0]["campo"]) == (0, 0, "quantidade_aprovada")
    wrong = await api.post(f"/api/politicas/{draft}/simular?desde=2026-02-01&ate=2026-01-01")
    assert (wrong.status_code, wrong.json()["codigo"]) == (422, "periodo_invalido")
    assert (await api.post(f"/api/politicas/{UNKNOWN}/simular")).status_code == 404
