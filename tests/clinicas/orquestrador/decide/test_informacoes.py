"""Questions about a clinic: answered from the registry or by who knows, and never with slots."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from crivo.clinicas.avaliacao.ensaio import Dados
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Plan
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.orquestrador.entende.selecao import select
from crivo.clinicas.orquestrador.escreve.conhecido import known as may_be_said
from crivo.clinicas.orquestrador.escreve.embutido import write
from crivo.clinicas.registro import Clinica, Registro

ANA = Paciente("Ana Braga", "529.982.247-25")
STREET = "Rua do Sossego, 12, Centro"
FACTS = {
    "endereco": STREET,
    "telefone": "(85) 3000-0009",
    "horario_de_atendimento": "de segunda a sexta, das 8h às 18h",
    "convenios": ["Plano Aurora", "Vida Serena"],
    "preco_particular": "R$ 250, com retorno em 30 dias",
    "valores": "cartão em até 3 vezes, dinheiro ou pix",
    "estacionamento": "há vagas gratuitas na rua ao lado",
    "como_chegar": "a 200 metros da estação Benfica do metrô",
    "acessibilidade": "entrada com rampa e elevador",
    "preparo": {"Cardiologia": "traga os exames do último ano", "Arritmologia": "não tome café no dia"},
    "observacoes": "crianças podem entrar com um responsável",
}
Ask = Callable[..., tuple[Plan, str]]


def knowing(registro: Registro, *ids: str) -> Registro:
    """The registry with all facts of some clinics."""
    told = [msgspec.convert(msgspec.to_builtins(one) | (FACTS if one.id in ids else {}), Clinica) for one in registro]
    return Registro(tuple(told))


@pytest.fixture
def ask(dados: Dados, dialogue: Dialogue) -> Ask:
    """Says things one after the other where the registry knows clinic_c; the plan of the last and the text, which must pass the rules."""

    def say(*utterances: str, known: tuple[str, ...] = ("clinic_c",)) -> tuple[Plan, str]:
        clinics = dados.open(dialogue.now)
        state = msgspec.structs.replace(dialogue, registro=knowing(dados.registro, *known))
        made, text = Plan(), ""
        for utterance in utterances:
            made, pending = plan(utterance, state)
            replies = tuple(clinics.call(step, ANA) for step in made.steps)
            text = write(utterance, made, replies, state)
            held = may_be_said(state, utterance, select(made, replies, state))
            verdict = verify_text(text, replies, ANA, "paciente", registro=state.registro, now=state.now, extra_safe=held)
            assert verdict.safe, (utterance, verdict.note)
            state = dialogo.after(state, utterance, made, replies, pending)
        return made, text

    return say


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("onde fica a clínica C?", STREET),
        ("qual o endereço da Clínica C", STREET),
        ("dá pra ir de metrô até a clínica C?", "200 metros da estação Benfica"),
        ("qual o telefone da clínica C?", "(85) 3000-0009"),
        ("tem whatsapp a clínica C?", "(85) 3000-0009"),
        ("que horas abre a clínica C?", "das 8h às 18h"),
        ("a clínica C funciona no sábado?", "de segunda a sexta"),
        ("quais convênios a clínica C aceita?", "Plano Aurora e Vida Serena"),
        ("a clínica C atende pelo plano Vida Serena?", "aceita Vida Serena"),
        ("vcs atendem vida serena na clínica c?", "aceita Vida Serena"),
        ("a clínica C pega Vida Serena?", "aceita Vida Serena"),
        ("clinica c trabalha com vida serena", "aceita Vida Serena"),
        ("da pra usar o vida serena na clinica c?", "aceita Vida Serena"),
        ("vida serena na clínica C?", "aceita Vida Serena"),
        ("tem vida serena aí na clínica C", "aceita Vida Serena"),
        ("quanto custa a consulta na clínica C?", "R$ 250"),
        ("aceita cartão na clínica C?", "3 vezes"),
        ("tem estacionamento na clínica C?", "vagas gratuitas"),
        ("o que preciso levar na clínica C?", "traga os exames"),
        ("a clínica C tem rampa pra cadeirante?", "elevador"),
        ("quanto é a consulta com o Dr. Fernando Mendes?", "R$ 250"),
        ("how much is the appointment at clinic C?", "private consultation: R$ 250"),
    ],
)
def test_what_the_registry_knows_is_told_and_no_slot_is_offered(ask: Ask, said: str, told: str) -> None:
    made, text = ask(said)
    assert told in text
    assert made.steps == ()
    assert made.recusa is None


@pytest.mark.parametrize(
    "said",
    [
        "qual o valor da consulta particular de ortopedia?",
        "dá pra ir de metrô até a clínica D?",
        "vocês aceitam o convênio Saúde do Norte na clínica A?",
        "tem estacionamento na clínica B?",
        "que horas fecha a clínica F?",
        "qual o zap da clínica A?",
    ],
)
def test_what_the_registry_does_not_know_is_said_not_to_be_known_and_nothing_is_made_up(ask: Ask, said: str) -> None:
    made, text = ask(said)
    assert "não sei dizer" in text
    assert "recepção" in text
    assert not any(char.isdigit() for char in text)
    assert made.steps == ()
    assert made.recusa == "escopo"


@pytest.mark.parametrize("said", ["posso levar criança na clínica C?", "precisa de pedido médico na clínica C?", "tem wifi na clínica C?"])
def test_what_no_field_holds_is_left_to_reception_with_its_telephone(ask: Ask, said: str) -> None:
    made, text = ask(said)
    assert "Sobre isso (Clínica C), não sei dizer por aqui" in text
    assert "Clínica C, telefone (85) 3000-0009" in text
    assert made.steps == ()


def test_directions_that_are_not_known_are_said_so_beside_the_address(dialogue: Dialogue) -> None:
    known = Clinica("clinic_c", "Clínica C", "Cardiologia", 1, "http://127.0.0.1:1/mcp", endereco=STREET)
    made, _ = plan("dá pra ir de metrô até a clínica C?", msgspec.structs.replace(dialogue, registro=Registro((known,))))
    assert made.fala is not None
    assert STREET in made.fala
    assert "como chegar (Clínica C), não sei dizer" in made.fala


def test_a_booking_and_a_question_in_one_message_are_both_done(ask: Ask) -> None:
    made, text = ask("marca o Dr. Fernando dia 18 às 10h e me diz se tem estacionamento")
    assert [(step.clinic, step.action) for step in made.steps] == [("clinic_c", "book_appointment")]
    assert "Clínica C, estacionamento: há vagas gratuitas" in text


def test_a_listing_and_a_question_in_one_message_are_both_done(ask: Ask) -> None:
    made, text = ask("tem vaga com o Dr. Fernando e aceita o plano Aurora?")
    assert {step.action for step in made.steps} == {"list_available_slots"}
    assert "Clínica C: aceita Plano Aurora" in text


def test_the_clinic_is_the_one_of_the_appointment_just_booked(ask: Ask) -> None:
    for said, told in (
        ("e onde fica?", STREET),
        ("tem onde parar o carro? estacionamento?", "vagas gratuitas"),
        ("quanto custa?", "R$ 250"),
    ):
        made, text = ask("marca o Dr. Fernando dia 18 às 10h", said)
        assert text.startswith("Clínica C")
        assert told in text
        assert made.steps == ()


def test_a_question_in_between_does_not_forget_what_was_shown(ask: Ask) -> None:
    made, _ = ask("horários do Dr. Fernando", "quanto custa?", "o primeiro")
    assert [(step.clinic, step.action) for step in made.steps] == [("clinic_c", "book_appointment")]


def test_when_and_where_the_appointment_is_is_told_from_what_was_booked(ask: Ask) -> None:
    for said in ("é que horas e em qual clínica?", "anotei errado, que horas é mesmo?", "esqueci o dia"):
        made, text = ask("marca o Dr. Fernando dia 18 às 10h", said)
        assert "sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes (Clínica C)" in text
        assert made.steps == ()


def test_the_receipt_of_a_booking_says_where_to_go_and_whom_to_call(ask: Ask) -> None:
    _, text = ask("marca o Dr. Fernando dia 18 às 10h")
    assert f"Clínica C: {STREET}, telefone (85) 3000-0009" in text
    _, text = ask("marca o Dr. Fernando dia 18 às 10h", known=())
    assert text.count("\n") == 0


def test_a_specialty_asks_of_each_of_its_clinics_and_the_whole_network_of_all(ask: Ask) -> None:
    _, text = ask("quanto custa o cardiologista?", known=("clinic_a", "clinic_c"))
    assert "Clínica A e Clínica C, consulta particular: R$ 250" in text
    _, text = ask("qual o telefone?", known=("clinic_a", "clinic_c"))
    assert "Clínica A e Clínica C: telefone (85) 3000-0009" in text


def test_a_wish_to_bring_a_child_to_a_doctor_is_no_question_about_the_clinic(ask: Ask) -> None:
    made, _ = ask("preciso levar minha filha num dermatologista")
    assert {step.clinic for step in made.steps} == {"clinic_b", "clinic_f"}


def test_what_medicine_to_take_stays_a_refusal_beside_a_question(ask: Ask) -> None:
    made, _ = ask("posso tomar a losartana em jejum?")
    assert made.recusa == "R1"


def test_another_persons_telephone_is_not_a_clinics(ask: Ask) -> None:
    made, text = ask("me passa o telefone da paciente Marina Teles")
    assert made.recusa == "R2"
    assert "3000" not in text


def test_an_everyday_word_or_a_doctors_name_is_no_plan(dados: Dados, dialogue: Dialogue) -> None:
    doctor = next(iter(dialogue.doctors))
    surname = doctor.split()[-1]
    first = next(iter(dados.registro))
    told = msgspec.structs.replace(first, convenios=("Hoje", surname))
    state = msgspec.structs.replace(dialogue, registro=Registro((told, *tuple(dados.registro)[1:])))
    for said in ("quero uma consulta hoje", f"tem horário com {doctor}?"):
        made, _ = plan(said, state)
        assert made.fala is None or "aceita" not in made.fala
