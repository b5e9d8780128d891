from __future__ import annotations

import pytest

from crivo.kernel.linguagem.feicoes import features, pieces


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Quero a Dra. Lia sexta às 10h", "quero a DOUTOR DIA as HORA"),
        ("dia 12, de MANHÃ?", "DATA , de TURNO ?"),
        ("meu cpf é 529.982.247-25", "meu cpf e CPF"),
        ("as duas e a de 14:30", "as NUM e a de HORA"),
        ("siiiim", "sim"),
    ],
)
def test_a_value_weighs_as_what_it_is_and_not_as_which(said: str, told: str) -> None:
    assert " ".join(pieces(said)) == told


def test_two_messages_that_differ_in_their_values_alone_weigh_the_same() -> None:
    assert features("pode ser a Dra. Lia dia 12", "lista") == features("pode ser a dra Célia dia 30", "lista")


def test_what_a_message_answers_is_weighed_beside_its_words() -> None:
    assert features("a segunda", "lista")["contexto"].isdisjoint(features("a segunda", "proposta")["contexto"])
    assert features("a segunda", "lista")["palavras"] == features("a segunda", "proposta")["palavras"]


def test_no_message_is_too_long_or_too_short_to_be_weighed() -> None:
    assert len(pieces("oi " * 100_000)) <= 120
    assert features("", "inicio")["letras"] == frozenset()
