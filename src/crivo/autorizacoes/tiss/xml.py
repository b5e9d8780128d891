"""TISS as XML, by lxml, its one owner here: read from strangers, held to the published schemas, written with its hash.

Nothing is fetched, no document type and no entity is taken. Source: Padrão TISS 4.03.00, componente de comunicação.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal

from lxml import etree

from crivo.autorizacoes.tiss.erros import MensagemIlegivel, MensagemRecusada
from crivo.kernel.errors import Problem
from crivo.kernel.logs import logger

NS: Final = "http://www.ans.gov.br/padroes/tiss/schemas"
ESQUEMA: Final = "tissV4_03_00.xsd"
_A: Final = f"{{{NS}}}"
_SIGNATURE: Final = "{http://www.w3.org/2000/09/xmldsig#}Signature"
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENCODINGS: Final = ("utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252")
_MOST_TOLD: Final = 20
# What Portuguese texts are set with and ISO-8859-1 does not have.
_PLAINER: Final = str.maketrans({"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "•": "-", "→": "->", " ": " "})

No = Any  # an element of lxml, which has no types of its own
Conferida = Literal["conferida", "nao_conferida"]


def parse(raw: bytes) -> No:
    """The root of a message. Raises `MensagemIlegivel` where it is no XML, has a document type, or is not of the encoding it declares."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise MensagemIlegivel(
            f"O que chegou não é um XML bem formado (linha {line}). Confira se a mensagem está inteira e se a codificação que ela declara "
            "é a dos seus bytes, e envie de novo.",
            [Problem("XML malformado", linha=line, codigo="xml_malformado")],
        ) from None
    except ValueError:
        raise MensagemIlegivel("O que chegou não é um XML. Envie a mensagem TISS como o seu sistema a gera.") from None
    info = root.getroottree().docinfo
    if info.internalDTD is not None or info.doctype:
        raise MensagemIlegivel("A mensagem traz uma DTD (<!DOCTYPE ...>), que não é lida. Retire-a e envie de novo.")
    encoding = (info.encoding or "utf-8").lower()
    if encoding not in _ENCODINGS:
        raise MensagemIlegivel(f"A mensagem declara a codificação {encoding[:20]}. Envie em ISO-8859-1, como o padrão pede, ou em UTF-8.")
    if encoding not in ("utf-8", "us-ascii", "ascii") and _is_really_utf8(raw):
        raise MensagemIlegivel(
            f"A mensagem declara {encoding.upper()}, e os bytes são de UTF-8: os acentos sairiam trocados. Corrija a declaração "
            "(encoding) ou os bytes, e envie de novo."
        )
    return root


def _is_really_utf8(raw: bytes) -> bool:
    if raw.isascii():
        return False
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True  # accents of ISO-8859-1 are hardly ever in pairs that UTF-8 would read


def namespace_of(node: No) -> str:
    """The namespace of an element, empty where it has none."""
    return str(etree.QName(node).namespace or "")


def name_of(node: No) -> str:
    """The name of an element, without its namespace."""
    return str(etree.QName(node).localname)


def child(node: No, path: str) -> No:
    """The first element of TISS at a path such as `cabecalho/origem`, or None."""
    return node.find("/".join(_A + name for name in path.split("/")))


def children(node: No, name: str) -> list[No]:
    """All elements of that name right under another."""
    return list(node.findall(_A + name))


def under(node: No) -> list[No]:
    """All elements right under another."""
    return list(node)


def text_at(node: No, path: str) -> str:
    """The trimmed text at a path, empty where there is none."""
    found = child(node, path)
    return "" if found is None else (found.text or "").strip()


def line_of(node: No) -> int | None:
    """The line on which an element stands."""
    return node.sourceline if isinstance(node.sourceline, int) else None


def hash_is_right(root: No) -> bool:
    """Whether `epilogo/hash` is the message's own: over its texts as they stand or trimmed, in ISO-8859-1 or in UTF-8."""
    told = text_at(root, "epilogo/hash").lower()
    plain = list(_texts(root))
    trimmed = [text.strip() for text in plain]
    return any(told == _md5("".join(texts), encoding) for texts in (plain, trimmed) for encoding in ("iso-8859-1", "utf-8"))


