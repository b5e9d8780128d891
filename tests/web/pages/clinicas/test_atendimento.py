"""The reception's page by plain requests: who may open it, what it shows of whom, and what is kept of each act."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import httpx
import pytest

from atendimento import Attended, attended, events_of
from cenario import MORNING
from crivo.bootstrap import Container
from crivo.clinicas.sino import Sino
from crivo.kernel.access import Usuario, deactivate_usuario, set_papel
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.web.pages.ao_vivo import Pedaco, Ritmo, events
from crivo.web.pages.clinicas.atendimento_vista import short_name, since

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
QUEUE = "/clinicas/atendimento"
START = "/clinicas/conversa"
EMERGENCY = "to com dor no peito faz meia hora, vai pro braço esquerdo"


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento")) as running:
        yield running


@pytest.fixture
def settings(scope: Scope, clinics: Attended) -> Settings:
    """Those of the application, where the clinics are."""
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


class Window:
    """Somebody's browser, with the token of their session."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self.client = client
        self._token = token

    async def read(self, address: str) -> str:
        return (await self.client.get(address)).text

    async def send(self, address: str, **fields: str) -> httpx.Response:
        return await self.client.post(address, data={"csrf": self._token, **fields})


@pytest.fixture
def window(signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf) -> Callable[[str], Awaitable[Window]]:
    async def make(papel: str) -> Window:
        client = await signed_in(scope, (await new_person(scope, papel)).ator)
        return Window(client, csrf_of((await client.get(START)).text))

    return make


WindowOf = Callable[[str], Awaitable[Window]]


async def conversing(patient: Window, *said: str) -> str:
    begun = await patient.send(START, papel="paciente", nome="Ana Braga", cpf="529.982.247-25")
    for texto in said:
        await patient.send(begun.headers["location"], texto=texto)
    return str(begun.headers["location"])


@pytest.mark.parametrize("papel", ["paciente", "avaliador", "revisor"])
async def test_only_who_attends_opens_the_reception(
    window: WindowOf, scope: Scope, signed_in: SignedIn, new_person: NewPerson, papel: str
) -> None:
    client = await signed_in(scope, (await new_person(scope, papel)).ator)
    assert (await client.get(QUEUE)).status_code == 403


async def test_the_queue_shows_why_and_who_by_first_name_and_initial(window: WindowOf) -> None:
    reception, patient = await window("operador"), await window("paciente")
    assert "Ninguém pede uma pessoa agora" in await reception.read(QUEUE)
    await conversing(patient, "quero falar com uma pessoa")
    shown = await reception.read(QUEUE)
    assert "Pediu uma pessoa" in shown
    assert "<bdi>Ana B.</bdi>" in shown
    assert "Ana Braga" not in shown
    assert "1 paciente espera por uma pessoa" in await reception.read("/")
    assert "1 paciente espera por uma pessoa" not in await patient.read("/")


async def test_each_act_is_in_the_audit_with_no_word_of_the_conversation(window: WindowOf, container: Container, scope: Scope) -> None:
    reception, patient = await window("operador"), await window("paciente")
    where = (await conversing(patient, EMERGENCY)).replace(START, QUEUE)
    for act, fields in (("assumir", {}), ("responder", {"texto": "Já ligou para o 192?"}), ("devolver", {})):
        assert (await reception.send(f"{where}/{act}", **fields)).status_code == 303
    async with container.database.unit_of_work(scope) as uow:
        kept = [entry for entry in await list_latest(uow, 20) if entry.acao.startswith("atendimento.")]
    assert [entry.acao for entry in reversed(kept)] == ["atendimento.assumido", "atendimento.respondido", "atendimento.devolvido"]
    assert len({entry.ator for entry in kept}) == 1
    assert {entry.dados for entry in kept} == {'{"motivo":"emergencia"}'}
    assert {entry.alvo for entry in kept} == {f"conversa:{where.rsplit('/', 1)[1]}"}


