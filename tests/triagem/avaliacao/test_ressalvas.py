"""What shows of a judge only when the critérios of a project are read side by side."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.material import Material, Secao
from crivo.triagem.avaliacao.ressalvas import RESSALVAS, Lido, find_ressalvas, lower, tell_ressalvas

RESUMO = "Doze rodas de coco na areia, com oficinas de pandeiro nas escolas."
FRASES = (
    "As rodas de coco acontecem na areia da praia velha, como fizeram as avós.",
    "Quatro mestres conduzem as rodas; a produtora trabalha com eles desde 2014.",
    "Cada roda tem intérprete de Libras e transporte para o povo dos sítios.",
    "As oficinas de pandeiro vão a cinco escolas, com quarenta alunos em cada uma.",
    "O mestre mais velho ensina também a fazer o instrumento com couro de bode.",
    "A última roda atravessa a noite e termina com café na casa da colônia de pescadores.",
)
ORCAMENTO = "Transporte (viagem): 12 × R$ 200,00 = R$ 2.400,00"
MATERIAL = Material(
    "P1",
    (
        Secao("projeto: resumo", RESUMO, campo="resumo"),
        Secao("projeto: descrição técnica", " ".join(FRASES), campo="descricao_tecnica"),
        Secao("projeto: orçamento", ORCAMENTO, campo="orcamento_itens", por_linha=True),
    ),
    (),
    Decimal(1),
)


def lido(nome: str, texto: str, nota: float, trecho: str, justificativa: str, campo: str = "descricao_tecnica") -> Lido:
    evidencia = Evidencia(trecho=trecho, campo=campo, projeto="P1")
    return Lido(nome, f"{nome}\n{texto}", MATERIAL, Decimal(str(nota)), (evidencia,), justificativa)


CUIDADOSO = (
    lido("Mérito", "Relevância da tradição no território e nas comunidades da praia", 8, FRASES[0], "As rodas na praia vêm das avós."),
    lido(
        "Equipe", "Experiência e formação de mestres, produtores e técnicos", 7, FRASES[1], "Os mestres e a produtora trabalham desde 2014."
    ),
    lido("Acesso", "Libras, audiodescrição, transporte, escolas, gratuidade", 6.5, FRASES[2], "Há intérprete e transporte em cada roda."),
    lido(
        "Viabilidade", "Coerência entre etapas, metas, custos, orçamento", 5, ORCAMENTO, "O custo das viagens está dito.", "orcamento_itens"
    ),
)
VAGO = tuple(
    replace(one, evidencias=(Evidencia(trecho=RESUMO, campo="resumo"),), justificativa="Atende bem. Faltam detalhes.", nota=Decimal(7))
    for one in CUIDADOSO
)


def test_a_careful_judge_has_nothing_held_against_it() -> None:
    assert find_ressalvas(CUIDADOSO) == ((), (), (), ())


def test_a_judge_with_one_quote_one_line_and_one_nota_for_all_is_told_by_each_of_them() -> None:
    """Whatever else is lacking: what serves every critério shows nothing of one."""
    for found in find_ressalvas(VAGO):
        assert {"mesmas_passagens", "mesma_justificativa", "mesma_nota", "passagem_vaga", "justificativa_solta"} <= set(found)


def test_what_two_criterios_of_four_have_in_common_is_held_against_neither() -> None:
    shared = (*CUIDADOSO[:2], replace(CUIDADOSO[2], evidencias=CUIDADOSO[0].evidencias, nota=Decimal(8)), CUIDADOSO[3])
    assert "mesmas_passagens" not in find_ressalvas(shared)[0]
    assert "mesma_nota" not in find_ressalvas(shared)[0]


def test_one_line_for_all_is_known_though_it_names_each_criterio() -> None:
    said = [replace(one, justificativa=f"As rodas atendem ao critério {one.nome} de modo claro para o povo da praia.") for one in CUIDADOSO]
    assert all("mesma_justificativa" in found for found in find_ressalvas(said))


def test_a_passage_that_serves_three_of_four_is_told_to_those_three_alone() -> None:
    three = [*(replace(one, evidencias=CUIDADOSO[0].evidencias) for one in CUIDADOSO[:3]), CUIDADOSO[3]]
    assert ["mesmas_passagens" in found for found in find_ressalvas(three)] == [True, True, True, False]


def test_a_judge_who_speaks_neither_of_the_passage_nor_of_the_criterio_is_told_so() -> None:
    loose = replace(CUIDADOSO[1], evidencias=(Evidencia(trecho=FRASES[5]),), justificativa="Há informações suficientes sobre isto tudo.")
    assert find_ressalvas([CUIDADOSO[0], loose])[1] == ("fora_do_criterio", "justificativa_solta")


def test_lines_of_the_budget_are_spoken_of_by_the_word_for_it() -> None:
    said = replace(CUIDADOSO[3], justificativa="O orçamento é detalhado.")
    assert find_ressalvas([said]) == ((),)


def test_near_the_bottom_there_is_little_to_quote_and_nothing_is_made_of_it() -> None:
    assert all(set(found) <= {"mesma_justificativa"} for found in find_ressalvas([replace(one, no_fundo=True) for one in VAGO]))


def test_one_criterio_alone_is_compared_with_none_and_one_without_a_nota_is_left_out() -> None:
    assert find_ressalvas([CUIDADOSO[0], None]) == ((), ())


def test_a_project_of_one_sentence_leaves_nothing_else_to_quote() -> None:
    short = Material("P1", (Secao("projeto: resumo", FRASES[0], campo="resumo"),), (), Decimal(1))
    same = [replace(one, material=short, evidencias=(Evidencia(trecho=FRASES[0], campo="resumo"),)) for one in CUIDADOSO]
    assert not any("mesmas_passagens" in found or "passagem_vaga" in found for found in find_ressalvas(same))


def test_a_nota_that_another_reading_moved_is_worth_less() -> None:
    assert find_ressalvas([replace(CUIDADOSO[0], movida=True)]) == (("nota_movida",),)


@pytest.mark.parametrize(("quantas", "fica"), [(0, "0.70"), (1, "0.35"), (2, "0.17"), (3, "0.08")])
def test_each_reason_halves_the_confianca(quantas: int, fica: str) -> None:
    assert lower(Decimal("0.70"), list(RESSALVAS)[:quantas]) == Decimal(fica)


def test_every_reason_is_said_to_people() -> None:
    said = tell_ressalvas(tuple(RESSALVAS))
    assert all(words in said for words in RESSALVAS.values())
    assert "reduzida à metade por motivo" in said
    assert tell_ressalvas(()) == ""
