"""Screening by a server in a process of its own, whose workers do what a request began."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from crivo.kernel.tenancy import Scope
from importacoes import certa
from triagem_web import empty_queue, events_of, zipped

NewKey = Callable[..., Any]
SECRET = "Mestra Zefa das Candeias"
PROJETOS = 60


def edital() -> bytes:
    """An edital of many projects, each with a document of plain text, and a name that must not be told."""
    documento = certa()
    model = documento["projetos"][0]
    documento["avaliadores"] = []
    documento["projetos"] = [
        {**model, "id": f"P{number}", "titulo": SECRET, "documentos": [{"requisito": "REQ-1", "arquivo": f"{number}.txt"}]}
        for number in range(PROJETOS)
    ]
    files = {f"{number}.txt": f"Certidão negativa de {SECRET}, número {number}. ".encode() * 20 for number in range(PROJETOS)}
    return zipped(documento, files)


async def test_a_screening_goes_on_when_whoever_follows_it_goes_away(
    run_server: Callable[..., Any], urls: tuple[str, str], scope: Scope, new_key: NewKey
) -> None:
    """Interfaces: workers in the server process by default; progress by server-sent events and `/status`."""
    empty_queue(urls[0])
    at = "/api/ia/triagem/ED-2026-04/status"
    headers = {"authorization": f"Bearer {await new_key(scope)}"}
    with run_server(CRIVO_TRABALHADORES="2") as served:
        async with httpx.AsyncClient(base_url=served.address, headers=headers, timeout=60) as client:
            imported = await client.post("/api/editais", content=edital(), headers={"content-type": "application/zip"})
            assert imported.status_code == 201, imported.text
            begun = (await client.post("/api/ia/triagem", json={"edital_id": "ED-2026-04"})).json()
            async with client.stream("GET", at, headers={"accept": "text/event-stream"}) as followed:
                async for line in followed.aiter_lines():
                    if line == "event: andamento":
                        break  # and hang up
            again = await client.get(at, headers={"accept": "text/event-stream"})
            name, last = events_of(again.text)[-1]
            assert (name, last["id"], last["status"], last["projetos_analisados"]) == ("fim", begun["id"], "concluida", PROJETOS)
            found = (await client.get("/api/ia/triagem/ED-2026-04")).json()
            assert len(found["projetos"]) == PROJETOS
            assert {one["itens"][0]["motivo"] for one in found["projetos"]} == {"formato_nao_aceito"}
        log = served.stop()
    told = str(log)
    assert "falha_inesperada" not in told
    for unsaid in (SECRET, "ED-2026-04", "529.982"):
        assert unsaid not in told
