"""Deliveries and links over HTTP: what a program may, what a page shows once, and what nobody gets to keep."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
import pytest

from crivo.autorizacoes.entregas import storage
from crivo.autorizacoes.entregas.service import Proposto
from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope


@pytest.fixture
async def decidida(container: Container, scope: Scope, politica: dict[str, Any], pedido: dict[str, Any]) -> str:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    return str((await container.autorizacoes.decidir(scope, json.dumps(pedido).encode())).autorizacao.id)


async def test_a_program_of_an_administrator_registers_sends_an_example_rotates_and_removes(
    client_of: Any, new_key: Any, new_person: Any, scope: Scope
) -> None:
    client = client_of(await new_key(scope, "entregas:administrar", "autorizacoes:ler", usuario=await new_person(scope, "admin")))
    made = await client.post("/api/entregas/destinos", json={"nome": "S", "endereco": "https://sistema.exemplo.org/x?token=segredo"})
    assert made.status_code == 201
    assert made.json()["segredo"].startswith("whsec_")
    where = f"/api/entregas/destinos/{made.json()['id']}"
    assert (await client.post(f"{where}/exemplo")).status_code == 202
    shown = await client.get("/api/entregas/destinos")
    assert shown.json()["itens"][0]["a_espera"] == 1
    assert "token" not in shown.text
    assert (await client.post(f"{where}/segredo")).json()["segredo"] != made.json()["segredo"]
    assert (await client.delete(where)).status_code == 204
    assert (await client.get(where)).status_code == 404
    for endereco, status in (("https://10.0.0.1/", 422), ("http://a.exemplo.org", 422), ("x@y.exemplo.org", 422)):
        refused = await client.post("/api/entregas/destinos", json={"nome": "S", "endereco": endereco})
        assert (refused.status_code, refused.json()["codigo"]) == (status, "destino_invalido")


async def test_a_link_is_made_read_and_revoked_and_no_page_of_it_is_kept(
    client_of: Any,
    new_key: Any,
    scope: Scope,
    anonymous: httpx.AsyncClient,
    decidida: str,
    csrf_of: Callable[[str], str],
) -> None:
    client = client_of(await new_key(scope, "autorizacoes:escrever", "autorizacoes:ler"))
    where = f"/api/autorizacoes/{decidida}/link"
    assert (await client.get(where)).status_code == 404
    made = (await client.post(where)).json()
    path = "/d/" + made["link"].rpartition("/d/")[2]
    asked = await anonymous.get(path)
    assert asked.status_code == 200
    assert asked.headers["cache-control"] == "no-store"
    assert asked.headers["referrer-policy"] == "same-origin"
    assert "noindex" in asked.headers["x-robots-tag"]
    token = csrf_of(asked.text)
    wrong = await anonymous.post(path, data={"csrf": token, "codigo": "abc"})
    assert (wrong.status_code, "seis algarismos, de 0 a 9" in wrong.text) == (422, True)
    wrong = await anonymous.post(path, data={"csrf": token, "codigo": "000000" if made["codigo"] != "000000" else "111111"})
    assert (wrong.status_code, "Restam 4" in wrong.text) == (422, True)
    read = await anonymous.post(path, data={"csrf": token, "codigo": made["codigo"]})
    assert (read.status_code, "O que fazer agora" in read.text, "Número do pedido" in read.text) == (200, True, True)
    assert read.headers["cache-control"] == "no-store"
    assert (await client.get(where)).json()["aberturas"] == 1
    assert (await client.delete(where)).status_code == 204
    gone = await anonymous.get(path)
    assert (gone.status_code, "Quem o enviou o cancelou" in gone.text, "Peça um link novo" in gone.text) == (410, True, True)


async def test_a_page_with_a_link_that_is_loaded_again_leaves_the_link_as_it_is(
    scope: Scope, new_person: Any, signed_in: Any, csrf_of: Callable[[str], str], decidida: str
) -> None:
    page = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    asked = {"visto": "", "csrf": csrf_of((await page.get(f"/autorizacoes/{decidida}")).text)}
    made = await page.post(f"/autorizacoes/{decidida}/link", data=asked)
    assert (made.status_code, "/d/" in made.text) == (200, True)
    again = await page.post(f"/autorizacoes/{decidida}/link", data=asked)
    assert again.headers["location"] == f"/autorizacoes/{decidida}?ok=link_ja_feito#titulo-link"
    assert "Em uso" in (await page.get(again.headers["location"])).text


async def test_what_was_erased_says_so_kindly(container: Container, scope: Scope, anonymous: httpx.AsyncClient, decidida: str) -> None:
    novo = await container.links.criar(scope, UUID(decidida))
    async with container.database.unit_of_work(scope) as uow:
        await uow.cofre.destroy(uow, [UUID(decidida)], container.clock.now())
    gone = await anonymous.get("/d/" + novo.endereco.rpartition("/d/")[2])
    assert (gone.status_code, "foram apagados" in gone.text) == (410, True)


async def test_links_that_are_none_are_refused_after_many_from_one_place(anonymous: httpx.AsyncClient) -> None:
    said = [(await anonymous.get(f"/d/local.{'a' * 32}")).status_code for _ in range(41)]
    assert said == [404] * 40 + [429]


async def test_a_destination_that_fails_again_and_again_is_told_of_on_the_first_page(
    container: Container, scope: Scope, new_person: Any, signed_in: Any, published: str, pedido: dict[str, Any]
) -> None:
    page = await signed_in(scope, (await new_person(scope, "admin")).ator)
    done = await container.entregas.registrar(scope, Proposto("Central", "webhook", "https://nada.invalid/crivo"))
    await container.autorizacoes.decidir(scope, json.dumps({**pedido, "pedido_id": "P-AVISO"}).encode())
    assert "não está recebendo" not in (await page.get("/")).text
    async with container.database.unit_of_work(scope) as uow:
        await storage.rest(uow, done.destino.id, container.clock.now())
    shown = (await page.get("/")).text
    assert "Central não está recebendo: 1 aviso espera." in shown
    assert "P-AVISO" in (await page.get(f"/admin/entregas/{done.destino.id}")).text
