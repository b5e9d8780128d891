"""The form of the rules for places: what goes in comes out, and what is wrong is told at the field in which it stands."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from crivo.kernel.errors import Problem
from crivo.triagem.classificacao.definicao import (
    Bonus,
    Classificacao,
    Corte,
    Cota,
    Desempate,
    PorCampo,
    PorCriterio,
    PorInscricao,
    PorSorteio,
    Vagas,
)
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Chamada, Criterio, Edital
from crivo.web.pages.triagem.regras.escrito import Escrito, apply_act, read_fields
from crivo.web.pages.triagem.regras.leitura import read_regras, tell
from crivo.web.pages.triagem.regras.mostra import show, suggest

CRITERIOS = (Criterio("C1", "Mérito"), Criterio("C.2", "Viabilidade", peso=Decimal(2)))
CODES = [one.id for one in CRITERIOS]


def chamada(regras: Classificacao | None, categorias: tuple[str, ...] = ()) -> Chamada:
    return Chamada(Edital("ED-1", "Edital", categorias=categorias, classificacao=regras), (), CRITERIOS)


def drawn(sorte: random.Random) -> Classificacao:
    """Rules at random, of every kind that an import takes: also such as a form of one line shows otherwise than they are written."""

    def number(*some: str) -> Decimal:
        return Decimal(sorte.choice(some))

    def text(*some: str) -> str:
        return sorte.choice(some)

    def quando() -> Condicao:
        campo = text("regiao", "tipo de proponente", " com espaços ", "idade")
        return sorte.choice(
            (
                Condicao(campo, "igual", sorte.choice(("interior", True, False, 18, 2.5, "2026-09-15", "linha\nquebrada", " solto "))),
                Condicao(campo, "diferente", "não"),
                Condicao(campo, "em", sorte.choice((("negra",), ("negra", "indígena"), (1, True, "sim")))),
                Condicao(campo, "minimo", sorte.choice((18, 1500.5, "2026-09-15"))),
                Condicao(campo, "maximo", 0),
                Condicao(campo, "existe", sorte.choice((None, True, False))),
            )
        )

    def clausula() -> str:
        return text("", "7.3", "item 4,\nalínea b")

    def vagas(categoria: str) -> Vagas:
        cotas = [Cota(codigo, quando(), sorte.choice((0, 1, 2)), clausula()) for codigo in ("NEGRAS", "PCD", "I.1") if sorte.random() < 0.5]
        return Vagas(categoria, sorte.choice((6, 1_250)), sorte.choice((None, number("50000", "1234.56", "0"))), tuple(cotas))

    ties: list[Desempate] = [
        PorCriterio("C.2"),
        PorCampo("idade", sorte.random() < 0.5),
        PorInscricao(),
        PorSorteio(),
        PorCampo(" de \t fora"),
    ]
    ties = [tie for tie in ties if "\t" not in getattr(tie, "campo", "")]
    passed = sorte.choice(((), ("cotas",), ("categorias",), ("cotas", "categorias"), ("categorias", "cotas")))
    return Classificacao(
        minimo_avaliadores=sorte.choice((1, 2, 50)),
        divergencia_maxima=sorte.choice((None, number("30", "0", "33.3", "0.12345678901234567890"))),
        escala=number("100", "10.0", "1000", "0.5"),
        casas=sorte.choice((0, 2, 6)),
        corte=Corte(
            sorte.choice((None, number("0", "0.5"))),
            {codigo: number("5", "0", "2.25") for codigo in CODES if sorte.random() < 0.5},
            tuple(sorte.sample(CODES, sorte.randrange(3))),
        ),
        bonus=tuple([Bonus(f"BON-{at}", quando(), number("5", "1000", "0"), clausula()) for at in range(sorte.randrange(3))]),
        bonus_maximo=sorte.choice((None, number("10", "0"))),
        desempate=tuple(sorte.sample(ties, sorte.randrange(len(ties) + 1))),
        vagas=tuple([vagas(categoria) for categoria in ("Música", "Dança e circo", "*") if sorte.random() < 0.6]),
        remanejamento=passed,  # type: ignore[arg-type]
        suplentes=sorte.choice((0, 5, 1_000)),
        semente=text("", "ED-2026-04", " com espaço à volta "),
    )


def sent(escrito: Escrito, **typed: str) -> Escrito:
    """The form as a browser sends it, with something else typed into some fields."""
    fields = dict.fromkeys(nome for nome, _ in escrito.fields())
    changed = {nome.replace("__", "."): valor for nome, valor in typed.items()}
    pairs = [(nome, valor) for nome, valor in escrito.fields() if nome not in changed]
    return read_fields([*pairs, *changed.items()] if fields is not None else [])


def test_what_goes_into_the_form_comes_out_of_it_as_it_was() -> None:
    sorte = random.Random(20)  # noqa: S311 - not for secrets
    whole = 0
    for _ in range(600):
        regras = drawn(sorte)
        escrito = sent(show(regras, CRITERIOS))
        lidas = read_regras(escrito, chamada(regras))
        assert lidas.erros == ()
        assert lidas.regras == regras
        assert list(show(lidas.regras, CRITERIOS).fields()) == list(escrito.fields())
        whole += bool(regras.bonus and regras.vagas and regras.desempate)
    assert whole >= 100


def test_a_form_says_the_same_rules_whatever_was_there_before() -> None:
    sorte = random.Random(21)  # noqa: S311 - not for secrets
    for _ in range(300):
        regras = drawn(sorte)
        first = read_regras(sent(show(regras, CRITERIOS)), chamada(None)).regras
        assert first is not None
        again = read_regras(sent(show(first, CRITERIOS)), chamada(None)).regras
        assert again == first


def test_a_field_that_is_typed_otherwise_is_another() -> None:
    regras = Classificacao(
        bonus=(Bonus("B", Condicao("ativo", "igual", True), Decimal(5)),),
        vagas=(Vagas("*", 2),),
        semente="uma",
        divergencia_maxima=Decimal("33.3"),
    )
    typed = sent(show(regras, CRITERIOS), bonus__0__quando__valor="não", regras__semente="outra", regras__divergencia_maxima="33,4")
    read = read_regras(typed, chamada(regras)).regras
    assert read is not None
    assert (read.bonus[0].quando.valor, read.semente, read.divergencia_maxima) == ("não", "outra", Decimal("33.4"))


def test_each_thing_that_is_wrong_stands_at_the_field_in_which_it_was_typed() -> None:
    regras = Classificacao(
        bonus=(Bonus("B1", Condicao("x", "igual", 1), Decimal(5)), Bonus("B2", Condicao("x", "em", ("a",)), Decimal(5))),
        desempate=(PorCriterio("C1"), PorCampo("idade")),
        vagas=(Vagas("Dança", 3, None, (Cota("N", Condicao("c", "igual", "n"), 1), Cota("P", Condicao("c", "igual", "p"), 1))),),
    )
    escrito = show(regras, CRITERIOS)
    apply_act(escrito, "retirar:bonus:0")
    apply_act(escrito, "retirar:vagas.0.cotas:0")
    escrito = sent(
        escrito,
        regras__casas="9",
        regras__nota_final_minima="200",
        cortes__1__minima="11",
        bonus__1__quando__operador="minimo",
        bonus__1__pontos="0,0000001",
        desempate__0__criterio="C9",
        desempate__1__campo="",
        vagas__0__cotas__1__vagas="4",
        vagas__0__cotas__1__id="com espaço",
        vagas__0__valor="muito",
    )
    told = {erro.campo: erro for erro in read_regras(escrito, chamada(None)).erros}
    assert {
        "regras.casas",
        "cortes.1.minima",
        "bonus.1.quando.valor",
        "desempate.0.criterio",
        "desempate.1.campo",
        "vagas.0.cotas.1.id",
        "vagas.0.valor",
    } <= told.keys()
    assert told["desempate.0.criterio"].mensagem == "Este critério não está no edital. Escolha outro, ou tire este."
    assert told["vagas.0.cotas.1.id"].onde == "Cota com espaço, em Dança"
    assert not any("`" in erro.mensagem for erro in told.values())


def test_a_form_that_nobody_could_have_sent_does_no_harm() -> None:
    for fields in (
        [("vagas.9999.cotas.9999.id", "X"), ("vagas.0.cotas.0.vagas", "1" * 400)],
        [("regras.remanejamento", "tudo"), ("regras.nada", "x"), ("desempate.0.por", "vento"), ("cortes.0.minima", "5")],
        [("bonus.0.id", "\0"), ("bonus.0.pontos", "NaN"), ("regras.escala", "-1"), ("regras.casas", "1e9"), ("sem_ponto", "x")],
    ):
        lidas = read_regras(read_fields(fields), chamada(None))
        assert lidas.chamada is None
        assert lidas.erros
    for acao in ("subir:vagas:999", "retirar:vagas.7.cotas:0", "adicionar:vagas.7.cotas:cota", "descer:bonus:0", "repor:desempate:x"):
        assert apply_act(Escrito(), acao)
    assert not apply_act(Escrito(), "apagar:tudo:0")


def test_a_warning_finds_its_row_among_those_that_were_taken_out() -> None:
    regras = Classificacao(vagas=(Vagas("Dança", 1), Vagas("Música", 2, None, (Cota("N", Condicao("c", "igual", "n"), 1),))))
    escrito = show(regras, CRITERIOS)
    apply_act(escrito, "retirar:vagas:0")
    (told,) = tell([Problem("Ninguém.", "edital.classificacao.vagas[0].cotas[0].quando.valor")], escrito)
    assert (told.campo, told.onde) == ("vagas.1.cotas.0.quando.valor", "Cota N, em Música")


def test_rules_as_calls_usually_have_them_leave_what_only_this_call_knows() -> None:
    regras = Classificacao(bonus=(Bonus("B", Condicao("x", "igual", 1), Decimal(5)),), vagas=(Vagas("*", 2),), semente="uma", suplentes=9)
    escrito = show(regras, CRITERIOS)
    suggest(escrito, CRITERIOS)
    read = read_regras(escrito, chamada(regras)).regras
    assert read == replace(
        regras,
        minimo_avaliadores=2,
        divergencia_maxima=Decimal(30),
        corte=Corte(Decimal(60)),
        desempate=(PorCriterio("C.2"), PorSorteio()),
        remanejamento=("cotas", "categorias"),
    )


def test_what_is_wrong_elsewhere_in_the_edital_is_told_as_that() -> None:
    broken: Any = replace(chamada(None), criterios=(Criterio("C1", "A"), Criterio("C1", "B")))
    (told, *_) = read_regras(show(Classificacao(), ()), broken).erros
    assert told.onde == "Edital"
