"""What a file is by its content: its first bytes and, for a package, its parts. Its name is never asked."""

from __future__ import annotations

import re
from typing import Final

from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.pacote import Pacote
from crivo.triagem.edital import Formato

_PDF: Final = b"%PDF-"
_PDF_WITHIN: Final = 1024  # bytes in which readers of PDF look for its beginning
_PDF_PICTURE: Final = re.compile(rb"/Subtype\s*/Image\b")
_PDF_WRITES: Final = (b"/Font", b"/ObjStm")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_IMAGES: Final[tuple[tuple[bytes, Formato], ...]] = (
    (b"\xff\xd8\xff", "jpg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
# Kinds that are known and not read; a PDF's beginning further on does not make them one.
_OTHERS: Final = (b"MZ", b"\x7fELF", b"GIF8", b"BM", b"{\\rtf", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"#!", b"RIFF", b"\xca\xfe\xba\xbe")
_MARKUP: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml|svg|script)", re.IGNORECASE)
_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_NOT_IN_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WORD_BODY: Final = re.compile(r"word/document\d*\.xml")
_ODT_TYPE: Final = b"application/vnd.oasis.opendocument.text"
_LINES_LOOKED_AT: Final = 20
_DELIMITERS: Final = (";", "\t", ",")


def recognise(content: bytes, limites: Limites) -> Formato | None:
    """The format of a content, None where it is of none that is read here. Raises DocumentoIlegivel for a package that is damaged."""
    if content.startswith(_ZIP):
        return None if _PDF in content[:_PDF_WITHIN] else _package(content, limites)
    for magic, formato in _IMAGES:
        if content.startswith(magic):
            return formato
    if content.startswith(_OLE):
        if _OLE_ENCRYPTED in content:
            raise DocumentoIlegivel("protegido")
        return None
    if content.startswith(_OTHERS):
        return None
    if _PDF in content[:_PDF_WITHIN]:
        return "pdf"
    if _MARKUP.match(content[:_PDF_WITHIN]) or not _is_text(content):
        return None
    return "csv" if _is_table(content) else "txt"


def looks_like_image(content: bytes) -> bool:
    """Whether a content is a picture, or a PDF that shows pictures and has no font to write with, as scanners make them.

    Told by its bytes alone: a PDF that packs its parts together may be one too.
    """
    if content.startswith(tuple(magic for magic, _ in _IMAGES)):
        return True
    return _PDF in content[:_PDF_WITHIN] and bool(_PDF_PICTURE.search(content)) and not any(mark in content for mark in _PDF_WRITES)


def _package(content: bytes, limites: Limites) -> Formato | None:
    package = Pacote(content, limites)
    if any(_WORD_BODY.fullmatch(name) for name in package.names):
        return "docx"
    if "xl/workbook.xml" in package.names:
        return "xlsx"
    if "mimetype" in package.names and package.read("mimetype").strip() == _ODT_TYPE:
        return "odt"
    return None


def _is_text(content: bytes) -> bool:
    return content.startswith(_BOMS) or not _NOT_IN_TEXT.search(content)


def _is_table(content: bytes) -> bool:
    """Whether the first lines hold the same number of one delimiter, two or more for the comma that prose has too."""
    lines = [line for line in content[:20_000].decode("latin-1").splitlines() if line.strip()][:_LINES_LOOKED_AT]
    if len(lines) < 2:
        return False
    for delimiter in _DELIMITERS:
        times = {re.sub(r'"[^"]*"', "", line).count(delimiter) for line in lines[:-1] or lines}
        if len(times) == 1 and times.pop() >= (2 if delimiter == "," else 1):
            return True
    return False
