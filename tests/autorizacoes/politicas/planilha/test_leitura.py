"""Spreadsheets as administradoras keep them are read as regras, with every fault by its cell. Source: design, RF3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from crivo.autorizacoes.politicas.documento import to_document
from crivo.autorizacoes.politicas.planilha.colunas import guess
from crivo.autorizacoes.politicas.planilha.leitura import Cabeca, PlanilhaLida, read_planilha
from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas, MapaInvalido, read_mapa, write_mapa
from crivo.kernel.errors import CrivoError
from crivo.kernel.planilha.erros import PlanilhaIlegivel
from planilhas_de_politicas import aurora, boreal, cerrado, delta, estrela, livro

CABECA = Cabeca("ADM-1", "Rol", "1", "2026-01-01")


def regras_of(lida: PlanilhaLida) -> dict[str, Any]:
    assert lida.importada is not None, lida.problemas
    return {regra["regra_id"]: regra for regra in json.loads(to_document(lida.importada.politica))["regras"]}


def cells_of(problems: Any) -> dict[str, str]:
    return {one.caminho: one.codigo for one in problems}


def uma(titulo: str, celula: object, **mais: object) -> PlanilhaLida:
    """A table of one row, with a column of that heading."""
    titulos = ["Código", "Cobertura", titulo, *mais]
    return read_planilha(livro(("Plan1", [titulos, ["40304361", "sim", celula, *mais.values()]])), CABECA)


def test_a_table_with_a_title_two_rows_of_headings_and_merged_cells_is_read_whole() -> None:
    lida = read_planilha(aurora(), Cabeca(documento="Rol"))
    regras = regras_of(lida)
    assert dict(lida.cabeca) == {
        "administradora_id": "AUR-9", "documento": "Rol", "versao": "2026.4", "vigencia_inicio": "2026-01-01", "vigencia_fim": "2026-12-31"
    }  # fmt: skip
    assert regras["R-40304361-Ouro"] | {"regra_id": ""} == {
        "regra_id": "",
        "codigo": "40304361",
        "descricao": "Hemograma completo",
        "cobertura": "COBERTA",
        "plano_id": "Ouro",
        "restricoes_idade": {"min": 18, "max": 65},
        "documentos_obrigatorios": ["PEDIDO_MEDICO"],
        "documentos_alternativos": [["LAUDO_MEDICO", "RELATORIO_MEDICO"]],
        "coparticipacao_percentual": 20,
    }
    assert regras["R-40304370-Ouro"]["coparticipacao_percentual"] == 30  # under a merged plano
    assert regras["R-30715016-Prata"]["alternativas"] == [{"codigo": "30715024"}]


def test_what_is_no_regra_is_listed_by_its_cell_and_never_dropped() -> None:
    lida = read_planilha(aurora(), Cabeca(documento="Rol"))
    assert cells_of(lida.nao_ditas) == {"Antiga": "folha_nao_lida", "Rol 2026!A6": "linha_nao_lida", "Rol 2026!A10": "linha_nao_lida"}
    assert cells_of(lida.avisos)["Rol 2026!A8"] == "linhas_ocultas"


def test_a_csv_of_excel_says_limits_waits_money_and_what_no_field_can_say() -> None:
    lida = read_planilha(boreal(), CABECA)
    regras = regras_of(lida)
    assert regras["R-20101015"]["limites"] == [{"quantidade": 40, "periodo_dias": 365}]
    assert (regras["R-20101015"]["carencia_min_dias"], regras["R-20101015"]["valor_maximo"]) == (180, 1234.56)
    assert "sexo" not in regras["R-20101015"]
    assert [one["periodo_dias"] for one in regras["R-40808033"]["limites"]] == [30, 365]
    assert (regras["R-40901238"]["observacoes"], regras["R-40901238"]["sexo"]) == ("Limite: 3 por gestação", "F")
    assert cells_of(lida.nao_ditas) == {"CSV!E3": "nao_dita"}


def test_a_column_for_each_plano_makes_a_regra_for_each() -> None:
    regras = regras_of(read_planilha(cerrado(), CABECA))
    assert {nome: regra["cobertura"] for nome, regra in regras.items()} == {
        "R-10101012-Ouro": "COBERTA",
        "R-10101012-Prata": "COBERTA",
        "R-40304361-Ouro": "COBERTA",
        "R-40304361-Prata": "NAO_COBERTA",
    }
    assert regras["R-40304361-Ouro"]["documentos_obrigatorios"] == ["LAUDO_MEDICO"]


def test_a_sheet_for_each_plano_is_guessed_so_and_what_is_said_twice_counts_once() -> None:
    lida = read_planilha(delta(), CABECA)
    assert lida.mapa.plano_da_folha
    assert {regra["plano_id"] for regra in regras_of(lida).values()} == {"Ouro", "Prata"}
    assert cells_of(lida.avisos) == {"Ouro!A5": "linha_repetida"}
    assert cells_of(lida.nao_ditas) == {"Capa": "folha_nao_lida"}


def test_every_fault_of_a_sheet_is_told_at_once_by_its_cell() -> None:
    assert cells_of(read_planilha(estrela(), CABECA).problemas) == {
        "Plan1!C2": "cobertura_desconhecida",
        "Plan1!D2": "dias_invalidos",
        "Plan1!E2": "faixa_invalida",
        "Plan1!F2": "percentual_invalido",
        "Plan1!C3": "formula_sem_valor",
        "Plan1!A4": "codigo_virou_data",
        "Plan1!D5": "celula_estranha",
        "Plan1!E5": "idade_invertida",
        "Plan1!F5": "valor_fora_da_faixa",
        "Plan1!A6": "codigo_cientifico",
        "Plan1!A7": "sem_codigo",
    }


def test_a_fault_that_the_document_has_is_told_by_the_cell_it_came_from() -> None:
    linhas = [["Código", "Cobertura", "Idade mín", "Idade máx", "Copart. %"], ["1", "sim", 65, 18, 20], ["2", "sim", 1, 2, 120]]
    lida = read_planilha(livro(("Folha", linhas)), CABECA)
    assert cells_of(lida.problemas) == {"Folha!C2": "idade_invertida", "Folha!E3": "valor_fora_da_faixa"}


@pytest.mark.parametrize(
    ("titulo", "celula", "campo", "valor"),
    [
        ("Carência (dias)", "24 horas", "carencia_min_dias", 1),
        ("Carência (dias)", "2 anos", "carencia_min_dias", 730),
        ("Carência (dias)", "isento", "carencia_min_dias", 0),
        ("Idade", "18 a 65 anos", "restricoes_idade", {"min": 18, "max": 65}),
        ("Idade", "menores de 12 anos", "restricoes_idade", {"max": 11}),
        ("Idade", "0 a 12 anos, 11 meses e 29 dias", "restricoes_idade", {"min": 0, "max": 12}),
        ("Rede", "livre escolha", "restricoes_rede", "LIVRE"),
        ("Rede credenciada?", "sim", "restricoes_rede", "APENAS_CREDENCIADA"),
        ("Limite", "até 2", "limite_quantidade", 2),
        ("Limite", "2 por pedido", "limite_quantidade", 2),
        ("Limite", "1 a cada 6 meses", "limites", [{"quantidade": 1, "periodo_dias": 180}]),
        ("Limite anual", 12, "limites", [{"quantidade": 12, "periodo_dias": 365}]),
        ("Copart. %", 0.2, "coparticipacao_percentual", 20),
        ("Copart. %", 20, "coparticipacao_percentual", 20),
        ("Copart. %", "12,5%", "coparticipacao_percentual", 12.5),
        ("Teto (R$)", "R$ 1.234,56", "valor_maximo", 1234.56),
        ("CPT", "24 meses", "cpt_meses", 24),
        ("Plano", "Ouro; Prata", "planos", ["Ouro", "Prata"]),
        ("Documentos", "Pedido médico\nlaudo médico", "documentos_obrigatorios", ["PEDIDO_MEDICO", "LAUDO_MEDICO"]),
        ("Documentos", "Laudo ou relatório", "documentos_alternativos", [["LAUDO", "RELATORIO"]]),
        ("Alternativa", "4.03.04.37-0 - Glicose", "alternativas", [{"codigo": "40304370", "descricao": "Glicose"}]),
        ("Sexo", "feminino", "sexo", "F"),
        ("Tipo", "alta complexidade", "tipo_atendimento", "ALTA_COMPLEXIDADE"),
    ],
)
def test_a_cell_in_peoples_words_says_what_they_mean(titulo: str, celula: object, campo: str, valor: object) -> None:
    (regra,) = regras_of(uma(titulo, celula)).values()
    assert regra[campo] == valor


@pytest.mark.parametrize("celula", ["sem limite", "-", "N/A", None])
def test_a_cell_that_says_nothing_restricts_nothing(celula: object) -> None:
    (regra,) = regras_of(uma("Limite", celula)).values()
    assert set(regra) == {"regra_id", "codigo", "cobertura"}


def test_codes_that_became_numbers_keep_what_can_be_known_of_them() -> None:
    def mexe(book: Any) -> None:
        book["P"]["A3"].number_format = "00000000"

    linhas = [["Código", "Cobertura"], [1010101, "sim"], [1010102, "sim"], ["40304361 - Hemograma", "sim"], ["40304370; 40304388", "sim"]]
    lida = read_planilha(livro(("P", linhas), mexe=mexe), CABECA)
    assert [regra["codigo"] for regra in regras_of(lida).values()] == ["1010101", "01010102", "40304361", "40304370", "40304388"]
    assert cells_of(lida.avisos) == {"P!A2": "zeros_perdidos"}


def test_a_column_that_nobody_knows_is_asked_about_and_a_map_answers() -> None:
    content = livro(("P", [["Código", "Cobertura", "Grupo"], ["40304361", "sim", "Laboratório"]]))
    lida = read_planilha(content, CABECA)
    assert (lida.mapa.colunas["Grupo"], cells_of(lida.nao_ditas)) == ("", {"P!C1": "coluna_nao_lida"})
    told = read_planilha(content, CABECA, MapaDeColunas({"Código": "codigo", "Cobertura": "cobertura", "Grupo": "ignorar"}))
    assert told.nao_ditas == ()


def test_a_column_that_the_map_reads_and_the_file_lost_is_a_fault() -> None:
    mapa = MapaDeColunas({"Código": "codigo", "Cobertura": "cobertura", "Carência": "carencia_min_dias"})
    lida = read_planilha(livro(("P", [["Código", "Cobertura"], ["1", "sim"]])), CABECA, mapa)
    assert cells_of(lida.problemas) == {"P": "coluna_ausente"}


def test_a_table_of_covered_procedures_alone_takes_what_holds_of_all_from_the_map() -> None:
    content = livro(("P", [["Código", "Descrição"], ["40304361", "Hemograma"]]))
    assert [one.codigo for one in read_planilha(content, CABECA).problemas] == ["sem_cobertura"]
    mapa = MapaDeColunas({"Código": "codigo", "Descrição": "descricao"}, {"cobertura": "sim", "plano": "Ouro"})
    (regra,) = regras_of(read_planilha(content, CABECA, mapa)).values()
    assert (regra["cobertura"], regra["plano_id"]) == ("COBERTA", "Ouro")


def test_a_map_goes_out_and_comes_in_the_same_and_names_only_what_there_is() -> None:
    mapa = MapaDeColunas({"Código": "codigo", "Obs": "ignorar"}, {"tabela": "TUSS"}, fracao=True)
    assert read_mapa(write_mapa(mapa).encode()) == mapa
    for raw in (b"colunas: {A: nada}", b"[]", b"colunas: &a [*a]", b"\xff", b"colunas: {A: codigo}\noutra: 1", b"a: 2026-01-01"):
        with pytest.raises(MapaInvalido):
            read_mapa(raw)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, b"%PDF-1.7", b'a;"b\n1;2']
)
def test_what_is_no_table_is_a_clear_error(content: bytes) -> None:
    with pytest.raises(CrivoError) as refused:
        read_planilha(content, CABECA)
    assert isinstance(refused.value, PlanilhaIlegivel)


def test_a_table_without_any_heading_that_is_known_shows_its_columns_to_be_chosen() -> None:
    lida = read_planilha(livro(("P", [["Alfa", "Beta"], ["um dia", "outro"]])), CABECA)
    assert [one.codigo for one in lida.problemas] == ["sem_codigo"]
    assert [(one.titulo, one.campo) for one in lida.colunas] == [("Alfa", ""), ("Beta", "")]


@pytest.mark.parametrize("celula", ["R$ 60,00", "R$8", "60 reais", "30%, máx. R$ 50", "30% até R$ 50,00"])
def test_money_is_no_percentage_and_the_fault_says_so_by_the_cell(celula: str) -> None:
    content = livro(("P", [["Código", "Cobertura", "Copart."], ["1", "sim", "20%"], ["2", "sim", celula]]))
    (falha,) = read_planilha(content, CABECA).problemas
    assert (falha.caminho, falha.codigo) == ("P!C3", "dinheiro_no_percentual")
    assert "R$ não é percentual" in falha.mensagem
    assert "observações" in falha.mensagem


def test_a_number_that_is_formatted_as_reais_is_money_too() -> None:
    def mexe(book: Any) -> None:
        book["P"]["C3"].number_format = '"R$" #,##0.00'
        book["P"]["D3"].number_format = "_-[$R$-416] * #,##0.00"

    linhas = [["Código", "Cobertura", "Copart. %", "Teto (R$)"], ["1", "sim", 20, None], ["2", "sim", 8, 1234.5]]
    assert cells_of(read_planilha(livro(("P", linhas), mexe=mexe), CABECA).problemas) == {"P!C3": "dinheiro_no_percentual"}
    linhas = [["Código", "Cobertura", "Grupo", "Teto (R$)"], linhas[1], ["2", "sim", 8, 1234.5]]
    assert regras_of(read_planilha(livro(("P", linhas), mexe=mexe), CABECA))["R-2"]["valor_maximo"] == 1234.5


def test_a_percentage_is_no_amount_of_money() -> None:
    content = livro(("P", [["Código", "Cobertura", "Valor máximo"], ["1", "sim", "R$ 60,00"], ["2", "sim", "30%"]]))
    assert cells_of(read_planilha(content, CABECA).problemas) == {"P!C3": "percentual_no_valor"}


def test_a_column_that_nobody_answered_is_guessed_anew_in_the_next_file() -> None:
    kept = MapaDeColunas({"Cód": "codigo", "Sexo": "", "Grupo": "ignorar", "Cobre?": "cobertura"}, {"plano": "Ouro"})
    assert kept.decided.colunas == {"Cód": "codigo", "Grupo": "ignorar", "Cobre?": "cobertura"}
    assert not kept.fits(["Cód", "Sexo", "Grupo", "Cobre?"])
    guessed = MapaDeColunas({"Cód": "codigo", "Sexo": "sexo", "Grupo": "", "Código TUSS": "codigo", "Obs": "observacoes"})
    over = kept.over(guessed)
    assert over.colunas == {"Cód": "codigo", "Sexo": "sexo", "Grupo": "ignorar", "Código TUSS": "", "Obs": "observacoes"}
    assert over.fixos == {"plano": "Ouro"}
    assert kept.missing(["Cód", "Sexo"]) == {"Cobre?": "cobertura"}


def test_a_heading_that_may_mean_two_things_or_that_no_plano_has_for_a_name_is_asked_about() -> None:
    linhas = [
        ["CD_PROCED", "IND_COBERT", "PERC_COPART", "VL_TETO_COPART"],
        ["40304361", "S", "20", "50,00"],
        ["40304370", "N", "30", "80,00"],
    ]
    lida = read_planilha("\r\n".join(map(";".join, linhas)).encode(), CABECA)
    assert [one.codigo for one in lida.problemas] == ["sem_cobertura"]
    assert lida.mapa.colunas == {"CD_PROCED": "codigo", "IND_COBERT": "", "PERC_COPART": "coparticipacao_percentual", "VL_TETO_COPART": ""}
    answered = {**lida.mapa.colunas, "IND_COBERT": "cobertura"}
    read = read_planilha("\r\n".join(map(";".join, linhas)).encode(), CABECA, MapaDeColunas(answered))
    assert {regra.get("plano_id", "*") for regra in regras_of(read).values()} == {"*"}
    assert read.sem_resposta == ("VL_TETO_COPART",)


@pytest.mark.parametrize("titulo", ["VL_TETO_COPART", "Coparticipação (R$)", "Código do plano", "Valor", "IND_COBERT"])
def test_a_heading_that_is_not_plain_is_no_guess(titulo: str) -> None:
    assert guess([titulo]) == {}


def test_two_headings_that_are_as_likely_are_neither() -> None:
    assert guess(["Cobertura Ouro", "Cobertura Prata", "Carência para exame"]) == {"Carência para exame": "carencia_min_dias"}


@pytest.mark.parametrize("celula", ["sob análise", "Auditoria", "Parcial"])
def test_a_coverage_that_a_person_would_decide_is_never_taken_as_covered(celula: str) -> None:
    content = livro(("P", [["Código", "Cobertura"], ["1", "sim"], ["2", celula]]))
    (falha,) = read_planilha(content, CABECA).problemas
    assert (falha.caminho, falha.codigo) == ("P!B3", "cobertura_desconhecida")
    assert "sim, não ou condicional" in falha.mensagem


@pytest.mark.parametrize(
    ("celula", "rede"),
    [
        ("Rede credenciada", "APENAS_CREDENCIADA"),
        ("somente na rede referenciada", "APENAS_CREDENCIADA"),
        ("Livre escolha", "LIVRE"),
        ("qualquer prestador", "LIVRE"),
        ("credenciada ou livre escolha", "LIVRE"),
        ("Referenciada oncologia", None),
        ("não credenciada", None),
        ("livre, exceto São Paulo", None),
        ("credenciada no interior", None),
    ],
)
def test_a_network_is_read_where_the_cell_says_that_and_no_more(celula: str, rede: str | None) -> None:
    lida = read_planilha(livro(("P", [["Código", "Cobertura", "Rede"], ["1", "sim", "livre"], ["2", "sim", celula]])), CABECA)
    if rede is None:
        assert cells_of(lida.problemas) == {"P!C3": "rede_desconhecida"}
    else:
        assert regras_of(lida)["R-2"]["restricoes_rede"] == rede


def test_what_people_noted_beside_a_cell_is_listed_and_never_dropped() -> None:
    def mexe(book: Any) -> None:
        book["P"]["B2"].comment = Comment("Só com parecer da auditoria", "Ana")
        book["Outra"]["A1"].comment = Comment("[Threaded comment]\n\nYour version of Excel…\n\nComment:\n    ver com Bia", "tc")

    content = livro(("P", [["Código", "Cobertura"], ["1", "sim"]]), ("Outra", [["nada"]]), mexe=mexe)
    told = {one.caminho: one.mensagem for one in read_planilha(content, CABECA).nao_ditas if one.codigo == "comentario_nao_lido"}
    assert list(told) == ["P!B2", "Outra!A1"]
    assert "“Só com parecer da auditoria”" in told["P!B2"]
    assert "“ver com Bia”" in told["Outra!A1"]


def test_all_that_is_wrong_with_a_row_is_told_at_once() -> None:
    titulos = ["Código", "Cobertura", "Idade mín", "Idade máx", "Copart. %", "Carência (dias)", "Sexo"]
    linhas = [titulos, ["1", "sim", 65, 18, 120, "muitos", "x"], [None, "talvez", 1, 2, 130, None, None], ["3", "sim", 1, 2, 20, 30, "F"]]
    assert cells_of(read_planilha(livro(("P", linhas)), CABECA).problemas) == {
        "P!F2": "dias_invalidos",
        "P!G2": "sexo_desconhecido",
        "P!C2": "idade_invertida",
        "P!E2": "valor_fora_da_faixa",
        "P!B3": "cobertura_desconhecida",
        "P!A3": "sem_codigo",
        "P!E3": "valor_fora_da_faixa",
    }


@pytest.mark.parametrize(
    ("celula", "dita"),
    [
        ("180 dias / urgência 24h", {"carencia_min_dias": 180, "carencia_urgencia_dias": 1}),
        ("180 dias; urgência/emergência: 24 horas", {"carencia_min_dias": 180, "carencia_urgencia_dias": 1}),
        ("180 (24 meses se CPT)", {"carencia_min_dias": 180, "cpt_meses": 24}),
        (
            "6 meses, 24h urgência e 24 meses para doença preexistente",
            {"carencia_min_dias": 180, "carencia_urgencia_dias": 1, "cpt_meses": 24},
        ),
        ("24 horas em urgência", {"carencia_urgencia_dias": 1}),
        ("24 meses", {"carencia_min_dias": 730}),
        ("180", {"carencia_min_dias": 180}),
    ],
)
def test_a_wait_with_those_of_urgency_and_of_preexisting_diseases_is_read_whole(celula: str, dita: dict[str, int]) -> None:
    (regra,) = regras_of(uma("Carência", celula)).values()
    assert {campo: valor for campo, valor in regra.items() if campo in ("carencia_min_dias", "carencia_urgencia_dias", "cpt_meses")} == dita


@pytest.mark.parametrize("celula", ["180 dias / 300 dias parto", "180 / 300", "urgência", "(24 meses se)"])
def test_a_wait_that_says_something_else_is_a_fault_that_names_the_columns(celula: str) -> None:
    content = livro(("P", [["Código", "Cobertura", "Carência"], ["1", "sim", 30], ["2", "sim", celula]]))
    (falha,) = read_planilha(content, CABECA).problemas
    assert (falha.caminho, falha.codigo) == ("P!C3", "dias_invalidos")
    assert "“Carência em urgência (dias)”" in falha.mensagem


def test_two_columns_that_say_other_waits_of_urgency_are_a_fault() -> None:
    lida = uma("Carência", "180 / urgência 24h", **{"Carência em urgência": 2})
    assert cells_of(lida.problemas) == {"Plan1!D2": "dito_de_dois_modos"}


@pytest.mark.parametrize(
    ("quantos", "periodo", "dito"),
    [
        (12, "ano", {"limites": [{"quantidade": 12, "periodo_dias": 365}]}),
        (2, "por mês", {"limites": [{"quantidade": 2, "periodo_dias": 30}]}),
        (1, 90, {"limites": [{"quantidade": 1, "periodo_dias": 90}]}),
        (1, "24 meses", {"limites": [{"quantidade": 1, "periodo_dias": 730}]}),
        (3, "pedido", {"limite_quantidade": 3}),
        (3, None, {"limite_quantidade": 3}),
    ],
)
def test_a_limit_in_two_columns_is_one_limit(quantos: int, periodo: object, dito: dict[str, Any]) -> None:
    (regra,) = regras_of(uma("QT_LIM", quantos, PERIOD_LIM=periodo)).values()
    assert {campo: valor for campo, valor in regra.items() if campo.startswith("limite")} == dito


def test_a_period_without_how_many_is_no_limit_and_is_told() -> None:
    assert cells_of(uma("QT_LIM", None, PERIOD_LIM="ano").problemas) == {"Plan1!D2": "limite_sem_quantidade"}


def test_both_sexes_and_a_date_without_end_restrict_nothing() -> None:
    lida = uma("SEXO", "A", **{"Fim da vigência": "31/12/9999"})
    assert lida.importada is not None
    assert (lida.importada.politica.vigencia_fim, "sexo" in regras_of(lida)["R-40304361"]) == (None, False)


@pytest.mark.parametrize(
    ("celula", "tipos"),
    [
        ("pedido e laudo", ["PEDIDO", "LAUDO"]),
        ("laudo e exames", ["LAUDO", "EXAMES"]),
        ("termo de ciência e consentimento", ["TERMO_DE_CIENCIA_E_CONSENTIMENTO"]),
    ],
)
def test_two_documents_that_an_e_joins_are_two(celula: str, tipos: list[str]) -> None:
    (regra,) = regras_of(uma("Documentos", celula)).values()
    assert regra["documentos_obrigatorios"] == tipos


def test_a_document_of_their_own_name_is_shown_and_the_map_says_which_it_is() -> None:
    linhas = [
        ["Código", "Cobertura", "Documentos"],
        ["1", "sim", "Laudo"],
        ["2", "sim", "laudo; pedido médico"],
        ["3", "sim", "laudo ou guia"],
    ]
    content = livro(("P", linhas))
    lida = read_planilha(content, CABECA)
    assert lida.desconhecidos == ("LAUDO", "GUIA")
    mapa = MapaDeColunas(dict(lida.mapa.colunas), documentos={"laudo": "LAUDO_MEDICO", "Guia": "guia de solicitação"})
    primeira, segunda, terceira = regras_of(read_planilha(content, CABECA, read_mapa(write_mapa(mapa).encode()))).values()
    assert primeira["documentos_obrigatorios"] == ["LAUDO_MEDICO"]
    assert segunda["documentos_obrigatorios"] == ["LAUDO_MEDICO", "PEDIDO_MEDICO"]
    assert terceira["documentos_alternativos"] == [["LAUDO_MEDICO", "GUIA_SOLICITACAO"]]
    with pytest.raises(MapaInvalido):
        read_mapa(b"colunas: {A: codigo}\ndocumentos: {laudo: '-'}")


def test_what_holds_of_all_rows_and_cannot_be_read_is_a_fault_and_no_silence() -> None:
    content = livro(("P", [["Código", "Cobertura"], ["1", "sim"]]))
    mapa = MapaDeColunas({"Código": "codigo", "Cobertura": "cobertura"}, {"tabela": "a nossa"})
    (falha,) = read_planilha(content, CABECA, mapa).problemas
    assert falha.codigo == "tabela_desconhecida"
    assert guess(["Código", "Período"]) == {"Código": "codigo"}


def test_a_plain_heading_over_cells_that_are_mostly_wrong_is_read_and_its_cells_are_faults() -> None:
    linhas = [["Código", "Cobertura", "Copart."], ["1", "talvez", "R$ 8"], ["2", "talvez", "R$ 60,00"]]
    assert cells_of(read_planilha(livro(("P", linhas)), CABECA).problemas) == {
        "P!B2": "cobertura_desconhecida",
        "P!C2": "dinheiro_no_percentual",
        "P!B3": "cobertura_desconhecida",
        "P!C3": "dinheiro_no_percentual",
    }


def test_a_code_with_more_figures_than_those_of_tuss_is_told() -> None:
    lida = read_planilha(livro(("P", [["Código", "Cobertura"], ["403043610", "sim"]])), CABECA)
    assert cells_of(lida.avisos) == {"P!A2": "codigo_longo"}


@pytest.mark.parametrize("fins", [("31/12/9999", "30/06/2027"), ("30/06/2027", "31/12/9999"), ("30/06/2027", None), (None, "30/06/2027")])
def test_a_row_without_an_end_beside_one_that_ends_is_a_fault_as_two_ends_are(fins: tuple[str | None, str | None]) -> None:
    linhas = [[f"4030436{at}", "sim", fim] for at, fim in enumerate(fins)]
    content = livro(("P", [["Código", "Cobertura", "Fim da vigência"], *linhas]))
    mapa = MapaDeColunas({"Código": "codigo", "Cobertura": "cobertura", "Fim da vigência": "vigencia_fim"})
    lida = read_planilha(content, CABECA, mapa)
    assert cells_of(lida.problemas) == {"P!C3": "cabeca_contraria"}
    for dito, fim in (("30/06/2026", "2026-06-30"), ("31/12/9999", None)):
        dada = Cabeca("ADM-1", "Rol", "1", "2026-01-01", dito)
        importada = read_planilha(content, dada, mapa).importada
        assert importada is not None
        assert importada.politica.vigencia_fim == fim


TABELA = [["Código", "Cobertura"], ["40304361", "sim"]]
OUTRA = [["Código", "Cobertura"], ["40304370", "não"]]


def test_sheets_are_planos_only_where_all_are_named_as_planos_are() -> None:
    planos = read_planilha(livro(("Plano Ouro", TABELA), ("Prata", OUTRA)), CABECA)
    assert planos.mapa.plano_da_folha
    assert planos.planos == (("Plano Ouro", 1), ("Prata", 1))
    grupos = read_planilha(livro(("Exames", TABELA), ("Terapias", OUTRA)), CABECA)
    assert not grupos.mapa.plano_da_folha
    assert grupos.planos == (("*", 2),)
    assert [one.codigo for one in grupos.avisos] == ["folhas_de_todos_os_planos"]


def test_a_sheet_that_asks_not_to_be_used_takes_nothing_from_the_others_and_is_told() -> None:
    atual = [["Código TUSS", "Cobre?"], ["40304361", "sim"]]
    antiga = [["Código", "Cobertura"], ["40304370", "não"]]
    lida = read_planilha(livro(("Atual", atual), ("NÃO USAR - antiga", antiga)), CABECA)
    assert [regra["codigo"] for regra in regras_of(lida).values()] == ["40304361"]
    assert cells_of(lida.nao_ditas) == {"NÃO USAR - antiga": "folha_nao_lida"}
    assert lida.folhas == ("Atual", "NÃO USAR - antiga")
    outra = read_planilha(livro(("Atual", atual), ("Velha", antiga)), CABECA)  # each by its own headings
    assert len(regras_of(outra)) == 2
    fora = read_planilha(livro(("Atual", atual), ("Velha", antiga)), CABECA, MapaDeColunas(outra.mapa.colunas, folhas_ignoradas=["velha"]))
    assert len(regras_of(fora)) == 1
    assert set(fora.mapa.colunas) == {"Código TUSS", "Cobre?"}


def test_what_is_struck_through_does_not_hold_and_what_nobody_sees_is_told() -> None:
    def mexe(book: Any) -> None:
        sheet = book["P"]
        risco = Font(strike=True)
        for cell in sheet[3]:
            cell.font = risco
        sheet["C4"].font = risco
        sheet.column_dimensions["C"].hidden = True

    linhas = [["Código", "Cobertura", "Carência (dias)"], ["40304361", "sim", 30], ["40304370", "sim", 60], ["40304388", "sim", 90]]
    lida = read_planilha(livro(("P", linhas), mexe=mexe), CABECA)
    assert cells_of(lida.nao_ditas) == {"P!A3": "linha_riscada"}
    assert cells_of(lida.problemas) == {"P!C4": "celula_riscada"}
    assert cells_of(lida.avisos) == {"P!C1": "coluna_oculta"}


def test_a_total_is_left_out_and_told() -> None:
    linhas = [["Código", "Procedimento", "Cobertura"], ["40304361", "Hemograma", "sim"], ["TOTAL", None, "=COUNTA(C2:C2)"]]
    lida = read_planilha(livro(("P", linhas)), CABECA)
    assert cells_of(lida.nao_ditas) == {"P!A3": "linha_de_total"}
    assert len(regras_of(lida)) == 1


def test_doubts_are_told_beside_faults_and_not_only_once_these_are_mended() -> None:
    linhas = [
        ["Código", "Cobertura", "Obs"],
        ["40304361", "sim", "Enviar para o médico auditor"],
        ["40304370", "talvez", "Só com parecer da junta"],
        ["40304388", "sim", None],
    ]
    lida = read_planilha(livro(("P", linhas)))  # no head at all
    assert lida.importada is None
    assert cells_of(lida.avisos) == {"P!C2": "observacao_nao_lida", "P!C3": "observacao_nao_lida"}


def test_a_row_that_somebody_decides_stays_in_the_sheet_and_is_no_regra() -> None:
    linhas = [["Código", "Cobertura", "Obs"], ["40304361", "rever", "mediante auditoria"], ["40304370", "sim", None]]
    lida = read_planilha(livro(("P", linhas)), CABECA)
    assert [regra["codigo"] for regra in regras_of(lida).values()] == ["40304370"]
    assert cells_of(lida.nao_ditas) == {"P!A2": "linha_para_rever"}
    assert "mediante auditoria" in lida.nao_ditas[0].mensagem
    alcanca = read_planilha(livro(("P", [*linhas, ["4030*", "sim", None]])), CABECA)
    assert cells_of(alcanca.problemas) == {"P!A2": "rever_alcancada"}
    sim = read_planilha(livro(("P", [["Código", "Cobertura"], ["40304361", "Sim, mediante auditoria"]])), CABECA)
    assert "escreva rever" in sim.problemas[0].mensagem
