"""Whether texts that a model wrote may stand: each is held against the decision, and the model is told what does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from crivo.autorizacoes.modelo.textos import campo_of
from crivo.autorizacoes.redacao import Decidido, conferir
from crivo.kernel.agents.contract import AgentContract

AUSENTE: Final = "ausente"
LONGO: Final = "longo_demais"


def faults(contract: AgentContract, places: Iterable[str], said: Mapping[str, str], decidido: Decidido) -> dict[str, tuple[str, ...]]:
    """The kinds of fault of the text at each place, none where it may stand: those of the check, `ausente` or `longo_demais`."""
    return {path: _faults(contract, path, said.get(path), decidido) for path in places}


def _faults(contract: AgentContract, path: str, texto: str | None, decidido: Decidido) -> tuple[str, ...]:
    if texto is None:
        return (AUSENTE,)
    if len(texto) > contract.budget.saida_caracteres:
        return (LONGO,)
    return conferir(texto, campo_of(path), decidido).falhas


def complaint(contract: AgentContract, places: Iterable[str], said: Mapping[str, str], decidido: Decidido) -> str | None:
    """What a model is told of its texts that may not stand (pt-BR), or None where all may."""
    told = [line for path in places for line in _told(contract, path, said.get(path), decidido)]
    return None if not told else "\n".join(["Corrija só o que se aponta; o resto pode ficar como está.", *told])


def _told(contract: AgentContract, path: str, texto: str | None, decidido: Decidido) -> list[str]:
    if texto is None:
        return [f"- {path}: falta este texto."]
    if len(texto) > contract.budget.saida_caracteres:
        return [f"- {path}: passa de {contract.budget.saida_caracteres} caracteres."]
    achados = conferir(texto, campo_of(path), decidido).achados
    return [f"- {path}: {f'“{achado.trecho}”: ' if achado.trecho else ''}{achado.porque}." for achado in achados]
