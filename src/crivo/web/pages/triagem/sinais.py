"""Signs of irregularity as cards: whom they concern, what was measured, and the passages side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import Autor, Evidencia, Irregularidade, TipoIrregularidade
from crivo.triagem.irregularidades.sinais import SINAIS, SINAL_DE
from crivo.triagem.palavras import shown
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.pages.triagem.palavras import campo_name, measure, place, unveiled
from crivo.web.pages.triagem.realce import Segmento, align
from crivo.web.pages.triagem.vista import Quem

_MOST_PAIRS: Final = 12


@dataclass(frozen=True, slots=True)
class Passagem:
    """A quote, of which project, where in it, and the address of that document."""

    projeto: str
    lugar: str
    texto: str
    endereco: str


@dataclass(frozen=True, slots=True)
class ParVista:
    """Two passages that belong together, word by word, each with where it stands."""

    lugar_a: str
    lugar_b: str
    a: tuple[Segmento, ...]
    b: tuple[Segmento, ...]


@dataclass(frozen=True, slots=True)
class SinalVista:
    """A card. `pares` are passages of the projects `titulo_a` and `titulo_b` to be read side by side, `grupos` are of more projects
    than two, `trechos` stand alone; `restantes` more pairs are only in the export. `oculto`: they are what a document hides.
    `autor` is who found it.
    """

    rotulo: Rotulo
    projetos: tuple[Quem, ...]
    medida: str
    achado: str
    onde: str
    onde_endereco: str
    titulo_a: str
    titulo_b: str
    pares: tuple[ParVista, ...]
    restantes: int
    grupos: tuple[tuple[Passagem, ...], ...]
    trechos: tuple[Passagem, ...]
    oculto: bool
    autor: Autor

    @classmethod
    def of(cls, sinal: Irregularidade, quem: Mapping[str, Quem], enderecos: Enderecos) -> SinalVista:
        """The card of a sign."""
        together: dict[int, list[Evidencia]] = {}
        for one in sinal.evidencia:
            if one.par is not None:
                together.setdefault(one.par, []).append(one)
        tipo = SINAL_DE[sinal.tipo]
        oculto = tipo.oculto
        first = sinal.projetos[0]
        pares = [tuple(par) for par in together.values() if _is_pair(par, sinal)]
        grupos = [par for par in together.values() if not _is_pair(par, sinal)]
        return cls(
            Rotulo(tipo.palavra, "!", "pendente"),
            tuple([quem[codigo] for codigo in sinal.projetos]),
            measure(sinal),
            shown(sinal.achado),
            shown(sinal.arquivo or "") or (campo_name(sinal.campo) if sinal.campo and oculto else ""),
            enderecos.documento(first, sinal.arquivo),
            _titled(quem[first]),
            _titled(quem[sinal.projetos[-1]]),
            tuple([_pair(a, b) for a, b in pares[:_MOST_PAIRS]]),
            max(0, len(pares) - _MOST_PAIRS),
            tuple([tuple([_passage(one, first, enderecos, oculto=oculto) for one in par]) for par in grupos]),
            tuple([_passage(one, first, enderecos, oculto=oculto) for one in sinal.evidencia if one.par is None]),
            oculto,
            sinal.autor,
        )


def kinds(counted: Mapping[TipoIrregularidade, int]) -> tuple[tuple[TipoIrregularidade, str], ...]:
    """The kinds that were found, each by its code with its word and how many: `Texto oculto (2)`."""
    return tuple((one.codigo, f"{one.palavra} ({counted[one.codigo]})") for one in SINAIS if one.codigo in counted)


def _is_pair(par: Sequence[Evidencia], sinal: Irregularidade) -> bool:
    """Whether it is a text of the first project beside one of the second."""
    return len(sinal.projetos) == 2 and [one.projeto for one in par] == list(sinal.projetos) and all(one.trecho.strip() for one in par)


def _pair(a: Evidencia, b: Evidencia) -> ParVista:
    left, right = align(shown(a.trecho).strip(), shown(b.trecho).strip())
    return ParVista(place(a), place(b), left, right)


def _titled(quem: Quem) -> str:
    return f"{quem.codigo} · {quem.titulo}" if quem.titulo else quem.codigo


def _passage(evidencia: Evidencia, projeto_id: str, enderecos: Enderecos, *, oculto: bool) -> Passagem:
    text = unveiled(evidencia.trecho) if oculto else shown(evidencia.trecho)
    endereco = enderecos.documento(evidencia.projeto or projeto_id, evidencia.arquivo, evidencia.pagina)
    return Passagem(shown(evidencia.projeto or ""), place(evidencia), text.strip(), endereco)
