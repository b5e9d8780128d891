"""Two versions of a política side by side: which regras came, went or changed, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id
from crivo.autorizacoes.politicas.planos import planos_da

Mudanca = Literal["acrescentada", "retirada", "mudada"]
_HEAD: Final = ("documento", "versao", "vigencia_inicio", "vigencia_fim", "planos")


@dataclass(frozen=True, slots=True)
class CampoMudado:
    """A field that says another thing; None where it says nothing."""

    campo: str
    antes: Any
    depois: Any


@dataclass(frozen=True, slots=True)
class RegraMudada:
    """A regra that differs between two versions; `campos` are those that changed, empty where the whole regra came or went."""

    regra_id: str
    mudanca: Mudanca
    regra: Regra
    campos: tuple[CampoMudado, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparacao:
    """What differs between two versions; `iguais` counts the regras that do not.

    `planos_perdidos` are those that the earlier one declares or names and the later one does not, spelled as there.
    """

    cabecalho: tuple[CampoMudado, ...]
    regras: tuple[RegraMudada, ...]
    iguais: int
    planos_perdidos: tuple[str, ...] = ()


def compare_politicas(antes: Politica, depois: Politica) -> Comparacao:
    """What `depois` says otherwise than `antes`; regras are the same by their id, in the order of `depois`, those that went last."""
    before = {regra.regra_id: regra for regra in antes.regras}
    changed, same = [], 0
    for regra in depois.regras:
        old = before.pop(regra.regra_id, None)
        if old is None:
            changed.append(RegraMudada(regra.regra_id, "acrescentada", regra))
        elif old == regra:
            same += 1
        else:
            changed.append(RegraMudada(regra.regra_id, "mudada", regra, _fields(old, regra)))
    changed += [RegraMudada(old.regra_id, "retirada", old) for old in before.values()]
    head = [CampoMudado(name, getattr(antes, name), getattr(depois, name)) for name in _HEAD]
    return Comparacao(tuple(one for one in head if one.antes != one.depois), tuple(changed), same, _lost(antes, depois))


def _lost(antes: Politica, depois: Politica) -> tuple[str, ...]:
    known, kept = _planos(antes), _planos(depois)
    return tuple([spelled for folded, spelled in known.items() if folded not in kept])


def _planos(politica: Politica) -> dict[str, str]:
    """The planos that a version has for its own, by their folded id: those it declares or, where it declares none, those it names."""
    named = politica.planos or [plano for regra in politica.regras for plano in planos_da(regra) if plano != CURINGA]
    return {fold_id(plano): plano for plano in named}


def _fields(antes: Regra, depois: Regra) -> tuple[CampoMudado, ...]:
    old, new = msgspec.structs.asdict(antes), msgspec.structs.asdict(depois)
    return tuple(CampoMudado(name, _plain(old[name]), _plain(new[name])) for name in new if old[name] != new[name])


def _plain(value: Any) -> Any:
    return None if value is UNSET else msgspec.to_builtins(value)
