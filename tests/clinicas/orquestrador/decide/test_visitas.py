"""What visitors said in their own words over agendas as clinics have them: several wishes at once, complaints, stories, whose is whose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
QUINTA, SEXTA = "Quinta-feira, 17/07", "Sexta-feira, 18/07"


def groups(texto: str) -> dict[str, str]:
    """What a listing says of each specialty, by the name in its heading."""
    parts = texto.split("Encontrei ")[1:]
    return {name: part for part in parts for name in ("Cardiologia", "Dermatologia", "Ortopedia") if name in part.split("\n")[0]}


@pytest.mark.parametrize(
    ("said", "bound", "free"),
    [
        ("cardio o mais cedo e um dermato na quinta", "Dermatologia", "Cardiologia"),
        ("quero um cardiologista o quanto antes e também dermatologista na quinta", "Dermatologia", "Cardiologia"),
        ("quero um cardio na quinta e um dermato", "Cardiologia", "Dermatologia"),
        ("preciso de dermato na quinta e de ortopedista", "Dermatologia", "Ortopedia"),
    ],
)
def test_a_day_binds_only_the_specialty_that_it_was_said_of(converse: Converse, said: str, bound: str, free: str) -> None:
    listed = groups(converse(said).turnos[0].texto)
    assert QUINTA in listed[bound]
    assert SEXTA not in listed[bound]
    assert SEXTA in listed[free]


def test_a_day_said_before_each_specialty_is_of_the_one_that_follows(converse: Converse) -> None:
    listed = groups(converse("na quinta um dermato e na sexta um cardio").turnos[0].texto)
    assert QUINTA in listed["Dermatologia"]
    assert SEXTA not in listed["Dermatologia"]
    assert SEXTA in listed["Cardiologia"]
    assert QUINTA not in listed["Cardiologia"]


@pytest.mark.parametrize("said", ["cardio e dermato na quinta", "na quinta, cardio e dermato", "cardio na quinta e dermato no mesmo dia"])
def test_a_day_said_of_both_binds_both(converse: Converse, said: str) -> None:
    listed = groups(converse(said).turnos[0].texto)
    assert all(QUINTA in part and SEXTA not in part for part in (listed["Cardiologia"], listed["Dermatologia"]))


@pytest.mark.parametrize(
    "said",
    [
        "incomodo no joelho quando subo escada, queria ortopedista",
        "quando agacho meu joelho dói, tem ortopedista?",
        "meu joelho estala toda vez que levanto, quero um ortopedista",
        "meu joelho está ruim. tem ortopedista amanhã?",
        "my knee hurts when I climb stairs, I need an orthopedist",
    ],
)
def test_when_a_complaint_comes_asks_for_nothing_and_keeps_its_branch(converse: Converse, said: str) -> None:
    told = converse(said).turnos[0].texto
    lines = [line for line in told.split("\n") if ") " in line and line[0].isdigit()]
    assert lines
    assert all(line.split(" (o mais cedo)")[0].split(" (the earliest)")[0].endswith("Joelho") for line in lines)
    assert "não sei dizer" not in told


def test_a_word_of_access_in_a_question_is_still_answered(converse: Converse) -> None:
    assert "acesso" in converse("tem escada ou elevador na clínica D?").turnos[0].texto


@pytest.mark.parametrize(
    "said",
    [
        "ano passado fiz uma cirurgia no joelho, queria ortopedista",
        "semana passada fui ao posto e me mandaram pro cardiologista",
        "ontem comecei a sentir coceira, quero dermato",
        "ontem comecei a sentir coceira quero dermato amanhã",
        "minha mãe consultou aí mês passado, tem ortopedista?",
        "last year I had surgery, I need an orthopedist",
        "la semana pasada me caí, quiero un ortopedista",
    ],
)
def test_a_day_gone_by_of_a_story_is_not_the_day_wished_for(converse: Converse, said: str) -> None:
    told = converse(said).turnos[0]
    assert {step.action for step in told.steps} == {"list_available_slots"}
    assert "já passou" not in told.texto


@pytest.mark.parametrize(
    "said", ["tem vaga ontem de dermato?", "marca dermato pra semana passada", "quero um cardiologista segunda passada"]
)
def test_a_day_gone_by_that_is_asked_for_is_told_to_be_over(converse: Converse, said: str) -> None:
    assert "já passou" in converse(said).turnos[0].texto


def test_what_is_held_says_for_whom_each_is_where_there_are_several(converse: Converse) -> None:
    told = converse(
        "quero dermato", "o 2", "quero cardiologista pra minha filha", "o 1", "Bia Braga Souza 111.444.777-35", "minhas consultas"
    )
    lines = told.turnos[-1].texto.split("\n")[1:]
    assert [line.rsplit(" para ", 1)[1] for line in lines] == ["você", "Bia"]


def test_what_is_held_names_nobody_where_all_is_the_speakers(converse: Converse) -> None:
    assert " para você" not in converse("quero dermato", "o 2", "minhas consultas").turnos[-1].texto


@pytest.mark.parametrize("said", ["sim, as duas", "sí, las dos", "isso, as duas"])
def test_a_yes_to_both_that_are_booked_tells_them_again(converse: Converse, said: str) -> None:
    told = converse("cardio e dermato na segunda", "o Dr. Cláudio às 11:30 e a Dra. Jussara às 17:30", said)
    assert told.turnos[-1].steps == ()
    assert all(hour in told.turnos[-1].texto for hour in ("11:30", "17:30"))


@pytest.mark.parametrize(
    "said",
    ["meu pai fica muito cansado subindo escada, tem cardiologista essa semana?", "sinto dor subindo a escada, quero ortopedista"],
)
def test_stairs_that_tire_are_no_question_of_access(converse: Converse, said: str) -> None:
    assert "não sei dizer" not in converse(said).turnos[0].texto


def test_something_that_came_up_is_no_surgery(converse: Converse) -> None:
    assert "Edgar Mafra" not in converse("surgiu uma viagem, quero dermato na quinta").turnos[0].texto


def test_none_of_these_is_no_dead_end(converse: Converse) -> None:
    assert "outro dia, horário ou profissional" in converse("quero dermato", "esses não").turnos[-1].texto
