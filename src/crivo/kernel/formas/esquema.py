"""The JSON Schema of a shape: as it is published, and as complaints look up what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.formas.tipos import TAG

Json = dict[str, Any]
CHAVE = "[key]"  # Pydantic's step from an object to one of its names
_NOME = "x-nome"


class _Escrita(GenerateJsonSchema):
    """Without defaults and docstrings, and exact numbers as numbers."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return {nome: valor for nome, valor in super().model_schema(schema).items() if nome != "description"}

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        rendered: JsonSchemaValue = {"type": "number"}
        self.update_with_validations(rendered, schema, self.ValidationsMapping.numeric)
        return rendered

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        return {"type": "object", "oneOf": [self.generate_inner(choice) for choice in schema["choices"].values()]}


def publish(modelo: type[BaseModel], urn: str, titulo: str, descricao: str) -> Json:
    """The JSON Schema (draft 2020-12) of a shape, each field in its place with its title and description."""
    head = {"$schema": GenerateJsonSchema.schema_dialect, "$id": urn, "title": titulo, "description": descricao}
    return {**head, **_published(shape_of(modelo))}


@cache
def shape_of(modelo: type[BaseModel]) -> Json:
    """The schema of a shape, in which each object also knows what it is called in a complaint."""
    whole = modelo.model_json_schema(by_alias=True, schema_generator=_Escrita)
    shape: Json = _inlined(whole, whole.get("$defs", {}))
    return shape


def find_no(no: Json, loc: Caminho) -> Json:
    """The schema at the place of a Pydantic error; empty where there is none."""
    for passo in loc:
        if isinstance(passo, int):
            no = no.get("items", {})
        elif passo == CHAVE:
            no = no.get("propertyNames", {})
        elif passo.startswith(TAG):
            no = next(opcao for opcao in no["oneOf"] if passo[len(TAG) :] in _consts(opcao))
        else:
            no = no.get("properties", {}).get(passo) or no.get("additionalProperties") or {}
    return no


def fields_of(no: Json) -> Iterator[tuple[str, Json]]:
    """Every field within a schema, with its name; one of several objects comes once for each."""
    for nome, campo in no.get("properties", {}).items():
        yield nome, campo
        yield from fields_of(campo)
    for inner in (*([no["items"]] if "items" in no else []), *no.get("oneOf", ())):
        yield from fields_of(inner)


def name_of_object(no: Json) -> str:
    """What an object is called after "não existe em"."""
    return str(no.get(_NOME, ""))


def _consts(no: Json) -> list[str]:
    return [campo["const"] for campo in no.get("properties", {}).values() if "const" in campo]


def _inlined(no: Any, defs: Json) -> Any:
    if isinstance(no, list):
        return [_inlined(item, defs) for item in no]
    if not isinstance(no, dict):
        return no
    ref = no.get("$ref", "").removeprefix("#/$defs/")
    beside = {nome: _inlined(valor, defs) for nome, valor in no.items() if nome not in ("$ref", "$defs")}
    inlined = {**(_inlined(defs[ref], defs) if ref else {}), **beside}
    if inlined.get("type") == "object" and "properties" in inlined and _NOME not in inlined:
        inlined[_NOME] = inlined.pop("title")
    return _nullable(inlined) if "anyOf" in inlined else inlined


def _nullable(no: Json) -> Json:
    """Null as one more type of the value, and not as another schema beside it."""
    inner = no.pop("anyOf")[0]
    types = inner["type"] if isinstance(inner["type"], list) else [inner["type"]]
    merged = {**inner, **no, "type": [*types, "null"]}
    if "const" in merged:  # of one value alone
        merged["enum"] = [merged.pop("const")]
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    if "oneOf" in merged:
        merged["oneOf"] = [*merged["oneOf"], {"type": "null"}]
    return merged


def _published(no: Any) -> Any:
    if isinstance(no, list):
        return [_published(item) for item in no]
    return {nome: _published(valor) for nome, valor in no.items() if nome != _NOME} if isinstance(no, dict) else no
