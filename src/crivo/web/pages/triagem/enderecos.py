"""Where the pages of an edital are, and those of the documents of its projects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Enderecos:
    """The addresses of an edital's documents, by project and file."""

    edital_id: str
    numeros: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, edital_id: str, arquivos: Mapping[str, Iterable[str]]) -> Enderecos:
        """The addresses of the documents of these projects: the names of their files in their order, by code."""
        return cls(edital_id, {(codigo, nome): at for codigo, nomes in arquivos.items() for at, nome in enumerate(nomes, 1)})

    def documento(self, projeto_id: str, arquivo: str | None, pagina: int | None = None) -> str:
        """Where a document is read, at that page; empty where the project has no such document."""
        numero = self.numeros.get((projeto_id, arquivo or ""))
        if numero is None:
            return ""
        return documento_address(self.edital_id, projeto_id, numero) + (f"?pagina={pagina}" if pagina else "")


def comparar_address(edital_id: str, a: str = "", b: str = "") -> str:
    """Where two projects are laid side by side, or chosen where none are named."""
    here = f"/admin/editais/{quote(edital_id, safe='')}/comparar"
    return f"{here}?a={quote(a, safe='')}&b={quote(b, safe='')}" if a and b else here


def dossie_address(edital_id: str, projeto_id: str) -> str:
    """Where the dossier of a project is taken, but for its format."""
    return f"/admin/editais/{quote(edital_id, safe='')}/projetos/{quote(projeto_id, safe='')}/dossie"


def documento_address(edital_id: str, projeto_id: str, numero: int) -> str:
    """Where the document of that number, from 1, is read."""
    return f"/admin/editais/{quote(edital_id, safe='')}/projetos/{quote(projeto_id, safe='')}/documentos/{numero}"
