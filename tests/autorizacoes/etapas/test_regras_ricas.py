"""What a regra may state beyond the PRD: each with its check, its motivo, its adjustment and both messages. Design, "Richer regras"."""

from __future__ import annotations

from datetime import date, timedelta
from time import process_time
from typing import Any

import pytest

from casos import CODIGO, decide, pedido, regra
from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.etapas.ajustes import apply_ajustes
from crivo.autorizacoes.etapas.avaliacao import CHECKS, checks_of
from crivo.autorizacoes.motivos import DA_REGRA, MOTIVOS
from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.trilha import Trilha

DUAS_POR_ANO = {"limites": [{"quantidade": 2, "periodo_dias": 365}]}
CPT = {"beneficiario__preexistencias": ["diabetes"], "beneficiario__carencia_cumprida_dias": 400}


def uso(data: str, quantidade: Any = 1, codigo: str = CODIGO) -> dict[str, Any]:
    return {"codigo": codigo, "data": data, "quantidade": quantidade}


def told(trilha: Trilha, *ditos: str) -> None:
    """Both messages, taken together, say each of these."""
    mensagens = trilha.etapas.sintese.mensagens
    for dito in ditos:
        assert dito in mensagens.para_solicitante, mensagens.para_solicitante
        assert dito in mensagens.para_beneficiario, mensagens.para_beneficiario


def outcome(trilha: Trilha) -> tuple[str, tuple[str, ...], Any]:
    sintese = trilha.etapas.sintese
    return sintese.decisao_final, sintese.artefato_registro.motivos, sintese.detalhe_decisao.quantidade_aprovada


def ajuste(trilha: Trilha) -> tuple[Any, ...]:
    assert trilha.etapas.ajustes is not None
    (um,) = trilha.etapas.ajustes.ajustes_sugeridos
    return um.acao_tipo, um.campo_alvo, um.valor_sugerido, um.impacto_conformidade


