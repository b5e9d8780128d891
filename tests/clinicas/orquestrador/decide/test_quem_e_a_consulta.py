"""What a third visitor met: nothing is put in the speaker's name where words tell of somebody else; whoever is named is not refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]

ANA, JOSE, BRUNO = "529.982.247-25", "390.533.447-05", "111.444.777-35"
AGENDA_OF_OTHERS = {"377.559.926-67", "574.946.470-90"}
CARDIO = "cardiologista segunda 21 às 15h30"


def booked(case: CasoObtido) -> set[tuple[str, str, str]]:
    """CPF, day and hour of each new booking; all that was said may be shown."""
    assert all(turn.verdict.safe for turn in case.turnos)
    return {(one.cpf, one.date, one.time) for held in case.estado.values() for one in held if one.cpf not in AGENDA_OF_OTHERS}


TOLD_OF_A_RELATIVE = (
    ("meu pai teve infarto ano passado, agora tá bem, precisa de retorno com cardiologista segunda de tarde", "o das 15h30"),
    (f"meu pai anda com dor no peito quando sobe escada, quero {CARDIO}", "sim"),
    (f"o vô infartou em 2020 e ficou ótimo. {CARDIO}", "isso"),
    (f"minha sogra, que mora comigo, operou o coração. tem {CARDIO}?", "pode marcar"),
    ("mainha tem pressão alta", CARDIO, "sim"),
    (f"sou filha da dona Zulmira, quero {CARDIO}", "sim"),
    (f"quem vai é meu tio. {CARDIO}", "sim"),
    (f"{CARDIO}. a paciente é Rosa Prado", "sim"),
    (f"consulta do meu sogro: {CARDIO}", "sim"),
    (f"não sou eu quem vai, {CARDIO}", "sim"),
    ("my father had a heart attack last year, I need a cardiologist on Monday July 21 at 3:30pm", "yes"),
    ("mi padre tuvo un infarto, quiero cardiólogo el lunes 21 a las 15:30", "sí"),
)


@pytest.mark.parametrize("said", TOLD_OF_A_RELATIVE)
def test_where_a_relative_is_told_to_need_care_nothing_is_booked_before_it_is_known_for_whom(
    converse: Converse, said: tuple[str, ...]
) -> None:
    """Design, "Who the appointment is for"."""
    asked = converse(*said)
    assert "CPF" in asked.turnos[-1].texto
    assert booked(asked) == set()
    assert booked(converse(*said, f"José Prado {JOSE}")) == {(JOSE, "2025-07-21", "15:30")}


@pytest.mark.parametrize("answer", ["é pra mim", "eu mesma", "eu", "pra mim mesma", "Ana", "no nome da Ana Braga"])
def test_where_it_was_for_the_speaker_after_all_one_answer_books_it(converse: Converse, answer: str) -> None:
    case = converse(*TOLD_OF_A_RELATIVE[1], answer)
    assert "é para você ou para seu pai?" in case.turnos[1].texto
    assert booked(case) == {(ANA, "2025-07-21", "15:30")}


@pytest.mark.parametrize("answer", ["ele", "meu pai", "é pro meu pai", "não é pra mim", "pra ele"])
def test_where_it_is_for_the_other_name_and_cpf_are_asked(converse: Converse, answer: str) -> None:
    case = converse(*TOLD_OF_A_RELATIVE[1], answer, f"José Prado {JOSE}")
    assert "Para marcar para seu pai, preciso do nome completo e do CPF" in case.turnos[2].texto
    assert booked(case) == {(JOSE, "2025-07-21", "15:30")}


def test_a_bare_yes_to_which_of_the_two_is_asked_again(converse: Converse) -> None:
    case = converse(*TOLD_OF_A_RELATIVE[1], "sim")
    assert "é para você ou para seu pai?" in case.turnos[2].texto
    assert booked(case) == set()


@pytest.mark.parametrize(
    "said",
    [
        f"minha avó infartou ano passado, e eu queria marcar um {CARDIO}",
        f"meu finado marido se foi de derrame, quero um {CARDIO}",
        f"meu marido me leva de carro, quero {CARDIO}",
        f"minha mãe disse que é bom ir logo, marca {CARDIO}",
        f"minha filha, eu tô com a pressão alta, quero {CARDIO}",
        f"aqui é a Ana, quero {CARDIO}",
        f"my grandfather died of a stroke, I want a preventive visit with a {CARDIO}",
    ],
)
def test_nothing_is_asked_where_nothing_points_at_anybody_else(converse: Converse, said: str) -> None:
    assert booked(converse(said, "sim")) == {(ANA, "2025-07-21", "15:30")}


SPEAKS_AS_ANOTHER = (
    ("sou seu Antônio tenho 79 anos meu neto que tá escrevendo é pra ortopedista do pé", "o da terça mais cedo"),
    ("aqui é o Antônio, neto é que escreve, quero ortopedista do pé terça 22", "sim"),
    ("quem fala é o Antônio. ortopedista do pé terça 22 às 13h30", "sim"),
    ("boa tarde, me chamo Antônio Prado, queria ortopedista do pé terça 22", "sim"),
    ("oi, aqui é o Antônio", "ortopedista do pé terça 22 às 13h30", "sim"),
)


@pytest.mark.parametrize("said", SPEAKS_AS_ANOTHER)
def test_whoever_says_another_name_than_the_conversations_is_asked_in_whose_name(converse: Converse, said: tuple[str, ...]) -> None:
    case = converse(*said, "é pra mim", f"Antônio Prado {JOSE}")
    assert "em nome de Ana Braga ou de Antônio" in case.turnos[len(said) - 1].texto
    assert "Para marcar para Antônio" in case.turnos[len(said)].texto
    assert booked(case) == {(JOSE, "2025-07-22", "13:30")}


@pytest.mark.parametrize(
    "said", ["aqui é o Antônio, marca a Dra. Odete dia 22 às 13h30", "meu pai operou o pé, marca a Dra. Odete dia 22 às 13h30"]
)
def test_a_slot_told_in_full_and_never_shown_may_be_named_in_the_question(converse: Converse, said: str) -> None:
    case = converse(said)
    assert "Antes de marcar terça-feira, 22/07, às 13:30" in case.turnos[0].texto
    assert booked(case) == set()


@pytest.mark.parametrize("answer", ["em nome da Ana", "Ana Braga", "da Ana"])
def test_it_may_be_in_the_conversations_name_all_the_same(converse: Converse, answer: str) -> None:
    assert booked(converse(*SPEAKS_AS_ANOTHER[1], answer)) == {(ANA, "2025-07-22", "13:30")}


def test_who_uses_anothers_telephone_books_with_name_and_cpf(converse: Converse) -> None:
    said = ("oi, aqui é o Bruno, to usando o zap da Ana. marca ortopedista sábado 19 9h30 pra mim", f"Bruno Dias cpf {BRUNO}", "sim")
    case = converse(*said)
    assert not any(turn.recusa for turn in case.turnos)
    assert booked(case) == {(BRUNO, "2025-07-19", "09:30")}


@pytest.mark.parametrize(
    "told",
    [
        f"espera o cpf é {JOSE} e o nome Luiza Souza, minha irmã",
        f"minha irmã Luiza Souza, cpf {JOSE}",
        f"Luiza Souza {JOSE}",
        f"o nome é Luiza Souza e o cpf é {JOSE}",
    ],
)
def test_whoever_is_named_with_a_cpf_while_a_slot_is_proposed_is_whom_it_is_for(converse: Converse, told: str) -> None:
    case = converse("dermato terça 22 10h", told, "sim")
    assert "a consulta fica para Luiza Souza" in case.turnos[1].texto
    assert booked(case) == {(JOSE, "2025-07-22", "10:00")}


def test_whoever_is_named_right_after_a_booking_is_told_in_whose_name_it_stands(converse: Converse) -> None:
    case = converse("dermato terça 22 10h", "sim", f"Luiza Souza {JOSE}")
    assert "está em seu nome" in case.turnos[2].texto
    assert case.turnos[2].recusa is None
    assert booked(case) == {(ANA, "2025-07-22", "10:00")}


@pytest.mark.parametrize(
    "asked",
    [
        f"quais as consultas do cpf {JOSE}",
        f"Luiza Souza {JOSE}, quais as consultas dela?",
        f"cancela a consulta da Luiza Souza {JOSE}",
        f"o que a Luiza Souza cpf {JOSE} tem marcado",
        f"cpf {JOSE}",
    ],
)
def test_what_is_held_under_anothers_cpf_stays_refused(converse: Converse, asked: str) -> None:
    case = converse("dermato terça 22 10h", asked)
    assert case.turnos[1].recusa == "R2"
    assert booked(case) == set()


@pytest.mark.parametrize("said", ["Theo Souza, ele n tem cpf ainda", "é Theo Souza mas não tem cpf", "Theo Souza, sem cpf"])
def test_what_tells_that_a_cpf_is_missing_is_no_part_of_the_name(converse: Converse, said: str) -> None:
    case = converse("meu bebe de 3 meses ta com umas bolinhas na pele, tem dermato infantil?", "o de quarta", "o da semana q vem", said)
    assert "fica em seu nome, para Theo Souza, e o CPF" in case.turnos[3].texto


@pytest.mark.parametrize(
    "said", ["é pra mim, tenho 40 anos, tem outro médico nesse dia?", "tem outra médica nesse dia?", "outro médico tem?"]
)
def test_another_doctor_than_a_childs_is_shown_of_that_day(converse: Converse, said: str) -> None:
    shown = converse("queria dermatologista no dia vinte e três do sete, às quatorze e trinta", said).turnos[1].texto
    assert "Péricles" not in shown
    assert "Jussara" in shown
    assert "Aurora" in shown


def test_how_a_daughter_is_called_is_for_whom_it_is_until_it_is_told_otherwise(converse: Converse) -> None:
    begun = ("quero marcar ortopedista", "minha filha se chama Beatriz")
    assert "Como é para sua filha" in converse(*begun).turnos[1].texto
    assert booked(converse(*begun, "o 5")) == set()
    case = converse(*begun, "ah, é pra minha filha Beatriz não, é pra mim", "o 5")
    assert "agora é para você" in case.turnos[2].texto
    assert booked(case) == {(ANA, "2025-07-18", "09:00")}


@pytest.mark.parametrize(
    "said",
    [
        "Preciso marcar dermatologista pra meus dois filhos, o Pedro de 6 anos e a Júlia de 9, no mesmo dia se der",
        "dermato pras minhas filhas, a Laura e a Júlia",
    ],
)
def test_for_two_children_their_doctors_come_first_and_both_are_meant(converse: Converse, said: str) -> None:
    shown = converse(said).turnos[0].texto
    assert "Péricles" in shown
    assert "Aurora" not in shown
    assert "para seus filhos" in shown or "para suas filhas" in shown


@pytest.mark.parametrize(
    "said", ["quais as consultas da Ana Braga?", "quais são as consultas da dona Ana", "ver consultas da paciente Ana Braga"]
)
def test_an_operator_is_told_what_the_patient_who_is_served_holds_by_name(converse: Converse, said: str) -> None:
    told = converse("cardiologista quinta 24/07 9h", "sim", said, papel="operador").turnos[2].texto
    assert "quinta-feira, 24/07, às 09:00" in told
    assert "Qual você prefere" not in told
