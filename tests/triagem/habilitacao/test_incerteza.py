"""What was read with doubt never decides alone. Source: design, From the text of the edital to the call."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.documentos.duvida import DUVIDOSA, doubted_within, doubtful_spans, without_doubtful
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra, ProjetoLido, Regiao
from crivo.triagem.edital import Edital, Projeto, Proponente, RequisitoDocumento, ValidoEm
from crivo.triagem.habilitacao import habilitar

CERTIDAO = RequisitoDocumento("REQ-1", "CERTIDAO_MUNICIPAL", em_nome_do_proponente=True, validade=ValidoEm(date(2026, 9, 15)))
ANA = Proponente("Ana Lúcia Braga", "529.982.247-25")
TEXTO = (
    "PREFEITURA MUNICIPAL DE CAUCAIA\nCERTIDÃO NEGATIVA DE DÉBITOS MUNICIPAIS\n"
    "Nome: {nome}\nCPF: {cpf}\nEmitida em 01/09/2026.\nVálida até {validade}.\n"
)


def scanned(*doubtful: str, texto: str = "", **given: str) -> DocumentoLido:
    """The certidão as it was read from an image, these words with doubt."""
    texto = texto or TEXTO.format(**{"nome": "Ana Lúcia Braga", "cpf": "529.982.247-25", "validade": "30/11/2026", **given})
    palavras = tuple(Palavra(word, 0.4 if word.strip(".") in doubtful else 0.95, (0.1, 0.1, 0.2, 0.2)) for word in texto.split())
    pagina = Pagina(1, texto.strip(), por_ocr=True, palavras=palavras)
    return DocumentoLido("a.jpg", "0" * 64, 100, "jpg", "lido", (pagina,), total_paginas=1, requisito="REQ-1")


def item(documento: DocumentoLido, requisito: RequisitoDocumento = CERTIDAO) -> ItemHabilitacao:
    lido = ProjetoLido(Projeto("P001", "Festival", ANA), (documento,))
    return habilitar(Edital("ED-1", "Edital"), (requisito,), lido).itens[0]


def test_a_scan_read_with_certainty_is_judged_like_any_other_paper() -> None:
    assert item(scanned()).situacao == "atende"
    assert item(scanned(validade="14/09/2026")).motivo == "documento_vencido"


@pytest.mark.parametrize("validade", ["30/11/2026", "14/09/2026"], ids=["would do", "would be over"])
def test_a_doubtful_date_neither_passes_nor_fails_a_paper(validade: str) -> None:
    found = item(scanned(validade, validade=validade))
    assert (found.situacao, found.motivo) == ("nao_lido", None)
    assert found.achado.startswith("Confira: leitura incerta (data pouco legível).")
    assert found.evidencia is not None
    assert validade in found.evidencia.trecho


def test_a_doubtful_name_neither_passes_nor_fails_a_paper() -> None:
    only_name = TEXTO.replace("CPF: {cpf}\n", "")
    for nome, said in (("Ana Lúcia Braga", ("Ana", "Lúcia")), ("Ama Lucla Draga", ("Ama", "Lucla", "Draga"))):
        found = item(scanned(*said, texto=only_name.format(nome=nome, validade="30/11/2026")))
        assert (found.situacao, found.motivo) == ("nao_lido", None)
        assert "leitura incerta (nome pouco legível)" in found.achado


def test_a_name_in_an_image_that_is_nearly_the_one_looked_for_is_nobody_elses_however_sure_its_reading() -> None:
    only_name = TEXTO.replace("CPF: {cpf}\n", "")
    found = item(scanned(texto=only_name.format(nome="Ara Lucie Brage", validade="30/11/2026")))
    assert (found.situacao, found.motivo) == ("nao_lido", None)
    assert "leitura incerta (nome pouco legível)" in found.achado
    other = item(scanned(texto=only_name.format(nome="Rui Leal Prado", validade="30/11/2026")))
    assert other.motivo == "documento_de_terceiro"


def test_somebody_elses_number_read_with_certainty_is_somebody_elses_whatever_else_is_doubtful() -> None:
    assert item(scanned("MUNICIPAL", nome="Rui Leal Prado", cpf="111.444.777-35")).motivo == "documento_de_terceiro"


@pytest.mark.parametrize("doubtful", [("RECEITA", "DE"), ()], ids=["doubtful", "sure"])
def test_an_image_that_looks_like_no_paper_at_all_is_not_the_wrong_one(doubtful: tuple[str, ...]) -> None:
    """Its title may stand where nothing was seen."""
    found = item(scanned(*doubtful, texto="RECEITA DE ABC\nlinha que nada diz\n30/11/2026"))
    assert (found.situacao, found.motivo) == ("nao_lido", None)
    assert "leitura incerta (título pouco legível)" in found.achado


def test_an_image_of_another_paper_is_the_wrong_one() -> None:
    found = item(scanned(texto="CURRÍCULO DE ANA BRAGA\nFormação: ensino médio\nExperiência: eventos de bairro"))
    assert (found.situacao, found.motivo) == ("nao_atende", "documento_tipo_errado")


def test_a_word_that_decides_nothing_may_be_doubtful() -> None:
    assert item(scanned("CAUCAIA", "Emitida")).situacao == "atende"


def test_a_debt_told_only_by_doubtful_words_is_left_to_a_person() -> None:
    texto = TEXTO.replace("NEGATIVA", "POSITIVA").format(nome="Ana Lúcia Braga", cpf="529.982.247-25", validade="30/11/2026")
    assert item(scanned(texto=texto)).motivo == "condicao_nao_atendida"
    doubted = item(scanned("POSITIVA", texto=texto))
    assert (doubted.situacao, doubted.motivo) == ("nao_lido", None)


def test_what_is_not_found_may_stand_on_a_page_that_was_not_read() -> None:
    documento = scanned(nome="Rui Leal Prado", cpf="111.444.777-35")
    with_image = replace(documento, paginas=(*documento.paginas, Pagina(2, "", nao_lida=True)))
    found = item(with_image)
    assert found.situacao == "nao_lido"
    assert found.achado.startswith("Confira: a página 2 é uma imagem, e não foi lida.")


def test_doubtful_words_are_found_in_the_text_in_their_order_and_blotted_letter_by_letter() -> None:
    documento = scanned("MUNICIPAL")
    pagina = documento.paginas[0]
    ((start, end),) = doubtful_spans(pagina)
    assert pagina.texto[start:end] == "MUNICIPAL"
    blotted = without_doubtful(documento)
    assert len(blotted.texto) == len(documento.texto)
    assert "MUNICIPAL " not in blotted.texto
    certain = scanned()
    assert without_doubtful(certain) is certain


def test_a_sign_that_is_no_word_is_in_no_doubt() -> None:
    assert (
        item(scanned("—", texto=TEXTO.format(nome="— Ana Lúcia Braga", cpf="529.982.247-25", validade="30/11/2026"))).situacao == "atende"
    )
    pagina = Pagina(1, "— Ana", palavras=(Palavra("—", 0.3, (0, 0, 1, 1)), Palavra("Ana", 0.9, (0, 0, 1, 1))))
    assert doubtful_spans(pagina) == ()


def test_words_within_a_stamp_or_under_a_hand_are_in_doubt_however_sure_their_reader_was() -> None:
    under, touched, far = (
        Palavra("30/11/2026", 0.97, box) for box in ((0.1, 0.1, 0.2, 0.12), (0.29, 0.1, 0.4, 0.12), (0.1, 0.5, 0.2, 0.52))
    )
    doubted = doubted_within((under, touched, far), (Regiao("carimbo", (0.05, 0.05, 0.3, 0.3)),))
    assert [one.confianca < DUVIDOSA for one in doubted] == [True, False, False]
    assert [one.texto for one in doubted] == ["30/11/2026"] * 3


def test_a_word_of_just_the_certainty_asked_for_is_no_doubt() -> None:
    pagina = Pagina(1, "Válida", palavras=(Palavra("Válida", DUVIDOSA, (0, 0, 1, 1)),))
    assert doubtful_spans(pagina) == ()
