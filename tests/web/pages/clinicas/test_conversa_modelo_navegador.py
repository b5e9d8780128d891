"""A whole conversation planned and worded by a model, in a real browser, over a provider at a port of this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from atendimento import Attended, attended
from conversa_no_navegador import say
from crivo.kernel.access import Papel
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened
from provedor import Falta, Provedor, always, provedor_no_ar
from recepcao_por_http import Recepcao

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
LinkOf = Callable[[Papel], Awaitable[str]]
UNCLEAR = "o que combina com a saída da escola"
TURN = 30_000  # milliseconds: a turn may wait 8 s for each part of a model that fails


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento"), now=True) as running:
        yield running


@pytest.fixture
def recepcao() -> Recepcao:
    return Recepcao()


@pytest.fixture
def provedor(recepcao: Recepcao) -> Iterator[Provedor]:
    with provedor_no_ar(Provedor(campos=recepcao.fields)) as running:
        yield running


@pytest.fixture
def served(run_server: Callable[..., Any], clinics: Attended, provedor: Provedor, scope: Scope) -> Iterator[Any]:
    """A server whose conversations a model plans; no answer of another test's model is its own."""
    modelo = {"CRIVO_MODELO": f"openai-compatible:{uuid4()}", "CRIVO_MODELO_URL": provedor.url, "CRIVO_PLANEJADOR": "modelo"}
    with run_server(CRIVO_DATA_DIR=str(clinics.clinicas.data_dir), CRIVO_TENANT=scope.tenant_id, **modelo) as running:
        yield running


@pytest.fixture
async def begun(clinics: Attended, link_of: LinkOf) -> Callable[[Page, Papel], Awaitable[None]]:
    """Begins a conversation about one patient, with all slots free."""

    async def begin(page: Page, papel: Papel) -> None:
        clinics.reset()
        await let_in(page, await link_of(papel))
        await page.goto("/clinicas/conversa")
        if papel == "operador":
            await page.get_by_role("button", name="Começar a atender").click()
            await say(page, "Bia Castro Lima, CPF 111.444.777-35, quero um cardiologista", TURN)
        else:
            await page.get_by_label("Seu CPF").fill("529.982.247-25")
            await page.get_by_role("button", name="Começar a conversa").click()
            await page.get_by_role("button", name="Quero um cardiologista").click()
        await expect(page.locator(".horario").nth(2)).to_be_visible(timeout=TURN)

    return begin


async def slot(page: Page, number: int) -> tuple[str, str]:
    """The hour of a slot that is shown, and with whom and where it is."""
    shown = page.locator(".horario").nth(number - 1)
    return await shown.locator(".horario-hora").inner_text(), await shown.locator(".horario-onde").inner_text()


def agents(provedor: Provedor) -> list[str]:
    """Who asked the model, in order."""
    names = {"Você planeja os turnos": "planner", "Você é a recepção": "responder", "Você confere, por último": "verifier"}
    return [next(name for words, name in names.items() if words in one.texto) for one in provedor.recebidos]


async def test_a_patient_books_by_a_button_and_by_a_question_with_a_model_that_plans(
    served: Any, clinics: Attended, provedor: Provedor, recepcao: Recepcao, begun: Callable[[Page, Papel], Awaitable[None]]
) -> None:
    """Blueprint 2.5: listing, a slot by its button, "Posso marcar…?", confirmation, receipt."""
    async with opened(served.address) as page:
        await begun(page, "paciente")
        assert agents(provedor)[0] == "planner"
        assert set(agents(provedor)) == {"planner", "responder", "verifier"}
        _, by_button = await slot(page, 2)
        recepcao.escolhe = 2
        await page.locator(".horario").nth(1).click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada", timeout=TURN)
        assert len(clinics.held()) == 1
        assert clinics.held()[0][1] in by_button

        await say(page, "Quero um cardiologista também para a minha revisão", TURN)
        hora, by_question = await slot(page, 3)
        recepcao.escolhe = 3
        provedor.esquecer()
        await say(page, UNCLEAR, TURN)
        asked = page.locator(".turno").last
        await expect(asked).to_contain_text("Posso marcar")
        assert hora in await asked.inner_text()
        assert len(clinics.held()) == 1  # nothing on a model's word alone
        await approve(page, "modelo-pergunta")
        await say(page, "sim", TURN)
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta marcada")
        assert len(clinics.held()) == 2
        assert any(doctor in by_question for _, doctor, *_ in clinics.held())
        assert agents(provedor).count("planner") == 2
        assert "529.982" not in "".join(one.texto for one in provedor.recebidos)
        await page.locator(".confirmacao").last.get_by_role("link", name="Ver o comprovante").click()
        await expect(page.get_by_text("***.982.247-**")).to_be_visible()
        assert by_question.splitlines()[0] in await page.locator("main").inner_text()


async def test_a_reception_sees_that_a_model_planned(
    served: Any, provedor: Provedor, begun: Callable[[Page, Papel], Awaitable[None]]
) -> None:
    async with opened(served.address) as page:
        await begun(page, "operador")
        await expect(page.locator(".passo").first).to_contain_text("Modelo")
        await approve(page, "modelo-rastro")
        assert "111.444" not in "".join(one.texto for one in provedor.recebidos)


@pytest.mark.parametrize("falta", ["erro_503", "cortada", "texto_nao_json"])
async def test_a_model_that_fails_in_mid_conversation_is_noticed_by_nobody(
    served: Any, clinics: Attended, provedor: Provedor, begun: Callable[[Page, Papel], Awaitable[None]], falta: Falta
) -> None:
    """Design, Planner: the embedded one takes over in the same turn."""
    async with opened(served.address) as page:
        await begun(page, "paciente")
        provedor.esquecer()
        provedor.sempre = always(falta)
        _, onde = await slot(page, 3)
        await page.locator(".horario").nth(2).click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada", timeout=TURN)
        assert "planner" in agents(provedor)
        assert provedor.pagos == (0 if falta != "texto_nao_json" else len(provedor.recebidos))
        assert [doctor in onde for _, doctor, *_ in clinics.held()] == [True]
        said = (await page.locator("#falas").inner_text()).lower()
        assert not any(word in said for word in ("modelo", "erro", "falh", "indispon", "não respondeu"))
        provedor.sempre = None
        provedor.esquecer()
        await say(page, "Quero um cardiologista de novo", TURN)
        await expect(page.locator(".horario").first).to_be_visible()
        assert {"planner", "responder"} <= set(agents(provedor))  # and is asked again once it is back
