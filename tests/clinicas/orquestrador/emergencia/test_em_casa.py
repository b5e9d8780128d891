"""What somebody at home has: an everyday complaint is none, whoever has it, and a sign is one. Source: design, "Nobody is harmed"."""

from __future__ import annotations

from itertools import product

import pytest

from crivo.clinicas.orquestrador.emergencia import find_alarme

WHO = ("meu filho tá com", "minha mãe tá com", "minha esposa está com", "meu marido está com", "meu pai tá com", "minha avó tá com")
UNTAUGHT = (
    *("insônia", "artrite", "caspa", "bursite", "torcicolo", "terçol", "gastrite", "frieira", "hérnia de disco"),
    *("zumbido no ouvido", "a unha encravada", "dor de dente", "joanete", "micose", "rinite", "amigdalite", "rosácea", "lumbago"),
)
"""Complaints of which the lot of those at home (`evals/emergencia_corpus/em_casa`) has none."""


@pytest.mark.parametrize(
    "said",
    [
        "meu filho tá com gripe",
        "meu filho tá com tosse",
        "meu filho tá com gagueira",
        "meu filho tá com febre",
        "meu marido está com manchas na pele",
        "meu pai tá com dor na junta",
        "meu marido tá com dor nas costas",
        "minhas juntas estão inchadas",
        "minha mão está inchada e dói de manhã",
        "ronco muito e acordo sufocado",
        "meu marido para de respirar dormindo",
        "meu filho engasga com as palavras",
        "meu filho engasga pra falar, gagueja",
        "minha mãe não consegue falar direito depois do AVC",
        "meu pai teve AVC e não fala direito",
        "durmo mal e acordo engasgada com o ronco",
        "meus joelhos estão inchados de manhã",
    ],
)
def test_an_everyday_complaint_of_somebody_at_home_or_of_long_ago_raises_none(said: str) -> None:
    assert find_alarme(said) is None


def test_a_complaint_that_the_lot_has_not_raises_none_whoever_has_it() -> None:
    told = [f"{who} {what}" for who, what in product(WHO, UNTAUGHT)]
    assert [said for said in told if find_alarme(said) is not None] == []


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(
    "sign",
    [
        "muita dificuldade de respirar",
        "dor forte no peito",
        "a fala embolada",
        "um lado do rosto caído",
        "a garganta fechando",
        "o corpo mole e não responde",
        "convulsão",
        "pressão 20 por 12",
        "o lábio roxo",
        "pensamentos de se matar",
    ],
)
def test_a_sign_is_heard_whoever_has_it(who: str, sign: str) -> None:
    assert find_alarme(f"{who} {sign}") is not None


@pytest.mark.parametrize(
    ("said", "tipo"),
    [
        ("meu marido parou de respirar dormindo", "respiracao"),
        ("meu bebê para de respirar dormindo", "respiracao"),
        ("meu filho engasgou", "respiracao"),
        ("minha avó engasgou com o pão e não consegue falar", "respiracao"),
        ("minha mãe não consegue falar direito", "avc"),
        ("ela já teve AVC e hoje acordou com a fala enrolada", "avc"),
        ("meu bebê de 20 dias tá com febre", "bebe"),
        ("meu filho tá com febre de 40 e não acorda", "bebe"),
        ("minha boca está inchada", "alergia"),
        ("meu marido me bateu", "violencia"),
        ("meu marido tá me batendo", "violencia"),
    ],
)
def test_what_begins_now_is_heard_beside_what_is_of_long_ago(said: str, tipo: str) -> None:
    alarme = find_alarme(said)
    assert alarme is not None
    assert alarme.tipo == tipo
