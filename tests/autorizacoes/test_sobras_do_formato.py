"""What a mapping leaves over is told where it may weigh on the decision, whatever its system calls it, and where all is well it is not."""

from __future__ import annotations

from typing import Any

import pytest

from crivo.autorizacoes.sobras_do_formato import weight_of

TODAY = "2026-11-27"


@pytest.mark.parametrize(
    ("caminho", "valor"),
    [
        ("$.SIT_FIN", "INAD 45D"),
        ("$.guia['@sit']", "9"),
        ("$.subject.coverage.daysPastDue", 75),
        ("$.subject.coverage.endDate", "2026-01-31"),
        ("$.plano.dtExclusao", "31/01/2026"),
        ("$.carteira.validade", "01/31/2026"),
        ("$.order.doNotPerform", True),
        ("$.lineItems[0].unitPrice.currency", "USD"),
        ("$['plan activo']", "0"),
        ("$.ativo", "nao"),
        ("$.active", False),
        ("$.STATUS", "CANCELADO"),
        ("$.coverage.status", "T"),
        ("$.inadimplente", "S"),
        ("$.pedidoCancelado", 1),
        ("$.suspenso_em", "2026-02-01"),
    ],
)
def test_a_name_that_weighs_is_told_by_its_words(caminho: str, valor: Any) -> None:
    assert weight_of(caminho, valor, TODAY) == "campo_nao_lido"


@pytest.mark.parametrize("caminho", ["$.order.note[0].text", "$.guia.Just", "$.observacao", "$.itens[0].clinicalNote"])
def test_a_note_for_whoever_decides_is_told(caminho: str) -> None:
    assert weight_of(caminho, "do not approve without medical audit", TODAY) == "observacao_do_pedido_nao_lida"


@pytest.mark.parametrize(
    ("caminho", "valor"),
    [
        ("$.coverage.status", "A"),
        ("$.coverage.status", "Ativo"),
        ("$.plano.situacao", "Em dia"),
        ("$.SIT_FIN", "ADIMP"),
        ("$.ativo", "S"),
        ("$.active", True),
        ("$.cancelado", "N"),
        ("$.inadimplente", 0),
        ("$.daysPastDue", 0),
        ("$.doNotPerform", False),
        ("$.coverage.endDate", "2027-01-31"),
        ("$.coverage.endDate", "9999-12-31"),
        ("$.moeda", "BRL"),
        ("$.endereco", "Rua 1-2-3"),
        ("$.END", "Rua das Flores, 12"),
        ("$.material.principioAtivo", "paracetamol"),
        ("$.telefone", "11 99999-0000"),
        ("$.anotador", "Marta"),
    ],
)
def test_what_plainly_says_that_all_is_well_is_not_told(caminho: str, valor: Any) -> None:
    assert weight_of(caminho, valor, TODAY) == ""
