"""Every finder is asked, in one order, and the same edital always gives the same signs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.achados import Achadas
from crivo.triagem.edital import Avaliador, Chamada, Projeto, Proponente
from crivo.triagem.irregularidades.todas import find_irregularidades
from inscritos import EDITAL, lidos, projeto, vetores
from reuso import bases

TEXTO, OUTRO, TERCEIRO = (" ".join(base.frases) for base in bases("ajuste")[:3])
ITENS = [("Palco", "2", "1850"), ("Cachê", "4", "730"), ("Som", "6", "312"), ("Luz", "7", "99")]


def screened(*projetos: Projeto, avaliadores: tuple[Avaliador, ...] = ()) -> Achadas:
    chamada = Chamada(EDITAL, projetos=projetos, avaliadores=avaliadores)
    return find_irregularidades(chamada, lidos(*projetos), vetores(projetos))


def test_the_signs_come_in_the_order_of_the_catalogue() -> None:
    conta = Proponente("Bia", email="bia@arte.org"), Proponente("Caio", email="bia@arte.org")
    achadas = screened(
        projeto("P1", TEXTO, conta[0], ITENS),
        projeto("P2", TEXTO, conta[1], ITENS),
        projeto("P3", OUTRO),
        avaliadores=(Avaliador("Rui", "rui@arte.org"),),
    )
    assert [sign.tipo for sign in achadas.irregularidades] == [
        "similaridade",
        "texto_reutilizado",
        "orcamento_duplicado",
        "proponente_repetido",
        "conflito_de_interesse",
        "conflito_de_interesse",
    ]
    assert all(sign.achado and sign.evidencia and sign.autor == "codigo" for sign in achadas.irregularidades)


def test_each_project_with_text_has_its_nearest_other() -> None:
    """Triagem 1/2, Triagem 2/2: similaridade_max and projeto_similar_id."""
    achadas = screened(projeto("P1", TEXTO), projeto("P2", OUTRO), projeto("P3", TEXTO), projeto("P4"))
    assert achadas.mais_parecido["P1"] == ("P3", 1.0)
    assert achadas.mais_parecido["P3"] == ("P1", 1.0)
    assert 0 < achadas.mais_parecido["P2"][1] < 0.6
    assert "P4" not in achadas.mais_parecido


@pytest.mark.parametrize("textos", [(), (TEXTO,), (TEXTO, OUTRO), ("", ""), ("🎭", "🎭🎪"), (TEXTO, OUTRO, TERCEIRO)])
def test_an_honest_edital_of_any_size_has_no_sign(textos: tuple[str, ...]) -> None:
    assert screened(*(projeto(f"P{at}", texto) for at, texto in enumerate(textos))).irregularidades == ()


@settings(max_examples=40, deadline=None)
@given(textos=st.lists(st.text(max_size=400) | st.sampled_from([TEXTO, OUTRO, TEXTO[:300], "", "🎭"]), max_size=7))
def test_no_text_breaks_the_screening_and_it_repeats_itself(textos: list[str]) -> None:
    projetos = [projeto(f"P{at}", texto) for at, texto in enumerate(textos)]
    first, again = screened(*projetos), screened(*projetos)
    assert first == again
    for sign in first.irregularidades:
        assert set(sign.projetos) <= {one.id for one in projetos}


@pytest.mark.parametrize("linhas", [300, pytest.param(28_000, marks=pytest.mark.slow)])
def test_a_text_of_up_to_two_megabytes_among_others_is_compared(linhas: int) -> None:
    long = " ".join(f"A turma {n} visita a praça {n * 7} com {n % 13} mestres de {n % 17} bairros." for n in range(linhas))
    achadas = screened(projeto("P1", TEXTO), projeto("P2", long), projeto("P3", TEXTO))
    assert ("P1", "P3") in {sign.projetos for sign in achadas.irregularidades if sign.tipo == "texto_reutilizado"}


@pytest.mark.parametrize("quantos", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_an_edital_of_up_to_twenty_thousand_small_projects_is_screened(quantos: int) -> None:
    projetos = [projeto(f"P{at}", f"Turma {at} de bordado número {at * 31} na vila {at * 17}.") for at in range(quantos)]
    projetos[-1] = projeto(f"P{quantos - 1}", TEXTO)
    projetos[3] = projeto("P3", TEXTO)
    pairs = [sign.projetos for sign in screened(*projetos).irregularidades if sign.tipo == "texto_reutilizado"]
    assert ("P3", f"P{quantos - 1}") in pairs
