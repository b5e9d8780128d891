"""What words point at in a whole conversation: a weekday, `essa`, `a outra`, a place in a list, an hour kept, a joke, what is near."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
KATIA = "quero marcar com a Dra. Kátia Bueno dia 17/07 às 17:30"
JUSSARA = "e também com a dra Jussara na segunda 21/07 17h30"
SAMIR = "marca tb ortopedista dr Samir Khalil sexta 25/07 às 11h"


@pytest.mark.parametrize("said", ["a de sexta", "a de sexta-feira", "a consulta da sexta"])
def test_a_weekday_is_of_what_is_held_and_not_of_the_next_such_day_alone(converse: Converse, said: str) -> None:
    asked = converse(KATIA, JUSSARA, SAMIR, "preciso cancelar uma consulta", said)
    assert "sexta-feira, 25/07, às 11:00, com o Dr. Samir Khalil (Clínica E). Cancelo?" in asked.turnos[-1].texto


@pytest.mark.parametrize("said", ["cancela essa", "desmarca essa aí", "não, cancela isso: essa consulta"])
def test_right_after_a_booking_that_one_is_the_one_just_booked(converse: Converse, said: str) -> None:
    assert "21/07, às 17:30, com a Dra. Jussara Alencar (Clínica F). Cancelo?" in converse(KATIA, JUSSARA, said).turnos[-1].texto


@pytest.mark.parametrize("said", ["ah não, a outra", "não, a outra", "na verdade a outra"])
def test_the_other_one_is_the_one_that_was_not_asked_about(converse: Converse, said: str) -> None:
    asked = converse(KATIA, JUSSARA, "cancela essa", said)
    assert "17/07, às 17:30, com a Dra. Kátia Bueno (Clínica C). Cancelo?" in asked.turnos[-1].texto


@pytest.mark.parametrize("said", ["la segunda", "quiero la segunda", "la segunda, por favor"])
def test_in_spanish_la_segunda_is_a_place_in_the_list(converse: Converse, said: str) -> None:
    made = converse("hola, quiero una cita con un dermatólogo el viernes", said)
    assert "viernes, 18/07, a las 11:00, con la Dra. Gisele Pontes" in made.turnos[-1].texto


def test_in_portuguese_a_segunda_stays_the_weekday_where_there_is_one(converse: Converse) -> None:
    assert "segunda-feira, 21/07" in converse("quero ortopedista de ombro", "a segunda").turnos[-1].texto


@pytest.mark.parametrize("said", ["quero dermatologista com mulher", "quero dermatologista, com uma mulher"])
def test_a_woman_told_with_com_is_the_doctor(converse: Converse, said: str) -> None:
    assert "com o Dr." not in converse(said).turnos[0].texto


@pytest.mark.parametrize("said", ["e depois das 17h?", "tem depois das 17h?", "e a partir das 17h?"])
def test_where_the_day_has_none_at_those_hours_other_days_are_offered_at_those_hours(converse: Converse, said: str) -> None:
    shown = converse("quero dermatologista com mulher", "tem algum na quinta?", said).turnos[-1].texto
    assert "só em outros dias, fora de quinta-feira, 17/07:" in shown
    assert "21/07" in shown
    assert "17:30" in shown
    assert "08:30" not in shown


@pytest.mark.parametrize(
    "said",
    [
        "meu coração dispara quando vejo o preço kkk, quero cardiologista",
        "meu coração acelera toda vez que vejo o boleto, tem cardiologista?",
        "fico com palpitação quando recebo a conta de luz haha, quero um cardiologista",
    ],
)
def test_a_joke_gives_no_branch(converse: Converse, said: str) -> None:
    assert "com o Dr. Cláudio Serpa" in converse(said).turnos[0].texto


def test_a_complaint_told_in_earnest_still_gives_its_branch(converse: Converse) -> None:
    assert "com o Dr. Cláudio Serpa" not in converse("meu coração dispara quando subo escada, quero cardiologista").turnos[0].texto


@pytest.mark.parametrize(
    "said", ["tem cardiologista mulher perto da Paulista?", "quero ortopedista perto de mim", "a dermatologist near me, please"]
)
def test_what_is_near_is_told_not_to_be_known(converse: Converse, said: str) -> None:
    shown = converse(said).turnos[0].texto
    assert "fica mais perto" in shown or "nearest" in shown
    assert "1)" in shown


@pytest.mark.parametrize(
    "said", ["quero ortopedista perto das 10h", "tem cardiologista perto do dia 20?", "a consulta mais próxima do doutor Samir"]
)
def test_near_an_hour_or_a_day_is_no_place(converse: Converse, said: str) -> None:
    assert "fica mais perto" not in converse(said).turnos[0].texto


@pytest.mark.parametrize(
    "said", ["muda pra daqui a uma semana no mesmo horário", "muda pra quarta 23/07 às 15h", "dá pra mudar pro dia 23 às 15h?"]
)
def test_a_change_of_the_only_slot_offered_looks_for_another_of_it(converse: Converse, said: str) -> None:
    before = "quero dermatologista depois de amanhã às três da tarde"
    shown = converse(before, "minhas consultas", said).turnos[-1].texto
    assert "De Dermatologia" in shown
    assert "23/07" in shown
