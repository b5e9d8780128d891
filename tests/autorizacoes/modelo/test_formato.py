"""A whole mapping proposed by a model: no value leaves, what comes back is checked, and a model that fails stops nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from crivo.autorizacoes.mapeamento.montagem import begin
from crivo.autorizacoes.modelo.formato import PropostasDeFormato, lugares_of
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from modelo_falso import ModeloFalso

SEGREDO = "Ana Maria de Souza"
DELES: dict[str, Any] = {
    "xpto": {"nrs": "ZZ-991", "quem": SEGREDO, "k77": "000123", "12345678901": "x"},
    "linhas": [{"oque": "4.11.01.01-4", "qt": 3}],
}


@pytest.fixture
def gestora() -> Scope:
    return Scope("t-formato", "gestora", Pessoa("t-formato", uuid4(), "gestor"))


def answering(*pares: tuple[str, str]) -> ModeloFalso:
    return ModeloFalso(lambda _: {"correspondencias": [{"caminho": caminho, "destino": destino} for caminho, destino in pares]})


async def test_names_and_shapes_go_out_and_no_value(gestora: Scope) -> None:
    modelo = answering()
    await PropostasDeFormato(modelo).propor(gestora, begin(), DELES)
    (pergunta,) = modelo.perguntas
    asked = "\n".join([um if isinstance(um, str) else um.texto for um in pergunta.partes])
    assert "$.xpto.nrs" in asked
    assert not any(um in asked for um in (SEGREDO, "ZZ-991", "000123", "4.11.01.01-4", "12345678901"))
    assert mask_cpfs(asked) == asked


async def test_only_what_was_shown_and_is_missing_is_proposed_each_once(gestora: Scope) -> None:
    modelo = answering(
        ("$.xpto.nrs", "pedido_id"),
        ("$.xpto.k77", "pedido_id"),
        ("$.nao.existe", "plano_id"),
        ("$.xpto.quem", "administradora_id"),
        ("$.xpto.k77", "beneficiario.id"),
    )
    proposto = await PropostasDeFormato(modelo).propor(gestora, begin(), DELES)
    by_model = {(um.destino, um.caminho) for um in proposto.montagem.palpites if um.autor == "falso:um"}
    assert by_model == {("pedido_id", "$.xpto.nrs"), ("beneficiario.id", "$.xpto.k77")}
    assert proposto.pelo_modelo == 2
    assert "pedido_id" not in proposto.montagem.documento.campos  # a person says so


async def test_a_model_that_is_down_leaves_what_code_found(gestora: Scope) -> None:
    proposto = await PropostasDeFormato(ModeloFalso(lambda _: "fora_do_ar")).propor(gestora, begin(), DELES)
    assert "não respondeu" in proposto.falha
    assert any(um.destino == "procedimento.codigo" for um in proposto.montagem.palpites)
    assert (await PropostasDeFormato(None).propor(gestora, begin(), DELES)).falha == ""


def test_places_are_bounded() -> None:
    assert len(lugares_of({f"campo{chr(97 + at // 26)}{chr(97 + at % 26)}": at for at in range(500)})) == 120
