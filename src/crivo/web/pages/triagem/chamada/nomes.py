"""What the rows of the form of an edital are called, and the documents that a requisito may ask for, as people typed them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crivo.triagem.habilitacao.tipos import catalogue
from crivo.web.pages.triagem.chamada.escrito import ERA, FORA, YES, Escrito, Linha, one, uses
from crivo.web.pages.triagem.chamada.palavras import MOMENTO

ROW: Final[Mapping[str, str]] = {"requisitos": "Requisito", "criterios": "Critério", "fases": "Fase", "proprios": "Tipo de documento"}
_LONGEST_NAME: Final = 60


def name_of_row(escrito: Escrito, secao: str, at: int) -> str:
    """A row as people see it, `Requisito 3, Portfólio`: which of those of its kind that were not taken out, and what it is called."""
    rows = escrito.linhas[secao]
    if not 0 <= at < len(rows):
        return ROW[secao]
    place = 1 + sum(one(row, FORA) != YES for row in rows[:at])
    called = " ".join(title_of(escrito, secao, rows[at]).split())
    cut = called if len(called) <= _LONGEST_NAME else f"{called[:_LONGEST_NAME].rstrip()}…"
    return f"{ROW[secao]} {place}" + (f", {cut}" if cut else "")


def title_of(escrito: Escrito, secao: str, linha: Linha) -> str:
    """What a row is called: what was typed of it, or what it asks for; empty where nothing says."""
    match secao:
        case "requisitos" if not one(linha, "descricao").strip():
            return documents_of(escrito).get(one(linha, "documento"), "") if one(linha, "tipo") == "documento" else one(linha, "campo")
        case "requisitos":
            return one(linha, "descricao")
        case "fases":
            return next((words for momento, words in MOMENTO.items() if momento == one(linha, "fase")), "")
        case _:
            return one(linha, "nome")


def documents_of(escrito: Escrito) -> dict[str, str]:
    """The documents that a requisito may ask for by code, with their names: the edital's own, those of the catalogue; and then those
    that one asks for still, though the type has another code by now or was taken out.
    """
    own = [row for row in escrito.linhas["proprios"] if one(row, "id").strip()]
    found = {one(row, "id").strip(): one(row, "nome") or one(row, "id") for row in own if one(row, FORA) != YES}
    found |= {codigo: tipo.nome for codigo, tipo in catalogue().items()}
    for row in own:
        gone, former = one(row, FORA) == YES, one(row, ERA)
        codigo = one(row, "id").strip() if gone else former
        if codigo not in found and uses(escrito, codigo):
            found[codigo] = f"{one(row, 'nome') or codigo} ({'retirado' if gone else 'código de antes'})"
    return found
