"""The form of an answer is a JSON schema that services can hold a model to."""

from __future__ import annotations

import jsonschema
import msgspec
import pytest

from crivo.kernel.llm.forma import answer_schema, is_open


class Item(msgspec.Struct, frozen=True):
    codigo: str


class Lista(msgspec.Struct, frozen=True):
    itens: tuple[Item, ...]
    nota: int | None = None


class Aberta(msgspec.Struct, frozen=True):
    args: dict[str, str]


def test_an_answers_own_object_is_at_the_root_and_what_it_holds_can_be_found() -> None:
    schema = answer_schema(Lista)
    assert schema["type"] == "object"
    assert set(schema["properties"]) == {"itens", "nota"}
    jsonschema.validate({"itens": [{"codigo": "a"}], "nota": 1}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"itens": [{"codigo": 1}]}, schema)


@pytest.mark.parametrize(("resposta", "opened"), [(Lista, False), (Item, False), (Aberta, True)])
def test_a_form_with_names_that_are_not_given_is_told_apart(resposta: type[msgspec.Struct], opened: bool) -> None:
    assert is_open(answer_schema(resposta)) is opened
