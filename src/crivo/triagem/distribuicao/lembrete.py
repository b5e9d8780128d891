"""Of whom a reminder would ask the notas of some projects, before it is sent: whom, who is left out, and why. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from crivo.triagem.edital import Value
from crivo.triagem.marcas import differing, foreseen, state_of

RazaoDaPessoa = Literal["lembrada_hoje", "sem_acesso"]
RazaoDoProjeto = Literal["desconhecido", "retirado", "com_ninguem", "em_espera", "tudo_enviado"]


@dataclass(frozen=True, slots=True)
class Esperado:
    """A project as it stands: whether it was withdrawn, whether anybody has it, who has not sent its notas, and whether it waits with
    somebody for a round of calibration, of whom nothing is asked.
    """

    codigo: str
    retirado: bool
    com_alguem: bool
    faltam: tuple[UUID, ...] = ()
    em_espera: bool = False


@dataclass(frozen=True, slots=True)
class Lembravel:
    """Somebody who judges: their name, whether they may enter, and by whom (a name) and when they were reminded today."""

    nome: str
    entra: bool = True
    lembrada_por: str | None = None
    lembrada_em: datetime | None = None


class ALembrar(Value, frozen=True):
    """Somebody who would be reminded, and of which projects."""

    avaliador: UUID
    nome: str
    projetos: tuple[str, ...]


class NaoLembrada(Value, frozen=True):
    """Somebody who would not be, though notas of theirs are missing, and why; where they were today, by whom and when."""

    avaliador: UUID
    nome: str
    razao: RazaoDaPessoa
    projetos: tuple[str, ...]
    por: str | None = None
    em: datetime | None = None


class SemLembrete(Value, frozen=True):
    """A project of which nobody is to be reminded, and why."""

    projeto_id: str
    razao: RazaoDoProjeto


class PreviaDeLembrete(Value, frozen=True):
    """What would come of a reminder. `prevista` is what whoever then sends it gives back."""

    edital_id: str
    lembrar: tuple[ALembrar, ...]
    ficam: tuple[NaoLembrada, ...]
    projetos: tuple[SemLembrete, ...]
    prevista: str


class Lembradas(Value, frozen=True):
    """What came of a reminder: who was reminded of what, at that moment."""

    edital_id: str
    em: datetime
    pessoas: tuple[ALembrar, ...]


def foresee(
    edital_id: str, codigos: Sequence[str], projetos: Mapping[str, Esperado], pessoas: Mapping[UUID, Lembravel]
) -> PreviaDeLembrete:
    """Whom a reminder of these projects would reach, by name; each project and person told once."""
    missing: dict[UUID, list[str]] = {}
    left, states = list[SemLembrete](), list[bytes]()
    for codigo in sorted(set(codigos)):
        found = projetos.get(codigo)
        states.append(_state(codigo, found, pessoas))
        razao = _left_out(found)
        if razao is not None or found is None:
            left.append(SemLembrete(codigo, razao or "desconhecido"))
            continue
        for who in found.faltam:
            missing.setdefault(who, []).append(codigo)
    inorder = sorted(missing, key=lambda who: (pessoas[who].nome, who))
    lembrar, ficam = list[ALembrar](), list[NaoLembrada]()
    for who in inorder:
        of, its = pessoas[who], tuple(missing[who])
        why = _kept_out(of)
        if why is None:
            lembrar.append(ALembrar(who, of.nome, its))
        else:
            ficam.append(NaoLembrada(who, of.nome, why, its, of.lembrada_por, of.lembrada_em))
    return PreviaDeLembrete(edital_id, tuple(lembrar), tuple(ficam), tuple(left), foreseen(states))


def changed_since(prevista: str, codigos: Sequence[str], nova: PreviaDeLembrete) -> tuple[str, ...] | None:
    """The codes of which another state was foreseen than now; None where nothing is another, none where it cannot be told which."""
    return differing(sorted(set(codigos)), prevista, nova.prevista)


def _left_out(found: Esperado | None) -> RazaoDoProjeto | None:
    if found is None:
        return "desconhecido"
    if found.retirado:
        return "retirado"
    if not found.com_alguem:
        return "com_ninguem"
    return None if found.faltam else "em_espera" if found.em_espera else "tudo_enviado"


def _kept_out(pessoa: Lembravel) -> RazaoDaPessoa | None:
    if not pessoa.entra:
        return "sem_acesso"
    return "lembrada_hoje" if pessoa.lembrada_em is not None else None


def _state(codigo: str, found: Esperado | None, pessoas: Mapping[UUID, Lembravel]) -> bytes:
    if found is None:
        return state_of(codigo)
    return state_of(
        codigo, found.retirado, found.com_alguem, found.em_espera, sorted([(who.hex, _kept_out(pessoas[who])) for who in found.faltam])
    )
