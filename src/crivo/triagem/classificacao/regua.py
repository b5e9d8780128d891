"""The notas of people as integers, and what rules 2 and 4 make of them. Source: design, After the notas, rules 1, 2 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia
from crivo.triagem.classificacao.exato import half_up, places_of, scaled, unscaled
from crivo.triagem.condicao import Value


class Contas(Value, frozen=True, gc=False):
    """What the notas of a project come to, scaled: how many avaliadores gave them all and the sum of theirs by critério; the nota_base;
    which bônus hold, what counts of their points, and the nota_final.
    """

    avaliadores: int
    somas: tuple[int, ...]
    base: int
    valeram: tuple[str, ...] = ()
    bonus: int = 0
    final: int = 0


class Regua:
    """The scales of a call: notas are integers of `casas_notas` places, nota_base of `casas`, points of `casas_pontos`."""

    def __init__(self, concorrencia: Concorrencia) -> None:
        """Precondition: pesos and highest notas of the critérios are above 0."""
        regras = concorrencia.classificacao
        self.criterios = tuple(concorrencia.criterios)
        self.casas = regras.casas
        given = {nota for one in concorrencia.avaliacoes for nota in one.notas.values()}
        self.casas_notas = places_of([*given, *(nota for one in self.criterios for nota in (one.nota_min, one.nota_max))])
        points = [one.pontos for one in regras.bonus] + ([] if regras.bonus_maximo is None else [regras.bonus_maximo])
        self.casas_pontos = max(self.casas, places_of(points))
        self._as_integer = {nota: scaled(nota, self.casas_notas) for nota in given}
        pesos = places_of(one.peso for one in self.criterios)
        self._pesos = tuple([scaled(one.peso, pesos) for one in self.criterios])
        highest = sum((Fraction(one.peso) * Fraction(one.nota_max) for one in self.criterios), Fraction(0))
        whole = Fraction(regras.escala) * 10**self.casas / ((highest or 1) * 10 ** (pesos + self.casas_notas))
        self._por_soma, self._divisor = whole.numerator, whole.denominator
        self._medias: dict[tuple[int, int], Decimal] = {}
        self._decimals: dict[tuple[int, int], Decimal] = {}

    def notas_of(self, avaliada: Avaliada) -> tuple[int, ...] | None:
        """The notas that a person gave, in the order of the critérios; None where one of them is missing, or nothing can be graded."""
        if not self.criterios:
            return None
        try:
            return tuple([self._as_integer[avaliada.notas[one.id]] for one in self.criterios])
        except KeyError:
            return None

    def count(self, dadas: Sequence[tuple[int, ...]]) -> Contas:
        """The sums of complete notas and the nota_base, half up to `casas`. Precondition: there is one at least."""
        somas = tuple(map(sum, zip(*dadas, strict=True)))
        total = sum(peso * soma for peso, soma in zip(self._pesos, somas, strict=True))
        base = half_up(self._por_soma * total, self._divisor * len(dadas))
        return Contas(len(dadas), somas, base, (), 0, self.as_pontos(base))

    def as_pontos(self, base: int) -> int:
        """A nota_base on the scale of points."""
        return int(base * 10 ** (self.casas_pontos - self.casas))

    def media(self, contas: Contas, criterio: int) -> Fraction:
        """The exact mean of a critério, by its place."""
        return Fraction(contas.somas[criterio], contas.avaliadores * 10**self.casas_notas)

    def media_said(self, contas: Contas, criterio: int) -> Decimal:
        """The mean of a critério half up to `casas`, as it is published."""
        soma, of = contas.somas[criterio], contas.avaliadores
        said = self._medias.get((soma, of))
        if said is None:
            said = unscaled(half_up(soma * 10**self.casas, of * 10**self.casas_notas), self.casas)
            self._medias[(soma, of)] = said
        return said

    def pontos(self, scaled_points: int) -> Decimal:
        """A nota_final, or points of a bônus, as a decimal."""
        return self._decimal(scaled_points, self.casas_pontos)

    def base(self, contas: Contas) -> Decimal:
        """The nota_base as a decimal."""
        return self._decimal(contas.base, self.casas)

    def _decimal(self, value: int, places: int) -> Decimal:
        """Made once: few projects have a nota that no other has."""
        found = self._decimals.get((value, places))
        if found is None:
            found = self._decimals[(value, places)] = unscaled(value, places)
        return found
