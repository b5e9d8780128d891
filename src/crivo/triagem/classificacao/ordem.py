"""Who stands before whom. Source: design, After the notas, rule 5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from math import lcm
from typing import Any, Final, assert_never

from crivo.triagem.classificacao.concorrencia import Concorrencia
from crivo.triagem.classificacao.definicao import Desempate, PorCampo, PorCriterio, PorInscricao, PorSorteio
from crivo.triagem.classificacao.juizo import NoPareo
from crivo.triagem.classificacao.regua import Regua
from crivo.triagem.classificacao.resultado import Desempatado, draw
from crivo.triagem.habilitacao.condicoes import comparable

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
# Values of different kinds are in no order of their own, so that one of another kind stands by its kind; what cannot be ordered is last.
_NUMBER, _DAY, _YES_NO, _LAST = range(4)

Key = tuple[Any, ...]


class Ordem:
    """The order of a call: the higher nota_final first, and equal ones by each tie-break in turn; whatever it is, the draw ends it."""

    def __init__(self, concorrencia: Concorrencia, regua: Regua, todos: Sequence[NoPareo]) -> None:
        regras = concorrencia.classificacao
        self._por = regras.desempate
        self._semente = concorrencia.semente
        # Sums of different numbers of notas are compared as if as many had been given of each.
        whole = lcm(*{one.contas.avaliadores for one in todos})
        self._keys = [_key_of(one, regua, whole, self._draw) for one in self._por]

    def sort(self, grupo: Sequence[NoPareo]) -> tuple[list[NoPareo], list[Desempatado | None]]:
        """The projects, the best first, and by which tie-break each stands where it does; None of one whose nota is its own."""
        keyed = sorted(((self._key(one), one) for one in grupo), key=lambda pair: pair[0])
        ordered = [one for _, one in keyed]
        ties: list[Desempatado | None] = [None] * len(ordered)
        for at, ((above, first), (below, second)) in enumerate(pairwise(keyed)):
            if above[0] == below[0]:
                por = self._decided(above, below)
                ties[at] = ties[at] or Desempatado(por, second.inscrito.id, atras=False)
                ties[at + 1] = Desempatado(por, first.inscrito.id, atras=True)
        return ordered, ties

    def _key(self, one: NoPareo) -> Key:
        return (-one.contas.final, *(key(one) for key in self._keys), self._draw(one), one.inscrito.id)

    def _decided(self, above: Key, below: Key) -> Desempate | None:
        at = next(place for place, (one, other) in enumerate(zip(above, below, strict=True)) if one != other)
        return self._por[at - 1] if at <= len(self._por) else None

    def _draw(self, one: NoPareo) -> bytes:
        return draw(self._semente, one.inscrito.id)


def _key_of(por: Desempate, regua: Regua, whole: int, draw: Callable[[NoPareo], bytes]) -> Callable[[NoPareo], Any]:
    """What a tie-break compares: the lower goes first."""
    match por:
        case PorCriterio():
            at = next((place for place, one in enumerate(regua.criterios) if one.id == por.criterio), None)
            return lambda one: 0 if at is None else -one.contas.somas[at] * (whole // one.contas.avaliadores)
        case PorCampo():
            known: dict[tuple[type, Any], tuple[int, Decimal | int]] = {}
            return lambda one: _ordered(one.inscrito.campos.get(por.campo), known, maior=por.maior)
        case PorInscricao():
            return lambda one: _sent(one.inscrito.enviado_em)
        case PorSorteio():
            return draw
        case _:
            assert_never(por)


def _sent(moment: datetime | None) -> tuple[bool, int]:
    return (True, 0) if moment is None else (False, (moment - _EPOCH) // _MICROSECOND)


def _ordered(value: Any, known: dict[tuple[type, Any], tuple[int, Decimal | int]], *, maior: bool) -> tuple[int, Decimal | int]:
    if value is None or isinstance(value, list | dict):
        return (_LAST, 0)
    key = (type(value), value)
    if key not in known:
        known[key] = _measured(value, maior=maior)
    return known[key]


def _measured(value: Any, *, maior: bool) -> tuple[int, Decimal | int]:
    read = comparable(value)
    match read:
        case bool():
            return (_YES_NO, -int(read) if maior else int(read))
        case Decimal():
            return (_NUMBER, read.copy_negate() if maior else read)
        case date():
            return (_DAY, -read.toordinal() if maior else read.toordinal())
        case str():
            return (_LAST, 0)
        case _:
            assert_never(read)
