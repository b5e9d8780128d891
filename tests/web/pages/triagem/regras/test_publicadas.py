"""The page of the rules once a result was published: the draw stays, and whoever changes a rule says why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace as changed
from uuid import UUID

import httpx
import pytest
from lxml import html
from msgspec.structs import replace

from chamadas import VERSOES, Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from triagem_web import EDITAL

PAGINA = f"/admin/editais/{EDITAL}/classificacao"
REGRAS = Classificacao(vagas=(Vagas("*", 1),), semente="publicada")


@pytest.fixture
def container(settings: Settings, database: Database, container_over: Callable[[Settings, Database, Clock], Container]) -> Container:
    """A house in which every edital published a result."""

    async def published(uow: UnitOfWork, edital_id: UUID) -> str | None:
        return "publicada"

    clock = SystemClock()
    chamadas = Chamadas(database, clock, Uuid7(clock).new, lambda: VERSOES, published)
    return changed(container_over(settings, database, clock), chamadas=chamadas)


@pytest.fixture
async def gestora(
    scope: Scope,
    container: Container,
    new_person: Callable[..., Awaitable[Usuario]],
    signed_in: Callable[[Scope, str], Awaitable[httpx.AsyncClient]],
) -> httpx.AsyncClient:
    given = importacao(1)
    chamada = replace(given.chamada, edital=replace(given.chamada.edital, classificacao=REGRAS))
    await container.triagem.importar(scope, Importacao(chamada, given.arquivos))
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def form_of(page: str) -> dict[str, str]:
    form = html.fromstring(page).xpath("//form[contains(@class, 'regras')]")[0]
    return dict(form.form_values())


async def press(client: httpx.AsyncClient, fields: dict[str, str], acao: str, status: int = 200) -> str:
    answered = await client.post(PAGINA, data=fields | {"acao": acao})
    assert answered.status_code == status, answered.text[:2000]
    return answered.text


async def test_whoever_changes_a_published_rule_says_why_and_may_say_it_again(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    page = (await gestora.get(PAGINA)).text
    assert "já publicou resultado" in page
    review = form_of(await press(gestora, form_of(page) | {"regras.suplentes": "4"}, "salvar"))
    lacking = await press(gestora, review | {"motivo": "porque"}, "confirmar", 422)
    assert html.fromstring(lacking).xpath("//div[@id='erros']//a/@href") == ["#motivo"]
    assert form_of(lacking)["motivo"].strip() == "porque"
    await press(gestora, form_of(lacking) | {"motivo": "Retificação nº 2 do edital."}, "confirmar", 303)
    kept = (await container.chamadas.abrir(scope, EDITAL)).chamada.edital.classificacao
    assert kept == replace(REGRAS, suplentes=4)
    audited = (await gestora.get("/admin/auditoria")).text
    assert "Mudou as regras de classificação de um edital" in audited
    assert "Retificação nº 2 do edital." in audited


async def test_the_draw_of_a_published_result_stays(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    page = (await gestora.get(PAGINA)).text
    assert html.fromstring(page).get_element_by_id("regras-semente").get("readonly") is not None
    review = form_of(await press(gestora, form_of(page) | {"regras.semente": "outra"}, "salvar"))
    refused = await press(gestora, review | {"motivo": "Retificação nº 2 do edital."}, "confirmar", 409)
    assert "A semente do sorteio já foi publicada" in refused
    assert html.fromstring(refused).xpath("//div[@id='erros']//a/@href") == ["#regras-semente"]
    assert (await container.chamadas.abrir(scope, EDITAL)).chamada.edital.classificacao == REGRAS
