"""Cases over HTTP: read by programs, decided by keys that act for a person who manages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

import httpx
import jsonschema
import pytest
from fastapi import FastAPI

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import find_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.api.openapi import document
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, OUTRO, empty_queue, screening

NewKey = Callable[..., Any]
NewPerson = Callable[..., Any]
ClientOf = Callable[[str], httpx.AsyncClient]
CASOS = f"/api/ia/triagem/{EDITAL}/casos"
SAID = {"situacao": "descartado", "motivo": "São duas etapas do mesmo projeto.", "visto": 0}


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    """Four projects, the first like the third and the second like the fourth, which hides text."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[AVALIADORA, OUTRO]))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database, Falsos(marcados=frozenset({"P0004"})).achadores()):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def gestora(scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf) -> AsyncIterator[httpx.AsyncClient]:
    """A key that acts for somebody who manages."""
    async with client_of(await new_key(scope, usuario=await new_person(scope, "gestor"))) as client:
        yield client


def fits(app: FastAPI, name: str, answered: Any) -> list[str]:
    described = document(app)
    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    return [fault.message for fault in jsonschema.Draft202012Validator(schema).iter_errors(answered)]


async def test_cases_are_listed_decided_owned_noted_and_taken_back(gestora: httpx.AsyncClient, app: FastAPI) -> None:
    listed = (await gestora.get(CASOS)).json()
    assert fits(app, "ListaDeCasos", listed) == []
    assert [(one["numero"], one["gravidade"], one["projetos"], one["situacao"]) for one in listed["itens"]] == [
        (1, "grave", ["P0004"], "aberto"),
        (2, "leve", ["P0001", "P0003"], "aberto"),
        (3, "leve", ["P0002", "P0004"], "aberto"),
    ]
    decided = await gestora.post(f"{CASOS}/2/decisao", json=SAID)
    assert (decided.status_code, fits(app, "CasoDoEdital", decided.json())) == (200, [])
    assert (decided.json()["situacao"], decided.json()["motivo"], decided.json()["versao"]) == ("descartado", SAID["motivo"], 1)
    assert [one["numero"] for one in (await gestora.get(CASOS, params={"situacao": "descartado"})).json()["itens"]] == [2]
    assert (await gestora.post(f"{CASOS}/2/anotacoes", json={"texto": "Pedi a ata."})).json()["anotacoes"][0]["texto"] == "Pedi a ata."
    dono = decided.json()["decidido_por"]
    assert (await gestora.post(f"{CASOS}/2/dono", json={"dono": dono})).json()["dono"] == dono
    undone = await gestora.delete(f"{CASOS}/2/decisao", params={"visto": 1})
    assert (undone.json()["situacao"], undone.json()["versao"]) == ("aberto", 2)


async def test_a_decision_on_what_somebody_else_decided_meanwhile_is_a_conflict(gestora: httpx.AsyncClient) -> None:
    assert (await gestora.post(f"{CASOS}/1/decisao", json=SAID)).status_code == 200
    late = await gestora.post(f"{CASOS}/1/decisao", json=SAID | {"situacao": "confirmado"})
    assert (late.status_code, late.headers["content-type"], late.json()["codigo"]) == (409, "application/problem+json", "caso_mudou")
    assert (await gestora.delete(f"{CASOS}/1/decisao", params={"visto": 0})).status_code == 409


@pytest.mark.parametrize(
    ("path", "sent", "status", "codigo"),
    [
        ("1/decisao", SAID | {"motivo": ""}, 422, "caso_invalido"),
        ("1/decisao", SAID | {"situacao": "talvez"}, 422, None),
        ("1/decisao", SAID | {"visto": -1}, 422, None),
        ("1/decisao", SAID | {"outro": 1}, 422, None),
        ("9/decisao", SAID, 404, "caso_nao_encontrado"),
        ("1/dono", {"dono": str(uuid4())}, 422, "caso_invalido"),
        ("1/dono", {"dono": "eu"}, 422, None),
        ("1/anotacoes", {"texto": " "}, 422, "caso_invalido"),
        ("1/anotacoes", {"texto": "a\0b"}, 422, "caso_invalido"),
    ],
)
async def test_what_will_not_do_is_refused_with_the_reason(
    gestora: httpx.AsyncClient, path: str, sent: dict[str, Any], status: int, codigo: str | None
) -> None:
    refused = await gestora.post(f"{CASOS}/{path}", json=sent)
    assert refused.status_code == status, refused.text
    assert codigo in (None, refused.json()["codigo"])


async def test_a_program_reads_and_decides_nothing_and_whoever_judges_reads_their_own(
    scope: Scope, database: Database, new_key: NewKey, client_of: ClientOf
) -> None:
    async with client_of(await new_key(scope)) as program:
        assert (await program.get(CASOS)).status_code == 200
        assert (await program.post(f"{CASOS}/1/decisao", json=SAID)).status_code == 403
    async with database.unit_of_work(scope) as uow:
        davi = await find_usuario(uow, OUTRO.email)
    async with client_of(await new_key(scope, usuario=davi)) as judging:
        (seen,) = (await judging.get(CASOS)).json()["itens"]
        assert (seen["numero"], seen["projetos"], seen["sinais"]) == (2, ["P0003"], [])
        assert (await judging.post(f"{CASOS}/2/decisao", json=SAID)).status_code == 403
    async with client_of(await new_key(scope)) as program:
        assert (await program.get("/api/ia/triagem/ED-9/casos")).status_code == 404
