"""Who judges an edital and how far they have come, and the acts by which projects were given, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.triagem.distribuicao.sorteio import Entrada
from crivo.triagem.edital import Value
from crivo.triagem.guardados import Atribuicao
from crivo.triagem.impedidos import Causa

DestinoDasNotas = Literal["contam", "nao_contam"]
"""What becomes of notas that were sent, of a project that is taken from whoever gave them: they count on, or are drafts again."""


@dataclass(frozen=True, slots=True)
class ComoFicam:
    """How many projects a person was given, of how many a part was written, how many were sent whole, and the last reminder."""

    projetos: int = 0
    rascunhos: int = 0
    enviadas: int = 0
    lembrado_por: UUID | None = None
    lembrado_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class Par:
    """A project given to a person: whether they wrote anything of it, how many of their notas were sent, and whether all were."""

    avaliador: UUID
    projeto: UUID
    codigo: str
    comecada: bool
    notas: int
    enviada: bool


class QuemJulga(Value, frozen=True):
    """Somebody who judges an edital. `impedida` says why they cannot yet; `lembrada_por` is a name; `categorias` are those that
    they keep to, none: all.
    """

    id: UUID
    nome: str
    email: str
    projetos: int
    por_comecar: int
    rascunhos: int
    enviadas: int
    lembrada_em: datetime | None
    lembrada_por: str | None
    impedida: Causa | None
    categorias: tuple[str, ...] = ()


class Quem(Value, frozen=True):
    """Somebody by id and name."""

    id: UUID
    nome: str


class AtoDeDistribuicao(Value, frozen=True):
    """Projects that were given at once, by a person: so many `projetos`, to so many in all (`dadas`), of which so many are given still."""

    id: UUID
    edital_id: str
    projetos: int
    dadas: int
    feito_por: UUID
    feito_em: datetime
    em_vigor: int


AlvoDoSorteio = Literal["edital", "outra"]
"""What people are drawn for: every project of an edital, or those that ask for another person."""


@dataclass(frozen=True, slots=True)
class SorteioGuardado:
    """A draw as it was made: what it was made from, by ids and codes, and the digests of that and of the pairs that came of it."""

    ato_id: UUID
    alvo: AlvoDoSorteio
    por_projeto: int
    entrada: Entrada
    entrada_resumo: str
    pares_resumo: str


class NotaQueHavia(Value, frozen=True):
    """A nota that had been sent when an impediment was recorded, with what was written beside it."""

    criterio: str
    nota: Decimal
    texto: str
    enviada_em: datetime


@dataclass(frozen=True, slots=True)
class Impedimento:
    """Why somebody must not judge a project: `motivo` is None where the project was erased; `notas` are those that counted until then.

    `tirada`: the project was with them, and was taken. Who recorded it may be who must not judge.
    """

    id: UUID
    projeto_id: str
    projeto: UUID
    avaliador: UUID
    motivo: str | None
    notas: tuple[NotaQueHavia, ...]
    tirada: bool
    por: UUID
    em: datetime
    desfeito_por: UUID | None = None
    desfeito_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class Calibracao:
    """A round in which everybody judges the same projects first, by code and id, with the act that gave them; None where all had them.

    `aberta_em`: the rest is open; `aberta_por` is None where the last nota opened it, and otherwise `motivo` says why somebody did.
    """

    id: UUID
    ato_id: UUID | None
    codigos: tuple[str, ...]
    projetos: tuple[UUID, ...]
    por: UUID
    em: datetime
    aberta_por: UUID | None = None
    aberta_em: datetime | None = None
    motivo: str = ""


@dataclass(frozen=True, slots=True)
class PrazoReaberto:
    """A later day that somebody was given for their notas in an edital; `motivo` is None where their account was erased."""

    id: UUID
    edital_id: str
    avaliador: UUID
    ate: date
    motivo: str | None
    por: UUID
    em: datetime
    desfeito_por: UUID | None = None
    desfeito_em: datetime | None = None


class Devolvidas(Value, frozen=True):
    """What came of undoing an act: how many were taken back, and of how many something was written already, which stay given."""

    ato_id: UUID
    voltaram: int
    ficaram: int


class Tiradas(Value, frozen=True):
    """What came of taking projects from a person: how many, of how many notas had been sent, and whether the person left the edital."""

    projetos: int
    com_notas: int
    saiu: bool


@dataclass(frozen=True, slots=True)
class Lembrete:
    """A reminder as whoever is to judge sees it: who asked, when, and for which projects of an edital notas are not sent yet."""

    edital_id: str
    por: UUID
    em: datetime
    projetos: tuple[str, ...]


def lembretes_of(dadas: Sequence[Atribuicao]) -> tuple[Lembrete, ...]:
    """The reminders that stand for what was given to a person, the newest first; of what they sent since, none."""
    found: dict[tuple[datetime, str, UUID], list[str]] = {}
    for one in dadas:
        if one.lembrado_em is not None and one.lembrado_por is not None and not one.avaliado:
            found.setdefault((one.lembrado_em, one.edital_id, one.lembrado_por), []).append(one.projeto_id)
    inorder = sorted(found.items(), key=lambda item: item[0], reverse=True)
    return tuple([Lembrete(edital, por, em, tuple(codigos)) for (em, edital, por), codigos in inorder])


def reminded_on(hoje: date, lembradas: Mapping[UUID, tuple[UUID, datetime]]) -> Mapping[UUID, tuple[UUID, datetime]]:
    """Those who were reminded on that day already, in Brasília."""
    return {who: (by, at) for who, (by, at) in lembradas.items() if at.astimezone(BRASILIA).date() == hoje}
