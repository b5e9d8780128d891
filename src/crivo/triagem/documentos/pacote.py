"""A zipped package (DOCX, XLSX, ODT) from strangers: parts are read by name, each within limits, and nothing is ever extracted."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import Node, parse

_ENCRYPTED_BIT: Final = 0x1
_WORTH_A_RATIO: Final = 1_000_000  # bytes: small parts of blanks compress very well honestly


class Pacote:
    """An open package. Raises DocumentoIlegivel: corrompido, protegido, or grande_demais where it would decompress past the limits."""

    def __init__(self, content: bytes, limites: Limites) -> None:
        self._limites = limites
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise DocumentoIlegivel("corrompido") from None
        entries = self._zip.infolist()
        self.names = tuple(entry.filename for entry in entries)
        if len(entries) > limites.max_entradas or sum(entry.file_size for entry in entries) > limites.max_descompactado:
            raise DocumentoIlegivel("grande_demais")
        if any(entry.file_size > max(_WORTH_A_RATIO, limites.max_razao * entry.compress_size) for entry in entries):
            raise DocumentoIlegivel("grande_demais")
        if any(entry.flag_bits & _ENCRYPTED_BIT for entry in entries):
            raise DocumentoIlegivel("protegido")
        if len(set(self.names)) < len(self.names):
            raise DocumentoIlegivel("corrompido")  # programs differ in which of two parts of one name they show

    def matching(self, start: str, end: str = ".xml") -> Iterator[str]:
        """The names of its parts that begin and end so, in order."""
        return (name for name in sorted(self.names) if name.startswith(start) and name.endswith(end))

    def read(self, name: str) -> bytes:
        """A part, whatever size it claims to have."""
        most = self._limites.max_parte
        try:
            with self._zip.open(name) as part:
                content = part.read(most + 1)
        except (KeyError, zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError):
            raise DocumentoIlegivel("corrompido") from None
        if len(content) > most:
            raise DocumentoIlegivel("grande_demais")
        return content

    def xml(self, name: str) -> Node:
        """A part that is XML."""
        return parse(self.read(name))

    def xml_where_there(self, name: str) -> Node | None:
        """A part that is XML, where the package has it."""
        return self.xml(name) if name in self.names else None
