"""A model's whole answer held against the code's, field by field; a text is not compared but checked, as two right ones may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.modelo.conferidos import AUSENTE, LONGO, faults
from crivo.autorizacoes.modelo.textos import texts_of
from crivo.autorizacoes.redacao import Decidido
from crivo.autorizacoes.redacao import Falha as FalhaDeTexto
from crivo.kernel.agents.contract import AgentContract, field_paths

TEXTO_REPROVADO: Final[tuple[str, ...]] = (*get_args(FalhaDeTexto), AUSENTE, LONGO)
TEXTOS: Final = frozenset((agente.stage, path) for agente in AGENTES for path in agente.model_writes)


class Comparado(msgspec.Struct, frozen=True):
    """One field of one agent's answer. `igual`: the same value, or a text that may stand; `falha` says why not where it is known."""

    agente: str
    campo: str
    modelo: str
    igual: bool
    falha: str | None = None


def compare_answer(
    contract: AgentContract, modelo: str, ours: msgspec.Struct, theirs: msgspec.Struct, decidido: Decidido
) -> list[Comparado]:
    """Every field of an agent's answer that either states; fields of the items of a list count as one."""
    code, said = msgspec.to_builtins(ours), msgspec.to_builtins(theirs)
    always = fields_of(contract)
    found = []
    for campo in field_paths(contract.output):
        if campo not in always and _states_nothing(_values(code, campo.split("."))) and _states_nothing(_values(said, campo.split("."))):
            continue
        if campo in contract.model_writes:
            falha = _fault_of_texts(contract, campo, ours, theirs, decidido)
            found.append(Comparado(contract.stage, campo, modelo, falha is None, falha))
        else:
            path = campo.split(".")
            found.append(Comparado(contract.stage, campo, modelo, _values(code, path) == _values(said, path)))
    return found


def unanswered(contract: AgentContract, modelo: str, falha: str) -> list[Comparado]:
    """An agent that the model gave no answer for: every field is marked by why."""
    return [Comparado(contract.stage, campo, modelo, igual=False, falha=falha) for campo in fields_of(contract)]


def fields_of(contract: AgentContract) -> tuple[str, ...]:
    """The fields that every answer of an agent has, in its order."""
    return tuple(field_paths(contract.output, always=True))


def _states_nothing(value: Any) -> bool:
    return all(map(_states_nothing, value)) if isinstance(value, list) else value is UNSET


def _values(value: Any, path: Sequence[str]) -> Any:
    if isinstance(value, (list, tuple)):
        return [_values(one, path) for one in value]
    if not path or value is None or value is UNSET:
        return value
    return _values(value.get(path[0], UNSET), path[1:])


def _fault_of_texts(contract: AgentContract, campo: str, ours: msgspec.Struct, theirs: msgspec.Struct, decidido: Decidido) -> str | None:
    """The most frequent first kind of fault among the texts of a field, None where all may stand and none is missing."""
    said = _of_field(campo, texts_of(contract, theirs))
    places = dict.fromkeys([*_of_field(campo, texts_of(contract, ours)), *said])
    firsts = Counter(found[0] for found in faults(contract, places, said, decidido).values() if found)
    return firsts.most_common(1)[0][0] if firsts else None


def _of_field(campo: str, textos: Mapping[str, str]) -> dict[str, str]:
    head, _, tail = campo.partition(".")
    return {path: texto for path, texto in textos.items() if path.partition("[")[0].partition(".")[0] == head and path.endswith(tail)}
