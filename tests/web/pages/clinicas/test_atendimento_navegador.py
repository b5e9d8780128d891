"""An emergency on a phone, and the way from the assistant to a person and back, in two windows of a real browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from atendimento import Attended, attended
from conversa_no_navegador import begin, say
from crivo.kernel.access import Papel
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, let_in, opened

LinkOf = Callable[[Papel], Awaitable[str]]
EMERGENCY = "to com dor no peito faz meia hora, vai pro braço esquerdo"
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento"), now=True) as running:
        yield running


@pytest.fixture
def served(run_server: Callable[..., Any], clinics: Attended, scope: Scope) -> Iterator[Any]:
    """A server of its own for each, whose the clinics are: its reception is empty at first."""
    with run_server(CRIVO_DATA_DIR=str(clinics.clinicas.data_dir), CRIVO_TENANT=scope.tenant_id) as running:
        yield running


@pytest.fixture(autouse=True)
def all_slots_free(clinics: Attended) -> None:
    clinics.reset()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_an_emergency_shows_whom_to_call_and_no_slot_and_the_booking_goes_on_when_it_was_none(
    served: Any, link_of: LinkOf, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as page:
        await begin(page, await link_of("paciente"))
        before_a_word = page.get_by_role("complementary", name="Emergência").get_by_role("link", name="192")
        await expect(before_a_word).to_be_in_viewport()
        await expect(before_a_word).to_have_attribute("href", "tel:192")
        await say(page, EMERGENCY)
        alarm = page.get_by_role("alert")
        await expect(alarm.get_by_role("heading")).to_have_text("Ligue agora para o 192")
        call = alarm.get_by_role("link", name="Ligar 192, SAMU")
        await expect(call).to_be_in_viewport()
        await expect(call).to_have_attribute("href", "tel:192")
        await expect(page.locator(".horario")).to_have_count(0)
        await expect(alarm).not_to_contain_text("A recepção já foi avisada")  # nobody is there to be told
        await approve(page, f"emergencia-{theme}-{width}")
        await page.get_by_role("button", name="Não é emergência, continuar").click()
        await expect(page.locator(".turno:not(.a-caminho)")).to_have_count(3)
        await expect(page.get_by_text("Não é emergência, continuar", exact=True).first).to_be_visible()
        await say(page, "quero um cardiologista")
        await expect(page.locator(".horario").first).to_be_visible()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_patient_asks_for_a_person_is_answered_live_and_is_given_back(
    served: Any, link_of: LinkOf, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as patient, opened(served.address, theme, width) as reception:
        await let_in(reception, await link_of("operador"))
        await reception.goto("/clinicas/atendimento")
        await expect(reception.get_by_text("Ninguém pede uma pessoa agora")).to_be_visible()
        await approve(reception, f"atendimento-vazio-{theme}-{width}")
        await begin(patient, await link_of("paciente"))
        await say(patient, "quero um cardiologista")
        await approve(patient, f"atendimento-horarios-{theme}-{width}")
        await patient.get_by_role("button", name="falar com uma pessoa").click()
        await expect(patient.locator("#falas")).to_contain_text("Chamei a recepção. Você é a próxima pessoa da fila")
        await approve(patient, f"atendimento-espera-{theme}-{width}")
        waiting = reception.get_by_role("link", name="Pediu uma pessoa")
        await expect(waiting).to_contain_text("Ana B.")
        await approve(reception, f"atendimento-fila-{theme}-{width}")
        await waiting.click()
        await expect(reception.locator("#falas")).to_contain_text("falar com uma pessoa")
        await reception.get_by_role("button", name="Assumir a conversa", exact=True).click()
        await expect(patient.locator(".passou")).to_contain_text("Pessoa, da recepção, entrou na conversa.")
        await patient.locator("#mensagem").fill("pode ser à")  # what is being written stays while answers come
        await reception.get_by_label("Sua resposta").fill("Oi, Ana! Serve amanhã de manhã?")
        await reception.get_by_role("button", name="Responder").click()
        await expect(patient.locator(".gente")).to_contain_text("Oi, Ana! Serve amanhã de manhã?")
        await expect(patient.locator("#mensagem")).to_have_value("pode ser à")
        await expect(reception.get_by_label("Sua resposta")).to_have_value("")
        await say(patient, "pode ser a primeira")
        await expect(reception.locator(".dela").last).to_contain_text("pode ser a primeira")
        await expect(patient.locator(".confirmacao")).to_have_count(0)  # it was said to a person
        await approve(patient, f"atendimento-paciente-{theme}-{width}")
        await approve(reception, f"atendimento-recepcao-{theme}-{width}")
        await say(patient, EMERGENCY)
        await expect(patient.get_by_role("alert")).to_contain_text("A recepção já foi avisada.")
        await expect(reception.locator(".emergencia")).to_contain_text("Emergência: coração")
        await approve(reception, f"atendimento-emergencia-{theme}-{width}")
        await reception.get_by_role("button", name="Devolver ao assistente").click()
        await expect(reception.get_by_text("O assistente continua a conversa.")).to_be_visible()
        await expect(patient.locator(".passou").last).to_contain_text("O assistente continua com você.")
        await say(patient, "quero um cardiologista")
        await expect(patient.locator(".horario").first).to_be_visible()


async def test_of_two_who_take_a_conversation_the_second_is_told_who_has_it(served: Any, link_of: LinkOf) -> None:
    async with (
        opened(served.address) as patient,
        opened(served.address) as first,
        opened(served.address, scripts=False, refused=409) as second,
    ):
        await begin(patient, await link_of("paciente"))
        await say(patient, "quero falar com uma pessoa")
        for one in (first, second):
            await let_in(one, await link_of("operador"))
            await one.goto("/clinicas/atendimento")
            await one.get_by_role("link", name="Pediu uma pessoa").click()
        await first.get_by_role("button", name="Assumir a conversa", exact=True).click()
        await expect(first.get_by_label("Sua resposta")).to_be_visible()
        await second.get_by_role("button", name="Assumir a conversa", exact=True).click()
        await expect(second.get_by_role("alert")).to_contain_text("Pessoa já está com esta conversa.")
        await expect(second.get_by_label("Sua resposta")).to_have_count(0)


async def test_a_handoff_works_without_scripts(served: Any, link_of: LinkOf) -> None:
    async with opened(served.address, width=390, scripts=False) as patient, opened(served.address, scripts=False) as reception:
        await begin(patient, await link_of("paciente"))
        await say(patient, "tem alguém de carne e osso aí?")
        await expect(patient.locator("#falas")).to_contain_text("não há ninguém lá agora")
        await let_in(reception, await link_of("operador"))
        await reception.goto("/clinicas/atendimento")
        await reception.get_by_role("button", name="Assumir a conversa de Ana B.").click()
        await reception.get_by_label("Sua resposta").fill("Sou a Marta, em que ajudo?")
        await reception.get_by_role("button", name="Responder").click()
        await expect(reception.locator(".daqui")).to_contain_text("Sou a Marta, em que ajudo?")
        await patient.get_by_role("link", name="Ver se chegou resposta").click()
        await expect(patient.locator(".gente")).to_contain_text("Sou a Marta, em que ajudo?")
        await say(patient, "preciso de uma segunda via")
        await reception.get_by_role("link", name="Atualizar").click()
        await expect(reception.locator(".dela").last).to_contain_text("preciso de uma segunda via")
        await reception.get_by_role("button", name="Devolver ao assistente").click()
        await patient.get_by_role("link", name="Ver se chegou resposta").click()
        await expect(patient.locator(".passou").last).to_contain_text("O assistente continua com você.")
        await patient.goto("/clinicas/conversa")
        await patient.get_by_role("link", name="Continuar a conversa").click()
        await expect(patient.locator(".gente")).to_be_visible()
        await patient.get_by_role("link", name="Encerrar e esquecer").click()
        await expect(patient.get_by_text("continua marcado")).to_be_visible()
        await patient.get_by_role("button", name="Encerrar e esquecer").click()
        await expect(patient.get_by_role("heading", level=1)).to_have_text("Vamos cuidar da sua consulta?")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_a_cancellation_is_asked_about_by_two_buttons_and_undone_by_one(
    served: Any, clinics: Attended, link_of: LinkOf, theme: Theme, width: int
) -> None:
    async with opened(served.address, theme, width) as page:
        await begin(page, await link_of("paciente"))
        await say(page, "quero um cardiologista, só de manhã")
        await expect(page.locator(".entendi")).to_contain_text("de manhã")
        await page.locator(".horario").first.click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        held = clinics.held()
        await say(page, "desmarca a minha consulta")
        await approve(page, f"confirma-{theme}-{width}")
        await page.get_by_role("button", name="Sim", exact=True).click()
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta cancelada")
        assert clinics.held() == []
        await approve(page, f"cancelada-{theme}-{width}")
        await page.get_by_role("button", name="Desfazer").click()
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta marcada")
        await expect(page.get_by_role("button", name="Desfazer")).to_have_count(0)
        assert clinics.held() == held
