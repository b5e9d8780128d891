"""What came as documents that paths can look into: JSON as it is, XML as its obvious JSON, CSV as an object a line.

Whatever is told of bytes that cannot be read is where they stop being readable, and none of what they say.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from lxml import etree

from crivo.autorizacoes.leitura import MAX_DEPTH, PedidoIlegivel, read_json_value
from crivo.autorizacoes.mapeamento.caminhos import whole_names
from crivo.kernel.errors import Kind

Midia = Literal["json", "xml", "csv"]

MOST_ROWS: Final = 200
_MOST_NODES: Final = 100_000
_MOST_COLUMNS: Final = 500
_MOST_ATTRIBUTES: Final = 500
_SEPARATORS: Final = ";,\t|"
_NOTHING: Final = f'{_SEPARATORS}" '
_DOCTYPES: Final = tuple(["<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be")])
_TRAP: Final = "O XML traz um DOCTYPE, que pode esconder uma armadilha e não é lido aqui. Mande-o sem o DOCTYPE."
_BLANKS: Final = b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"


class XmlRecusado(PedidoIlegivel):
    """Bytes that are no XML, or one that could be a trap."""

    codigo: ClassVar[str] = "xml_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Não deu para ler o XML"


class CsvRecusado(PedidoIlegivel):
    """A table that cannot be told apart line by line."""

    codigo: ClassVar[str] = "csv_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Não deu para ler a planilha em texto"


class LinhasIgnoradas(PedidoIlegivel):
    """Rows of a table none of which is a pedido: blank, or passed over as the mapping says."""

    codigo: ClassVar[str] = "linha_ignorada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nenhuma linha é um pedido"


@dataclass(frozen=True, slots=True)
class Documento:
    """One document of what came, and the bytes of it alone: of a table, its header and one line, and which `linha`, from 1, it is."""

    raw: bytes
    valor: Any
    midia: Midia
    linha: int | None = None

    @property
    def looked_into(self) -> Any:
        """The value with its names as paths write them: letters and their accents in one."""
        plain = self.raw.isascii() and b"\\u03" not in self.raw and b"&#" not in self.raw
        return self.valor if plain else whole_names(self.valor)


def midia_of(raw: bytes) -> Midia:
    """What bytes look like by how they begin."""
    first = raw.lstrip(_BLANKS)[:1]
    if first == b"<":
        return "xml"
    return "csv" if first not in (b"", b"{", b"[") and _looks_tabular(raw) else "json"


def read_documentos(raw: bytes) -> tuple[Documento, ...]:
    """The documents in what came: one of JSON and XML, one a line of CSV. Raises `PedidoIlegivel`, for no JSON `JsonInvalido`."""
    midia = midia_of(raw)
    if midia == "json":
        return (Documento(raw, read_json_value(raw), midia),)
    if midia == "xml":
        return (Documento(raw, read_xml(raw), midia),)
    return tuple([Documento(line, valor, midia, number) for number, line, valor in read_csv(raw)])


# --- XML


def read_xml(raw: bytes) -> dict[str, Any]:
    """An XML as JSON: attributes `@name`, text `#text` where there is anything beside it, repeated elements lists, no namespaces.

    Raises `XmlRecusado` for what is no XML, has a document type or entities, nests over 64 levels or has over 500 attributes in one.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw or "<!DOCTYPE".encode("utf-16-le") in raw or "<!DOCTYPE".encode("utf-16-be") in raw:
        raise XmlRecusado(_TRAP)
    try:
        root = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        linha, coluna = error.position
        raise XmlRecusado(f"O XML está quebrado na linha {linha}, coluna {coluna}: confira ali se toda marca aberta se fecha.") from None
    except ValueError:
        raise XmlRecusado("O XML não pôde ser lido: confira a codificação que ele declara.") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise XmlRecusado(_TRAP)
    counted = sum(1 for _ in root.iter())
    if counted > _MOST_NODES:
        raise XmlRecusado(f"O XML tem mais de {_MOST_NODES} elementos; mande um pedido de cada vez.")
    return {_local(root.tag): _element(root, 1)}


