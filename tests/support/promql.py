"""Enough of PromQL to ask whether an alert's condition holds over one scrape: selectors, arithmetic, comparisons, max, min, sum, absent."""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import promql_parser as promql
from prometheus_client.parser import text_string_to_metric_families

Rotulos = frozenset[tuple[str, str]]
Vetor = dict[Rotulos, float]
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_OVER: dict[str, Callable[[Iterable[float]], float]] = {"max": max, "min": min, "sum": sum}


def samples(text: str) -> list[tuple[str, Mapping[str, str], float]]:
    """What a scrape tells."""
    return [(one.name, one.labels, one.value) for family in text_string_to_metric_families(text) for one in family.samples]


def holds(expr: str, scraped: list[tuple[str, Mapping[str, str], float]]) -> Vetor:
    """What an alert would be raised for; empty where for nothing."""
    found = _value(promql.parse(expr), scraped)
    assert isinstance(found, dict)
    return found


def selectors(node: Any) -> Iterator[Any]:
    """Every selector of an expression."""
    match node:
        case promql.VectorSelector():
            yield node
        case promql.MatrixSelector():
            yield node.vector_selector
        case promql.BinaryExpr():
            yield from selectors(node.lhs)
            yield from selectors(node.rhs)
        case promql.Call():
            for one in node.args:
                yield from selectors(one)
        case promql.AggregateExpr():
            yield from selectors(node.expr)
            if node.param is not None:
                yield from selectors(node.param)
        case promql.ParenExpr() | promql.UnaryExpr() | promql.SubqueryExpr():
            yield from selectors(node.expr)
        case promql.NumberLiteral() | promql.StringLiteral():
            return
        case _:
            raise NotImplementedError(type(node))


def grouped_by(node: Any) -> set[str]:
    """Every label that an expression groups by."""
    match node:
        case promql.AggregateExpr():
            return {*(node.modifier.labels if node.modifier else ()), *grouped_by(node.expr)}
        case promql.BinaryExpr():
            return grouped_by(node.lhs) | grouped_by(node.rhs)
        case promql.Call():
            return {label for one in node.args for label in grouped_by(one)}
        case promql.ParenExpr():
            return grouped_by(node.expr)
        case _:
            return set()


def _value(node: Any, scraped: list[tuple[str, Mapping[str, str], float]]) -> Vetor | float:
    match node:
        case promql.NumberLiteral():
            return float(node.val)
        case promql.VectorSelector():
            return {frozenset(labels.items()): value for name, labels, value in scraped if name == node.name and _matches(node, labels)}
        case promql.ParenExpr():
            return _value(node.expr, scraped)
        case promql.AggregateExpr():
            return _aggregate(node, scraped)
        case promql.Call() if node.func.name == "absent":
            return {} if _value(node.args[0], scraped) else {frozenset(): 1.0}
        case promql.BinaryExpr():
            return _binary(str(node.op), _value(node.lhs, scraped), _value(node.rhs, scraped))
        case _:
            raise NotImplementedError(type(node))


def _aggregate(node: Any, scraped: list[tuple[str, Mapping[str, str], float]]) -> Vetor:
    over = _value(node.expr, scraped)
    assert isinstance(over, dict)
    by = set(node.modifier.labels) if node.modifier else set()
    groups: defaultdict[Rotulos, list[float]] = defaultdict(list)
    for labels, value in over.items():
        groups[frozenset((name, one) for name, one in labels if name in by)].append(value)
    return {labels: _OVER[str(node.op)](values) for labels, values in groups.items()}


def _binary(op: str, left: Vetor | float, right: Vetor | float) -> Vetor | float:
    if isinstance(left, float):
        assert isinstance(right, float)
        return _ARITHMETIC[op](left, right)
    pairs = {labels: (one, right if isinstance(right, float) else right.get(labels)) for labels, one in left.items()}
    both = {labels: (one, other) for labels, (one, other) in pairs.items() if other is not None}
    if op in _COMPARE:
        return {labels: one for labels, (one, other) in both.items() if _COMPARE[op](one, other)}
    return {labels: _ARITHMETIC[op](one, other) for labels, (one, other) in both.items()}


def _matches(node: Any, labels: Mapping[str, str]) -> bool:
    return all(_match(one, labels.get(one.name, "")) for one in node.matchers.matchers)


def _match(matcher: Any, value: str) -> bool:
    match matcher.op:
        case promql.MatchOp.Equal:
            return value == str(matcher.value)
        case promql.MatchOp.NotEqual:
            return value != str(matcher.value)
        case promql.MatchOp.Re:
            return re.fullmatch(matcher.value, value) is not None
        case _:
            return re.fullmatch(matcher.value, value) is None
