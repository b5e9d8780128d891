"""What the check says of one text: the fault it has, where it is, and which texts may stand."""

from __future__ import annotations

from typing import Any

import pytest

from casos import CODIGO, decide, pedido, regra
from crivo.autorizacoes.redacao import Campo, Decidido, Falha, conferir
from crivo.autorizacoes.trilha import Trilha

SESSOES = {"procedimento__descricao": "Sessão de fisioterapia", "procedimento__quantidade": 16}
LIMITE = {"limite_quantidade": 10, "coparticipacao_percentual": 15, "prazo_validade_autorizacao_dias": 45}


def of(trilha: Trilha) -> Decidido:
    etapas = trilha.etapas
    return Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)


def decided(changes: dict[str, Any], **fields: Any) -> Decidido:
    return of(decide(pedido(**changes), regra(**fields)))


PARCIAL = decided(SESSOES, **LIMITE)
CONDICIONADO = decided({}, documentos_obrigatorios=["LAUDO_MEDICO"], permite_autorizacao_condicionada=True)
NEGADO = decided({}, cobertura="NAO_COBERTA")
CARENCIA = decided({"beneficiario__carencia_cumprida_dias": 120}, carencia_min_dias=180)


def falha(texto: str, decidido: Decidido = PARCIAL, campo: Campo = "para_beneficiario") -> Falha | None:
    return conferir(texto, campo, decidido).falha


@pytest.mark.parametrize(
    "texto",
    [
        "Liberamos 10 das 16 sessões. Vale por 45 dias.",
        "Liberamos dez sessões, por um mês e meio.",
        "Liberamos 10 sessões; as outras seis passam do limite.",
        "Liberamos 10 sessões. O plano paga 85% e você paga 15%.",
        "Liberamos 10 sessões. Procure um profissional da rede; a primeira consulta é com ele.",
        "Liberamos 10 sessões. Você pode agir em dois passos: ligue e marque.",
        "Liberamos dez sessões. Sua coparticipação, ou seja, a parte que você paga, é de 15%.",
    ],
)
def test_what_the_inputs_bear_out_may_be_told_in_any_form(texto: str) -> None:
    assert falha(texto) is None


@pytest.mark.parametrize(
    "texto",
    [
        "Liberamos onze sessões.",
        "Liberamos 10 sessões. Vale por 45 dias úteis.",
        "Liberamos 10 sessões. Vale por 15 dias.",
        "Liberamos 10 sessões. Vale por dois meses.",
        "Liberamos 10 sessões, a R$ 1.200,00 cada.",
        "Liberamos 10 sessões. Ligue para (11) 91234-5678.",
        "Liberamos 10 sessões às 14h30.",
        "Liberamos 10 sessões. Você paga 85% do valor e o plano paga o resto.",
        "Liberamos dez sessões para o CPF 529.982.247-25.",
        "Liberamos \uff11\uff12 sessões.",
    ],
)
def test_a_number_that_is_no_input_or_another_than_it_is_said_to_be_is_a_fault(texto: str) -> None:
    """Design: every number named must be in the inputs."""
    assert falha(texto) == "numero"


@pytest.mark.parametrize(
    ("texto", "campo", "expected"),
    [
        ("Autorizadas 10 de 16 unidades do código 50101099.", "para_solicitante", "codigo"),
        ("Autorizadas 10 de 16 unidades, CID M54.5.", "para_solicitante", "codigo"),
        ("Liberamos 10 sessões até sexta-feira.", "para_beneficiario", "data"),
        ("Liberamos 10 sessões, válidas até 31/12/2026.", "para_beneficiario", "data"),
        ("Liberamos 10 sessões. Leve o atestado médico.", "para_beneficiario", "documento"),
        ("Autorizadas 10 de 16 unidades, conforme a RN 465/2021.", "para_solicitante", "documento"),
        ("Liberamos 10 sessões. Veja em www.exemplo.com.br.", "para_beneficiario", "documento"),
        ("As 16 sessões foram aprovadas.", "para_beneficiario", "resultado"),
        ("Liberamos 10 sessões. Não há dúvida: as demais serão reembolsadas.", "para_beneficiario", "resultado"),
        ("Liberamos 10 sessões (acima_do_limite_quantitativo).", "para_beneficiario", "jargao"),
        ("Your 10 sessions have been approved by the plan.", "para_solicitante", "jargao"),
        ("  ", "para_beneficiario", "resultado"),
    ],
)
def test_each_kind_of_fault_is_told_by_its_name(texto: str, campo: Campo, expected: Falha) -> None:
    assert falha(texto, campo=campo) == expected


