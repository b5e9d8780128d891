"""What rules that nobody kept would give: places by category, who comes in and goes out, and what deserves a look."""

from __future__ import annotations

import random
from decimal import Decimal

from chamadas_classificadas import INTERIOR, classificada, cota, inscrito, uma_categoria
from crivo.triagem.classificacao.definicao import AMPLA, Bonus, Classificacao, Corte, PorCampo, PorInscricao, Vagas
from crivo.triagem.classificacao.previsto import foresee
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.condicao import Condicao
from oraculo_lugares.comparacao import classified
from oraculo_lugares.sorteadas import draw

QUATRO = (
    (inscrito("A", cota=["NEGRAS"], idade="quarenta"), ["9"]),
    (inscrito("B", cota=["NEGRAS"]), ["8"]),
    (inscrito("C"), ["7"]),
    (inscrito("D", "Dança"), ["2"]),
)


def four(regras: Classificacao) -> Classificada:
    return classificada(regras, *QUATRO)


def test_each_kind_of_place_says_how_full_it_is_and_to_which_nota_it_went() -> None:
    regras = Classificacao(vagas=uma_categoria(3, cota("NEGRAS", 1), cota("PCD", 1)), suplentes=1)
    (musica, danca) = foresee(four(regras), None).categorias
    assert [(one.id, one.ocupadas, one.total, one.corte, one.ultimo, one.optantes) for one in musica.por_tipo] == [
        (AMPLA, 1, 1, Decimal("70.00"), "C", None),
        ("NEGRAS", 1, 1, Decimal("80.00"), "B", 2),
        ("PCD", 0, 1, None, "", 0),
    ]
    assert (musica.concorrem, musica.vagas, musica.remanejadas, musica.vazias, dict(musica.situacoes)) == (3, 3, 1, 0, {"selecionado": 3})
    assert (danca.vagas, danca.por_tipo, dict(danca.situacoes)) == (None, (), {"nao_classificado": 1})


def test_places_that_nobody_takes_and_places_that_went_elsewhere_are_told_apart() -> None:
    regras = Classificacao(vagas=(Vagas("Dança", 3), Vagas("Música", 1)))
    alone, passed = foresee(four(regras), None), foresee(four(Classificacao(vagas=regras.vagas, remanejamento=("categorias",))), None)
    assert [(one.categoria, one.vazias, one.remanejadas) for one in alone.categorias] == [("Dança", 2, 0), ("Música", 0, 0)]
    assert [(one.categoria, one.vazias, one.remanejadas) for one in passed.categorias] == [("Dança", 0, 0), ("Música", 0, 2)]


def test_who_comes_in_and_who_goes_out_is_held_against_the_rules_that_are_kept() -> None:
    before = Classificacao(vagas=uma_categoria(1), suplentes=1)
    after = Classificacao(vagas=(Vagas("*", 2),), corte=Corte(Decimal(85)), suplentes=1)
    told = foresee(four(after), four(before))
    assert [(one.projeto, one.antes, one.depois) for one in told.entram] == []
    assert (told.quantos_saem, told.outras, dict(told.fora)) == (0, 3, {"desclassificado": 3})
    more = foresee(four(Classificacao(vagas=uma_categoria(2))), four(before))
    assert [(one.projeto, one.antes, one.depois) for one in more.entram] == [("B", "suplente", "selecionado")]
    less = foresee(four(before), four(Classificacao(vagas=uma_categoria(2), suplentes=1)))
    assert [(one.projeto, one.antes, one.depois) for one in less.saem] == [("B", "selecionado", "suplente")]
    first = foresee(four(before), None)
    assert (first.compara, first.quantos_entram, first.entram[0].antes) == (False, 1, None)


def test_what_the_rules_say_of_nobody_is_told_where_it_stands() -> None:
    regras = Classificacao(
        bonus=(INTERIOR, Bonus("C", Condicao("cota", "existe"), Decimal(1))),
        desempate=(PorInscricao(), PorCampo("idade")),
        vagas=(Vagas("Música", 2, None, (cota("NEGRAS", 1), cota("PCD", 1))), Vagas("Circo", 1)),
    )
    assert [(one.codigo, one.caminho.removeprefix("edital.classificacao.")) for one in foresee(four(regras), None).avisos] == [
        ("bonus_de_ninguem", "bonus[0].quando.valor"),
        ("desempate_de_ninguem", "desempate[1].campo"),
        ("cota_de_ninguem", "vagas[0].cotas[1].quando.valor"),
        ("vagas_de_ninguem", "vagas[1].categoria"),
        ("categoria_sem_vagas", "vagas"),
    ]
    assert "1 projeto na categoria “Dança”: não há vagas para ele." in [one.mensagem for one in foresee(four(regras), None).avisos]
    for_all = Classificacao(vagas=(Vagas("MUSICA", 2), Vagas("*", 1)))
    assert foresee(four(for_all), None).avisos == ()
    assert foresee(classificada(regras), None).avisos == ()


def test_every_place_of_a_drawn_call_is_counted_once() -> None:
    sorte = random.Random(9)  # noqa: S311 - not for secrets
    counted = 0
    for _ in range(300):
        found = classified(draw(sorte))
        told = foresee(found, found)
        selected = sum(one.situacao == "selecionado" for one in found.lugares)
        seats = sum((one.vagas or 0) - one.vazias for one in told.categorias)
        assert seats == selected
        assert sum(sum(kind.ocupadas for kind in one.por_tipo) + one.remanejadas for one in told.categorias) == selected
        assert sum(sum(one.situacoes.values()) for one in told.categorias) + sum(told.fora.values()) == len(found.lugares)
        assert (told.quantos_entram, told.quantos_saem, told.outras) == (0, 0, 0)
        counted += selected
    assert counted > 300
