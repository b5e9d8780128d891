"""Codes as people say them are heard and hidden, and nothing else is taken for one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cenario import cpf_number
from crivo.clinicas.codigos import code_from, written
from crivo.clinicas.codigos_ditos import concealed, told_code

RAIZ = Path(__file__).resolve().parents[2]
SETS = (
    *sorted((RAIZ / "evals").glob("*/*.json")),
    *sorted((RAIZ / "tests/clinicas").glob("*.json")),
)
"""All sets of the evaluations but those that judge alone (`fora`), which nobody reads."""
CODE = "JRFSSDV7B8"


def texts_in(held: object) -> Iterator[str]:
    """Every text of a set."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, list | dict):
        for one in held.values() if isinstance(held, dict) else held:
            yield from texts_in(one)


def messages_of(*paths: Path) -> list[str]:
    """Every text of some sets, once."""
    return sorted({text for path in paths for text in texts_in(json.loads(path.read_bytes()))})


MESSAGES = messages_of(*SETS)


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("meu codigo eh jrfss_dv7b8", ""),
        ("JRF SS DV7 B8", ""),
        ("J R F S S - D V 7 B 8", ""),
        ("j.r.f.s.s.d.v.7.b.8", ""),
        ("quero cancelar J R F S S D V 7 B 8", "quero cancelar"),
        ("o código da dermato: jrfss/dv7b8", ""),
        ("o código do dr bruno é JRFSS DV7B8", ""),
        ("jrfssdv7b8", ""),
        ("oi, é jr fss dv7b8", "oi, é"),
        ("cancela a jr fss dv7b8 pf", "cancela a"),
        ("JRFSS traço DV7B8", ""),
        ("jrfss, dv7b8", ""),
        ("jrfss\ndv7b8", ""),
        ("primeiro jrfss e depois dv7b8", "primeiro"),
        ("meu código é JRFSS-DV7B8 ou jrfss_dv7b8", "ou"),
        ("tenho consulta amanhã cedo quero saber o horário, o codigo é jrfss dv7b8", "tenho consulta amanhã cedo quero saber o horário"),
    ],
)
def test_a_code_is_heard_and_hidden_as_people_say_it(said: str, rest: str) -> None:
    """Source: the attack P4 and P16."""
    told = told_code(said)
    assert told is not None
    assert told.codigo == CODE
    assert told.resto.removesuffix(" pf") == rest
    assert "[código]" in concealed(said)
    assert CODE not in "".join(char for char in concealed(said).upper() if char.isalnum())


@given(st.binary(min_size=8, max_size=8), st.sampled_from(["{}", "meu código é {}", "código: {} obrigada", "cancela, cod {}"]), st.data())
def test_any_code_in_any_pieces_is_heard_after_the_word_and_none_is_left_in_what_is_kept(
    seed: bytes, said: str, data: st.DataObject
) -> None:
    code = code_from(seed, "clinic_a")
    joints = data.draw(st.lists(st.sampled_from(["", "", " ", "-", "_", ".", "/", " - ", "–"]), min_size=9, max_size=9))
    spelled = code[0] + "".join(f"{joint}{letter}" for joint, letter in zip(joints, code[1:], strict=True))
    if said == "{}":
        spelled = written(code)
    told = told_code(said.format(spelled.lower()))
    assert told is not None
    assert told.codigo == code
    assert spelled.lower() not in concealed(said.format(spelled.lower()))


@pytest.mark.parametrize(
    "said",
    [
        "o código é jrfss dv7b",
        "meu código: JRFSS-DV7B8K",
        "código JRFSA-DV7B8",
        "codigo jrf0s dv7b1",
        "o código é bcdfg hjkm",
        "JRF0S-DV7B1",
    ],
)
def test_what_was_meant_for_a_code_is_hidden_and_is_none(said: str) -> None:
    told = told_code(said)
    assert told is not None
    assert told.codigo == ""
    assert concealed(said).endswith("[código]")


@pytest.mark.parametrize(
    "said",
    [
        "meu rg é 23456789",
        "RG 23456789",
        "tf 3456-7898",
        "vc tb pq hj qd",
        "qual é o código do exame 40301?",
        "o código postal é 60175-047",
        "perdi o código da consulta, como faço?",
        "me manda o código de novo, por favor",
        "código do procedimento TUSS 40302318",
    ],
)
def test_everyday_words_and_numbers_are_no_code(said: str) -> None:
    assert told_code(said) is None
    assert concealed(said) == said


def test_no_message_of_the_evaluations_is_taken_for_a_code() -> None:
    assert len(MESSAGES) > 5_000
    assert [text for text in MESSAGES if told_code(text) is not None] == []


def test_no_message_that_is_made_of_peoples_words_and_numbers_is_taken_for_a_code() -> None:
    """20,000 messages of words of the sets and the numbers that people write: documents, telephones, days and hours."""
    drawn = random.Random(11)  # noqa: S311 - messages, not secrets
    said = messages_of(*[path for path in SETS if path.parent.name in {"conversas_corpus", "emergencia_corpus", "clinicas"}])
    words = sorted({word for text in said if " " in text for word in text.split()})  # what is in one piece names a case
    made = [_message(drawn, words) for _ in range(20_000)]
    assert [text for text in made if told_code(text) is not None] == []


def _message(drawn: random.Random, words: list[str]) -> str:
    said = [drawn.choice(words) for _ in range(drawn.randint(1, 12))]
    for _ in range(drawn.randint(0, 2)):
        digits = cpf_number(drawn.randrange(10**8))
        number = drawn.choice(
            (
                f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}",
                f"(85) 9{digits[:4]}-{digits[4:8]}",
                f"rg {digits[:8]}",
                f"CEP {digits[:5]}-{digits[5:8]}",
                f"CRM-CE {digits[:5]}",
                f"{drawn.randint(1, 28)}/{drawn.randint(1, 12)} às {drawn.randint(7, 18)}h{drawn.choice(('', '30'))}",
            )
        )
        said.insert(drawn.randint(0, len(said)), number)
    return drawn.choice((str, str.lower, str.upper))(" ".join(said))