def test_a_condition_may_be_neither_dropped_nor_denied() -> None:
    """Design: the outcome must not be contradicted."""
    assert falha("Seu pedido foi aprovado; entregue o laudo do seu médico.", CONDICIONADO) is None
    assert falha("Seu pedido foi aprovado.", CONDICIONADO) == "resultado"
    assert falha("Seu pedido foi aprovado, e nenhum documento é necessário além do laudo médico? Não.", CONDICIONADO) == "resultado"
    assert falha("Seu pedido foi aprovado. Já recebemos o laudo médico.", CONDICIONADO) == "resultado"


def test_a_denial_needs_its_reason_and_its_source() -> None:
    """Design: never a denial without its reason and its source in both messages."""
    fonte = "É o que diz o Manual de Coberturas."
    campos: tuple[Campo, Campo] = ("para_beneficiario", "para_solicitante")
    for campo in campos:
        assert falha(f"O plano não cobre este procedimento. {fonte}", NEGADO, campo) is None
        assert falha("O plano não cobre este procedimento.", NEGADO, campo) == "sem_fonte"
        assert falha(f"O pedido foi negado. {fonte}", NEGADO, campo) == "sem_fonte"
    assert falha("O plano não cobre este procedimento.", NEGADO, "justificativa") is None
    assert falha(" ", NEGADO) == "sem_fonte"


def test_a_pending_pedido_is_neither_approved_nor_refused_nor_promised() -> None:
    assert falha("Ainda não foi possível aprovar: faltam 60 dias de espera.", CARENCIA) is None
    assert falha("Foi aprovado: faltam só 60 dias de espera.", CARENCIA) == "resultado"
    assert falha("Foi negado: faltam 60 dias de espera.", CARENCIA) == "resultado"
    assert falha("Faltam 60 dias de espera; depois será aprovado.", CARENCIA) == "resultado"
    assert falha("Ainda não foi possível aprovar.", CARENCIA) == "resultado"


def test_the_summary_of_the_adjustments_tells_the_effect_that_was_proved() -> None:
    assert falha("Com o ajuste, o pedido pode ser aprovado por inteiro.", CARENCIA, "resumo_efeito") is None
    assert falha("O ajuste não basta para a aprovação.", CARENCIA, "resumo_efeito") == "resultado"


def test_codes_and_trade_words_are_for_the_solicitante() -> None:
    """PRD 6.2/6: para_beneficiario em linguagem acessível sem jargão."""
    texto = f"Não coberto: procedimento_sem_cobertura no código {CODIGO} (TUSS). Manual de Coberturas, versão 2.0."
    assert falha(texto, NEGADO, "para_solicitante") is None
    assert falha(texto, NEGADO, "para_beneficiario") == "jargao"


def test_a_verdict_quotes_the_words_at_fault_and_names_every_kind() -> None:
    verdict = conferir("Liberamos 12 sessões até amanhã.", "para_beneficiario", PARCIAL)
    assert not verdict.ok
    assert verdict.falhas == ("numero", "data")
    assert [achado.trecho for achado in verdict.achados] == ["12 sessões", "amanhã"]


def test_letters_that_nobody_sees_hide_nothing() -> None:
    assert falha("Liberamos 1\u200b2 sessões, e o pedido foi ne\u00adgado.") == "numero"


@pytest.mark.parametrize("campo", ["para_beneficiario", "para_solicitante"])
@pytest.mark.parametrize(
    "decidido", [PARCIAL, CONDICIONADO, NEGADO, CARENCIA, decided({})], ids=["parcial", "condicionado", "negado", "pendente", "aprovado"]
)
@pytest.mark.parametrize("texto", ["Texto de teste.", "Olá! Tudo bem com você?", "Bom dia."])
def test_a_message_that_says_neither_the_outcome_nor_of_what_passes_nowhere(texto: str, decidido: Decidido, campo: Campo) -> None:
    """Design: a text must say the outcome and what was asked."""
    assert not conferir(texto, campo, decidido).ok


def test_an_approval_in_part_says_how_many() -> None:
    """Design: quantities, where there are any."""
    assert falha("Liberamos uma parte das sessões de fisioterapia que você pediu.") == "numero"
    assert falha("Liberamos dez das sessões de fisioterapia que você pediu.") is None


def test_an_approval_that_does_not_say_of_what_is_held_back() -> None:
    assert falha("Foi aceito, está tudo certo!", decided({})) == "resultado"
    assert falha("Seu pedido foi aprovado, está tudo certo!", decided({})) is None
