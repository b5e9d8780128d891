"""What two results differ in, as people ask it, and in what their rules do."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from chamadas_classificadas import INTERIOR, classificada, cota, inscrito, uma_categoria
from crivo.triagem.classificacao.concorrencia import Desistencia
from crivo.triagem.classificacao.definicao import Classificacao, Corte, PorCampo, PorSorteio
from crivo.triagem.edital import Edital
from crivo.triagem.publicacao.comparacao import compare
from crivo.triagem.publicacao.conteudo import Conteudo, Identificado, contents_of
from crivo.triagem.publicacao.diferencas import differences
from crivo.triagem.publicacao.movimentos import counted, moved

REGRAS = Classificacao(vagas=uma_categoria(1), suplentes=1)


def result(notas: dict[str, str], regras: Classificacao = REGRAS, gone: str = "") -> Conteudo:
    left = (Desistencia(gone, date(2026, 11, 20)),) if gone else ()
    found = classificada(regras, *((inscrito(codigo), [nota]) for codigo, nota in notas.items()), desistencias=left)
    return contents_of(Edital("ED-1", ""), found, {one: Identificado(f"Projeto {one}", "") for one in notas}, "preliminar", 1)


def told(antes: Conteudo, depois: Conteudo) -> dict[str, tuple[str, ...]]:
    return {one.mudanca.projeto_id: one.movimentos for one in moved(compare(antes, depois))}


def test_a_nota_that_rises_moves_who_has_it_and_whom_it_passes() -> None:
    found = told(result({"A": "9", "B": "8", "C": "7"}), result({"A": "9", "B": "8", "C": "10"}))
    assert found == {
        "C": ("entrou", "situacao", "nota", "subiu"),
        "A": ("saiu", "situacao", "desceu"),
        "B": ("situacao", "desceu"),
    }
    assert list(found) == ["C", "A", "B"]


def test_a_sentence_that_counts_one_less_is_no_change() -> None:
    before, after = result({"A": "9", "B": "8", "C": "7", "D": "6"}), result({"A": "9", "B": "8", "C": "7"})
    assert {one.projeto_id for one in compare(before, after)} == {"A", "B", "C", "D"}  # "1º de 4", "1º de 3"
    assert told(before, after) == {"D": ("sumiu",)}


def test_who_withdraws_left_and_the_next_entered() -> None:
    found = told(result({"A": "9", "B": "8", "C": "7"}), result({"A": "9", "B": "8", "C": "7"}, gone="A"))
    assert found == {"B": ("entrou", "situacao", "subiu"), "A": ("saiu", "situacao"), "C": ("situacao", "subiu")}


def test_a_nota_that_went_with_its_project_is_no_other_one() -> None:
    out = replace(REGRAS, corte=Corte(Decimal(75)))
    before, after = result({"A": "9", "B": "7"}), result({"A": "9", "B": "7"}, out)
    assert told(before, after) == {"B": ("situacao",)}
    assert told(after, before) == {"B": ("situacao",)}


def test_each_kind_is_counted() -> None:
    changes = moved(compare(result({"A": "9", "B": "8", "C": "7"}), result({"A": "9", "B": "8", "C": "10"})))
    assert counted(changes) == {"entrou": 1, "saiu": 1, "situacao": 3, "nota": 1, "subiu": 1, "desceu": 2}


def test_the_same_result_differs_in_nothing() -> None:
    assert told(result({"A": "9", "B": "8"}), result({"A": "9", "B": "8"})) == {}
    assert differences(result({"A": "9"}), result({"A": "9"})) == ()


def test_rules_that_changed_are_told_part_by_part() -> None:
    before = result({"A": "9"})
    regras = replace(
        REGRAS,
        minimo_avaliadores=2,
        divergencia_maxima=Decimal("12.5"),
        corte=Corte(Decimal(60), {"C1": Decimal(5)}, ("C1",)),
        bonus=(INTERIOR,),
        bonus_maximo=Decimal(10),
        desempate=(PorCampo("idade"), PorSorteio()),
        vagas=uma_categoria(3, cota("PCD", 1, "5.3")),
        remanejamento=("cotas",),
        suplentes=0,
        semente="outra",
    )
    found = {one.parte: (one.antes, one.depois) for one in differences(before, result({"A": "9"}, regras))}
    assert found == {
        "Avaliações que bastam": ("1", "2"),
        "Divergência máxima": ("nada", "12,5% da escala do critério"),
        "Cortes": ("nada", "nota base mínima de 60,00; média mínima de 5,00 em C1; zero em C1 elimina"),
        "Bônus INTERIOR": ("nada", "5 pontos para quem declara regiao igual a interior (7.3)"),
        "Teto dos bônus": ("nada", "10 pontos"),
        "Desempates, em ordem": ("só o sorteio", "maior idade; sorteio"),
        "Vagas de Música": ("1 vaga, 1 de ampla concorrência", "3 vagas, 2 de ampla concorrência"),
        "Cota PCD, Música": ("nada", "1 vaga para quem declara cota entre PCD (5.3)"),
        "Vagas que sobram passam": ("nada", "entre cotas"),
        "Suplentes por categoria": ("1", "nada"),
        "Semente do sorteio": ("ED-1", "outra"),
    }
