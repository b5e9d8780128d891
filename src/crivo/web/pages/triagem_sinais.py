"""Signs of irregularity as cards: whom they concern, what was measured, and the passages side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.triagem.achados import Evidencia, Irregularidade, TipoIrregularidade
from crivo.triagem.palavras import IRREGULARIDADE
from crivo.web.pages.palavras import Rotulo
from crivo.web.pages.triagem_palavras import campo_name, measure, place, shown, unveiled
from crivo.web.pages.triagem_vista import Quem

_UNSEEN: Final = frozenset({"texto_oculto", "texto_instrucional"})


@dataclass(frozen=True, slots=True)
class Passagem:
    """A quote, of which project, and where in it."""

    projeto: str
    lugar: str
    texto: str


@dataclass(frozen=True, slots=True)
class SinalVista:
    """A card; `pares` are passages to be read side by side, `trechos` the others. `oculto`: they are what a document hides."""

    rotulo: Rotulo
    projetos: tuple[Quem, ...]
    medida: str
    achado: str
    onde: str
    pares: tuple[tuple[Passagem, ...], ...]
    trechos: tuple[Passagem, ...]
    oculto: bool

    @classmethod
    def of(cls, sinal: Irregularidade, quem: Mapping[str, Quem]) -> SinalVista:
        """The card of a sign."""
        by_par: dict[int, list[Evidencia]] = {}
        alone = []
        for one in sinal.evidencia:
            if one.par is None:
                alone.append(one)
            else:
                by_par.setdefault(one.par, []).append(one)
        oculto = sinal.tipo in _UNSEEN
        return cls(
            Rotulo(IRREGULARIDADE[sinal.tipo], "!", "pendente"),
            tuple([quem[codigo] for codigo in sinal.projetos]),
            measure(sinal),
            shown(sinal.achado),
            shown(sinal.arquivo or "") or (campo_name(sinal.campo) if sinal.campo and oculto else ""),
            tuple([tuple([_passage(one, oculto=oculto) for one in together]) for together in by_par.values()]),
            tuple([_passage(one, oculto=oculto) for one in alone]),
            oculto,
        )


def kinds(sinais: Sequence[Irregularidade]) -> tuple[tuple[TipoIrregularidade, str], ...]:
    """The kinds that were found, each with how many: `("texto_oculto", "Texto oculto (2)")`."""
    counted = Counter(sinal.tipo for sinal in sinais)
    return tuple((tipo, f"{name} ({counted[tipo]})") for tipo, name in IRREGULARIDADE.items() if counted[tipo])


def _passage(evidencia: Evidencia, *, oculto: bool) -> Passagem:
    text = unveiled(evidencia.trecho) if oculto else shown(evidencia.trecho)
    return Passagem(shown(evidencia.projeto or ""), place(evidencia), text.strip())
