"""Rules read out in sentences, each with the edital's own clause."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from chamadas_classificadas import INTERIOR, MERITO, VIABILIDADE, cota
from crivo.triagem.classificacao.clausulas import state_rules
from crivo.triagem.classificacao.definicao import (
    Classificacao,
    Corte,
    PorCampo,
    PorCriterio,
    PorInscricao,
    PorSorteio,
    Vagas,
)

INTEIRAS = Classificacao(
    minimo_avaliadores=2,
    divergencia_maxima=Decimal(30),
    corte=Corte(Decimal(60), {"C1": Decimal(5)}, ("C2",)),
    bonus=(INTERIOR,),
    bonus_maximo=Decimal(10),
    desempate=(PorCriterio("C1"), PorCampo("idade"), PorInscricao(), PorSorteio()),
    vagas=(Vagas("Música", 10, Decimal(50_000), (cota("NEGRAS", 3, "5.1"), cota("PCD", 1))), Vagas("*", 1)),
    remanejamento=("cotas", "categorias"),
    suplentes=5,
    semente="ED-2026-04",
)

POR_EXTENSO = """\
Cada projeto precisa de ao menos 2 avaliações completas, com nota de uma pessoa em todos os critérios. Com menos, fica pendente.

Se só duas pessoas avaliaram e as notas delas em algum critério distam mais de 30% da escala dele, o projeto fica pendente até que
uma terceira avalie.

A nota de cada critério é a média das notas das pessoas: Mérito cultural (C1), peso 1, até 10; Viabilidade (C2), peso 1, até 10.

A nota base é a média dos critérios com os seus pesos, levada à escala de 100, com até 2 casas depois da vírgula e o meio para
cima.

Nota base menor que 60 desclassifica. Quem tem 60 fica.

Média menor que 5 em Mérito cultural (C1) desclassifica.

Média zero em Viabilidade (C2) desclassifica.

[7.3] Bônus INTERIOR: 5 pontos para quem declara regiao igual a interior.

O bônus se soma depois dos cortes e não salva deles; a nota final pode passar de 100. Juntos, contam até 10 pontos.

1º desempate: a maior média em Mérito cultural (C1).

2º desempate: o maior valor declarado em idade; quem não o declara vem por último.

3º desempate: quem enviou o projeto primeiro.

4º desempate: o sorteio.

O que ainda empatar é decidido por sorteio: vem antes o menor SHA-256 de “semente:projeto” (a semente, dois-pontos e o código do
projeto). A semente é ED-2026-04, e qualquer pessoa pode repetir a conta.

Música: 10 vagas, de R$ 50.000,00 cada: 6 de ampla concorrência, 3 da cota NEGRAS e 1 da cota PCD.

[5.1] Cota NEGRAS, em Música: concorre quem declara cota entre NEGRAS.

Cota PCD, em Música: concorre quem declara cota entre PCD.

Todas as outras categorias: 1 vaga, de ampla concorrência.

As vagas de ampla concorrência vão para as maiores notas finais, concorra o projeto a uma cota ou não. Depois, cada cota, na ordem
acima, chama as maiores notas entre quem concorre a ela e ainda não foi chamado.

A vaga de cota sem quem concorra a ela passa à primeira outra cota da categoria que ainda tem; se nenhuma tem, à maior nota da
categoria.

As vagas que uma categoria não preenche passam, uma a uma, à primeira categoria da lista que ainda tem projetos classificados.

Em cada categoria, os 5 projetos seguintes são suplentes, na ordem."""


def said(regras: Classificacao) -> list[tuple[str, str]]:
    return [(one.numero, one.texto) for one in state_rules(regras, (MERITO, VIABILIDADE), "ED-1")]


def test_whoever_competes_can_read_every_rule_with_its_clause() -> None:
    told = [f"[{numero}] {texto}" if numero else texto for numero, texto in said(INTEIRAS)]
    assert told == [" ".join(one.split()) for one in POR_EXTENSO.split("\n\n")]


def test_what_an_edital_does_not_say_is_said_too() -> None:
    told = [texto for _, texto in said(Classificacao())]
    assert "Nenhuma nota desclassifica." in told
    assert "Não há bônus: a nota final é a nota base." in told
    assert "O edital ainda não dá vagas: nenhum projeto é selecionado." in told
    assert "Não há suplentes." in told
    assert any("A semente é ED-1," in texto for texto in told)


def test_a_rule_that_changes_changes_its_sentence() -> None:
    others: list[dict[str, Any]] = [
        {"minimo_avaliadores": 3},
        {"divergencia_maxima": None},
        {"escala": Decimal(10)},
        {"casas": 0},
        {"corte": Corte()},
        {"bonus": ()},
        {"bonus_maximo": None},
        {"desempate": (PorCampo("idade", maior=False),)},
        {"vagas": (Vagas("Música", 11),)},
        {"remanejamento": ()},
        {"remanejamento": ("cotas",)},
        {"suplentes": 1},
        {"semente": "outra"},
    ]
    texts = [said(INTEIRAS), *(said(replace(INTEIRAS, **one)) for one in others)]
    assert len({tuple(text) for text in texts}) == len(texts)


def test_what_somebody_typed_cannot_turn_the_sentences_around() -> None:
    regras = Classificacao(vagas=(Vagas("M\u202eúsica", 1),), semente="x\u2066y")
    assert not any(letter in texto for _, texto in said(regras) for letter in "\u202e\u2066")
