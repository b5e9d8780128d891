"""What a message does is learned of many hands. Source: design, "What is said is learned, what is meant is computed"."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from evals.confiabilidade import expected_error, reliability, reliability_table
from evals.falas import CABECAS, CORPUS, Fala, hands, learn, predictions, read_falas, slipped, told_acts

from crivo.kernel.linguagem.etiquetas import linear
from crivo.kernel.linguagem.feicoes import features

FORA = hands(CORPUS / "fora")


def test_the_weights_have_a_head_for_each_thing_that_is_labelled() -> None:
    assert tuple(cabeca.nome for cabeca in linear().cabecas) == CABECAS
    labelled = {label for falas in (*hands().values(), *FORA.values()) for fala in falas for label in fala.etiquetas}
    assert labelled <= set(CABECAS)


def test_fourteen_hands_teach_and_two_only_judge() -> None:
    assert len(hands()) == 14
    assert len(FORA) == 2
    assert sum(map(len, hands().values())) + sum(map(len, FORA.values())) > 6_000


@pytest.mark.parametrize("mao", FORA)
def test_of_a_hand_that_taught_nothing_acts_are_told_and_the_certainty_holds(mao: str) -> None:
    found = predictions(FORA[mao])
    acts = [one for head, each in found.items() if head.startswith("ato:") for one in each]
    assert sum((certeza >= 0.5) == was for certeza, was in acts) / len(acts) >= 0.95
    assert sum((certeza >= 0.5) == was for certeza, was in found["manda"]) / len(found["manda"]) >= 0.90
    assert expected_error([one for each in found.values() for one in each]) <= 0.03


@pytest.mark.parametrize("mao", FORA)
def test_where_an_order_is_all_but_denied_hardly_any_was(mao: str) -> None:
    denied = [was for certeza, was in predictions(FORA[mao])["manda"] if certeza < 0.05]
    assert len(denied) >= 60
    assert sum(denied) / len(denied) <= 0.05


def test_the_same_hands_teach_the_same_weights() -> None:
    falas = hands()["mao_01"][::7]
    made = learn(falas, ("manda", "ato:sim"))
    assert learn(falas, ("manda", "ato:sim")).written() == made.written()
    assert made.certezas(features("sim", "proposta")).keys() == {"manda", "ato:sim"}


def test_a_message_is_its_clauses_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "mao.txt"
    path.write_text("lista | sim/ordem/-/outro: pode ser || corrigir/-/quer/-: não, às 10: melhor\n", encoding="utf-8")
    (fala,) = read_falas(path)
    assert fala.texto == "pode ser não, às 10: melhor"
    assert fala.etiquetas == {"ato:sim", "ato:corrigir", "modo:ordem", "restricao:quer", "outro", "manda"}


def test_a_line_that_answers_nothing_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mao.txt"
    path.write_text("nada | sim/ordem/-/-: pode\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"mao\.txt"):
        list(read_falas(path))


def test_slips_of_the_hand_keep_most_of_what_was_said() -> None:
    said = "queria marcar uma consulta com a doutora na quinta de manhã"
    one, again = (slipped(said, random.Random(3)) for _ in range(2))  # noqa: S311  # slips of the hand, no secret
    assert one == again
    assert one != said
    assert len(set(one.split()) & set(said.split())) >= 7
    assert slipped("oi", random.Random(3)) == "oi"  # noqa: S311  # slips of the hand, no secret


def test_reliability_is_drawn_stretch_by_stretch() -> None:
    told = [(0.95, True)] * 9 + [(0.95, False)] + [(0.01, False)] * 5
    assert [(round(said, 2), was, many) for said, was, many in reliability(told)] == [(0.01, 0.0, 5), (0.95, 0.9, 10)]
    assert round(expected_error(told), 4) == round((10 * 0.05 + 5 * 0.01) / 15, 4)
    assert "0.950      0.900       10" in reliability_table(told)


def test_the_rows_name_each_hand_that_judges() -> None:
    rows = {row.linha for row in told_acts()}
    assert {f"falas, {mao}, que não ensinou: atos" for mao in FORA} <= rows


def test_the_texts_of_a_hand_are_no_longer_than_what_is_read() -> None:
    assert all(isinstance(fala, Fala) and len(fala.texto) < 1_000 for falas in hands().values() for fala in falas)
