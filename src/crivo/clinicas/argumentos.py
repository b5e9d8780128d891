"""The arguments of a tool offered over MCP, taken strictly: the schemas told to clients, and complaints that quote nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import is_writable

LONGEST_TEXT: Final = 200
_BREAKS: Final = frozenset("\t\n\r")


class ArgumentosInvalidos(CrivoError):
    """A tool was called with arguments that it does not take; the message names the tool's own arguments, never what was sent."""

    codigo: ClassVar[str] = "argumentos_invalidos"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Argumentos inválidos"


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of a tool, all of them texts; `has_lines` where a text may have several lines."""

    has_lines: ClassVar[bool] = False


A = TypeVar("A", bound=Arguments)


def text(description: str, *, least: int | None = None, longest: int = LONGEST_TEXT, pattern: str | None = None) -> msgspec.Meta:
    """What an argument is for, and how long it may be, in characters."""
    return msgspec.Meta(description=description, min_length=least, max_length=longest, pattern=pattern)


def read_arguments(kind: type[A], given: object) -> A:
    """The arguments in what was sent. Raises ArgumentosInvalidos, whose message quotes nothing of it."""
    if given is not None and not isinstance(given, dict):
        raise ArgumentosInvalidos("Os argumentos devem vir em um objeto JSON.")
    sent = given or {}
    names = kind.__struct_fields__
    if not sent.keys() <= set(names):
        accepted = f"aceita apenas: {', '.join(names)}" if names else "não recebe nenhum"
        raise ArgumentosInvalidos(f"Há argumento que esta ferramenta não conhece. Ela {accepted}.")
    for name in names[: len(names) - len(kind.__struct_defaults__)]:
        if name not in sent:
            raise ArgumentosInvalidos(f"Falta o argumento {name}.")
    for name, value in sent.items():
        if isinstance(value, str) and _is_unwritable(value, _BREAKS if kind.has_lines else frozenset()):
            raise ArgumentosInvalidos(f"O argumento {name} tem caracteres de controle. Envie apenas texto.")
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as error:
        name = next((name for name in names if str(error).endswith(f"`$.{name}`")), "enviado")
        raise ArgumentosInvalidos(
            f"O argumento {name} deve ser um texto de 1 a {_longest(kind, name)} caracteres, não em branco."
        ) from None


def input_schema(kind: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of some arguments."""
    _, definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own = definitions.pop(kind.__name__)
    own.pop("description", None)  # the docstring is for those who read the code
    return {**own, **_definitions(definitions)}


def output_schema(*kinds: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a result that is of one of these kinds."""
    references, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {"type": "object", "anyOf": list(references), **_definitions(definitions)}


def _is_unwritable(value: str, allowed: frozenset[str]) -> bool:
    return not value.isprintable() and any(not (is_writable(character) or character in allowed) for character in value)


def _longest(kind: type[Arguments], name: str) -> int:
    properties = input_schema(kind)["properties"]
    longest: int = properties.get(name, {}).get("maxLength", LONGEST_TEXT)
    return longest


def _definitions(definitions: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    undescribed = {name: {key: value for key, value in schema.items() if key != "description"} for name, schema in definitions.items()}
    return {"$defs": undescribed} if undescribed else {}
