"""The seven rules, one by one, where a lawyer would look. Source: design, After the notas."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from chamadas_classificadas import INTERIOR, MERITO, VIABILIDADE, classificada, cota, inscrito, uma_categoria
from crivo.triagem.classificacao.concorrencia import Decidida
from crivo.triagem.classificacao.definicao import Classificacao, Corte, PorCampo, PorSorteio, Vagas
from crivo.triagem.classificacao.exato import half_up, places_of, scaled, unscaled
from crivo.triagem.classificacao.resultado import Classificada

UMA = Classificacao(vagas=uma_categoria(1))


def became(found: Classificada) -> dict[str, str]:
    return {lugar.inscrito.id: lugar.situacao for lugar in found.lugares}


def vagas_of(found: Classificada) -> dict[str, str | None]:
    return {lugar.inscrito.id: lugar.vaga for lugar in found.lugares}


def test_who_was_found_inabilitado_is_out_before_anybody_counts_notas() -> None:
    found = classificada(UMA, (inscrito("P1"), []), habilitacoes=(Decidida("P1", "inabilitado", "Sem certidão."),))
    assert became(found) == {"P1": "inabilitado"}


def test_a_pendencia_takes_nobody_out() -> None:
    assert became(classificada(UMA, (inscrito("P1"), ["8"]), habilitacoes=(Decidida("P1", "pendencia"),))) == {"P1": "selecionado"}


def test_an_avaliacao_that_lacks_a_nota_is_no_avaliacao_and_enters_no_mean() -> None:
    found = classificada(Classificacao(minimo_avaliadores=1), (inscrito("P1"), ["8 8", "2 -"]), criterios=(MERITO, VIABILIDADE))
    lugar = found.por_id["P1"]
    assert lugar.contas is not None
    assert (lugar.contas.avaliadores, found.regua.media(lugar.contas, 0)) == (1, Fraction(8))


def test_without_a_single_nota_a_project_is_pendente_even_where_no_number_is_asked_for() -> None:
    assert became(classificada(UMA, (inscrito("P1"), []))) == {"P1": "pendente"}


def test_a_call_without_criterios_leaves_everybody_pendente() -> None:
    assert became(classificada(UMA, (inscrito("P1"), ["8"]), criterios=())) == {"P1": "pendente"}


@pytest.mark.parametrize(
    ("notas", "situacao"), [(["5", "8"], "selecionado"), (["5", "8.01"], "pendente"), (["1", "9", "9"], "selecionado")]
)
def test_two_are_too_far_apart_beyond_the_limit_and_three_never(notas: list[str], situacao: str) -> None:
    regras = Classificacao(divergencia_maxima=Decimal(30), vagas=uma_categoria(1))
    assert became(classificada(regras, (inscrito("P1"), notas))) == {"P1": situacao}


@pytest.mark.parametrize(
    ("notas", "base"), [(["6.75"], "67.5"), (["1", "1", "2"], "13.33"), (["1", "2", "2"], "16.67"), (["0.0005"], "0.01")]
)
def test_the_nota_base_is_rounded_once_and_half_up(notas: list[str], base: str) -> None:
    found = classificada(UMA, (inscrito("P1"), notas))
    contas = found.por_id["P1"].contas
    assert contas is not None
    assert found.regua.base(contas) == Decimal(base)


def test_who_stands_at_a_cut_is_not_below_it() -> None:
    regras = Classificacao(corte=Corte(Decimal(60), {"C1": Decimal(6)}), vagas=uma_categoria(2))
    assert became(classificada(regras, (inscrito("P1"), ["6"]), (inscrito("P2"), ["5.99"]))) == {
        "P1": "selecionado",
        "P2": "desclassificado",
    }


def test_the_cut_of_a_criterio_is_of_the_exact_mean() -> None:
    regras = Classificacao(casas=0, corte=Corte(por_criterio={"C1": Decimal(5)}), vagas=uma_categoria(1))
    found = classificada(regras, (inscrito("P1"), ["5", "5", "4.99"]))
    contas = found.por_id["P1"].contas
    assert contas is not None
    assert (became(found), found.regua.media_said(contas, 0)) == ({"P1": "desclassificado"}, Decimal(5))


def test_every_cut_that_was_missed_is_told() -> None:
    regras = Classificacao(corte=Corte(Decimal(60), {"C1": Decimal(5)}, ("C1",)))
    assert len(classificada(regras, (inscrito("P1"), ["0"])).por_id["P1"].fora) == 3


def test_the_bonus_of_who_declares_it_is_counted_up_to_the_most_and_beyond_the_scale() -> None:
    regras = Classificacao(bonus=(INTERIOR,), bonus_maximo=Decimal(3), vagas=uma_categoria(1))
    found = classificada(regras, (inscrito("P1", regiao="Interior"), ["10"]), (inscrito("P2", regiao="capital"), ["10"]))
    assert [found.final(found.por_id[codigo]) for codigo in ("P1", "P2")] == [Decimal(103), Decimal(100)]


def test_values_that_are_in_no_order_stand_last_and_numbers_before_days() -> None:
    regras = Classificacao(desempate=(PorCampo("idade", maior=True),), vagas=uma_categoria(9))
    said = {"P1": "sessenta", "P2": "1960-01-01", "P3": 40, "P4": "61,5", "P5": None, "P6": [70]}
    found = classificada(regras, *[(inscrito(codigo, idade=idade), ["5"]) for codigo, idade in said.items()])
    order = [lugar.inscrito.id for lugar in found.lugares]
    assert order[:3] == ["P4", "P3", "P2"]
    assert set(order[3:]) == {"P1", "P5", "P6"}


def test_a_draw_is_repeated_by_its_seed_which_is_the_editals_id_where_none_is_named() -> None:
    projetos = [(inscrito(f"P{number}"), ["5"]) for number in range(1, 4)]
    order = [
        [lugar.inscrito.id for lugar in classificada(Classificacao(desempate=(PorSorteio(),), semente=semente), *projetos).lugares]
        for semente in ("", "ED-1", "outra")
    ]
    assert order[0] == order[1] == ["P2", "P1", "P3"]  # sha256 of ED-1:P2 begins with 0d29, of P1 with 468c, of P3 with 9455
    assert sorted(order[2]) == ["P1", "P2", "P3"]


def test_the_order_in_which_values_come_changes_nothing() -> None:
    projetos = [(inscrito(f"P{number}", cota="A" if number % 2 else "B"), [str(number % 3)]) for number in range(9)]
    regras = Classificacao(vagas=uma_categoria(5, cota("A", 2), cota("B", 1)), remanejamento=("cotas",), suplentes=2)
    assert vagas_of(classificada(regras, *projetos)) == vagas_of(classificada(regras, *reversed(projetos)))


def test_a_category_is_known_by_its_words_and_not_by_its_capitals() -> None:
    assert became(classificada(UMA, (inscrito("P1", "  MUSICA"), ["5"]))) == {"P1": "selecionado"}


def test_a_category_without_vagas_has_an_order_and_no_suplentes() -> None:
    regras = Classificacao(vagas=uma_categoria(1), suplentes=3)
    found = classificada(regras, (inscrito("P1", "Cinema"), ["5"]), (inscrito("P2", "Cinema"), ["6"]))
    assert [(one.inscrito.id, one.situacao, one.posicao) for one in found.lugares] == [
        ("P2", "nao_classificado", 1),
        ("P1", "nao_classificado", 2),
    ]


def test_leftovers_go_one_by_one_to_the_first_category_that_has_somebody_waiting() -> None:
    vagas = (Vagas("Circo", 3), Vagas("Dança", 1), Vagas("Música", 1))
    regras = Classificacao(vagas=vagas, remanejamento=("categorias",))
    projetos = [(inscrito(f"{categoria[0]}{nota}", categoria), [str(nota)]) for categoria in ("Dança", "Música") for nota in (9, 8, 7)]
    found = classificada(regras, *projetos)
    assert [one.inscrito.id for one in found.lugares if one.situacao == "selecionado"] == ["D9", "D8", "D7", "M9", "M8"]


@pytest.mark.parametrize("value", ["0", "0.5", "12.50", "1E+2", "123456789012345678901234567890.12345", "-3.25"])
def test_a_decimal_comes_back_as_it_was(value: str) -> None:
    assert unscaled(scaled(Decimal(value), 6), 6) == Decimal(value)


def test_halves_go_up_and_nothing_else_does() -> None:
    assert [half_up(*one) for one in ((1, 2), (1, 3), (2, 3), (3, 2), (5, 2))] == [1, 0, 1, 2, 3]
    assert places_of([Decimal("1.500"), Decimal(2), Decimal("0.000")]) == 1
