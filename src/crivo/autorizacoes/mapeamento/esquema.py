"""The JSON Schema of a mapping's document, for editors and validators. Source: design, "Their own format in"."""

from __future__ import annotations

from typing import Any, Final

from crivo.autorizacoes.mapeamento.documento import CALCULADOS, COM_VALORES, DO_USO, DOCUMENTOS, HISTORICO, MAPEAVEIS, PARTES, SEPARAVEIS
from crivo.autorizacoes.palavras import campo_do_pedido

_SIMPLES: Final = {"type": ["string", "number", "boolean"]}
_CAMINHO: Final = {"type": "string", "minLength": 1, "maxLength": 500, "pattern": r"^\$"}
_CALCULO: Final = {
    "idade": "Os anos completos, da data até a data do pedido.",
    "dias": "Os dias, da data até a data do pedido.",
    "total": "O valor de uma unidade vezes a quantidade.",
}


def esquema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12), with titles and descriptions in pt-BR; what it cannot say is checked on top."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:crivo:mapeamento",
        "title": "Mapeamento",
        "description": "Onde está, no que uma administradora manda, cada campo de um pedido, e o que as palavras dela querem dizer.",
        "type": "object",
        "additionalProperties": False,
        "required": ["mapeamento", "administradora", "reconhecer", "campos"],
        "properties": {
            "mapeamento": _titled("Nome", "O nome deste formato, como acme-2026.", {"type": "string", "minLength": 1, "maxLength": 60}),
            "administradora": _titled("Administradora", "O código dela, como está nas políticas.", {"type": ["string", "integer"]}),
            "reconhecer": _titled(
                "Como reconhecer",
                "Caminhos, e o valor que deve estar em cada um; * é qualquer valor.",
                {"type": "object", "minProperties": 1, "propertyNames": _CAMINHO, "additionalProperties": _SIMPLES},
            ),
            "ignorar": _titled(
                "Linhas a ignorar",
                "Caminhos, e o valor que deve estar em cada um, de uma linha de planilha que não é pedido, como a de totais.",
                {"type": ["object", "null"], "propertyNames": _CAMINHO, "additionalProperties": _SIMPLES},
            ),
            "itens": _titled("Itens", "O caminho dos itens: um pedido para cada um.", {**_CAMINHO, "type": ["string", "null"]}),
            "campos": _titled(
                "Campos",
                "Onde está cada campo do pedido.",
                {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": False,
                    "properties": {destino: _campo(destino) for destino in MAPEAVEIS},
                },
            ),
            "valores": _titled(
                "Valores",
                "Para cada campo, o que cada palavra deles é; maiúsculas e acentos não importam.",
                {
                    "type": ["object", "null"],
                    "additionalProperties": False,
                    "properties": {destino: {"type": "object", "additionalProperties": _SIMPLES} for destino in COM_VALORES},
                },
            ),
        },
    }


def _campo(destino: str) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "de": _titled("De", "Caminho RFC 9535; $item é o nó de itens.", _CAMINHO),
        "formato": _titled("Formato", "Como a data está escrita: dd/MM/yyyy HH:mm, d 'de' MMMM 'de' yyyy.", {"type": "string"}),
        "limpar": _titled("Limpar", "Textos que saem do valor.", {"type": ["array", "string"], "items": {"type": "string"}}),
        "senao": _titled("Senão", "O que vale quando não veio nada.", _SIMPLES),
        "valor": _titled("Valor", "O mesmo em todos os pedidos, no lugar de um caminho.", _SIMPLES),
    }
    if destino in CALCULADOS:
        properties["calcular"] = _titled("Calcular", _CALCULO[CALCULADOS[destino]], {"const": CALCULADOS[destino]})
    if destino in SEPARAVEIS:
        properties["separador"] = _titled("Separador", "O que separa os vários de um texto, como | em PED|LAU.", {"type": "string"})
    if destino == DOCUMENTOS:
        relativo = {"type": "string", "pattern": "^@"}
        properties |= {parte: _titled(parte.capitalize(), "Caminho a partir de cada documento, como @.nome.", relativo) for parte in PARTES}
        properties["nomes"] = _titled(
            "Nomes",
            "true: os documentos são os nomes dos campos do objeto; ou cada nome, com o caminho do que diz se ele veio.",
            {"oneOf": [{"type": "boolean"}, {"type": "object", "minProperties": 1, "additionalProperties": _CAMINHO}]},
        )
    if destino == HISTORICO:
        relativo = {"type": "string", "pattern": "^@"}
        properties |= {parte: _titled(parte.capitalize(), "Caminho a partir de cada uso, como @.codigo.", relativo) for parte in DO_USO}
    inner = {"type": "object", "additionalProperties": False, "properties": properties}
    return _titled(campo_do_pedido(destino).capitalize() or destino, "Um caminho, ou um objeto.", {"oneOf": [_CAMINHO, inner]})


def _titled(title: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"title": title, "description": description, **schema}
