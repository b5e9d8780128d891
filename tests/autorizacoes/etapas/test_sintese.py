"""RF6: the final decision, its terms, and the register."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Decisao


def sintese(um_pedido: dict[str, Any], *regras: dict[str, Any]) -> Decisao:
    return decide(um_pedido, *(regras or (regra(),))).etapas.sintese


def test_a_conforming_pedido_is_approved() -> None:
    """PRD 6.2/1: APROVADO."""
    found = sintese(pedido(procedimento__quantidade=2))
    assert (found.decisao_final, found.detalhe_decisao.quantidade_aprovada) == ("APROVADO", 2)


def test_a_conforming_pedido_over_the_limit_is_approved_in_part() -> None:
    """PRD 6.2/2: APROVADO_PARCIAL."""
    found = sintese(pedido(procedimento__quantidade=5), regra(limite_quantidade=3))
    assert (found.decisao_final, found.detalhe_decisao.quantidade_aprovada) == ("APROVADO_PARCIAL", 3)


def test_a_pedido_that_can_be_mended_is_pending_and_says_on_what() -> None:
    """PRD 6.2/3: PENDENTE_AJUSTES."""
    found = sintese(
        pedido(prestador__tipo=None, beneficiario__carencia_cumprida_dias=179, beneficiario__idade=3),
        regra(documentos_obrigatorios=["X_Y"], restricoes_rede="APENAS_CREDENCIADA", carencia_min_dias=180, restricoes_idade={"min": 18}),
    )
    assert found.decisao_final == "PENDENTE_AJUSTES"
    assert found.detalhe_decisao.quantidade_aprovada is None
    assert found.detalhe_decisao.condicionantes == (
        "Anexar o documento X_Y",
        "Alterar o prestador para CREDENCIADO",
        "Aguardar mais 1 dia de carência",
    )


def test_a_pedido_that_nothing_can_mend_is_denied() -> None:
    """PRD 6.2/4: NEGADO."""
    found = sintese(pedido(beneficiario__idade=3), regra(restricoes_idade={"min": 18}))
    assert (found.decisao_final, found.detalhe_decisao.condicionantes) == ("NEGADO", ())
    assert sintese(pedido(), regra(cobertura="NAO_COBERTA")).decisao_final == "NEGADO"


def test_want_of_a_regra_is_never_a_denial() -> None:
    """PRD 6.2/4: NEGADO."""
    assert sintese(pedido(procedimento__codigo="0")).decisao_final == "PENDENTE_AJUSTES"


@pytest.mark.parametrize("cobertura", ["COBERTA", "NAO_COBERTA"])
def test_copayment_and_validity_are_always_told(cobertura: str) -> None:
    """PRD 6.2/5: coparticipação e prazo."""
    found = sintese(pedido(), regra(cobertura=cobertura, coparticipacao_percentual=20, prazo_validade_autorizacao_dias=30))
    assert (found.detalhe_decisao.coparticipacao_percentual, found.detalhe_decisao.prazo_validade_autorizacao_dias) == (20, 30)


def test_the_register_repeats_status_motivos_and_source() -> None:
    """PRD 6.2/7: artefato_registro."""
    found = sintese(pedido(), regra(documentos_obrigatorios=["X"]))
    assert (found.artefato_registro.status, found.artefato_registro.motivos) == ("PENDENTE_AJUSTES", ("documentacao_pendente",))
    assert found.artefato_registro.fonte_regras is not None
    assert found.artefato_registro.fonte_regras.versao == "2.0"


def test_an_approval_conditioned_on_documents_lists_them() -> None:
    """PRD 6.2/3: condicionantes."""
    found = sintese(pedido(), regra(documentos_obrigatorios=["LAUDO_MEDICO"], permite_autorizacao_condicionada=True))
    assert found.decisao_final == "APROVADO"
    assert found.detalhe_decisao.condicionantes == ("Apresentar o documento LAUDO_MEDICO",)


def test_an_empty_object_ends_in_a_decision_too() -> None:
    """PRD 6.3.2: o RF6 é o entregável final."""
    found = sintese({})
    assert (found.pedido_id, found.decisao_final) == (None, "PENDENTE_AJUSTES")
    assert len(found.detalhe_decisao.condicionantes) == 6


def test_the_document_has_the_shape_of_the_source() -> None:
    """PRD 6.3.2: formato de output."""
    document = msgspec.json.decode(decide(pedido(), regra()).decisao())
    assert list(document) == ["pedido_id", "decisao_final", "detalhe_decisao", "mensagens", "artefato_registro"]
    assert list(document["detalhe_decisao"]) == [
        "quantidade_aprovada",
        "coparticipacao_percentual",
        "prazo_validade_autorizacao_dias",
        "condicionantes",
    ]
    assert list(document["mensagens"]) == ["para_solicitante", "para_beneficiario"]
    assert list(document["artefato_registro"]) == ["status", "motivos", "fonte_regras"]
