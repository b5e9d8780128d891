"""People decide many at once by the API too, undo it and list it; no program does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import uuid4

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
BASE = f"/api/ia/triagem/{EDITAL}"
DECISOES = f"{BASE}/decisoes"


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(3, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def lia(scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf) -> httpx.AsyncClient:
    return client_of(await new_key(scope, usuario=await new_person(scope, "gestor")))


async def foresee(client: httpx.AsyncClient, *codigos: str, decisao: str = "habilitado") -> dict[str, object]:
    answered = await client.post(f"{DECISOES}/previa", json={"codigos": codigos, "decisao": decisao})
    assert answered.status_code == 200, answered.text
    return {"codigos": codigos, "decisao": decisao, "prevista": answered.json()["prevista"]}


async def test_many_are_foreseen_decided_listed_and_undone(lia: httpx.AsyncClient) -> None:
    previa = (await lia.post(f"{DECISOES}/previa", json={"codigos": ["P0001", "P0002", "P0099"], "decisao": "habilitado"})).json()
    assert [one["projeto_id"] for one in previa["entram"]] == ["P0001", "P0002"]
    assert [(one["projeto_id"], one["razao"]) for one in previa["ficam"]] == [("P0099", "desconhecido")]
    made = await lia.post(DECISOES, json=await foresee(lia, "P0001", "P0002"))
    assert (made.status_code, made.json()["quantos"]) == (201, 2)
    listed = (await lia.get(DECISOES)).json()
    assert [(one["projeto_id"], one["decisao"]["decisao"], one["decisao"]["decidido_por"]) for one in listed["projetos"]] == [
        ("P0001", "habilitado", "Pessoa gestor"),
        ("P0002", "habilitado", "Pessoa gestor"),
    ]
    undo = f"{DECISOES}/atos/{made.json()['id']}/desfazer"
    one = (await lia.post(undo, json={"projetos": ["P0001"]})).json()
    assert ([of["projeto_id"] for of in one["voltaram"]], one["ficaram"]) == (["P0001"], [])
    assert [of["projeto_id"] for of in (await lia.post(undo, json={})).json()["voltaram"]] == ["P0002"]
    again = await lia.post(undo, json={})
    assert (again.status_code, again.json()["codigo"]) == (409, "nada_a_desfazer")
    after = (await lia.get(DECISOES)).json()
    assert [(of["decisao"], of["anteriores"][0]["desfeita_por"]) for of in after["projetos"]] == [(None, "Pessoa gestor")] * 2


async def test_an_old_preview_is_refused_with_the_projects_that_changed(
    lia: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    sent = await foresee(lia, "P0001", "P0002")
    davi = as_person(scope, await new_person(scope, "gestor"))
    await container.decisoes.decidir(davi, EDITAL, "P0002", "inabilitado", "Falta a ata.", None)
    refused = await lia.post(DECISOES, json=sent)
    assert (refused.status_code, refused.json()["codigo"]) == (409, "previa_mudou")
    assert [one["caminho"] for one in refused.json()["problemas"]] == ["P0002"]
    assert list(await container.decisoes.decisoes(davi, EDITAL)) == ["P0002"]


async def test_a_program_decides_nothing(api: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    for path in (DECISOES, f"{DECISOES}/previa", f"{DECISOES}/atos/{uuid4()}/desfazer"):
        refused = await api.post(path, json={})
        assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")
    assert (await api.get(DECISOES)).json() == {"edital_id": EDITAL, "projetos": [], "atos": []}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"codigos": [], "decisao": "habilitado"}, 422),
        ({"codigos": ["P0001"], "decisao": "talvez"}, 422),
        ({"codigos": ["../etc"], "decisao": "habilitado"}, 422),
        ({"codigos": ["P0001"], "decisao": "habilitado", "mais": 1}, 422),
        ({"codigos": "P0001", "decisao": "habilitado"}, 422),
    ],
)
async def test_what_breaks_the_contract_is_refused(lia: httpx.AsyncClient, sent: object, status: int) -> None:
    assert (await lia.post(f"{DECISOES}/previa", json=sent)).status_code == status


async def test_an_act_that_is_not_there_is_absent(lia: httpx.AsyncClient) -> None:
    for ato in (str(uuid4()), "nenhum"):
        refused = await lia.post(f"{DECISOES}/atos/{ato}/desfazer", json={})
        assert (refused.status_code, refused.json()["codigo"]) == (404, "ato_nao_encontrado")


async def test_what_goes_out_holds_what_people_decided(lia: httpx.AsyncClient) -> None:
    await lia.post(DECISOES, json=await foresee(lia, "P0001", decisao="inabilitado") | {"motivo": "Fora do município."})
    told = (await lia.get(f"{BASE}/exportacao", params={"formato": "json"})).json()
    assert [(one["projeto_id"], one["decisao"]["motivo"]) for one in told["projetos"] if "decisao" in one] == [
        ("P0001", "Fora do município.")
    ]
    table = await lia.get(f"{BASE}/exportacao", params={"formato": "csv", "tabela": "ranking"})
    assert table.headers["content-disposition"] == f'attachment; filename="triagem-{EDITAL}-ranking.csv"'
    lines = table.content.decode("utf-8-sig").splitlines()
    assert [line.split(";")[1] for line in lines[1:]] == ["P0002", "P0003", "P0001"]
    assert "Inabilitado: fora da ordem" in lines[-1]
