"""What is wrong with a política, its test cases, and a publication in spite of errors, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx


def _conflicting(politica: dict[str, Any]) -> dict[str, Any]:
    regra = {"regra_id": "A", "codigo": "1", "cobertura": "COBERTA", "limite_quantidade": 2}
    return {**politica, "regras": [regra, {**regra, "regra_id": "B", "limite_quantidade": 5}]}


async def test_a_draft_with_errors_is_published_only_with_a_reason(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    where = (await api.post("/api/politicas", json=_conflicting(politica))).headers["location"]
    found = (await api.post(f"{where}/conferir")).json()
    assert (found["erros"], found["avisos"], found["achados"][0]["codigo"]) == (1, 0, "regras_conflitantes")
    assert found["achados"][0]["exemplo"]["procedimento"] == {"codigo": "1", "quantidade": 3}
    seen = (await api.get(f"{where}/publicacao")).json()
    assert (seen["erros"], seen["casos"], seen["casos_falhos"]) == (1, 0, 0)
    refused = await api.post(f"{where}/publicar")
    assert (refused.status_code, refused.json()["codigo"]) == (409, "publicacao_impedida")
    assert [um["codigo"] for um in refused.json()["problemas"]] == ["regras_conflitantes"]
    short = await api.post(f"{where}/publicar", json={"motivo": "x"})
    assert (short.status_code, short.json()["codigo"]) == (422, "publicacao_invalida")
    assert (await api.post(f"{where}/publicar", content=b"{", headers={"content-type": "application/json"})).status_code == 400
    done = await api.post(f"{where}/publicar", json={"motivo": "A segunda sai na próxima versão."})
    assert (done.status_code, done.json()["status"]) == (200, "publicada")


async def test_published_at_once_a_document_with_errors_is_refused_and_not_kept(api: httpx.AsyncClient, politica: dict[str, Any]) -> None:
    refused = await api.post("/api/politicas?publicar=true", json=_conflicting(politica))
    assert (refused.status_code, refused.json()["codigo"]) == (409, "publicacao_impedida")
    assert (await api.get("/api/politicas")).json()["itens"] == []


async def test_without_errors_and_cases_a_draft_is_published_as_ever_and_cases_are_proposed(
    api: httpx.AsyncClient, politica: dict[str, Any]
) -> None:
    where = (await api.post("/api/politicas", json=politica)).headers["location"]
    assert (await api.post(f"{where}/conferir")).json()["erros"] == 0
    tested = (await api.post(f"{where}/testar")).json()
    assert (tested["total"], tested["regras_com_caso"], bool(tested["propostos"])) == (0, 0, True)
    assert (await api.post(f"{where}/publicar")).status_code == 200
