"""Who may answer a recurso: a person other than those who decided what is contested. Pure."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from crivo.triagem.recursos.contratos import Contra

Impedimento = Literal["decidiu_habilitacao", "deu_nota", "reviu_nota"]


@dataclass(frozen=True, slots=True)
class Decidiram:
    """Who decided of a project: its habilitação, the one in force or one that it replaced; its notas; and revisions of these."""

    habilitacao: Set[UUID] = frozenset()
    notas: Set[UUID] = frozenset()
    revisoes: Set[UUID] = frozenset()


def impediment(contra: Contra, pessoa: UUID, decidiram: Decidiram, *, redecide: bool = False) -> Impedimento | None:
    """Why somebody may not answer; None where they may.

    Who gave the project a nota, or revised one, answers nothing of it. Who decided the habilitação answers no recurso against it, nor any
    answer that would decide it anew (`redecide`).
    """
    if pessoa in decidiram.notas:
        return "deu_nota"
    if pessoa in decidiram.revisoes:
        return "reviu_nota"
    return "decidiu_habilitacao" if pessoa in decidiram.habilitacao and (contra == "habilitacao" or redecide) else None
