"""The form of an answer, as a JSON schema: of the model-written fields of a contract, and of nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec


@cache
def answer_schema(resposta: type[Any]) -> dict[str, Any]:
    """The JSON schema of an answer, with its own object at the root, as services ask.

    A model reads it: names of our classes and their docstrings are for who reads the code, and stay out. What a model is to be told of a
    field is in its `msgspec.Meta(description=…)`, in Portuguese.
    """
    schema = msgspec.json.schema(resposta)
    own = schema["$ref"].rpartition("/")[2]  # a Struct's schema always points to its definition
    defs = {name: _bare(inner) for name, inner in schema["$defs"].items()}
    root = defs.pop(own)
    return {**root, "$defs": defs} if defs else root


def is_open(schema: Any) -> bool:
    """Whether it has an object whose names are not given: such a schema cannot be held to the letter."""
    if isinstance(schema, list):
        return any(is_open(inner) for inner in schema)
    if not isinstance(schema, dict):
        return False
    return (schema.get("type") == "object" and "properties" not in schema) or any(is_open(inner) for inner in schema.values())


def _bare(definition: dict[str, Any]) -> dict[str, Any]:
    """A definition without the name and the docstring of its class; what is said of its fields stays."""
    return {name: value for name, value in definition.items() if name not in {"title", "description"}}