def _element(node: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise XmlRecusado(f"O XML tem elementos dentro de elementos demais; o limite é de {MAX_DEPTH} níveis.")
    if len(node.attrib) > _MOST_ATTRIBUTES:  # lxml looks for each of them among all
        raise XmlRecusado(f"O XML tem mais de {_MOST_ATTRIBUTES} atributos num só elemento; mande um pedido de cada vez.")
    found: dict[str, Any] = {f"@{_local(nome)}": valor for nome, valor in node.attrib.items()}
    many: set[str] = set()
    for child in node:
        if not isinstance(child.tag, str):
            continue
        nome, valor = _local(child.tag), _element(child, depth + 1)
        if nome in many:
            found[nome].append(valor)
        elif nome in found:
            found[nome] = [found[nome], valor]
            many.add(nome)
        else:
            found[nome] = valor
    texts = [node.text, *[child.tail for child in node]]
    text = " ".join([one.strip() for one in texts if one and one.strip()])
    if not found:
        return text
    return {**found, "#text": text} if text else found


def _local(tag: Any) -> str:
    return str(tag).rpartition("}")[2]


# --- CSV


def read_csv(raw: bytes) -> Iterator[tuple[int, bytes, dict[str, str]]]:
    """Each line of a table under its header that has anything in it, as an object; with its number and the bytes of header and line.

    Raises `CsvRecusado`.
    """
    texto = decode_table(raw)
    separator = separator_of(texto)
    numbered = list(_records(texto))
    lines = [numbered[0], *[(number, line) for number, line in numbered[1:] if line.strip(_NOTHING)]] if numbered else []
    if len(lines) < 2 <= len(numbered):
        raise LinhasIgnoradas("As linhas depois do cabeçalho estão em branco. Nada foi decidido.")
    if len(lines) < 2:
        raise CsvRecusado("A planilha precisa de um cabeçalho e ao menos uma linha.")
    if len(lines) - 1 > MOST_ROWS:
        raise CsvRecusado(f"A planilha tem mais de {MOST_ROWS} linhas; mande-a em partes, ou use `crivo autorizacoes lote`.")
    head = lines[0][1]
    header = _cells(head, separator, 1)
    if "" in header:
        raise CsvRecusado(_no_header(header.index("") + 1, lines, separator))
    _check_header(header)
    for number, line in lines[1:]:
        cells = _cells(line, separator, number)
        if len(cells) != len(header):
            raise CsvRecusado(
                f"A linha {number} tem {len(cells)} colunas, e o cabeçalho, {len(header)}: confira separadores e aspas nessa linha."
            )
        yield number, f"{head}\n{line}".encode(), dict(zip(header, cells, strict=True))


def decode_table(raw: bytes) -> str:
    """The text of a table: UTF-8, UTF-16 with its mark, or the Windows letters in which spreadsheets of here save."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def separator_of(texto: str) -> str:
    """What parts the columns, by the header: the one of `;`, `,`, tab and `|` that is there most often."""
    head = texto.lstrip("\r\n").partition("\n")[0]
    return max(_SEPARATORS, key=head.count)


def _looks_tabular(raw: bytes) -> bool:
    head = decode_table(raw[:4_000]).lstrip("\r\n").partition("\n")
    return bool(head[1]) and any(one in head[0] for one in _SEPARATORS)


def _records(texto: str) -> Iterator[tuple[int, str]]:
    """The lines of a table that are not blank, each with its number in the text, from 1; one whose quotes are open goes on in the next."""
    pending, start = "", 0
    for number, line in enumerate(texto.splitlines(), 1):
        start = start if pending else number
        pending = f"{pending}\n{line}" if pending else line
        if pending.count('"') % 2 == 0:
            if pending.strip():
                yield start, pending
            pending = ""
    if pending:
        raise CsvRecusado("Há aspas que abrem e não fecham na planilha: confira o último texto entre aspas.")


def _cells(line: str, separator: str, number: int) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=separator, strict=True))]
    except (csv.Error, StopIteration):
        raise CsvRecusado(f"A linha {number} da planilha tem aspas fora do lugar.") from None


def _no_header(coluna: int, lines: Sequence[tuple[int, str]], separator: str) -> str:
    """Which line was taken for the header, and which one looks like it where it is another."""
    taken = f"A coluna {coluna} do cabeçalho não tem nome (foi lida como cabeçalho a linha {lines[0][0]}). "
    for number, line in lines[1:_LOOKED_FOR_HEADER]:
        cells = [cell.strip().strip('"') for cell in line.split(separator)]
        if all(cells) and len(set(cells)) == len(cells) and not any(cell[:1].isdigit() for cell in cells):
            return f"{taken}O cabeçalho parece estar na linha {number}: apague as que vêm antes dela."
    return f"{taken}Dê um nome a cada coluna, e apague as linhas que vêm antes do cabeçalho."


_LOOKED_FOR_HEADER: Final = 10


def _check_header(header: Sequence[str]) -> None:
    if len(header) > _MOST_COLUMNS:
        raise CsvRecusado(f"A planilha tem mais de {_MOST_COLUMNS} colunas.")
    repeated = [nome for nome in dict.fromkeys(header) if header.count(nome) > 1]
    if repeated:
        raise CsvRecusado(f"O cabeçalho repete a coluna `{repeated[0][:40]}`: dê a cada uma o seu nome.")
