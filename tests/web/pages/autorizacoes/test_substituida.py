"""The page of a decision that came by TISS and was replaced leads to what holds."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from guias_tiss import mensagem, procedimento, sadt

CABECA = {"registroANS": "326305", "numeroGuiaPrestador": "X1"}


async def test_a_decision_whose_guia_was_sent_again_leads_to_the_newer_one(
    container: Container,
    scope: Scope,
    politica: dict[str, Any],
    new_person: Callable[..., Awaitable[Usuario]],
    signed_in: Callable[[Scope, str], Awaitable[httpx.AsyncClient]],
) -> None:
    regra = {"regra_id": "R-1", "codigo": "41101014", "cobertura": "COBERTA"}
    feita = {**politica, "administradora_id": "326305", "vigencia_inicio": "2026-01-01", "regras": [regra]}
    await container.politicas.importar(scope, json.dumps(feita).encode(), publicar=True)
    decided = [
        (await container.tiss.decidir(scope, mensagem(sadt(procedimento("41101014", quantidade), cabecalhoSolicitacao=CABECA))))
        .decididas[0]
        .autorizacao
        for quantidade in ("2", "1")
    ]
    assert [one.decisao_final for one in decided] == ["APROVADO", "APROVADO"]
    client = await signed_in(scope, (await new_person(scope, "gestor")).ator)
    older, newer = [(await client.get(f"/autorizacoes/{one.id}")).text for one in decided]
    assert f'<a href="/autorizacoes/{decided[1].id}">a decisão mais nova</a>' in older
    assert "Substituída." not in newer
