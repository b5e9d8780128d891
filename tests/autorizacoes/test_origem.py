"""By which door a pedido came is told in a few words, and nothing a pedido could hold there makes that fail."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from claims import bundle, claim, item
from crivo.autorizacoes.fhir.leitura import read_claim
from crivo.autorizacoes.fhir.pedidos import pedidos_of as of_claim
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.origem import porta_of, stands_alone
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.tiss.leitura import read_mensagem
from crivo.autorizacoes.tiss.pedidos import Complemento
from crivo.autorizacoes.tiss.pedidos import pedidos_of as of_guia
from crivo.autorizacoes.tiss.xml import Esquema
from guias_tiss import mensagem, sadt


def told(pedido: bytes) -> str:
    return porta_of(Fluxo(Catalogo.of([])).decide(pedido, date(2026, 11, 20)).etapas.normalizacao.pedido_normalizado)


def test_a_pedido_tells_the_door_that_it_came_by() -> None:
    guia, procedimentos, _ = read_mensagem(mensagem(sadt()), Esquema(None))
    assert told(of_guia(guia, procedimentos, "m", Complemento(), None)[0].pedido) == "guia TISS, item único"
    assert told(of_claim(read_claim(bundle(claim(item(), item("10000002", 2)))), "m", None)[1].pedido) == "Claim FHIR, item 2 de 2"


@pytest.mark.parametrize("extra", [{}, {"tiss": 1}, {"tiss": {}}, {"fhir": {"item": "1", "itens": 1}}, {"tiss": [1]}])
def test_a_pedido_in_json_came_by_none_of_them(extra: dict[str, Any]) -> None:
    assert told(json.dumps(extra).encode()) == ""


def test_only_what_is_no_item_of_several_is_answered_for_alone() -> None:
    def alone(pedido: bytes) -> bool:
        return stands_alone(Fluxo(Catalogo.of([])).decide(pedido, date(2026, 11, 20)).etapas.normalizacao.pedido_normalizado)

    guia, procedimentos, _ = read_mensagem(mensagem(sadt()), Esquema(None))
    assert alone(of_guia(guia, procedimentos, "m", Complemento(), None)[0].pedido)
    assert not alone(of_claim(read_claim(bundle(claim(item(), item("10000002", 2)))), "m", None)[1].pedido)
    assert alone(b"{}")