async def test_what_was_not_done_is_not_in_the_audit(window: WindowOf, container: Container, scope: Scope) -> None:
    first, second, patient = await window("operador"), await window("gestor"), await window("paciente")
    where = (await conversing(patient, "atendente")).replace(START, QUEUE)
    answers = await asyncio.gather(first.send(f"{where}/assumir"), second.send(f"{where}/assumir"))
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    refused = next(answer.text for answer in answers if answer.status_code == 409)
    assert "já está com esta conversa" in refused
    async with container.database.unit_of_work(scope) as uow:
        assert sum(entry.acao == "atendimento.assumido" for entry in await list_latest(uow, 20)) == 1


async def test_who_does_not_have_it_cannot_write_and_what_they_wrote_comes_back(window: WindowOf) -> None:
    reception, patient = await window("operador"), await window("paciente")
    where = (await conversing(patient, "atendente")).replace(START, QUEUE)
    refused = await reception.send(f"{where}/responder", texto="oi, Ana")
    assert refused.status_code == 409
    assert "Assuma a conversa antes de responder" in refused.text


async def test_a_conversation_that_ended_is_told_to_the_reception(window: WindowOf) -> None:
    reception, patient = await window("operador"), await window("paciente")
    conversation = await conversing(patient, "atendente")
    await reception.send(f"{conversation.replace(START, QUEUE)}/assumir")
    await patient.send(f"{conversation}/encerrar")
    gone = await reception.send(f"{conversation.replace(START, QUEUE)}/responder", texto="oi")
    assert gone.status_code == 404
    assert "A pessoa encerrou a conversa" in gone.text
    assert "Ninguém pede uma pessoa agora" in gone.text


async def test_another_tenant_sees_nobody(
    window: WindowOf, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn
) -> None:
    patient = await window("paciente")
    where = (await conversing(patient, "atendente")).replace(START, QUEUE)
    elsewhere = new_tenant()
    stranger = await signed_in(elsewhere, (await new_person(elsewhere, "gestor")).ator)
    assert "Ninguém pede uma pessoa agora" in (await stranger.get(QUEUE)).text
    assert (await stranger.get(where)).status_code == 404


async def test_the_menu_leads_back_to_a_conversation_that_is_open(window: WindowOf) -> None:
    patient = await window("paciente")
    conversation = await conversing(patient, "oi")
    start = await patient.read(START)
    assert f'href="{conversation}#agora"' in start
    assert "Continuar a conversa" in start
    asked = await patient.read(f"{conversation}/encerrar")
    assert "continua marcado" in asked
    await patient.send(f"{conversation}/encerrar")
    assert "Continuar a conversa" not in await patient.read(START)


async def test_what_a_person_writes_is_the_next_piece_and_the_last_when_they_leave(window: WindowOf) -> None:
    reception, patient = await window("operador"), await window("paciente")
    conversation = await conversing(patient, "atendente")
    where = conversation.replace(START, QUEUE)
    await reception.send(f"{where}/assumir")
    await reception.send(f"{where}/responder", texto="Sou a Marta")
    assert 'data-eventos="' in await patient.read(conversation)
    await reception.send(f"{where}/devolver")
    heard = (await patient.client.get(f"{conversation}/eventos")).text.split("\n\n", 1)[1]
    ((name, piece),) = events_of(heard)
    assert name == "fim"
    assert "Sou a Marta" in piece
    assert "O assistente continua com você." in piece


async def always() -> bool:
    return True


async def written_once() -> Pedaco:
    return Pedaco("a")


async def test_a_stream_ends_before_the_piece_that_whoever_listens_may_hear_no_more() -> None:
    sino, answers = Sino(), iter([True, False])

    async def ainda() -> bool:
        return next(answers)

    heard = [event.decode() async for event in events(sino, written_once, ainda, Ritmo(look=0.0))]
    assert [event.split("\n")[0] for event in heard] == ["retry: 2000", "event: andamento", "event: fim"]
    assert 'data: ""' in heard[-1]


