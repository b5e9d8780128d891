"""A política as a spreadsheet that reads back as the same política, and as JSON or YAML for people."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar, Final, Literal

import msgspec
import yaml

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.documento import to_document
from crivo.autorizacoes.politicas.planilha import listas
from crivo.autorizacoes.politicas.planilha.celulas import as_json
from crivo.autorizacoes.politicas.planilha.colunas import CABECA, QUE_SAEM, TITULOS
from crivo.autorizacoes.politicas.planilha.leitura import read_cell
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import fold

Formato = Literal["xlsx", "csv", "json", "yaml"]
FORMATOS: Final[Mapping[Formato, str]] = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "yaml": "application/yaml",
}
"""Each format that a política goes out in, with its media type."""
_FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NOT_IN_A_NAME: Final = re.compile(r"[^a-z0-9.]+")
_NOME_MAXIMO: Final = 100
_CELULA_MAXIMO: Final = 32_767
_LARGAS: Final = frozenset({"descricao", "documentos_obrigatorios", "documentos_alternativos", "alternativas", "excecoes", "observacoes"})
_STYLES: Final[tuple[dict[str, Any], ...]] = (
    {"bold": True, "text_wrap": True, "font_color": "#FFFFFF", "bg_color": "#071D41", "border": 1},
    {"num_format": "@"},
    {"num_format": "@", "text_wrap": True},
    {},
)
_COMO: Final = (
    "Uma linha é uma regra. Mude, acrescente ou apague linhas na folha Regras e importe o arquivo em Políticas.",
    "Documentos separados por ponto e vírgula; “ou” entre os que valem um pelo outro, na coluna Documentos alternativos.",
    "Limites por período: 12 em 365 dias. Carência e validade em dias. Coparticipação de 0 a 100. Célula vazia não restringe.",
)
Celula = str | int | float


class CelulaNaoCabe(CrivoError):
    """A list or text of a regra that is longer than a cell of Excel."""

    codigo: ClassVar[str] = "celula_nao_cabe"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Uma célula não comporta o que a regra diz"


def write_politica(politica: Politica, formato: Formato) -> bytes:
    """The document in a format. Raises CelulaNaoCabe, of XLSX alone."""
    match formato:
        case "xlsx":
            return to_xlsx(politica)
        case "csv":
            return to_csv(politica)
        case "json":
            return msgspec.json.format(to_document(politica), indent=2) + b"\n"
        case "yaml":
            return _yaml(json.loads(to_document(politica)))


def file_name(documento: str, versao: str, formato: Formato) -> str:
    """What a política is called as a file: its document and version, in letters that every system takes: `rol-2026.4.xlsx`."""
    stem = _NOT_IN_A_NAME.sub("-", fold(f"{documento} {versao}"))[:_NOME_MAXIMO].strip("-.")
    return f"{stem or 'politica'}.{formato}"


def _yaml(document: Mapping[str, Any]) -> bytes:
    """The document with its head first; every text that another reader could take for something else in quotes."""
    head = {nome: document[nome] for nome in ("administradora_id", "documento", "versao", "vigencia_inicio") if nome in document}
    rest = {nome: valor for nome, valor in document.items() if nome not in head and nome != "regras"}
    regras = [{"regra_id": regra["regra_id"], "codigo": regra["codigo"], **regra} for regra in document["regras"]]
    dumped = yaml.dump({**head, **rest, "regras": regras}, Dumper=_Quoting, allow_unicode=True, sort_keys=False, width=10_000)
    return str(dumped).encode()


_PLAIN_WORD: Final = re.compile("[A-Z]{5,}(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)+")  # no reader takes such for anything but a text


class _Quoting(yaml.SafeDumper):
    """Texts in double quotes, so that `NO`, `1e3` and `2026-01-01` stay texts; and no shortcuts by reference."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if text.isidentifier() and text.isupper() and len(text) > 3 else '"'
    )


_Quoting.add_representer(str, _quoted)