@pytest.mark.parametrize(
    ("campos", "changes", "esperado"),
    [
        ({"sexo": "F"}, {"beneficiario__sexo": "F"}, ("APROVADO", ())),
        ({"sexo": "F"}, {"beneficiario__sexo": "M"}, ("NEGADO", ("restricao_sexo",))),
        ({"sexo": "F"}, {}, ("PENDENTE_AJUSTES", ("sexo_nao_informado",))),
        ({"valor_maximo": 1500}, {"procedimento__valor": 1500}, ("APROVADO", ())),
        ({"valor_maximo": 1500}, {"procedimento__valor": "R$ 1.500,01"}, ("PENDENTE_AJUSTES", ("acima_do_valor_maximo",))),
        ({"valor_maximo": 0}, {"procedimento__valor": 0}, ("APROVADO", ())),
        ({"valor_maximo": 1500}, {}, ("PENDENTE_AJUSTES", ("valor_nao_informado",))),
        ({"cpt_meses": 24}, CPT, ("PENDENTE_AJUSTES", ("cobertura_parcial_temporaria",))),
        ({"cpt_meses": 24}, {**CPT, "beneficiario__carencia_cumprida_dias": 730}, ("APROVADO", ())),
        ({"cpt_meses": 24}, {**CPT, "beneficiario__carencia_cumprida_dias": None}, ("PENDENTE_AJUSTES", ("cobertura_parcial_temporaria",))),
        ({"cpt_meses": 24}, {**CPT, "beneficiario__preexistencias": "Nenhuma"}, ("APROVADO", ())),
        ({"cpt_meses": 24}, {}, ("APROVADO", ())),
        (DUAS_POR_ANO, {}, ("PENDENTE_AJUSTES", ("historico_nao_informado",))),
        (DUAS_POR_ANO, {"historico": []}, ("APROVADO", ())),
        (DUAS_POR_ANO, {"historico": [uso("2026-01-01")]}, ("APROVADO", ())),
        (DUAS_POR_ANO, {"historico": [uso("2026-01-01", 2)]}, ("PENDENTE_AJUSTES", ("limite_por_periodo_esgotado",))),
        (DUAS_POR_ANO, {"historico": [uso("2025-10-05", 2)]}, ("APROVADO", ())),
        (DUAS_POR_ANO, {"historico": [uso("2025-10-06", 2)]}, ("PENDENTE_AJUSTES", ("limite_por_periodo_esgotado",))),
        (DUAS_POR_ANO, {"historico": [uso("2026-12-01", 2)]}, ("PENDENTE_AJUSTES", ("limite_por_periodo_esgotado",))),
        (DUAS_POR_ANO, {"historico": [uso("2026-01-01", 2, "40304361")]}, ("APROVADO", ())),
        (DUAS_POR_ANO, {"historico": [uso("ontem")]}, ("PENDENTE_AJUSTES", ("historico_incompleto",))),
        (DUAS_POR_ANO, {"historico": [uso("2026-01-01", None)]}, ("PENDENTE_AJUSTES", ("historico_incompleto",))),
        (DUAS_POR_ANO, {"historico": [uso("2020-01-01", None)]}, ("APROVADO", ())),
        (DUAS_POR_ANO, {"historico": [uso("ontem", 1, "40304361")]}, ("APROVADO", ())),
        ({"planos": ["OURO", "Prata"]}, {}, ("APROVADO", ())),
        ({"planos": ["OURO", "DIAMANTE"]}, {}, ("PENDENTE_AJUSTES", ("regra_nao_encontrada",))),
        ({"documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_CLINICO"]]}, {}, ("PENDENTE_AJUSTES", ("documentacao_pendente",))),
        (
            {"documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_CLINICO"]]},
            {"documentos_anexos": ["Relatório clínico"]},
            ("APROVADO", ()),
        ),
    ],
)
def test_each_restriction_decides(campos: dict[str, Any], changes: dict[str, Any], esperado: tuple[str, tuple[str, ...]]) -> None:
    assert outcome(decide(pedido(**changes), regra(**campos)))[:2] == esperado


def test_every_restriction_that_was_checked_is_named_in_the_order_of_the_checks() -> None:
    campos = {"carencia_min_dias": 1, "cpt_meses": 24, "sexo": "F", "valor_maximo": 10, "limite_quantidade": 3, **DUAS_POR_ANO}
    docs = {"documentos_obrigatorios": ["A"], "documentos_alternativos": [["B", "C"], ["D", "E"]]}
    trilha = decide(pedido(beneficiario__preexistencias=False), regra(**campos, **docs))
    assert trilha.etapas.avaliacao.restricoes_aplicadas == (
        *("carencia_min_dias=1", "cpt_meses=24", "sexo=F", "valor_maximo=10", "limite_quantidade=3", "limite_por_periodo=2/365/CODIGO"),
        *("documentos_obrigatorios=A", "documentos_alternativos=B|C,D|E"),
    )
    assert trilha.etapas.avaliacao.motivos == (
        "sexo_nao_informado",
        "valor_nao_informado",
        "historico_nao_informado",
        "documentacao_pendente",
    )


def test_a_regra_of_the_prd_pays_for_no_later_check() -> None:
    assert len(checks_of(Regra(regra_id="R", codigo="*", cobertura="COBERTA", limite_quantidade=1))) == 5
    assert checks_of(Regra(regra_id="R", codigo="*", cobertura="COBERTA", sexo="F")) is CHECKS


def test_what_a_limit_leaves_is_approved_and_told() -> None:
    trilha = decide(pedido(procedimento__quantidade=2, historico=[uso("2026-03-01")]), regra(**DUAS_POR_ANO))
    assert outcome(trilha) == ("APROVADO_PARCIAL", ("acima_do_limite_por_periodo",), 1)
    told(trilha, "2 unidades em 365 dias", "já foi usada 1")


