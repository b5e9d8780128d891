"""A workbook (XLSX): its visible sheets as pages, a row a line; what its hidden sheets say is kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crivo.triagem.documentos.conteudo import Conteudo
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import Node
from crivo.triagem.documentos.pacote import Pacote
from crivo.triagem.documentos.texto import clean

_S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_REL: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"


def read_planilha(content: bytes, limites: Limites) -> Conteudo:
    """A workbook. Raises DocumentoIlegivel."""
    package = Pacote(content, limites)
    shared = _shared(package)
    paginas: list[Pagina] = []
    ocultos: list[TrechoOculto] = []
    for number, (part, visible) in enumerate(_sheets(package), start=1):
        texto = clean("\n".join(_rows(package.xml(part), shared))[: limites.max_letras])
        if not visible:
            ocultos.append(TrechoOculto(texto, "metadado"))
            continue
        seen, unseen = split_unseen(texto)
        paginas.append(Pagina(number, seen))
        ocultos += (TrechoOculto(said, "largura_zero", number) for said in unseen)
    for name in package.matching("docProps/"):
        ocultos += (TrechoOculto(clean(node.text or ""), "metadado") for node in package.xml(name).iter())
    return Conteudo(tuple(paginas), tuple(hidden for hidden in ocultos if hidden.texto), len(paginas))


def _sheets(package: Pacote) -> Iterator[tuple[str, bool]]:
    """The part of each sheet, in order, and whether it is shown."""
    relations = package.xml_where_there("xl/_rels/workbook.xml.rels")
    targets = {node.get("Id"): node.get("Target") or "" for node in relations.iter(f"{_REL}Relationship")} if relations is not None else {}
    for sheet in package.xml("xl/workbook.xml").iter(f"{_S}sheet"):
        target = targets.get(sheet.get(f"{_R}id"), "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if part in package.names:
            yield part, sheet.get("state") not in {"hidden", "veryHidden"}


def _shared(package: Pacote) -> list[str]:
    root = package.xml_where_there("xl/sharedStrings.xml")
    return [] if root is None else [_text(item) for item in root.iter(f"{_S}si")]


def _rows(sheet: Node, shared: list[str]) -> Iterator[str]:
    for row in sheet.iter(f"{_S}row"):
        yield " | ".join(_cell(cell, shared) for cell in row.iter(f"{_S}c"))


def _cell(cell: Node, shared: list[str]) -> str:
    value = cell.find(f"{_S}v")
    text = (value.text or "") if value is not None else _text(cell)
    if cell.get("t") == "s" and text.isdecimal():
        return shared[int(text)] if int(text) < len(shared) else ""
    return text


def _text(node: Node) -> str:
    return "".join(part.text or "" for part in node.iter(f"{_S}t"))
