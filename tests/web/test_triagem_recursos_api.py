"""Recursos by the API: listed, read, and typed in by a person's key; answered by nobody but a person on pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from recorrida import chamada
from triagem_web import EDITAL

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
BASE = f"/api/ia/triagem/{EDITAL}/recursos"
PEDIDO = {
    "projeto_id": "P0002",
    "contra": "resultado",
    "texto": "Peço que revejam a nota do mérito: o portfólio mostra dez anos.",
    "apresentado_em": "2026-01-02",
    "tardio": "O protocolo esteve fechado.",
}


@pytest.fixture
async def lia(container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf) -> httpx.AsyncClient:
    await container.triagem.importar(scope, chamada())
    return client_of(await new_key(scope, usuario=await new_person(scope, "gestor")))


async def test_one_is_typed_in_listed_and_read(lia: httpx.AsyncClient) -> None:
    paper = {"nome": "pedido.pdf", "conteudo_base64": b64encode(b"%PDF-1.4\nx").decode()}
    made = await lia.post(BASE, json=PEDIDO | {"papeis": [paper]})
    assert made.status_code == 201, made.text
    told = made.json()
    assert (told["numero"], told["projeto_id"], told["entrada"], told["resposta"], told["tardio"]) == (
        1,
        "P0002",
        "papel",
        None,
        "O protocolo esteve fechado.",
    )
    assert [one["formato"] for one in told["papeis"]] == ["pdf"]
    listed = (await lia.get(BASE)).json()
    assert (listed["abertos"], [one["numero"] for one in listed["itens"]]) == (1, [1])
    assert (await lia.get(f"{BASE}/1")).json() == told
    assert (await lia.get(f"{BASE}/2")).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "status", "codigo"),
    [
        ({"tardio": ""}, 409, "recurso_fora_do_prazo"),
        ({"texto": "curto"}, 422, "recurso_invalido"),
        ({"projeto_id": "NADA"}, 404, "projeto_nao_encontrado"),
        ({"contra": "tudo"}, 422, "conteudo_invalido"),
        ({"papeis": [{"nome": "a.pdf", "conteudo_base64": "***"}]}, 422, "recurso_invalido"),
        ({"apresentado_em": "2999-01-01"}, 422, "recurso_invalido"),
    ],
)
async def test_what_will_not_do_is_told_by_its_code(lia: httpx.AsyncClient, wrong: dict[str, object], status: int, codigo: str) -> None:
    answer = await lia.post(BASE, json=PEDIDO | wrong)
    assert (answer.status_code, answer.json()["codigo"]) == (status, codigo)


async def test_a_program_of_its_own_reads_and_types_nothing_in(
    lia: httpx.AsyncClient, scope: Scope, new_key: NewKey, client_of: ClientOf, new_tenant: Callable[[], Scope]
) -> None:
    program = client_of(await new_key(scope))
    assert (await program.get(BASE)).status_code == 200
    assert (await program.post(BASE, json=PEDIDO)).status_code == 403
    other = new_tenant()
    assert (await client_of(await new_key(other)).get(BASE)).status_code == 404
