"""People give projects to who judges by the API too, undo it, take them and remind; projects come in alone; no program gives."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.julgamento import NotaDada
from importacoes import certa
from sujeitos import as_person
from triagem_web import EDITAL

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
BASE = f"/api/ia/triagem/{EDITAL}"


@pytest.fixture
async def lia(container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf) -> httpx.AsyncClient:
    await container.triagem.importar(scope, importacao(3, EDITAL))
    return client_of(await new_key(scope, usuario=await new_person(scope, "gestor")))


async def test_somebody_is_brought_in_given_projects_reminded_and_has_one_taken(
    lia: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    rita = await new_person(scope, "avaliador", email="rita@avalia.exemplo")
    assert (await lia.post(f"{BASE}/avaliadores", json={"email": rita.email})).json() == {"id": str(rita.id)}
    asked: dict[str, object] = {"codigos": ["P0001", "P0002", "P0009"], "avaliadores": [str(rita.id)]}
    previa = (await lia.post(f"{BASE}/atribuicoes/previa", json=asked)).json()
    assert [one["projeto_id"] for one in previa["entram"]] == ["P0001", "P0002"]
    assert [(one["projeto_id"], one["razao"]) for one in previa["ficam"]] == [("P0009", "desconhecido")]
    made = await lia.post(f"{BASE}/atribuicoes", json=asked | {"prevista": previa["prevista"]})
    assert (made.status_code, made.json()["projetos"], made.json()["dadas"]) == (201, 2, 2)
    stale = await lia.post(f"{BASE}/atribuicoes", json=asked | {"prevista": previa["prevista"]})
    assert (stale.status_code, stale.json()["codigo"]) == (409, "distribuicao_mudou")
    assert [one["caminho"] for one in stale.json()["problemas"]] == ["P0001", "P0002"]
    foreseen = (await lia.post(f"{BASE}/lembretes/previa", json={"codigos": ["P0001", "P0002"]})).json()
    assert [one["projetos"] for one in foreseen["lembrar"]] == [["P0001", "P0002"]]
    reminded = await lia.post(f"{BASE}/lembretes", json={"codigos": ["P0001", "P0002"], "prevista": foreseen["prevista"]})
    assert reminded.status_code == 201
    await container.julgamento.salvar(as_person(scope, rita), EDITAL, "P0002", [NotaDada("C1", None, "Ainda pensando.")])
    undone = await lia.post(f"{BASE}/atribuicoes/atos/{made.json()['id']}/desfazer")
    assert (undone.json()["voltaram"], undone.json()["ficaram"]) == (1, 1)
    (listed,) = (await lia.get(f"{BASE}/avaliadores")).json()["itens"]
    assert (listed["projetos"], listed["rascunhos"], listed["lembrada_por"]) == (1, 1, "Pessoa gestor")
    assert "email" not in listed
    taken = await lia.post(f"{BASE}/avaliadores/{rita.id}/tirar", json={"codigos": ["P0002"]})
    assert taken.json() == {"projetos": 1, "com_notas": 0, "saiu": False}


async def test_nobody_is_told_of_another_organisation_and_a_key_of_its_own_gives_nothing(
    lia: httpx.AsyncClient, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf, new_tenant: Callable[[], Scope]
) -> None:
    stranger = await new_person(new_tenant(), "avaliador", email="fora@avalia.exemplo")
    absent = await lia.post(f"{BASE}/avaliadores", json={"email": stranger.email})
    assert (absent.status_code, absent.json()["codigo"]) == (404, "avaliador_nao_encontrado")
    asked = {"codigos": ["P0001"], "avaliadores": [str(stranger.id)]}
    assert (await lia.post(f"{BASE}/atribuicoes/previa", json=asked)).status_code == 404
    program = client_of(await new_key(scope))
    assert (await program.post(f"{BASE}/atribuicoes/previa", json=asked)).status_code == 403
    assert (await program.get(f"{BASE}/avaliadores")).status_code == 200


async def test_projects_come_in_alone_all_or_none_with_every_problem_by_its_field(lia: httpx.AsyncClient) -> None:
    whole = certa()
    assert (await lia.post("/api/editais", json={**whole, "projetos": [], "avaliadores": []})).status_code == 201
    (projeto,) = whole["projetos"]
    at = f"/api/editais/{whole['edital']['id']}/projetos"
    alone = {"projetos": [{**projeto, "documentos": []}]}
    wrong = {"projetos": [{**projeto, "documentos": [], "titulo": 3}, {**projeto, "documentos": []}]}
    refused = await lia.post(at, json=wrong)
    assert (refused.status_code, refused.json()["codigo"]) == (422, "importacao_recusada")
    assert "projetos[0].titulo" in {one["caminho"] for one in refused.json()["problemas"]}
    brought = await lia.post(at, json=alone)
    assert (brought.status_code, brought.json()["projetos"], brought.json()["substituiu"]) == (200, 1, True)
    other = {"projetos": [{**projeto, "id": "P777", "documentos": []}]}
    leaving = await lia.post(at, files={"arquivo": ("projetos.json", json.dumps(other))})
    assert (leaving.status_code, leaving.json()["codigo"]) == (409, "projetos_sairiam")
    assert (await lia.post(f"{at}?retirar=true", json=other)).status_code == 200
    assert (await lia.post("/api/editais/NADA/projetos", json=alone)).status_code == 404