def test_the_smaller_of_what_both_limits_leave_is_approved() -> None:
    campos = {"limite_quantidade": 3, "limites": [{"quantidade": 5, "periodo_dias": 365}, {"quantidade": 9, "periodo_dias": 700}]}
    trilha = decide(pedido(procedimento__quantidade=8, historico=[uso("2026-03-01", 1)]), regra(**campos))
    assert outcome(trilha) == ("APROVADO_PARCIAL", ("acima_do_limite_quantitativo", "acima_do_limite_por_periodo"), 3)
    told(trilha, "3")


def test_a_limit_of_the_regra_counts_every_code_that_it_is_about() -> None:
    campos = {"codigo": "4110*", "limites": [{"quantidade": 2, "periodo_dias": 365, "por": "REGRA"}]}
    historico = [uso("2026-03-01", 1, "41109999"), uso("2026-03-02", 1, "4.11.01.02-2"), uso("2026-03-03", 5, "40304361")]
    assert outcome(decide(pedido(historico=historico), regra(**campos)))[1] == ("limite_por_periodo_esgotado",)


def test_two_halves_that_were_used_leave_a_whole_number() -> None:
    halves = [uso("2026-03-01", 0.5), uso("2026-03-02", 0.5)]
    de_sobra = {"limites": [{"quantidade": 2.5, "periodo_dias": 365}]}
    assert type(outcome(decide(pedido(historico=halves[:1], procedimento__quantidade=3), regra(**de_sobra)))[2]) is int
    aprovada = outcome(decide(pedido(historico=halves, procedimento__quantidade=2), regra(**DUAS_POR_ANO)))[2]
    assert (aprovada, type(aprovada)) == (1, int)


def test_the_day_from_which_there_is_room_again_is_found_and_proved() -> None:
    historico = [uso("2025-11-10"), uso("2026-02-01")]
    trilha = decide(pedido(historico=historico), regra(**DUAS_POR_ANO))
    assert ajuste(trilha) == ("OUTRO", "data_pedido", "2026-11-10", "RESOLVE_TOTAL")
    assert trilha.etapas.ajustes is not None
    assert trilha.etapas.ajustes.resumo_efeito.startswith("Aprovação total")
    told(trilha, "10/11/2026")


@pytest.mark.parametrize(
    ("data", "final"),
    [("2027-10-04", "PENDENTE_AJUSTES"), ("2027-10-05", "APROVADO"), ("2029-11-18", "APROVADO"), ("2025-10-05", "APROVADO")],
)
def test_a_use_to_come_counts_as_far_as_one_period_holds_both(data: str, final: str) -> None:
    """A slip of the year (2029) blocked whoever asked today until 2030."""
    assert outcome(decide(pedido(historico=[uso(data, 2)]), regra(**DUAS_POR_ANO)))[0] == final


def test_the_day_is_found_in_a_long_history_too() -> None:
    historico = [uso(date.fromordinal(date(2026, 10, 5).toordinal() - at).isoformat(), 1) for at in range(5_000)]
    began = process_time()
    trilha = decide(pedido(historico=historico), regra(limites=[{"quantidade": 2, "periodo_dias": 5_000}]))
    assert trilha.etapas.ajustes is not None
    quando = (date(2026, 10, 5) + timedelta(days=4_999)).isoformat()
    assert [um.valor_sugerido for um in trilha.etapas.ajustes.ajustes_sugeridos] == [quando]
    assert process_time() - began < 5  # each of the days over all of the uses takes half a minute


def test_the_day_may_be_a_century_away() -> None:
    trilha = decide(
        pedido(procedimento__quantidade=1, historico=[uso("2026-10-01", 2)]), regra(limites=[{"quantidade": 2, "periodo_dias": 36_500}])
    )
    assert ajuste(trilha)[2] == "2126-09-07"


