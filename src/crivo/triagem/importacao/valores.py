"""The kinds of value that only an import has: texts as applicants wrote them, days and moments, what a project declares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from crivo.kernel.formas.palavras import grouped
from crivo.kernel.formas.tipos import Calendario, Falta, Padrao, refusal, told, too_long
from crivo.triagem.edital import Operador

DATA: Final = r"^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$"
_MOMENTO: Final = r"^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$"
_LIVRE_TEXTO: Final = 20_000
_LIVRE_NUMERO: Final = 10**15
_LIVRE_MAXIMO: Final = 500
_SCALARS: Final = ("string", "number", "boolean")
_BREAKS: Final = re.compile(r"[\x0b\x0c\x85]")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

DIA: Final = Calendario(
    Padrao(DATA, "data_invalida", "deve ser uma data entre 1900 e 2199 no formato AAAA-MM-DD, como 2026-09-15"),
    "data_inexistente",
    "tem um dia que não existe no calendário",
    date.fromisoformat,
    {"format": "date", "maxLength": 10},
)
MOMENTO: Final = Calendario(
    Padrao(_MOMENTO, "momento_invalido", "deve ter data, hora e fuso, como 2026-09-10T14:00:00-03:00"),
    "momento_inexistente",
    "tem um dia ou uma hora que não existem",
    datetime.fromisoformat,
    {"format": "date-time", "not": {"type": "string", "pattern": r"\s"}},
)
# What each operador compares with; the same rule as `check_requisitos` of coerencia.
_COMPARED: Final[tuple[tuple[tuple[Operador, ...], dict[str, Any]], ...]] = (
    (("igual", "diferente"), {"type": ["string", "number", "boolean"]}),
    (("em",), {"type": "array", "minItems": 1}),
    (("minimo", "maximo"), {"type": ["number", "string"], "format": "date", "maxLength": 10, "pattern": DATA}),
    (("existe",), {"type": ["boolean", "null"]}),
)
VALOR_BY_OPERADOR: Final[list[Any]] = [
    {
        "if": {"properties": {"operador": {"enum": list(operadores)}}, "required": ["operador"]},
        "then": {"properties": {"valor": valor}, **({} if "null" in valor["type"] else {"required": ["valor"]})},
    }
    for operadores, valor in _COMPARED
]


def visible(texto: str) -> str:
    """The text without what neither a database nor a page can hold; the rest, hidden characters included, as it came."""
    if texto.isascii() and texto.isprintable():
        return texto
    return _UNSEEN.sub("�", _BREAKS.sub("\n", texto))


@dataclass(frozen=True, slots=True)
class Livre:
    """What a project declares: a text, a number, yes or no, nothing, or a list of these."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_read_livre)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        limites = {"maxLength": _LIVRE_TEXTO, "minimum": -_LIVRE_NUMERO, "maximum": _LIVRE_NUMERO}
        item = {"type": [*_SCALARS, "null"], **limites}
        return {"type": [*_SCALARS, "null", "array"], **limites, "items": item, "maxItems": _LIVRE_MAXIMO}


def _read_livre(valor: object) -> object:
    if not isinstance(valor, list):
        return _read_scalar(valor)
    if len(valor) > _LIVRE_MAXIMO:
        raise told("lista_longa", f"pode ter até {_LIVRE_MAXIMO} itens, e tem {grouped(len(valor))}")
    lidos: list[object] = []
    faltas: list[Falta] = []
    for posicao, item in enumerate(valor):
        try:
            lidos.append(_read_scalar(item))
        except PydanticCustomError as falta:
            faltas.append((falta, (posicao,), item))
    if faltas:
        raise refusal(faltas)
    return lidos


def _read_scalar(valor: object) -> object:
    match valor:
        case None | bool():
            return valor
        case str():
            if len(valor) > _LIVRE_TEXTO:
                raise too_long(_LIVRE_TEXTO, valor)
            return visible(valor)
        case int() | Decimal():
            exato = Decimal(valor)
            if not exato.is_finite() or abs(exato) > _LIVRE_NUMERO:
                raise told("valor_fora_da_faixa", "tem um número grande demais; se for um código, escreva-o entre aspas")
            return valor if isinstance(valor, int) else float(valor)
        case _:
            raise told("tipo_errado", "deve ser um texto, um número, `true`, `false` ou uma lista deles", mostra=True)
