"""Two people in one conversation: every question that a yes would turn into a booking names for whom it is, and nobody gets another's."""

from __future__ import annotations

import pytest
from tests.clinicas.orquestrador.conftest import ANA, Converse

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

PEDRO, VERA, PAULO = "111.444.777-35", "168.995.350-09", "390.533.447-05"
COUPLE = (
    "oi! eu e meu marido queremos ir no ortopedista no mesmo dia, um depois do outro",
    f"ele é Pedro Souza cpf {PEDRO}",
    "pode ser sexta 18, eu às 9 e ele às 10",
    "primeiro o meu, o das 9",
)


def _held(obtained: CasoObtido, cpf: str) -> set[str]:
    return {f"{one.date[8:]} {one.time}" for appointments in obtained.estado.values() for one in appointments if one.cpf == cpf}


def test_mine_is_the_speakers_and_his_is_his(converse: Converse) -> None:
    obtained = converse(*COUPLE, "sim", "agora o dele às 10")
    assert "para você" in obtained.turnos[2].texto
    assert "para você" in obtained.turnos[3].texto
    assert (_held(obtained, ANA.cpf), _held(obtained, PEDRO)) == ({"18 09:00"}, {"18 10:00"})


@pytest.mark.parametrize(
    ("said", "cpf"),
    [
        (("preciso de ortopedia pra mim e pro meu marido na quinta 24", "eu às 8 e ele às 16", f"Paulo Souza {PEDRO}"), PEDRO),
        (("ortopedista sexta 18", "o das 9 pra mim e o das 10 pra minha esposa", f"Maria Souza {VERA}"), VERA),
        (("ortopedista sexta 18", "minha esposa às 10 e eu às 9", f"Maria Souza {VERA}", "sim"), VERA),
        ((f"Please book Dr. Abel Fortuna on Friday July 18 at 9 for me and at 10 for my husband John Souza, CPF {PEDRO}", "yes"), PEDRO),
    ],
)
def test_hours_told_for_two_in_one_breath_are_each_ones(converse: Converse, said: tuple[str, ...], cpf: str) -> None:
    obtained = converse(*said)
    assert _held(obtained, ANA.cpf) in ({"18 09:00"}, {"24 08:00"})
    assert _held(obtained, cpf) in ({"18 10:00"}, {"24 16:00"})


@pytest.mark.parametrize("who", ["my husband", "my son"])
def test_that_two_people_are_taken_in_turn_is_said_in_english_too(converse: Converse, who: str) -> None:
    said = converse(f"Please book Dr. Abel Fortuna on Friday July 18 at 9 for me and at 10 for {who}").turnos[-1].texto
    assert f"the one for your {who.split()[-1]}" in said


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            (
                f"Hola, quiero una cita de ortopedia para mi esposa, María Souza, CPF {VERA}, y otra para mí, el mismo día",
                "el primero para ella",
            ),
            "para María Souza",
        ),
        (("quero ortopedista sexta 18 pra minha mãe", f"Rosa Souza {VERA}", "às 9 se tiver"), "Rosa"),
    ],
)
def test_a_question_that_a_yes_books_names_for_whom(converse: Converse, said: tuple[str, ...], named: str) -> None:
    assert named in converse(*said).turnos[-1].texto


def test_one_child_does_not_silently_take_anothers_place(converse: Converse) -> None:
    obtained = converse(
        "boa tarde, quero marcar dermato pros meus dois filhos, Lucas e Marina, no mesmo dia se der",
        "pode ser quarta 23 os dois",
        f"Lucas Souza Prado {PEDRO}",
        f"e a Marina Souza Prado cpf {PAULO}",
    )
    assert "para Lucas Souza Prado ainda não marquei nada" in obtained.turnos[-1].texto


def test_his_never_moves_hers(converse: Converse) -> None:
    obtained = converse(
        "cardiologista segunda 21",
        f"as 11:30 pra minha mãe, Maria Almeida Souza {PAULO}",
        "e o do meu pai as 10?",
        "sim",
    )
    assert _held(obtained, PAULO) == {"21 11:30"}


def test_both_of_them_is_never_booked_unasked(converse: Converse) -> None:
    obtained = converse("preciso de ortopedia pra mim e pro meu marido na quinta 24", f"Paulo Souza {PEDRO}", "me confirma as duas")
    assert not any(_held(obtained, cpf) for cpf in (ANA.cpf, PEDRO))


@pytest.mark.parametrize("thanks", ["obrigada meu bem", "obrigado meu amor", "valeu, meu querido"])
def test_thanks_to_a_dear_one_is_no_answer_to_for_whom(converse: Converse, thanks: str) -> None:
    obtained = converse("minha neta tá doente e queria marcar o cardiologista", "a primeira", thanks)
    assert not _held(obtained, ANA.cpf)


def test_an_operators_other_cpf_is_never_booked_under_the_one_served(converse: Converse) -> None:
    obtained = converse(
        f"marido e esposa: Paulo Reis {PAULO} e Vera Reis {VERA}, dermato no mesmo dia, sábado 19",
        "quero dermatologia sábado 19. Paulo às 9",
        f"agora a Vera, {VERA}, às 10",
        "sim",
        papel="operador",
    )
    assert not _held(obtained, PAULO)


def test_what_turns_out_to_be_a_childs_right_after_is_told_to_stand_in_the_speakers_name(converse: Converse) -> None:
    obtained = converse(
        "quero marcar ortopedista pra mim segunda 21 à tarde", "a das 16:30", "ih na verdade é pro meu filho Tiago, não é pra mim"
    )
    assert "está em seu nome" in obtained.turnos[-1].texto
