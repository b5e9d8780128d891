"""Texts are cut where sentences end, and nothing that a project wrote is lost on the way."""

from __future__ import annotations

import pytest

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.irregularidades.frases import sentences, texts_of
from inscritos import com_anexo, projeto


@pytest.mark.parametrize(
    ("texto", "frases"),
    [
        ("A roda abre às sete. Quem quiser entra nela!", ["A roda abre às sete.", "Quem quiser entra nela!"]),
        ("Primeira parte do plano;\n- segunda parte do plano\n- terceira parte do plano", 3),
        ("Objetivos\n\nA roda abre às sete da noite.", ["A roda abre às sete da noite."]),
        ("", []),
        ("🎭🎪🎨 🎭🎪", []),
        ("Três palavras só.", []),
    ],
)
def test_sentences_end_at_stops_and_at_items_of_lists_and_headings_are_none(texto: str, frases: list[str] | int) -> None:
    found = [frase for frase, _ in sentences(texto)]
    assert found == frases if isinstance(frases, list) else len(found) == frases


def test_a_text_without_stops_is_cut_and_keeps_every_word() -> None:
    texto = " ".join(f"palavra{n}" for n in range(200))
    found = list(sentences(texto))
    assert " ".join(frase for frase, _ in found).split() == texto.split()
    assert max(palavras for _, palavras in found) == 45


def test_a_sentence_knows_where_it_stands() -> None:
    one = Projeto("P1", "", Proponente("Ana"), resumo="O resumo diz do que se trata.", descricao_tecnica="A descrição diz como se faz.")
    lido = com_anexo(one, "anexos/plano.pdf", "O plano de trabalho diz o resto.")
    form, annex = texts_of(lido)
    assert [(frase.campo, frase.arquivo, frase.pagina) for frase in (*form, *annex)] == [
        ("resumo", None, None),
        ("descricao_tecnica", None, None),
        (None, "anexos/plano.pdf", 1),
    ]


def test_documents_that_the_edital_asks_for_are_others_words() -> None:
    lido = com_anexo(projeto("P1"), "certidao.pdf", "Certificamos que nada consta contra o requerente.", requisito="REQ-1")
    assert list(texts_of(lido)) == [()]
    assert list(texts_of(ProjetoLido(projeto("P2")))) == [()]
