"""What a decision on many projects would do, before it is taken: who enters, who stays out, and why. Nothing is stored here.

Source: design, The mesa, "Many at once".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.edital import Value
from crivo.triagem.guardados import DecisaoHabilitacao
from crivo.triagem.marcas import differing, foreseen, state_of

Razao = Literal["desconhecido", "retirado", "igual", "nao_triado", "caso_aberto", "pendencia", "excluido"]


@dataclass(frozen=True, slots=True)
class Candidato:
    """A project as it stands: what was suggested of it (None where nothing was), what was decided, and its open cases by name."""

    codigo: str
    retirado: bool
    sugestao: HabilitacaoSugerida | None
    decisao: DecisaoHabilitacao | None
    casos: tuple[str, ...] = ()


class Entra(Value, frozen=True):
    """A project that would be decided; `agora` is the decision that the new one would take the place of."""

    projeto_id: str
    sugestao: HabilitacaoSugerida | None
    agora: DecisaoHabilitacao | None


class Fica(Value, frozen=True):
    """A project that would be left as it is, and why; `casos` are its open cases by name."""

    projeto_id: str
    razao: Razao
    agora: DecisaoHabilitacao | None
    casos: tuple[str, ...] = ()


class Previa(Value, frozen=True):
    """What would come of a decision, by the projects' codes. `prevista` is what whoever then decides gives back, to be held against what
    stands by then; `pede_motivo`: the decision is not what was suggested of some.
    """

    edital_id: str
    decisao: HabilitacaoSugerida
    entram: tuple[Entra, ...]
    ficam: tuple[Fica, ...]
    pede_motivo: bool
    prevista: str


def foresee(edital_id: str, codigos: Sequence[str], candidatos: Mapping[str, Candidato], decisao: HabilitacaoSugerida) -> Previa:
    """What a decision on these projects would do, each told once, in the order of their codes."""
    entram, ficam, marks = list[Entra](), list[Fica](), list[bytes]()
    for codigo in sorted(set(codigos)):
        found = candidatos.get(codigo)
        razao = _left_out(found, decisao)
        if razao is None and found is not None:
            entram.append(Entra(codigo, found.sugestao, found.decisao))
        else:
            ficam.append(Fica(codigo, razao or "desconhecido", found.decisao if found else None, found.casos if found else ()))
        marks.append(_state(codigo, found, decisao))
    pede = any(one.sugestao != decisao for one in entram)
    return Previa(edital_id, decisao, tuple(entram), tuple(ficam), pede, foreseen(marks))


def changed_since(prevista: str, nova: Previa) -> tuple[str, ...] | None:
    """The codes of which another state was foreseen than now; None where nothing is another, none where it cannot be told which."""
    codigos = sorted([one.projeto_id for one in nova.entram] + [one.projeto_id for one in nova.ficam])
    return differing(codigos, prevista, nova.prevista)


def _left_out(found: Candidato | None, decisao: HabilitacaoSugerida) -> Razao | None:
    """Why a project stays out; the first of the reasons that hold."""
    if found is None:
        return "desconhecido"
    if found.retirado:
        return "retirado"
    if found.decisao is not None and found.decisao.decisao == decisao:
        return "igual"
    if found.sugestao is None:
        return "nao_triado"
    if found.casos:
        return "caso_aberto"
    if decisao == "habilitado" and found.sugestao != "habilitado":
        return "pendencia" if found.sugestao == "pendencia" else "excluido"
    return None


def _state(codigo: str, found: Candidato | None, decisao: HabilitacaoSugerida) -> bytes:
    """A digest of all that the preview of a project rests on."""
    if found is None:
        return state_of(codigo, decisao)
    versao = found.decisao.versao if found.decisao else None
    return state_of(codigo, decisao, found.retirado, found.sugestao, versao, found.casos)
