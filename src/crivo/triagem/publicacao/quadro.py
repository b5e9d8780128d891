"""A result read as people read it: who competed together, who has which places, and where the places of a cota went.

Out of what is published alone, so that a version is read as it went out whatever became of the call since.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.classificacao.definicao import AMPLA, TODAS, Vagas
from crivo.triagem.edital import Value
from crivo.triagem.publicacao.conteudo import Conteudo, Linha


class Ocupacao(Value, frozen=True):
    """The places of one kind in a category, and who has them, the best first; `vaga` is AMPLA or the cota's id.

    Whoever is past the `vagas` that there are of it has a place that another kind, or category, could not fill: the last ones of the
    order, as rule 6 gives these after all others.
    """

    vaga: str
    clausula: str
    vagas: int
    levaram: tuple[Linha, ...]

    @property
    def recebidas(self) -> int:
        """How many of them came from elsewhere."""
        return max(0, len(self.levaram) - self.vagas)

    @property
    def faltaram(self) -> int:
        """How many of its own nobody of it took."""
        return max(0, self.vagas - len(self.levaram))

    def is_recebida(self, at: int) -> bool:
        """Whether the one at that place of `levaram` came from elsewhere."""
        return at >= self.vagas


class Reunidos:
    """Those who competed together: in their order, and those of the same category who have no place."""

    def __init__(self, categoria: str, vagas: Vagas | None, ordem: tuple[Linha, ...], fora: tuple[Linha, ...]) -> None:
        self.categoria = categoria
        self.vagas = vagas
        self.ordem = ordem
        self.fora = fora

    @cached_property
    def ocupacoes(self) -> tuple[Ocupacao, ...]:
        """The places, the broad ones first and each cota in its order; none of a category without vagas."""
        if self.vagas is None:
            return ()
        took: dict[str, list[Linha]] = {}
        for linha in self.ordem:
            if linha.lugar.vaga is not None:
                took.setdefault(linha.lugar.vaga, []).append(linha)
        kinds = [(AMPLA, "", self.vagas.ampla), *((one.id, one.clausula, one.vagas) for one in self.vagas.cotas)]
        return tuple([Ocupacao(vaga, clausula, many, tuple(took.get(vaga, ()))) for vaga, clausula, many in kinds])

    @cached_property
    def corte(self) -> Decimal | int | None:
        """The nota_final of the last broad place; None where nobody has one."""
        last = next((one for one in reversed(self.ordem) if one.lugar.vaga == AMPLA), None)
        return None if last is None else last.lugar.nota_final

    @cached_property
    def suplencias(self) -> Mapping[str, int]:
        """The place among the suplentes of each, by its id."""
        waiting = [one.lugar.projeto_id for one in self.ordem if one.lugar.situacao == "suplente"]
        return {codigo: at for at, codigo in enumerate(waiting, 1)}

    @cached_property
    def recebidas(self) -> frozenset[str]:
        """Whose place came from elsewhere."""
        return frozenset(linha.lugar.projeto_id for one in self.ocupacoes for at, linha in enumerate(one.levaram) if one.is_recebida(at))


def groups_of(conteudo: Conteudo) -> tuple[Reunidos, ...]:
    """All rows of a result by who competed together, the vagas of the edital in their order and then categories that have none."""
    by_name = {fold(vagas.categoria): vagas for vagas in conteudo.regras.vagas}
    competing: dict[str, list[Linha]] = {name: [] for name in by_name}
    outside: dict[str, list[Linha]] = {}
    said: dict[str, str] = {}
    for linha in conteudo.linhas:
        name = fold(linha.lugar.categoria)
        at = name if name in by_name or TODAS not in by_name else TODAS
        said.setdefault(at, linha.lugar.categoria)
        competing.setdefault(at, [])
        (competing if linha.lugar.posicao is not None else outside).setdefault(at, []).append(linha)
    named = [name for name in competing if name in by_name]
    others = sorted(name for name in competing if name not in by_name)
    return tuple(
        [
            Reunidos(
                by_name[name].categoria if name in by_name else said[name],
                by_name.get(name),
                tuple(sorted(competing[name], key=lambda one: one.lugar.posicao or 0)),
                tuple(outside.get(name, ())),
            )
            for name in [*named, *others]
        ]
    )
