"""Why a project stands where it does, as people read it. Source: design, After the notas; design/mock/resultado.html, "Por que ficou aqui"."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest

from chamadas_classificadas import INTERIOR, MERITO, VIABILIDADE, classificada, cota, inscrito, uma_categoria
from crivo.triagem.classificacao.concorrencia import Decidida, Desistencia
from crivo.triagem.classificacao.definicao import Classificacao, Corte, PorCampo, PorCriterio, PorInscricao, Vagas
from crivo.triagem.classificacao.numeros import exact_said, nota_said, points_said
from crivo.triagem.classificacao.palavras import condition_said, motivo, mudaria, por_que
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.condicao import Condicao


def told(found: Classificada, projeto: str) -> str:
    return motivo(found, found.por_id[projeto])


def way(found: Classificada, projeto: str) -> str:
    return "\n".join(f"{clausula} {frase}".strip() for clausula, frase in por_que(found, projeto))


RECEBIDA = Classificacao(
    minimo_avaliadores=2,
    corte=Corte(Decimal(60)),
    bonus=(INTERIOR,),
    vagas=uma_categoria(3, cota("PCD", 1, "5.3"), cota("NEGRAS", 1, "5.1")),
    remanejamento=("cotas",),
    suplentes=1,
)


def recebida() -> Classificada:
    return classificada(
        RECEBIDA,
        (inscrito("P1", regiao="interior"), ["9 9", "9 8"]),
        (inscrito("P2", cota="NEGRAS"), ["8 8", "8 8"]),
        (inscrito("P3"), ["7.5 7", "7.5 7"]),
        (inscrito("P4", cota="NEGRAS"), ["6.75 6", "6.75 6"]),
        criterios=(MERITO, VIABILIDADE),
        habilitacoes=(Decidida("P4", "habilitado", "Documentos conferidos."),),
    )


def test_a_place_that_was_received_is_told_clause_by_clause_with_what_would_take_it_away() -> None:
    found = recebida()
    assert way(found, "P4") == (
        "Habilitado por uma pessoa.\n"
        "2 avaliações completas; o edital pede ao menos 2. A maior distância num critério foi de 0% da escala, em Mérito cultural.\n"
        "Nota base: 100 × (6,75 × 1 + 6,00 × 1) ÷ 20 = 63,75.\n"
        "Passa nos cortes: alcança a nota mínima, de 60,00.\n"
        "7.3 Bônus INTERIOR: não vale, pois o projeto não declara regiao igual a interior.\n"
        "Nota final: 63,75.\n"
        "4º lugar de 4 em Música.\n"
        "Há 3 vagas, 1 de ampla concorrência. Estas foram até P1 (92,50).\n"
        "5.1 Concorre à cota NEGRAS, de 1 vaga. Foi para P2 (80,00).\n"
        "5.3 Uma vaga da cota PCD ficou sem optantes e passou à primeira cota que ainda os tem: NEGRAS. Ficou com este."
    )
    assert mudaria(found, "P4") == ("Se aparecer mais um optante da cota PCD, este projeto pode perder a vaga.",)
    assert told(found, "P4") == "4º de 4 em Música, com 63,75: vaga da cota PCD (5.3), que ficou sem optantes e passou à cota NEGRAS (5.1)."


def test_each_who_is_in_or_waits_is_told_in_one_sentence() -> None:
    found = recebida()
    assert "7.3 Bônus INTERIOR: vale, +5,00, pois o projeto declara regiao igual a interior." in way(found, "P1")
    assert told(found, "P1") == "1º de 4 em Música, com 92,50: vaga da ampla concorrência."
    assert told(found, "P2") == "2º de 4 em Música, com 80,00: vaga da cota NEGRAS (5.1)."
    assert told(found, "P3") == (
        "3º de 4 em Música, com 72,50: 1º suplente; faltaram 20,00 pontos para a última vaga da ampla concorrência, de P1."
    )
    assert mudaria(found, "P3") == ("Faltaram 20,00 pontos para a última vaga da ampla concorrência, de P1.",)


def test_who_waits_is_told_where_the_places_of_cotas_went() -> None:
    assert (
        "Há 3 vagas, 1 de ampla concorrência. Estas foram até P1 (92,50).\n"
        "2 vagas são de cotas: PCD 1, NEGRAS 1 (P2); a de PCD ficou sem optantes e passou à NEGRAS (P4). "
        "Este projeto não optou por nenhuma cota.\n"
        "1º suplente de 1."
    ) in way(recebida(), "P3")
    assert "são de cotas" not in way(recebida(), "P1")


def test_who_is_behind_in_a_cota_is_told_that_they_opted_and_who_took_what_was_left_over() -> None:
    regras = Classificacao(vagas=uma_categoria(4, cota("NEGRAS", 1), cota("PCD", 2)), suplentes=1)
    notas = {"P1": "9", "P2": "8", "P3": "7", "P4": "6", "P5": "5", "P6": "4"}
    opted = {"P2": "NEGRAS", "P5": "NEGRAS", "P6": "NEGRAS"}
    found = classificada(regras, *((inscrito(one, cota=opted.get(one, "")), [nota]) for one, nota in notas.items()))
    assert (
        "3 vagas são de cotas: NEGRAS 1 (P2), PCD 2; 2 de PCD ficaram sem optantes e passaram à ampla concorrência (P3, P4). "
        "Este projeto optou pela cota NEGRAS."
    ) in way(found, "P6")
    assert way(found, "P6").endswith("Fica depois das vagas e do suplente.")
    one = classificada(
        Classificacao(vagas=uma_categoria(2, cota("PCD", 1))), (inscrito("P1"), ["9"]), (inscrito("P2"), ["8"]), (inscrito("P3"), ["7"])
    )
    assert (
        "1 vaga é de cota: PCD 1; a de PCD ficou sem optantes e passou à ampla concorrência (P2). Este projeto não optou por ela."
        in way(one, "P3")
    )


def test_a_place_that_nobody_of_a_cota_could_take_says_where_it_came_from() -> None:
    regras = Classificacao(vagas=(*uma_categoria(1, cota("PCD", 1)), Vagas("Dança", 2)), remanejamento=("categorias",))
    found = classificada(regras, (inscrito("P1"), ["9"]), (inscrito("P2"), ["8"]), (inscrito("P3", "Dança"), ["5"]))
    assert told(found, "P1").endswith("vaga da cota PCD, que ficou sem optantes e passou à ampla concorrência.")
    assert told(found, "P2").endswith("vaga que sobrou de Dança, na ampla concorrência.")
    assert "Uma vaga de Dança não tinha quem a ocupasse e passou a esta categoria." in way(found, "P2")
    assert mudaria(found, "P2") == ("Se mais um projeto se classificar em Dança, este pode perder a vaga.",)


def test_a_tie_says_by_what_it_was_broken_and_what_each_had() -> None:
    regras = Classificacao(desempate=(PorCriterio("C1"), PorCampo("idade"), PorInscricao()), vagas=uma_categoria(1))
    at = datetime(2026, 9, 10, 14, tzinfo=UTC)
    found = classificada(
        regras,
        (inscrito("P1", idade=60, enviado_em=at), ["7 8", "7 8", "8 8"]),
        (inscrito("P2", idade=60, enviado_em=at.replace(hour=15)), ["8 7", "8 7", "8 8"]),
        (inscrito("P3", enviado_em=at), ["7 8", "7 8", "8 8"]),
        (inscrito("P4", idade=60, enviado_em=at.replace(hour=16)), ["7 8", "7 8", "8 8"]),
        criterios=(MERITO, VIABILIDADE),
    )
    assert told(found, "P2") == "1º de 4 em Música, com 76,67, a mesma de P1 (desempate por Mérito cultural): vaga da ampla concorrência."
    assert "Mesma nota final de P1: fica à frente no desempate por Mérito cultural (8,00 contra 7,3333…)." in way(found, "P2")
    assert "fica atrás no desempate por ordem de inscrição (10/09/2026 às 16h00 contra 10/09/2026 às 14h00)" in way(found, "P4")
    assert "fica atrás no desempate por idade (não consta contra 60)" in way(found, "P3")
    assert mudaria(found, "P1") == ("Teve a mesma nota de P2, que ficou com a última vaga da ampla concorrência, e perdeu no desempate.",)


def test_who_is_out_is_told_every_reason_and_how_far_it_was() -> None:
    regras = Classificacao(corte=Corte(Decimal(60), {"C1": Decimal(5)}, ("C2",)))
    found = classificada(regras, (inscrito("P1"), ["4.75 0"]), criterios=(MERITO, VIABILIDADE))
    assert told(found, "P1") == (
        "Média zero em Viabilidade, que elimina. Média 4,75 em Mérito cultural; a mínima é 5,00. Nota base 23,75; a mínima é 60,00."
    )
    assert mudaria(found, "P1") == (
        "Faltou 0,25 ponto para a média mínima em Mérito cultural.",
        "Faltaram 36,25 pontos para a nota mínima.",
    )


def test_a_mean_that_would_round_to_the_least_is_shown_as_far_as_it_differs() -> None:
    found = classificada(Classificacao(corte=Corte(por_criterio={"C1": Decimal(5)})), (inscrito("P1"), ["5", "5", "4.99"]))
    assert told(found, "P1") == "Média 4,9966… em Mérito cultural; a mínima é 5,00."


def test_who_waits_for_more_avaliacoes_is_told_how_many_or_how_far_apart() -> None:
    regras = Classificacao(minimo_avaliadores=2, divergencia_maxima=Decimal(30))
    found = classificada(regras, (inscrito("P1"), ["5"]), (inscrito("P2"), ["4", "9"]), (inscrito("P3"), []), (inscrito("P4"), ["5", "-"]))
    assert told(found, "P1") == "1 avaliação completa; o edital pede 2."
    assert told(found, "P2") == "As duas notas de Mérito cultural, 4,00 e 9,00, distam 50% da escala; o limite é 30%."
    assert told(found, "P3") == "Nenhuma avaliação completa; o edital pede 2."
    assert "1 outra tem critério sem nota e não conta." in way(found, "P4")


def test_what_a_person_wrote_of_an_inabilitado_is_told_without_a_cpf() -> None:
    decidida = Decidida("P1", "inabilitado", "CPF 529.982.247-25 em nome de outra pessoa")
    found = classificada(Classificacao(), (inscrito("P1"), ["9"]), habilitacoes=(decidida,))
    assert told(found, "P1").startswith("Inabilitado: CPF ")
    assert "529.982.247-25" not in told(found, "P1") + way(found, "P1")


def test_who_withdrew_is_told_when_and_nothing_else_of_them() -> None:
    found = classificada(
        Classificacao(vagas=uma_categoria(1)),
        (inscrito("P1"), ["9"]),
        (inscrito("P2"), ["8"]),
        habilitacoes=(Decidida("P1", "inabilitado", "Sem certidão."),),
        desistencias=(Desistencia("P1", date(2026, 11, 20)),),
    )
    assert motivo(found, found.por_id["P1"]) == "Desistiu em 20/11/2026 e saiu da disputa."
    assert por_que(found, "P1") == (("", "Desistiu em 20/11/2026 e saiu da disputa."),)
    assert found.por_id["P2"].situacao == "selecionado"


def test_a_category_without_vagas_is_told_so() -> None:
    found = classificada(Classificacao(vagas=uma_categoria(1)), (inscrito("P1", "Cinema"), ["9"]), (inscrito("P2", ""), ["9"]))
    assert told(found, "P1") == "1º de 1 em Cinema, com 90,00: o edital não dá vagas a Cinema."
    assert told(found, "P2") == "1º de 1, com 90,00: o projeto não diz em qual categoria concorre."


def test_bonus_beyond_the_most_say_what_counted() -> None:
    regras = Classificacao(bonus=(INTERIOR,), bonus_maximo=Decimal(3), vagas=uma_categoria(1))
    found = classificada(regras, (inscrito("P1", regiao="interior"), ["9"]))
    assert "Nota final: 90,00 + 3,00 = 93,00. Os bônus somam 5,00 e contam até 3,00." in way(found, "P1")


def test_a_cota_of_many_places_names_the_first_and_the_last() -> None:
    regras = Classificacao(vagas=uma_categoria(5, cota("A", 5)))
    found = classificada(regras, *[(inscrito(f"P{number}", cota="A"), [str(10 - number)]) for number in range(6)])
    assert "Foram para 5 projetos, de P0 (100,00) a P4 (60,00)." in way(found, "P5")


@pytest.mark.parametrize(
    ("condicao", "dita"),
    [
        (Condicao("idade", "minimo", 60), "idade de ao menos 60"),
        (Condicao("cota", "em", ["negra", "parda"]), "cota entre negra, parda"),
        (Condicao("mestre", "existe"), "mestre"),
        (Condicao("mestre", "existe", False), "mestre declarado: não"),
    ],
)
def test_a_condition_is_told_in_words(condicao: Condicao, dita: str) -> None:
    assert condition_said(condicao) == dita


def test_numbers_are_brazilian_and_nothing_rounded_looks_exact() -> None:
    assert [nota_said(Decimal(one)) for one in ("8", "8.125", "1234.5")] == ["8,00", "8,125", "1.234,50"]
    assert [exact_said(one) for one in (Fraction(1, 3), Fraction(0), Fraction(33, 4))] == ["0,3333…", "0,00", "8,25"]
    assert [points_said(one) for one in (Fraction(1, 4), Fraction(1), Fraction(2))] == [
        "Faltou 0,25 ponto",
        "Faltou 1,00 ponto",
        "Faltaram 2,00 pontos",
    ]
