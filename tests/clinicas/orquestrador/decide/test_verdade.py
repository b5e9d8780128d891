"""Whether something was really done, and what is held, is answered truthfully, and nothing is done for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
O = "marca orto com a Odete dia 22 às 13:30"  # noqa: E741
TWO = ("quero ortopedia quinta 24 às 8", "sim", "quero dermato quinta 24 11h", "sim")
GONE = (O, "desmarca, surgiu um imprevisto", "pode cancelar")


@pytest.mark.parametrize(
    "said",
    [
        "foi cancelado mesmo?",
        "¿está cancelado?",
        "did you really cancel it?",
        "já cancelou?",
        "cancelou msm né?",
        "a consulta da Odete foi cancelada?",
        "was it cancelled?",
        "¿quedó cancelada de verdad?",
    ],
)
def test_after_a_cancelling_it_is_told_that_it_was(converse: Converse, said: str) -> None:
    last = converse(*GONE, said).turnos[-1]
    assert "22/07" in last.texto or "July 22" in last.texto
    assert "cancel" in last.texto.lower()
    assert "não cancelei nada" not in last.texto
    assert not last.steps


@pytest.mark.parametrize("said", ["cancelou mesmo?", "a da Norma foi cancelada?", "foi cancelada de verdade?"])
def test_what_is_still_held_is_told_beside_what_was_cancelled(converse: Converse, said: str) -> None:
    last = converse(*TWO, "cancela a da Norma", "sim", said).turnos[-1]
    gone, held = last.texto.split("O que você tem marcado:")
    assert "Norma" in gone
    assert "Marta" in held
    assert "Norma" not in held


@pytest.mark.parametrize("said", ["foi cancelado mesmo?", "já cancelou?"])
def test_what_was_not_agreed_to_is_not_told_as_cancelled(converse: Converse, said: str) -> None:
    told = converse(O, "cancela", said, "sim")
    assert "Nenhuma consulta está cancelada" in told.turnos[2].texto
    assert not told.turnos[2].steps
    assert [step.action for step in told.turnos[3].steps] == ["cancel_appointment"]


@pytest.mark.parametrize(
    "said",
    [
        "o que permanece agendado em meu nome",
        "Poderiam confirmar se a marcação foi de fato efetivada?",
        "¿quedó reservada de verdad?",
        "¿qué tenemos reservado?",
        "eh isso msm q marcou?",
        "quem ficou com o quê?",
        "e como ficou tudo?",
        "what's booked for each of us?",
        "did you book it for real?",
        "so what do I have?",
        "q horas é mesmo e onde?",
        "e aí ficou como?",
        "que horas é então?",
        "vc marcou mesmo?",
        "is it really booked?",
        "¿está reservado?",
        "o que ficou pra cada uma?",
        "a minha tá de pé né?",
        "é às 13h30 né?",
        "é com a Odete mesmo?",
    ],
)
def test_after_a_booking_what_is_held_is_told(converse: Converse, said: str) -> None:
    last = converse(O, said).turnos[-1]
    assert "13:30" in last.texto
    assert "Odete" in last.texto
    assert not last.steps
    assert "Não é isso" not in last.texto


def test_a_bare_hour_made_sure_of_is_that_of_what_is_held(converse: Converse) -> None:
    last = converse("dermatologist on the twenty-third at five pm pls", "yes", "so 5 right?").turnos[-1]
    assert "Yes" in last.texto
    assert "17:00" in last.texto
    assert not last.steps


@pytest.mark.parametrize("said", ["é de manhã mesmo?", "é com a Norma né?", "é às 16h né?"])
def test_what_is_not_so_is_told_not_to_be(converse: Converse, said: str) -> None:
    last = converse(O, said).turnos[-1]
    assert "Não é isso que está marcado" in last.texto
    assert "13:30" in last.texto
    assert not last.steps


@pytest.mark.parametrize("said", ["confirma os dois pra mim", "me confirma as duas", "pode confirmar as duas"])
def test_both_are_confirmed_as_held(converse: Converse, said: str) -> None:
    last = converse(*TWO, said).turnos[-1]
    assert "Marta" in last.texto
    assert "Norma" in last.texto
    assert not last.steps


@pytest.mark.parametrize(
    "said", ["foi cancelado mesmo?", "está marcado?", "did you book it for real?", "¿quedó reservada?", "como ficou tudo?"]
)
def test_with_nothing_done_nothing_is_told_as_done(converse: Converse, said: str) -> None:
    last = converse("oi", said).turnos[-1]
    assert any(one in last.texto for one in ("Nenhuma consulta está marcada", "não tem consulta", "no appointment", "No tiene citas"))
    assert not last.steps


def test_what_was_only_offered_is_not_booked(converse: Converse) -> None:
    told = converse("quero ortopedia quinta 24 às 8", "entao ta marcado ne?", "sim")
    assert "Nenhuma consulta está marcada" in told.turnos[1].texto
    assert not told.turnos[1].steps
    assert [step.action for step in told.turnos[2].steps] == ["book_appointment"]


@pytest.mark.parametrize(
    "said",
    [
        "blz, marca com ela na outra terça no msm horário",
        "marca com ela na terça seguinte, no mesmo horário",
        "marca na outra terça, mesma hora",
    ],
)
def test_the_other_tuesday_is_the_one_after_what_was_cancelled(converse: Converse, said: str) -> None:
    end = converse(*GONE, said, "sim")
    steps = [step for turn in end.turnos[3:] for step in turn.steps if step.action == "book_appointment"]
    assert [(step.parameters["date"], step.parameters["time"]) for step in steps] == [("2025-07-29", "13:30")]


def test_the_slot_just_cancelled_is_not_booked_again_without_asking(converse: Converse) -> None:
    turns = converse(*GONE, "marca com ela na terça").turnos
    assert not any(step.action == "book_appointment" and step.parameters["date"] == "2025-07-22" for step in turns[-1].steps)


@pytest.mark.parametrize(
    "said", ["Mudei de ideia outra vez: mantenha a do dia 22 às 13:30.", "pensei melhor, mantém a da Odete", "keep the one of July 22"]
)
def test_what_shall_be_kept_is_not_cancelled(converse: Converse, said: str) -> None:
    assert not converse(O, "pode cancelar essa", said).turnos[-1].steps
