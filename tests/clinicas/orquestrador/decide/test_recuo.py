"""Whoever draws back from a question is heard: it is dropped, said so, and no later yes takes it up again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
KATIA = ("Dra. Kátia Bueno", "2025-07-17", "17:30")
K = "quero marcar com a Dra. Kátia Bueno dia 17/07 às 17:30"
MOVE = (K, "muda pra terça 22 às 9h30")
NORMA = "tem a dra Norma dia 25?"
YES = ("ok", "tá bom", "beleza", "sim", "tá", "isso")


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


def acts(case: CasoObtido) -> list[str]:
    """Every call of any turn that is more than a listing."""
    return [step.action for turn in case.turnos for step in turn.steps if step.action != "list_available_slots"]


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        ("não, pera, deixa", "sim"),
        ("vou pensar", "ok"),
        ("ih, pensando bem vou manter", "tá bom"),
        ("não precisa mais, vou conseguir ir", "beleza"),
        ("espera, deixa eu ver com meu marido", "ok"),
        ("ai, não sei", "tá"),
        ("obrigada", "ok"),
        ("ok, vou ver com meu marido", "ok"),
        ("tá, mas vou falar com a minha chefe antes", "sim"),
        ("hmm acho que consigo ir sim", "ok"),
        ("vou ver se preciso mesmo desmarcar", "ok"),
        ("não sei se quero cancelar", "sim"),
        ("sim eu vou", "ok"),
        ("sim, vou na consulta", "ok"),
        ("minha mãe acha que não devo cancelar", "ok"),
        ("asdf qwer", "sim"),
        ("let me check with my husband", "ok"),
        ("déjame pensarlo", "sí"),
    ],
)
def test_what_draws_back_from_a_cancellation_is_heard_and_no_yes_takes_it_up_again(converse: Converse, said: str, yes: str) -> None:
    case = converse(K, "quero cancelar", said, yes)
    assert "Cancelo?" not in case.turnos[2].texto
    assert "sim ou não" not in case.turnos[2].texto
    assert "17/07" in case.turnos[2].texto
    assert held(case) == [KATIA]


def test_of_two_the_one_that_is_let_be_stays(converse: Converse) -> None:
    also = "e também com a dra Jussara na segunda 21/07 17h30"
    assert len(held(converse(K, also, "quero cancelar", "a da dra jussara", "não, pera, deixa", "sim"))) == 2


def test_what_was_dropped_is_asked_for_anew_and_done_after_a_yes(converse: Converse) -> None:
    case = converse(K, "quero cancelar", "vou pensar", "cancela", "sim")
    assert "diga" in case.turnos[2].texto
    assert "Cancelo?" in case.turnos[3].texto
    assert held(case) == []


def test_a_question_in_between_is_answered_with_the_question_put_again_last(converse: Converse) -> None:
    case = converse(K, "quero cancelar", "onde fica a clínica c?", "sim")
    assert case.turnos[2].texto.endswith("Cancelo? Responda sim ou não.")
    assert held(case) == []


@pytest.mark.parametrize("said", ["qual o telefone? espera, vou pensar", "vou ver com a minha mãe, onde fica a clínica c?"])
def test_a_question_in_a_message_that_draws_back_puts_nothing_again(converse: Converse, said: str) -> None:
    case = converse(K, "quero cancelar", said, "ok")
    assert "Cancelo?" not in case.turnos[2].texto
    assert held(case) == [KATIA]


@pytest.mark.parametrize(
    "yes", ["sim, surgiu um imprevisto", "sim, cancela que eu vou viajar", "cancela logo", "já falei que quero cancelar"]
)
def test_a_yes_with_its_reason_or_the_order_again_is_a_yes(converse: Converse, yes: str) -> None:
    assert held(converse(K, "quero cancelar", yes)) == []


@pytest.mark.parametrize(
    "said",
    ["tá mas deixa eu confirmar no trabalho", "vou pensar", "não sei", "espera aí", "asdf", "ok, vou ver com a minha esposa", "obrigado"],
)
def test_what_draws_back_from_a_change_leaves_it_as_it_was(converse: Converse, said: str) -> None:
    for yes in ("ok", "sim"):
        case = converse(*MOVE, said, yes)
        assert "Mudo?" not in case.turnos[2].texto
        assert held(case) == [KATIA]


@pytest.mark.parametrize(
    "said",
    [
        "hmm melhor ficar na quinta mesmo",
        "deixa na quinta mesmo",
        "vou ficar com a de quinta, às 17:30",
        "mantém dia 17 mesmo",
        "prefiro continuar na quinta",
        "não, fica a de quinta",
    ],
)
def test_to_keep_the_day_that_is_held_while_a_change_is_spoken_of_is_to_stay(converse: Converse, said: str) -> None:
    case = converse(*MOVE, said, "tá bom")
    assert "17/07" in case.turnos[2].texto
    assert acts(case) == ["book_appointment"]
    assert held(case) == [KATIA]


def test_another_day_while_a_change_is_spoken_of_is_still_that_day(converse: Converse) -> None:
    case = converse(*MOVE, "não, melhor deixar pra quinta 24 às 17:30")
    assert "24/07" in case.turnos[2].texto
    assert "Mudo?" in case.turnos[2].texto


@pytest.mark.parametrize(
    "said", ["deixa quieto, fica como tá", "ah, deixa como está", "melhor deixar como está", "esquece, fica assim mesmo"]
)
def test_to_leave_it_as_it_is_ends_the_change(converse: Converse, said: str) -> None:
    case = converse(K, "quero mudar minha consulta", "pra semana que vem de manhã", said, "sim")
    assert "Para que dia" not in case.turnos[3].texto
    assert not case.turnos[4].steps
    assert "Mudo?" not in case.turnos[4].texto
    assert held(case) == [KATIA]


@pytest.mark.parametrize("said", ["ah, melhor deixar como está", "deixa como tá", "então fica como está", "deixa assim mesmo"])
@pytest.mark.parametrize("before", ["queria remarcar", "quero cancelar", ""])
def test_to_leave_it_as_it_is_after_a_cancellation_books_nothing(converse: Converse, before: str, said: str) -> None:
    case = converse(K, "cancela", "sim", *([before] if before else []), said)
    assert held(case) == []


def test_a_change_of_mind_long_after_a_cancellation_is_asked_about(converse: Converse) -> None:
    case = converse(K, "cancela", "sim", "queria remarcar", "mudei de ideia")
    assert held(case) == []
    assert held(converse(K, "cancela", "sim", "quero cancelar", "desfaz")) == [KATIA]


@pytest.mark.parametrize(
    "said",
    [
        ("só curiosidade", "tá bom"),
        ("ainda não sei", "ok, obrigada"),
        ("e se eu marcasse?", "só tava perguntando", "ok"),
        ("só queria saber", "beleza"),
        ("hmm, talvez", "sim"),
        ("asdf", "ok"),
        ("deixa eu ver com meu chefe primeiro", "isso"),
        ("era só pra ter uma ideia", "ok", "ok"),
        ("por enquanto só olhando", "ok"),
        ("obrigada pela informação", "ok"),
        ("just asking", "ok"),
    ],
)
def test_no_bare_yes_books_what_was_offered_before_a_hedge(converse: Converse, said: tuple[str, ...]) -> None:
    case = converse(NORMA, *said)
    assert "Posso marcar" not in case.turnos[-1].texto
    assert held(case) == []


def test_a_supposition_books_nothing_after_it(converse: Converse) -> None:
    said = ("se eu quisesse marcar na sexta 25 às 15h com a Norma, teria?", "e se eu marcasse?", "só tava perguntando", "ok")
    assert held(converse(*said)) == []


def test_after_a_hedge_a_clear_choice_still_books(converse: Converse) -> None:
    assert held(converse(NORMA, "ainda não sei", "pode ser, dia 25 às 15h")) == [("Dra. Norma Tavares", "2025-07-25", "15:00")]


@pytest.mark.parametrize("yes", ["tá", "tá bom", "ok", "tá, pode"])
def test_a_short_yes_takes_the_one_slot_that_was_just_offered(converse: Converse, yes: str) -> None:
    assert held(converse(NORMA, yes)) == [("Dra. Norma Tavares", "2025-07-25", "15:00")]


@pytest.mark.parametrize(
    "said",
    [
        "o médico falou que era pra eu desmarcar se melhorasse",
        "minha mãe disse que era melhor cancelar",
        "meu marido acha que eu devia desmarcar",
        "se eu melhorasse, desmarcava",
        "my doctor said I should cancel it if I got better",
    ],
)
def test_what_others_say_or_what_would_be_proposes_nothing(converse: Converse, said: str) -> None:
    case = converse(K, said, "ok")
    assert "Cancelo?" not in case.turnos[1].texto
    assert held(case) == [KATIA]


@pytest.mark.parametrize("said", ["meu marido disse que não pode me levar, cancela", "queria ver se desse pra cancelar a minha consulta"])
def test_an_order_beside_what_others_said_is_an_order(converse: Converse, said: str) -> None:
    assert "Cancelo?" in converse(K, said).turnos[1].texto


@pytest.mark.parametrize("said", ["ok obrigada", "ok", "tá bom, obrigado"])
def test_an_ok_after_i_will_see_is_courtesy(converse: Converse, said: str) -> None:
    told = converse("tem horário com a dra tereza dia 23?", "vou ver com meu marido", said).turnos[-1].texto
    assert "qual horário eu devo marcar" not in told


@pytest.mark.parametrize(
    "before",
    [
        (K,),
        (K, "quero cancelar", "sim"),
        (K, "cancela", "sim", "me arrependi, volta atrás"),
        (*MOVE, "deixa quieto"),
        (*MOVE, "sim", "desfaz"),
        (K, "quero cancelar", "não cancela não"),
        ("quero cancelar", "esquece"),
    ],
)
def test_a_yes_where_nothing_waits_has_one_answer_that_tells_what_is_held(converse: Converse, before: tuple[str, ...]) -> None:
    for yes in YES:
        case = converse(*before, yes)
        last = case.turnos[-1]
        assert not last.steps
        assert last.texto.startswith("Certo! Não há nada esperando a sua resposta.")
        assert ("17/07" in last.texto) == bool(held(case))


def test_a_yes_to_which_of_several_is_asked_on_each_time(converse: Converse) -> None:
    case = converse("quero cardiologista", "ok", "ok")
    assert [turn.texto for turn in case.turnos[1:]] == ["Você pode me dizer qual horário eu devo marcar?"] * 2
