"""What an address of the mesa asks for, and addresses that ask for something else: filters, order, columns, view, part of the page.

Everything is in the address, so that the way back is right and a queue can be handed on; what an old one names and is no more is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args
from urllib.parse import quote, urlencode
from uuid import UUID

from starlette.datastructures import QueryParams

from crivo.triagem.fila import FILTROS, ORDENS, Recorte
from crivo.triagem.mesa import A_DECIDIR, EMBUTIDAS, Visao
from crivo.web.pages.triagem.mesa_pedido import LONGEST, Parte, filters_of, number_of, order_of, pairs_of, part_of, strangers

Coluna = Literal["situacao", "caso", "nota", "requisitos", "avaliacao", "categoria", "enviado"]
COLUNAS: Final[tuple[Coluna, ...]] = get_args(Coluna)
PADRAO: Final[tuple[Coluna, ...]] = ("situacao", "caso", "nota")
_EMBUTIDAS: Final = {one.codigo: one for one in EMBUTIDAS}
# What the address may say besides filters.
_OTHERS: Final = frozenset(
    {"visao", "f", "q", "ordem", "coluna", "pagina", "vista", "doc", "pag", "req", "crit", "ver", "zoom", "ok", "ato"}
)


@dataclass(frozen=True, slots=True)
class Endereco:
    """What is asked for. `base` is what the view stands for by itself; `doc`, `pag`, `req` and `crit` are the document, its page,
    and the requisito or critério whose passages are shown, empty where the address says none. `avisos` say what it names that is no more.
    """

    edital_id: str
    visao: str
    base: Recorte
    base_colunas: tuple[Coluna, ...]
    recorte: Recorte
    colunas: tuple[Coluna, ...]
    pagina: int | None = None
    vista: Parte | None = None
    doc: str = ""
    pag: int | None = None
    req: str = ""
    crit: str = ""
    avisos: tuple[str, ...] = ()

    @property
    def mudada(self) -> bool:
        """Whether more or other is asked for than the view stands for."""
        return (replace(self.recorte, q="") != self.base) or self.colunas != self.base_colunas

    @property
    def consulta(self) -> str:
        """What is asked of the queue as a view keeps it: never the words that were searched for, which may be somebody's name."""
        return urlencode([(name, value) for name, value in self.pares() if name not in {"visao", "q"}])

    def fila(self, recorte: Recorte | None = None, pagina: int | None = None, colunas: Sequence[Coluna] | None = None) -> str:
        """The address of the queue, with other filters, another page of it, or other columns; with no project open."""
        asked = replace(self, recorte=recorte or self.recorte, colunas=tuple(self.colunas if colunas is None else colunas))
        return _address(self.edital_id, "", [*asked.pares(), *([("pagina", str(pagina))] if pagina and pagina > 1 else [])])

    def projeto(self, codigo: str, **more: str) -> str:
        """The address of a project in this queue; `more` is what else it says."""
        return _address(self.edital_id, codigo, [*self.pares(), *[(name, value) for name, value in more.items() if value]])

    def acao(self, codigo: str, acao: str) -> str:
        """The address of an act on a project, or on the queue where no project is named, that comes back to this queue."""
        return _address(self.edital_id, codigo, self.pares(), acao)

    def pares(self) -> list[tuple[str, str]]:
        """What is asked of the queue, as names and values of an address or of a form that keeps the queue."""
        found = [("visao", self.visao)] if self.visao != A_DECIDIR.codigo else []
        if self.mudada:
            found.append(("f", "1"))
            found += pairs_of(self.recorte, FILTROS, "inscricao")
            found += [("coluna", one) for one in self.colunas] if self.colunas != PADRAO else []
        return found + ([("q", self.recorte.q)] if self.recorte.q else [])

    def mantidos(self) -> list[tuple[str, str]]:
        """What a form that asks for other filters keeps of this address."""
        ordem = ("-" if self.recorte.desce else "") + self.recorte.ordem
        return [("visao", self.visao), ("f", "1"), *([("q", self.recorte.q)] if self.recorte.q else []), ("ordem", ordem)]


def read(edital_id: str, params: QueryParams, salvas: Sequence[Visao] = ()) -> Endereco:
    """What an address asks for, its saved views looked up among those."""
    avisos: list[str] = []
    visao = params.get("visao", A_DECIDIR.codigo)
    base, colunas = _view(visao, salvas)
    if base is None:
        avisos.append("A visão deste endereço não existe mais: aqui está a que mostra o que falta decidir.")
        visao, base, colunas = A_DECIDIR.codigo, A_DECIDIR.recorte, PADRAO
    avisos += strangers(params, {*FILTROS, *_OTHERS})
    asks = "f" in params or any(name in params for name in FILTROS)
    recorte = Recorte(filters_of(params, FILTROS), ordem=base.ordem, desce=base.desce) if asks else base
    recorte, strange = _ordered(recorte, params)
    avisos += strange
    chosen = tuple([one for one in COLUNAS if one in params.getlist("coluna")])
    return Endereco(
        edital_id,
        visao,
        base,
        colunas,
        replace(recorte, q=params.get("q", "").strip()[:LONGEST]),
        chosen or (PADRAO if asks else colunas),
        number_of(params.get("pagina")),
        part_of(params),
        params.get("doc", "")[:LONGEST],
        number_of(params.get("pag")),
        params.get("req", "")[:LONGEST],
        params.get("crit", "")[:LONGEST],
        tuple(avisos),
    )


def is_saved(visao: str) -> bool:
    """Whether a view of that code is one that somebody saved."""
    return visao not in _EMBUTIDAS


def _view(visao: str, salvas: Sequence[Visao]) -> tuple[Recorte | None, tuple[Coluna, ...]]:
    if visao in _EMBUTIDAS:
        return _EMBUTIDAS[visao].recorte, PADRAO
    found = next((one for one in salvas if str(one.id) == visao), None)
    if found is None:
        return None, PADRAO
    params = QueryParams(found.consulta)
    recorte, _ = _ordered(Recorte(filters_of(params, FILTROS)), params)
    return recorte, tuple([one for one in COLUNAS if one in params.getlist("coluna")]) or PADRAO


def _ordered(recorte: Recorte, params: QueryParams) -> tuple[Recorte, list[str]]:
    if not params.get("ordem"):
        return recorte, []
    ordem, desce = order_of(params, ORDENS)
    if ordem is None:
        return recorte, ["Esta ordem não existe mais: a fila está na ordem da visão."]
    return replace(recorte, ordem=ordem, desce=desce), []


def _address(edital_id: str, codigo: str, asked: Sequence[tuple[str, str]], acao: str = "") -> str:
    parts = ["/admin/editais", quote(edital_id, safe=""), "mesa", *[quote(one, safe="") for one in (codigo, acao) if one]]
    return "/".join(parts) + (f"?{urlencode(asked)}" if asked else "")


def saved_id(text: str) -> UUID | None:
    """The id that a form names, or None where it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
