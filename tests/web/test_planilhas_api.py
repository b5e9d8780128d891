"""Políticas as spreadsheets over HTTP. Source: design, RF3."""

from __future__ import annotations

import json

import httpx
import pytest

from planilhas_de_politicas import aurora, boreal, estrela

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SEND = {"content-type": XLSX}
HEAD = {"administradora": "ADM-P", "documento": "Rol", "versao": "1", "vigencia_inicio": "2026-01-01"}


async def test_a_spreadsheet_is_shown_kept_and_read_the_same_way_next_month(api: httpx.AsyncClient) -> None:
    shown = (await api.post("/api/politicas/planilha", params={"documento": "Rol"}, content=aurora(), headers=SEND)).json()
    assert (shown["serve"], shown["mapa_de"], shown["regras_total"], shown["politica"]) == (True, "adivinhado", 3, None)
    mapa = shown["mapa"] | {"colunas": shown["mapa"]["colunas"] | {"Obs": "ignorar"}}
    params = {"documento": "Rol", "mapa": json.dumps(mapa), "importar": "true"}
    kept = await api.post("/api/politicas/planilha", params=params, content=aurora(), headers=SEND)
    assert (kept.status_code, kept.json()["politica"]["status"], kept.json()["mapa_de"]) == (201, "rascunho", "dado")
    later = (await api.post("/api/politicas/planilha", params={"documento": "Rol"}, content=aurora(), headers=SEND)).json()
    assert (later["mapa_de"], later["mapa"]["colunas"]["Obs"]) == ("guardado", "ignorar")
    documento = (await api.get(kept.headers["location"])).json()["documento"]
    assert not [regra for regra in documento["regras"] if "observacoes" in regra]


@pytest.mark.parametrize(("formato", "media"), [("xlsx", XLSX), ("csv", "text/csv")])
async def test_what_goes_out_comes_in_as_the_same_document(api: httpx.AsyncClient, published: str, formato: str, media: str) -> None:
    file = await api.get(f"/api/politicas/{published}/documento", params={"formato": formato})
    assert file.headers["content-type"].startswith(media)
    back = await api.post("/api/politicas/planilha", params={"importar": "true"}, content=file.content, headers={"content-type": media})
    assert (back.status_code, back.json()["politica"]["id"]) == (200, published)  # the very same: nothing changed


async def test_faults_are_told_by_cell_and_nothing_is_kept(api: httpx.AsyncClient) -> None:
    shown = (await api.post("/api/politicas/planilha", params=HEAD, content=estrela(), headers=SEND)).json()
    assert not shown["serve"]
    assert len(shown["problemas"]) == 11
    refused = await api.post("/api/politicas/planilha", params={**HEAD, "importar": "true"}, content=estrela(), headers=SEND)
    assert (refused.status_code, refused.json()["codigo"]) == (422, "planilha_com_problemas")
    assert "Plan1!C2" in {one["caminho"] for one in refused.json()["problemas"]}
    assert (await api.get("/api/politicas")).json()["itens"] == []


@pytest.mark.parametrize(
    ("content", "params", "codigo"),
    [
        (b"%PDF-1.7", {}, "planilha_ilegivel"),
        (b"", {}, "planilha_ilegivel"),
        (boreal(), {"mapa": "{"}, "mapa_invalido"),
        (boreal(), {"mapa": '{"colunas": {"A": "nada"}}'}, "mapa_invalido"),
    ],
)
async def test_what_cannot_be_read_is_a_clear_error(api: httpx.AsyncClient, content: bytes, params: dict[str, str], codigo: str) -> None:
    refused = await api.post("/api/politicas/planilha", params=params, content=content, headers=SEND)
    assert (refused.status_code in (400, 422), refused.json()["codigo"]) == (True, codigo)