def to_csv(politica: Politica) -> bytes:
    """A row for each regra, the head of the document in columns of each; `;`, decimal comma, a mark by which Excel knows UTF-8.

    What a spreadsheet would run as a formula begins with an apostrophe, which the reading takes away again.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    head = _head(politica)
    writer.writerow([TITULOS[campo] for campo in (*CABECA, *QUE_SAEM)])
    for row in _rows(politica):
        writer.writerow([_inert(_written(celula)) for celula in (*head.values(), *row)])
    return out.getvalue().encode("utf-8-sig")


def to_xlsx(politica: Politica) -> bytes:
    """The regras on one sheet, the head of the document on another; every text is text, so that nothing can be a formula or a link."""
    import xlsxwriter  # here, as hardly any start needs it

    out = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        bold = book.add_format(
            {"bold": True, "text_wrap": True, "valign": "top", "font_color": "#FFFFFF", "bg_color": "#071D41", "border": 1}
        )
        plain = book.add_format({"valign": "top", "num_format": "@"})
        wide = book.add_format({"valign": "top", "num_format": "@", "text_wrap": True})
        number = book.add_format({"valign": "top"})
        sheet = book.add_worksheet("Regras")
        sheet.freeze_panes(1, 2)
        for column, campo in enumerate(QUE_SAEM):
            sheet.set_column(column, column, 36 if campo in _LARGAS else 16)
            sheet.write_string(0, column, TITULOS[campo], bold)
        last = 0
        for last, row in enumerate(_rows(politica), start=1):
            for column, (campo, celula) in enumerate(zip(QUE_SAEM, row, strict=True)):
                if isinstance(celula, str):
                    if celula:
                        sheet.write_string(last, column, _fitting(celula), wide if campo in _LARGAS else plain)
                else:
                    sheet.write_number(last, column, celula, number)
        sheet.autofilter(0, 0, last, len(QUE_SAEM) - 1)
        about = book.add_worksheet("Documento")
        about.set_column(0, 0, 28)
        about.set_column(1, 1, 80)
        for at, (campo, valor) in enumerate(_head(politica).items()):
            about.write_string(at, 0, TITULOS[campo], bold)
            about.write_string(at, 1, _fitting(valor), wide)
        for at, line in enumerate(_COMO, start=len(CABECA) + 1):
            about.write_string(at, 1, line, wide)
    return out.getvalue()


def _fitting(celula: str) -> str:
    if len(celula) > _CELULA_MAXIMO:
        raise CelulaNaoCabe("Uma regra tem uma lista ou um texto que passa do que uma célula do Excel comporta. Exporte em CSV ou JSON.")
    return celula


def _inert(texto: str) -> str:
    return f"'{texto}" if _FORMULA.match(texto) else texto


def _written(celula: Celula) -> str:
    return celula if isinstance(celula, str) else _number(celula)


def _number(value: int | float) -> str:
    return format(Decimal(repr(value)), "f").replace(".", ",")


def _head(politica: Politica) -> dict[str, str]:
    return {
        "administradora_id": politica.administradora_id,
        "documento": politica.documento,
        "versao": politica.versao,
        "vigencia_inicio": politica.vigencia_inicio,
        "vigencia_fim": politica.vigencia_fim or "",
        "planos_declarados": _planos(politica.planos),
    }


def _planos(planos: Sequence[str]) -> str:
    """The planos that are declared, in plain words where they read back as the same."""
    plain = "; ".join(planos)
    read = listas.planos(plain) if planos and as_json(plain) is None else None
    return plain if not planos or read == (list(planos) if len(planos) > 1 else planos[0]) else json.dumps(list(planos), ensure_ascii=False)


def _rows(politica: Politica) -> Iterator[tuple[Celula, ...]]:
    known: dict[tuple[str, bytes], Celula] = {}
    for regra in politica.regras:
        stated: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(regra))  # so that a list is one, as the reading gives it
        row: list[Celula] = []
        for campo in QUE_SAEM:
            valor = _value(stated, campo)
            if valor is None or valor == []:
                row.append("")
            elif campo in _PLAIN:
                row.append(valor)
            else:
                key = (campo, msgspec.json.encode(valor))
                if key not in known:
                    known[key] = _cell(campo, valor)
                row.append(known[key])
        yield tuple(row)


_PLAIN: Final = frozenset({"regra_id", "descricao", "observacoes"})


def _value(stated: Mapping[str, Any], campo: str) -> Any:
    match campo:
        case "plano":
            planos, alone = stated.get("planos"), stated["plano_id"]
            return {"plano_id": alone, "planos": planos} if planos and alone != "*" else planos or alone
        case "idade_min" | "idade_max":
            return (stated.get("restricoes_idade") or {}).get(campo[-3:])
        case "alternativas" | "limites":
            defaults = {"descricao": None, "por": "CODIGO"}
            return [{nome: um for nome, um in one.items() if defaults.get(nome, "") != um} for one in stated.get(campo, ())]
        case _:
            return stated.get(campo)


def _cell(campo: str, valor: Any) -> Celula:
    """A value in plain words where they read back as the same, else as JSON."""
    plain: Celula = _WORDS.get(campo, _as_it_is)(valor)
    if isinstance(plain, int | float) and not isinstance(plain, bool):
        return plain if float(f"{plain:.15g}") == plain else _number(plain)
    return plain if isinstance(plain, str) and _reads_back(campo, plain, valor) else json.dumps(valor, ensure_ascii=False)


def _reads_back(campo: str, plain: str, valor: Any) -> bool:
    read = read_cell(campo, plain)
    expected = {"codigo": [(valor, "")], "documentos_obrigatorios": (valor, [])}.get(campo, valor)
    return bool(read == expected)


def _as_it_is(valor: Any) -> Celula:
    if isinstance(valor, bool):
        return "sim" if valor else "não"
    return valor if isinstance(valor, str | int | float) else json.dumps(valor, ensure_ascii=False)


def _alternative(one: Mapping[str, str | None]) -> str:
    return f"{one['codigo']} - {one['descricao']}" if one.get("descricao") else str(one["codigo"])


def _limit(one: Mapping[str, Any]) -> str:
    return f"{_number(one['quantidade'])} em {one['periodo_dias']} dias" + (" (por regra)" if one.get("por") == "REGRA" else "")


_COBERTURA: Final = {"COBERTA": "sim", "NAO_COBERTA": "não", "CONDICIONAL": "condicional"}
_WORDS: Final[Mapping[str, Callable[[Any], Celula]]] = {
    "cobertura": lambda valor: _COBERTURA[valor],
    "plano": lambda valor: "todos" if valor == "*" else valor if isinstance(valor, str) else "; ".join(valor),
    "tabela": lambda valor: "todas" if valor == "*" else valor,
    "restricoes_rede": lambda valor: "credenciada" if valor == "APENAS_CREDENCIADA" else "livre",
    "documentos_obrigatorios": lambda valor: "; ".join(map(listas.nome_do_documento, valor)),
    "documentos_alternativos": lambda valor: "; ".join([" ou ".join(map(listas.nome_do_documento, grupo)) for grupo in valor]),
    "alternativas": lambda valor: "\n".join([_alternative(one) for one in valor]),
    "excecoes": lambda valor: "\n".join([f"{one['motivo']}: {one['instrucao']}" for one in valor]),
    "limites": lambda valor: "; ".join([_limit(one) for one in valor]),
}
