"""The form of an answer is a JSON schema that services can hold a model to."""

from __future__ import annotations

from typing import Annotated

import jsonschema
import msgspec
import pytest

from crivo.kernel.llm.forma import answer_schema, is_open


class Item(msgspec.Struct, frozen=True):
    """Of who reads the code."""

    codigo: Annotated[str, msgspec.Meta(description="O código, como veio.")]
    title: str = ""
    description: str = ""


class Lista(msgspec.Struct, frozen=True):
    """Of who reads the code."""

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


def test_a_model_reads_what_is_said_of_a_field_and_nothing_that_is_said_of_our_classes() -> None:
    schema = answer_schema(Lista)
    item = schema["$defs"]["Item"]
    assert item["properties"]["codigo"]["description"] == "O código, como veio."
    assert {"title", "description"} <= set(item["properties"])
    told = msgspec.json.encode(schema).decode()
    assert "Of who reads" not in told
    assert '"title":"' not in told


@pytest.mark.parametrize(("resposta", "opened"), [(Lista, False), (Item, False), (Aberta, True)])
def test_a_form_with_names_that_are_not_given_is_told_apart(resposta: type[msgspec.Struct], opened: bool) -> None:
    assert is_open(answer_schema(resposta)) is opened