async def test_a_quiet_stream_is_asked_about_without_being_written_again() -> None:
    sino, written, answers = Sino(), [], iter([True, True, True, False])

    async def ainda() -> bool:
        return next(answers)

    async def render() -> Pedaco:
        written.append(1)
        return Pedaco("a")

    heard = [event async for event in events(sino, render, ainda, Ritmo(look=60.0, ask=0.0))]
    assert (len(written), len(heard)) == (1, 3)


@pytest.fixture
def told_how_it_stands(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once a stream has opened, told how it stands, and waits for its bell."""
    waits, after = asyncio.Event(), Sino.after

    async def noted(sino: Sino, vezes: int, seconds: float) -> int:
        waits.set()
        return await after(sino, vezes, seconds)

    monkeypatch.setattr(Sino, "after", noted)
    return waits


@pytest.mark.parametrize("how", ["acesso", "sair", "papel"])
async def test_who_may_attend_no_more_hears_nothing_of_what_a_patient_says_next(
    window: WindowOf,
    scope: Scope,
    container: Container,
    signed_in: SignedIn,
    new_person: NewPerson,
    csrf_of: CsrfOf,
    told_how_it_stands: asyncio.Event,
    how: str,
) -> None:
    patient = await window("paciente")
    conversation = await conversing(patient, "quero falar com uma pessoa")
    usuario = await new_person(scope, "operador")
    client = await signed_in(scope, usuario.ator)
    reception = Window(client, csrf_of((await client.get(START)).text))
    listening = asyncio.create_task(client.get(f"{QUEUE}/eventos", params={"conversa": conversation.rpartition("/")[2]}))
    await told_how_it_stands.wait()
    if how == "sair":
        await reception.send("/sair")
    else:
        async with container.database.unit_of_work(scope) as uow:
            now = container.clock.now()
            await (deactivate_usuario(uow, now, usuario) if how == "acesso" else set_papel(uow, now, usuario, "revisor"))
    await patient.send(conversation, texto="tenho um segredo")
    async with asyncio.timeout(10):
        told = (await listening).text.split("\n\n", 1)[1]
    assert [name for name, _ in events_of(told)] == ["andamento", "fim"]
    assert "segredo" not in told


async def test_a_deactivated_patient_hears_nothing_of_what_the_reception_answers_next(
    window: WindowOf,
    scope: Scope,
    container: Container,
    signed_in: SignedIn,
    new_person: NewPerson,
    csrf_of: CsrfOf,
    told_how_it_stands: asyncio.Event,
) -> None:
    usuario, reception = await new_person(scope, "paciente"), await window("operador")
    client = await signed_in(scope, usuario.ator)
    conversation = await conversing(Window(client, csrf_of((await client.get(START)).text)), "quero falar com uma pessoa")
    listening = asyncio.create_task(client.get(f"{conversation}/eventos"))
    await told_how_it_stands.wait()
    async with container.database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, container.clock.now(), usuario)
    where = conversation.replace(START, QUEUE)
    await reception.send(f"{where}/assumir")
    await reception.send(f"{where}/responder", texto="um segredo")
    async with asyncio.timeout(10):
        assert "segredo" not in (await listening).text


async def test_only_a_piece_that_is_another_is_told() -> None:
    sino, pieces = Sino(), iter([Pedaco("a"), Pedaco("a"), Pedaco("b"), Pedaco("c", is_last=True)])

    async def render() -> Pedaco:
        return next(pieces)

    heard = [event.decode() async for event in events(sino, render, always, Ritmo(look=0.0))]
    assert [event.split("\n")[0] for event in heard] == [
        "retry: 2000",
        "event: andamento",
        ": nada mudou",
        "event: andamento",
        "event: fim",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "agora"), (40.7, "há 40 s"), (150, "há 2 min"), (3_600, "há 1 h"), (3_960, "há 1 h 6 min")]
)
def test_a_wait_is_told_in_words(seconds: float, said: str) -> None:
    assert since(seconds) == said


@pytest.mark.parametrize(("nome", "said"), [("Ana Maria Braga", "Ana B."), ("Pelé", "Pelé")])
def test_a_name_is_cut_short(nome: str, said: str) -> None:
    assert short_name(nome) == said
