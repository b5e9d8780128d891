"""No expression of the product runs away on what people or models write.

Each one is set upon with texts grown out of its own repeated parts and with the marks that lists are made of. An expression that tries
every way of parting a text doubles its work with each repetition: with six more of them a linear one does some more, that one 64 times as
much, on whatever machine.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import crivo
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.clinicas.orquestrador.entende import lexico
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.datas import find_dates
from crivo.kernel.linguagem.fala import calm

_parser: Any = importlib.import_module("re._parser")
PUMPS = (" ", "a ", "1, ", ", ", "e ", "de ", "dia ", "1/")
MORE = 24
LADDER = (9, 15, MORE)  # climbed only until the work is felt, so that an expression that runs away ends soon
FEWER = 6
MOST_ATTACKS = 80
DOUBLING, NOISE_SECONDS = 12.0, 0.004


def in_value(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif depth < 5 and isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from in_value(one, depth + 1)
    elif depth < 5 and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from in_value(one, depth + 1)


def of_lexicons() -> Iterator[re.Pattern[str]]:
    yield from (lexico.intention(name) for name in lexico._INTENCOES)
    yield from (lexico.refusal(name) for name in lexico._RECUSAS)
    yield from (pattern for _, pattern in (*lexico.ordinals(), *lexico.later()))
    yield from (lexico.reference(name) for name in lexico.Referencias.__struct_fields__ if name not in {"ordinais", "depois"})
    yield lexico.excepting()
    yield from (LEXICO.expression(name) for name in LEXICO)


def expressions(package: str) -> dict[tuple[str, int], str]:
    """Every expression that the modules of a package hold, and whose it is."""
    found: dict[tuple[str, int], str] = {}
    for module in pkgutil.walk_packages(crivo.__path__, "crivo."):
        if not module.name.startswith(package) or module.name.endswith(("__main__", ".env")):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            for pattern in in_value(value):
                found.setdefault((pattern.pattern, pattern.flags), f"{module.name}.{name}")
    return found


def sample(tree: Iterable[Any]) -> str:
    """Some text that a part of an expression takes; looks around it are not looked at."""
    return "".join(_one(str(op), value) for op, value in tree)


def _one(op: str, value: Any) -> str:
    match op:
        case "LITERAL":
            return chr(int(value))
        case "IN":
            members = [(str(kind), inner) for kind, inner in value]
            told = next((inner for kind, inner in members if kind == "LITERAL"), None)
            if any(kind == "NEGATE" for kind, _ in members):
                return "a"
            spaces = any(str(inner).endswith("CATEGORY_SPACE") for kind, inner in members if kind == "CATEGORY")
            digits = any(str(inner).endswith("CATEGORY_DIGIT") for kind, inner in members if kind == "CATEGORY")
            first = next((inner[0] for kind, inner in members if kind == "RANGE"), None)
            return " " if spaces else "1" if digits else chr(int(told if told is not None else first if first is not None else ord("a")))
        case "BRANCH":
            return sample(value[1][0])
        case "SUBPATTERN":
            return sample(value[3])
        case "ATOMIC_GROUP":
            return sample(value)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return sample(value[2]) * min(int(value[0]), 3)
        case "ASSERT" | "ASSERT_NOT" | "AT" | "GROUPREF" | "GROUPREF_EXISTS":
            return ""
        case _:
            return "a"


def repeated(tree: Iterable[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Each part that may be repeated without end, with what leads to it; of alternatives, each one and each two together."""
    for op, value in tree:
        name = str(op)
        if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[1] >= MORE:
            inner = list(value[2])
            while len(inner) == 1 and str(inner[0][0]) == "SUBPATTERN":
                inner = list(inner[0][1][3])
            ways = [sample(way) for way in inner[0][1][1]][:12] if len(inner) == 1 and str(inner[0][0]) == "BRANCH" else [sample(inner)]
            yield from ((before, way) for way in ways if way)
            yield from ((before, one + other) for one, other in itertools.pairwise(ways) if one + other)
            yield from repeated(value[2], before)
        elif name == "SUBPATTERN":
            yield from repeated(value[3], before)
        elif name == "BRANCH":
            for way in value[1][:30]:
                yield from repeated(way, before)
        before += _one(name, value)


def seconds(pattern: re.Pattern[str], text: str, tries: int) -> float:
    best = float("inf")
    for _ in range(tries):
        began = time.thread_time()
        pattern.search(text)
        best = min(best, time.thread_time() - began)
    return best


def runs_away(pattern: re.Pattern[str]) -> str | None:
    """The part on which the work of an expression doubles with each repetition."""
    attacks = {("", pump) for pump in PUMPS} | set(repeated(_parser.parse(pattern.pattern, pattern.flags)))
    for before, pump in sorted(attacks)[:MOST_ATTACKS]:
        felt = next((times for times in LADDER if seconds(pattern, f"{before}{pump * times}\x01", 1) > NOISE_SECONDS), None)
        if felt is None:
            continue
        more, few = (seconds(pattern, f"{before}{pump * times}\x01", 3) for times in (felt, felt - FEWER))
        if more > NOISE_SECONDS and more > DOUBLING * few:
            return f"{before}({pump})*"
    return None


@pytest.mark.parametrize("package", ["crivo.autorizacoes", "crivo.clinicas", "crivo.triagem", "crivo.kernel", "crivo.web"])
def test_no_expression_of_the_product_doubles_its_work_with_each_word(package: str) -> None:
    found = expressions(package)
    assert len(found) >= 5
    away = {name: pump for (text, flags), name in found.items() if (pump := runs_away(re.compile(text, flags)))}
    assert away == {}


def test_no_expression_of_the_lexicons_doubles_its_work_with_each_word() -> None:
    away = {pattern.pattern[:60]: pump for pattern in of_lexicons() if (pump := runs_away(pattern))}
    assert away == {}


def test_the_check_finds_an_expression_that_runs_away() -> None:
    assert runs_away(re.compile(r"x(?:e |de |e de )*$")) is not None
    assert runs_away(re.compile(r"x(?:e |de )*$")) is None


def test_sixty_numbers_one_after_the_other_are_read_like_any_message() -> None:
    from datetime import datetime

    now = datetime(2025, 7, 16, 8, tzinfo=BRASILIA)
    numbers = ", ".join(str(number) for number in range(1, 61))
    assert [found.kind for found in find_dates(f"quero o dia 18 ou {numbers}", now.date())][:1] == ["day"]
    assert find_dates(numbers, now.date()) == []


def test_long_runs_of_one_mark_are_cut_and_figures_are_not() -> None:
    assert calm("simmmmmm" + " " * 500 + "!!!!!!!! 11111111111\n\n\nok") == "simmm !!! 11111111111\nok"
