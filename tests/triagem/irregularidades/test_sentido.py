"""The same idea in other words is told by the call's own measure; one theme, the same words, or one's own series are not."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from evals.sentido import frescas, measure
from numpy.typing import NDArray

from com_semantico import precisa_do_semantico
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.alinhamento import MESMA_IDEIA, by_meaning, by_words, centred, in_order
from crivo.triagem.irregularidades.sentido import Lidas, Recontado, asked_of, find_recontados

DIMENSIONS = 384
SENTENCES = 6
WORDS = ("casa", "rua", "festa", "canto", "barro", "ponte", "livro", "tambor", "dança", "praça", "rio", "feira", "mestre", "jovem", "verso")


class Mundo:
    """A call in which what a sentence means is given: a direction of its own, over what all prose has in common."""

    def __init__(self, projetos: int, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self._common = unit(self._random.normal(size=(1, DIMENSIONS)).astype(np.float32))[0]
        self.significados = [self._meanings() for _ in range(projetos)]
        self.textos = [[self._words(at, one) for one in range(SENTENCES)] for at in range(projetos)]
        self.nomes = [f"Pessoa {letters(at)}" for at in range(projetos)]

    def recontar(self, de: int, fidelity: float = 0.75, *, same_words: bool = False, order: Sequence[int] = range(SENTENCES)) -> int:
        """One more project, which tells another's sentences again, so faithfully."""
        said = self.significados[de][list(order)]
        self.significados.append(unit(fidelity * said + (1 - fidelity) * self._meanings()))
        at = len(self.textos)
        self.textos.append(list(self.textos[de]) if same_words else [self._words(at, one) for one in range(SENTENCES)])
        self.nomes.append(f"Pessoa {letters(at)}")
        return at

    def tema(self, places: Sequence[int], share: float = 0.5) -> None:
        """One theme for all these, which say each their own of it."""
        theme = self._meanings()[:1]
        for at in places:
            self.significados[at] = unit((1 - share) * self.significados[at] + share * theme)

    def find(self) -> list[tuple[int, int]]:
        return [(one.primeiro, one.segundo) for one in self.found()]

    def found(self) -> list[Recontado]:
        projetos = [
            Projeto(f"P{at:03}", "", Proponente(nome), descricao_tecnica=" ".join(textos))
            for at, (nome, textos) in enumerate(zip(self.nomes, self.textos, strict=True))
        ]
        vetores = [self._vectors(rows) for rows in self.significados]
        matriz = unit(np.array([rows.mean(axis=0) for rows in vetores], np.float32))
        asked = asked_of(projetos, matriz)
        by_text = {texto: row for at, frases in asked.items() for texto, row in zip(frases.textos, vetores[at], strict=True)}
        return find_recontados(projetos, matriz, Lidas(asked, by_text))

    def _meanings(self) -> Matriz:
        return unit(self._random.normal(size=(SENTENCES, DIMENSIONS)).astype(np.float32))

    def _vectors(self, significados: Matriz) -> Matriz:
        return unit(significados * 0.4 + self._common)

    def _words(self, at: int, one: int) -> str:
        chosen = self._random.choice(WORDS, 5, replace=False)
        return f"{letters(at).capitalize()} {letters(one)} {' '.join(f'{word}{letters(at * SENTENCES + one)}' for word in chosen)}."


def letters(number: int) -> str:
    said = ""
    while True:
        number, rest = divmod(number, 26)
        said = chr(97 + rest) + said
        if not number:
            return said * 2


@pytest.fixture(autouse=True)
def _no_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here nothing is Portuguese prose: there is no middle to take away but the call's own."""
    monkeypatch.setattr("crivo.triagem.irregularidades.sentido.centred", lambda vetores: unit(vetores - vetores.mean(axis=0)))


def test_a_project_told_again_in_other_words_is_found_and_nothing_else() -> None:
    mundo = Mundo(30)
    copia = mundo.recontar(7)
    (found,) = mundo.found()
    assert (found.primeiro, found.segundo) == (7, copia)
    assert found.medida > 1
    assert [(one.a, one.b) for one in found.ideias] == [(at, at) for at in range(SENTENCES)]


def test_one_theme_alone_is_no_retelling() -> None:
    mundo = Mundo(30)
    mundo.tema(range(5))
    assert mundo.find() == []


def test_what_is_in_the_same_words_is_another_sign() -> None:
    mundo = Mundo(30)
    mundo.recontar(7, 1.0, same_words=True)
    assert mundo.find() == []


