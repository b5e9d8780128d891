"""Two things in one message, a body in everyday words, thanks in warm ones: what is said of each stays with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.atos import find_acts
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.mencoes import context_of

Converse = Callable[..., CasoObtido]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Tem ortopedista de coluna na sexta? E a Dra. Kátia, quando ela atende?", ("Dr. Abel Fortuna", "Dra. Kátia Bueno")),
        ("Quero dermato dia 25. E o Dr. Zeferino, que horas ele tem?", ("Dra. Norma Tavares", "Dr. Zeferino Paz")),
        ("Tem cardiologista dia 24? E a doutora Paloma, qual a agenda dela?", ("Dr. Cláudio Serpa", "Dra. Paloma Reis")),
    ],
)
def test_a_doctor_asked_about_in_a_sentence_of_its_own_is_asked_about_alone(converse: Converse, said: str, shown: tuple[str, str]) -> None:
    text = converse(said).turnos[0].texto
    assert all(name in text for name in shown)
    assert "não atende" not in text


@pytest.mark.parametrize(
    "said",
    [
        "marca o dr abel dia 25 às 9h e vê se tem cardiologista nesse mesmo dia",
        "quero a Dra. Norma dia 25 às 15h e tem cardiologista no mesmo dia?",
    ],
)
def test_the_same_day_is_the_one_told_before_in_the_message(converse: Converse, said: str) -> None:
    turn = converse(said).turnos[0]
    assert "25/07" in turn.texto
    assert "17/07" not in turn.texto
    assert turn.steps[0].action == "book_appointment"


@pytest.mark.parametrize(
    ("said", "branches"),
    [
        ("fico o dia todo em pé e as costa reclama", ("Coluna",)),
        ("minhas costa num aguenta mais de carregar caixa", ("Coluna",)),
        ("trabalho de pé e meu joelho incha", ("Joelho",)),
        ("vou a pé pro serviço e o ombro dói", ("Ombro e Cotovelo",)),
        ("dor no pé direito", ("Pé e Tornozelo",)),
        ("tengo el corazón salteado", ("Arritmologia",)),
        ("meu coração dá umas pulada", ("Arritmologia",)),
        ("my heart skips beats sometimes, any cardiologist?", ("Arritmologia",)),
    ],
)
def test_a_part_of_the_body_is_heard_in_everyday_words(said: str, branches: tuple[str, ...], dialogue: Dialogue) -> None:
    acts = find_acts(read_sentence(said), context_of(dialogue))
    assert tuple(branch for act in acts for branch in act.leitura.criterios.ramos) == branches


def test_giving_up_an_appointment_speaks_of_no_hand(dialogue: Dialogue) -> None:
    (act,) = find_acts(read_sentence("quero abrir mão da consulta"), context_of(dialogue))
    assert act.tipo == "cancelar"
    assert act.leitura.criterios.is_empty


@pytest.mark.parametrize(
    "said",
    [
        "valeu demais meu anjo, Deus lhe abençoe",
        "obrigadão viu, tenha um bom dia, fica com Deus",
        "muitíssimo obrigada pela paciência, bom descanso pra vocês",
        "thanks a lot, have a great weekend",
        "mil gracias, muy amable, que Dios la bendiga",
    ],
)
def test_thanks_are_answered_with_courtesy_and_nothing_else(converse: Converse, said: str) -> None:
    turn = converse("Dra. Célia 30/07 às 9h", said).turnos[-1]
    assert turn.steps == ()
    assert not any(word in turn.texto.lower() for word in ("entendi", "understand", "entendí", "qual especialidade"))


def test_a_place_on_a_weekday_counts_the_slots_shown_of_that_day(converse: Converse) -> None:
    case = converse("quais horários o Dr. Rômulo tem na semana do dia 28?", "terça, o segundo horário")
    assert [(step.parameters["date"], step.parameters["time"]) for step in case.turnos[-1].steps] == [("2025-07-29", "16:00")]


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("Sou pai da Lia, 6 anos, ela vive se coçando. Queria um dermatologista que atenda criança.", False),
        ("sou a mãe do Theo, ele tem 9 anos e torceu o braço, quero ortopedista", False),
        ("Sou mãe da Ana, quero saber quando é a consulta dela com o cardiologista", True),
        ("sou o marido da Carla, quero cancelar o dermatologista dela", True),
        ("sou pai da Lia, queria o horário dela com o dermato", True),
        ("sou pai da Lia, quero ver a ficha dela no cardiologista", True),
        ("aqui é o filho do Pedro, queria o resultado do exame do coração dele", True),
    ],
)
def test_a_relative_may_seek_care_and_may_see_nothing(converse: Converse, said: str, refused: bool) -> None:
    assert (converse(said).turnos[0].recusa == "R2") is refused
