"""What a draw would give, before it is done: who gets how many, of which project people are lacking, and why. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from crivo.triagem.distribuicao.guardados import AlvoDoSorteio
from crivo.triagem.distribuicao.previa import Dada
from crivo.triagem.distribuicao.sorteio import Entrada, Falta, Sorteado
from crivo.triagem.edital import Value
from crivo.triagem.impedidos import Causa
from crivo.triagem.marcas import differing, foreseen, state_of


class PedidoDeSorteio(Value, frozen=True):
    """What is asked of a draw. Nothing said: as many people as the call asks for, no most, the call's own semente.

    `alvo` `outra`: one more for the projects that ask for it, whatever `por_projeto` says.
    """

    alvo: AlvoDoSorteio = "edital"
    por_projeto: int | None = None
    maximo: int | None = None
    semente: str = ""


class CargaPrevista(Value, frozen=True):
    """Somebody in a draw: how many projects they have and how many would come."""

    id: UUID
    nome: str
    tem: int
    recebe: int
    categorias: tuple[str, ...] = ()

    @property
    def fica(self) -> int:
        """How many they would have."""
        return self.tem + self.recebe


class NaoSorteada(Value, frozen=True):
    """Somebody who judges the edital on paper and is in no draw, and why."""

    nome: str
    causa: Causa


class PreviaDeSorteio(Value, frozen=True):
    """What would come of a draw. `completos` projects have their people already. `prevista` is what whoever then gives sends back."""

    edital_id: str
    alvo: AlvoDoSorteio
    semente: str
    por_projeto: int
    maximo: int | None
    pessoas: tuple[CargaPrevista, ...]
    nao_sorteadas: tuple[NaoSorteada, ...]
    entram: tuple[Dada, ...]
    faltas: tuple[Falta, ...]
    completos: int
    entrada_resumo: str
    pares_resumo: str
    prevista: str

    @property
    def dadas(self) -> int:
        """How many there are in all, each project counted once for each of its people."""
        return sum(len(one.avaliadores) for one in self.entram)


def previa_of(
    edital_id: str,
    pedido: PedidoDeSorteio,
    entrada: Entrada,
    entrada_resumo: str,
    sorteado: Sorteado,
    nomes: Mapping[str, str],
    nao_sorteadas: tuple[NaoSorteada, ...],
    completos: int,
) -> PreviaDeSorteio:
    """A draw as it is foreseen; people in the order of their names."""
    new: dict[str, int] = {}
    for _, people in sorteado.pares:
        for who in people:
            new[who] = new.get(who, 0) + 1
    pessoas = [CargaPrevista(UUID(one.id), nomes[one.id], one.carga, new.get(one.id, 0), one.categorias) for one in entrada.pessoas]
    got, lacking = dict(sorteado.pares), {one.codigo: one.faltam for one in sorteado.faltas}
    states = [state_of(one.codigo, one.quantos, got.get(one.codigo, ()), lacking.get(one.codigo, 0)) for one in entrada.projetos]
    return PreviaDeSorteio(
        edital_id,
        pedido.alvo,
        entrada.semente,
        pedido.por_projeto or 1,
        pedido.maximo,
        tuple(sorted(pessoas, key=lambda one: (one.nome, one.id))),
        nao_sorteadas,
        tuple([Dada(codigo, tuple([UUID(who) for who in people])) for codigo, people in sorteado.pares]),
        sorteado.faltas,
        completos,
        entrada_resumo,
        sorteado.resumo,
        foreseen(states),
    )


def changed_since(prevista: str, nova: PreviaDeSorteio) -> tuple[str, ...] | None:
    """As `previa.changed_since`, of a draw."""
    codigos = sorted({one.projeto_id for one in nova.entram} | {one.codigo for one in nova.faltas})
    return differing(codigos, prevista, nova.prevista)
