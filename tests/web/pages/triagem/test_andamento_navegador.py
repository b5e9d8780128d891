"""A screening that runs while somebody looks at it: reloaded half-way, followed on, and stopped, in a browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.access.organizacoes import Organizacoes
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.quadro import origem_of
from navegador import IS_MISSING, let_in, opened
from seguimento import analysed, wait_until
from triagem_web import EDITAL, empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE: Final = f"/admin/editais/{EDITAL}/triagem-ia"
PROJETOS: Final = 20
AT_ONCE: Final = 4  # of the worker: what it has in hand when a run is stopped it finishes


class Comporta:
    """Holds back whoever reads a document until so many were let through."""

    def __init__(self) -> None:
        self._permits = asyncio.Semaphore(0)

    async def __call__(self) -> None:
        await self._permits.acquire()

    def let(self, many: int) -> None:
        for _ in range(many):
            self._permits.release()


@pytest.fixture
async def gestora(urls: tuple[str, str], container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> str:
    """A link of somebody who manages a call that nobody screened yet."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(PROJETOS, EDITAL))
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


async def spend(database: Database, container: Container, scope: Scope, custo: str) -> None:
    """Have the run pay for a call to a model."""
    execucao = await container.triagem.status(scope, EDITAL)
    call = Call("m:um", sha256(b"prompt").digest(), sha256(custo.encode()).digest())
    await Ledger(database, SystemClock()).note(scope, call, origem_of(execucao.id), Answer(b"{}", 900, 90, Decimal(custo)))


async def progress_of(page: Page) -> int:
    return int(await page.get_by_label("Andamento da triagem").evaluate("(bar) => bar.value"))


async def test_a_run_that_is_followed_says_so_when_the_organisation_is_suspended(
    shared_server: Any, gestora: str, container: Container, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    casa, comporta = new_tenant(), Comporta()
    casas = Organizacoes(database, SystemClock(), Uuid7(SystemClock()).new, casa.tenant_id)
    async with screening(database, Falsos(pausa=comporta).achadores()), opened(shared_server.address, refused=403) as page:
        await let_in(page, gestora)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Executar Triagem Completa").click()
        await expect(page.get_by_role("heading", name="Triagem completa em andamento")).to_be_visible()
        await casas.suspender(casa, scope.tenant_id, "Contrato encerrado")
        told = page.locator("[data-fechado]")
        await expect(told).to_contain_text("está suspensa", timeout=40_000)
        await expect(told).to_contain_text("tudo continua de onde parou")
        await expect(page.get_by_label("Andamento da triagem")).to_have_count(0)
        await casas.reativar(casa, scope.tenant_id, "Contrato novo")
        comporta.let(PROJETOS)
        await told.get_by_role("link", name="Abrir a página de novo").click()
        await expect(page.get_by_role("heading", name="Triagem completa")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_run_is_followed_through_a_reload_and_stopped(
    shared_server: Any, gestora: str, container: Container, database: Database, scope: Scope, scripts: bool
) -> None:
    """Triagem 5.1/2, Triagem 3/3: live progress, with cost and time left, that survives a reload; cancel."""
    comporta = Comporta()

    async def further(page: Page, many: int, done: int) -> None:
        """Let more projects through, and wait until the page says so: by itself, or on being asked where there are no scripts."""
        comporta.let(many)
        await wait_until(container.triagem, scope, EDITAL, analysed(done))
        if not scripts:
            await page.get_by_role("link", name="Atualizar").click()
        await expect(page.locator(".quanto")).to_contain_text(f"{done} de {PROJETOS} projetos analisados")

    async with screening(database, Falsos(pausa=comporta).achadores()), opened(shared_server.address, scripts=scripts) as page:
        await let_in(page, gestora)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Executar Triagem Completa").click()
        await expect(page.get_by_role("heading", name="Triagem completa em andamento")).to_be_visible()
        await expect(page.locator(".quanto")).to_have_text(f"0 de {PROJETOS} projetos analisados")
        await further(page, 3, 3)
        before = await progress_of(page)
        await spend(database, container, scope, "0.25")
        await page.reload()
        said = page.locator(".quanto")
        await expect(said).to_have_text(
            re.compile(
                rf"^3 de {PROJETOS} projetos analisados, (falta menos de um minuto|faltam? cerca de \d+ minutos?), custo: US\$ 0,2500$"
            )
        )
        await expect(page.get_by_role("button", name="Executar Triagem Completa")).to_have_count(0)
        assert await progress_of(page) == before > 0
        await further(page, 2, 5)
        assert await progress_of(page) > before
        await expect(said).to_contain_text("custo: US$ 0,2500")
        await page.get_by_role("button", name="Cancelar a triagem").click()
        await expect(page.locator(".ultima .selo")).to_contain_text("Cancelada")
        await expect(page.locator(".ultima")).to_contain_text(f"5 de {PROJETOS} projetos analisados")
        await expect(page.get_by_role("button", name="Retomar de onde parou")).to_be_visible()
        await expect(page.locator("#andamento")).to_have_count(0)
        comporta.let(PROJETOS)
        await page.reload()
        await expect(page.locator(".ultima .selo")).to_contain_text("Cancelada")
        stopped = await container.triagem.status(scope, EDITAL)
        assert stopped.status == "cancelada"
        assert stopped.projetos_analisados <= 5 + AT_ONCE
