"""How the routes say in OpenAPI what they take and answer, so that the document is the truth about every status and type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

from crivo.web.problems import PROBLEM_JSON

Responses = dict[int | str, dict[str, Any]]
REF: Final = "#/components/schemas/{name}"
PROBLEM_REF: Final = {"$ref": REF.format(name="ProblemDetails")}
_RETRY_AFTER: Final = {"Retry-After": {"description": "Segundos até tentar de novo.", "schema": {"type": "integer", "minimum": 1}}}
_SAID: Final[Mapping[int, str]] = {
    400: "O conteúdo não pôde ser lido.",
    401: "Falta a chave de API, ou ela não foi aceita.",
    403: "A chave não tem o escopo que este endereço pede.",
    404: "Não existe, ou é de outra organização.",
    410: "Os dados pessoais foram apagados, a pedido ou por fim do prazo de guarda (`dados_apagados`).",
    409: "O estado atual não permite, ou outra gravação chegou antes.",
    413: "O conteúdo passa do limite.",
    415: "O tipo do conteúdo não é lido aqui.",
    422: "O conteúdo foi lido, mas quebra o contrato.",
    429: "A chave passou do limite de pedidos por minuto.",
    503: "O banco de dados não respondeu.",
}


def answer(struct: type[msgspec.Struct], said: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Responses:
    """A JSON answer of a contract; `headers` are described by name."""
    described: dict[str, Any] = {
        "description": said,
        "content": {"application/json": {"schema": {"$ref": REF.format(name=struct.__name__)}}},
    }
    if headers:
        described["headers"] = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
    return {status: described}


def answer_either(structs: Iterable[type[msgspec.Struct]], said: str, *, headers: Mapping[str, str] | None = None) -> Responses:
    """A JSON answer of one of several contracts."""
    first, *others = structs
    described = answer(first, said, headers=headers)
    schemas = [{"$ref": REF.format(name=struct.__name__)} for struct in (first, *others)]
    described[200]["content"] = {"application/json": {"schema": {"oneOf": schemas}}}
    return described


def failures(*statuses: int) -> Responses:
    """Problem details under each of these statuses."""
    return {status: failure(_SAID.get(status, HTTPStatus(status).phrase), retry=status in (429, 503)) for status in statuses}


def failure(said: str, *, retry: bool = False) -> dict[str, Any]:
    """One problem details answer."""
    described: dict[str, Any] = {"description": said, "content": {PROBLEM_JSON: {"schema": PROBLEM_REF}}}
    if retry:
        described["headers"] = _RETRY_AFTER
    return described


_TEXT: Final[Mapping[str, Any]] = {"schema": {"type": "string"}}


def body(
    said: str,
    schema: Mapping[str, Any],
    media_types: Iterable[str],
    example: object = None,
    *,
    required: bool = True,
    mapped: Iterable[str] = (),
) -> dict[str, Any]:
    """The request body of a route that reads it by itself, for `openapi_extra`; of `mapped` types a mapping says what they hold."""
    described: dict[str, Any] = {"schema": dict(schema)}
    if example is not None:
        described["example"] = example
    return {
        "requestBody": {
            "required": required,
            "description": said,
            "content": {**dict.fromkeys(media_types, described), **dict.fromkeys(mapped, _TEXT)},
        }
    }
