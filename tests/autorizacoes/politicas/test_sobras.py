"""Of an observação that decides something, either a field of the regra says so or it is told as unread; a plain description is let be."""

from __future__ import annotations

from typing import Any

import pytest

from casos import politica, regra
from crivo.autorizacoes.amostra import politicas
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.sobras import could_change, nao_lidas

FULL = {
    "limite_quantidade": 20,
    "carencia_min_dias": 180,
    "restricoes_idade": {"min": 18},
    "documentos_obrigatorios": ["LAUDO_MEDICO"],
    "restricoes_rede": "APENAS_CREDENCIADA",
}
DECIDES = (
    "Obesidade vai à junta médica",
    "vai para auditoria",
    "Valor acima de R$ 5.000 vai para auditoria",
    "só sexo feminino",
    "mulheres; abaixo de 40 somente com mutação conhecida",
    "TEA ilimitado",
    "resposta em 48h",
    "1 na vida",
    "Uma vez por ano",
    "2x/ano",
    "Duas por semestre.",
    "Pacientes com CID F84",
    "C50.1",
    "Limite de 20 sessões, exceto TEA",
    "Feminino.",
    "Homens.",
    "IMC > 35",
    "Acima de 70 anos",
    "Custo de até R$ 1.500,00",
    "Sob análise do comitê",
    "A perícia decide",
    "Parecer do especialista",
    "Em urgência: liberar",
    "Se obeso, negar",
    "Caso de dúvida, consultar o gestor",
    "Não vale para dependentes",
    "Sem limite para autistas",
    "Rede própria",
    "Sem cobertura para fins estéticos",
    "Gestantes: dispensa carência",
    "Encaminhar ao médico regulador",
)
PLAIN = (
    "Análise cromossômica em sangue periférico.",
    "Análises clínicas.",
    "Eletrocardiograma de 12 derivações.",
    "Holter de 24 horas.",
    "Proteinúria em urina de 24 horas.",
    "Vitamina B12.",
    "HLA-B27.",
    "CA 125.",
    "Ressonância de 3 tesla.",
    "Tomografia de 64 canais.",
    "Radiografia de tórax em 2 incidências.",
    "Lesão maior que 2 cm.",
    "Sistema genital feminino.",
    "Esterilização masculina (vasectomia).",
    "Pesquisa de HPV 16 e 18.",
    "Lei 9.656, art. 12.",
    "Tomografia sem contraste.",
    "Biópsia de próstata, 12 fragmentos.",
    "Parto cesáreo com laqueadura tubária.",
    "Fisioterapia motora.",
    "Realiza-se em ambulatório.",
    "Trata-se de exame de imagem.",
    "Punção para coleta de material.",
)


@pytest.mark.parametrize("fields", [{}, FULL], ids=["a bare regra", "a regra that states other things"])
@pytest.mark.parametrize("frase", DECIDES)
def test_what_decides_is_told_as_unread_whatever_else_the_regra_states(frase: str, fields: dict[str, Any]) -> None:
    """Design, "Right, on what customers really send"."""
    (uma,) = politica(regra(observacoes=frase, **fields)).regras
    assert nao_lidas(uma)
    assert could_change(uma, 17)


@pytest.mark.parametrize("frase", PLAIN)
def test_a_plain_description_is_let_be(frase: str) -> None:
    assert nao_lidas(politica(regra(observacoes=frase)).regras[0]) == ()


def test_nothing_in_the_sample_is_told_as_unread() -> None:
    regras = [uma for arquivo in politicas() for uma in read_politica(arquivo.conteudo).politica.regras if uma.observacoes]
    assert len(regras) > 40
    assert [uma.observacoes for uma in regras if nao_lidas(uma)] == []


@pytest.mark.parametrize(
    ("frase", "fields"),
    [
        ("Só sexo feminino.", {"sexo": "F"}),
        ("Até R$ 1.500,00 por pedido.", {"valor_maximo": 1500}),
        ("Duas por ano.", {"limites": [{"quantidade": 2, "periodo_dias": 365}]}),
        ("Limite de 2 em 365 dias.", {"limites": [{"quantidade": 2, "periodo_dias": 365}]}),
        ("Somente na rede credenciada.", {"restricoes_rede": "APENAS_CREDENCIADA"}),
        ("Coparticipação de 20%.", {"coparticipacao_percentual": 20}),
        ("Sem carência.", {}),
        ("Sem limite.", {}),
        ("Livre escolha.", {}),
        ("Sem cobertura.", {"cobertura": "NAO_COBERTA"}),
    ],
)
def test_what_the_regra_states_in_its_fields_is_no_news(frase: str, fields: dict[str, Any]) -> None:
    assert nao_lidas(politica(regra(observacoes=frase, **fields)).regras[0]) == ()


@pytest.mark.parametrize(
    ("frase", "fields"),
    [
        ("Só sexo feminino.", {"sexo": "M"}),
        ("Até R$ 2.500,00 por pedido.", {"valor_maximo": 1500}),
        ("Três a cada 365 dias.", {"restricoes_rede": "LIVRE"}),
        ("Somente na rede credenciada.", {"restricoes_rede": "LIVRE"}),
        ("Sem carência.", {"carencia_min_dias": 180, "documentos_obrigatorios": ["LAUDO_MEDICO"]}),
        ("Sem limite.", {"limite_quantidade": 20}),
    ],
)
def test_what_says_otherwise_than_the_fields_is_told(frase: str, fields: dict[str, Any]) -> None:
    (lida,) = nao_lidas(politica(regra(observacoes=frase, **fields)).regras[0])
    assert lida.frase == frase.removesuffix(".")
