"""What changed between two results, as pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.classificacao.publicado import LugarPublicado
from crivo.triagem.palavras import number, shown
from crivo.triagem.publicacao.movimentos import Movido, Movimento, counted
from crivo.web.pages.triagem.resultado.palavras import MOVIMENTO, PLURAL, ROTULO, place_of, points_of, vaga_said

Sentido = Literal["sobe", "desce", "outro"]


@dataclass(frozen=True, slots=True)
class LadoVista:
    """A project in one of the two; without `rotulo` it is not in it."""

    lugar: str
    rotulo: Rotulo | None
    vaga: str
    nota: str
    motivo: str

    @classmethod
    def of(cls, lugar: LugarPublicado | None) -> LadoVista:
        """The side in words."""
        if lugar is None:
            return cls("–", None, "", "", "")
        nota = points_of(lugar.nota_final if lugar.nota_final is not None else lugar.nota_base)
        return cls(place_of(lugar), ROTULO[lugar.situacao], vaga_said(lugar.vaga), nota, shown(lugar.motivo))


@dataclass(frozen=True, slots=True)
class MudancaVista:
    """A project that changed: in what, by words and drawings, before and after."""

    codigo: str
    titulo: str
    categoria: str
    sentido: Sentido
    marcas: tuple[tuple[str, str], ...]
    antes: LadoVista
    depois: LadoVista

    @classmethod
    def of(cls, movido: Movido) -> MudancaVista:
        """The change in words."""
        mudanca = movido.mudanca
        lugar = mudanca.depois or mudanca.antes
        return cls(
            mudanca.projeto_id,
            shown(mudanca.titulo) or mudanca.projeto_id,
            shown(lugar.categoria) if lugar else "",
            way_of(movido),
            tuple([MOVIMENTO[one] for one in movido.movimentos]),
            LadoVista.of(mudanca.antes),
            LadoVista.of(mudanca.depois),
        )


def way_of(movido: Movido) -> Sentido:
    """Whether a project stands better or worse, where that can be said."""
    first = movido.movimentos[0]
    if first in {"entrou", "novo"} or (first not in {"saiu", "sumiu"} and "subiu" in movido.movimentos):
        return "sobe"
    return "desce" if first in {"saiu", "sumiu"} or "desceu" in movido.movimentos else "outro"


def figures_of(movidos: Sequence[Movido]) -> list[tuple[str, str, str]]:
    """How many of each kind, as `numeros` shows them."""
    return [(PLURAL[of], number(many), "") for of, many in counted(movidos).items()]


def chips_of(movidos: Sequence[Movido], chosen: str, address: str) -> list[tuple[str, str, bool]]:
    """The kinds as filters: word, address and whether it is the one in force; `address` ends where the kind goes."""
    kinds: list[tuple[str, Movimento | Literal[""], int]] = [("Tudo", "", len(movidos))]
    kinds += [(PLURAL[of], of, many) for of, many in counted(movidos).items()]
    return [(f"{word} {number(many)}", f"{address}{of}", chosen == of) for word, of, many in kinds]
