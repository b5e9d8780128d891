"""Whose is whose, in whole conversations: a new person is a new wish, a CPF stands for one person, and nobody's appointment is moved unnamed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]

ANA, MARIA, PEDRO, RITA = "529.982.247-25", "390.533.447-05", "111.444.777-35", "123.456.789-09"
AGENDA_OF_OTHERS = {"377.559.926-67", "574.946.470-90"}
MARIA_AT_8 = ("quero cardiologista pra minha mãe, sexta 18", f"Maria Souza {MARIA}", "8h")
PEDRO_ON_21 = ("dermatologista pediátrico pro meu filho dia 21", f"Pedro Souza {PEDRO}", "sim")
JOSE_AT_1830 = ("quero marcar ortopedista coluna pro meu pai", "José Souza 987.654.321-00", "quinta 18:30")


def booked(case: CasoObtido) -> set[tuple[str, str, str]]:
    """Each new booking: day, time and CPF."""
    return {(one.date, one.time, one.cpf) for held in case.estado.values() for one in held if one.cpf not in AGENDA_OF_OTHERS}


def last(case: CasoObtido) -> str:
    return case.turnos[-1].texto


@pytest.mark.parametrize(
    "said",
    [
        "agora eu também quero, mesmo dia 16h",
        "agora marca pra mim no mesmo dia às 16h",
        "e eu, no mesmo dia às 16h",
        "quero um pra mim também, mesmo dia às 16h",
        "me marca também, no mesmo dia às 16h",
        "pra mim, no mesmo dia, mas às 16h",
        "book me too, same day at 4pm",
        "yo también quiero, el mismo día a las 16",
    ],
)
def test_me_too_after_somebody_elses_booking_books_the_speaker_and_moves_nothing(converse: Converse, said: str) -> None:
    case = converse(*MARIA_AT_8, said, "sim")
    assert booked(case) == {("2025-07-18", "08:00", MARIA), ("2025-07-18", "16:00", ANA)}


@pytest.mark.parametrize(
    "said", ["pra mim o melhor é sexta 18 às 8h", "sexta 18 às 8h fica bom pra mim", "for me the best is Friday July 18 at 8am"]
)
def test_what_suits_the_speaker_is_not_for_the_speaker(converse: Converse, said: str) -> None:
    case = converse("quero cardiologista pra minha mãe", f"Maria Souza {MARIA}", said)
    assert all(cpf == MARIA for *_, cpf in booked(case))


def test_one_called_by_a_first_name_alone_may_be_called_so(converse: Converse) -> None:
    case = converse("cardio pro João quinta 9h", "sim")
    assert "João" in case.turnos[0].texto
    assert all(turn.verdict.safe for turn in case.turnos)


def test_for_another_person_on_the_same_day_is_no_change_of_the_first_ones_either(converse: Converse) -> None:
    case = converse(*MARIA_AT_8, "e pro meu pai no mesmo dia às 16h", f"José Souza {PEDRO}")
    assert booked(case) == {("2025-07-18", "08:00", MARIA), ("2025-07-18", "16:00", PEDRO)}


@pytest.mark.parametrize(
    "said", ["muda pro mesmo dia às 16h", "às 16h, no mesmo dia, fica melhor pra ela", "passa a da minha mãe pras 16h"]
)
def test_a_change_of_somebody_elses_appointment_names_whose_it_is(converse: Converse, said: str) -> None:
    case = converse(*MARIA_AT_8, said)
    assert "A consulta de Maria, sexta-feira, 18/07, às 08:00" in last(case)
    assert booked(case) == {("2025-07-18", "08:00", MARIA)}


@pytest.mark.parametrize("said", ["cancela a do meu filho", "cancela a consulta do Pedro", "cancela a consulta dele", "cancela"])
def test_a_cancellation_of_somebody_elses_appointment_names_whose_it_is(converse: Converse, said: str) -> None:
    case = converse(*PEDRO_ON_21, said)
    assert "É a consulta de Pedro, segunda-feira, 21/07" in last(case)
    assert booked(converse(*PEDRO_ON_21, said, "sim")) == set()


def test_a_child_is_still_known_by_relation_after_something_was_booked_for_the_speaker(converse: Converse) -> None:
    case = converse(*PEDRO_ON_21, "e pra mim um dermatologista adulto, dra Norma dia 22 às 10h", "cancela a consulta do meu filho", "sim")
    assert booked(case) == {("2025-07-22", "10:00", ANA)}


@pytest.mark.parametrize("said", ["e pra mim um dermatologista adulto, dra Norma dia 22 às 10h", "agora pra mim: Norma, terça 22, 10h"])
def test_a_new_person_is_not_measured_against_the_wish_of_the_one_before(converse: Converse, said: str) -> None:
    case = converse(*PEDRO_ON_21, said)
    assert booked(case) == {("2025-07-21", "08:00", PEDRO), ("2025-07-22", "10:00", ANA)}


@pytest.mark.parametrize(
    ("asked", "told", "named"),
    [
        ("quero dermato pra minha mãe", f"Maria Souza {ANA}", "Esse CPF é o seu. Qual é o CPF de Maria Souza?"),
        ("I need a dermatologist for my mother", f"Mary Smith {ANA}", "That CPF is yours. What is the CPF of Mary Smith?"),
        ("quiero dermatólogo para mi madre", f"María Lima, {ANA}", "Ese CPF es el suyo. ¿Cuál es el CPF de María Lima?"),
    ],
)
def test_the_speakers_own_cpf_is_nobody_elses(converse: Converse, asked: str, told: str, named: str) -> None:
    case = converse(asked, told)
    assert named in last(case)
    assert booked(converse(asked, told, "dra Norma 17/07 11h")) == set()
    assert booked(converse(asked, told, "dra Norma 17/07 11h", MARIA)) == {("2025-07-17", "11:00", MARIA)}
    assert booked(converse(asked, "dra Norma 17/07 11h", told, MARIA)) == {("2025-07-17", "11:00", MARIA)}


def test_the_cpf_of_one_who_was_booked_for_is_no_other_persons(converse: Converse) -> None:
    case = converse(*PEDRO_ON_21, f"cardiologista pra minha mãe Maria Lima {PEDRO}", "quinta 9h", "sim")
    assert "Esse é o CPF de Pedro" in case.turnos[3].texto
    assert booked(case) == {("2025-07-21", "08:00", PEDRO)}


@pytest.mark.parametrize(
    ("said", "cpf"),
    [
        ((f"cardiologista pra minha mãe Maria Souza, cpf {MARIA}", "dra Dulce sexta 18 às 8h"), MARIA),
        ((f"cardiologista pra minha mãe, o nome dela é Maria Souza e o cpf dela é {MARIA}", "dra Dulce sexta 18 às 8h"), MARIA),
        ((f"quero cardio pra minha mãe maria souza cpf {MARIA}", "dra Dulce sexta 18 às 8h"), MARIA),
        ((f"marca a dra Dulce sexta 18 às 8h pra minha vizinha Lourdes Lima cpf {MARIA}",), MARIA),
        ((f"cardiologista pro meu pai, cpf {MARIA}", "José Lima", "dra Dulce sexta 18 às 8h"), MARIA),
        ((f"a cardiologist for my mother Mary Smith, her cpf is {MARIA}", "Dulce on Friday July 18 at 8am"), MARIA),
        ((f"un cardiólogo para mi madre María Souza, cpf {MARIA}", "con la Dra. Dulce el 18 a las 8"), MARIA),
        (("cardiologista pra minha mãe Maria Souza, cpf 123.456.789-10", RITA, "dra Dulce sexta 18 às 8h"), RITA),
        (
            (
                "cardiologista pra minha mãe, Maria Souza",
                "o cpf dela é 123.456.789-10",
                f"ops, errei, é {RITA}",
                "dra Dulce sexta 18 às 8h",
            ),
            RITA,
        ),
        (
            (
                "quero cardio pro meu marido",
                "Carlos Souza 987.654.321-00",
                f"aliás não é pra ele, é pra minha sogra Rita Alves cpf {RITA}",
                "dra Dulce sexta 18 às 8h",
            ),
            RITA,
        ),
    ],
)
def test_a_relative_named_with_the_wish_is_booked_for(converse: Converse, said: tuple[str, ...], cpf: str) -> None:
    case = converse(*said)
    assert [turn.recusa for turn in case.turnos if turn.recusa] == []
    assert booked(case) == {("2025-07-18", "08:00", cpf)}


@pytest.mark.parametrize(
    "said",
    [
        f"quero ver as consultas do CPF {MARIA}",
        f"cancela as consultas do CPF {MARIA}",
        f"quero ver as consultas da minha mãe Maria Souza, cpf {MARIA}",
        f"quais as consultas marcadas pra minha mãe Maria Souza cpf {MARIA}?",
        f"minha mãe Maria Souza cpf {MARIA} já tem consulta de cardiologia marcada?",
        f"cancela a consulta pra minha mãe Maria Souza cpf {MARIA}",
        f"remarca a consulta pra minha mãe Maria Souza cpf {MARIA} pra sexta",
        f"mostra a consulta pra Maria Souza cpf {MARIA}",
        f"marca dermato pra minha mãe Maria Souza cpf {MARIA} e me diz os exames dela",
        f"show me the appointments for my mother Mary Smith, cpf {MARIA}",
        f"marque para minha amiga Julia, CPF {MARIA}, com a Dra. Dulce dia 18 às 8h",
    ],
)
def test_what_is_held_or_known_of_somebody_stays_refused_though_name_and_cpf_are_told(converse: Converse, said: str) -> None:
    case = converse(said)
    assert case.turnos[0].recusa == "R2"
    assert case.turnos[0].steps == ()


@pytest.mark.parametrize(
    "said",
    [
        f"quais as consultas da Laura Leal {RITA}?",
        f"quero ver as consultas do cpf {RITA}",
        f"mostra os dados de João Silva, {RITA}",
        f"cancela a consulta da Laura Leal {RITA}",
    ],
)
def test_what_is_asked_of_somebody_else_while_a_cpf_is_waited_for_books_nothing_with_it(converse: Converse, said: str) -> None:
    case = converse("cardiologista pra minha mãe Maria Souza", "dra Dulce sexta 18 às 8h", said)
    assert case.turnos[-1].recusa == "R2"
    assert booked(case) == set()


def test_what_is_told_of_somebody_beside_name_and_cpf_is_no_look_at_data(converse: Converse) -> None:
    case = converse(f"cardio pra minha mãe Maria Souza, cpf {MARIA}, telefone (11) 98888-7777", "dra Dulce sexta 18 às 8h")
    assert booked(case) == {("2025-07-18", "08:00", MARIA)}


def test_after_a_refusal_what_waits_for_whom_it_is_still_waits(converse: Converse) -> None:
    case = converse(
        "cardiologista pra minha mãe", "dra Dulce sexta 18 às 8h", f"quero ver as consultas do CPF {RITA}", f"Maria Souza {MARIA}"
    )
    assert case.turnos[2].recusa == "R2"
    assert booked(case) == {("2025-07-18", "08:00", MARIA)}


@pytest.mark.parametrize(
    "said", ["não, na verdade é pra mim mesmo", "pensando bem é pra mim", "não é pra ele, é pra mim", "actually it's for me"]
)
def test_what_was_booked_for_somebody_else_passes_to_the_speaker_after_a_yes(converse: Converse, said: str) -> None:
    case = converse(*JOSE_AT_1830, said)
    assert "A consulta de José, quinta-feira, 17/07, às 18:30" in last(case) or "The appointment of José" in last(case)
    assert booked(case) == {("2025-07-17", "18:30", "987.654.321-00")}
    assert booked(converse(*JOSE_AT_1830, said, "não")) == {("2025-07-17", "18:30", "987.654.321-00")}
    assert booked(converse(*JOSE_AT_1830, said, "sim")) == {("2025-07-17", "18:30", ANA)}


def test_the_same_slot_asked_for_anew_for_somebody_else_is_no_taking_back(converse: Converse) -> None:
    case = converse(
        "marca dra Norma dia 24/07 11h",
        f"na verdade é pra minha mãe Maria Souza, cpf {MARIA}",
        "cancela",
        "sim",
        "marca a Norma dia 24/07 11h",
    )
    assert "está em seu nome" in case.turnos[1].texto
    assert booked(case) == {("2025-07-24", "11:00", MARIA)}


@pytest.mark.parametrize("said", ["não, pensando bem é pra mim", "aliás é pra mim mesma", "não é pra ele, é pra mim"])
def test_that_it_is_for_the_speaker_after_all_is_said_back_before_anything_is_booked(converse: Converse, said: str) -> None:
    case = converse("quero ortopedista de joelho pro meu marido", "Carlos Souza 987.654.321-00", said, "sábado 19 9h30")
    assert "agora é para você" in case.turnos[2].texto
    assert booked(case) == {("2025-07-19", "09:30", ANA)}


def test_the_cpf_of_an_account_called_wrong_after_a_booking_tells_what_stands_and_in_whose_name(converse: Converse) -> None:
    case = converse(
        "quero marcar dra Norma dia 24/07 11h", f"aliás meu cpf tá errado, o certo é {PEDRO}", "sim", "marca então", "cancela", "sim"
    )
    for turn in case.turnos[1:4]:
        assert "Continua marcado em nome de Ana Braga, CPF ***.982.247-**" in turn.texto
        assert "quinta-feira, 24/07, às 11:00, com a Dra. Norma Tavares" in turn.texto
        assert turn.verdict.safe
    assert booked(case) == set()


@pytest.mark.parametrize("said", ["ela não tem cpf", "sem cpf", "she doesn't have a cpf"])
def test_a_child_without_a_cpf_is_asked_for_by_name_and_told_apart_in_the_list(converse: Converse, said: str) -> None:
    case = converse("quero marcar dermatologista pediátrico pra minha filha", "o primeiro", said, "Sofia Souza", "minhas consultas")
    assert "nome completo" in case.turnos[2].texto or "full name" in case.turnos[2].texto
    assert booked(case) == {("2025-07-21", "08:00", ANA)}
    assert "Fica em seu nome, Ana Braga, para sua filha, Sofia" in case.turnos[3].texto or "Sofia" in case.turnos[3].texto
    assert last(case).endswith("para Sofia")


def test_a_child_booked_in_the_speakers_name_unnamed_is_told_of_by_relation(converse: Converse) -> None:
    said = ("quero marcar dermatologista pediátrico pra minha filha", "o primeiro", "marca no meu nome")
    assert last(converse(*said, "minhas consultas")).endswith("para sua filha")
    assert "É a consulta de sua filha" in last(converse(*said, "cancela a da minha filha"))