def hash_of(root: No) -> str:
    """The MD5 of all texts but those of the epilogo, one after the other, in lower-case hexadecimal. Source: Padrão TISS, epílogo."""
    return _md5("".join(_texts(root)), "iso-8859-1")


def _md5(texts: str, encoding: str) -> str:
    content = texts.encode(encoding, "replace")
    return hashlib.md5(content, usedforsecurity=False).hexdigest()  # the standard's own check of a transmission; it proves nothing


def _texts(root: No) -> Iterator[str]:
    for part in root:
        if part.tag in (_A + "epilogo", _SIGNATURE):
            continue
        for node in part.iter():
            if len(node) == 0 and node.text:
                yield node.text


class Esquema:
    """The schemas of TISS in a folder of this machine, read once when they are first needed; without them messages are only read."""

    def __init__(self, pasta: Path | None) -> None:
        self.pasta = pasta
        self._lock = Lock()
        self._ready = False
        self._schema: Any = None
        self._falha = ""

    @property
    def falha(self) -> str:
        """Why the schemas that were asked for cannot be used (pt-BR); empty where they can, or none were asked for."""
        self._load()
        return self._falha

    def conferir(self, root: No) -> Conferida:
        """Hold a message to the schemas, where there are any. Raises `MensagemRecusada` with each fault and its line."""
        schema = self._load()
        if schema is None:
            return "nao_conferida"
        with self._lock:  # the log of faults belongs to the schema
            if schema.validate(root):
                return "conferida"
            faults = list(schema.error_log)
        raise MensagemRecusada(
            "A mensagem não segue o esquema do TISS 4.03.00. Corrija o que está apontado e envie de novo.",
            [Problem(_schema_words(fault.message), linha=fault.line, codigo="esquema") for fault in faults[:_MOST_TOLD]],
        )

    def _load(self) -> Any:
        if self.pasta is None or self._ready:
            return self._schema
        with self._lock:
            if not self._ready:
                try:
                    self._schema = _compiled(self.pasta / ESQUEMA)
                except (OSError, etree.LxmlError) as error:
                    self._falha = _why(self.pasta, error)
                    logger.warning("esquema_tiss_indisponivel", extra={"motivo": type(error).__name__})
                self._ready = True
        return self._schema


def _compiled(arquivo: Path) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    arquivo.open("rb").close()  # what cannot be opened is told as that
    return etree.XMLSchema(etree.parse(str(arquivo), parser))


def _why(pasta: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{pasta} não tem o arquivo {ESQUEMA}, ou ele não pode ser lido"
    return f"os arquivos de {pasta} não formam o esquema inteiro: confira se todos os .xsd da versão 4.03.00 estão lá"


def _schema_words(message: str) -> str:
    """What the schema found, without the namespace and without what was sent: a value may be somebody's."""
    plain = message.replace(_A, "")
    element = plain.partition("'")[2].partition("'")[0]
    if "This element is not expected" in plain:
        expected = plain.partition("Expected is")[2].strip(" .")
        return f"o elemento {element} não é esperado aqui" + (f"; espera-se {expected}" if expected else "")
    if "Missing child element" in plain:
        return f"falta um elemento em {element}: {plain.partition('Expected is')[2].strip(' .')}"
    return f"o valor de {element} não é aceito pelo esquema"


def new_message() -> No:
    """An empty `mensagemTISS`."""
    return etree.Element(_A + "mensagemTISS", nsmap={"ans": NS})


def add(node: No, name: str, text: str | None = None) -> No:
    """An element of TISS at the end of another, with a text that ISO-8859-1 can hold."""
    made = etree.SubElement(node, _A + name)
    if text is not None:
        made.text = latin(text)
    return made


def latin(text: str) -> str:
    """A text in the letters of ISO-8859-1 that an XML may hold: typographic signs in plainer ones, what has none as `?`."""
    return _UNWRITABLE.sub("?", text).translate(_PLAINER).encode("iso-8859-1", "replace").decode("iso-8859-1")


def sealed_bytes(root: No) -> bytes:
    """A message with its epilogo, in ISO-8859-1."""
    digest = hash_of(root)
    add(add(root, "epilogo"), "hash", digest)
    written: bytes = etree.tostring(root, encoding="ISO-8859-1", xml_declaration=True)
    return written
