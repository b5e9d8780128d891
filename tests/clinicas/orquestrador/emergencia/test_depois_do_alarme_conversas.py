"""Whole conversations in which somebody is ill: what cannot wait is said first, and what was told of it is believed.

Source: design, "Nobody is harmed".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path

import pytest

from crivo.clinicas.avaliacao.ensaio import ClinicasEmMemoria, Dados, read_data
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import Paciente, Step
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.kernel.clock import BRASILIA, FixedClock

AGENDAS = Path(__file__).parents[5] / "shared/data/evals/conversas_agendas"
NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)
ANA = Paciente("Ana Souza", "529.982.247-25")
CANNOT_WAIT = "Isso não espera consulta: ligue agora para o 192"

Talk = Callable[..., Awaitable[list[Reply]]]


class InMemory:
    """Clinics held in memory, answering as they would over the wire."""

    def __init__(self, clinics: ClinicasEmMemoria) -> None:
        self._clinics = clinics

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        return Answer(self._clinics.call(step, ANA))


@pytest.fixture(scope="module")
def dados() -> Dados:
    if not AGENDAS.exists():
        pytest.skip("needs the agendas in ../shared/data/evals/conversas_agendas")
    return read_data(AGENDAS)


@pytest.fixture
def talk(dados: Dados) -> Talk:
    """Says things one after the other in one conversation; what was said back to each."""
    router = Router(InMemory(dados.open(NOW)), dados.registro)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    directory = Directory(router, dados.registro, lambda: 0.0)
    conversation = Session(pipeline, directory, dados.registro, FixedClock(NOW), paciente=ANA)

    async def say(*utterances: str) -> list[Reply]:
        return [await conversation.say(said) for said in utterances]

    return say


@pytest.mark.parametrize(
    ("ill", "asked"),
    [
        ("ela tá com a boca torta e falando enrolado", "será que pode ser amanhã com o cardiologista?"),
        ("minha mãe tá com a boca torta e não mexe o braço", "tem neurologista amanhã?"),
        ("meu avô desmaiou e não acorda", "queria um horário pra ele na sexta"),
        ("minha filha tá convulsionando", "marca um ortopedista"),
    ],
)
async def test_an_appointment_is_no_answer_to_what_cannot_wait_and_it_is_said_first_of_whoever_is_ill(
    talk: Talk, ill: str, asked: str
) -> None:
    _, first, yes, again = await talk(ill, asked, "sim", "quero dermatologista")
    assert first.texto.startswith(CANNOT_WAIT)
    assert "a pessoa que está mal" in first.texto
    assert "você estiver se sentindo" not in first.texto
    assert yes.texto.startswith("Ligue agora para o 192")
    assert yes.recado == "emergencia"
    assert again.texto.startswith(CANNOT_WAIT)


@pytest.mark.parametrize("said", ["cancela", "quero marcar", "minhas consultas", "quais horários tem na clínica E?"])
async def test_every_calm_request_of_somebody_who_bleeds_has_the_line_first(talk: Talk, said: str) -> None:
    *_, first, yes, last = await talk("oi quero desmarcar", "tô grávida e sangrando muito", said, "sim", "quero marcar dermatologista")
    assert first.texto.startswith(CANNOT_WAIT)
    assert "você precisa de socorro" in first.texto
    assert "192" in yes.texto
    assert last.texto.startswith(CANNOT_WAIT)


@pytest.mark.parametrize("said", ["pode marcar", "ok", "tá bom", "isso mesmo", "marca"])
async def test_a_bare_yes_while_the_alarm_stands_books_nothing_and_gets_the_help_again(talk: Talk, said: str) -> None:
    *_, yes, held = await talk("meu pai tá com dor no peito agora", "tem a dra Norma dia 25?", said, "minhas consultas")
    assert yes.texto.startswith("Ligue agora para o 192")
    assert "Você não tem consulta marcada" in held.texto


@pytest.mark.parametrize("said", ["blablabla", "é grave?", "posso dar dipirona?"])
async def test_what_is_not_understood_or_is_a_doctors_after_a_calm_request_gets_the_help_again(talk: Talk, said: str) -> None:
    *_, reply = await talk("minha mãe tá com a boca torta e não mexe o braço", "tem cardiologista amanhã?", said)
    assert reply.texto.startswith("Ligue agora para o 192")
    assert reply.recado == "emergencia"


@pytest.mark.parametrize("said", ["era brincadeira", "tava zoando, desculpa", "calma, é mentira kkk", "foi só um teste", "just kidding"])
async def test_a_plain_retraction_is_believed_and_the_list_before_it_is_open_again(talk: Talk, said: str) -> None:
    *_, taken_back, chosen = await talk(
        "quero marcar cardiologista", "tô com uma dor forte no peito e o braço formigando", said, "o segundo"
    )
    assert taken_back.recado == "desmentida"
    assert "quinta-feira, 17/07, às 17:30, com a Dra. Kátia Bueno" in chosen.texto


@pytest.mark.parametrize(
    "said", ["não é brincadeira", "não tô brincando", "acho que não é nada", "ainda não passou", "isso não é emergência?", "foi por engano"]
)
async def test_what_denies_a_retraction_or_doubts_it_is_none(talk: Talk, said: str) -> None:
    *_, reply = await talk("tô com uma dor forte no peito e o braço formigando", said)
    assert reply.texto.startswith("Ligue agora para o 192")
    assert reply.recado == "emergencia"


@pytest.mark.parametrize(
    ("ill", "said", "glad"),
    [
        ("meu olho inchou e a boca tá inchando depois que comi camarão", "ok, já liguei pro samu", "já foi chamado"),
        ("minha mãe desmaiou aqui e não acorda", "a ambulância tá a caminho", "já foi chamado"),
        ("meu pai tá com dor no peito agora", "estamos indo pro hospital", "já estão a caminho"),
        ("meu pai tá com dor no peito agora", "já tô no hospital com ele, tá tudo bem", "quem cuide"),
        ("minha filha tá convulsionando", "tá tudo bem agora, ela já foi atendida", "quem cuide"),
        ("minha filha tá convulsionando", "o samu levou ela", "quem cuide"),
        ("minha mãe desmaiou aqui e não acorda", "já passou, ela acordou", "ainda hoje"),
        ("tô com uma dor forte no peito e o braço formigando", "a dor passou, já tô melhor", "ainda hoje"),
    ],
)
async def test_help_under_way_is_heard_and_the_conversation_goes_on(talk: Talk, ill: str, said: str, glad: str) -> None:
    _, _, told, on, listed = await talk("quero dermatologista", ill, said, "quero continuar", "tem cardiologista amanhã?")
    assert told.texto.startswith("Que bom")
    assert glad in told.texto
    assert on.texto.startswith("Encontrei")
    assert listed.texto.startswith("Encontrei")


@pytest.mark.parametrize(
    "said",
    [
        "o samu já vem?",
        "algum médico aqui?",
        "manda o socorro",
        "já passou uma hora e nada",
        "ela tá bem tonta",
        "ela acordou assim torta",
        "não sinto nada na perna",
        "fui na upa e tava fechada",
        "chamei um uber",
        "vou chamar o samu",
        "tá bem",
    ],
)
async def test_what_only_sounds_like_help_under_way_is_answered_by_where_help_is(talk: Talk, said: str) -> None:
    *_, reply = await talk("minha mãe tá com a boca torta e não mexe o braço", said)
    assert "192" in reply.texto
    assert not reply.texto.startswith("Que bom")
    assert reply.recado == "emergencia"


async def test_distress_is_heard_again_after_help_was_called(talk: Talk) -> None:
    *_, worse, asked = await talk("minha mãe desmaiou aqui e não acorda", "já liguei pro samu", "tá piorando", "quero cardiologista")
    assert worse.texto.startswith("Ligue agora para o 192")
    assert asked.texto.startswith(CANNOT_WAIT)


@pytest.mark.parametrize("said", ["quero continuar", "I want to continue", "vamos continuar, por favor"])
async def test_to_go_on_is_no_new_alarm(talk: Talk, said: str) -> None:
    *_, reply = await talk("quero dermatologista", "minha mãe desmaiou aqui e não acorda", "já liguei pro samu", said)
    assert reply.recado is None
    assert reply.texto.startswith(("Encontrei", "I found"))


async def test_not_to_want_to_go_on_is_one(talk: Talk) -> None:
    *_, reply = await talk("minha mãe desmaiou aqui e não acorda", "já liguei pro samu", "não quero mais continuar vivendo")
    assert "188" in reply.texto


async def test_nobody_answers_though_they_were_called(talk: Talk) -> None:
    *_, reply = await talk("minha mãe desmaiou aqui e não acorda", "liguei pro 192 e ninguém atende")
    assert "193" in reply.texto
    assert reply.recado == "emergencia"


async def test_what_is_asked_in_the_same_breath_is_answered_after_it(talk: Talk) -> None:
    *_, reply = await talk("tô com uma dor forte no peito e o braço formigando", "já passou, quero marcar um cardiologista")
    first, second, *_ = reply.texto.split("\n")
    assert "ainda hoje" in first
    assert second.startswith("Encontrei")


async def test_who_is_ill_is_not_told_to_stay_with_somebody_and_fear_is_heard(talk: Talk) -> None:
    *_, reply = await talk("queria um horário com cardiologista, não consigo respirar direito e tô suando frio", "tô com medo")
    assert "Fique junto da pessoa" not in reply.texto
    assert "Não dirija" in reply.texto
    assert "natural ter medo" in reply.texto


async def test_who_is_with_the_ill_is_told_to_stay(talk: Talk) -> None:
    *_, reply = await talk("meu filho engoliu um monte de remédio", "e agora?")
    assert "Fique junto da pessoa" in reply.texto
    assert "0800 722 6001" in reply.texto


@pytest.mark.parametrize(
    "said",
    [
        "se eu tiver dor no peito, pra qual clínica eu ligo?",
        "em caso de emergência, pra onde eu vou?",
        "se minha mãe passar mal de noite, quem eu chamo?",
        "vocês atendem emergência?",
    ],
)
async def test_whom_to_call_in_an_emergency_that_may_come_is_192_and_no_clinic(talk: Talk, said: str) -> None:
    asked, plain, booked = await talk(said, "não tô com dor, é só pra saber", "quero cardiologista sábado 9h")
    assert asked.texto.startswith("Numa emergência, ligue 192 (SAMU), não uma clínica")
    assert asked.recado is None
    assert "Que bom" in plain.texto
    assert "192" not in booked.texto


@pytest.mark.parametrize("said", ["para quem eu ligo pra remarcar?", "onde eu vou na sexta?", "qual clínica eu procuro pra dor no joelho?"])
async def test_a_question_where_to_go_that_speaks_of_no_emergency_is_none(talk: Talk, said: str) -> None:
    (reply,) = await talk(said)
    assert "Numa emergência" not in reply.texto


async def test_a_jest_about_dying_is_answered_with_who_listens(talk: Talk) -> None:
    *_, reply = await talk("quero me matar", "era brincadeira")
    assert "188" in reply.texto
    assert reply.recado == "desmentida"


@pytest.mark.parametrize("ill", ["meu pai tá com a boca torta e falando enrolado", "tô com uma dor forte no peito e o braço formigando"])
@pytest.mark.parametrize(
    "said", ["enfim, o 5", "enfim o 5", "então, o quinto", "é o 5, pra mim", "anyway, number 5", "ah, é pra minha filha não, é pra mim"]
)
async def test_who_plainly_goes_on_gets_the_help_once_more_and_is_answered_beneath_it_the_second_time(
    talk: Talk, ill: str, said: str
) -> None:
    _, _, once, on = await talk("quero marcar ortopedista", ill, "minha filha se chama Beatriz", said)
    assert once.texto.startswith("Ligue agora para o 192")
    first, second, *_ = on.texto.split("\n")
    assert "192" in first
    assert first.startswith(("Isso não espera consulta", "This cannot wait"))
    assert second.strip()
    assert on.recado is None


@pytest.mark.parametrize(
    "said", ["ele tá suando frio", "tá ficando cinza", "e agora?", "tô com medo", "sim", "ninguém atende", "o samu já vem?"]
)
async def test_what_has_a_sign_in_it_or_asks_for_help_gets_it_however_often(talk: Talk, said: str) -> None:
    *_, first, second, third = await talk("meu pai tá com a boca torta e falando enrolado", "ele tem 70 anos", said, said, said)
    for reply in (first, second, third):
        assert "19" in reply.texto.split(".")[0]
        assert reply.recado == "emergencia"


async def test_who_despairs_and_is_not_understood_is_told_twice_who_listens(talk: Talk) -> None:
    _, once, again, thrice = await talk("quero me matar", "blablabla", "blablabla", "blablabla")
    for reply in (once, again, thrice):
        assert "188" in reply.texto
        assert reply.recado == "emergencia"
        assert "Não entendi" not in reply.texto


async def test_rain_is_no_emergency_and_a_choice_after_it_is_one(talk: Talk) -> None:
    _, rain, chosen = await talk("quero marcar ortopedista", "tá chovendo muito aí?", "enfim, o 5")
    assert "192" not in rain.texto
    assert "192" not in chosen.texto
    assert "09:00" in chosen.texto
