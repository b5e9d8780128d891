"""What an address of the result asks for: which result, which category, which of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args
from urllib.parse import quote

from fastapi import Query

from crivo.triagem.classificacao.publicado import FaseDoResultado, LugarPublicado
from crivo.web.pages.listas import link

Mostrar = Literal["", "selecionados", "suplentes", "nao_classificados", "fora"]
MOSTRAR: Final[tuple[tuple[Mostrar, str], ...]] = (
    ("", "Todos"),
    ("selecionados", "Selecionados"),
    ("suplentes", "Suplentes"),
    ("nao_classificados", "Não classificados"),
    ("fora", "Fora"),
)
TODAS: Final = "todas"
_SITUACOES: Final = {"selecionados": ("selecionado",), "suplentes": ("suplente",), "nao_classificados": ("nao_classificado",)}
_FORA: Final = ("desclassificado", "inabilitado", "pendente")


@dataclass(frozen=True, slots=True)
class Busca:
    """`versao` is 0 of the draft; `categoria` the place of a category from 1, `TODAS`, or empty for the first."""

    fase: FaseDoResultado = "preliminar"
    versao: int = 0
    categoria: str = ""
    mostrar: Mostrar = ""
    q: str = ""
    pagina: int = 1

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        which = {"versao": str(self.versao)} if self.versao else {"fase": "final" if self.fase == "final" else ""}
        return {**which, "categoria": self.categoria, "mostrar": self.mostrar, "q": self.q}

    @property
    def here(self) -> str:
        """The query of this very page."""
        return link(self.query, pagina=str(self.pagina) if self.pagina > 1 else "")

    def shows(self, lugar: LugarPublicado) -> bool:
        """Whether a row is among those that are asked for."""
        return not self.mostrar or lugar.situacao in _SITUACOES.get(self.mostrar, _FORA)


def busca_of(
    fase: Annotated[str, Query(max_length=20)] = "",
    versao: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    categoria: Annotated[str, Query(max_length=20)] = "",
    mostrar: Annotated[str, Query(max_length=20)] = "",
    q: Annotated[str, Query(max_length=200)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Busca:
    """What an address asks for; what there is not, as in an old address, leaves nothing out."""
    shown: Mostrar = next((one for one in get_args(Mostrar) if one == mostrar), "")
    where = categoria if categoria == TODAS or categoria.isdecimal() else ""
    return Busca(read_fase(fase), versao, where, shown, q.strip(), pagina)


def read_fase(fase: str) -> FaseDoResultado:
    """The fase of an address or a form; preliminar where it says none."""
    return "final" if fase == "final" else "preliminar"


def base_of(edital_id: str) -> str:
    """Where the pages of an edital begin."""
    return f"/admin/editais/{quote(edital_id, safe='')}"


def address_of(edital_id: str) -> str:
    """Where the result of an edital is."""
    return f"{base_of(edital_id)}/resultado"
