"""What every export says of a suggested nota: who wrote it, how it stands, and nothing in the place of one that is not there."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import openpyxl
import pytest

from crivo.triagem.achados import Evidencia, LeituraAssistida, NotaSugerida, ProjetoTriado, Resultado
from crivo.triagem.edital import Chamada
from crivo.triagem.exportacao import to_csv, to_json, to_xlsx

_EVIDENCIA = Evidencia(campo="descricao_tecnica", trecho="doze encontros abertos")


@pytest.fixture
def graded() -> Resultado:
    notas = (
        NotaSugerida("C1", Decimal("7.50"), "Descreve encontros.", Decimal("0.92"), (_EVIDENCIA,), "sugerida", "openai:um", simulado=True),
        NotaSugerida("C2", None, "", Decimal(0), (), "abstencao", "openai:um", simulado=True, observacao="O texto dá ordens."),
    )
    leitura = (LeituraAssistida("C2", (Evidencia(campo="resumo", trecho="fala de alcance"),)),)
    return Resultado("ED-1", "exec-1", (ProjetoTriado("P001", "habilitado", "", True, (), notas, leitura),), ())


def test_json_has_the_author_the_standing_and_null_where_there_is_no_nota(graded: Resultado) -> None:
    """Source: design, Shapes; issue, "every nota, page and export of it says 'modelo simulado'"."""
    first, second = json.loads(to_json(graded))["projetos"][0]["notas"]
    assert (first["nota_sugerida"], first["confianca"], first["situacao"]) == (7.5, 0.92, "sugerida")
    assert (first["modelo"], first["simulado"], first["evidencias"][0]["trecho"]) == ("openai:um", True, "doze encontros abertos")
    assert (second["nota_sugerida"], second["situacao"], second["observacao"]) == (None, "abstencao", "O texto dá ordens.")
    assert msgspec.json.decode(to_json(graded), type=Resultado) == graded


def test_the_table_of_people_says_so_in_words(graded: Resultado, chamada: Chamada) -> None:
    texto = to_csv(graded, chamada, "avaliacao").decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(texto, newline=""), delimiter=";")
    assert (first["Nota sugerida"], first["Confiança"], first["Situação da nota"]) == ("7,5", "0,92", "Sugerida")
    assert (first["Sugerida por"], first["Passagens do projeto"]) == ("modelo simulado", "[descrição técnica] “doze encontros abertos”")
    assert (second["Nota sugerida"], second["Confiança"], second["Situação da nota"]) == ("", "", "Absteve-se")
    assert (second["Observação"], second["Passagens do projeto"]) == ("O texto dá ordens.", "[resumo] “fala de alcance”")


def test_the_summary_of_a_spreadsheet_counts_notas_and_names_who_wrote_them(graded: Resultado, chamada: Chamada) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(graded, chamada, datetime(2026, 11, 21, tzinfo=UTC))))
    told = {row[0].value: row[1].value for row in book["Resumo"].iter_rows(min_row=2, max_col=2)}
    assert (told["Notas sugeridas"], told["Sem nota: o modelo absteve-se ou não respondeu"]) == (1, 1)
    assert told["Sugeridas por"] == "modelo simulado"
