"""What an address of the mesa of whoever judges asks for, and addresses that ask for something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams

from crivo.triagem.dadas import FILTROS, ORDENS, Chave, Recorte
from crivo.web.pages.triagem.mesa_pedido import (
    FORMULARIO,
    LONGEST,
    Parte,
    filters_of,
    number_of,
    order_of,
    pairs_of,
    part_of,
    strangers,
)

LISTA: Final = "/avaliacao"
_OTHERS: Final = frozenset({"edital", "q", "ordem", "pagina", "vista", "doc", "pag", "crit", "ver", "zoom", "ok", "conferir"})


@dataclass(frozen=True, slots=True)
class MeuEndereco:
    """What is asked for. `edital_id` is that of the open project; `doc`, `pag` and `crit` are what of it is read, and for which critério.

    `avisos` say what it names that is no more.
    """

    recorte: Recorte = field(default_factory=Recorte)
    edital_id: str = ""
    pagina: int | None = None
    vista: Parte | None = None
    doc: str = FORMULARIO
    pag: int | None = None
    crit: str = ""
    req: str = ""  # whoever judges asks about no requisito
    avisos: tuple[str, ...] = ()

    def fila(self, recorte: Recorte | None = None, pagina: int | None = None) -> str:
        """The address of the queue, with other filters, or another page of it; with no project open."""
        asked = replace(self, recorte=recorte or self.recorte)
        return _address(LISTA, [*asked.pares(), *([("pagina", str(pagina))] if pagina and pagina > 1 else [])])

    def dada(self, chave: Chave, **more: str) -> str:
        """The address of a project that was given, in this queue; `more` is what else it says."""
        edital_id, codigo = chave
        return replace(self, edital_id=edital_id).projeto(codigo, **more)

    def projeto(self, codigo: str, **more: str) -> str:
        """The address of a project of the edital at hand, in this queue; `more` is what else it says."""
        return self._of(f"{LISTA}/{quote(codigo, safe='')}", [(name, value) for name, value in more.items() if value])

    def enviar(self, codigo: str) -> str:
        """Where the notas of a project are sent, that comes back to this queue."""
        return self._of(f"{LISTA}/{quote(codigo, safe='')}/enviar")

    def impedimento(self, codigo: str) -> str:
        """Where somebody says that they must not judge a project, that comes back to this queue."""
        return self._of(f"{LISTA}/{quote(codigo, safe='')}/impedimento")

    def aqui(self, codigo: str, **more: str) -> str:
        """The address of what is read of the open project now; `more` is what else it says."""
        kept = {"doc": self.doc if self.doc != FORMULARIO else "", "pag": str(self.pag or ""), "crit": self.crit}
        return self.projeto(codigo, **kept, **more)

    def pares(self) -> list[tuple[str, str]]:
        """What is asked of the queue, as names and values of an address or of a form that keeps the queue."""
        return pairs_of(self.recorte, FILTROS, "dada") + ([("q", self.recorte.q)] if self.recorte.q else [])

    def mantidos(self) -> list[tuple[str, str]]:
        """What a form that asks for other filters keeps of this address."""
        return replace(self, recorte=replace(self.recorte, filtros={})).pares()

    def _of(self, path: str, more: Sequence[tuple[str, str]] = ()) -> str:
        return _address(path, [("edital", self.edital_id), *self.pares(), *more])


def read(params: QueryParams, edital_id: str = "") -> MeuEndereco:
    """What an address asks for."""
    avisos = strangers(params, {*FILTROS, *_OTHERS})
    ordem, desce = order_of(params, ORDENS)
    if params.get("ordem") and ordem is None:
        avisos.append("Esta ordem não existe mais: a fila está na ordem em que os projetos foram dados a você.")
    return MeuEndereco(
        Recorte(filters_of(params, FILTROS), params.get("q", "").strip()[:LONGEST], ordem or "dada", desce and ordem is not None),
        edital_id,
        number_of(params.get("pagina")),
        part_of(params),
        params.get("doc", "")[:LONGEST] or FORMULARIO,
        number_of(params.get("pag")),
        params.get("crit", "")[:LONGEST],
        avisos=tuple(avisos),
    )


def _address(path: str, asked: Sequence[tuple[str, str]]) -> str:
    return path + (f"?{urlencode(asked)}" if asked else "")
