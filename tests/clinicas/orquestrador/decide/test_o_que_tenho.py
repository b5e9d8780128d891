"""What `o que eu tenho?` asks, what `não tô sentindo nada` asks for, and which clinic is meant by a question that names none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
K = "quero marcar com a Dra. Kátia Bueno dia 17/07 às 17:30"


@pytest.mark.parametrize("said", ["o que eu tenho?", "e o que eu tenho agora?", "então o que eu tenho", "o que tenho aí?"])
def test_what_one_has_after_a_booking_is_the_appointments(converse: Converse, said: str) -> None:
    told = converse(K, said).turnos[-1].texto
    assert "17:30" in told
    assert "só um médico" not in told


@pytest.mark.parametrize("said", ["o que eu tenho?", "mas o que eu tenho ainda?"])
def test_what_one_has_after_it_was_cancelled_is_no_appointment(converse: Converse, said: str) -> None:
    told = converse(K, "desfaz", "sim", said).turnos[-1].texto
    assert "Você não tem consulta marcada" in told
    assert "só um médico" not in told


def test_what_one_has_where_a_complaint_was_told_is_a_doctors_to_say(converse: Converse) -> None:
    assert "só um médico" in converse("tô com dor no joelho", "o que eu tenho?").turnos[-1].texto
    assert "só um médico" in converse("o que eu tenho?").turnos[-1].texto


def test_where_both_were_told_both_are_answered(converse: Converse) -> None:
    told = converse("tô com dor no joelho, quero ortopedista amanhã", "o primeiro", "o que eu tenho?").turnos[-1].texto
    assert "Marta Queiroz" in told
    assert "só um médico" in told


@pytest.mark.parametrize("said", ["será que pode ser amanhã com o cardiologista?", "será que pode ser na sexta com um cardiologista?"])
def test_whether_it_can_be_tomorrow_asks_for_no_diagnosis(converse: Converse, said: str) -> None:
    told = converse(said).turnos[0]
    assert "só um médico" not in told.texto
    assert {step.action for step in told.steps} == {"list_available_slots"}


@pytest.mark.parametrize("said", ["essa dor, o que pode ser?", "será que pode ser do coração?"])
def test_what_a_complaint_can_be_is_still_a_doctors_to_say(converse: Converse, said: str) -> None:
    assert "só um médico" in converse(said).turnos[0].texto


@pytest.mark.parametrize(
    "said", ["não tô sentindo nada agora, é só check-up", "não sinto nada, é só rotina", "não tenho nada, só prevenção", "i feel fine"]
)
def test_that_nobody_is_ill_leaves_the_list_to_choose_from(converse: Converse, said: str) -> None:
    told = converse("quero um cardiologista, meu pai morreu de infarto ano passado", said, "pode ser sábado 8h")
    assert "continuam aqui" in told.turnos[1].texto or "still here" in told.turnos[1].texto
    assert "Hélio Brandão" in told.turnos[2].texto


def test_a_question_that_names_no_clinic_is_about_the_one_asked_of_before(converse: Converse) -> None:
    told = converse("quanto é a consulta particular do dr Samir?", "aceita unimed?", "onde fica?", "precisa de jejum?")
    assert all("(Clínica E)" in turno.texto for turno in told.turnos)
    assert "(Clínica C)" in converse(K, "quanto custa a consulta do dr Samir?", "onde fica a minha consulta?").turnos[-1].texto


def test_where_no_telephone_is_known_it_is_said_so_and_nobody_is_sent_to_ask_for_it(converse: Converse) -> None:
    told = converse("qual o telefone da clínica E?", "quanto custa a consulta na clínica E?")
    assert "ainda não está no meu cadastro" in told.turnos[0].texto
    assert "Confirme" not in told.turnos[0].texto
    assert "Confirme com a recepção da Clínica E" in told.turnos[1].texto
