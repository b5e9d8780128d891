"""The queue of the mesa: which projects answer to what is asked for, in what order, and how many each filter would leave.

Pure: what is stored comes in as fichas, and goes out as places in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, Literal, get_args

import msgspec

from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.casos import Gravidade
from crivo.triagem.recorte import SEM_CATEGORIA, Faceta, Pedido, Valores, counted, in_order, left_by
from crivo.triagem.recorte import settled as _settled

SituacaoNaFila = Literal["habilitado", "pendencia", "inabilitado", "erro", "nao-triado"]
DecisaoNaFila = Literal["sem", "habilitado", "pendencia", "inabilitado"]
Filtro = Literal["situacao", "decisao", "caso", "requisito", "categoria", "avaliacao", "difere", "minha"]
Ordem = Literal["inscricao", "projeto", "situacao", "decisao", "caso", "nota", "sugestao", "duvidas", "enviado"]
FILTROS: Final[tuple[Filtro, ...]] = get_args(Filtro)
ORDENS: Final[tuple[Ordem, ...]] = get_args(Ordem)
FORA_DO_EDITAL: Final = "*"
"""Of the filter by categoria: every one that the edital does not have."""
TODOS_ATENDIDOS: Final = "-"

_GRAVIDADES: Final[Mapping[Gravidade, int]] = {"grave": 3, "media": 2, "leve": 1}
_SITUACOES: Final[Mapping[SituacaoNaFila, int]] = {"habilitado": 0, "pendencia": 1, "erro": 2, "nao-triado": 3, "inabilitado": 4}
_DECISOES: Final[Mapping[str, int]] = {"sem": 0, "habilitado": 1, "pendencia": 2, "inabilitado": 3}
# The values that a filter may have whatever the call; those of `requisito` and `categoria` are the call's own.
_VALORES: Final[Mapping[Filtro, tuple[str, ...]]] = {
    "situacao": tuple(_SITUACOES),
    "decisao": tuple(_DECISOES),
    "caso": ("com", "sem", "grave", "media", "leve"),
    "avaliacao": ("falta", "completa", "ninguem"),
    "difere": ("sim",),
    "minha": ("sim",),
}


class Ficha(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A project as the queue sees it: no name, no word of it. `em_falta` are the requisitos that are not met or could not be read.

    `duvidosos` counts the items that could not be read.
    """

    id: str
    codigo: str
    categoria: str
    enviado_em: datetime | None
    situacao: SituacaoNaFila
    tomada: DecisaoNaFila
    difere: bool
    em_falta: tuple[str, ...]
    duvidosos: int

    @property
    def decisao(self) -> HabilitacaoSugerida | None:
        """What a person decided, None where nobody did."""
        return None if self.tomada == "sem" else self.tomada


class Medias(msgspec.Struct, frozen=True, gc=False):
    """What people and a model make of a project: their means, None without one; how many of those it was given to sent theirs."""

    pessoas: Decimal | None = None
    enviadas: int = 0
    dadas: int = 0
    sugestao: Decimal | None = None


_SEM_MEDIAS: Final = Medias()


@dataclass(frozen=True, slots=True)
class Recorte(Pedido[Filtro, Ordem]):
    """What is asked of the queue of those who manage; at first all of it, in the order of the call."""

    filtros: Mapping[Filtro, frozenset[str]] = field(default_factory=dict)
    q: str = ""
    ordem: Ordem = "inscricao"
    desce: bool = False


@dataclass(frozen=True, slots=True)
class Contexto:
    """What fichas are held against: open cases by code, the gravest first; means by id; the ids that the words found, None without
    words; places by title, empty where none was asked for; whose queue it is, and the cases that are theirs; the categorias that
    projects say and the edital lacks.
    """

    casos: Mapping[str, Sequence[Gravidade]] = field(default_factory=dict)
    medias: Mapping[str, Medias] = field(default_factory=dict)
    achados: Collection[str] | None = None
    lugares: Mapping[str, int] = field(default_factory=dict)
    meus: Collection[str] = ()
    fora: Collection[str] = ()

    def medias_de(self, ficha: Ficha) -> Medias:
        """The means of a project."""
        return self.medias.get(ficha.id, _SEM_MEDIAS)


def settled(recorte: Recorte, requisitos: Collection[str], categorias: Collection[str]) -> tuple[Recorte, tuple[tuple[Filtro, str], ...]]:
    """What is asked for without the values that this call does not have, and which these are: an old address may name them still."""
    known = {**_VALORES, "requisito": (*requisitos, TODOS_ATENDIDOS), "categoria": (*categorias, SEM_CATEGORIA, FORA_DO_EDITAL)}
    return _settled(recorte, {name: known[name] for name in FILTROS})


