"""Texts that are unusually alike as a whole are shown, by a threshold that the edital's own pairs correct."""

from __future__ import annotations

import numpy as np
import pytest

from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz, Vetores
from crivo.triagem.irregularidades.similaridade import MENOR_TEXTO, Semelhantes, compare, find_similares, is_short, threshold
from inscritos import projeto, vetores

TEXTO = (
    "O grupo treina capoeira angola no galpão da antiga estação e abre a roda na calçada do mercado uma vez por mês. "
    "O mestre ensina de graça a quem mora nas casas de taipa atrás da linha do trem."
)
OUTRO = (
    "Quarenta rendeiras de bilro da praia querem vender suas toalhas sem atravessador e ensinar o ponto às meninas. "
    "Cada almofada passa de mãe para filha, e a cooperativa compra linha no inverno, quando falta dinheiro."
)
TERCEIRO = (
    "Toda sexta-feira o pátio da escola vira sala de cinema, com filmes brasileiros e conversa depois da sessão. "
    "Um lençol grande, um projetor emprestado e pipoca feita pelas merendeiras bastam para juntar o bairro."
)
CURTO = "Oficinas de dança para jovens da comunidade, com apresentação final na praça."


def around(centre: float, total: int, semente: int = 5, dimensoes: int = 64) -> Matriz:
    """Unit rows whose pairs have cosines around `centre`."""
    sorte = np.random.default_rng(semente)
    own = sorte.standard_normal((total, dimensoes))
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    shared = np.zeros(dimensoes)
    shared[0] = 1
    rows = np.sqrt(centre) * shared + np.sqrt(1 - centre) * own
    return unit(rows.astype(np.float32))


def many(total: int) -> list[Projeto]:
    return [projeto(f"P{number}", " ".join(f"palavra{number}x{at}" for at in range(MENOR_TEXTO))) for number in range(total)]


def compared(matriz: Matriz, limiar: float = 0.85) -> Semelhantes:
    return compare(many(len(matriz)), Vetores("teste", limiar, matriz))


def pairs(semelhantes: Semelhantes) -> list[tuple[int, int]]:
    return list(zip(semelhantes.pares.primeiro.tolist(), semelhantes.pares.segundo.tolist(), strict=True))


def test_two_projects_with_the_same_text_are_shown_side_by_side() -> None:
    """Triagem 4/3: pairs of projects by cosine, flagged above the threshold."""
    projetos = [projeto("P1", TEXTO), projeto("P2", OUTRO), projeto("P3", TEXTO), projeto("P4", TERCEIRO)]
    (sign,) = find_similares(projetos, compare(projetos, vetores(projetos)))
    assert (sign.tipo, sign.projetos, sign.valor, sign.percentil, sign.autor) == ("similaridade", ("P1", "P3"), 1.0, None, "codigo")
    assert [(passage.projeto, passage.trecho, passage.par) for passage in sign.evidencia] == [("P1", TEXTO, 1), ("P3", TEXTO, 1)]
    assert "o mesmo texto, palavra por palavra" in sign.achado


def test_texts_of_a_line_or_two_are_too_short_to_be_alike() -> None:
    said = (CURTO, "Oficinas de danças para os jovens da comunidade, com apresentação final nas praças.", "Oficina de dança.")
    projetos = [projeto(f"P{at}", texto) for at, texto in enumerate(said)]
    semelhantes = compare(projetos, Vetores("teste", 0.85, around(0.99, 3)))
    assert find_similares(projetos, semelhantes) == ()
    assert semelhantes.vizinhos.cosseno.tolist() == [0, 0, 0]


def test_short_texts_that_are_the_same_word_for_word_are_still_shown() -> None:
    projetos = [projeto("P1", CURTO), projeto("P2", TEXTO), projeto("P3", CURTO.upper()), projeto("P4", "Oficina de dança.")]
    semelhantes = compare(projetos, vetores(projetos))
    (sign,) = find_similares(projetos, semelhantes)
    assert (sign.projetos, sign.valor) == (("P1", "P3"), 1.0)
    assert "o mesmo texto" in sign.achado
    assert "curto" in sign.achado
    assert semelhantes.vizinhos.indice[[0, 2]].tolist() == [2, 0]


def test_a_short_text_that_everybody_sends_is_listed_without_every_pair_of_it() -> None:
    projetos = [projeto(f"P{at}", CURTO) for at in range(300)]
    assert len(pairs(compare(projetos, Vetores("teste", 0.85, around(0.5, 300))))) <= 3000


