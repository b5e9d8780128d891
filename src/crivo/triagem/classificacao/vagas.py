"""Who gets which place. Source: design, After the notas, rule 6: broad places and cotas side by side, then what is left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crivo.triagem.classificacao.concorrencia import Inscrito
from crivo.triagem.classificacao.condicoes import Quando
from crivo.triagem.classificacao.definicao import Remanejamento, Vagas
from crivo.triagem.classificacao.resultado import Ampla, DaCota, DeCategoria, Recebida, SobraDeCota, Via


class Sala:
    """The places of a category and those who wait for them, the best first; `vias` says by what each got in, None while they wait."""

    def __init__(self, vagas: Vagas, ordem: Sequence[Inscrito], quandos: Sequence[Quando]) -> None:
        """`quandos` are the conditions of the cotas, in their order."""
        self.vagas = vagas
        self.vias: list[Via | None] = [None] * len(ordem)
        self.vazias = 0
        self._waiting = self._left(range(len(ordem)))
        self._optantes = [self._left([at for at, one in enumerate(ordem) if quando.holds(one)]) for quando in quandos]

    def seat(self, remanejamento: Sequence[Remanejamento]) -> None:
        """Give every place that somebody of the category can take; the others are `vazias`."""
        for _ in range(self.vagas.ampla):
            self.vazias += not self.take_best(Ampla())
        empty: list[str] = []
        for place, cota in enumerate(self.vagas.cotas):
            empty += [cota.id for _ in range(cota.vagas) if not self._take(self._optantes[place], DaCota(cota.id))]
        for de in empty:
            passed = "cotas" in remanejamento and self._pass_on(de)
            self.vazias += not (passed or self.take_best(SobraDeCota(de)))

    def take_best(self, via: Via) -> bool:
        """Give a place to the best who waits; False where nobody does."""
        return self._take(self._waiting, via)

    def _pass_on(self, de: str) -> bool:
        """Give a place of a cota to an optant of the first other one that has any left. That of `de` has none, or it would not be empty."""
        return any(self._take(self._optantes[place], Recebida(de, cota.id)) for place, cota in enumerate(self.vagas.cotas))

    def _take(self, queue: Iterator[int], via: Via) -> bool:
        at = next(queue, None)
        if at is None:
            return False
        self.vias[at] = via
        return True

    def _left(self, places: Sequence[int]) -> Iterator[int]:
        """Those of a queue who have no place at the moment when they are asked for: who got one stays out for good."""
        return (at for at in places if self.vias[at] is None)


def pass_between(salas: Sequence[Sala]) -> None:
    """Give what categories could not fill, one by one, to the first that has somebody waiting."""
    for sala in salas:
        for _ in range(sala.vazias):
            taken = any(other.take_best(DeCategoria(sala.vagas.categoria)) for other in salas)
            if not taken:
                return
            sala.vazias -= 1
