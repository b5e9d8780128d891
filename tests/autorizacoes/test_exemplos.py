"""The worked cases that came with the design, decided by the product."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casos import HOJE
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo

FILE = Path(__file__).parents[3] / "shared/data/autorizacoes/exemplos.json"
EXAMPLES: dict[str, Any] = json.loads(FILE.read_bytes()) if FILE.exists() else {"casos": [], "politicas": []}


@pytest.mark.parametrize("caso", EXAMPLES["casos"], ids=[caso["caso"] for caso in EXAMPLES["casos"]])
def test_a_worked_case_comes_out_as_it_was_worked_out(caso: dict[str, Any]) -> None:
    """PRD 4: visão geral da solução."""
    fluxo = Fluxo(Catalogo.of([msgspec.convert(one, Politica) for one in EXAMPLES["politicas"]]))
    trilha = json.loads(fluxo.decide(json.dumps(caso["pedido"]).encode(), HOJE).encode())["etapas"]
    avaliacao, sintese, fonte = trilha["avaliacao"], trilha["sintese"], trilha["avaliacao"]["fonte_regras"] or {}
    sugeridos = trilha["ajustes"]["ajustes_sugeridos"] if trilha["ajustes"] else []
    found = {
        **avaliacao,
        "decisao_final": sintese["decisao_final"],
        "quantidade_aprovada": sintese["detalhe_decisao"]["quantidade_aprovada"],
        "ajustes": [{name: ajuste[name] for name in ("acao_tipo", "valor_sugerido", "impacto_conformidade")} for ajuste in sugeridos],
        "regra_id": fonte.get("regra_id"),
        "versao": fonte.get("versao"),
    }
    assert {name: found[name] for name in caso["esperado"]} == caso["esperado"]
