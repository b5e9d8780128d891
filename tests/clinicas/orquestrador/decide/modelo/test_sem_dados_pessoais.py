"""What a model is shown of a conversation: no name, no CPF, in no form, and nothing of patients' records."""

from __future__ import annotations

import pytest

from atendimento_por_modelo import CARLA, attending, in_turn, planning, shown, step
from crivo.clinicas.orquestrador.entende.mascara import masked
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.llm.port import Dado

HEITOR = "Dr. Heitor Guimarães"
BOTH = planning(step("clinic_a", "list_available_slots"), step("clinic_c", "list_available_slots"))
BOOK = planning(step("clinic_c", "book_appointment", doctor=HEITOR, date="2028-09-15", time="16:00"))
MOVE = planning(
    step(
        "clinic_c",
        "reschedule_appointment",
        doctor=HEITOR,
        original_date="2028-09-15",
        original_time="16:00",
        new_date="2028-09-21",
        new_time="14:00",
    )
)
CANCEL = planning(step("clinic_c", "cancel_appointment", doctor=HEITOR, date="2028-09-21", time="14:00"))
TURNS = (
    "oi, sou a Carla Nogueira Pires, CPF 529.982.247-25, quero um cardiologista",
    "pode ser com o Dr. Heitor dia 15 às 16h, Carla Pires aqui",
    "aqui é a carla: muda a minha consulta para o dia 21 às 14h",
    "n-o-g-u-e-i-r-a falando, preciso cancelar minha consulta",
    "me chamo CARLA NOGUEIRA, 52998224725, fone (11) 98765-4321, e-mail carla.pires@exemplo.com.br",
    "meu cpf é 5 2 9 9 8 2 2 4 7 2 5, ou 529 982 247 25, ou 529/982/247/25",
)
SECRETS = ("carla", "nogueira", "pires", "n-o-g", "529", "52998224725", "982.247", "5 2 9 9", "98765", "4321", "exemplo.com")


async def test_no_question_of_a_whole_conversation_has_name_cpf_or_phone() -> None:
    """Blueprint 4.2: name and CPF stay in memory; what a model is shown is masked."""
    visit = attending(in_turn(BOTH, BOOK, MOVE, CANCEL))
    visit.transport.note = "Aguardamos Carla Nogueira, CPF 529.982.247-25."
    for said in TURNS:
        await visit.say(said)
    asked = [fold(shown(question)) for question in visit.modelo.perguntas]
    assert {question.agente for question in visit.modelo.perguntas} == {"clinicas.planner", "clinicas.responder", "clinicas.verifier"}
    assert len(visit.asked("planner")) >= len(TURNS) - 1
    for secret in SECRETS:
        assert not [text for text in asked if secret in text], secret


async def test_what_the_person_and_the_clinics_wrote_goes_in_as_data_under_a_nonce() -> None:
    visit = attending(BOTH)
    visit.transport.note = "Bilhete da casa."
    await visit.say("quero um cardiologista, senhor robô")
    for question in visit.modelo.perguntas:
        told = [part for part in question.partes if isinstance(part, str)]
        assert question.nonce == "nonce"
        assert not [part for part in (*told, question.prompt.texto) if "senhor robô" in part or "Bilhete" in part]
        assert [part for part in question.partes if isinstance(part, Dado)]


async def test_registry_and_catalogue_are_data_and_not_typed_into_the_prompt() -> None:
    """Blueprint 2.3.1: the prompt is a file; registry and catalogue come with the question."""
    visit = attending(BOTH)
    await visit.say("quero um cardiologista")
    (question,) = visit.asked("planner")
    assert not [clinica.id for clinica in visit.dialogue.registro if clinica.id in question.prompt.texto]
    assert all(clinica.id in str(question.partes[0]) for clinica in visit.dialogue.registro)
    assert "reschedule_appointment" in str(question.partes[1])
    assert "2028-09-12 08:00, terça-feira" in shown(question)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("quero o Dr. Heitor Guimarães dia 15/09/2028 às 16:00", "quero o Dr. Heitor Guimarães dia 15/09/2028 às 16:00"),
        ("é para o João Pereira e a maria da silva", "é para o [nome] e a [nome]"),
        ("meu cpf: 529982247-25", "meu [dado pessoal]"),
        ("cinco dois nove nove oito dois dois quatro sete dois cinco", "[dado pessoal]"),
        ("os dias 12, 13 e 14 servem", "os dias 12, 13 e 14 servem"),
        ("sou CARLA", "sou [nome]"),
        ("2028-09-15 16:00", "2028-09-15 16:00"),
    ],
)
def test_a_mask_leaves_what_planning_needs(text: str, left: str) -> None:
    assert masked(text, attending().dialogue) == left


def test_a_mask_covers_what_stands_before_the_part_that_is_read_for_doctors() -> None:
    assert CARLA.cpf not in masked("marcar " * 400 + CARLA.cpf, attending().dialogue)
