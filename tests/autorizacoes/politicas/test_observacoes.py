"""PRD RF5: código alternativo, e via de auditoria para a idade, descritos em observacoes."""

from __future__ import annotations

import pytest

from crivo.autorizacoes.contracts import Alternativa, Excecao
from crivo.autorizacoes.politicas.observacoes import read_alternativas, read_excecao_idade

PROPRIO = "40304361"
PLAQUETAS = Alternativa("40304370", "Hemograma com plaquetas")


@pytest.mark.parametrize(
    ("observacoes", "alternativas"),
    [
        ("alternativa: 40304370", [Alternativa("40304370")]),
        ("pode ser substituído pelo código 4.03.04.37-0", [Alternativa("40304370")]),
        ("similar coberto 40304370 - Hemograma com plaquetas", [PLAQUETAS]),
        ("SIMILAR COBERTO: 40304370 – Hemograma com plaquetas.", [PLAQUETAS]),
        ("Código alternativo: TUSS 4030437-0 (Hemograma com plaquetas)", [PLAQUETAS]),
        ("Alternativa coberta: código nº 40304370.", [Alternativa("40304370")]),
        ("Alternativa: cód. 40304370.", [Alternativa("40304370")]),
        ("Procedimento não coberto, alternativa: 40304370", [Alternativa("40304370")]),
        ("Sem cobertura. Alternativa: 40304370", [Alternativa("40304370")]),
        ("Não usar em crianças. Alternativa: 40304370", [Alternativa("40304370")]),
        ("Pode-se substituir por 40304370; exige laudo.", [Alternativa("40304370")]),
        ("O código 40304361 deve ser substituído pelo 40304370", [Alternativa("40304370")]),
        ("Em seu lugar, solicitar o código 40304370 - Tomografia sem contraste.", [Alternativa("40304370", "Tomografia sem contraste")]),
        ("alternativas: 40304370, 40304388 ou 4.03.04.40-0", [Alternativa("40304370"), Alternativa("40304388"), Alternativa("40304400")]),
        ("Alternativas: 40304370 - Hemograma com plaquetas; 40304388 - Outro", [PLAQUETAS, Alternativa("40304388", "Outro")]),
        ("alternativas: 40304370 e 40304370", [Alternativa("40304370")]),
        ("alternativa: 40304361 ou 40304370", [Alternativa("40304370")]),
        ("alternativa: 40304370; 40304388 exige laudo", [Alternativa("40304370")]),
        ("Linha um.\nAlternativa: 40304370", [Alternativa("40304370")]),
        ("Não coberto; utilizar o código 40304370.", [Alternativa("40304370")]),
        ("Solicitar o 40304370 em vez deste.", [Alternativa("40304370")]),
        ("O código 40304370 é alternativa coberta.", [Alternativa("40304370")]),
        ("O procedimento similar 40304370 é coberto.", [Alternativa("40304370")]),
        ("Trocar pelo código 40304370.", [Alternativa("40304370")]),
        ("Substituto: 40304370", [Alternativa("40304370")]),
    ],
)
def test_a_code_offered_in_plain_words_is_an_alternativa(observacoes: str, alternativas: list[Alternativa]) -> None:
    assert read_alternativas(PROPRIO, observacoes) == tuple(alternativas)


@pytest.mark.parametrize(
    "observacoes",
    [
        "",
        "Ver 40304370.",
        "não substitui o código 40304370",
        "Este procedimento substitui o código 40304370",
        "Não pode ser substituído pelo código 40304370",
        "Coberto, exceto 40304370",
        "Alternativa, exceto 40304370",
        "Alternativa 40304370 não coberta",
        "A alternativa sem cobertura: 40304370",
        "Alternativa vedada: 40304370",
        "Alternativa ao código 40304370",
        "É alternativa do 40304370",
        "Alternativa: a partir de 20260101",
        "Alternativa: exige laudo do código 40304370",
        "Alternativa: 4030437",
        "Alternativa: 403043701",
        "Alternativa: 4030437*",
        "Alternativa: 40304370-55",
        "Alternativa: 40304361",
        "Similar ao 40304370",
        "Não há alternativa; cobrar junto 40304370",
        "O código 40304388 foi substituído pelo 40304370",
        "Cobrado junto com 40304388, alternativa 40304370",
        "Substituição por prótese conforme código 40304370",
        "Alternativa terapêutica medicamentosa. Código 40304370 exige laudo.",
        "Nunca usar como alternativa o 40304370",
        "Solicitar o 40304370 antes deste.",
        "Solicitar também o código 40304370.",
        "O código 40304370 não é coberto.",
    ],
)
def test_a_code_that_is_only_mentioned_is_no_alternativa(observacoes: str) -> None:
    assert read_alternativas(PROPRIO, observacoes) == ()


def test_a_clause_may_name_a_code_under_the_prefix_of_its_own_regra() -> None:
    observacoes = "O código 40304361 pode ser substituído pelo 50304370"
    assert read_alternativas("4030*", observacoes) == (Alternativa("50304370"),)
    assert read_alternativas("5010*", observacoes) == ()


@pytest.mark.parametrize(
    ("observacoes", "instrucao"),
    [
        (
            "fora da faixa etária, encaminhar para auditoria clínica com histórico familiar",
            "Encaminhar para auditoria clínica com histórico familiar.",
        ),
        ("Exame bilateral. Fora da faixa etária; submeter à auditoria médica.", "Submeter à auditoria médica."),
        ("Idade não atendida: via auditoria clínica.", "Idade não atendida: via auditoria clínica."),
        ("Menores de 40 anos: sujeito a parecer técnico.\nOutra linha.", "Menores de 40 anos: sujeito a parecer técnico."),
        ("Para outras idades, enviar laudo à junta médica", "Enviar laudo à junta médica."),
        ("Menores de 18 anos: auditoria clínica.", "Menores de 18 anos: auditoria clínica."),
        ("Idade fora do limite: a auditoria clínica avalia caso a caso", "Idade fora do limite: a auditoria clínica avalia caso a caso."),
        ("Pacientes menores devem ser avaliados pela auditoria clínica.", "Pacientes menores devem ser avaliados pela auditoria clínica."),
    ],
)
def test_an_audit_route_for_the_age_is_an_excecao_of_restricao_idade(observacoes: str, instrucao: str) -> None:
    assert read_excecao_idade(observacoes) == Excecao("restricao_idade", instrucao)


@pytest.mark.parametrize(
    "observacoes",
    [
        "",
        "Encaminhar para auditoria clínica.",
        "Fora da faixa etária, negar.",
        "Fora da faixa etária não cabe encaminhar para auditoria.",
        "Fora da faixa etária, sem possibilidade de encaminhamento à auditoria.",
        "Faixa etária dispensada de encaminhar para auditoria clínica.",
        "A idade consta do laudo. Encaminhar para auditoria clínica.",
        "Idade mínima de 18 anos; a auditoria confere os documentos.",
    ],
)
def test_a_text_without_an_audit_route_for_the_age_gives_no_excecao(observacoes: str) -> None:
    assert read_excecao_idade(observacoes) is None
