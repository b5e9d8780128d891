"""Decisions, their review and the políticas in a real browser: light and dark, desktop and phone, with our script and without it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.autorizacoes import amostra
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, enter, fits, let_in, opened

LinkOf = Callable[..., Awaitable[str]]

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
HOSTILE = "\"'><script>alert(1)</script> שלום 🙂 " + "muito" * 30
MOTIVO = "O laudo chegou por outro canal e foi conferido com o médico."


@pytest.fixture
async def decided(container: Container, scope: Scope, politica: dict[str, Any], pedido: dict[str, Any]) -> list[str]:
    """The sample's políticas and pedidos of every outcome, and one pedido with hostile text; the ids of those that were decided."""
    for arquivo in amostra.politicas():
        await container.politicas.importar(scope, arquivo.conteudo, publicar=True)
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    later = {**politica, "versao": "1.1", "vigencia_inicio": "2027-01-01"}
    later["regras"] = [
        {**politica["regras"][0], "limite_quantidade": 0.5, "carencia_min_dias": 90},
        {**politica["regras"][1], "regra_id": "R-3"},
    ]
    await container.politicas.importar(scope, json.dumps(later).encode())
    made = [str((await container.autorizacoes.decidir(scope, one.conteudo)).autorizacao.id) for one in amostra.pedidos()[:40:3]]
    for number in range(2):
        procedimento = {**pedido["procedimento"], "quantidade": 2}
        rever = {"pedido_id": f"REVER-{number}", "procedimento": procedimento, "documentos_anexos": [], "urgencia": number == 1}
        raw = json.dumps({**pedido, **rever}).encode()
        made.append(str((await container.autorizacoes.decidir(scope, raw)).autorizacao.id))
    hostile = {
        **pedido,
        "pedido_id": HOSTILE,
        "administradora_id": HOSTILE,
        "procedimento": {"codigo": HOSTILE, "descricao": HOSTILE, "quantidade": 1},
    }
    made.append(str((await container.autorizacoes.decidir(scope, json.dumps(hostile).encode())).autorizacao.id))
    return made


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_reviewer_takes_a_decision_from_the_queue_and_decides_it(
    shared_server: Any, decided: list[str], link_of: Callable[[str], Any], theme: Theme, width: int
) -> None:
    async with opened(shared_server.address, theme, width, refused=422) as page:
        await let_in(page, await link_of("revisor"))
        await page.goto("/autorizacoes/fila")
        await approve(page, f"fila-{theme}-{width}")
        await page.get_by_role("link", name="REVER-0", exact=True).click()
        await expect(page.get_by_role("button", name="Pegar para rever")).to_be_visible()
        await approve(page, f"revisao-livre-{theme}-{width}")
        await page.get_by_role("button", name="Pegar para rever").click()
        await page.get_by_role("combobox", name="Decisão").select_option("APROVADO_PARCIAL")
        await page.get_by_label("Motivo").fill(MOTIVO)
        await page.get_by_role("button", name="Decidir e ver").click()
        await expect(page.get_by_text("Diga quanto foi aprovado.").first).to_be_visible()
        await expect(page.get_by_label("Motivo")).to_have_value(MOTIVO)
        await approve(page, f"revisao-recusada-{theme}-{width}")
        await page.get_by_label("Quantidade aprovada").fill("1")
        await page.get_by_role("button", name="Decidir e ver").click()
        await expect(page.locator(".decisao .selo")).to_contain_text("Aprovado em parte")
        await expect(page.locator(".decisao-resumo")).to_have_text(MOTIVO)
        await approve(page, f"decisao-revista-{theme}-{width}")
        for agent in await page.locator("details.etapa > summary").all():
            await agent.click()
        assert await fits(page)
        await page.goto(f"/autorizacoes/{decided[-1]}")
        await approve(page, f"decisao-hostil-{theme}-{width}")
        await page.goto("/autorizacoes")
        await approve(page, f"autorizacoes-{theme}-{width}")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_manager_imports_compares_publishes_and_revokes(
    shared_server: Any,
    decided: list[str],
    link_of: Callable[[str], Any],
    politica: dict[str, Any],
    tmp_path: Path,
    theme: Theme,
    width: int,
) -> None:
    wrong = tmp_path / "errada.yaml"
    wrong.write_text("administradora_id: ADM-TESTE\nversao: 9\nregras:\n  - regra_id: R-1\n    cobertura: TALVEZ\n", encoding="utf-8")
    right = tmp_path / "certa.json"
    regra = {
        **politica["regras"][0],
        "observacoes": "Alternativa coberta: 40304370 (hemograma). Idade fora da faixa: encaminhar à auditoria médica.",
    }
    right.write_text(json.dumps({**politica, "versao": "2.0", "vigencia_inicio": "2026-06-01", "regras": [regra]}), encoding="utf-8")
    async with opened(shared_server.address, theme, width, refused=422) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/politicas")
        await approve(page, f"politicas-{theme}-{width}")
        await page.get_by_role("link", name="Importar").click()
        await page.get_by_label("Arquivo da política").set_input_files(wrong)
        async with page.expect_response("**/politicas/importar") as refused:
            await page.get_by_role("button", name="Importar como rascunho").click()
        assert (await refused.value).status == 422
        await expect(page.get_by_text("Linha 5").first).to_be_visible()
        await approve(page, f"politica-recusada-{theme}-{width}")
        await page.get_by_label("Arquivo da política").set_input_files(right)
        await page.get_by_role("button", name="Importar como rascunho").click()
        await expect(page.get_by_text("Alternativa:")).to_be_visible()
        await approve(page, f"politica-importada-{theme}-{width}")
        await page.get_by_role("link", name="Ver as regras").click()
        await page.get_by_role("link", name="Publicar").click()
        await expect(page.get_by_role("heading", name="O que se encerra")).to_be_visible()
        await approve(page, f"politica-publicar-{theme}-{width}")
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_role("status").filter(has_text="Publicado")).to_be_visible()
        await approve(page, f"politica-{theme}-{width}")
        await page.get_by_role("link", name="comparar com esta").first.click()
        await expect(page.get_by_role("heading", name="Quais versões")).to_be_visible()
        await approve(page, f"politicas-comparar-{theme}-{width}")
        await page.go_back()
        await page.get_by_role("button", name="Revogar").click()
        await page.get_by_label("Motivo").fill("Substituída por outra.")
        await page.get_by_role("dialog").get_by_role("button", name="Revogar").click()
        await expect(page.locator(".selo.grande")).to_contain_text("Revogada")


