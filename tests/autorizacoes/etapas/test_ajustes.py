"""RF5: each adjustment, and the proof of what they do together."""

from __future__ import annotations

from typing import Any

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Ajuste, Ajustes


def ajustes(um_pedido: dict[str, Any], *regras: dict[str, Any]) -> Ajustes:
    found = decide(um_pedido, *regras).etapas.ajustes
    assert found is not None
    return found


def shapes(found: Ajustes) -> list[tuple[str, str, object, str]]:
    return [(a.acao_tipo, a.campo_alvo, a.valor_sugerido, a.impacto_conformidade) for a in found.ajustes_sugeridos]


def only(found: Ajustes) -> Ajuste:
    (one,) = found.ajustes_sugeridos
    return one


def test_each_missing_document_is_to_be_attached() -> None:
    """PRD 5.2/1: ANEXAR_DOCUMENTO."""
    found = ajustes(pedido(), regra(documentos_obrigatorios=["LAUDO_MEDICO", "EXAME_X"]))
    assert shapes(found) == [
        ("ANEXAR_DOCUMENTO", "documentos_anexos", "LAUDO_MEDICO", "RESOLVE_TOTAL"),
        ("ANEXAR_DOCUMENTO", "documentos_anexos", "EXAME_X", "RESOLVE_TOTAL"),
    ]
    assert "laudo médico" in found.ajustes_sugeridos[0].justificativa


def test_a_provider_out_of_the_network_is_to_be_changed() -> None:
    """PRD 5.2/2: ALTERAR_PRESTADOR."""
    found = ajustes(pedido(prestador__tipo="não credenciado"), regra(restricoes_rede="APENAS_CREDENCIADA"))
    assert shapes(found) == [("ALTERAR_PRESTADOR", "prestador.tipo", "CREDENCIADO", "RESOLVE_TOTAL")]


def test_a_quantity_over_the_limit_is_to_be_reduced_to_it() -> None:
    """PRD 5.2/3: REDUZIR_QUANTIDADE."""
    found = ajustes(pedido(procedimento__quantidade=5), regra(limite_quantidade=2, documentos_obrigatorios=["X"]))
    assert shapes(found)[1] == ("REDUZIR_QUANTIDADE", "procedimento.quantidade", 2, "RESOLVE_TOTAL")
    assert "até 2 unidades e foram pedidas 5" in found.ajustes_sugeridos[1].justificativa


def test_a_covered_alternative_is_offered_and_an_uncovered_one_is_passed_over() -> None:
    """PRD 5.2/4: AJUSTAR_CODIGO."""
    alternativas = [{"codigo": "111"}, {"codigo": "222"}, {"codigo": "333", "descricao": "Exame simples"}]
    found = ajustes(
        pedido(),
        regra(cobertura="NAO_COBERTA", alternativas=alternativas),
        regra(regra_id="R-2", codigo="222", cobertura="NAO_COBERTA"),
        regra(regra_id="R-3", codigo="333"),
    )
    assert shapes(found) == [("AJUSTAR_CODIGO", "procedimento.codigo", "333", "RESOLVE_TOTAL")]
    assert found.resumo_efeito.startswith("Aprovação total:")


def test_without_a_covered_alternative_there_is_nothing_to_suggest() -> None:
    """PRD 5.2/4: AJUSTAR_CODIGO."""
    found = ajustes(pedido(), regra(cobertura="NAO_COBERTA", alternativas=[{"codigo": "111"}]))
    assert found.ajustes_sugeridos == ()
    assert found.resumo_efeito == "Sem aprovação: nenhuma mudança no pedido leva à aprovação."


def test_days_of_carencia_left_are_what_is_required_less_what_was_served() -> None:
    """PRD 5.2/5: AGUARDAR_CARENCIA."""
    cumprida = ajustes(pedido(beneficiario__carencia_cumprida_dias=179.5), regra(carencia_min_dias=180))
    assert only(cumprida).valor_sugerido == 1
    assert "falta 1" in only(cumprida).justificativa
    desconhecida = ajustes(pedido(beneficiario__carencia_cumprida_dias=None), regra(carencia_min_dias=180))
    assert shapes(desconhecida) == [("AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", 180, "RESOLVE_TOTAL")]


