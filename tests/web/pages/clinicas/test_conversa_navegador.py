"""The conversation in a real browser: streamed with our script, whole without it, on desktop and phone, light and dark."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import Route, expect

from atendimento import Attended, attended
from avaliacao_guardada import leave_evaluation
from conversa_no_navegador import begin, say
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import LOCAL_TENANT, Scope
from navegador import IS_MISSING, Theme, approve, let_in, opened

LinkOf = Callable[..., Awaitable[str]]
CASA = Scope(LOCAL_TENANT, "teste", CONSOLE)  # whose the clinics of this server are
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento"), now=True) as running:
        yield running


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any], clinics: Attended) -> Iterator[Any]:
    with run_server(CRIVO_DATA_DIR=str(clinics.clinicas.data_dir)) as running:
        yield running


@pytest.fixture(autouse=True)
def all_slots_free(clinics: Attended) -> None:
    clinics.reset()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_patient_books_prints_and_cancels_by_pressing(
    served: Any, clinics: Attended, link_of: LinkOf, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as page:
        await let_in(page, await link_of("paciente"))
        await page.goto("/clinicas/conversa")
        await expect(page.get_by_label("Seu nome completo")).to_have_value("Pessoa paciente")
        await approve(page, f"inicio-{theme}-{width}")
        await page.get_by_label("Seu CPF").fill("529.982.247-25")
        await page.get_by_role("button", name="Começar a conversa").click()
        await expect(page.get_by_role("heading", name="Suas consultas")).to_be_visible()
        await approve(page, f"conversa-{theme}-{width}")
        await page.get_by_role("button", name="Quero um cardiologista").click()
        await expect(page.locator(".mais-cedo")).to_have_count(1)
        await approve(page, f"horarios-{theme}-{width}")
        await page.locator(".horario").nth(1).click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        await expect(page.locator(".horario")).to_have_count(0)
        await expect(page.locator("#falas")).not_to_contain_text("529.982")
        await expect(page.get_by_text("Como cada resposta foi feita")).to_have_count(0)
        await approve(page, f"marcada-{theme}-{width}")
        assert len(clinics.held()) == 1
        await page.locator(".confirmacao").get_by_role("link", name="Ver o comprovante").click()
        await expect(page.get_by_text("***.982.247-**")).to_be_visible()
        await approve(page, f"comprovante-{theme}-{width}")
        await page.emulate_media(media="print", color_scheme=theme)
        await expect(page.get_by_role("link", name="Voltar à conversa")).to_be_hidden()
        await expect(page.locator(".topo")).to_be_hidden()
        await approve(page, f"impresso-{theme}-{width}")
        await page.emulate_media(media="screen", color_scheme=theme)
        await page.get_by_role("link", name="Voltar à conversa").click()
        await page.locator(".consultas summary").click()
        await page.get_by_role("button", name="Sim, cancelar esta consulta").click()
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta cancelada")
        assert clinics.held() == []
        await page.get_by_role("link", name="Encerrar e esquecer").click()
        await expect(page.get_by_role("dialog")).to_contain_text("continua marcado")
        await approve(page, f"encerrar-{theme}-{width}")
        await page.get_by_role("dialog").get_by_role("button", name="Encerrar e esquecer").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Vamos cuidar da sua consulta?")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_reception_attends_with_the_trace_beside(served: Any, link_of: LinkOf, theme: Theme, width: int) -> None:
    async with opened(served.address, theme, width) as page:
        await let_in(page, await link_of("operador", CASA))
        await page.goto("/clinicas/conversa")
        await approve(page, f"recepcao-{theme}-{width}")
        await page.get_by_role("button", name="Começar a atender").click()
        await say(page, "Bia Castro Lima, CPF 111.444.777-35, quer um cardiologista")
        await expect(page.get_by_text("Atendendo Bia Castro Lima")).to_be_visible()
        if width == 390:
            await expect(page.locator(".passo").first).to_be_hidden()
            await page.get_by_text("Como cada resposta foi feita").click()
        await expect(page.locator(".passo").first).to_contain_text("Ver os horários livres: Clínica")
        await expect(page.locator(".passo").first).to_contain_text("Código: planejador embutido")
        await expect(page.locator(".passo .veredito").first).to_contain_text("Resposta conferida")
        await approve(page, f"rastro-{theme}-{width}")
        await page.goto("/clinicas/situacao")
        await expect(page.get_by_text("Todas as 2 clínicas respondem.")).to_be_visible()
        await approve(page, f"situacao-{theme}-{width}")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_the_evaluations_are_charted(served: Any, clinics: Attended, link_of: LinkOf, theme: Theme, width: int) -> None:
    folder = clinics.clinicas.data_dir
    async with opened(served.address, theme, width) as page:
        await let_in(page, await link_of("gestor"))
        shutil.rmtree(folder / "avaliacoes", ignore_errors=True)
        await page.goto("/clinicas/avaliacao")
        await approve(page, f"sem-avaliacao-{theme}-{width}")
        leave_evaluation(folder, "20261101-101500", "embutido", 45)
        leave_evaluation(folder, "20261102-101500", "modelo", 39, falhas_do_modelo={"planner: demorou": 2})
        await page.goto("/clinicas/avaliacao")
        await expect(page.locator("svg.faixa").first).to_be_visible()
        await approve(page, f"avaliacao-{theme}-{width}")


async def test_a_stream_that_breaks_is_told_and_the_answer_found_again(served: Any, clinics: Attended, link_of: LinkOf) -> None:
    async with opened(served.address) as page:
        await begin(page, await link_of("paciente"))

        async def without_its_end(route: Route) -> None:
            answer = await route.fetch()
            await route.fulfill(response=answer, body=(await answer.text()).split("event: fim")[0])

        await page.route("**/clinicas/conversa/*", without_its_end, times=1)
        await say(page, "quero um cardiologista")
        await expect(page.locator(".horario").first).to_be_visible()
        await expect(page.locator(".a-caminho")).to_have_count(0)


async def test_the_conversation_works_without_scripts(served: Any, clinics: Attended, link_of: LinkOf) -> None:
    async with opened(served.address, scripts=False) as page:
        await begin(page, await link_of("paciente"))
        await say(page, "quero um cardiologista")
        await page.locator(".horario").first.click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        assert len(clinics.held()) == 1
        await page.locator(".consultas summary").click()
        await page.get_by_role("button", name="Sim, cancelar esta consulta").click()
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta cancelada")
        assert clinics.held() == []


async def test_the_keyboard_alone_holds_the_conversation(served: Any, link_of: LinkOf) -> None:
    async with opened(served.address) as page:
        await begin(page, await link_of("paciente"))
        await page.get_by_label("Sua mensagem").focus()
        await page.keyboard.insert_text("quero um cardiologista")
        await page.keyboard.press("Enter")
        await expect(page.locator(".horario").first).to_be_visible()
        await expect(page.get_by_label("Sua mensagem")).to_be_focused()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_mother_books_for_her_daughter_and_the_receipt_says_for_whom(
    served: Any, clinics: Attended, link_of: LinkOf, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as page:
        await begin(page, await link_of("paciente"))
        await say(page, "preciso de um cardiologista para a minha filha")
        await expect(page.locator(".fala.crivo").last).to_contain_text("vou pedir o nome completo e o CPF dessa pessoa")
        await page.locator(".horario").first.click()
        await expect(page.locator(".fala.crivo").last).to_contain_text("preciso do nome completo e do CPF de quem vai ser atendido")
        assert clinics.held() == []
        await approve(page, f"filha-pergunta-{theme}-{width}")
        await say(page, "Bia Braga Souza")
        await expect(page.locator(".fala.crivo").last).to_contain_text("E o CPF de Bia")
        await say(page, "111.444.777-35")
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        await expect(page.locator(".confirmacao")).to_contain_text("Bia Braga Souza")
        assert [one[4] for one in clinics.held()] == ["111.444.777-35"]
        await expect(page.locator("#consultas")).to_contain_text("Bia Braga Souza")
        await approve(page, f"filha-marcada-{theme}-{width}")
        await page.locator(".confirmacao").get_by_role("link", name="Ver o comprovante").click()
        await expect(page.locator("main")).to_contain_text("Bia Braga Souza")
        await approve(page, f"filha-comprovante-{theme}-{width}")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_what_was_understood_is_taken_out_one_thing_at_a_time(served: Any, link_of: LinkOf, theme: Theme, width: int) -> None:
    async with opened(served.address, theme, width) as page:
        await begin(page, await link_of("paciente"))
        await say(page, "quero um cardiologista, só de manhã, menos segunda")
        await expect(page.locator(".entendi .ficha")).to_have_text(["só de manhã", "menos segunda"])
        await approve(page, f"fichas-{theme}-{width}")
        await page.get_by_role("button", name="Tirar menos segunda").click()
        await expect(page.locator(".fala.pessoa").last).to_contain_text("Tirar: menos segunda")
        await expect(page.locator(".entendi").last.locator(".ficha")).to_have_text(["só de manhã"])
        await expect(page.locator(".entendi button")).to_have_count(1)
        await approve(page, f"fichas-tiradas-{theme}-{width}")


async def test_what_was_understood_is_taken_out_without_scripts_and_the_trace_shows_it(served: Any, link_of: LinkOf) -> None:
    async with opened(served.address, scripts=False) as page:
        await let_in(page, await link_of("operador", CASA))
        await page.goto("/clinicas/conversa")
        await page.get_by_role("button", name="Começar a atender").click()
        await say(page, "Bia Castro Lima, CPF 111.444.777-35, quer um cardiologista, só de manhã")
        before = await page.locator(".passo").count()
        await page.get_by_role("button", name="Tirar só de manhã").click()
        await expect(page.locator(".passo")).to_have_count(before + 1)
        await expect(page.locator(".passo").last).to_contain_text("Ver os horários livres")
        await expect(page.locator(".horario").first).to_be_visible()
