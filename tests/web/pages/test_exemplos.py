"""What a new installation begins with: examples that are taken as they are, and the first steps of each role."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Papel, Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.importacao.leitura import read_chamada

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]


async def test_the_example_of_an_edital_is_imported_as_it_is(browser: httpx.AsyncClient, tmp_path: Path) -> None:
    answer = await browser.get("/admin/editais/exemplo")
    assert answer.headers["content-disposition"] == 'attachment; filename="edital-de-exemplo.zip"'
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path)
    chamada = read_chamada(tmp_path).chamada
    assert (chamada.edital.id, len(chamada.projetos)) == ("EXEMPLO-1", 4)
    assert all(projeto.documentos for projeto in chamada.projetos)


async def test_the_examples_of_a_politica_and_of_a_pedido_are_taken_as_they_are(
    browser: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    politica = (await browser.get("/politicas/exemplo")).content
    assert (await container.politicas.importar(scope, politica)).mudou
    pedido = (await browser.get("/autorizacoes/exemplo")).content
    assert (await container.autorizacoes.decidir(scope, pedido)).autorizacao.pedido_id


@pytest.mark.parametrize(
    ("papel", "steps"),
    [
        ("gestor", ["Importar um edital", "Importar e publicar uma política", "Enviar um pedido"]),
        ("avaliador", ["Esperar os seus projetos"]),
        ("revisor", ["Enviar um pedido"]),
        ("paciente", []),
    ],
)
async def test_a_new_installation_tells_each_role_what_to_do_first(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: Papel, steps: list[str]
) -> None:
    page = (await (await signed_in(scope, (await new_person(scope, papel)).ator)).get("/")).text
    assert "Nada espera por você agora." in page
    assert [
        step
        for step in ("Importar um edital", "Importar e publicar uma política", "Enviar um pedido", "Esperar os seus projetos")
        if f'titulo">{step}<' in page
    ] == steps
