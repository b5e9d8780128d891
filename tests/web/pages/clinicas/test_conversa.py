"""The conversation as pages and forms, without any script."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from html import unescape

import httpx
import pytest
from fastapi import FastAPI

from atendimento import Attended, attended, events_of
from cenario import MORNING
from crivo.bootstrap import Container
from crivo.kernel.access import Papel, Usuario, set_papel
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope

LinkOf = Callable[..., Awaitable[str]]

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
START = "/clinicas/conversa"
UNKNOWN = "0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00"  # an id that nobody was given
HOSTILE = "\"'><script>alert(1)</script>{{ 7*7 }}"


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento")) as running:
        yield running


@pytest.fixture
def settings(scope: Scope, clinics: Attended) -> Settings:
    """Those of the application, where the clinics are."""
    clinics.reset()
    folder = clinics.clinicas.data_dir
    return Settings(
        _env_file=None,
        data_dir=folder,
        tenant=scope.tenant_id,
        limite_por_minuto=0,
        agora=MORNING,
        log_nivel="ERROR",
        endereco_publico="http://crivo.teste",
    )


@pytest.fixture
async def token(browser: httpx.AsyncClient, csrf_of: CsrfOf) -> str:
    return csrf_of((await browser.get(START)).text)


async def begin(browser: httpx.AsyncClient, token: str, papel: str = "paciente") -> str:
    person = {"nome": "Ana Braga", "cpf": "529.982.247-25"} if papel == "paciente" else {}
    begun = await browser.post(START, data={"csrf": token, "papel": papel, **person})
    assert begun.status_code == 303
    return str(begun.headers["location"])


async def say(browser: httpx.AsyncClient, token: str, conversation: str, texto: str) -> str:
    sent = await browser.post(conversation, data={"csrf": token, "texto": texto})
    assert (sent.status_code, sent.headers["location"]) == (303, f"{conversation}#agora")
    return (await browser.get(conversation)).text


async def test_a_person_books_by_the_button_of_a_slot(browser: httpx.AsyncClient, token: str, clinics: Attended) -> None:
    """Interfaces: /clinicas/conversa, chat with a visible trace."""
    conversation = await begin(browser, token)
    shown = await say(browser, token, conversation, "quero um cardiologista")
    assert "Ver os horários livres: Clínica A" in shown
    assert "Ver os horários livres: Clínica C" in shown
    assert "Resposta conferida com os dados das clínicas" in shown
    buttons = re.findall(r'name="texto" value="([^"]+)"', shown)
    chosen = next(button for button in buttons if button.startswith("Sexta-feira, 18/07, às 10:00"))
    booked = await say(browser, token, conversation, unescape(chosen))
    assert "Consulta marcada" in booked
    assert '<p class="confirmacao-quando">sexta-feira, 18 de julho de 2025, às 10h</p>' in booked
    confirmation = booked.split('<div class="confirmacao ')[1].split("</li>")[0]
    for said in ("Dr. Fernando Mendes", "Cardiologia", "Clínica C", f'href="{conversation}/comprovante"'):
        assert said in confirmation
    assert 'class="horario"' not in booked
    assert [held[1:4] for held in clinics.held()] == [("Dr. Fernando Mendes", "2025-07-18", "10:00")]


async def test_a_cpf_is_never_whole_on_the_page(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    page = await say(browser, token, conversation, "meu CPF é 529.982.247-25, quero um cardiologista")
    receipt = (await browser.get(f"{conversation}/comprovante")).text
    assert "529.982.247-25" not in page + receipt + conversation
    assert "***.982.247-**" in page
    assert "***.982.247-**" in receipt


async def test_what_was_said_is_shown_as_text(browser: httpx.AsyncClient, token: str) -> None:
    page = await say(browser, token, await begin(browser, token), HOSTILE)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7*7 }}" in page


@pytest.mark.parametrize("texto", ["", "   ", "x" * 2_001])
async def test_a_message_that_cannot_be_taken_comes_back_with_the_reason(browser: httpx.AsyncClient, token: str, texto: str) -> None:
    conversation = await begin(browser, token)
    refused = await browser.post(conversation, data={"csrf": token, "texto": texto})
    assert refused.status_code == 422
    assert "Escreva o que você precisa, em até 2000 caracteres." in refused.text
    assert texto.strip() in refused.text


async def test_a_message_before_the_answer_to_the_last_comes_back_with_the_reason_and_the_text(
    browser: httpx.AsyncClient, token: str, clinics: Attended
) -> None:
    conversation = await begin(browser, token)
    await say(browser, token, conversation, "quero um cardiologista")
    with clinics.no_writing_at("clinic_c"):
        booking = asyncio.create_task(say(browser, token, conversation, "Dr. Fernando, dia 18 às 10h"))
        while "Ainda estou respondendo." not in (await browser.get(conversation)).text:
            assert not booking.done()
        refused = await browser.post(conversation, data={"csrf": token, "texto": "e agora?"})
        assert refused.status_code == 409
        assert "Ainda estou respondendo à mensagem anterior" in refused.text
        assert ">e agora?</textarea>" in refused.text
    assert "Consulta marcada" in await booking


async def test_a_staff_member_is_asked_whom_a_booking_is_for(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token, "operador")
    assert "Você fala como: Recepção" in (await browser.get(conversation)).text
    await say(browser, token, conversation, "quero um cardiologista")
    assert "De quem é a consulta?" in await say(browser, token, conversation, "Dr. Fernando, dia 18 às 10h")


async def test_ending_a_conversation_forgets_it(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    ended = await browser.post(f"{conversation}/encerrar", data={"csrf": token})
    assert (ended.status_code, ended.headers["location"]) == (303, START)
    for gone in (
        await browser.get(conversation),
        await browser.post(conversation, data={"csrf": token, "texto": "oi"}),
        await browser.post(f"{conversation}/encerrar", data={"csrf": token}),
    ):
        assert gone.status_code == 404
        assert "Esta conversa não existe ou já terminou" in gone.text
        assert "Começar a conversa" in gone.text


async def test_a_conversation_is_shown_to_nobody_else(
    browser: httpx.AsyncClient, token: str, app: FastAPI, container: Container, scope: Scope, csrf_of: CsrfOf, link_of: LinkOf
) -> None:
    conversation = await begin(browser, token)
    link = await link_of("super_admin")
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers={"accept": "text/html"}
    ) as other:
        await other.post("/entrar", data={"token": link})
        refused = await other.get(conversation)
        assert refused.status_code == 404
        assert "Ana" not in refused.text
        own = csrf_of((await other.get(START)).text)
        assert (await other.post(conversation, data={"csrf": own, "texto": "oi"})).status_code == 404
    assert (await browser.get(conversation)).status_code == 200


@pytest.mark.parametrize("address", [START, f"{START}/{UNKNOWN}", f"{START}/{UNKNOWN}/encerrar"])
async def test_a_form_from_elsewhere_is_refused(browser: httpx.AsyncClient, token: str, address: str) -> None:
    assert (await browser.post(address, data={"texto": "oi"})).status_code == 403
    elsewhere = {"origin": "https://outro.exemplo"}
    assert (await browser.post(address, data={"csrf": token, "texto": "oi"}, headers=elsewhere)).status_code == 403


async def test_our_script_hears_the_turn_and_gets_the_page_as_it_then_is(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    fields, events = {"csrf": token, "texto": "quero um cardiologista"}, {"accept": "text/event-stream"}
    answered = await browser.post(conversation, data=fields, headers=events)
    assert answered.headers["content-type"] == "text/event-stream; charset=utf-8"
    heard = events_of(answered.text)
    assert heard[0] == ("andamento", "Entendi. Falando com as clínicas…")
    assert ("andamento", "Clínica A respondeu.") in heard
    assert [name for name, _ in heard][-1] == "fim"
    fragment = heard[-1][1]
    assert fragment.startswith('<div class="conversa com-rastro"')
    assert fragment.strip() in (await browser.get(conversation)).text


async def test_our_script_is_refused_as_the_page_is(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    refused = await browser.post(conversation, data={"csrf": token, "texto": " "}, headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.headers["content-type"]) == (422, "text/html; charset=utf-8")


async def test_name_and_cpf_are_asked_for_at_the_start_and_faults_are_told_beside_their_field(
    browser: httpx.AsyncClient, token: str
) -> None:
    refused = await browser.post(START, data={"csrf": token, "papel": "paciente", "nome": "Ana", "cpf": "111.111.111-11"})
    assert refused.status_code == 422
    assert "Escreva o nome e o sobrenome" in refused.text
    assert "Esse CPF não confere" in refused.text
    assert 'value="Ana"' in refused.text


async def test_a_patient_sees_no_trace_and_no_reception(signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf) -> None:
    patient = await signed_in(scope, (await new_person(scope, "paciente")).ator)
    start = (await patient.get(START)).text
    token = csrf_of(start)
    assert "Começar a atender" not in start
    assert 'value="Pessoa paciente"' in start
    conversation = await begin(patient, token)
    shown = await say(patient, token, conversation, "quero um cardiologista")
    assert "Toque num horário ou escreva o número" in shown
    fields, events = {"csrf": token, "texto": "e de manhã?"}, {"accept": "text/event-stream"}
    streamed = events_of((await patient.post(conversation, data=fields, headers=events)).text)[-1][1]
    for page in (shown, streamed):
        assert "Como cada resposta foi feita" not in page
        assert "Conferência" not in page


async def test_a_patient_may_not_attend_others_whatever_the_form_says(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    patient = await signed_in(scope, (await new_person(scope, "paciente")).ator)
    refused = await patient.post(START, data={"csrf": csrf_of((await patient.get(START)).text), "papel": "operador"})
    assert refused.status_code == 403
    assert "Você pode cuidar das suas próprias consultas" in refused.text


async def test_who_loses_the_role_loses_the_reception_that_was_open(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf, container: Container
) -> None:
    person = await new_person(scope, "operador")
    visitor = await signed_in(scope, person.ator)
    conversation = await begin(visitor, csrf_of((await visitor.get(START)).text), "operador")
    assert (await visitor.get(conversation)).status_code == 200
    async with container.database.unit_of_work(scope) as uow:
        await set_papel(uow, MORNING, person, "paciente")
    assert (await visitor.get(conversation)).status_code == 401  # another role ends the sessions of before
    again = await signed_in(scope, person.ator)
    assert (await again.get(conversation)).status_code == 403


@pytest.mark.parametrize("papel", ["operador", "gestor"])
async def test_whoever_attends_sees_who_planned_and_who_wrote(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf, papel: Papel
) -> None:
    visitor = await signed_in(scope, (await new_person(scope, papel)).ator)
    token = csrf_of((await visitor.get(START)).text)
    conversation = await begin(visitor, token, "operador")
    shown = await say(visitor, token, conversation, "quero um cardiologista")
    trace = shown.split("Como cada resposta foi feita")[1]
    assert "Código: <bdi>planejador embutido</bdi>" in trace
    assert "Código: <bdi>texto composto dos dados</bdi>" in trace


async def test_what_is_held_can_be_moved_or_cancelled_by_a_press_and_is_on_the_receipt(
    browser: httpx.AsyncClient, token: str, clinics: Attended
) -> None:
    conversation = await begin(browser, token)
    assert "Ainda não há consulta nesta conversa" in (await browser.get(f"{conversation}/comprovante")).text
    await say(browser, token, conversation, "quero um cardiologista")
    held = await say(browser, token, conversation, "Dr. Fernando, dia 18 às 10h")
    receipt = (await browser.get(f"{conversation}/comprovante")).text
    for said in ("Ana Braga", "sexta-feira, 18 de julho de 2025, às 10h", "Dr. Fernando Mendes", "Clínica C"):
        assert said in receipt
    messages = {unescape(one) for one in re.findall(r'name="texto" value="(Quero (?:ver|cancelar)[^"]+)"', held)}
    cancel = next(one for one in messages if one.startswith("Quero cancelar"))
    move = next(one for one in messages if one.startswith("Quero ver"))
    assert "Toque num horário ou escreva o número" in await say(browser, token, conversation, move)
    cancelled = await say(browser, token, conversation, cancel)
    assert "Consulta cancelada" in cancelled
    assert clinics.held() == []
    assert "<s>sexta-feira, 18 de julho de 2025, às 10h</s>" in (await browser.get(f"{conversation}/comprovante")).text


async def test_a_yes_on_a_page_of_before_answers_no_other_question(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    for said in ("quero um cardiologista", "Dr. Fernando, dia 18 às 10h"):
        await say(browser, token, conversation, said)
    shown = await say(browser, token, conversation, "preciso desmarcar")
    seen = re.search(r'name="visto" value="(\d+)"', shown)
    assert seen is not None
    asked = await say(browser, token, conversation, "não, deixa como está")
    stale = await browser.post(conversation, data={"csrf": token, "texto": "Sim", "visto": seen[1]})
    assert stale.status_code == 409
    assert "Nada foi feito: a conversa continuou em outra aba" in stale.text
    assert (await browser.get(conversation)).text.count('class="fala pessoa"') == asked.count('class="fala pessoa"')
    fresh = await browser.post(conversation, data={"csrf": token, "texto": "Não", "visto": str(int(seen[1]) + 1)})
    assert fresh.status_code == 303


async def test_a_conversation_begins_with_something_to_press(browser: httpx.AsyncClient, token: str) -> None:
    conversation = await begin(browser, token)
    page = (await browser.get(conversation)).text
    assert 'value="Quero um cardiologista"' in page
    listed = await say(browser, token, conversation, "Quero um cardiologista")
    assert 'class="horario"' in listed
    assert "Sugestões" not in listed
    refused = await say(browser, token, conversation, "qual a dose de dipirona para mim?")
    assert "Sugestões" in refused
