"""A DOCX by its own XML: body, tables, headers, footers, notes and text boxes as one page, and what of them nobody sees.

Source: design, Hidden or instructing text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.docx_aspecto import PAPER, Aspecto, Estilos, W, paragraph_trick, run_aspecto, shading, shape_trick, value
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto, TruqueOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import Node
from crivo.triagem.documentos.pacote import Pacote
from crivo.triagem.documentos.texto import clean

_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS: Final = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_VML: Final = "{urn:schemas-microsoft-com:vml}"
_PIC: Final = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
_MATH_TEXT: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_BODIES: Final = ("word/header", "word/document", "word/footnotes", "word/endnotes", "word/footer")
_BREAKS: Final = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}ptab": "\t"}
_TAKEN_AWAY: Final = {f"{W}del", f"{W}moveFrom"}
_SKIPPED: Final = {
    f"{W}pPr",
    f"{W}rPr",
    f"{W}sdtPr",
    f"{W}tblPr",
    f"{W}tcPr",
    f"{W}trPr",
    f"{W}sectPr",
    f"{W}instrText",
    f"{W}delInstrText",
}
_UNDERSTOOD: Final = frozenset({"wps", "wpg", "wpc", "wpi", "wp14", "w14", "w15", "w16", "w16se", "a14", "v", "am3d", "aink"})
_FLATTEST_TWIPS: Final = 40  # an exact height of line or row that shows nothing
_BEYOND_PAPER: Final = 20_000_000  # EMU: half a metre from where it is anchored
_LARGE: Final = 32_000_000_000_000  # EMU²: two fifths of an A4 sheet


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the reader is: how text looks by default, what is behind it (None: cannot be told), and what hides all of it."""

    aspecto: Aspecto
    behind: str | None
    trick: TruqueOculto | None = None


Piece = tuple[str, TruqueOculto | None]


class _Part:
    """One part of a document, being read."""

    def __init__(self, estilos: Estilos, root: Node, paper: str | None) -> None:
        self._estilos = estilos
        self._root = root
        self._has_pictures = any(True for _ in root.iter(f"{_PIC}pic")) or any(True for _ in root.iter(f"{_A}solidFill"))
        self._paper = None if _has_backdrop(root) else paper

    def pieces(self) -> Iterator[Piece]:
        yield from self._walk(self._root, _Place(self._estilos.default, self._paper))

    def _walk(self, node: Node, place: _Place) -> Iterator[Piece]:
        for child in node:
            if child.tag in _SKIPPED:
                continue
            if child.tag in {f"{W}t", f"{W}delText", _MATH_TEXT}:
                yield child.text or "", place.trick or place.aspecto.trick(place.behind)
            elif child.tag in _BREAKS:
                yield _BREAKS[child.tag], None
            elif child.tag == f"{_MC}AlternateContent":
                yield from self._alternative(child, place)
            else:
                yield from self._walk(child, self._inside(child, place))
                if child.tag == f"{W}p":
                    yield "\n", None

    def _alternative(self, node: Node, place: _Place) -> Iterator[Piece]:
        for choice in node:
            required = (choice.get("Requires") or "").split()
            if choice.tag == f"{_MC}Fallback" or _UNDERSTOOD.issuperset(required):
                yield from self._walk(choice, place)
                return

    def _inside(self, node: Node, place: _Place) -> _Place:
        """The place of what is in an element."""
        if node.tag in _TAKEN_AWAY:
            return replace(place, trick=place.trick or "apagado")
        match node.tag.removeprefix(W):
            case "p":
                return self._in_paragraph(node, place)
            case "r":
                style = _named(node.find(f"{W}rPr/{W}rStyle"))
                aspecto = run_aspecto(node.find(f"{W}rPr")).over(self._estilos.of(style)).over(place.aspecto)
                return replace(place, aspecto=aspecto)
            case "tbl":
                painted = self._estilos.shades(_named(node.find(f"{W}tblPr/{W}tblStyle")))
                return replace(place, behind=None) if painted else place
            case "tr":
                flat = _is_flat(node.find(f"{W}trPr/{W}trHeight"), f"{W}val", f"{W}hRule")
                return replace(place, trick="encoberto") if flat else place
            case "tc":
                return replace(place, behind=shading(node.find(f"{W}tcPr")) or place.behind)
            case "pict":
                return replace(place, behind=None)
        return self._in_drawing(node, place)

    def _in_drawing(self, node: Node, place: _Place) -> _Place:
        if node.tag.startswith(_VML):
            return replace(place, trick=place.trick or shape_trick(node))
        if node.tag == f"{_WPS}wsp":
            return replace(place, behind=self._behind_shape(node))
        if node.tag == f"{_WP}anchor" and _is_far_away(node):
            return replace(place, trick="fora_da_pagina")
        return place

    def _in_paragraph(self, node: Node, place: _Place) -> _Place:
        properties = node.find(f"{W}pPr")
        style = self._estilos.of(_named(node.find(f"{W}pPr/{W}pStyle")), paragraph=True)
        aspecto = style.over(self._estilos.default)
        own = shading(properties)
        if own:
            aspecto = replace(aspecto, shade=own)
        flat = _is_flat(node.find(f"{W}pPr/{W}spacing"), f"{W}line", f"{W}lineRule")
        return replace(place, aspecto=aspecto, trick=place.trick or ("encoberto" if flat else paragraph_trick(properties)))

    def _behind_shape(self, shape: Node) -> str | None:
        fill = shape.find(f"{_WPS}spPr/{_A}solidFill/{_A}srgbClr")
        if fill is not None:
            return fill.get("val")
        empty = shape.find(f"{_WPS}spPr/{_A}noFill") is not None
        return self._paper if empty and not self._has_pictures else None


