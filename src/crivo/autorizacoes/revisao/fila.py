"""The queue as people ask for it: which decisions, by which filters together, and how it stands as a whole. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.autorizacoes.fichas import Dizeres
from crivo.autorizacoes.revisao.calendarios import Calendarios
from crivo.autorizacoes.revisao.contracts import NaFila, PorHora
from crivo.autorizacoes.revisao.prazos import FAIXAS, Faixa, Prazo, faixa_de, prazo_ou_nenhum
from crivo.kernel.linguagem.dobra import fold

NAO_DITO: Final = "-"
"""How a filter calls what was not said: the administradora, plano, regra or kind of those that have none."""
LIVRES, MINHAS = "livres", "minhas"
IDADES: Final[Mapping[str, int]] = {"1": 1, "3": 3, "7": 7}
"""From how many days of waiting each filter of age takes."""


@dataclass(frozen=True, slots=True)
class Recorte:
    """Which of those that wait are asked for; each of them empty asks for all.

    `quem` is `livres`, `minhas` or a person; `motivo` a code without its field; `idade` a key of IDADES.
    """

    q: str = ""
    decisao: str = ""
    prazo: str = ""
    quem: str = ""
    regra: str = ""
    administradora: str = ""
    plano: str = ""
    tipo: str = ""
    urgencia: str = ""
    idade: str = ""
    motivo: str = ""

    @property
    def algum(self) -> bool:
        """Whether anything is left out."""
        return any(getattr(self, one.name) for one in fields(self))


_SHORT_NUMBER: Final = 3
"""A number of fewer figures begins and ends too many others to be looked for by its beginning."""
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’‘`´](?=\w)")
_BETWEEN_FIGURES: Final = str.maketrans("", "", ".-/")
TUDO: Final = Recorte()
"""What leaves nothing out."""


@dataclass(frozen=True, slots=True)
class Panorama:
    """How the queue stands: how many by how near the deadline is, how many are one's own, nobody's and urgent, and which comes first."""

    faixas: Mapping[Faixa, int]
    minhas: int
    livres: int
    mais_perto: Prazo | None
    urgentes: int

    @property
    def total(self) -> int:
        """How many wait."""
        return sum(self.faixas.values())


def panorama_of(grupos: Sequence[PorHora], calendarios: Calendarios, agora: datetime, ator: str) -> Panorama:
    """How the queue stands for somebody."""
    faixas: Counter[Faixa] = Counter(dict.fromkeys(FAIXAS, 0))
    nearest: Prazo | None = None
    for prazo, quantas in due(grupos, calendarios):
        faixas[faixa_de(prazo, agora)] += quantas
        if prazo is not None and (nearest is None or _turn(prazo) < _turn(nearest)):
            nearest = prazo
    urgentes = sum(one.quantas for one in grupos if one.urgente)
    minhas = sum(one.quantas for one in grupos if one.responsavel == ator)
    return Panorama(faixas, minhas, sum(one.quantas for one in grupos if not one.responsavel), nearest, urgentes)


def panorama_de(fila: Sequence[NaFila], agora: datetime, ator: str) -> Panorama:
    """The same of a queue that was read whole, in its order."""
    faixas: Counter[Faixa] = Counter(dict.fromkeys(FAIXAS, 0))
    faixas.update([faixa_de(one.prazo, agora) for one in fila])
    nearest = next((one.prazo for one in fila if one.prazo is not None), None)
    minhas, livres = sum(one.quem == ator for one in fila), sum(not one.quem for one in fila)
    return Panorama(faixas, minhas, livres, nearest, sum(one.urgente for one in fila))


def _turn(prazo: Prazo) -> tuple[bool, datetime, datetime]:
    """Which of two is answered first: what is to be answered at once goes before all others, late or not."""
    return (not prazo.imediato, prazo.ate, prazo.desde)


def due(grupos: Sequence[PorHora], calendarios: Calendarios) -> Iterator[tuple[Prazo | None, int]]:
    """By when those of each hour are to be answered, and how many they are."""
    for one in grupos:
        calendario = calendarios.de(one.administradora_id)
        yield prazo_ou_nenhum(one.hora, urgente=one.urgente, tipo=one.tipo, calendario=calendario), one.quantas


def sieve(fila: Sequence[NaFila], recorte: Recorte, agora: datetime, ator: str, dizeres: Mapping[UUID, Dizeres]) -> list[NaFila]:
    """Those of a queue that are asked for, in the same order; `dizeres` are needed where words are searched for."""
    wanted = list(fila)
    for test in _tests(recorte, agora, ator, dizeres):
        wanted = [one for one in wanted if test(one)]
    return wanted


def values_of(fila: Sequence[NaFila], of: Callable[[NaFila], str | None]) -> list[str]:
    """The values that there are of something, NAO_DITO for those that have none."""
    return sorted({of(one) or NAO_DITO for one in fila})


def _tests(recorte: Recorte, agora: datetime, ator: str, dizeres: Mapping[UUID, Dizeres]) -> list[Callable[[NaFila], bool]]:
    exact: tuple[tuple[str, Callable[[NaFila], str | None]], ...] = (
        (recorte.decisao, lambda one: one.decisao_final),
        (recorte.administradora, lambda one: one.administradora_id),
        (recorte.plano, lambda one: one.plano_id),
        (recorte.regra, lambda one: one.regra_id),
        (recorte.tipo, lambda one: one.tipo),
        (recorte.urgencia, lambda one: "sim" if one.urgente else "nao"),
        (recorte.quem and {LIVRES: NAO_DITO, MINHAS: ator}.get(recorte.quem, recorte.quem), lambda one: one.quem),
        (recorte.prazo, lambda one: faixa_de(one.prazo, agora)),
    )
    tests = [_equals(asked, of) for asked, of in exact if asked]
    if recorte.motivo:
        tests.append(lambda one: recorte.motivo in one.motivos)
    if recorte.idade in IDADES:
        tests.append(lambda one: (agora - one.recebida_em).days >= IDADES[recorte.idade])
    words = [_sought(word) for word in fold(recorte.q).split()]
    if words:
        tests.append(lambda one: _has(words, one, dizeres))  # last, as it asks most
    return tests


def _equals(asked: str, of: Callable[[NaFila], str | None]) -> Callable[[NaFila], bool]:
    return lambda one: (of(one) or NAO_DITO) == asked


@dataclass(frozen=True, slots=True)
class _Buscada:
    """A word that is searched for; `do_pedido` is whether in what is of the pedido alone, and not in codes that many share."""

    forma: re.Pattern[str]
    do_pedido: bool = False


def _sought(word: str) -> _Buscada:
    """How a folded word is found: where words begin; a number whole, or by its first or last figures, a short one whole only."""
    figures = word.translate(_BETWEEN_FIGURES)
    if not figures.isdecimal():
        return _Buscada(re.compile(rf"(?<![^\W_]){re.escape(word)}"))
    if len(figures) < _SHORT_NUMBER:
        return _Buscada(re.compile(rf"(?<!\d)0*{int(figures)}(?!\d)"), do_pedido=True)
    written = figures if figures == word else rf"(?:{figures}|{re.escape(word)})"
    return _Buscada(re.compile(rf"(?<!\d){written}|{written}(?!\d)"))


def _together(said: str) -> str:
    """Words with an apostrophe written as one: whoever looks for `davila` means `D'Ávila`. Empty where there is none."""
    return _APOSTROPHE.sub("", said) if _APOSTROPHE.search(said) else ""


def _has(words: Sequence[_Buscada], one: NaFila, dizeres: Mapping[UUID, Dizeres]) -> bool:
    """Whether each of the words is in what a decision says of itself, whatever its accents and case."""
    dito = dizeres.get(one.id)
    left = [word for word in words if word.do_pedido or dito is None or not word.forma.search(dito.procura)]
    if not left:
        return True
    shared = [part for part in (one.administradora_id, one.plano_id, one.regra_id) if part]
    own = [part for part in (one.pedido_id, *((dito.beneficiario, dito.descricao, dito.nome) if dito else ())) if part]
    said_by_it, said = fold(" ".join(own)), fold(" ".join([*own, *map(_together, own), *shared]))
    return all(word.forma.search(said_by_it if word.do_pedido else said) for word in left)
