"""`crivo autorizacoes concordancia` and `mapeamentos`: what a model made of pedidos, as a person sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

Sample = Callable[[str], Path]

PROPOSTAS = (UUID("0199e7a0-0000-7000-8000-000000000001"), UUID("0199e7a0-0000-7000-8000-000000000002"))


@pytest.fixture
def proposed(ruled: Terminal) -> Terminal:
    """A terminal with two proposals that wait for somebody."""
    with ruled.as_owner() as connection:
        for number, (id_, origem) in enumerate(zip(PROPOSTAS, ("nro_solicitado", "apelido"), strict=True)):
            connection.execute(
                "insert into mapeamentos_propostos (tenant_id, id, administradora_id, origem, destino, modelo, situacao, proposto_em) "
                "values (%s, %s, 'ADM-001', %s, %s, 'falso:um', 'proposto', now())",
                (ruled.tenant_id, id_, origem, ("pedido_id", "plano_id")[number]),
            )
    return ruled


def compared(terminal: Terminal, sample: Sample, *rows: tuple[str, str, bool, str | None]) -> None:
    """A decision that was compared, with these fields."""
    terminal.run("autorizacoes", "decidir", sample("01"))
    (only,) = json.loads(terminal.run("autorizacoes", "listar", "--json").stdout)["itens"]
    with terminal.as_owner() as connection:
        for agente, campo, igual, falha in rows:
            connection.execute(
                "insert into autorizacao_concordancias (tenant_id, autorizacao_id, agente, campo, modelo, igual, falha, created_at) "
                "values (%s, %s, %s, %s, 'falso:um', %s, %s, '2026-11-20T12:00Z')",
                (terminal.tenant_id, only["id"], agente, campo, igual, falha),
            )


def test_nothing_compared_says_how_to_begin(terminal: Terminal) -> None:
    result = terminal.run("autorizacoes", "concordancia")
    assert (result.exit_code, "CRIVO_MODO_AUTORIZACOES=sombra" in result.stdout) == (0, True)


def test_agreement_is_shown_by_agent_and_by_field_with_intervals(ruled: Terminal, sample: Sample) -> None:
    compared(
        ruled,
        sample,
        ("avaliacao", "conforme", True, None),
        ("avaliacao", "motivos", False, None),
        ("consulta", "fonte_regras.documento", False, "demorou"),
        ("sintese", "mensagens.para_beneficiario", False, "numero"),
    )
    shown = ruled.run("autorizacoes", "concordancia").stdout
    assert "50,0 % (9,4 a 90,5; 1/2)" in shown
    assert "demorou demais (1)" in shown
    assert "1 pedido comparado." in shown
    document = json.loads(ruled.run("autorizacoes", "concordancia", "--json").stdout)
    agentes: dict[str, Any] = {one["agente"]: one for one in document["agentes"]}
    assert agentes["avaliacao"]["valores"] == {"acertos": 1, "total": 2, "valor": 0.5, "intervalo": [0.0945, 0.9055]}
    assert agentes["consulta"]["falhas"] == {"demorou": 1}
    assert agentes["sintese"]["textos"]["acertos"] == 0


def test_agreement_from_a_date_on(ruled: Terminal, sample: Sample) -> None:
    compared(ruled, sample, ("avaliacao", "conforme", True, None))
    for desde, pedidos in (("2026-11-20", 1), ("2026-11-21", 0)):
        assert json.loads(ruled.run("autorizacoes", "concordancia", "--desde", desde, "--json").stdout)["pedidos"] == pedidos
    assert ruled.run("autorizacoes", "concordancia", "--desde", "ontem").exit_code == 2


def test_proposals_are_listed_confirmed_and_refused(proposed: Terminal) -> None:
    listed = proposed.run("autorizacoes", "mapeamentos", "listar").stdout
    assert "nro_solicitado" in listed
    assert "espera por você" in listed
    confirmed = proposed.run("autorizacoes", "mapeamentos", "confirmar", str(PROPOSTAS[0]), "--motivo", "conferi")
    assert confirmed.stdout == "✓ confirmado: ADM-001 escreve “nro_solicitado” para pedido_id.\n"
    refused = proposed.run("autorizacoes", "mapeamentos", "recusar", str(PROPOSTAS[1]), "--motivo", "não é", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["situacao"]) == (0, "recusado")
    assert "Nenhuma proposta espera" in proposed.run("autorizacoes", "mapeamentos", "listar").stdout
    assert len(json.loads(proposed.run("autorizacoes", "mapeamentos", "listar", "--todas", "--json").stdout)) == 2
    tabela = json.loads(proposed.run("autorizacoes", "campos", "ADM-001", "--json").stdout)
    assert tabela["campos"] == {"nro_solicitado": "pedido_id"}


def test_a_beginning_of_an_id_must_be_one_proposals_own(proposed: Terminal) -> None:
    several = proposed.run("autorizacoes", "mapeamentos", "confirmar", "0199e7a0", "--motivo", "certo")
    assert (several.exit_code, "mais de uma proposta" in several.stderr) == (1, True)
    none = proposed.run("autorizacoes", "mapeamentos", "recusar", "ffff", "--motivo", "certo")
    assert (none.exit_code, "Não há proposta" in none.stderr) == (1, True)


def test_a_decision_about_a_proposal_needs_its_reason(proposed: Terminal) -> None:
    assert proposed.run("autorizacoes", "mapeamentos", "confirmar", str(PROPOSTAS[0])).exit_code == 2
    blank = proposed.run("autorizacoes", "mapeamentos", "confirmar", str(PROPOSTAS[0]), "--motivo", " ")
    assert (blank.exit_code, "Diga por que" in blank.stderr) == (1, True)
