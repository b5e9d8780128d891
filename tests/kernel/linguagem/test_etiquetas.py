"""Source: design, "What is said is learned, what is meant is computed"."""

from __future__ import annotations

from math import isclose, log

import pytest

from crivo.kernel.linguagem.etiquetas import ESCALAS, Cabeca, Contexto, Linear, linear, read_etiquetas, read_linear

UM = Linear((Cabeca("ato:sim", -0.5), Cabeca("ato:nao", 0.25, 2.0, -1.0)), {"sim": ((0, 200),), "sim ?": ((0, -100), (1, 50))})


def test_a_head_adds_up_its_weights_each_group_at_its_worth() -> None:
    somas = UM.somas({"palavras": frozenset({"sim", "sim ?", "e", "x"}), "trios": frozenset()})
    assert somas == (-0.5 + ESCALAS["palavras"] * (2 - 1) / 2, 0.25 + ESCALAS["palavras"] * 0.5 / 2)


def test_certainty_is_the_margin_along_the_line_of_its_head() -> None:
    certezas = UM.certezas({"palavras": frozenset({"sim"})})
    assert isclose(certezas["ato:nao"], 1 / (1 + 2.718281828459045 ** -(2.0 * 0.25 - 1.0)))
    assert isclose(Cabeca("x", 0.0).certeza(log(3)), 0.75)


def test_a_model_is_read_back_as_it_was_written() -> None:
    assert read_linear(UM.written()) == UM
    assert read_linear(linear().written()) == linear()


@pytest.mark.parametrize(
    ("contexto", "said", "head"),
    [
        ("inicio", "queria marcar um cardiologista pra semana que vem", "ato:marcar"),
        ("lista", "pode ser a segunda opção", "ato:escolher"),
        ("lista", "tem outro dia? nesses eu trabalho", "ato:outros"),
        ("proposta", "sim, pode marcar", "ato:sim"),
        ("proposta", "sim, pode marcar", "manda"),
        ("cancelar", "não, deixa como está", "ato:nao"),
        ("inicio", "quais são as minhas consultas?", "ato:minhas"),
        ("inicio", "quero falar com um atendente", "ato:pessoa"),
        ("feito", "obrigada viu", "ato:social"),
        ("inicio", "cancela a minha consulta de sexta por favor", "ato:cancelar"),
        ("inicio", "marca uma consulta pro meu filho", "outro"),
        ("lista", "menos na segunda", "restricao:exclui"),
    ],
)
def test_what_people_say_every_day_is_told(contexto: Contexto, said: str, head: str) -> None:
    assert read_etiquetas(said, contexto)[head] > 0.5


@pytest.mark.parametrize(
    ("contexto", "said"),
    [
        ("proposta", "e na sexta?"),
        ("proposta", "ainda não, deixa eu ver com meu marido"),
        ("lista", "quanto custa?"),
        ("feito", "obrigado"),
    ],
)
def test_what_orders_nothing_is_told_from_what_does(contexto: Contexto, said: str) -> None:
    assert read_etiquetas(said, contexto)["manda"] < 0.2


@pytest.mark.parametrize("said", ["", " ", "?", "\x00\ud800", "ㅋㅋㅋ", "1" * 5000])
def test_every_text_is_weighed(said: str) -> None:
    assert all(0 <= certeza <= 1 for certeza in read_etiquetas(said, "inicio").values())
