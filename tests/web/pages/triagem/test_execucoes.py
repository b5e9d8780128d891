"""The page of every screening: what runs is followed, what stopped can be gone on with, and who began it is called by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
PAGE = "/admin/execucoes"


async def test_what_runs_is_followed_and_what_was_cancelled_can_be_gone_on_with(
    container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    gestora = await new_person(scope, "gestor")
    browser = await signed_in(scope, gestora.ator)
    assert "Nenhuma triagem ainda" in (await browser.get(PAGE)).text
    hers = as_person(scope, gestora)
    for edital in ("ED-1", "ED-2", "ED-3", "ED-4"):
        await container.triagem.importar(hers, importacao(2, edital))
        await container.triagem.executar(hers, edital)
    shown = (await browser.get(PAGE)).text
    assert shown.count("data-eventos=") == 3  # a browser has few connections to a host
    assert shown.count("Cancelar a triagem de ED-") == 4
    assert "static/andamento.js" in shown
    assert f"por <bdi>{gestora.nome}</bdi>" in shown
    for edital in ("ED-1", "ED-2", "ED-3", "ED-4"):
        await container.triagem.cancelar(hers, edital)
    ended = (await browser.get(PAGE)).text
    assert "data-eventos=" not in ended
    assert ended.count("Retomar<span") == 4
    assert "Custo somado: nada." in ended


async def test_what_the_command_line_began_is_its_own_and_another_tenant_s_is_not_here(
    container: Container, scope: Scope, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn
) -> None:
    for where, edital in (
        (Scope(scope.tenant_id, "cli:root", CONSOLE), "ED-1"),
        (Scope(new_tenant().tenant_id, "cli:root", CONSOLE), "ED-2"),
    ):
        await container.triagem.importar(where, importacao(2, edital))
        await container.triagem.executar(where, edital)
    shown = (await (await signed_in(scope, (await new_person(scope, "gestor")).ator)).get(PAGE)).text
    assert "Comando no servidor" in shown
    assert "cli:root" not in shown
    assert "ED-2" not in shown