def read_docx(content: bytes, limites: Limites) -> Conteudo:
    """A DOCX as one page. Raises DocumentoIlegivel."""
    package = Pacote(content, limites)
    estilos = Estilos(package.xml_where_there("word/styles.xml"))
    bodies = [(start, package.xml(name)) for start in _BODIES for name in package.matching(start)]
    paper = _paper(package, bodies)
    pieces = [piece for _, root in bodies for piece in (*_Part(estilos, root, paper).pieces(), ("\n", None))]
    pieces += [(text, None) for text in _diagrams(package)]
    if sum(len(text) for text, _ in pieces) > limites.max_letras:
        raise DocumentoIlegivel("grande_demais")
    seen, unseen = split_unseen(clean("".join(text for text, trick in pieces if trick is None)))
    ocultos = [TrechoOculto(clean(text), trick, 1) for trick, text in _stretches(pieces)]
    ocultos += (TrechoOculto(text, "largura_zero", 1) for text in unseen)
    ocultos += (TrechoOculto(clean(text), "metadado") for text in dict.fromkeys(_about(package, [root for _, root in bodies])))
    return Conteudo((Pagina(1, seen),), tuple(hidden for hidden in ocultos if hidden.texto), 1)


def _stretches(pieces: list[Piece]) -> Iterator[tuple[TruqueOculto, str]]:
    """Hidden pieces, those in a row of one trick put together; blanks between them do not part them."""
    now: TruqueOculto | None = None
    texts: list[str] = []
    for text, trick in pieces:
        if trick == now or (trick is None and not text.strip()):
            texts.append(text)
        else:
            if now is not None:
                yield now, "".join(texts)
            now, texts = trick, [text]
    if now is not None:
        yield now, "".join(texts)


def _paper(package: Pacote, bodies: list[tuple[str, Node]]) -> str:
    settings = package.xml_where_there("word/settings.xml")
    if settings is None or settings.find(f"{W}displayBackgroundShape") is None:
        return PAPER
    grounds = [root.find(f"{W}background") for start, root in bodies if start == "word/document"]
    return next((color for ground in grounds if ground is not None and (color := ground.get(f"{W}color"))), PAPER)


def _about(package: Pacote, bodies: list[Node]) -> Iterator[str]:
    """Properties, comments, data kept beside the text, what fields are computed from, and the descriptions of pictures."""
    for name in (*package.matching("docProps/"), *package.matching("customXml/item")):
        yield from (node.text for node in package.xml(name).iter() if node.text and node.text.strip())
    for name in package.matching("word/comments"):
        for comment in package.xml(name).iter(f"{W}comment"):
            yield "".join(node.text or "" for node in comment.iter(f"{W}t"))
    for root in bodies:
        yield from (node.text for node in root.iter(f"{W}instrText") if node.text and node.text.strip())
        for node in root.iter(f"{_WP}docPr"):
            yield from filter(None, (node.get("descr"), node.get("title")))


def _diagrams(package: Pacote) -> Iterator[str]:
    for name in package.matching("word/diagrams/data"):
        yield "\n".join(node.text or "" for node in package.xml(name).iter(f"{_A}t")) + "\n"


def _named(node: Node | None) -> str | None:
    return None if node is None else value(node)


def _is_flat(node: Node | None, size: str, rule: str) -> bool:
    if node is None or node.get(rule) != "exact":
        return False
    height = node.get(size) or ""
    return height.isdecimal() and int(height) <= _FLATTEST_TWIPS


def _is_far_away(anchor: Node) -> bool:
    offsets = [(node.text or "").strip() for node in anchor.iter(f"{_WP}posOffset")]
    return any(offset.lstrip("-").isdecimal() and abs(int(offset)) > _BEYOND_PAPER for offset in offsets)


def _has_backdrop(root: Node) -> bool:
    """Whether something large lies behind the text."""
    for anchor in root.iter(f"{_WP}anchor"):
        extent = anchor.find(f"{_WP}extent")
        sides = [side for side in ((extent.get("cx"), extent.get("cy")) if extent is not None else ()) if side and side.isdecimal()]
        if anchor.get("behindDoc") in {"1", "true"} and len(sides) == 2 and int(sides[0]) * int(sides[1]) >= _LARGE:
            return True
    return False
