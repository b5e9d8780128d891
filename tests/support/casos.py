"""Builders of pedidos and políticas for tests: a good one, and what differs in this case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from crivo.autorizacoes.contracts import PedidoNormalizado, Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.trilha import Trilha

HOJE = date(2026, 11, 20)
CODIGO = "41101014"


def pedido(**changes: Any) -> dict[str, Any]:
    """A pedido in order; `beneficiario__idade=5` changes a field, None takes it out."""
    base: dict[str, Any] = {
        "pedido_id": "P-1",
        "administradora_id": "ADM-1",
        "plano_id": "PRATA",
        "data_pedido": "2026-10-05",
        "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
        "procedimento": {"codigo": CODIGO, "tabela": "TUSS", "quantidade": 1},
        "prestador": {"tipo": "CREDENCIADO"},
        "solicitante": {"tipo": "MEDICO"},
        "documentos_anexos": [],
    }
    for path, value in changes.items():
        *parents, name = path.split("__")
        inner = base
        for parent in parents:
            inner = inner[parent]
        if value is None:
            inner.pop(name, None)
        else:
            inner[name] = value
    return base


def regra(**fields: Any) -> dict[str, Any]:
    """A regra that covers the pedido above and restricts nothing."""
    return {"regra_id": "R-1", "plano_id": "*", "tabela": "*", "codigo": CODIGO, "cobertura": "COBERTA", **fields}


def politica(*regras: dict[str, Any], **fields: Any) -> Politica:
    """A política in force in 2026 with these regras."""
    head = {"administradora_id": "ADM-1", "documento": "Manual de Coberturas", "versao": "2.0", "vigencia_inicio": "2026-01-01"}
    return msgspec.convert({**head, **fields, "regras": list(regras)}, Politica)


def decide(um_pedido: Mapping[str, Any] | bytes, *regras: dict[str, Any], campos: Mapping[str, Mapping[str, str]] | None = None) -> Trilha:
    """The trail of a pedido under these regras, received on 20/11/2026."""
    fluxo = Fluxo(Catalogo.of([politica(*regras)]), campos)
    raw = um_pedido if isinstance(um_pedido, bytes) else json.dumps(um_pedido).encode()
    return fluxo.decide(raw, HOJE)


def as_bruto(pedido: PedidoNormalizado) -> dict[str, Any]:
    """The normalised pedido as a pedido that could be sent again."""
    bruto: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(pedido))
    del bruto["extras"]
    return bruto
