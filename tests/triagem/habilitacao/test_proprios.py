"""Types of document that only one edital has, known by words that people wrote."""

from __future__ import annotations

import hashlib

import pytest

from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import DocumentoProprio, Edital, Projeto, Proponente, RequisitoDocumento
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.habilitacao.tipos import catalogue, find_tipos, tipos_of

ATA = DocumentoProprio("ATA_DA_RODA", "Ata da roda de mestres", ("Ata da Roda", "roda de mestres + presentes"), ("ata de assembleia",))
SEM_PALAVRAS = DocumentoProprio("MAPA", "Mapa do território", (), ("certidão",))
TIPOS = tipos_of((ATA, SEM_PALAVRAS))
RODA = "ATA DA  RODA\nAos dez dias de agosto reuniram-se os mestres de Caucaia."


def item(texto: str, documento: str = "ATA_DA_RODA", descricao: str = "") -> ItemHabilitacao:
    requisito = RequisitoDocumento("R1", documento, descricao=descricao)
    file = DocumentoLido(
        "a.pdf", hashlib.sha256(texto.encode()).hexdigest(), len(texto), "pdf", "lido", (Pagina(1, texto),), requisito="R1"
    )
    lido = ProjetoLido(Projeto("P1", "T", Proponente("Ana")), (file,))
    return habilitar(Edital("E", "N", documentos_proprios=(ATA, SEM_PALAVRAS)), (requisito,), lido).itens[0]


@pytest.mark.parametrize(
    ("texto", "known"),
    [
        (RODA, True),
        ("Na RODA DE MESTRES de ontem, estavam presentes doze pessoas.", True),
        ("Na roda de mestres de ontem ninguém assinou.", False),
        ("ATA DE ASSEMBLEIA\nque precede a ata da roda", False),
        ("A data da rodada foi mudada.", False),
        ("ATA DA RODA2026", True),
    ],
)
def test_it_is_known_by_any_of_its_words_and_all_parts_of_one(texto: str, known: bool) -> None:
    assert TIPOS.is_of(texto, "ATA_DA_RODA") is known
    assert ("ATA_DA_RODA" in TIPOS.find(texto)) is known


def test_what_is_sent_for_it_is_of_the_type_asked_or_another() -> None:
    met = item(RODA)
    assert (met.situacao, met.achado) == ("atende", "Enviado, legível e do tipo pedido.")
    assert met.descricao == "Ata da roda de mestres"
    wrong = item("CURRÍCULO\nExperiência profissional e formação acadêmica de Ana")
    assert (wrong.situacao, wrong.motivo) == ("nao_atende", "documento_tipo_errado")


def test_a_paper_of_the_editals_own_does_not_pass_for_one_of_the_catalogue() -> None:
    found = item(RODA, "PORTFOLIO")
    assert (found.motivo, found.achado) == ("documento_tipo_errado", "Parece ser outro documento: Ata da roda de mestres.")
    assert tipos_of().is_of(RODA, "PORTFOLIO")  # an edital without that type takes any paper for a portfólio


@pytest.mark.parametrize("documento", ["OUTRO", "MAPA"])
def test_what_has_no_words_is_never_said_to_be_of_the_type_asked(documento: str) -> None:
    found = item("Rios, serras e roçados da comunidade.", documento)
    assert found.situacao == "atende"
    assert found.achado == "Enviado e legível. Não há como conferir o tipo por código; leia."


def test_words_of_another_document_refuse_even_where_none_tell_it() -> None:
    assert item("CERTIDÃO\nde qualquer coisa", "MAPA").motivo == "documento_tipo_errado"


def test_what_people_write_is_words_and_no_pattern() -> None:
    hostile = tipos_of((DocumentoProprio("X", "X", ("(a+)+$", ".*", "[")),))
    assert not hostile.is_of("a" * 5_000 + "!", "X")
    assert hostile.is_of("veja o item (a+)+$ do edital", "X")


def test_the_catalogue_is_as_it_was() -> None:
    assert find_tipos(RODA) == ()
    assert "ATA_DA_RODA" not in catalogue()
