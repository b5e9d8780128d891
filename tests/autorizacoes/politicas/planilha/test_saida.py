"""A política that goes out comes in as the very same document, whatever it says. Source: design, RF3."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.documento import to_document
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.planilha.leitura import read_planilha
from crivo.autorizacoes.politicas.planilha.saida import CelulaNaoCabe, Formato, file_name, write_politica
from crivo.kernel.errors import CrivoError

AMOSTRA = sorted(files("crivo.autorizacoes.amostra").joinpath("politicas").iterdir(), key=str)
LINHA = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12).filter(lambda one: bool(one.strip()))
ESTRANHO = st.sampled_from(["=1+1", "'=a", "+55", "-", "n/a", "todos", "a;b", "a e b", "A, B", "40304361 - X", '"x"', "[1]", "1e3", "sim"])
NOME = LINHA | ESTRANHO
TEXTO = NOME | st.sampled_from(["uma\nduas", "tem; ponto", "=HYPERLINK(1)", "_x0041_", "fim\r\n\tdois"])
CODIGO = (
    st.from_regex(r"[0-9]{8}", fullmatch=True) | st.from_regex(r"[0-9]{2,5}\*", fullmatch=True) | st.sampled_from(["*", "RM-CRANIO", "A,B"])
)
NUMERO = st.integers(0, 10**6) | st.floats(0, 10**6, allow_nan=False)
DOCUMENTO = st.from_regex(r"[A-Z]{3,9}(_[A-Z]{2,9})?", fullmatch=True)
REGRA = st.fixed_dictionaries(
    {"codigo": CODIGO, "cobertura": st.sampled_from(["COBERTA", "NAO_COBERTA", "CONDICIONAL"])},
    optional={
        "plano_id": NOME,
        "planos": st.lists(NOME, max_size=3),
        "tabela": st.sampled_from(["TUSS", "CBHPM", "OUTRA", "*"]),
        "descricao": NOME,
        "documentos_obrigatorios": st.lists(DOCUMENTO, max_size=3),
        "documentos_alternativos": st.lists(st.lists(DOCUMENTO, min_size=1, max_size=3), max_size=2),
        "carencia_min_dias": st.integers(0, 36_500),
        "carencia_urgencia_dias": st.integers(0, 36_500),
        "cpt_meses": st.integers(1, 1_200),
        "restricoes_idade": st.fixed_dictionaries({"min": st.none() | st.integers(0, 60), "max": st.none() | st.integers(60, 130)}),
        "sexo": st.sampled_from(["F", "M"]),
        "restricoes_rede": st.sampled_from(["APENAS_CREDENCIADA", "LIVRE"]),
        "limite_quantidade": NUMERO,
        "limites": st.lists(
            st.fixed_dictionaries(
                {"quantidade": NUMERO, "periodo_dias": st.integers(1, 36_500)}, optional={"por": st.sampled_from(["CODIGO", "REGRA"])}
            ),
            max_size=2,
        ),
        "valor_maximo": NUMERO,
        "autorizacao_previa": st.booleans(),
        "coparticipacao_percentual": st.integers(0, 100) | st.floats(0, 100, allow_nan=False),
        "prazo_validade_autorizacao_dias": st.integers(0, 36_500),
        "permite_autorizacao_condicionada": st.booleans(),
        "tipo_atendimento": st.sampled_from(["CONSULTA", "ALTA_COMPLEXIDADE", "INTERNACAO_ELETIVA"]),
        "alternativas": st.lists(st.fixed_dictionaries({"codigo": CODIGO}, optional={"descricao": TEXTO}), max_size=2),
        "excecoes": st.lists(st.fixed_dictionaries({"motivo": st.just("restricao_idade") | NOME, "instrucao": TEXTO}), max_size=2),
        "observacoes": TEXTO,
    },
)
POLITICA = st.fixed_dictionaries(
    {
        "administradora_id": NOME,
        "documento": NOME,
        "versao": NOME,
        "vigencia_inicio": st.just("2026-01-01"),
        "regras": st.lists(REGRA, min_size=1, max_size=4),
    },
    optional={"vigencia_fim": st.just("2026-12-31"), "planos": st.lists(NOME, max_size=3)},
)


def numbered(document: Mapping[str, Any]) -> dict[str, Any]:
    return {**document, "regras": [{"regra_id": f"R-{at}", **regra} for at, regra in enumerate(document["regras"])]}


def back(raw: bytes, formato: Formato) -> Politica:
    if formato in ("json", "yaml"):
        return read_politica(raw, "json" if formato == "json" else "yaml").politica
    lida = read_planilha(raw)
    assert lida.importada is not None, lida.problemas
    return lida.importada.politica


@settings(deadline=None)  # four files a time
@given(document=POLITICA)
def test_whatever_a_politica_says_reads_back_the_same_from_every_format(document: dict[str, Any]) -> None:
    try:
        politica = read_politica(json.dumps(numbered(document)).encode()).politica
    except CrivoError:
        return  # what was drawn is no política
    formatos: tuple[Formato, ...] = ("csv", "xlsx", "json", "yaml")
    for formato in formatos:
        assert to_document(back(write_politica(politica, formato), formato)) == to_document(politica), formato


@pytest.mark.parametrize("arquivo", AMOSTRA, ids=lambda one: one.name)
@pytest.mark.parametrize("formato", ["csv", "xlsx", "json", "yaml"])
def test_the_sample_documents_read_back_the_same(arquivo: Any, formato: Formato) -> None:
    politica = read_politica(arquivo.read_bytes()).politica
    assert to_document(back(write_politica(politica, formato), formato)) == to_document(politica)


def test_cells_that_hold_lists_are_in_words_wherever_words_read_back() -> None:
    regra = {
        "regra_id": "R", "codigo": "1", "cobertura": "COBERTA", "planos": ["Ouro", "Prata"],
        "documentos_obrigatorios": ["PEDIDO_MEDICO", "DA_CASA"], "documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_MEDICO"]],
    }  # fmt: skip
    outra = {"regra_id": "S", "codigo": "2", "cobertura": "COBERTA", "documentos_obrigatorios": []}
    politica = read_politica(json.dumps(_document(regra, outra)).encode()).politica
    rows = list(csv.DictReader(io.StringIO(write_politica(politica, "csv").decode("utf-8-sig")), delimiter=";"))
    assert rows[0]["Documentos obrigatórios"] == "pedido médico; DA_CASA"
    assert rows[0]["Documentos alternativos"] == "laudo médico ou relatório médico"
    assert rows[0]["Plano"] == "Ouro; Prata"
    assert rows[1]["Documentos obrigatórios"] == ""


@pytest.mark.parametrize("plano", ["[]", "[1]", "a;b", "todos", "-"])
def test_a_declared_plano_reads_back_whatever_it_is_called(plano: str) -> None:
    politica = read_politica(
        json.dumps({**_document({"regra_id": "R", "codigo": "1", "cobertura": "COBERTA"}), "planos": [plano]}).encode()
    ).politica
    assert back(write_politica(politica, "csv"), "csv").planos == (plano,)


@pytest.mark.parametrize(
    ("documento", "versao", "nome"),
    [("Rol da Aurora", "2026.4", "rol-da-aurora-2026.4.xlsx"), ('Á"\r\n/../b', "1", "a-..-b-1.xlsx"), ("計画", "…", "politica.xlsx")],
)
def test_a_file_is_called_by_its_document_and_version(documento: str, versao: str, nome: str) -> None:
    assert file_name(documento, versao, "xlsx") == nome


def test_an_end_that_is_written_as_the_last_day_of_all_reads_back_the_same() -> None:
    regra = {"regra_id": "R", "codigo": "1", "cobertura": "COBERTA"}
    politica = read_politica(json.dumps({**_document(regra), "vigencia_fim": "9999-12-31"}).encode()).politica
    assert back(write_politica(politica, "xlsx"), "xlsx").vigencia_fim == "9999-12-31"


def test_nothing_that_goes_out_in_a_csv_begins_as_a_formula() -> None:
    regra = {"regra_id": "=1", "codigo": "1", "cobertura": "COBERTA", "observacoes": "@SUM(1)", "plano_id": "+1", "descricao": "-x"}
    politica = read_politica(json.dumps(_document(regra)).encode()).politica
    texto = write_politica(politica, "csv").decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(texto), delimiter=";") for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert {"'=1", "'@SUM(1)", "'+1", "'-x"} <= set(cells)


def test_what_no_cell_of_excel_can_hold_is_told_and_goes_out_as_csv() -> None:
    alternativas = [{"codigo": f"{at:08d}", "descricao": "x" * 400} for at in range(100)]
    politica = read_politica(
        json.dumps(_document({"regra_id": "R", "codigo": "1", "cobertura": "COBERTA", "alternativas": alternativas})).encode()
    ).politica
    with pytest.raises(CelulaNaoCabe):
        write_politica(politica, "xlsx")
    assert to_document(back(write_politica(politica, "csv"), "csv")) == to_document(politica)


def _document(*regras: Mapping[str, Any]) -> dict[str, Any]:
    return {"administradora_id": "A", "documento": "D", "versao": "1", "vigencia_inicio": "2026-01-01", "regras": list(regras)}
