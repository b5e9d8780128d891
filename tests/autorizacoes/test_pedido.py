"""The published schema of a pedido says what is taken, and nothing that is refused fits it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes import amostra
from crivo.autorizacoes.campos import DESTINOS
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.pedido import esquema_do_pedido

VALIDADOR = jsonschema.Draft202012Validator(esquema_do_pedido())


def faults(um_pedido: object) -> list[str]:
    return [fault.message for fault in VALIDADOR.iter_errors(um_pedido)]


def test_it_is_a_schema_of_the_draft_that_it_names() -> None:
    """A misspelt keyword of a schema forbids nothing, and no pedido would show it."""
    draft = jsonschema.Draft202012Validator
    assert esquema_do_pedido()["$schema"] == draft.META_SCHEMA["$id"]
    assert [fault.message for fault in draft(draft.META_SCHEMA).iter_errors(esquema_do_pedido())] == []
    assert [*draft(draft.META_SCHEMA).iter_errors({**esquema_do_pedido(), "required": "pedido_id"})] != []


def test_every_sample_pedido_fits_it() -> None:
    pedidos = amostra.pedidos()
    assert len(pedidos) >= 79
    assert {arquivo.nome: found for arquivo in pedidos if (found := faults(json.loads(arquivo.conteudo)))} == {}


def test_it_names_every_field_that_the_rules_read() -> None:
    defs = esquema_do_pedido()["$defs"]
    named = set()
    for nome, campo in defs["Pedido"]["properties"].items():
        inner = [ref["$ref"].rpartition("/")[2] for ref in campo.get("anyOf", ()) if "$ref" in ref]
        named |= {f"{nome}.{um}" for um in defs[inner[0]]["properties"]} if inner else {nome}
    assert named == set(DESTINOS)


def test_every_field_is_told_in_words_and_every_example_is_read() -> None:
    defs = esquema_do_pedido()["$defs"]
    campos = {
        f"{nome}.{campo}": dito
        for nome, um in defs.items()
        for campo, dito in um["properties"].items()
        if "anyOf" not in str(dito.get("$ref"))
    }
    assert [campo for campo, dito in campos.items() if "title" not in dito and "$ref" not in str(dito)] == []
    for campo, dito in campos.items():
        grupo, _, nome = campo.partition(".")
        lugar = "" if grupo == "Pedido" else f"{grupo.removesuffix('Enviado').lower()}__"
        for exemplo in dito.get("examples", ()) if grupo != "DocumentoEnviado" else ():
            alertas = decide(pedido(**{f"{lugar}{nome}": exemplo}), regra()).etapas.normalizacao.alertas
            assert not [um for um in alertas if um.startswith("valor_fora") or um.endswith("invalida")], (campo, exemplo)


@pytest.mark.parametrize(
    "mudanca",
    [
        {"pedido_id": ["x"]},
        {"beneficiario": "B-1"},
        {"procedimento__codigo": True},
        {"documentos_anexos": "laudo"},
        {"documentos_anexos": [{"nome": "x"}]},
    ],
)
def test_what_is_refused_does_not_fit_it(mudanca: dict[str, Any]) -> None:
    um_pedido = pedido(**mudanca)
    assert faults(um_pedido) != []
    with pytest.raises(PedidoIlegivel):
        decide(um_pedido, regra())
