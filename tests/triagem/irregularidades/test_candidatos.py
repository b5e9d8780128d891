"""No project that a text took three tenths of itself from is overlooked, though no sentence is compared on the way."""

from __future__ import annotations

import numpy as np
import pytest

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.embeddings.ngramas import count_ngramas
from crivo.triagem.irregularidades.acervo import Acervo, gather, strips
from crivo.triagem.irregularidades.candidatos import Candidatos
from crivo.triagem.irregularidades.coincidencias import FRASE_IGUAL, REUSO
from crivo.triagem.irregularidades.pesos import Pesos
from inscritos import chamada, lidos, projeto
from reuso import Metade, bases, draw_editais


def gathered(projetos: list[Projeto]) -> Acervo:
    acervo = gather(chamada(*projetos), lidos(*projetos), ())
    assert acervo is not None
    return acervo


def drawn(half: Metade) -> list[Projeto]:
    """Two labelled editais in one, all their projects under ids of their own: more than are compared without choosing."""
    both = [(at, lido) for at, edital in enumerate(draw_editais(half, semente=7, rodadas=2)) for lido in edital.lidos]
    return [_renumbered(f"{at}-{lido.projeto.id}", lido) for at, lido in both]


def _renumbered(numero: str, lido: ProjetoLido) -> Projeto:
    one = lido.projeto
    return Projeto(numero, one.titulo, Proponente(f"Proponente {numero}"), resumo=one.resumo, descricao_tecnica=one.descricao_tecnica)


def all_shares(acervo: Acervo, total: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Text × project: the share of its words in sentences that the project has too, every sentence beside every other."""
    rows = acervo.pesos.rows(acervo.unica_de.astype(np.intp))
    alike = (rows @ rows.T).toarray() >= FRASE_IGUAL
    words = np.array([frase.palavras for frase in acervo.frases], np.float64)
    shares = np.zeros((int(acervo.texto_de.max()) + 1, total))
    for projeto_at in np.unique(acervo.projeto_de):
        told = alike[:, acervo.projeto_de == projeto_at].any(axis=1)
        shares[:, projeto_at] = np.bincount(acervo.texto_de, words * told) / np.maximum(np.bincount(acervo.texto_de, words), 1)
    return shares


@pytest.mark.parametrize("half", ["ajuste", "relato"])
def test_every_project_that_a_text_shares_three_tenths_with_is_a_candidate(half: Metade) -> None:
    projetos = drawn(half)
    acervo = gathered(projetos)
    shares = all_shares(acervo, len(projetos))
    textos = np.unique(acervo.texto_de).astype(np.intp)
    chosen = Candidatos(acervo).projects_for(textos)
    owner = {int(text): int(acervo.projeto_de[acervo.texto_de == text][0]) for text in textos}
    reused = {(int(text), int(other)) for text in textos for other in np.flatnonzero(shares[text] >= REUSO) if other != owner[int(text)]}
    found = {(int(text), int(other)) for text, others in zip(textos, chosen, strict=True) for other in others}
    assert len(projetos) >= 60
    assert len(reused) > 50
    assert reused <= found
    assert len(found) < 0.5 * len(textos) * len(projetos)


def test_a_form_that_hundreds_filled_in_is_found_among_them() -> None:
    form = " ".join(bases("ajuste")[0].frases)
    others = [f"Turma {at} de bordado aberta na rua {at * 7} com {at * 31} linhas coloridas." for at in range(1200)]
    projetos = [projeto(f"P{at:04}", f"{texto} {form}" if at < 280 else texto) for at, texto in enumerate(others)]
    acervo = gathered(projetos)
    textos = np.unique(acervo.texto_de[acervo.projeto_de < 280]).astype(np.intp)
    for text, found in zip(textos, Candidatos(acervo).projects_for(textos), strict=True):
        assert (found < 280).sum() >= 20
        assert acervo.projeto_de[acervo.texto_de == text][0] not in found


def test_n_grams_counted_by_way_of_words_are_those_of_the_text() -> None:
    palavras = ["roda capoeira praca", "bordado bordado vila a", "x", "praca roda " * 50]
    pesos = Pesos(palavras)
    assert ((pesos.palavras_de @ pesos.ngramas_de) != count_ngramas(palavras)).nnz == 0
    again = pesos.vectors_of(palavras)
    np.testing.assert_allclose(pesos.vectors(), again, atol=1e-6)


def test_strips_cut_no_project_in_two() -> None:
    projeto_de = np.array([0, 0, 2, 2, 2, 5, 7, 7], np.int32)
    assert [(strip.start, strip.stop) for strip in strips(projeto_de, 3)] == [(0, 5), (5, 8)]
    assert list(strips(np.empty(0, np.int32), 3)) == []
