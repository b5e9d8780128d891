"""The JSON Schema of an import, made from the very catalogue that validates it."""

from __future__ import annotations

from typing import Any, Final, assert_never

from crivo.triagem.importacao.campos import IMPORTACAO
from crivo.triagem.importacao.tipos import (
    Campo,
    Data,
    Escolha,
    ListaDe,
    Livre,
    Logico,
    MapaDe,
    Momento,
    Numero,
    Objeto,
    Padrao,
    Simples,
    Texto,
    Tipo,
    Variante,
)
from crivo.triagem.importacao.valores import DATA, LIVRE_MAXIMO, LIVRE_NUMERO, LIVRE_TEXTO, MOMENTO

Json = dict[str, Any]

_SCALARS: Final = ["string", "number", "boolean"]
# What each operador compares with; the same rule as `check_requisitos` of coerencia.
_VALOR_BY_OPERADOR: Final[tuple[tuple[tuple[str, ...], Json], ...]] = (
    (("igual", "diferente"), {"type": _SCALARS}),
    (("em",), {"type": "array", "minItems": 1}),
    (("minimo", "maximo"), {"type": ["number", "string"], "format": "date", "maxLength": 10, "pattern": DATA}),
    (("existe",), {"type": ["boolean", "null"]}),
)


def esquema() -> Json:
    """The JSON Schema (draft 2020-12) of an import, with titles and descriptions in pt-BR.

    What a schema cannot say (unique ids, bounds that cross, files that are there) is checked by the import itself. Source: design, Shapes.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:crivo:triagem:importacao",
        "title": "Importação de um edital",
        "description": "Um edital com seus requisitos, critérios, projetos e avaliadores; os documentos são arquivos ao lado deste.",
        **_render(IMPORTACAO),
    }


def _render(tipo: Tipo) -> Json:
    match tipo:
        case ListaDe():
            unique = {"uniqueItems": True} if tipo.sem_repetir else {}
            return {"type": "array", "items": _render(tipo.item), "minItems": tipo.minimo, "maxItems": tipo.maximo, **unique}
        case MapaDe():
            nomes = {"propertyNames": _render(tipo.chave), "maxProperties": tipo.maximo}
            return {"type": "object", **nomes, "additionalProperties": _render(tipo.item)}
        case Objeto():
            return _render_objeto(tipo)
        case Variante():
            return {"type": "object", "oneOf": [_render_objeto(objeto, {tipo.marca: valor}) for valor, objeto in tipo.opcoes.items()]}
        case _:
            return _render_simples(tipo)


def _render_simples(tipo: Simples) -> Json:
    match tipo:
        case Texto():
            return _render_texto(tipo)
        case Escolha():
            return {"type": "string", "enum": list(tipo.valores)}
        case Data():
            return {"type": "string", "format": "date", "maxLength": 10, "pattern": DATA}
        case Momento():
            return {"type": "string", "format": "date-time", "pattern": MOMENTO, "not": {"type": "string", "pattern": r"\s"}}
        case Numero():
            lower = "exclusiveMinimum" if tipo.acima else "minimum"
            return {"type": "number" if tipo.fracao else "integer", lower: tipo.minimo, "maximum": tipo.maximo}
        case Logico():
            return {"type": "boolean"}
        case Livre():
            limites: Json = {"maxLength": LIVRE_TEXTO, "minimum": -LIVRE_NUMERO, "maximum": LIVRE_NUMERO}
            item = {"type": [*_SCALARS, "null"], **limites}
            return {"type": [*_SCALARS, "null", "array"], **limites, "items": item, "maxItems": LIVRE_MAXIMO}
        case _:
            assert_never(tipo)


def _render_texto(tipo: Texto) -> Json:
    padroes = {"allOf": [_render_padrao(padrao) for padrao in tipo.padroes]} if tipo.padroes else {}
    exemplos = {"examples": [tipo.exemplo]} if tipo.exemplo else {}
    return {"type": "string", "maxLength": tipo.maximo, **padroes, **exemplos}


def _render_padrao(padrao: Padrao) -> Json:
    # A pattern says nothing of a null, so its plain negation would refuse one.
    return {"not": {"type": "string", "pattern": padrao.expressao}} if padrao.recusa else {"pattern": padrao.expressao}


def _render_objeto(objeto: Objeto, marcas: dict[str, str] | None = None) -> Json:
    fixos = {nome: {"const": valor} for nome, valor in (marcas or {}).items()}
    rendered: Json = {
        "type": "object",
        "properties": {**fixos, **{campo.nome: _render_campo(campo) for campo in objeto.campos}},
        "required": [*fixos, *(campo.nome for campo in objeto.campos if campo.obrigatorio)],
        "additionalProperties": False,
    }
    if "operador" in objeto.por_nome:
        rendered["allOf"] = [_valor_of(operadores, valor) for operadores, valor in _VALOR_BY_OPERADOR]
    return rendered


def _valor_of(operadores: tuple[str, ...], valor: Json) -> Json:
    required = {} if "null" in valor["type"] else {"required": ["valor"]}
    return {
        "if": {"properties": {"operador": {"enum": list(operadores)}}, "required": ["operador"]},
        "then": {"properties": {"valor": valor}, **required},
    }


def _render_campo(campo: Campo) -> Json:
    rendered = {"title": campo.titulo, "description": campo.descricao, **_render(campo.tipo)}
    if campo.obrigatorio or isinstance(campo.tipo, Livre):
        return rendered
    if "oneOf" in rendered:
        return {**rendered, "type": ["object", "null"], "oneOf": [*rendered["oneOf"], {"type": "null"}]}
    if "enum" in rendered:
        rendered["enum"] = [*rendered["enum"], None]
    return {**rendered, "type": [rendered["type"], "null"]}