def chosen(fichas: Iterable[Ficha], recorte: Recorte, contexto: Contexto) -> list[Ficha]:
    """The fichas that answer to all filters and to the words, in the order in which they came."""
    # Only what is asked for is made ready: five views are counted for a page.
    valores = Valores(_UM, {name: of(contexto) for name, of in _VARIOS.items() if name in recorte.filtros})
    return left_by(_worded(fichas, contexto), recorte.filtros, valores)


def ordered(fichas: list[Ficha], recorte: Recorte, contexto: Contexto) -> list[Ficha]:
    """The fichas in the order that is asked for; equals as they came. What has no value stands last, whichever way it goes."""
    if recorte.ordem == "inscricao":
        return fichas[::-1] if recorte.desce else fichas
    return in_order(fichas, _KEYS[recorte.ordem](contexto), desce=recorte.desce)


def facetas_of(fichas: Sequence[Ficha], recorte: Recorte, contexto: Contexto) -> Mapping[Filtro, Faceta]:
    """How many projects each value of each filter would leave, all other filters in force."""
    valores = Valores(_UM, {name: of(contexto) for name, of in _VARIOS.items()})
    return counted(list(_worded(fichas, contexto)), recorte.filtros, valores)


def _worded(fichas: Iterable[Ficha], contexto: Contexto) -> Iterable[Ficha]:
    return fichas if contexto.achados is None else [one for one in fichas if one.id in contexto.achados]


def _caso(contexto: Contexto) -> Callable[[Ficha], Collection[str]]:
    of = {codigo: ("com", *dict.fromkeys(graus)) for codigo, graus in contexto.casos.items() if graus}
    return lambda ficha: of.get(ficha.codigo, ("sem",))


def _categoria(contexto: Contexto) -> Callable[[Ficha], Collection[str]]:
    fora = contexto.fora
    return lambda ficha: (ficha.categoria, FORA_DO_EDITAL) if ficha.categoria in fora else (ficha.categoria or SEM_CATEGORIA,)


def _avaliacao(contexto: Contexto) -> Callable[[Ficha], Collection[str]]:
    def values(ficha: Ficha) -> Collection[str]:
        medias = contexto.medias_de(ficha)
        if not medias.dadas:
            return ("ninguem",)
        return ("completa",) if medias.enviadas >= medias.dadas else ("falta",)

    return values


def _minha(contexto: Contexto) -> Callable[[Ficha], Collection[str]]:
    return lambda ficha: ("sim",) if ficha.codigo in contexto.meus else ()


# Ten thousand fichas are asked a dozen times for a page: of filters with one value each they are asked without a call of ours.
_UM: Final[Mapping[Filtro, Callable[[Ficha], Any]]] = {"situacao": attrgetter("situacao"), "decisao": attrgetter("tomada")}
_VARIOS: Final[Mapping[Filtro, Callable[[Contexto], Callable[[Ficha], Collection[str]]]]] = {
    "caso": _caso,
    "requisito": lambda _: lambda ficha: ficha.em_falta or (TODOS_ATENDIDOS,),
    "categoria": _categoria,
    "avaliacao": _avaliacao,
    "difere": lambda _: lambda ficha: ("sim",) if ficha.difere else (),
    "minha": _minha,
}


def _grau(contexto: Contexto) -> Callable[[Ficha], Any]:
    of = {codigo: (_GRAVIDADES[graus[0]], len(graus)) for codigo, graus in contexto.casos.items() if graus}
    return lambda ficha: of.get(ficha.codigo)


_KEYS: Final[Mapping[Ordem, Callable[[Contexto], Callable[[Ficha], Any]]]] = {
    "projeto": lambda contexto: lambda ficha: contexto.lugares.get(ficha.id),
    "situacao": lambda _: lambda ficha: _SITUACOES[ficha.situacao],
    "decisao": lambda _: lambda ficha: _DECISOES[ficha.tomada],
    "caso": _grau,
    "nota": lambda contexto: lambda ficha: contexto.medias_de(ficha).pessoas,
    "sugestao": lambda contexto: lambda ficha: contexto.medias_de(ficha).sugestao,
    "duvidas": lambda _: lambda ficha: ficha.duvidosos or None,
    "enviado": lambda _: lambda ficha: ficha.enviado_em,
}
