"""RF4: each check by itself, and what they make together."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Avaliacao


def avaliacao(um_pedido: dict[str, Any], **fields: Any) -> Avaliacao:
    return decide(um_pedido, regra(**fields)).etapas.avaliacao


def test_procedure_not_covered_is_denied_and_nothing_else_is_checked() -> None:
    """PRD 4.2/1: cobertura NAO_COBERTA."""
    found = avaliacao(pedido(), cobertura="NAO_COBERTA", documentos_obrigatorios=["LAUDO_MEDICO"], carencia_min_dias=9999)
    assert (found.decisao_preliminar, found.conforme, found.motivos) == ("NEGAR", False, ("procedimento_sem_cobertura",))
    assert found.pendencias_documentais == ()
    assert found.restricoes_aplicadas == ()
    assert found.quantidade_aprovavel is None


def test_missing_documents_are_listed_in_the_order_of_the_regra() -> None:
    """PRD 4.2/2: pendência documental."""
    anexos = ["Exame de sangue", {"tipo": "pedido médico"}]
    found = avaliacao(pedido(documentos_anexos=anexos), documentos_obrigatorios=["TERMO", "PEDIDO_MEDICO", "LAUDO_MEDICO"])
    assert found.pendencias_documentais == ("TERMO", "LAUDO_MEDICO")
    assert found.motivos == ("documentacao_pendente",)


@pytest.mark.parametrize(("cumprida", "nao_cumprida"), [(0, True), (179, True), (179.5, True), (180, False), (181, False), (None, True)])
def test_carencia_must_be_served_in_full_and_an_unknown_one_is_not_served(cumprida: float | None, nao_cumprida: bool) -> None:
    """PRD 4.2/3: carência."""
    found = avaliacao(pedido(beneficiario__carencia_cumprida_dias=cumprida), carencia_min_dias=180)
    assert ("carencia_nao_cumprida" in found.motivos) is nao_cumprida
    assert found.restricoes_aplicadas == ("carencia_min_dias=180",)


def test_a_regra_without_carencia_asks_for_none_even_of_an_unknown_one() -> None:
    """PRD 4.2/3: carência."""
    assert avaliacao(pedido(beneficiario__carencia_cumprida_dias=None), carencia_min_dias=0).conforme
    assert avaliacao(pedido(beneficiario__carencia_cumprida_dias=None)).conforme


def test_urgency_has_the_carencia_that_the_regra_states_for_it() -> None:
    """PRD 4.2/3: carência; Lei 9.656 art. 12 V, as the regra says it."""
    urgente = pedido(urgencia="sim", beneficiario__carencia_cumprida_dias=1)
    found = avaliacao(urgente, carencia_min_dias=180, carencia_urgencia_dias=1)
    assert found.conforme
    assert found.restricoes_aplicadas == ("carencia_urgencia_dias=1",)
    assert not avaliacao(urgente, carencia_min_dias=180).conforme


@pytest.mark.parametrize(("idade", "fora"), [(17, True), (18, False), (60, False), (61, True)])
def test_age_bounds_are_inclusive(idade: int, fora: bool) -> None:
    """PRD 4.2/4: idade."""
    found = avaliacao(pedido(beneficiario__idade=idade), restricoes_idade={"min": 18, "max": 60})
    assert ("restricao_idade" in found.motivos) is fora
    assert found.restricoes_aplicadas == ("restricoes_idade.min=18", "restricoes_idade.max=60")


def test_an_unknown_age_is_held_against_nobody() -> None:
    """PRD 4.2/4: "quando conhecida", and 4.2/10: conforme where the age is "dentro do intervalo (ou desconhecida)".

    So the source approves it; that a restriction stands and nobody could check it is an observation in `restricoes_aplicadas`, as the
    source has one for the urgency, and both messages tell it.
    """
    found = avaliacao(pedido(beneficiario__idade=None), restricoes_idade={"min": 18, "max": 60})
    assert found.conforme
    assert found.restricoes_aplicadas == ("idade_desconhecida_restricao_nao_conferida",)


def test_where_no_bound_is_stated_an_unknown_age_leaves_nothing_unchecked() -> None:
    """PRD 4.2/4: idade."""
    assert avaliacao(pedido(beneficiario__idade=None), restricoes_idade={}).restricoes_aplicadas == ()


@pytest.mark.parametrize(("tipo", "fora"), [("CREDENCIADO", False), ("não credenciado", True), (None, True)])
def test_a_network_regra_asks_for_an_accredited_provider_and_says_the_least_change(tipo: str | None, fora: bool) -> None:
    """PRD 4.2/5: rede."""
    found = avaliacao(pedido(prestador__tipo=tipo), restricoes_rede="APENAS_CREDENCIADA")
    assert ("rede_nao_credenciada" in found.motivos) is fora
    assert [(a.campo, a.valor_sugerido) for a in found.ajustes_minimos_requeridos] == ([("prestador.tipo", "CREDENCIADO")] if fora else [])


def test_a_free_network_takes_any_provider() -> None:
    """PRD 4.2/5: rede."""
    assert avaliacao(pedido(prestador__tipo="NÃO_CREDENCIADO"), restricoes_rede="LIVRE").conforme


def test_more_than_the_limit_is_approved_up_to_it() -> None:
    """PRD 4.2/6: quantidade."""
    found = avaliacao(pedido(procedimento__quantidade=3), limite_quantidade=2)
    assert (found.decisao_preliminar, found.conforme, found.quantidade_aprovavel) == ("APROVAR_PARCIAL", True, 2)
    assert found.motivos == ("acima_do_limite_quantitativo",)


def test_the_limit_itself_is_within_the_limit() -> None:
    """PRD 4.2/6: quantidade."""
    found = avaliacao(pedido(procedimento__quantidade=2), limite_quantidade=2)
    assert (found.decisao_preliminar, found.quantidade_aprovavel) == ("APROVAR_TOTAL", 2)


def test_urgency_where_prior_authorisation_is_asked_is_noted_and_flexes_nothing() -> None:
    """PRD 4.2/7: urgência."""
    found = avaliacao(pedido(urgencia=True), autorizacao_previa=True, limite_quantidade=1)
    assert found.restricoes_aplicadas[-1] == "urgencia_exige_prioridade_sem_flexibilizar_regra"
    assert not avaliacao(pedido(urgencia=True, procedimento__quantidade=1), autorizacao_previa=True, documentos_obrigatorios=["X"]).conforme
    assert "urgencia" not in " ".join(avaliacao(pedido(urgencia=True)).restricoes_aplicadas)


@pytest.mark.parametrize("cobertura", ["COBERTA", "NAO_COBERTA", "CONDICIONAL"])
def test_copayment_and_validity_come_from_the_regra_whatever_the_outcome(cobertura: str) -> None:
    """PRD 4.2/8: coparticipação."""
    found = avaliacao(pedido(), cobertura=cobertura, coparticipacao_percentual=12.5, prazo_validade_autorizacao_dias=45)
    assert (found.coparticipacao_percentual, found.prazo_validade_autorizacao_dias) == (12.5, 45)


def test_documents_may_follow_where_the_regra_lets_them() -> None:
    """PRD 4.2/9: autorização condicionada."""
    found = avaliacao(pedido(), documentos_obrigatorios=["LAUDO_MEDICO"], permite_autorizacao_condicionada=True)
    assert (found.conforme, found.decisao_preliminar, found.motivos) == (True, "APROVAR_TOTAL", ())
    assert found.pendencias_documentais == ("LAUDO_MEDICO",)


def test_restrictions_are_checked_whatever_the_cobertura() -> None:
    """PRD 4.2/10: conforme."""
    assert not avaliacao(pedido(), cobertura="COBERTA", documentos_obrigatorios=["LAUDO_MEDICO"]).conforme


def test_several_faults_are_told_in_one_order_and_the_limit_too() -> None:
    """PRD 4.2/10: conforme."""
    todo = pedido(procedimento__quantidade=9, prestador__tipo=None, beneficiario__idade=5, beneficiario__carencia_cumprida_dias=0)
    found = avaliacao(
        todo,
        carencia_min_dias=1,
        restricoes_idade={"min": 18, "max": None},
        restricoes_rede="APENAS_CREDENCIADA",
        limite_quantidade=2,
        documentos_obrigatorios=["LAUDO_MEDICO"],
    )
    assert found.motivos == (
        "carencia_nao_cumprida",
        "restricao_idade",
        "rede_nao_credenciada",
        "acima_do_limite_quantitativo",
        "documentacao_pendente",
    )
    assert (found.decisao_preliminar, found.quantidade_aprovavel) == ("NEGAR", 2)


def test_a_conforming_pedido_is_approved_in_the_quantity_asked() -> None:
    """PRD 4.2/11: quantidade_aprovavel."""
    assert avaliacao(pedido(procedimento__quantidade=7)).quantidade_aprovavel == 7
    assert avaliacao(pedido(procedimento__quantidade=7), documentos_obrigatorios=["X"]).quantidade_aprovavel is None


@pytest.mark.parametrize("documentos", [[], ["LAUDO_MEDICO"]])
def test_the_trigger_is_the_opposite_of_conformity(documentos: list[str]) -> None:
    """PRD 4.2/12: gatilho_pedido_nao_conforme."""
    found = avaliacao(pedido(), documentos_obrigatorios=documentos)
    assert found.gatilho_pedido_nao_conforme is not found.conforme
    assert found.conforme is (documentos == [])


def test_an_invalid_pedido_is_denied_for_its_errors_alone() -> None:
    """PRD 4.2/10: conforme."""
    found = avaliacao(pedido(plano_id="  ", procedimento__quantidade=-1), documentos_obrigatorios=["X"])
    assert found.motivos == ("pedido_invalido", "campo_obrigatorio_ausente:plano_id", "quantidade_invalida")
    assert found.fonte_regras is None


def test_a_pedido_that_no_regra_speaks_of_is_denied_for_that_alone() -> None:
    """PRD 4.2/10: conforme."""
    found = avaliacao(pedido(procedimento__codigo="99999999"))
    assert found.motivos == ("regra_nao_encontrada",)
    assert found.fonte_regras is None


def test_the_source_says_document_version_validity_and_regra() -> None:
    """PRD 4.3.2: fonte_regras."""
    fonte = avaliacao(pedido()).fonte_regras
    assert fonte is not None
    assert (fonte.documento, fonte.versao, fonte.vigencia_inicio, fonte.vigencia_fim, fonte.regra_id) == (
        "Manual de Coberturas",
        "2.0",
        "2026-01-01",
        None,
        "R-1",
    )
