"""Editais to begin from: each is a right import, by the schema too, and says what has to be checked."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from jsonschema import Draft202012Validator

from crivo.triagem.chamadas.moldes import moldes
from crivo.triagem.edital import RequisitoDocumento
from crivo.triagem.esquema import esquema


@pytest.mark.parametrize("nome", moldes())
def test_a_template_is_a_right_import(nome: str) -> None:
    raw = json.loads(resources.files("crivo.triagem.chamadas").joinpath("moldes", f"{nome}.json").read_bytes())
    assert [error.message for error in Draft202012Validator(esquema()).iter_errors(raw["chamada"])] == []
    chamada = moldes()[nome].as_chamada()
    assert chamada.projetos == ()
    assert all(criterio.niveis and criterio.peso > 0 for criterio in chamada.criterios)
    assert chamada.edital.categorias
    own = {tipo.id for tipo in chamada.edital.documentos_proprios}
    assert own <= {one.documento for one in chamada.requisitos if isinstance(one, RequisitoDocumento)}  # none that nobody asks for


@pytest.mark.parametrize("nome", moldes())
def test_a_template_says_what_somebody_has_to_check(nome: str) -> None:
    assert any("confira com o seu jurídico" in one for one in moldes()[nome].confira)


def test_every_file_of_a_template_is_offered() -> None:
    folder = resources.files("crivo.triagem.chamadas").joinpath("moldes")
    assert {entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")} == set(moldes())