async def test_what_was_typed_outlives_a_session_that_ended(
    shared_server: Any, decided: list[str], container: Container, scope: Scope, new_person: Callable[..., Any]
) -> None:
    person: Usuario = await new_person(scope, "revisor")
    sessoes = Sessoes(container.database, container.clock)
    async with opened(shared_server.address, refused=401) as page:
        await let_in(page, await sessoes.create_link(scope, person.ator))
        await page.goto(f"/autorizacoes/{decided[-2]}/revisao")
        await page.get_by_role("button", name="Pegar para rever").click()
        await page.get_by_role("combobox", name="Decisão").select_option("NEGADO")
        await page.get_by_label("Motivo").fill(MOTIVO)
        await page.context.clear_cookies()
        await page.get_by_role("button", name="Decidir e ver").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Entrar")
        await enter(page, await sessoes.create_link(scope, person.ator))
        await page.goto(f"/autorizacoes/{decided[-2]}/revisao")
        await expect(page.get_by_label("Motivo")).to_have_value(MOTIVO)
        await expect(page.get_by_role("combobox", name="Decisão")).to_have_value("NEGADO")
        await page.get_by_role("button", name="Decidir e ver").click()
        await expect(page.locator(".decisao .selo")).to_contain_text("Negado")
        await page.goto(f"/autorizacoes/{decided[-2]}/revisao")
        await page.get_by_role("button", name="Pegar para rever de novo").click()
        await expect(page.get_by_label("Motivo")).to_have_value("")


async def test_everything_works_without_scripts(shared_server: Any, decided: list[str], link_of: Callable[[str], Any]) -> None:
    async with opened(shared_server.address, scripts=False) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/autorizacoes/fila")
        await page.get_by_role("button", name="Pegar a próxima").click()
        await page.get_by_role("combobox", name="Decisão").select_option("APROVADO")
        await page.get_by_label("Motivo").fill(MOTIVO)
        await page.get_by_role("button", name="Decidir e ir à próxima").click()
        await expect(page.get_by_text("Tudo gravado.")).to_be_visible()
        await expect(page.get_by_role("button", name="Decidir e ir à próxima")).to_be_visible()
        await page.get_by_role("button", name="Devolver à fila").click()
        await expect(page.get_by_text("Devolvida à fila.")).to_be_visible()
        await page.goto("/politicas")
        await page.get_by_role("link", name="Versão 1.1 de Manual de teste").click()
        await page.get_by_role("link", name="Publicar").click()
        await page.get_by_label("Por que publicar assim").fill("Meia unidade é como o manual diz.")
        await page.get_by_role("button", name="Publicar").click()
        await page.get_by_role("link", name="Revogar").click()
        await page.get_by_label("Motivo").fill("Substituída.")
        await page.get_by_role("button", name="Revogar").click()
        await expect(page.locator(".selo.grande")).to_contain_text("Revogada")


async def test_a_regra_that_decided_is_in_sight_in_its_document(
    shared_server: Any, decided: list[str], link_of: Callable[[str], Any]
) -> None:
    async with opened(shared_server.address, width=390) as page:
        await let_in(page, await link_of("revisor"))
        await page.goto(f"/autorizacoes/{decided[0]}")
        await page.get_by_role("link", name="Ver a regra no documento").click()
        await expect(page.locator("#regra")).to_be_in_viewport()
        await expect(page.locator("#regra")).to_contain_text("Decidiu o pedido")
        await approve(page, "politica-regra-light-390")
