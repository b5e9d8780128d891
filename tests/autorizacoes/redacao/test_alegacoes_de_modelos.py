"""What capable models were seen to write that no decision bears out, and what they wrote honestly and was held back: by kind, not word."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.modelo.textos import decidido_of
from crivo.autorizacoes.redacao import Campo, Decidido, conferir

LAUDO = {"documentos_obrigatorios": ["LAUDO_MEDICO"]}


def decided(changes: dict[str, Any], **fields: Any) -> Decidido:
    return decidido_of(decide(pedido(procedimento__descricao="Sessão de fisioterapia", **changes), regra(**fields)).etapas)


APROVADO = decided({}, restricoes_rede="APENAS_CREDENCIADA", prazo_validade_autorizacao_dias=30)
PARCIAL = decided({"procedimento__quantidade": 16}, limite_quantidade=10)
FALTA_LAUDO = decided({}, **LAUDO)
ESPERA = decided({"beneficiario__carencia_cumprida_dias": 22}, carencia_min_dias=60)
NEGADO = decided({}, cobertura="NAO_COBERTA")
EXCECAO = {"motivo": "restricao_idade", "instrucao": "Enviar à auditoria clínica o parecer de dois especialistas."}
IDADE_E_LAUDO = decided({}, restricoes_idade={"min": 1, "max": 12}, excecoes=[EXCECAO], **LAUDO)


def porques(texto: str, decidido: Decidido, campo: Campo = "para_beneficiario") -> set[str]:
    return {achado.porque for achado in conferir(texto, campo, decidido).achados}


@pytest.mark.parametrize(
    ("frase", "decidido", "porque"),
    [
        ("As outras 6 ficam guardadas.", PARCIAL, "diz guardado o que não foi aprovado"),
        ("Se não conseguir o laudo, as sessões valem do mesmo jeito.", FALTA_LAUDO, "desfaz uma exigência da decisão"),
        ("Se o seu médico escrever que é urgente, a sessão sai na hora.", ESPERA, "dá um prazo que não está nos dados da decisão"),
        ("A análise costuma levar poucos dias.", FALTA_LAUDO, "dá um prazo que não está nos dados da decisão"),
        ("Falta o laudo médico porque o seu médico se descuidou.", FALTA_LAUDO, "põe a culpa em alguém"),
        ("Por falha do hospital, o laudo médico não veio.", FALTA_LAUDO, "põe a culpa em alguém"),
        ("Não adianta insistir.", NEGADO, "elogia ou julga alguém"),
        ("Por causa do seu câncer, o caso pede cuidado.", FALTA_LAUDO, "fala da doença de quem vai ser atendido"),
        ("A fisioterapia pode esperar sem risco para a sua saúde.", ESPERA, "dá um conselho de saúde"),
        ("Já avisamos o hospital.", APROVADO, "conta um ato que não está nos dados da decisão"),
        ("Quando o prazo terminar, avisaremos você.", ESPERA, "conta um ato que não está nos dados da decisão"),
        ("Marque pelo WhatsApp.", APROVADO, "indica um canal que não está nos dados da decisão"),
        ("Você pode ir a qualquer clínica.", APROVADO, "esta exigência continua a valer"),
        ("O pedido ficou em espera.", NEGADO, "amacia uma negativa"),
        ("É uma decisão definitiva.", FALTA_LAUDO, "dá por definitivo o que ainda tem saída"),
        ("O laudo precisa ter firma reconhecida.", FALTA_LAUDO, "pede mais do que a regra pede"),
    ],
)
def test_a_claim_that_needs_a_fact_is_held_where_there_is_none(frase: str, decidido: Decidido, porque: str) -> None:
    assert porque in porques(frase, decidido)


def test_the_documents_of_an_exception_are_as_many_as_the_regra_says() -> None:
    told = "A regra pede o parecer de {} à auditoria clínica."
    assert "este número não está nos dados da decisão" in porques(told.format("um especialista"), IDADE_E_LAUDO, "justificativa")
    assert porques(told.format("dois especialistas"), IDADE_E_LAUDO, "justificativa") == set()


def test_a_message_that_goes_on_as_if_one_change_were_enough_hides_the_rule_that_stays() -> None:
    told = "Sua sessão de fisioterapia ainda não foi aprovada: falta o laudo médico, e a idade está fora da faixa. Assim que o laudo chegar, {}."
    hidden = "esconde que outra regra continua sem ser cumprida"
    assert hidden in porques(told.format("analisamos o pedido de novo"), IDADE_E_LAUDO)
    assert hidden not in porques(told.format("analisamos o pedido de novo, mas a questão da idade continua"), IDADE_E_LAUDO)


def test_fields_to_correct_are_told_all_or_in_general() -> None:
    invalido = decided({"beneficiario__id": None, "procedimento__quantidade": 0})
    told = "O pedido de fisioterapia não pôde ser avaliado: corrija procedimento.quantidade{} e envie de novo."
    missing = "deixa de fora um dos ajustes de que o pedido precisa"
    assert missing in porques(told.format(""), invalido, "para_solicitante")
    assert missing not in porques(told.format(" e beneficiario.id"), invalido, "para_solicitante")


@pytest.mark.parametrize(
    ("texto", "decidido", "campo"),
    [
        ("O prestador está fora da rede, e a regra só aceita prestador credenciado.", FALTA_LAUDO, "justificativa"),
        ("Com o LAUDO_MEDICO anexado, o pedido passa por inteiro. Não há outra pendência além dessa.", FALTA_LAUDO, "resumo_efeito"),
        ("O LAUDO_MEDICO consta como recusado. Anexe outro que possa ser aceito.", FALTA_LAUDO, "justificativa"),
        ("Sem coparticipação prevista na regra.", APROVADO, "justificativa"),
    ],
)
def test_what_is_so_may_be_said(texto: str, decidido: Decidido, campo: Campo) -> None:
    held = porques(texto, decidido, campo) - {"este não é um motivo da decisão"}
    assert held == set()


def test_what_the_regra_says_of_itself_may_be_cited() -> None:
    told = "A exclusão segue a Lei 9.656, art. 10, II, como diz a regra do Manual de Coberturas, versão 2.0: fisioterapia sem cobertura."
    fora = "esta fonte não é a da decisão"
    assert fora in porques(told, NEGADO, "justificativa")
    assert fora not in porques(
        told, decided({}, cobertura="NAO_COBERTA", observacoes="Exclusão (Lei 9.656, art. 10, II)."), "justificativa"
    )


def test_the_days_of_urgency_may_be_told() -> None:
    told = "A carência de urgência, de 1 dia, não vale aqui, e faltam 38 dias dos 60."
    urgencia = decided({"beneficiario__carencia_cumprida_dias": 22}, carencia_min_dias=60, carencia_urgencia_dias=1)
    assert "este número não está nos dados da decisão" in porques(told, ESPERA, "justificativa")
    assert "este número não está nos dados da decisão" not in porques(told, urgencia, "justificativa")