def test_how_short_is_too_short() -> None:
    assert is_short(projeto("P1", "uma " * (MENOR_TEXTO - 1)))
    assert not is_short(projeto("P1", "uma " * MENOR_TEXTO))


def test_among_few_pairs_to_be_nearer_than_all_is_not_told() -> None:
    assert compared(around(0.9, 8)).percentil(0.99) is None
    assert compared(around(0.9, 60)).percentil(0.999) == 100.0


def test_every_project_knows_its_nearest_other() -> None:
    projetos = [projeto("P1", TEXTO), projeto("P2", OUTRO), projeto("P3", f"{TEXTO} {OUTRO}")]
    nearest = compare(projetos, vetores(projetos)).vizinhos.indice.tolist()
    assert nearest[:2] == [2, 2]
    assert nearest[2] in {0, 1}


@pytest.mark.parametrize("total", [0, 1])
def test_too_few_projects_have_no_pairs(total: int) -> None:
    semelhantes = compared(around(0.9, total))
    assert (pairs(semelhantes), semelhantes.omitidos, semelhantes.percentil(0.9)) == ([], 0, None)


def test_projects_without_text_are_like_nobody() -> None:
    projetos = [projeto("P1"), projeto("P2", "🎭🎪"), projeto("P3")]
    assert find_similares(projetos, compare(projetos, vetores(projetos))) == ()


def test_below_fifty_projects_the_embedders_own_threshold_holds() -> None:
    assert compared(around(0.8, 49)).limiar == 0.85


def test_where_all_are_about_one_thing_the_threshold_rises() -> None:
    matriz = around(0.8, 60)
    assert 0.85 < compared(matriz).limiar <= 0.95
    assert len(pairs(compared(matriz))) < len(pairs(compared(matriz[:49])))


def test_where_pairs_are_unlike_a_copy_below_the_default_is_still_seen() -> None:
    matriz = around(0.1, 60)
    mixed = matriz[0] + 0.62 * matriz[59] - 0.1
    matriz[59] = mixed / np.linalg.norm(mixed)
    semelhantes = compared(matriz)
    assert semelhantes.limiar == pytest.approx(0.75)
    assert pairs(semelhantes) == [(0, 59)]
    assert semelhantes.pares.cosseno[0] < 0.85


def test_copies_do_not_hide_themselves_by_moving_the_threshold() -> None:
    matriz = around(0.3, 60)
    matriz[50:54] = matriz[0]
    semelhantes = compared(matriz)
    assert len(pairs(semelhantes)) == 10
    assert semelhantes.limiar < 0.9


def test_the_threshold_never_asks_for_more_than_a_copy_can_give() -> None:
    assert threshold(0.95, np.full(1000, 0.99, np.float32), 60) == 0.97


def test_the_percentile_counts_pairs_of_different_proponentes_only() -> None:
    same = Proponente("Ana", "11144477735")
    projetos = [projeto("P1", TEXTO, same), projeto("P2", TEXTO, same), projeto("P3", OUTRO), projeto("P4", TERCEIRO)]
    semelhantes = compare(projetos, vetores(projetos))
    assert len(semelhantes.referencia) == 5
    assert float(semelhantes.referencia.max()) < 0.9


def test_a_series_of_one_proponente_is_no_sign_and_the_same_text_twice_is() -> None:
    same = Proponente("Ana", "11144477735")
    series = [projeto("P1", TEXTO, same), projeto("P2", f"{TEXTO} Na segunda etapa a roda chega a mais dois bairros.", same)]
    assert find_similares(series, compare(series, vetores(series))) == ()
    twice = [projeto("P1", TEXTO, same), projeto("P2", TEXTO, same)]
    (sign,) = find_similares(twice, compare(twice, vetores(twice)))
    assert "do mesmo proponente" in sign.achado


def test_more_pairs_than_can_be_read_are_counted_and_the_most_alike_kept() -> None:
    semelhantes = compared(np.ones((3000, 1), np.float32))
    assert len(semelhantes.pares) == 30_000
    assert len(semelhantes.pares) + semelhantes.omitidos == 3000 * 2999 // 2


def test_the_order_is_by_likeness_and_then_by_project() -> None:
    projetos = [projeto("P1", OUTRO), projeto("P2", TEXTO), projeto("P3", OUTRO), projeto("P4", TEXTO)]
    found = find_similares(projetos, compare(projetos, vetores(projetos)))
    assert [sign.projetos for sign in found] == [("P1", "P3"), ("P2", "P4")]
