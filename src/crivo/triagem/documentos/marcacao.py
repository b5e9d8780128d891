"""XML from strangers by lxml, its one owner here: no entities, no document type, nothing fetched, no tree too deep or too large."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from lxml import etree

from crivo.triagem.documentos.conteudo import DocumentoIlegivel

_XMP: Final = re.compile(rb"<x:xmpmeta.{0,200000}?</x:xmpmeta>", re.DOTALL)
_MOST_PACKETS: Final = 5


class Node(Protocol):
    """An element, as far as readers need it; `tag` is `{namespace}name`, paths are those of ElementPath."""

    tag: str
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> Mapping[str, str]:
        """Its attributes."""

    def __iter__(self) -> Iterator[Node]: ...

    def get(self, key: str) -> str | None:
        """An attribute, where it has it."""

    def find(self, path: str) -> Node | None:
        """The first element under it at a path."""

    def iter(self, *tags: str) -> Iterator[Node]:
        """It and all elements under it, or those of some tags."""


def parse(content: bytes) -> Node:
    """The root of an XML. Raises DocumentoIlegivel where it is damaged, has a document type, or nests over 256 levels."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentoIlegivel("corrompido") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise DocumentoIlegivel("corrompido")
    node: Node = root
    return node


def read_all_text(content: bytes) -> tuple[str, ...]:
    """Every text in an XML; none where it is damaged."""
    try:
        root = parse(content)
    except DocumentoIlegivel:
        return ()
    return tuple(text.strip() for node in root.iter() for text in (node.text, *node.attrib.values()) if text and text.strip())


def read_xmp(content: bytes) -> Iterator[str]:
    """What the XMP packets in a file say, without the names that they say it by."""
    for packet in _XMP.findall(content)[:_MOST_PACKETS]:
        yield from read_all_text(packet)
