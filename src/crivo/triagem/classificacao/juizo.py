"""Whether a project is in the running, and with which nota. Source: design, After the notas, rules 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import Final

from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Desistencia, Inscrito
from crivo.triagem.classificacao.condicoes import Quando
from crivo.triagem.classificacao.exato import scaled
from crivo.triagem.classificacao.regua import Contas, Regua
from crivo.triagem.classificacao.resultado import (
    AbaixoDaMinima,
    AbaixoNoCriterio,
    Desistiu,
    Divergem,
    Faltam,
    Fora,
    Inabilitado,
    Lugar,
    ZeroElimina,
)
from crivo.triagem.condicao import Value

_PAIR: Final = 2
"""One avaliador is apart from nobody, and the mean of three stands however far apart they are."""


class NoPareo(Value, frozen=True, gc=False):
    """A project that competes, with its nota_final."""

    inscrito: Inscrito
    contas: Contas


class Juizo:
    """The rules of a call, made ready to be held against one project after another."""

    def __init__(self, concorrencia: Concorrencia, regua: Regua) -> None:
        regras = concorrencia.classificacao
        self._regua = regua
        self._minimo = regras.minimo_avaliadores
        whole = 10**regua.casas_notas
        places = {one.id: at for at, one in enumerate(regua.criterios)}
        share = None if regras.divergencia_maxima is None else Fraction(regras.divergencia_maxima) / 100
        ranges = [Fraction(one.nota_max) - Fraction(one.nota_min) for one in regua.criterios]
        self._distancias = [] if share is None else [floor(share * range_ * whole) for range_ in ranges]  # of integers
        corte = regras.corte
        self._zeros = [places[codigo] for codigo in corte.zero_elimina if codigo in places]
        self._minimas = [(places[codigo], Fraction(nota) * whole) for codigo, nota in corte.por_criterio.items() if codigo in places]
        least = corte.nota_final_minima
        self._base_minima = None if least is None else Fraction(least) * 10**regua.casas
        self._bonus = [(one.id, Quando(one.quando), scaled(one.pontos, regua.casas_pontos)) for one in regras.bonus]
        most = regras.bonus_maximo
        self._bonus_maximo = None if most is None else scaled(most, regua.casas_pontos)

    def judge(
        self, inscrito: Inscrito, decidida: Decidida | None, avaliadas: Sequence[Avaliada], desistencia: Desistencia | None = None
    ) -> NoPareo | Lugar:
        """The project in the running, or its place outside with every reason of the first rule that puts it there.

        Who withdrew is judged by nothing else.
        """
        if desistencia is not None:
            return Lugar(inscrito, "desclassificado", fora=(Desistiu(desistencia),))
        if decidida is not None and decidida.situacao == "inabilitado":
            return Lugar(inscrito, "inabilitado", fora=(Inabilitado(decidida),))
        dadas = [notas for notas in map(self._regua.notas_of, avaliadas) if notas is not None]
        if len(dadas) < max(1, self._minimo):
            return Lugar(inscrito, "pendente", fora=(Faltam(len(dadas), max(1, self._minimo)),))
        apart = tuple(self._apart(*dadas)) if len(dadas) == _PAIR else ()
        if apart:
            return Lugar(inscrito, "pendente", fora=apart)
        contas = self._regua.count(dadas)
        cut = tuple(self._cuts(contas))
        if cut:
            return Lugar(inscrito, "desclassificado", contas, cut)
        return NoPareo(inscrito, self._with_bonus(inscrito, contas))

    def diverge(self, avaliadas: Sequence[Avaliada]) -> tuple[Fora, ...]:
        """Where the two who judged a project whole are further apart than the call lets them be; nothing of one, or of three."""
        dadas = [notas for notas in map(self._regua.notas_of, avaliadas) if notas is not None]
        return tuple(self._apart(*dadas)) if len(dadas) == _PAIR else ()

    def _apart(self, ones: tuple[int, ...], others: tuple[int, ...]) -> Iterator[Fora]:
        for criterio, (one, other, most) in enumerate(zip(ones, others, self._distancias, strict=False)):  # without a limit there is none
            if abs(one - other) > most:
                yield Divergem(criterio, min(one, other), max(one, other))

    def _cuts(self, contas: Contas) -> Iterator[Fora]:
        for criterio in self._zeros:
            if contas.somas[criterio] == 0:
                yield ZeroElimina(criterio)
        for criterio, least in self._minimas:
            if contas.somas[criterio] * least.denominator < least.numerator * contas.avaliadores:
                yield AbaixoNoCriterio(criterio)
        base = self._base_minima
        if base is not None and contas.base * base.denominator < base.numerator:
            yield AbaixoDaMinima()

    def _with_bonus(self, inscrito: Inscrito, contas: Contas) -> Contas:
        if not self._bonus:
            return contas
        held = [(codigo, points) for codigo, quando, points in self._bonus if quando.holds(inscrito)]
        summed = sum(points for _, points in held)
        counted = summed if self._bonus_maximo is None else min(summed, self._bonus_maximo)
        codes = tuple([codigo for codigo, _ in held])
        return Contas(contas.avaliadores, contas.somas, contas.base, codes, counted, contas.final + counted)
