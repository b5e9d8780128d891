"""A spreadsheet of notas is read as people write it, and every fault is told by its cell."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from crivo.triagem.edital import AvaliacaoDada, HabilitacaoDada
from crivo.triagem.planilha.conferencia import LINHAS_MAXIMO, Lida
from crivo.triagem.planilha.leitura import read_planilha
from planilhas import QUADRO, livro

RITA, DAVI = "rita@avalia.exemplo", "davi@avalia.exemplo"


def faults(content: bytes) -> dict[str, str]:
    return {one.onde: one.mensagem for one in read_planilha(content, QUADRO).problemas.listados}


def read(content: bytes) -> Lida:
    lida = read_planilha(content, QUADRO)
    assert lida.problemas.listados == []
    return lida


def test_notas_are_read_in_every_shape_that_people_write_them() -> None:
    lida = read(
        livro(
            ("P0001", "Rita Melo", 8.5, "4,5", "  Muito bom.  "),
            ("p0002", " RITA  MELO ", " 8,50 ", "4.5", None),
            ("P0003", "DAVI@avalia.exemplo", "0", 3, ""),
        )
    )
    assert lida.avaliacoes == [
        AvaliacaoDada("P0001", RITA, {"C1": Decimal("8.5"), "C2": Decimal("4.5")}, "Muito bom."),
        AvaliacaoDada("P0002", RITA, {"C1": Decimal("8.5"), "C2": Decimal("4.5")}),
        AvaliacaoDada("P0003", DAVI, {"C1": Decimal(0), "C2": Decimal(3)}),
    ]
    assert lida.avisos.total == 0


def test_headings_come_in_any_order_case_and_accents_by_id_or_by_name() -> None:
    cabecalho = ("PARECER", "alcance", "Título", "merito (0 a 10)", "AVALIADOR", "Código do projeto")
    lida = read(livro(("Sim.", 4, "A roda", 7, "Davi Sena", "P0001"), cabecalho=cabecalho))
    assert lida.avaliacoes == [AvaliacaoDada("P0001", DAVI, {"C1": Decimal(7), "C2": Decimal(4)}, "Sim.")]


def test_a_csv_with_the_same_columns_says_the_same() -> None:
    text = "Projeto;Avaliador;C1;C2;Parecer\r\nP0001;Rita Melo;8,5;4;Ótimo\r\n\r\nP0002;Rita Melo;7;3,25;\r\n"
    for encoded in (text.encode("utf-8-sig"), text.encode("cp1252"), text.encode("utf-16")):
        lida = read(encoded)
        assert [one.notas["C1"] for one in lida.avaliacoes] == [Decimal("8.5"), Decimal(7)]
        assert lida.avaliacoes[0].parecer == "Ótimo"
    with_comma = 'Projeto,Avaliador,C1,C2\nP0001,Rita Melo,"8,5",4\n'
    assert read(with_comma.encode()).avaliacoes[0].notas == {"C1": Decimal("8.5"), "C2": Decimal(4)}
    habilitacao = "Projeto\tSituação\tMotivo\nP0001\tInabilitado\tFora do prazo\n"
    assert read(habilitacao.encode()).habilitacoes == [HabilitacaoDada("P0001", "inabilitado", "Fora do prazo")]


def test_habilitacao_is_read_beside_the_notas_and_rows_left_blank_say_nothing() -> None:
    lida = read(
        livro(
            ("P0001", "Rita Melo", 8, 4, None),
            ("P0002", "Rita Melo", None, None, None),
            habilitacao=[("P0001", "HABILITADA", None), ("P0002", "Pendência", "Falta a ata"), ("P0003", None, None)],
        )
    )
    assert lida.habilitacoes == [HabilitacaoDada("P0001", "habilitado"), HabilitacaoDada("P0002", "pendencia", "Falta a ata")]
    assert (lida.linhas, lida.em_branco) == (5, 2)


def test_every_fault_is_told_at_once_by_its_cell() -> None:
    def formulas(book: Any) -> None:
        book["Notas"]["D2"] = "=2+2"
        book["Notas"]["C9"] = date(2026, 5, 8)

    found = faults(
        livro(
            ("P0001", "Rita Melo", 12, None, None),
            ("P0001", "Rita Melo", 5, 0, None),
            ("P9999", "Rita Melo", 5, 4, None),
            ("P0001", "Ana Luz", 5, 4, None),
            ("P0001", "Zeca", 5, 4, None),
            ("P0002", "zeca@", 8.125, "bom", None),
            ("P0002", None, 8, 4, None),
            ("P0003", "Davi Sena", None, 4, None),
            (None, "Davi Sena", 1, 4, None),
            ("P0004", "Davi Sena", 1, 4, None),
            ("P0002", "Davi Sena", None, None, "Só o texto"),
            mexe=formulas,
        )
    )
    assert found == {
        "Notas!C2": "12 passa do máximo 10 de C1 (Mérito).",
        "Notas!D2": "a célula é uma fórmula. Copie a célula e cole só o valor.",
        "Notas!B3": "repete o projeto e a pessoa da linha 2. Deixe uma só.",
        "Notas!D3": "0 está abaixo do mínimo 1 de C2 (Alcance).",
        "Notas!A4": "não há projeto “P9999” neste edital.",
        "Notas!B5": "duas pessoas que avaliam este edital têm este nome. Escreva o e-mail de quem avaliou.",
        "Notas!B6": "ninguém que avalia este edital tem este nome. Confira o nome, ou escreva o e-mail.",
        "Notas!B7": "isto não é um e-mail. Escreva como em ana@exemplo.org.",
        "Notas!C7": "8,125 tem mais de duas casas depois da vírgula. Arredonde.",
        "Notas!D7": "“bom” não é uma nota. Escreva só o número, como 8,5; deixe vazia a que não houve.",
        "Notas!B8": "falta quem avaliou, por e-mail ou nome.",
        "Notas!C9": "a célula virou uma data. Formate a célula como número e escreva de novo.",
        "Notas!A10": "falta o código do projeto.",
        "Notas!A11": "os dados de quem propôs P0004 foram apagados a pedido. Apague a linha.",
        "Notas!E12": "há um parecer e nenhuma nota. Escreva as notas, ou apague o parecer.",
    }


def test_faults_of_habilitacao_are_told_by_their_cells_too() -> None:
    rows = [("P0001", "aprovado", None), ("P0002", "habilitado", None), ("P0002", "inabilitado", None), ("P0003", None, "Por quê")]
    assert faults(livro(("P0001", "Rita Melo", 8, 4, None), habilitacao=rows)) == {
        "Habilitação!B2": "“aprovado” não é situação: são habilitado, inabilitado e pendência.",
        "Habilitação!A4": "repete o projeto da linha 3. Deixe uma só.",
        "Habilitação!B5": "há um motivo e nenhuma situação. Escreva habilitado, inabilitado ou pendência.",
    }


def test_empty_rows_in_the_middle_and_above_do_no_harm_and_cells_keep_their_own_numbers() -> None:
    def pushed_down(book: Any) -> None:
        book["Notas"].insert_rows(1, 2)
        book["Notas"].insert_rows(5, 3)

    content = livro(("P0001", "Rita Melo", 8, 4, None), ("P0002", "Rita Melo", 99, 4, None), mexe=pushed_down)
    assert list(faults(content)) == ["Notas!C8"]


@pytest.mark.parametrize(
    ("cabecalho", "onde", "palavras"),
    [
        (("Projeto", "Avaliador", "Merito", "C2", "Nota total"), "Notas!E1", "“Nota total” não é critério deste edital"),
        (("Projeto", "Avaliador", "C1", "Alcanse", "Parecer"), "Notas!D1", "Quis dizer “Alcance”?"),
        (("Projeto", "Avaliador", "C1", "Mérito", "Parecer"), "Notas!D1", "repete a coluna do critério C1"),
        (("Projeto", "Quem", "C1", "C2", "Parecer"), "Notas!A1", "falta a coluna Avaliador"),
        (("Projeto", "Avaliador", None, None, "Parecer"), "Notas!A1", "falta a coluna uma para cada critério"),
        (("Projeto", "Avaliador", "C1", "C2", None), "Notas!E2", "a coluna não tem nome"),
    ],
)
def test_headings_that_say_nothing_are_told(cabecalho: tuple[str | None, ...], onde: str, palavras: str) -> None:
    found = faults(livro(("P0001", "Rita Melo", 5, 4, "Sim"), cabecalho=cabecalho))
    assert palavras in found[onde]


def test_merged_cells_and_hidden_sheets_are_refused_and_other_sheets_left_out_with_a_word() -> None:
    def merged(book: Any) -> None:
        book["Notas"].merge_cells("A2:A3")

    assert "Desfaça a mescla" in faults(livro(("P0001", "Rita Melo", 5, 4, None), mexe=merged))["Notas!A2:A3"]

    def hidden(book: Any) -> None:
        book.create_sheet("Rascunho")
        book["Notas"].sheet_state = "hidden"

    assert "oculta" in faults(livro(("P0001", "Rita Melo", 5, 4, None), mexe=hidden))["Notas"]
    lida = read(livro(("P0001", "Rita Melo", 5, 4, None), mexe=lambda book: book.create_sheet("Contas")))
    assert [(one.onde, one.codigo) for one in lida.avisos.listados] == [("Contas", "folha_nao_lida")]


def test_a_workbook_whose_only_sheet_has_another_name_is_read_and_one_of_several_is_not_guessed() -> None:
    def renamed(book: Any) -> None:
        book["Notas"].title = "Planilha1"

    assert len(read(livro(("P0001", "Rita Melo", 5, 4, None), mexe=renamed)).avaliacoes) == 1

    def two(book: Any) -> None:
        renamed(book)
        book.create_sheet("Planilha2")

    assert "Dê o nome Notas" in faults(livro(("P0001", "Rita Melo", 5, 4, None), mexe=two))["Notas"]


def test_a_nota_that_lacks_is_a_word_of_warning_and_no_fault() -> None:
    lida = read(livro(("P0001", "Rita Melo", 5, None, None)))
    assert lida.avaliacoes[0].notas == {"C1": Decimal(5)}
    assert [one.onde for one in lida.avisos.listados] == ["Notas!B2"]


def test_no_fault_tells_who_judged_and_a_cpf_is_masked() -> None:
    found = faults(livro(("529.982.247-25", "Zeca da Silva", 5, "529.982.247-25", None)))
    assert not any("Zeca" in said or "529.982" in said for said in found.values())
    assert "Notas!B2" in found


def test_faults_beyond_a_thousand_are_counted() -> None:
    lida = read_planilha(livro(*[("P0001", f"a{at}@x.org", 99, 4, None) for at in range(1_500)]), QUADRO)
    told = lida.problemas.as_problems()
    assert (lida.problemas.total, len(told), told[-1].mensagem) == (1_500, 1_001, "E mais 500 ocorrências além destas.")


def test_more_rows_than_the_limit_are_refused_at_the_first_beyond_it() -> None:
    rows = "".join(f"P0001;a{at}@x.org;5;4\n" for at in range(LINHAS_MAXIMO + 2))
    assert faults(f"Projeto;Avaliador;C1;C2\n{rows}".encode())[f"Notas!A{LINHAS_MAXIMO + 2}"].startswith("a folha passa de 100.000 linhas")
