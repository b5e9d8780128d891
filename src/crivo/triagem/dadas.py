"""The queue of somebody who judges: the projects that were given to them, over all editais, and how far each has come.

Pure: what was given comes in with the cases that may be seen of it, and goes out as places in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.casos import Gravidade
from crivo.triagem.casos.guardados import CasoResumido
from crivo.triagem.guardados import Atribuicao
from crivo.triagem.procura import words_of
from crivo.triagem.recorte import SEM_CATEGORIA, Faceta, Pedido, Valores, Vizinhos, beside, counted, in_order, left_by, page_of, settled

Andamento = Literal["a-fazer", "rascunho", "enviada"]
Filtro = Literal["situacao", "do_edital", "categoria", "caso"]
Ordem = Literal["dada", "titulo", "edital", "categoria", "situacao", "caso"]
Chave = tuple[str, str]
"""The edital of a project and its code: codes are of one edital each."""
ANDAMENTOS: Final[tuple[Andamento, ...]] = get_args(Andamento)
FILTROS: Final[tuple[Filtro, ...]] = get_args(Filtro)
ORDENS: Final[tuple[Ordem, ...]] = get_args(Ordem)
_GRAVIDADES: Final[Mapping[Gravidade, int]] = {"grave": 3, "media": 2, "leve": 1}
_CASOS: Final = ("com", "sem")


@dataclass(frozen=True, slots=True)
class Recorte(Pedido[Filtro, Ordem]):
    """What is asked of the queue of somebody who judges; at first all of it, as it was given."""

    filtros: Mapping[Filtro, frozenset[str]] = field(default_factory=dict)
    q: str = ""
    ordem: Ordem = "dada"
    desce: bool = False


@dataclass(frozen=True, slots=True)
class PedidaDadas:
    """What is asked; without a page, the one on which the open project stands, or else the first."""

    recorte: Recorte = field(default_factory=Recorte)
    pagina: int | None = None
    tamanho: int = 50
    aberto: Chave | None = None


@dataclass(frozen=True, slots=True)
class Dada:
    """A project that was given, with the cases that concern it and may be seen, the gravest first."""

    de: Atribuicao
    casos: tuple[CasoResumido, ...] = ()

    @property
    def chave(self) -> Chave:
        """By what it is told from every other."""
        return self.de.edital_id, self.de.projeto_id

    @property
    def andamento(self) -> Andamento:
        """How far it has come."""
        return "enviada" if self.de.avaliado else "rascunho" if self.de.comecado else "a-fazer"

    @property
    def graus(self) -> tuple[Gravidade, ...]:
        """How grave the cases are that weigh on it: open, or confirmed."""
        return tuple([one.gravidade for one in self.casos if one.pendente or (one.presente and one.situacao == "confirmado")])


@dataclass(frozen=True, slots=True)
class FilaDadas:
    """A page of the queue. `total` answers to what is asked, `dadas` and `enviadas` are of all; `andamentos` counts those that answer to
    all but how far they have come. `seguinte` is the project to judge after the open one, None where every one was sent.
    """

    recorte: Recorte
    desconhecidos: tuple[tuple[Filtro, str], ...]
    total: int
    pagina: int
    linhas: tuple[Dada, ...]
    vizinhos: Vizinhos[Chave]
    seguinte: Dada | None
    facetas: Mapping[Filtro, Faceta]
    editais: Mapping[str, str]
    categorias: tuple[str, ...]
    dadas: int
    enviadas: int


def cut(dadas: Sequence[Dada], pedida: PedidaDadas) -> FilaDadas:
    """The page of the queue that is asked for."""
    editais = {one.de.edital_id: one.de.edital_nome for one in dadas}
    categorias = tuple(sorted({one.de.categoria for one in dadas}))
    known = {"situacao": ANDAMENTOS, "do_edital": editais, "categoria": [one or SEM_CATEGORIA for one in categorias], "caso": _CASOS}
    recorte, unknown = settled(pedida.recorte, known)
    todas = _ordered(dadas, recorte)
    said = [one for one in todas if _says(one, recorte.q)]
    wanted = left_by(said, recorte.filtros, _VALORES)
    vizinhos = beside([one.chave for one in wanted], pedida.aberto, [one.chave for one in todas])
    pagina = page_of(len(wanted), pedida.tamanho, pedida.pagina, vizinhos.posicao)
    return FilaDadas(
        recorte=recorte,
        desconhecidos=unknown,
        total=len(wanted),
        pagina=pagina,
        linhas=tuple(wanted[(pagina - 1) * pedida.tamanho : pagina * pedida.tamanho]),
        vizinhos=vizinhos,
        seguinte=_to_judge(wanted, todas, pedida.aberto),
        facetas=counted(said, recorte.filtros, _VALORES),
        editais=editais,
        categorias=categorias,
        dadas=len(dadas),
        enviadas=sum(one.de.avaliado for one in dadas),
    )


def _ordered(dadas: Sequence[Dada], recorte: Recorte) -> list[Dada]:
    if recorte.ordem == "dada":
        return list(dadas[::-1] if recorte.desce else dadas)
    return in_order(list(dadas), _KEYS[recorte.ordem], desce=recorte.desce)


def _to_judge(wanted: Sequence[Dada], todas: Sequence[Dada], aberto: Chave | None) -> Dada | None:
    """The next that waits in the order in which one comes to it, of this queue before all others, of the same edital before all others.

    A project that a draft took out of the queue keeps its place in the order.
    """
    at = next((at for at, one in enumerate(todas) if one.chave == aberto), -1)
    waiting = [one for one in (*todas[at + 1 :], *todas[: max(at, 0)]) if not one.de.avaliado]
    here = {one.chave for one in wanted}
    waiting.sort(key=lambda one: (one.chave not in here, aberto is not None and one.de.edital_id != aberto[0]))
    return waiting[0] if waiting else None


def _says(dada: Dada, q: str) -> bool:
    said = fold(f"{dada.de.titulo} {dada.de.projeto_id} {dada.de.edital_id} {dada.de.edital_nome}")
    return all(word in said for word in words_of(q))


_VALORES: Final[Valores[Dada, Filtro]] = Valores(
    um={
        "situacao": lambda one: one.andamento,
        "do_edital": lambda one: one.de.edital_id,
        "categoria": lambda one: one.de.categoria or SEM_CATEGORIA,
        "caso": lambda one: "com" if one.graus else "sem",
    },
    varios={},
)
_KEYS: Final[Mapping[Ordem, Callable[[Dada], Any]]] = {
    "titulo": lambda one: fold(one.de.titulo or one.de.projeto_id),
    "edital": lambda one: one.de.edital_id,
    "categoria": lambda one: fold(one.de.categoria) or None,
    "situacao": lambda one: (ANDAMENTOS.index(one.andamento), one.de.com_nota),
    "caso": lambda one: (_GRAVIDADES[one.graus[0]], len(one.graus)) if one.graus else None,
}