def test_days_of_a_pre_existing_condition_that_are_left_are_told_and_waited_for() -> None:
    trilha = decide(pedido(**CPT), regra(cpt_meses=24))
    assert ajuste(trilha) == ("AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", 330, "RESOLVE_TOTAL")
    told(trilha, "730 dias", "330")


def test_the_longer_of_two_waits_is_waited_for() -> None:
    trilha = decide(pedido(**{**CPT, "beneficiario__carencia_cumprida_dias": 100}), regra(cpt_meses=24, carencia_min_dias=180))
    assert outcome(trilha)[1] == ("carencia_nao_cumprida", "cobertura_parcial_temporaria")
    assert ajuste(trilha)[2] == 630


def test_a_condition_that_nobody_told_is_held_against_nobody_and_told_as_not_checked() -> None:
    trilha = decide(pedido(beneficiario__preexistencias="não informado"), regra(cpt_meses=24))
    assert outcome(trilha)[0] == "APROVADO"
    assert trilha.etapas.avaliacao.restricoes_aplicadas == ("preexistencias_desconhecidas_cpt_nao_conferida",)
    assert "Preexistência não conferida" in trilha.etapas.sintese.mensagens.para_solicitante


def test_too_dear_a_pedido_may_be_asked_again_at_the_most_that_the_regra_allows() -> None:
    trilha = decide(pedido(procedimento__valor="R$ 2.000,00"), regra(valor_maximo=1500.5))
    assert ajuste(trilha) == ("OUTRO", "procedimento.valor", 1500.5, "RESOLVE_TOTAL")
    told(trilha, "R$ 2.000,00", "R$ 1.500,50")


def test_the_other_sex_has_the_way_out_that_the_regra_names() -> None:
    saida = [{"motivo": "restricao_sexo", "instrucao": "Encaminhar para auditoria clínica."}]
    trilha = decide(pedido(beneficiario__sexo="M"), regra(sexo="F", excecoes=saida))
    assert ajuste(trilha) == ("OUTRO", "beneficiario.sexo", None, "RESOLVE_PARCIAL")
    assert outcome(trilha)[0] == "PENDENTE_AJUSTES"


def test_a_group_of_documents_is_one_pendency_that_names_them_all() -> None:
    campos = {"documentos_obrigatorios": ["RECEITA"], "documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_CLINICO"]]}
    trilha = decide(pedido(), regra(**campos, permite_autorizacao_condicionada=True))
    assert trilha.etapas.avaliacao.pendencias_documentais == ("RECEITA", "LAUDO_MEDICO|RELATORIO_CLINICO")
    assert outcome(trilha)[0] == "APROVADO"
    assert len(trilha.etapas.sintese.detalhe_decisao.condicionantes) == 2
    told(trilha, "laudo médico", "relatório clínico")


def test_the_regra_names_the_procedure_where_the_pedido_does_not() -> None:
    told(decide(pedido(procedimento__descricao="Ressonância de crânio"), regra(descricao="Outro nome")), "essonância de crânio")
    told(decide(pedido(), regra(descricao="Tomografia de tórax")), "omografia de tórax")


@pytest.mark.parametrize("motivo", [motivo for motivo in MOTIVOS if motivo.da_regra], ids=lambda motivo: motivo.codigo)
def test_every_motivo_of_a_regra_is_told_to_each_reader(motivo: Any) -> None:
    assert motivo.frase[0].isupper()
    assert motivo.rotulo
    assert motivo.codigo in DA_REGRA


# --- what a model may say of them


def decidido(trilha: Trilha) -> Decidido:
    etapas = trilha.etapas
    return Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)


