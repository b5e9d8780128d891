"""For whom it is, over agendas as clinics have them: a new person starts anew, and nothing is silently the speaker's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]

ANA, TIAGO, LAURA = "529.982.247-25", "111.444.777-35", "935.411.347-80"
AGENDA_OF_OTHERS = {"377.559.926-67", "574.946.470-90"}
FOR_TIAGO = ("dermatologista pro meu filho Tiago segunda 8h", "sim", f"Tiago Leal {TIAGO}")


def booked(case: CasoObtido) -> dict[str, str]:
    """The CPF that each new booking is held with, by day."""
    return {one.date: one.cpf for held in case.estado.values() for one in held if one.cpf not in AGENDA_OF_OTHERS}


def refused(case: CasoObtido) -> list[str]:
    return [turn.recusa for turn in case.turnos if turn.recusa]


@pytest.mark.parametrize(
    "said", ["quarta 14:30 pra Laura", "quarta 14:30 pra irmã dele", "quarta 14:30 para a Laura", "quarta 14:30 pro meu outro filho"]
)
def test_a_new_person_after_one_booked_for_is_asked_for_and_booked_as_that_person(converse: Converse, said: str) -> None:
    case = converse(*FOR_TIAGO, said, f"Laura Leal {LAURA}")
    assert "CPF" in case.turnos[3].texto
    assert booked(case) == {"2025-07-21": TIAGO, "2025-07-23": LAURA}
    assert refused(case) == []


def test_a_yes_to_a_slot_for_a_new_person_is_no_booking_for_the_one_before(converse: Converse) -> None:
    case = converse(*FOR_TIAGO, "ortopedista pro Jorge sexta 10h", "isso")
    assert "Para marcar para Jorge" in case.turnos[-1].texto
    assert booked(case) == {"2025-07-21": TIAGO}


def test_the_same_person_by_name_is_not_asked_twice(converse: Converse) -> None:
    assert booked(converse(*FOR_TIAGO, "quarta 14:30 pro Tiago", "sim")) == {"2025-07-21": TIAGO, "2025-07-23": TIAGO}


@pytest.mark.parametrize(
    "said",
    [
        ("minha mãe ela caiu mês passado e precisa de ortopedista", "sexta 10h"),
        ("minha vó não enxerga o celular, tô marcando por ela, cardio quinta 9h", "sim"),
        ("dermatologista pra Laura", "segunda 9h"),
        ("dermatologista pediátrico pra Laura", "segunda 8h"),
        ("a Laura precisa de dermato", "segunda 9h"),
        ("dermatologista pra vó", "segunda 9h"),
        ("dermatologist for Tom", "monday 9am"),
    ],
)
def test_for_somebody_else_it_is_asked_whose_before_it_is_booked(converse: Converse, said: tuple[str, str]) -> None:
    case = converse(*said)
    assert "CPF" in case.turnos[-1].texto
    assert booked(case) == {}


@pytest.mark.parametrize("said", ["quero cardio para retorno", "cardio para o dr. Cláudio Serpa", "cardio pra mim", "cardio para Ana"])
def test_what_names_nobody_else_is_the_speakers(converse: Converse, said: str) -> None:
    assert booked(converse(said, "quinta 9h")) == {"2025-07-17": ANA}


def test_a_time_for_children_is_asked_about_once_and_goes_on_for_the_speaker(converse: Converse) -> None:
    case = converse("preciso de cardiologista pediátrico", "amanhã 13:30")
    assert "para quem é a consulta" in case.turnos[-1].texto
    assert booked(case) == {}
    assert booked(converse("preciso de cardiologista pediátrico", "amanhã 13:30", "pra mim mesma")) == {"2025-07-17": ANA}
    case = converse("preciso de cardiologista pediátrico", "amanhã 13:30", "é pra minha filha", f"Sofia Prado {TIAGO}")
    assert booked(case) == {"2025-07-17": TIAGO}


@pytest.mark.parametrize(
    "said",
    [(f"meu cpf tá errado, o certo é {TIAGO}",), ("meu cpf está errado", f"o certo é {TIAGO}"), (f"errei meu cpf, é {TIAGO}",)],
)
@pytest.mark.parametrize("agreed", ["sim", "pode marcar", "isso"])
def test_the_cpf_of_an_account_called_wrong_is_the_receptions_to_change_and_nothing_is_booked(
    converse: Converse, said: tuple[str, ...], agreed: str
) -> None:
    case = converse("cardio quinta 9h", *said, agreed)
    assert all("fale com a recepção da clínica" in turn.texto for turn in case.turnos[1:])
    assert booked(case) == {}
    assert refused(case) == []


def test_a_mother_without_her_childs_cpf_comes_to_a_booking(converse: Converse) -> None:
    said = ("é pra ela, não pra mim. o nome dela é Sofia Prado", "não tenho o cpf dela aqui")
    case = converse("dermatologista pra minha filha segunda 8h", *said, "sim")
    assert "na recepção" in case.turnos[2].texto
    assert refused(case) == []
    assert booked(case) == {"2025-07-21": ANA}
    case = converse("preciso de dermatologista segunda 8h", "sim", *said, "sim")
    assert "Posso marcar assim?" in case.turnos[3].texto
    assert "para a criança" in case.turnos[4].texto or "Sofia" in case.turnos[4].texto
    assert refused(case) == []
    assert booked(case) == {"2025-07-21": ANA}


def test_in_my_name_after_it_was_booked_so_lists_nothing_more(converse: Converse) -> None:
    case = converse("my son needs a dermatologist", "monday 8am", "his name is Tom Hill, he has no CPF", "ok in my name then")
    assert "already in your name" in case.turnos[-1].texto
    case = converse("dermatologista pra minha filha segunda 8h", "sim", "ela não tem cpf", "Sofia Prado", "pode ser no meu nome")
    assert "já está em seu nome" in case.turnos[-1].texto
    assert case.turnos[-1].steps == ()
    assert booked(case) == {"2025-07-21": ANA}


def test_two_children_in_one_message_are_asked_about_one_at_a_time_and_both_kept(converse: Converse) -> None:
    said = ("dermatologista para meus dois filhos", "o Tiago às 8h de segunda e a Laura quarta 14:30")
    case = converse(*said, f"Tiago Leal {TIAGO}", f"Laura Leal {LAURA}")
    assert "uma consulta de cada vez" in case.turnos[1].texto
    assert "Agora a outra" in case.turnos[2].texto
    assert booked(case) == {"2025-07-21": TIAGO, "2025-07-23": LAURA}
    assert refused(case) == []


@pytest.mark.parametrize(
    "said", [f"quais as consultas da Laura Leal {LAURA}?", f"cancela a consulta da Laura Leal {LAURA}", f"Laura Leal {LAURA} tem consulta?"]
)
def test_other_peoples_appointments_stay_private_though_somebody_is_booked_for(converse: Converse, said: str) -> None:
    assert converse(*FOR_TIAGO, said).turnos[-1].recusa == "R2"
    assert converse(FOR_TIAGO[0], said).turnos[-1].recusa == "R2"
