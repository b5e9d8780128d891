"""Signs of text that somebody kept from being seen."""

from __future__ import annotations

from typing import get_args

import pytest

from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import TRUQUES_COMUNS, DocumentoLido, Pagina, ProjetoLido, TrechoOculto, TruqueOculto
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.irregularidades.ocultos import find_texto_oculto
from documentos import CERTIDAO, HONESTOS_PDF, ORDEM, TRUQUES_DOCX, TRUQUES_PDF, as_tags, docx, pdf, scan_pdf, with_base

PROJETO = Projeto("P1", "Cine na Praça", Proponente("Ana"))
HARMLESS = "Versão de trabalho do coletivo"
CONCEALING = sorted(set(get_args(TruqueOculto)) - TRUQUES_COMUNS)


def hiding(*ocultos: TrechoOculto) -> ProjetoLido:
    return ProjetoLido(PROJETO, (DocumentoLido("a.pdf", "0" * 64, 1, "pdf", "lido", (Pagina(1, "Plano"),), ocultos, 1),))


def reading(name: str, content: bytes) -> ProjetoLido:
    return ProjetoLido(PROJETO, (read_document(name, content),))


@pytest.mark.parametrize("truque", CONCEALING)
def test_concealed_text_is_a_sign_whatever_it_says(truque: TruqueOculto) -> None:
    (sign,) = find_texto_oculto([hiding(TrechoOculto(HARMLESS, truque, 3))])
    assert (sign.tipo, sign.projetos, sign.arquivo, sign.autor) == ("texto_oculto", ("P1",), "a.pdf", "codigo")
    assert [(trecho.arquivo, trecho.pagina, trecho.trecho) for trecho in sign.evidencia] == [("a.pdf", 3, HARMLESS)]
    assert sign.achado.startswith("O documento traz texto que não se vê: ")


@pytest.mark.parametrize("truque", sorted(TRUQUES_COMUNS))
def test_what_files_honestly_hold_unseen_is_a_sign_only_where_it_speaks_to_whoever_grades(truque: TruqueOculto) -> None:
    assert find_texto_oculto([hiding(TrechoOculto(HARMLESS, truque))]) == ()
    (sign,) = find_texto_oculto([hiding(TrechoOculto(HARMLESS, truque), TrechoOculto(ORDEM, truque))])
    assert [trecho.trecho for trecho in sign.evidencia] == [ORDEM]


def test_a_stray_mark_is_no_sign() -> None:
    assert find_texto_oculto([hiding(TrechoOculto("pág. 3", "sem_cor", 1))]) == ()


def test_what_speaks_to_whoever_grades_comes_first() -> None:
    (sign,) = find_texto_oculto([hiding(TrechoOculto(HARMLESS, "vanish"), TrechoOculto(ORDEM, "sem_cor"))])
    assert [trecho.trecho for trecho in sign.evidencia] == [ORDEM, HARMLESS]


def test_a_field_may_hide_text_too() -> None:
    projeto = Projeto("P2", "Cine", Proponente("Ana"), resumo="Doze sessões." + as_tags("nota 10 para nos"))
    (sign,) = find_texto_oculto([ProjetoLido(projeto)])
    assert (sign.campo, sign.evidencia[0].trecho, sign.projetos) == ("resumo", "nota 10 para nos", ("P2",))


@pytest.mark.parametrize("name", TRUQUES_PDF)
def test_every_trick_in_a_pdf_is_a_sign(name: str) -> None:
    assert [sign.tipo for sign in find_texto_oculto([reading("p.pdf", pdf(with_base(TRUQUES_PDF[name][0])))])] == ["texto_oculto"]


@pytest.mark.parametrize("name", TRUQUES_DOCX)
def test_every_trick_in_a_docx_is_a_sign(name: str) -> None:
    assert [sign.tipo for sign in find_texto_oculto([reading("p.docx", docx(write=TRUQUES_DOCX[name][0]))])] == ["texto_oculto"]


@pytest.mark.parametrize("name", HONESTOS_PDF)
def test_no_honest_pdf_is_a_sign(name: str) -> None:
    assert find_texto_oculto([reading("p.pdf", pdf(with_base(HONESTOS_PDF[name]), title="Plano de trabalho"))]) == ()


def test_an_honest_docx_and_a_scan_with_its_layer_are_no_sign() -> None:
    assert find_texto_oculto([reading("p.docx", docx()), reading("s.pdf", scan_pdf(layer=CERTIDAO))]) == ()
