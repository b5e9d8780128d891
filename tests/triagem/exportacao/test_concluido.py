"""What people decided goes out beside what was suggested: who, when, why; and the ranking is the ranking."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
import openpyxl
import pytest

from crivo.triagem.achados import Resultado
from crivo.triagem.casos.achado import Gravidade
from crivo.triagem.casos.guardados import Caso, Dito, SituacaoCaso, TipoDito
from crivo.triagem.conclusoes import Concluido
from crivo.triagem.edital import Chamada
from crivo.triagem.exportacao import NomeTabela, to_csv, to_json, to_xlsx
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao, Posto

LIA, RUI = UUID(int=1), UUID(int=2)
CPF = "529.982.247-25"
WHEN = datetime(2026, 11, 20, 17, 5, tzinfo=UTC)  # 14:05 in Brasília
GERADA_EM = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def said(tipo: TipoDito, texto: str) -> Dito:
    situacao: SituacaoCaso | None = "confirmado" if tipo == "decisao" else None
    return Dito(
        id=UUID(int=5),
        tipo=tipo,
        situacao=situacao,
        texto=texto,
        dono=None,
        tipos=(),
        projetos=(),
        por=LIA,
        por_nome="Lia Prado",
        em=WHEN,
    )


def case(numero: int, titulo: str, gravidade: Gravidade, projetos: tuple[str, ...], *historia: Dito) -> Caso:
    return Caso(
        id=UUID(int=numero),
        numero=numero,
        titulo=titulo,
        gravidade=gravidade,
        tipos=("texto_oculto",),
        projetos=projetos,
        sinais=(),
        presente=True,
        historia=historia,
        dono_nome="Rui Leal" if historia else "",
    )


@pytest.fixture
def concluido() -> Concluido:
    undone = DecisaoHabilitacao("P001", "pendencia", "inabilitado", "Engano.", RUI, WHEN, (), UUID(int=7), LIA, WHEN)
    before = DecisaoHabilitacao("P001", "inabilitado", "inabilitado", "=HYPERLINK()", RUI, WHEN)
    stands = DecisaoHabilitacao("P001", "habilitado", "inabilitado", f"Trouxe a certidão, CPF {CPF}.", LIA, WHEN, (undone, before))
    gone = DecisaoHabilitacao("P002", "inabilitado", None, "", LIA, WHEN, (), UUID(int=8), LIA, WHEN)
    return Concluido(
        decisoes={"P001": stands},
        desfeitas={"P002": (gone,)},
        avaliacoes=(
            Avaliacao("P001", "C1", LIA, Decimal("8.00"), "+bom", WHEN, WHEN),
            Avaliacao("P001", "C1", RUI, Decimal("7.50"), f"Vi {CPF}.", WHEN, WHEN),
            Avaliacao("P002", "C2", RUI, Decimal(3), "", WHEN, WHEN),
        ),
        casos=(
            case(1, "@texto escondido", "grave", ("P001", "P002"), said("decisao", "É isso mesmo."), said("anotacao", f"Vi {CPF}.")),
            case(2, "Trechos iguais", "media", ("P002",)),
        ),
        ranking=(
            Posto(UUID(int=21), "P001", 1, Decimal("7.754"), 2, Decimal("7.25")),
            Posto(UUID(int=22), "P002", None, Decimal(3), 1, None, fora=True),
        ),
        nomes={LIA: "Lia Prado", RUI: "Rui Leal"},
    )


def rows(resultado: Resultado, chamada: Chamada, concluido: Concluido, tabela: NomeTabela) -> list[dict[str, str]]:
    texto = to_csv(resultado, chamada, tabela, concluido).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(texto, newline=""), delimiter=";"))


def test_each_line_of_habilitacao_has_the_decision_beside_the_suggestion(
    resultado: Resultado, chamada: Chamada, concluido: Concluido
) -> None:
    first, _, second = rows(resultado, chamada, concluido, "habilitacao")
    assert (first["Habilitação sugerida"], first["Decisão"], first["Difere da sugestão"]) == ("Inabilitado", "Habilitado", "Sim")
    assert (first["Decidida por"], first["Decidida em"]) == ("Lia Prado", "20/11/2026 às 14h05")
    assert first["Motivo da decisão"] == "Trouxe a certidão, CPF ***.982.247-**."
    assert first["Decisões anteriores"].splitlines() == [
        "Pendência, por Rui Leal em 20/11/2026 às 14h05: Engano. [desfeita por Lia Prado em 20/11/2026 às 14h05]",
        "Inabilitado, por Rui Leal em 20/11/2026 às 14h05: =HYPERLINK()",
    ]
    assert (second["Decisão"], second["Decidida por"]) == ("", "")
    assert second["Casos do projeto"].splitlines() == ["Caso 1: @texto escondido (confirmado)", "Caso 2: Trechos iguais (em aberto)"]
    assert second["Decisões anteriores"].endswith("[desfeita por Lia Prado em 20/11/2026 às 14h05]")


def test_notas_of_people_have_a_line_each_by_criterio_and_person(resultado: Resultado, chamada: Chamada, concluido: Concluido) -> None:
    lines = rows(resultado, chamada, concluido, "notas")
    assert [(one["Projeto"], one["Critério"], one["Quem avaliou"], one["Nota"], one["Nota sugerida"]) for one in lines] == [
        ("P001", "C1", "Lia Prado", "8", "7,25"),
        ("P001", "C1", "Rui Leal", "7,5", "7,25"),
        ("P002", "C2", "Rui Leal", "3", ""),
    ]
    assert [one["O que escreveu"] for one in lines] == ["'+bom", "Vi ***.982.247-**.", ""]


def test_cases_have_a_line_each_with_who_settled_them_and_whose_they_are(
    resultado: Resultado, chamada: Chamada, concluido: Concluido
) -> None:
    first, second = rows(resultado, chamada, concluido, "casos")
    assert tuple(first.values()) == (
        "1",
        "'@texto escondido",
        "Grave",
        "Confirmado",
        "É isso mesmo.",
        "Lia Prado",
        "20/11/2026 às 14h05",
        "Rui Leal",
        "P001, P002",
        "Texto oculto",
        "Sim",
        "Lia Prado, 20/11/2026 às 14h05: Vi ***.982.247-**.",
    )
    assert (second["Situação"], second["Quem decidiu"]) == ("Em aberto", "")


def test_the_spreadsheet_of_the_ranking_is_the_ranking(resultado: Resultado, chamada: Chamada, concluido: Concluido) -> None:
    book: Any = openpyxl.load_workbook(io.BytesIO(to_xlsx(resultado, chamada, GERADA_EM, concluido, "ranking")))
    assert book.sheetnames == ["Ranking"]
    head, *lines = [[cell.value for cell in row] for row in book["Ranking"].iter_rows()]
    first, last = (dict(zip(head, line, strict=True)) for line in lines)
    assert head[:2] == ["Posição", "Projeto"]
    assert (first["Posição"], first["Projeto"], first["Situação"], first["Média das pessoas"]) == (1, "P001", "Habilitado", 7.75)
    assert (first["Quem avaliou"], first["Média sugerida"]) == (2, 7.25)
    assert (first["Mérito (pessoas)"], first["Mérito (sugerida)"], first["Alcance (pessoas)"]) == (7.75, 7.25, None)
    assert first["Título"] == "=1+1"
    assert [cell.data_type for cell in book["Ranking"][2]][2] == "s"
    assert (last["Posição"], last["Projeto"], last["Situação"]) == (None, "P002", "Sem decisão: fora da ordem")


def test_what_was_decided_has_a_line_for_each_project(resultado: Resultado, chamada: Chamada, concluido: Concluido) -> None:
    first, second = rows(resultado, chamada, concluido, "decisoes")
    assert (first["Projeto"], first["Decisão"], first["Decidida por"], first["Difere da sugestão"]) == (
        "P001",
        "Habilitado",
        "Lia Prado",
        "Sim",
    )
    assert (second["Projeto"], second["Decisão"]) == ("P002", "")


def test_the_whole_workbook_has_a_sheet_for_each_thing_that_people_concluded(
    resultado: Resultado, chamada: Chamada, concluido: Concluido
) -> None:
    book: Any = openpyxl.load_workbook(io.BytesIO(to_xlsx(resultado, chamada, GERADA_EM, concluido)))
    assert book.sheetnames == ["Resumo", "Habilitação", "Avaliação", "Irregularidades", "Decisões", "Casos", "Notas das pessoas", "Ranking"]
    told = {row[0].value: row[1].value for row in book["Resumo"].iter_rows() if row[1].value is not None}
    assert (told["Decisão de pessoas: habilitado"], told["Decisões diferentes da sugestão"]) == (1, 1)
    assert CPF not in "".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)


def test_json_keeps_its_shape_and_adds_what_people_concluded(resultado: Resultado, concluido: Concluido) -> None:
    """Design, Shapes."""
    raw = to_json(resultado, concluido)
    assert msgspec.json.decode(raw, type=Resultado) == msgspec.json.decode(to_json(resultado), type=Resultado)
    told, plain = json.loads(raw), json.loads(to_json(resultado))
    first, second = told["projetos"]
    assert {**first, "decisao": None} == {**plain["projetos"][0], "decisao": None}
    assert (first["decisao"]["decisao"], first["decisao"]["difere"], first["decisao"]["decidido_por"]) == ("habilitado", True, "Lia Prado")
    assert [one.get("desfeita_por") for one in first["decisao"]["anteriores"]] == ["Lia Prado", None]
    assert [one["decisao"] for one in second["decisoes_desfeitas"]] == ["inabilitado"]
    assert [(one["numero"], one["situacao"], one["projetos"]) for one in told["casos"]] == [
        (1, "confirmado", ["P001", "P002"]),
        (2, "aberto", ["P002"]),
    ]
    assert told["avaliacoes"][1] == {
        "projeto_id": "P001",
        "criterio": "C1",
        "avaliador": "Rui Leal",
        "nota": 7.5,
        "texto": "Vi ***.982.247-**.",
        "enviada_em": "2026-11-20T17:05:00Z",
    }
    assert [(one["projeto_id"], one["posicao"], one["fora"]) for one in told["ranking"]] == [("P001", 1, False), ("P002", None, True)]
    assert CPF not in raw.decode()


def test_where_nobody_concluded_anything_nothing_is_added(resultado: Resultado) -> None:
    assert set(json.loads(to_json(resultado))) == {"edital_id", "execucao_id", "projetos", "irregularidades"}
