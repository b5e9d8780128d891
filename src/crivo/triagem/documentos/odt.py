"""An ODT as one page, and what its styles and its tracked changes keep from being seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.docx_aspecto import PAPER, Aspecto
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto, TruqueOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import Node
from crivo.triagem.documentos.pacote import Pacote
from crivo.triagem.documentos.texto import clean

_NS: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TEXT, _STYLE, _OFFICE, _MANIFEST, _DRAW = (_NS % name for name in ("text", "style", "office", "manifest", "drawing"))
_EMPTY: Final = {"transparent", "#ffffff"}
_FO: Final = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_LINES: Final = {f"{_TEXT}p", f"{_TEXT}h"}
_TRICKS: Final[dict[str, TruqueOculto]] = {f"{_TEXT}tracked-changes": "apagado", f"{_OFFICE}annotation": "metadado"}

Piece = tuple[str, TruqueOculto | None]


def read_odt(content: bytes, limites: Limites) -> Conteudo:
    """An ODT. Raises DocumentoIlegivel: protegido where it asks for a password."""
    package = Pacote(content, limites)
    manifest = package.xml_where_there("META-INF/manifest.xml")
    if manifest is not None and any(True for _ in manifest.iter(f"{_MANIFEST}encryption-data")):
        raise DocumentoIlegivel("protegido")
    root = package.xml("content.xml")
    styles = [root, *filter(None, [package.xml_where_there("styles.xml")])]
    aspectos = {name: aspecto for part in styles for name, aspecto in _aspectos(part)}
    paper = None if any(_paints(part) for part in styles) else PAPER
    pieces = list(_walk(root, aspectos, Aspecto(shade=paper), None))
    seen, unseen = split_unseen(clean("".join(text for text, trick in pieces if trick is None))[: limites.max_letras])
    ocultos = [TrechoOculto(clean(text), trick, 1) for text, trick in pieces if trick is not None]
    ocultos += (TrechoOculto(text, "largura_zero", 1) for text in unseen)
    about = package.xml_where_there("meta.xml")
    ocultos += (TrechoOculto(clean(node.text or ""), "metadado") for node in (about.iter() if about is not None else ()))
    return Conteudo((Pagina(1, seen),), tuple(hidden for hidden in ocultos if hidden.texto), 1)


def _walk(node: Node, aspectos: dict[str, Aspecto], around: Aspecto, trick: TruqueOculto | None) -> Iterator[Piece]:
    aspecto = aspectos.get(node.get(f"{_TEXT}style-name") or "", Aspecto()).over(around)
    trick = trick or _TRICKS.get(node.tag)
    own = trick or aspecto.trick(None)
    yield node.text or "", own
    if node.tag == f"{_TEXT}s":
        yield " ", None
    for child in node:
        yield from _walk(child, aspectos, aspecto, trick)
        yield child.tail or "", own
    if node.tag in _LINES or node.tag == f"{_TEXT}line-break":
        yield "\n", None


def _paints(root: Node) -> bool:
    """Whether something but text has a colour of its own, in front of which any text may stand."""
    kinds = (f"{_STYLE}{name}-properties" for name in ("paragraph", "table-cell", "table-row", "table", "graphic", "page-layout"))
    grounds = ((node.get(f"{_FO}background-color"), node.get(f"{_DRAW}fill")) for node in root.iter(*kinds))
    return any((ground or "transparent") not in _EMPTY or (fill or "none") != "none" for ground, fill in grounds)


def _aspectos(root: Node) -> Iterator[tuple[str, Aspecto]]:
    for style in root.iter(f"{_STYLE}style"):
        name, properties = style.get(f"{_STYLE}name"), style.find(f"{_STYLE}text-properties")
        if name and properties is not None:
            yield name, _aspecto(properties)


def _aspecto(properties: Node) -> Aspecto:
    size = (properties.get(f"{_FO}font-size") or "").removesuffix("pt")
    ground = properties.get(f"{_FO}background-color") or ""
    color = properties.get(f"{_FO}color") or ""
    return Aspecto(
        vanish=True if properties.get(f"{_TEXT}display") == "none" else None,
        color=color.removeprefix("#").upper() or None,
        half_points=2 * float(size) if size.replace(".", "", 1).isdecimal() else None,
        shade=ground.removeprefix("#").upper() if ground.startswith("#") else None,
    )