SEXO = decide(pedido(beneficiario__sexo="M", procedimento__descricao="Mamografia"), regra(sexo="F"))
VALOR = decide(pedido(procedimento__valor=2000), regra(valor_maximo=1500))
ESGOTADO = decide(pedido(historico=[uso("2025-11-10"), uso("2026-02-01")]), regra(**DUAS_POR_ANO))
RESTA = decide(pedido(procedimento__quantidade=2, historico=[uso("2026-03-01")]), regra(**DUAS_POR_ANO))
ESPERA = decide(pedido(**CPT), regra(cpt_meses=24))
FONTE = "\nEsta resposta segue as regras do documento “Manual de Coberturas”, versão 2.0."


@pytest.mark.parametrize(
    ("trilha", "texto", "stands"),
    [
        (SEXO, "O pedido de mamografia foi negado. A regra vale só para o sexo feminino, e por isso ele não pôde ser aprovado.", True),
        (
            SEXO,
            "O pedido de mamografia foi negado. A regra vale só para pessoas de até 40 anos, e por isso ele não pôde ser aprovado.",
            False,
        ),
        (SEXO, "Não foi possível aprovar a sua mamografia.", False),
        (
            VALOR,
            "O pedido ainda não pôde ser aprovado: ele custa R$ 2.000,00 e o plano cobre até R$ 1.500,00. Peça que revejam o valor.",
            True,
        ),
        (
            VALOR,
            "O pedido ainda não pôde ser aprovado: ele custa R$ 2.000,00 e o plano cobre até R$ 1.800,00. Peça que revejam o valor.",
            False,
        ),
        (VALOR, "O pedido ainda não pôde ser aprovado. Fale com quem o fez.", False),
        (
            ESGOTADO,
            "O pedido ainda não pôde ser aprovado: o limite é de 2 em 365 dias, e você já usou 2. Peça a partir de 10/11/2026.",
            True,
        ),
        (
            ESGOTADO,
            "O pedido ainda não pôde ser aprovado: o limite é de 2 em 365 dias, e você já usou 2. Peça a partir de 12/12/2026.",
            False,
        ),
        (
            ESGOTADO,
            "O pedido ainda não pôde ser aprovado: o limite é de 2 em 180 dias, e você já usou 2. Peça a partir de 10/11/2026.",
            False,
        ),
        (ESPERA, "O pedido ainda não pôde ser aprovado: com doença declarada são 730 dias de espera, e faltam 330 dias.", True),
        (ESPERA, "O pedido ainda não pôde ser aprovado: com doença declarada são 730 dias de espera, e faltam 120 dias.", False),
        (ESPERA, "O pedido ainda não pôde ser aprovado: são 730 dias de espera no plano, e faltam 330 dias.", False),
    ],
)
def test_an_honest_text_about_a_richer_regra_stands_and_a_wrong_one_is_held(trilha: Trilha, texto: str, stands: bool) -> None:
    campo: Campo = "para_beneficiario"
    veredito = conferir(texto + FONTE, campo, decidido(trilha))
    assert veredito.ok is stands, veredito.achados


def test_what_is_left_of_a_limit_is_a_fact_and_another_number_is_none() -> None:
    certo = "Boa notícia: aprovamos 1 de 2, porque o plano cobre até 2 em 365 dias e já foi usada 1. Você já pode agendar."
    assert conferir(certo + FONTE, "para_beneficiario", decidido(RESTA)).ok
    assert not conferir(certo.replace("365", "90") + FONTE, "para_beneficiario", decidido(RESTA)).ok


def test_a_document_that_a_group_and_the_regra_both_ask_for_is_attached_once_in_the_proof() -> None:
    duas = regra(documentos_obrigatorios=["LAUDO_MEDICO"], documentos_alternativos=[["LAUDO_MEDICO", "RECEITA"]])
    trilha = decide(pedido(), duas)
    assert trilha.etapas.ajustes is not None
    ajustado = apply_ajustes(trilha.etapas.normalizacao.pedido_normalizado, trilha.etapas.ajustes.ajustes_sugeridos)
    assert [documento.tipo for documento in ajustado.documentos_anexos] == ["LAUDO_MEDICO"]
