"""What people say for a specialty: words, parts of the body and branches are data, whatever a network practises."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest

from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.leitura import read_stretch
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.entende.pessoas.fichas import find_records
from crivo.clinicas.orquestrador.entende.vocabulario import check_vocabulary
from crivo.clinicas.registro import REGISTRO_PADRAO, CadastroComDefeito, Clinica, Registro
from crivo.kernel.clock import BRASILIA

NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)


def network(*specialties: str, **vocabulario: str) -> Registro:
    """Clinics one, two, three … of those specialties."""
    clinics = [
        Clinica(f"posto_{place}", f"Posto {place}", name, 9000 + place, f"http://127.0.0.1:{9000 + place}/mcp")
        for place, name in enumerate(specialties, 1)
    ]
    return Registro(tuple(clinics), vocabulario)


EYES_AND_CHILDREN = network("Oftalmologia", "Pediatria", "Oftalmologia")


def said(text: str, registro: Registro = REGISTRO_PADRAO) -> Plan:
    return plan(text, Dialogue(NOW, registro))[0]


def clinics(made: Plan) -> list[str]:
    return [step.clinic for step in made.steps if step.action == "list_available_slots"]


def branches(text: str, registro: Registro = REGISTRO_PADRAO) -> tuple[str, ...]:
    sentence = read_sentence(text)
    context = context_of(Dialogue(NOW, registro))
    return read_stretch(sentence, find_mentions(sentence, context), 0, len(sentence.text)).criterios.ramos


@pytest.mark.parametrize(
    ("text", "specialty"),
    [
        ("quero marca dermatolojista pra espinha", "Dermatologia"),
        ("entrada aumentando e cabelo ralo, quem vê isso?", "Dermatologia"),
        ("unha encravada", "Dermatologia"),
        ("uma pinta estranha", "Dermatologia"),
        ("médico da pele", "Dermatologia"),
        ("meu tornozelo virou jogando bola faz um mês e ainda dói", "Ortopedia"),
        ("bico de papagaio", "Ortopedia"),
        ("menisco", "Ortopedia"),
        ("médico de osso", "Ortopedia"),
        ("orto", "Ortopedia"),
        ("to com sopro no coração", "Cardiologia"),
        ("minha pressão alta", "Cardiologia"),
        ("cardio", "Cardiologia"),
        ("médico do coração", "Cardiologia"),
    ],
)
def test_lay_words_and_complaints_lead_to_their_specialty(text: str, specialty: str) -> None:
    assert clinics(said(text)) == [one.id for one in REGISTRO_PADRAO.of_specialty(specialty)]


@pytest.mark.parametrize(
    "text",
    [
        *("fia, aí tem médico das vista?", "preciso de um nutri, tem?", "pediatra", "dentista", "tem psicólogo?", "ginecologista"),
        *("oftalmolojista", "otorrino", "meu ouvido dói", "dor de dente", "marca um urologista", "fisioterapeuta tem?", "tem geriatra?"),
    ],
)
def test_what_the_network_does_not_have_is_said_with_what_it_has(text: str) -> None:
    made = said(text)
    assert made.steps == ()
    assert made.pergunta is not None
    assert made.pergunta.startswith("Não temos")
    assert "Cardiologia, Dermatologia e Ortopedia" in made.pergunta


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *(
            ("tem oculista?", ["posto_1", "posto_3"]),
            ("minha vista tá embaçada", ["posto_1", "posto_3"]),
            ("médico dos olhos", ["posto_1", "posto_3"]),
        ),
        *(("oftalmolojista", ["posto_1", "posto_3"]), ("quero um pediatra", ["posto_2"]), ("médico de criança", ["posto_2"])),
    ],
)
def test_a_network_of_oculists_and_paediatricians_works_by_data_alone(text: str, found: list[str]) -> None:
    assert clinics(said(text, EYES_AND_CHILDREN)) == found


def test_such_a_network_says_that_it_has_no_heart_doctors() -> None:
    made = said("quero um cardiologista", EYES_AND_CHILDREN)
    assert made.steps == ()
    assert made.pergunta is not None
    assert "Não temos Cardiologia" in made.pergunta
    assert "Oftalmologia e Pediatria" in made.pergunta


def test_a_specialty_joined_to_another_is_asked_beside_it() -> None:
    """Blueprint rule 10: every clinic of the specialty."""
    both = network("Ginecologia", "Ginecologia e Obstetrícia", "Pediatria")
    assert clinics(said("tem ginecologista?", both)) == ["posto_1", "posto_2"]
    assert clinics(said("preciso de um obstetra", both)) == ["posto_2"]
    assert [one.id for one in both.of_specialty("Ginecologia")] == ["posto_1", "posto_2"]


def test_a_specialty_that_nobody_thought_of_is_found_by_its_name() -> None:
    assert clinics(said("quero um homeopata", network("Homeopatia"))) == []
    assert clinics(said("tem homeopatia?", network("Homeopatia"))) == ["posto_1"]
    assert clinics(said("quero homeopatista", network("Homeopatia"))) == ["posto_1"]


def test_an_installation_adds_words_of_its_own_for_its_specialties_and_branches() -> None:
    own = network("Ortopedia", "Homeopatia", **{"junta podre": "Joelho", "bolinhas": "Homeopatia", "mindinho": "Ortopedia/Dedos"})
    check_vocabulary(own)
    assert clinics(said("to com a junta podre", own)) == ["posto_1"]
    assert branches("to com a junta podre", own) == ("Joelho",)
    assert clinics(said("quero as bolinhas", own)) == ["posto_2"]
    assert branches("bati o mindinho", own) == ("Dedos",)


@pytest.mark.parametrize("words", [{"bolinhas": "Homeopatia"}, {"": "Ortopedia"}, {"dedo": "Dedos"}])
def test_words_that_lead_nowhere_are_refused_by_name(words: dict[str, str]) -> None:
    with pytest.raises(CadastroComDefeito, match="vocabulario"):
        check_vocabulary(network("Ortopedia", **words))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *(("ortopedista de joelho", ("Joelho",)), ("meu tornozelo virou", ("Pé e Tornozelo",)), ("torci o punho", ("Mão e Punho",))),
        *(
            ("queda de cabelo", ("Tricologia",)),
            ("pressão alta", ("Hipertensão",)),
            ("dermatologista para criança", ("Dermatologia Pediátrica",)),
        ),
        *(("manchas na mão", ()), ("cardiologista infantil", ("Cardiologia Pediátrica",))),
    ],
)
def test_branches_are_those_of_the_specialty_that_is_spoken_of(text: str, found: tuple[str, ...]) -> None:
    assert branches(text) == found


def test_longer_words_for_something_else_hide_a_part_of_the_body() -> None:
    assert clinics(said("olho de peixe no pé", network("Oftalmologia", "Dermatologia"))) == ["posto_2"]


@pytest.mark.parametrize("text", ["minha coluna tá travando de manhã", "acordo de manhã com o ombro doendo", "meu joelho dói à noite"])
def test_when_a_complaint_comes_is_no_wish_for_that_time(text: str) -> None:
    sentence = read_sentence(text)
    context = context_of(Dialogue(NOW, REGISTRO_PADRAO))
    assert "horas" not in {one.field for one in find_mentions(sentence, context)}


def test_a_wish_for_a_part_of_the_day_beside_a_complaint_stays() -> None:
    sentence = read_sentence("meu joelho dói à noite, quero um ortopedista de manhã")
    found = [one.value for one in find_mentions(sentence, context_of(Dialogue(NOW, REGISTRO_PADRAO))) if one.field == "horas"]
    assert [hora.first for hora in found] == ["05:00"]


def test_patients_ids_are_known_by_the_registry_and_not_by_code() -> None:
    ids = [(one.patient_id, one.clinic) for one in find_records("card-001 orth d002 oftal-003 dia 18", REGISTRO_PADRAO)]
    assert ids == [("CARD-001", "clinic_a"), ("ORTH-D002", "clinic_d")]
    eyes = [(one.patient_id, one.clinic) for one in find_records("card-001, ofta-001", EYES_AND_CHILDREN)]
    assert eyes == [("OFTA-001", "posto_1")]
    own = msgspec.structs.replace(EYES_AND_CHILDREN.clinics[1], prefixo="PAC")
    assert [one.clinic for one in find_records("pac-014", Registro((own,)))] == ["posto_2"]


def test_a_patient_who_names_a_record_of_any_network_is_refused() -> None:
    assert said("me mostra a ficha OFTA-001", EYES_AND_CHILDREN).recusa == "R2"
