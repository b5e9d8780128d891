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
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.definicao import to_json
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.service import Triagem
from triagem_web import EDITAL, zipped

PAGINA = f"/admin/editais/{EDITAL}/classificacao"
REGRAS = Classificacao(vagas=(Vagas("*", 1),), semente="publicada")


@pytest.fixture
def container(settings: Settings, database: Database, container_over: Callable[[Settings, Database, Clock], Container]) -> Container:
    """A house in which every edital published a result."""

    async def published(uow: UnitOfWork, edital_id: UUID) -> str | None:
        return "publicada"

    clock = SystemClock()
    chamadas = Chamadas(database, clock, Uuid7(clock).new, lambda: VERSOES, published)
    triagem = Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: VERSOES, None, published)
    return changed(container_over(settings, database, clock), chamadas=chamadas, triagem=triagem)


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


async def test_a_file_meets_the_same_refusals_with_its_reason_beside_it(
    gestora: httpx.AsyncClient, api: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    chamada = (await container.chamadas.abrir(scope, EDITAL)).chamada

    def file(regras: Classificacao) -> bytes:
        return to_json(replace(chamada, edital=replace(chamada.edital, classificacao=regras)))

    async def send(regras: Classificacao, motivo: str = "") -> tuple[int, str]:
        answered = await api.post(
            "/api/editais", params={"motivo": motivo}, content=file(regras), headers={"content-type": "application/json"}
        )
        return answered.status_code, answered.json().get("codigo", "")

    assert await send(replace(REGRAS, suplentes=2)) == (422, "mudanca_sem_motivo")
    assert await send(replace(REGRAS, semente="outra"), "Retificação nº 2 do edital.") == (409, "semente_publicada")
    listed = html.fromstring((await gestora.get("/admin/editais")).text).xpath(
        "//form[.//input[@type='file']]//input[@name='csrf']/@value"
    )[0]
    uploaded = await gestora.post(
        "/admin/editais", data={"csrf": listed}, files={"arquivo": ("edital.zip", zipped(file(replace(REGRAS, suplentes=2))))}
    )
    assert uploaded.status_code == 422
    assert "na página das regras de classificação" in uploaded.text
    assert await send(replace(REGRAS, suplentes=2), "Retificação nº 2 do edital.") == (200, "")
    assert (await container.chamadas.abrir(scope, EDITAL)).chamada.edital.classificacao == replace(REGRAS, suplentes=2)
