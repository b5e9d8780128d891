"""What capable models were seen to write that no decision bears out, and what they wrote honestly and was held back: by kind, not word."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.modelo.textos import decidido_of
from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.redacao.mostrado import share_told

LAUDO = {"documentos_obrigatorios": ["LAUDO_MEDICO"]}


def decided(changes: dict[str, Any], **fields: Any) -> Decidido:
    return decidido_of(decide(pedido(**{"procedimento__descricao": "Sessão de fisioterapia"} | changes), regra(**fields)).etapas)


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


SESSOES = {"procedimento__descricao": "Terapia ocupacional", "procedimento__quantidade": 30}
POR_MES = decided(
    SESSOES,
    limite_quantidade=12,
    prazo_validade_autorizacao_dias=90,
    observacoes="Terapia ocupacional, por mês de acompanhamento. Novo pedido, com relatório de progresso, a cada 12 sessões (cláusula 3.3).",
)
DOIS_DOCUMENTOS = decided(
    {"procedimento__descricao": "Ressonância de joelho", "documentos_anexos": []},
    documentos_obrigatorios=["LAUDO_DO_ORTOPEDISTA", "RADIOGRAFIA_DO_JOELHO"],
    observacoes="Aceita-se radiografia feita até 90 dias antes (cláusula 6.1). Resolução interna 7/2024, art. 3º. RN ANS 465/2021, Anexo I.",
)
FORA_DA_REDE = decided({"prestador__tipo": "NAO_CREDENCIADO"}, restricoes_rede="APENAS_CREDENCIADA")
TRES_MOTIVOS = decided(
    {"prestador__tipo": "NAO_CREDENCIADO", "beneficiario__carencia_cumprida_dias": 30},
    restricoes_rede="APENAS_CREDENCIADA",
    carencia_min_dias=90,
    **LAUDO,
)
COM_CUSTO = decided({}, coparticipacao_percentual=10, prazo_validade_autorizacao_dias=30, restricoes_rede="APENAS_CREDENCIADA")
SEM_REGRA = decided({"procedimento__codigo": "99999999"})


@pytest.mark.parametrize(
    ("texto", "decidido", "campo"),
    [
        (
            (
                "Dos 30 meses pedidos de terapia ocupacional, o plano aprovou 12. Para continuar depois, será preciso um novo pedido, com um "
                "relatório de progresso. A autorização vale por 90 dias."
            ),
            POR_MES,
            "para_beneficiario",
        ),
        (
            (
                "Aprovadas 12 de 30 sessões de terapia ocupacional. Se o acompanhamento continuar, o terapeuta pode pedir de novo, mostrando "
                "o progresso em um relatório."
            ),
            POR_MES,
            "para_beneficiario",
        ),
        (
            (
                "Ressonância de joelho pendente: LAUDO_DO_ORTOPEDISTA e RADIOGRAFIA_DO_JOELHO, esta última aceita com até 90 dias, nos termos "
                "da cláusula 6.1, da Resolução interna 7/2024, art. 3º, e da RN ANS 465/2021."
            ),
            DOIS_DOCUMENTOS,
            "para_solicitante",
        ),
        (
            (
                "Faltam dois documentos para a ressonância do joelho: o laudo do ortopedista, que é o relatório do médico dos ossos, e a "
                "radiografia do joelho. Vale uma radiografia tirada nos últimos 90 dias."
            ),
            DOIS_DOCUMENTOS,
            "para_beneficiario",
        ),
        (
            "O que falta na fisioterapia é trocar o local: a regra só aceita locais da rede do plano.",
            FORA_DA_REDE,
            "para_beneficiario",
        ),
    ],
)
def test_what_the_writer_was_shown_may_be_told_in_other_words(texto: str, decidido: Decidido, campo: Campo) -> None:
    assert conferir(texto, campo, decidido).achados == ()


@pytest.mark.parametrize(
    ("frase", "decidido", "porque"),
    [
        ("A radiografia pode ser de até 180 dias atrás.", DOIS_DOCUMENTOS, "este número não está nos dados da decisão"),
        ("A autorização vale por 12 meses.", POR_MES, "este número não está nos dados da decisão"),
        ("O limite anual é de 12 sessões.", POR_MES, "este prazo não está nos dados da decisão"),
        ("Cada sessão pode ser usada em até 30 dias depois da anterior.", COM_CUSTO, "este prazo não está nos dados da decisão"),
        ("Use com o profissional de sua confiança.", COM_CUSTO, "esta exigência continua a valer"),
        ("10% do custo fica com você, só a partir da segunda.", COM_CUSTO, "fala de um custo que não está nos dados da decisão"),
        ("O laudo médico foi conferido e está em ordem.", FALTA_LAUDO, "este documento ainda não veio"),
        ("Uma foto pode ser anexada no lugar dele.", FALTA_LAUDO, "desfaz uma exigência da decisão"),
        ("O pedido é reaberto automaticamente no fim do prazo.", ESPERA, "promete o que não foi decidido"),
        ("Passado esse tempo, as sessões ficam livres.", ESPERA, "a aprovação não foi decidida, e não pode ser prometida"),
        ("O plano abriu mão do tempo de espera.", ESPERA, "desfaz uma exigência da decisão"),
        ("O pedido depende de duas coisas.", TRES_MOTIVOS, "este número não está nos dados da decisão"),
        ("Converse com o hospital sobre o laudo, e espere.", TRES_MOTIVOS, "deixa de fora um dos ajustes de que o pedido precisa"),
        ("Como nada proíbe, o procedimento é permitido.", SEM_REGRA, "não foi isto o que se decidiu"),
        ("O procedimento não está entre os que o plano cobre.", SEM_REGRA, "não foi isto o que se decidiu"),
        ("O parecer não demonstrou benefício.", NEGADO, "este não é um motivo da decisão"),
        ("Peça ao médico que escreva que existe uma doença.", FALTA_LAUDO, "pede mais do que a regra pede"),
        ("Peça ao médico que marque urgência.", ESPERA, "desfaz uma exigência da decisão"),
    ],
)
def test_what_the_decision_tells_otherwise_is_held(frase: str, decidido: Decidido, porque: str) -> None:
    assert porque in porques(frase, decidido)


def test_a_shown_sentence_told_with_its_denial_turned_is_not_told_from_it() -> None:
    shown = ("sessoes alem do limite dependem de novo pedido com relatorio de evolucao",)
    assert share_told("as sessoes alem do limite pedem novo pedido e relatorio de evolucao", shown, frozenset()) >= 0.5
    assert share_told("as sessoes alem do limite nao pedem novo pedido nem relatorio de evolucao", shown, frozenset()) == 0
