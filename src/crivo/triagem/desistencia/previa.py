"""What a withdrawal, or taking one back, would do to the places of a call: pure, out of the result before and after."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Literal

import msgspec

from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Concorrencia, Desistencia
from crivo.triagem.classificacao.publicado import LugarPublicado, publish
from crivo.triagem.edital import Value

AtoDeDesistencia = Literal["registrar", "desfazer"]


class MudaDeLugar(Value, frozen=True):
    """A project whose situação or vaga is another afterwards."""

    antes: LugarPublicado
    depois: LugarPublicado


class PreviaDeDesistencia(Value, frozen=True):
    """What would come of it: whose situação or vaga changes, the project itself first, and how many others move up or down alone.

    `com_regras`: whether the edital says how notas become places; where it does not, nothing changes but that the project is out.
    """

    edital_id: str
    projeto_id: str
    ato: AtoDeDesistencia
    mudancas: tuple[MudaDeLugar, ...] = ()
    so_lugar: int = 0
    com_regras: bool = True

    @property
    def prevista(self) -> str:
        """A digest of what was foreseen, for whoever confirms it: of who is in and who is out, not of places that only move."""
        told = [(one.depois.projeto_id, *_place(one.antes), *_place(one.depois)) for one in self.mudancas]
        return sha256(msgspec.json.encode((self.edital_id, self.projeto_id, self.ato, self.com_regras, told))).hexdigest()


def foresee(concorrencia: Concorrencia, projeto_id: str, em: date, ato: AtoDeDesistencia) -> PreviaDeDesistencia:
    """What would come of a withdrawal on that day, or of one that is taken back."""
    others = [one for one in concorrencia.desistencias if one.projeto != projeto_id]
    withdrawn = [*others, Desistencia(projeto_id, em)]
    before = _rows(concorrencia, concorrencia.desistencias)
    after = {one.projeto_id: one for one in _rows(concorrencia, withdrawn if ato == "registrar" else others)}
    pairs = [MudaDeLugar(one, after[one.projeto_id]) for one in before]
    changed = [one for one in pairs if _place(one.antes) != _place(one.depois)]
    changed.sort(key=lambda one: (one.antes.projeto_id != projeto_id, one.depois.situacao != "selecionado"))
    moved = sum(one.antes.posicao != one.depois.posicao and _place(one.antes) == _place(one.depois) for one in pairs)
    return PreviaDeDesistencia(concorrencia.edital_id, projeto_id, ato, tuple(changed), moved)


def _rows(concorrencia: Concorrencia, desistencias: Sequence[Desistencia]) -> tuple[LugarPublicado, ...]:
    return publish(classify(msgspec.structs.replace(concorrencia, desistencias=desistencias)), "preliminar").projetos


def _place(lugar: LugarPublicado) -> tuple[str, str | None]:
    return lugar.situacao, lugar.vaga
