"""Acts of deciding, as values: which projects are in one, how each stands now, and in words why one cannot be undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.triagem.edital import Value
from crivo.triagem.guardados import Ato, DecisaoHabilitacao
from crivo.triagem.palavras import HABILITACAO, moment

Sorte = Literal["em_vigor", "desfeita", "mudada", "retirada"]
"""What became of a project of an act: its decision is in force, was undone, gave way to another; or the project was withdrawn."""


class NoAto(Value, frozen=True):
    """A project of an act; `agora` is the decision that stands, `desfeita` the act's own where it was undone; None where there is none."""

    projeto_id: str
    sorte: Sorte
    agora: DecisaoHabilitacao | None
    desfeita: DecisaoHabilitacao | None


class Desfeito(Value, frozen=True):
    """What came of undoing an act: projects that went back to what stood before, and those left as they are, as something came since."""

    ato_id: UUID
    voltaram: tuple[NoAto, ...]
    ficaram: tuple[NoAto, ...]


@dataclass(frozen=True, slots=True)
class AtoAberto:
    """An act with each of its projects, who the people in it are by id, and whether whoever looks may undo it."""

    ato: Ato
    projetos: tuple[NoAto, ...]
    nomes: Mapping[UUID, str]
    pode_desfazer: bool


@dataclass(frozen=True, slots=True)
class Decididas:
    """What people decided of an edital: by project what is in force and what is no longer, the last acts, and who these people are."""

    em_vigor: Mapping[str, DecisaoHabilitacao]
    anteriores: Mapping[str, tuple[DecisaoHabilitacao, ...]]
    atos: tuple[Ato, ...]
    nomes: Mapping[UUID, str]


def no_ato(projeto_id: str, agora: DecisaoHabilitacao | None, undone: DecisaoHabilitacao | None, ato_id: UUID, *, retirado: bool) -> NoAto:
    """A project of an act: `agora` is what stands, `undone` the act's decision where it was undone once."""
    sorte: Sorte = "mudada" if undone is None else "desfeita"
    if agora is not None and agora.ato == ato_id:
        sorte = "em_vigor"
    if retirado:
        sorte = "retirada"
    return NoAto(projeto_id, sorte, agora, undone if sorte == "desfeita" else None)


def who_decided(agora: DecisaoHabilitacao, nomes: Mapping[UUID, str]) -> str:
    """`Lia Prado decidiu “Inabilitado” em 20/11/2026 às 14h05`."""
    return f"{name_of(agora.decidido_por, nomes)} decidiu “{HABILITACAO[agora.decisao].palavra}” em {when(agora.decidido_em)}"


def you_decided(agora: DecisaoHabilitacao, now: datetime) -> str:
    """`você decidiu “Inabilitado” às 14h05`, with the day where it is not today's."""
    return f"você decidiu “{HABILITACAO[agora.decisao].palavra}” {at_hour(agora.decidido_em, now)}"


def at_hour(value: datetime, now: datetime) -> str:
    """An instant in Brasília as it is told on the same day, `às 14h05`, or later, `em 20/11/2026 às 14h05`."""
    then, today = value.astimezone(BRASILIA), now.astimezone(BRASILIA)
    return f"às {then:%Hh%M}" if then.date() == today.date() else f"em {moment(then)}"


def why_not(within: Sequence[NoAto], nomes: Mapping[UUID, str]) -> str:
    """Why nothing of an act can be undone: by what was last done to the first of its projects that tells."""
    for one in within:
        undone = one.desfeita
        if undone is not None and undone.desfeita_por is not None and undone.desfeita_em is not None:
            return f"Isto já foi desfeito por {name_of(undone.desfeita_por, nomes)} em {when(undone.desfeita_em)}."
    for one in within:
        if one.sorte == "mudada" and one.agora is not None:
            return f"{who_decided(one.agora, nomes)}, depois desta decisão: desfazê-la apagaria a outra. Se for o caso, decida de novo."
    return "Os projetos desta decisão não têm mais o que desfazer: saíram do edital, ou o que veio depois já foi desfeito."


def people_of(decisoes: Iterable[DecisaoHabilitacao | None], atos: Iterable[Ato] = ()) -> set[UUID]:
    """Whoever decided or undid any of these, or did these acts."""
    return {ato.feito_por for ato in atos} | set(_people(decisoes))


def _people(decisoes: Iterable[DecisaoHabilitacao | None]) -> Iterator[UUID]:
    for one in decisoes:
        if one is not None:
            yield one.decidido_por
            if one.desfeita_por is not None:
                yield one.desfeita_por
            yield from _people(one.anteriores)


def name_of(usuario_id: UUID, nomes: Mapping[UUID, str]) -> str:
    """Who that is, as far as it is known."""
    return nomes.get(usuario_id) or "Alguém que não está mais aqui"


def when(value: datetime) -> str:
    """An instant in Brasília: `20/11/2026 às 14h05`."""
    return moment(value.astimezone(BRASILIA))
