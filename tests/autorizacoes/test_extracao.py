"""The fields of a pedido by their names: a plan for each set of keys, and never a value of another pedido."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crivo.autorizacoes.campos import DESTINOS, TabelaDeCampos, base_table
from crivo.autorizacoes.extracao import Extrator, Found

TABELA = TabelaDeCampos.of(base_table())
PARES: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"pedido_id": "P-1", "canal": "portal"}, {"pedido_id": "P-2", "canal": ["app"]}),
    ({"pedido_id": "P-1"}, {"pedido_id": None}),
    ({"beneficiario": {"id": "B-1"}}, {"beneficiario": None}),
    ({"beneficiario": {"id": "B-1"}}, {"beneficiario": "B-1"}),
    ({"beneficiario": {}, "id": 1}, {"beneficiario": {"id": 1}}),
    ({"beneficiario": {"a": 1, "b": 2}}, {"beneficiario": {"b": 1, "a": 2}}),
    ({"beneficiario": {"id": 1}, "prestador": {}}, {"beneficiario": {}, "prestador": {"id": 1}}),
    ({"canal": {"pedido_id": 1}}, {"canal": 1, "pedido_id": {}}),
    ({"numero_guia": "G-1", "observacoes": "urgente"}, {"numero_guia": None, "observacoes": ""}),
    ({"plano": "OURO", "codigoPlano": "PRATA"}, {"codigoPlano": "OURO", "plano": "PRATA"}),
    ({"quantidade": 1}, {"quantidade": True}),
)


def as_plain(found: Found) -> Any:
    """Every value with its type, so that 1, 1.0 and true are told apart."""
    return msgspec.json.encode(found)


@pytest.mark.parametrize(("um", "outro"), PARES)
def test_what_is_found_in_a_pedido_is_its_own_whatever_was_read_before(um: dict[str, Any], outro: dict[str, Any]) -> None:
    reused = Extrator(TABELA)
    in_turn = [as_plain(reused.find(pedido)) for pedido in (um, outro, um, outro)]
    alone = [as_plain(Extrator(TABELA).find(pedido)) for pedido in (um, outro)]
    assert in_turn == alone * 2
    assert alone[0] != alone[1]


def test_more_sets_of_keys_than_are_remembered_change_nothing() -> None:
    extrator = Extrator(TABELA)
    for number in range(2000):
        found = extrator.find({"pedido_id": number, f"campo_{number}": number})
        assert found.values[DESTINOS.index("pedido_id")] == number
        assert found.extras == {f"campo_{number}": number}
    assert len(extrator.planos) <= 512


@pytest.mark.parametrize("pedido", [{f"campo_{number}": number for number in range(200)}, {"x" * 1000: 1}])
def test_a_pedido_of_unusual_size_is_read_and_its_keys_are_not_kept(pedido: dict[str, Any]) -> None:
    extrator = Extrator(TABELA)
    assert extrator.find(pedido).extras == pedido
    assert not extrator.planos


def test_fields_under_other_names_come_by_destination_and_the_better_name_first() -> None:
    found = Extrator(TABELA).find({"codigo_tuss": "2", "Plano": "P", "procedimento": {"Código": "1"}, "plano_id": None})
    assert [(candidate.origem.chaves, candidate.valor) for candidate in found.candidates] == [
        (("Plano",), "P"),
        (("codigo_tuss",), "2"),
        (("procedimento", "Código"), "1"),
    ]