def test_the_parts_of_ones_own_series_are_left_alone() -> None:
    mundo = Mundo(30)
    copia = mundo.recontar(7)
    mundo.nomes[copia] = mundo.nomes[7]
    assert mundo.find() == []


def test_a_call_of_few_projects_is_no_measure_for_itself() -> None:
    mundo = Mundo(9)
    mundo.recontar(3)
    assert mundo.find() == []


@pytest.mark.parametrize("texto", ["", "   ", "😀😀😀 🎭", "Uma frase só com cinco palavras.", "curta demais"])
def test_a_project_without_sentences_is_passed_over(texto: str) -> None:
    projetos = [Projeto(f"P{at}", "", Proponente(f"Pessoa {letters(at)}"), resumo=texto) for at in range(20)]
    assert asked_of(projetos, np.zeros((20, DIMENSIONS), np.float32)) == {}
    assert asked_of(projetos[:1], np.zeros((1, DIMENSIONS), np.float32)) == {}
    assert asked_of([], np.zeros((0, DIMENSIONS), np.float32)) == {}


def test_the_same_text_sent_by_everybody_tells_of_nobody() -> None:
    texto = "Oficina de canto para jovens da vila. A roda acontece na praça aos sábados. Os mestres ensinam de graça a quem vier. No fim há baile."
    projetos = [Projeto(f"P{at}", "", Proponente(f"Pessoa {letters(at)}"), resumo=texto) for at in range(14)]
    matriz = np.tile(unit(np.ones((1, DIMENSIONS), np.float32)), (14, 1))
    asked = asked_of(projetos, matriz)
    assert find_recontados(projetos, matriz, Lidas(asked, dict.fromkeys(asked[0].textos, matriz[0]))) == []


def test_five_hundred_projects_are_compared_in_seconds() -> None:
    mundo = Mundo(499)
    copia = mundo.recontar(7)
    began = time.process_time()
    assert mundo.find() == [(7, copia)]
    assert time.process_time() - began < 30  # some three on a machine of its own


def test_sentences_go_with_those_of_the_same_words_each_once() -> None:
    a = ["A oficina acontece na praça aos sábados.", "Doze jovens aprendem a tocar.", "A oficina acontece na praça aos sábados."]
    b = ["Doze jovens aprendem a cantar e a tocar.", "A oficina acontece na praça todos os sábados.", "Nada disso."]
    assert [(one.a, one.b) for one in by_words(a, b)] == [(0, 1), (1, 0)]
    assert by_words([], b) == by_words(a, []) == by_words(["", "😀"], ["", "..."]) == []
    assert by_words(a, a)[0].semelhanca == pytest.approx(1)


def test_sentences_go_with_those_of_the_same_meaning_where_each_is_the_others_nearest() -> None:
    rows = np.eye(4, 8, dtype=np.float32)
    other = unit(np.array([rows[1] + 0.2 * rows[0], rows[0], 0.1 * rows[2] + np.eye(1, 8, 7, np.float32)[0]], np.float32))
    assert [(one.a, one.b) for one in by_meaning(rows, other)] == [(0, 1), (1, 0)]
    assert [(one.a, one.b) for one in by_meaning(rows, other, sem_a=[0])] == [(1, 0)]
    assert by_meaning(rows, other[:0]) == []
    assert min(one.semelhanca for one in by_meaning(rows, other)) >= MESMA_IDEIA


def test_the_best_order_passes_over_what_stands_in_its_way() -> None:
    assert in_order(np.array([[1.0, 0, 0], [0, 0, 5], [0, 1, 0]])) == pytest.approx(6)
    assert in_order(np.array([[-1.0, -2], [-3, -1]])) == 0


def test_what_was_never_read_stays_nothing_when_the_middle_is_taken_away() -> None:
    rows: NDArray[np.float32] = np.zeros((2, DIMENSIONS), np.float32)
    rows[0, 0] = 1
    assert not centred(rows)[1].any()
    assert np.linalg.norm(centred(rows)[0]) == pytest.approx(1, abs=1e-5)


@pytest.mark.slow
@precisa_do_semantico
def test_texts_told_again_by_another_hand_are_found_among_texts_that_nothing_was_learned_from() -> None:
    medida = measure(frescas(), "semantico")
    assert medida.achados >= 7
    assert medida.alarmes <= 2
    assert measure(frescas(), "local").achados <= 2