def test_an_exception_for_age_is_passed_on_as_the_regra_words_it() -> None:
    """PRD 5.2/6: OUTRO com instrução clara."""
    excecoes = [{"motivo": "outra_coisa", "instrucao": "não"}, {"motivo": "restricao_idade", "instrucao": "Encaminhar para auditoria."}]
    found = ajustes(pedido(beneficiario__idade=5), regra(restricoes_idade={"min": 18}, excecoes=excecoes))
    assert shapes(found) == [("OUTRO", "beneficiario.idade", None, "RESOLVE_PARCIAL")]
    assert only(found).justificativa == "Encaminhar para auditoria."


def test_an_age_limit_without_exception_cannot_be_adjusted_to() -> None:
    """PRD 5.2/6: restricao_idade."""
    found = ajustes(pedido(beneficiario__idade=5), regra(restricoes_idade={"min": 18}))
    assert shapes(found) == [("ADEQUAR_FAIXA_ETARIA", "beneficiario.idade", None, "NAO_RESOLVE")]
    assert "a partir de 18 anos" in only(found).justificativa


def test_a_pedido_without_regra_goes_to_a_person() -> None:
    """PRD 5.2/7: resumo_efeito."""
    found = ajustes(pedido(procedimento__codigo="9"), regra())
    assert shapes(found) == [("OUTRO", "regra", None, "RESOLVE_PARCIAL")]
    assert found.resumo_efeito.startswith("Sem aprovação:")


def test_each_blocking_error_says_what_to_send() -> None:
    """PRD 5.2/7: resumo_efeito."""
    blocked = pedido(plano_id="", procedimento__quantidade="x", data_pedido="99/99/9999", data_prevista="?", urgencia="talvez")
    found = ajustes(blocked, regra())
    campos = {a.campo_alvo for a in found.ajustes_sugeridos}
    assert campos == {"plano_id", "data_pedido", "data_prevista", "procedimento.quantidade", "urgencia"}
    assert {a.impacto_conformidade for a in found.ajustes_sugeridos} == {"RESOLVE_TOTAL"}
    assert all(a.justificativa.endswith(".") for a in found.ajustes_sugeridos)


def test_the_effect_is_total_when_re_evaluation_approves_everything() -> None:
    """PRD 5.2/7: resumo_efeito."""
    found = ajustes(
        pedido(procedimento__quantidade=2, prestador__tipo=None),
        regra(limite_quantidade=2, restricoes_rede="APENAS_CREDENCIADA", documentos_obrigatorios=["LAUDO_MEDICO"]),
    )
    assert found.resumo_efeito == (
        "Aprovação total: com os 2 ajustes sugeridos, o pedido cumpre a regra e pode ser aprovado por inteiro (2 unidades)."
    )


def test_the_effect_is_partial_when_less_than_was_asked_can_be_approved() -> None:
    """PRD 5.2/7: nine asked and four possible is an approval in part, and both numbers are told."""
    found = ajustes(
        pedido(procedimento__quantidade=9, prestador__tipo=None), regra(limite_quantidade=4, restricoes_rede="APENAS_CREDENCIADA")
    )
    assert found.resumo_efeito == (
        "Aprovação parcial: com os 2 ajustes sugeridos, o pedido cumpre a regra até o limite de quantidade (4 de 9)."
    )


def test_the_effect_is_partial_when_the_alternative_has_a_limit_of_its_own() -> None:
    """PRD 5.2/7: resumo_efeito."""
    found = ajustes(
        pedido(procedimento__quantidade=4),
        regra(cobertura="NAO_COBERTA", alternativas=[{"codigo": "333"}]),
        regra(regra_id="R-3", codigo="333", limite_quantidade=1),
    )
    assert found.resumo_efeito == "Aprovação parcial: com o ajuste sugerido, o pedido cumpre a regra até o limite de quantidade (1 de 4)."


def test_the_effect_is_none_when_the_alternative_asks_for_more() -> None:
    """PRD 5.2/7: resumo_efeito."""
    found = ajustes(
        pedido(),
        regra(cobertura="NAO_COBERTA", alternativas=[{"codigo": "333"}]),
        regra(regra_id="R-3", codigo="333", documentos_obrigatorios=["TERMO"]),
    )
    assert found.resumo_efeito == (
        "Sem aprovação: o ajuste sugerido é necessário, mas não basta; ainda ficaria por resolver: documentos a anexar (termo)."
    )


def test_a_conforming_pedido_is_not_adjusted() -> None:
    """PRD 5.3.1: acionado caso o pedido não esteja conforme."""
    trilha = decide(pedido(procedimento__quantidade=5), regra(limite_quantidade=2))
    assert trilha.etapas.ajustes is None
    assert trilha.etapas.avaliacao.gatilho_pedido_nao_conforme is False
