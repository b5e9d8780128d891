"""What an import keeps, reports and warns of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crivo.autorizacoes.contracts import Alternativa, Excecao, Politica, Regra
from crivo.autorizacoes.politicas.documento import Importada, LidaDeObservacoes
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.nos import PoliticaInvalida
from crivo.kernel.errors import Problem

EXEMPLOS = Path("../shared/data/autorizacoes/exemplos.json")


def import_regras(*regras: dict[str, Any], **cabeca: Any) -> Importada:
    base = {"administradora_id": "ADM-001", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    completas = [{"regra_id": f"R-{n}", "codigo": "40304361", "cobertura": "COBERTA", **regra} for n, regra in enumerate(regras)]
    return read_politica(json.dumps({**base, **cabeca, "regras": completas}, ensure_ascii=False, indent=1).encode())


def import_regra(**regra: Any) -> Regra:
    return import_regras(regra).politica.regras[0]


def problem_of(**regra: Any) -> Problem:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras(regra)
    assert len(caught.value.problemas) == 1
    return caught.value.problemas[0]


def test_what_is_absent_or_null_does_not_restrict() -> None:
    nulos = ("carencia_min_dias", "restricoes_idade", "limite_quantidade", "documentos_obrigatorios", "alternativas", "observacoes")
    assert import_regra(**dict.fromkeys(nulos)) == Regra(regra_id="R-0", codigo="40304361", cobertura="COBERTA")


def test_blank_observacoes_and_an_age_range_without_bounds_state_nothing() -> None:
    regra = import_regra(observacoes="  ", restricoes_idade={"min": None})
    assert (regra.observacoes, regra.restricoes_idade) == (None, None)


def test_codes_are_normalised_and_document_types_folded_without_repeats() -> None:
    regra = import_regra(
        codigo=" 4.03.* ",
        documentos_obrigatorios=["Laudo médico", "LAUDO_MEDICO", "pedido-médico"],
        alternativas=[{"codigo": "4.03.04.37-0"}],
        plano_id=" OURO ",
    )
    assert regra.codigo == "403*"
    assert regra.documentos_obrigatorios == ("LAUDO_MEDICO", "PEDIDO_MEDICO")
    assert regra.alternativas == (Alternativa("40304370"),)
    assert regra.plano_id == "OURO"


def test_whole_numbers_become_integers() -> None:
    regra = import_regra(carencia_min_dias=180.0, limite_quantidade=2.0, coparticipacao_percentual=12.5)
    assert [regra.carencia_min_dias, regra.limite_quantidade, regra.coparticipacao_percentual] == [180, 2, 12.5]
    assert isinstance(regra.carencia_min_dias, int)
    assert isinstance(regra.limite_quantidade, int)


@pytest.mark.parametrize(
    ("regra", "codigo", "caminho", "palavras"),
    [
        ({"limite_quatidade": 1}, "campo_desconhecido", "limite_quatidade", "quis dizer `limite_quantidade`?"),
        ({"LimiteQuantidade": 1}, "campo_desconhecido", "LimiteQuantidade", "quis dizer `limite_quantidade`?"),
        ({"carência_min_dias": 1}, "campo_desconhecido", "carência_min_dias", "quis dizer `carencia_min_dias`?"),
        ({"zzz": 1}, "campo_desconhecido", "zzz", "`crivo politicas esquema`"),
        ({"obs": "x"}, "campo_desconhecido", "obs", "quis dizer `observacoes`?"),
        ({"Observações clínicas": "x"}, "campo_desconhecido", "Observações clínicas", "quis dizer `observacoes`?"),
        ({"observacoes": ["x"]}, "tipo_errado", "observacoes", "deve ser um texto entre aspas; aqui há uma lista"),
        ({"cobertura": "coberta"}, "valor_fora_da_lista", "cobertura", "Quis dizer `COBERTA`?"),
        ({"tabela": "tus"}, "valor_fora_da_lista", "tabela", "Quis dizer `TUSS`?"),
        ({"tabela": None}, "tipo_errado", "tabela", "aqui está vazio"),
        ({"plano_id": None}, "tipo_errado", "plano_id", "aqui está vazio"),
        ({"codigo": "40*61"}, "codigo_invalido", "codigo", "só pode ter `*` no fim"),
        ({"codigo": "4030**"}, "codigo_invalido", "codigo", "só pode ter `*` no fim"),
        ({"codigo": 40304361}, "tipo_errado", "codigo", "texto entre aspas; aqui está `40304361`"),
        ({"codigo": "4" * 65}, "texto_longo", "codigo", "até 64 caracteres, e tem 65"),
        ({"regra_id": "a\nb"}, "texto_invalido", "regra_id", "uma linha só"),
        ({"observacoes": "a\u0000b"}, "texto_invalido", "observacoes", "invisível"),
        ({"carencia_min_dias": -1}, "valor_fora_da_faixa", "carencia_min_dias", "um número inteiro de 0 a 36500; aqui está `-1`"),
        ({"carencia_min_dias": 1.5}, "valor_fora_da_faixa", "carencia_min_dias", "inteiro"),
        ({"carencia_min_dias": True}, "tipo_errado", "carencia_min_dias", "aqui está `true`"),
        ({"carencia_urgencia_dias": -1}, "valor_fora_da_faixa", "carencia_urgencia_dias", "de 0 a"),
        (
            {"coparticipacao_percentual": 100.5},
            "valor_fora_da_faixa",
            "coparticipacao_percentual",
            "um número de 0 a 100; aqui está `100.5`",
        ),
        ({"limite_quantidade": -0.5}, "valor_fora_da_faixa", "limite_quantidade", "de 0 a"),
        ({"limite_quantidade": "2"}, "tipo_errado", "limite_quantidade", "sem aspas"),
        ({"autorizacao_previa": "sim"}, "tipo_errado", "autorizacao_previa", "`true` (sim) ou `false` (não)"),
        ({"restricoes_idade": {"min": 131}}, "valor_fora_da_faixa", "restricoes_idade.min", "de 0 a 130"),
        ({"restricoes_idade": {"min": 60, "max": 18}}, "idade_invertida", "restricoes_idade", "maior que a máxima (18)"),
        ({"restricoes_idade": {"mim": 1}}, "campo_desconhecido", "restricoes_idade.mim", "quis dizer `min`?"),
        ({"alternativas": [{"codigo": "4030*"}]}, "codigo_invalido", "alternativas[0].codigo", "um código inteiro"),
        ({"alternativas": [{"descricao": "x"}]}, "campo_ausente", "alternativas[0].codigo", "Falta `codigo`"),
        ({"alternativas": ["40304370"]}, "tipo_errado", "alternativas[0]", "deve ser um objeto"),
        ({"excecoes": {}}, "tipo_errado", "excecoes", "deve ser uma lista; aqui há um objeto"),
        (
            {"excecoes": [{"motivo": "restricao_idade", "instrucao": " "}]},
            "texto_vazio",
            "excecoes[0].instrucao",
            "não pode ficar em branco",
        ),
        ({"documentos_obrigatorios": ["--"]}, "texto_sem_letras", "documentos_obrigatorios[0]", "não tem letra nem algarismo"),
    ],
)
def test_a_fault_of_a_regra_is_told_with_what_would_be_right(regra: dict[str, Any], codigo: str, caminho: str, palavras: str) -> None:
    problem = problem_of(**regra)
    assert (problem.codigo, problem.caminho) == (codigo, f"regras[0].{caminho}")
    assert palavras in problem.mensagem


@pytest.mark.parametrize(
    ("cabeca", "codigo", "caminho"),
    [
        ({"vigencia_fim": "2025-12-31"}, "vigencia_invertida", "vigencia_fim"),
        ({"vigencia_inicio": "2026-02-29"}, "data_inexistente", "vigencia_inicio"),
        ({"vigencia_inicio": "2026-01-01\n"}, "data_invalida", "vigencia_inicio"),
        ({"administradora_id": ""}, "texto_vazio", "administradora_id"),
        ({"status": "publicada"}, "campo_desconhecido", "status"),
    ],
)
def test_a_fault_of_the_head_is_told_by_its_field(cabeca: dict[str, Any], codigo: str, caminho: str) -> None:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras({}, **cabeca)
    assert [(problem.codigo, problem.caminho) for problem in caught.value.problemas] == [(codigo, caminho)]


@pytest.mark.parametrize("fim", ["até hoje", "a hoje", "hoje", "indeterminado", "sem data fim", "-"])
def test_words_for_an_open_end_are_answered_with_how_to_write_one(fim: str) -> None:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras({}, vigencia_fim=fim)
    (problem,) = caught.value.problemas
    assert (problem.codigo, problem.caminho) == ("data_invalida", "vigencia_fim")
    assert "Se ainda não há esse dia, escreva `null` ou deixe o campo de fora." in problem.mensagem


def test_the_name_of_an_operadora_points_to_the_administradora() -> None:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras({}, operadora="ADM-1")
    (problem,) = caught.value.problemas
    assert problem.mensagem == "`operadora` não existe em política; quis dizer `administradora_id`?"


def test_a_politica_needs_at_least_one_regra() -> None:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras()
    assert [problem.codigo for problem in caught.value.problemas] == ["lista_vazia"]


def test_a_vigencia_of_a_single_day_is_accepted() -> None:
    assert import_regras({}, vigencia_fim="2026-01-01").politica.vigencia_fim == "2026-01-01"


def test_regra_ids_that_differ_only_in_blanks_are_the_same() -> None:
    with pytest.raises(PoliticaInvalida) as caught:
        import_regras({"regra_id": "R"}, {"regra_id": " R "}, {"regra_id": "R"})
    assert [problem.caminho for problem in caught.value.problemas] == ["regras[1].regra_id", "regras[2].regra_id"]


def test_odd_but_allowed_values_are_avisos_with_their_lines() -> None:
    importada = import_regras(
        {"limite_quantidade": 0.5},
        {"limite_quantidade": 1, "alternativas": [{"codigo": "4.03.04.36-1"}], "plano_id": "OURO"},
        {"excecoes": [{"motivo": "restrição de idade", "instrucao": "Ligar."}], "plano_id": "PRATA"},
    )
    assert [(aviso.codigo, aviso.caminho, aviso.linha) for aviso in importada.relatorio.avisos] == [
        ("limite_abaixo_de_um", "regras[0].limite_quantidade", 11),
        ("alternativa_igual", "regras[1].alternativas[0].codigo", 20),
        ("motivo_desconhecido", "regras[2].excecoes[0].motivo", 31),
    ]
    assert importada.relatorio.regras_total == 3


def test_what_only_observacoes_name_is_read_and_reported_regra_by_regra() -> None:
    """PRD RF5: alternativa descrita em observacoes."""
    codigo = "Não coberto. Similar coberto 40304370 - Hemograma com plaquetas"
    idade = "Fora da faixa etária, encaminhar para auditoria clínica."
    importada = import_regras({"observacoes": codigo}, {"observacoes": "Nada."}, {"observacoes": idade, "alternativas": []})
    regras = importada.politica.regras
    assert regras[0].alternativas == (Alternativa("40304370", "Hemograma com plaquetas"),)
    assert regras[2].excecoes == (Excecao("restricao_idade", "Encaminhar para auditoria clínica."),)
    assert importada.relatorio.lidos_de_observacoes == (
        LidaDeObservacoes("R-0", "regras[0].observacoes", 11, "alternativas", "40304370 - Hemograma com plaquetas", codigo),
        LidaDeObservacoes("R-2", "regras[2].observacoes", 23, "excecoes", "Encaminhar para auditoria clínica.", idade),
    )


def test_what_the_regra_states_is_not_read_again_from_observacoes() -> None:
    alternativas = [{"codigo": "50304370"}]
    excecoes = [{"motivo": "restricao_idade", "instrucao": "Ligar."}]
    observacoes = "Alternativa: 40304370. Fora da faixa etária, encaminhar para auditoria clínica."
    importada = import_regras({"alternativas": alternativas, "excecoes": excecoes, "observacoes": observacoes})
    assert importada.politica.regras[0].alternativas == (Alternativa("50304370"),)
    assert importada.politica.regras[0].excecoes == (Excecao("restricao_idade", "Ligar."),)
    assert importada.relatorio.lidos_de_observacoes == ()


def test_an_excecao_for_another_motivo_leaves_room_for_the_one_of_age() -> None:
    outra = {"motivo": "rede_nao_credenciada", "instrucao": "Ligar."}
    regra = import_regra(excecoes=[outra], observacoes="Fora da faixa etária, encaminhar para auditoria clínica.")
    assert [excecao.motivo for excecao in regra.excecoes] == ["rede_nao_credenciada", "restricao_idade"]


@pytest.mark.skipif(not EXEMPLOS.exists(), reason="the worked cases are not beside this repository")
def test_the_politicas_of_the_worked_cases_are_read_as_they_stand() -> None:
    for documento in json.loads(EXEMPLOS.read_bytes())["politicas"]:
        importada = read_politica(json.dumps(documento).encode())
        assert importada.politica == msgspec.convert(documento, Politica)
        assert importada.relatorio.avisos == ()
        assert importada.relatorio.regras_total == len(documento["regras"])
