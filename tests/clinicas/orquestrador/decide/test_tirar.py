"""What binds the search is taken out one thing at a time, by its button, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from atendimento_por_modelo import attending, planning, step
from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entendido import understood, without_it
from crivo.clinicas.orquestrador.linguagem.botoes import drop_message, dropped
from crivo.clinicas.orquestrador.preferencias import Busca, Criterios, Dia, Preferencias, period

Converse = Callable[..., CasoObtido]
JOELHO = "quero ortopedista de joelho à tarde, menos segunda"
HELD = "529.982.247-25"


def test_the_button_says_which_thing_it_takes_out() -> None:
    assert dropped(drop_message("só à tarde")) == "só à tarde"
    assert dropped("tira o Dr. Samir") == ""


def test_each_thing_told_back_can_be_taken_out_and_is_gone_then(dialogue: Dialogue) -> None:
    quer = Criterios(
        especialidades=("Ortopedia",),
        ramos=("Joelho",),
        titulos=("Dra.",),
        dias=(Dia("2025-07-21", "2025-07-25"),),
        horas=(period("tarde"),),
    )
    recusas = (Criterios(dias=(Dia("0000-01-01", "9999-12-31", 0),), medicos=(("Dr. Samir Khalil",),)),)
    asked = msgspec.structs.replace(dialogue, preferencias=Preferencias((Busca(quer, recusas),)))
    told = understood(asked)
    assert told == ("joelho", "médica mulher", "de 21/07 a 25/07", "só à tarde", "menos segunda", "sem Dr. Samir Khalil")
    for one in told:
        left = msgspec.structs.replace(asked, preferencias=Preferencias(without_it(one, asked)))
        assert understood(left) == tuple(other for other in told if other != one)


def test_what_is_taken_out_binds_the_listing_no_more(converse: Converse) -> None:
    case = converse(JOELHO, drop_message("só à tarde"))
    before, after = (turn.texto for turn in case.turnos)
    assert "08:00, com a Dra. Marta Queiroz" in after
    assert "08:00, com a Dra. Marta Queiroz" not in before
    assert "Segunda-feira" not in after
    assert {step.action for step in case.turnos[-1].steps} == {"list_available_slots"}


def test_the_doctor_taken_out_leaves_the_specialty(converse: Converse) -> None:
    after = converse("quero horários com o Dr. Cláudio de manhã", drop_message("com Dr. Cláudio Serpa")).turnos[-1].texto
    assert "Dulce Amorim" in after
    assert "14:00" not in after


def test_what_is_chosen_after_it_is_of_the_new_list(converse: Converse) -> None:
    case = converse(JOELHO, drop_message("só à tarde"), "1")
    assert [(one.doctor, one.time) for kept in case.estado.values() for one in kept if one.cpf == HELD] == [("Dra. Marta Queiroz", "08:00")]


@pytest.mark.parametrize("said", ["Tirar: de manhã", "Tirar: com Dra. Gisele Pontes", "Tirar: xis", "Tirar: só de manhã"])
def test_a_button_of_an_old_page_is_no_yes_to_a_cancellation(converse: Converse, said: str) -> None:
    case = converse("quero dermato de manhã, menos com a Dra. Norma", "o 2", "cancela", said)
    assert len([one for kept in case.estado.values() for one in kept if one.cpf == HELD]) == 1


async def test_no_model_is_asked_what_a_button_means() -> None:
    visit = attending(planning(step("clinic_a", "list_available_slots")))
    await visit.say("quero cardiologista de manhã")
    taken = await visit.say(drop_message("só de manhã"))
    assert taken.planejador == "embutido"
