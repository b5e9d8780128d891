"""The two messages of a decision: one to act on, one to understand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from casos import CODIGO, decide, pedido, regra
from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.etapas.mensagens.beneficiario import Falta, falta_de

RESSONANCIA = "Ressonância magnética do crânio"


def mensagens(um_pedido: dict[str, Any], **fields: Any) -> Mensagens:
    return decide(um_pedido, regra(**fields)).etapas.sintese.mensagens


OUTCOMES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "approved": ({}, {}),
    "approved with documents to follow": ({}, {"documentos_obrigatorios": ["LAUDO_MEDICO"], "permite_autorizacao_condicionada": True}),
    "approved in part": ({"procedimento__quantidade": 4}, {"limite_quantidade": 2}),
    "documents missing": ({}, {"documentos_obrigatorios": ["LAUDO_MEDICO", "FOTO_3X4"]}),
    "waiting period": ({"beneficiario__carencia_cumprida_dias": 179}, {"carencia_min_dias": 180}),
    "waiting period unknown": ({"beneficiario__carencia_cumprida_dias": None}, {"carencia_min_dias": 180}),
    "network": ({"prestador__tipo": "NÃO_CREDENCIADO"}, {"restricoes_rede": "APENAS_CREDENCIADA"}),
    "age": ({"beneficiario__idade": 4}, {"restricoes_idade": {"min": 18, "max": 60}}),
    "not covered": ({}, {"cobertura": "NAO_COBERTA"}),
    "no regra": ({"procedimento__codigo": "99"}, {}),
    "invalid": ({"plano_id": ""}, {}),
}
every_outcome = pytest.mark.parametrize("outcome", OUTCOMES)


def written(outcome: str) -> Mensagens:
    changes, fields = OUTCOMES[outcome]
    return mensagens(pedido(procedimento__descricao=RESSONANCIA, **changes), **fields)


@every_outcome
def test_the_solicitante_reads_number_code_and_source(outcome: str) -> None:
    """PRD 6.2/6: para_solicitante com detalhes técnicos."""
    text = written(outcome).para_solicitante
    assert text.startswith("Pedido P-1: ")
    assert f"procedimento {'99' if outcome == 'no regra' else CODIGO}" in text
    assert "Fonte: " in text


@every_outcome
def test_the_beneficiario_reads_no_code_and_no_jargon(outcome: str) -> None:
    """PRD 6.2/6: para_beneficiario em linguagem acessível."""
    text = written(outcome).para_beneficiario
    assert CODIGO not in text
    assert re.search(r"[A-Z]{2,}_[A-Z]|_", text) is None
    jargon = ("coparticipação", "carência", "credenciad", "TUSS", "conforme", "elegib", "glosa", "auditoria")
    assert [word for word in jargon if word in text.lower()] == []


@every_outcome
def test_the_two_messages_are_two_texts(outcome: str) -> None:
    """PRD 6.2/6: mensagens em linguagem clara."""
    both = written(outcome)
    technical, plain = set(re.split(r"(?<=[.!?])\s+", both.para_solicitante)), set(re.split(r"(?<=[.!?])\s+", both.para_beneficiario))
    assert technical & plain == set()


@every_outcome
def test_the_messages_are_well_formed_portuguese(outcome: str) -> None:
    """PRD 6.2/6: mensagens em linguagem clara."""
    for text in (written(outcome).para_solicitante, written(outcome).para_beneficiario):
        assert text.endswith(".")
        assert re.search(r"  | \.| ,|\.\.|None|\b1 (dias|unidades|anos)\b|\d{4}-\d{2}-\d{2}", text) is None


@pytest.mark.parametrize("outcome", ["not covered", "age"])
def test_a_denial_gives_its_reason_and_its_source_in_both(outcome: str) -> None:
    """PRD 6.2/6: mensagens em linguagem clara."""
    both = written(outcome)
    for text in (both.para_solicitante, both.para_beneficiario):
        assert "Manual de Coberturas" in text
        assert "versão 2.0" in text
    reason = {"not covered": "não cobre este procedimento", "age": "de 18 a 60 anos"}[outcome]
    assert reason in both.para_beneficiario


def test_the_procedure_is_named_in_the_middle_of_a_sentence() -> None:
    """PRD 6.2/6: para_beneficiario em linguagem acessível."""
    assert "seu pedido de ressonância magnética do crânio foi aprovado" in written("approved").para_beneficiario.lower()


@pytest.mark.parametrize("descricao", ["RM 41101014", "RM_CRANIO", "<script>alert(1)</script>", "x" * 200, None])
def test_a_name_unfit_for_everybody_is_left_out(descricao: str | None) -> None:
    """PRD 6.2/6: para_beneficiario sem jargão."""
    text = mensagens(pedido(procedimento__descricao=descricao)).para_beneficiario
    assert text.startswith("Boa notícia! Seu pedido de autorização foi aprovado.")


def test_documents_are_called_by_their_names_and_explained() -> None:
    """PRD 6.2/6: para_beneficiario em linguagem acessível."""
    text = written("documents missing").para_beneficiario
    assert "o laudo médico (" in text
    assert "o documento “foto 3x4”" in text


def test_days_left_are_told_in_agreement() -> None:
    """PRD 6.2/6: mensagens em linguagem clara."""
    assert "falta 1 dia para você completar" in written("waiting period").para_beneficiario
    two = mensagens(pedido(beneficiario__carencia_cumprida_dias=178), carencia_min_dias=180).para_beneficiario
    assert "faltam 2 dias para você completar" in two


def test_dates_and_numbers_are_written_as_brazilians_write_them() -> None:
    """PRD 6.2/6: para_solicitante com detalhes técnicos."""
    text = mensagens(
        pedido(procedimento__quantidade="1.500,5", data_prevista="2026-12-01"), coparticipacao_percentual=12.5
    ).para_solicitante
    assert "1.500,5 unidades" in text
    assert "Coparticipação: 12,5%." in text
    assert "Data prevista: 01/12/2026." in text
    assert "vigente desde 01/01/2026" in text


def test_nothing_is_asked_of_a_person_whose_case_waits_for_us() -> None:
    """PRD 6.2/6: para_beneficiario em linguagem acessível."""
    assert "Você não precisa fazer nada agora." in written("no regra").para_beneficiario


@every_outcome
def test_no_machine_word_is_left_in_the_words_to_the_solicitante(outcome: str) -> None:
    """Seen: "LAUDO_MEDICO (documentacao_pendente)" in a message to people; a path in parentheses names the field to fill."""
    text = re.sub(r"\((?:[a-z]+[._])+[a-z]+\)", "", written(outcome).para_solicitante)
    assert re.search(r"[A-Za-z]_[A-Za-z]", text) is None


def test_what_else_stands_in_the_way_is_not_hidden_behind_what_can_be_mended() -> None:
    """Seen: the laudo alone does not lift the age rule."""
    um = pedido(beneficiario__idade=4)
    text = mensagens(um, restricoes_idade={"min": 18}, documentos_obrigatorios=["LAUDO_MEDICO"]).para_beneficiario
    assert "não basta: a idade está fora da regra do plano" in text
    assert "Assim que isso for resolvido" not in text


def test_a_provider_of_an_unknown_kind_is_not_said_to_be_outside_of_the_network() -> None:
    both = mensagens(pedido(prestador__tipo="IN"), restricoes_rede="APENAS_CREDENCIADA")
    assert "não deixa claro se o local escolhido é da rede" in both.para_beneficiario
    assert "de tipo que não se conhece (veio “IN”)" in both.para_solicitante


def test_a_provider_of_whom_nothing_is_said_is_told_as_not_informed() -> None:
    both = mensagens(pedido(prestador__tipo=None), restricoes_rede="APENAS_CREDENCIADA")
    assert "não diz se o local escolhido é da rede" in both.para_beneficiario
    assert "prestador de tipo não informado" in both.para_solicitante


def test_a_waiting_period_that_cannot_be_read_is_told_so_to_both_and_not_as_missing() -> None:
    both = mensagens(pedido(beneficiario__carencia_cumprida_dias="seis meses"), carencia_min_dias=180)
    assert "tempo cumprido que não se lê como número de dias (veio “seis meses”)" in both.para_solicitante
    assert "veio de um jeito que não se lê" in both.para_beneficiario
    assert "não informa" not in both.para_solicitante + both.para_beneficiario
    assert "não sabemos há quanto tempo" not in both.para_beneficiario


@pytest.mark.parametrize(("idade", "dita"), [(None, "o pedido não informa a idade"), ("quarenta", "não se lê (veio “quarenta”)")])
def test_an_approval_whose_age_rule_nobody_could_check_says_so_in_both_messages(idade: str | None, dita: str) -> None:
    """PRD 4.2/4 and 4.2/10 approve an unknown age; nobody is to find out of it only later."""
    both = mensagens(pedido(beneficiario__idade=idade), restricoes_idade={"min": 18, "max": 60})
    assert "APROVADO" in both.para_solicitante
    assert "Idade não conferida" in both.para_solicitante
    assert dita in both.para_solicitante
    assert "Não sabemos a sua idade" in both.para_beneficiario
    assert "de 18 a 60 anos" in both.para_beneficiario


def test_an_approval_of_half_a_unit_asks_for_a_second_look() -> None:
    both = mensagens(pedido(procedimento__quantidade=0.5))
    assert "Confira a quantidade: foi pedida 0,5, que não é um número inteiro." in both.para_solicitante


def test_what_cannot_be_shown_in_a_line_is_not_quoted() -> None:
    both = mensagens(pedido(beneficiario__carencia_cumprida_dias="x" * 60), carencia_min_dias=180)
    assert "que não se lê como número de dias" in both.para_solicitante
    assert "veio “" not in both.para_solicitante


@pytest.mark.parametrize(
    ("descricao", "dita"),
    [
        ("RM", "RM"),
        ("RM DE CRANIO", "RM de cranio"),
        ("PET CT", "PET CT"),
        ("HEMOGRAMA", "hemograma"),
        ("RAIO X", "raio x"),
        ("PÉ TORTO", "pé torto"),
    ],
)
def test_an_acronym_stays_in_capitals(descricao: str, dita: str) -> None:
    """Seen: "Seu pedido de rm foi aprovado"."""
    assert f"pedido de {dita} foi aprovado" in mensagens(pedido(procedimento__descricao=descricao)).para_beneficiario


def test_an_urgent_pedido_outside_the_network_is_not_told_to_change_hospitals_as_if_there_were_time() -> None:
    fora = {"prestador__tipo": "NÃO_CREDENCIADO"}
    both = mensagens(pedido(urgencia=True, **fora), restricoes_rede="APENAS_CREDENCIADA")
    assert "o atendimento vem antes" in both.para_solicitante
    assert "não espere esta resposta para se tratar" in both.para_beneficiario
    calm = mensagens(pedido(**fora), restricoes_rede="APENAS_CREDENCIADA")
    assert "vem antes" not in calm.para_solicitante + calm.para_beneficiario


def test_what_is_to_be_informed_stands_in_the_sentence_as_a_part_of_it() -> None:
    """Seen: "anexar o pedido médico; A regra tem um limite"."""
    text = mensagens(pedido(), limites=[{"quantidade": 2, "periodo_dias": 365}], documentos_obrigatorios=["PEDIDO_MEDICO"]).para_solicitante
    assert "; a regra tem um limite por período" in text


@pytest.mark.parametrize("nascimento", ["1980", "1980-02", "31/02/1980"])
def test_a_birth_that_cannot_be_read_is_told_so_and_not_as_missing(nascimento: str) -> None:
    um = pedido(beneficiario__idade=None, beneficiario__data_nascimento=nascimento)
    text = mensagens(um, restricoes_idade={"min": 18}).para_solicitante
    assert f"a data de nascimento veio de um jeito que não se lê (veio “{nascimento}”)" in text
    assert "não informa a idade" not in text


_AINDA: dict[str, Falta] = {
    "approved": "nada",
    "approved with documents to follow": "documentos",
    "approved in part": "nada",
    "documents missing": "envio",
    "waiting period": "mudanca",
    "waiting period unknown": "mudanca",
    "network": "mudanca",
    "age": "nada",
    "not covered": "nada",
    "no regra": "pessoa",
    "invalid": "envio",
}
# What only the message of each says, and those of no other kind.
_SAID: dict[Falta, str] = {"documentos": "Para que a autorização valha", "pessoa": "Você não precisa fazer nada agora"}


@every_outcome
def test_what_is_told_beside_the_message_is_what_the_message_says(outcome: str) -> None:
    changes, fields = OUTCOMES[outcome]
    etapas = decide(pedido(procedimento__descricao=RESSONANCIA, **changes), regra(**fields)).etapas
    falta = falta_de(etapas.sintese.decisao_final, etapas.avaliacao)
    told = etapas.sintese.mensagens.para_beneficiario
    assert falta == _AINDA[outcome]
    assert {kind for kind, words in _SAID.items() if words in told} == {falta} & _SAID.keys()
    if falta == "envio":
        assert re.search("Falta enviar|precisa corrigir e enviar", told)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({}, {"sexo": "F"}),
        ({}, {"valor_maximo": 100}),
        ({}, {"limites": [{"quantidade": 2, "periodo_dias": 30}]}),
        ({}, {"sexo": "F", "documentos_obrigatorios": ["LAUDO_MEDICO"]}),
    ],
)
def test_what_the_pedido_only_left_unsaid_is_to_be_sent(changes: dict[str, Any], fields: dict[str, Any]) -> None:
    etapas = decide(pedido(**changes), regra(**fields)).etapas
    assert etapas.sintese.decisao_final == "PENDENTE_AJUSTES"
    assert falta_de("PENDENTE_AJUSTES", etapas.avaliacao) == "envio"
