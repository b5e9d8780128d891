"""A certidão that says there are debts is no proof that there are none."""

from __future__ import annotations

from datetime import date

import pytest

from crivo.triagem.achados import Habilitacao
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import DocumentoProprio, Edital, Projeto, Proponente, RequisitoDocumento, TipoDocumento, ValidoEm
from crivo.triagem.habilitacao import habilitar

NOME = "Grupo Pedal Livre"
FIM = f"\nContribuinte: {NOME}\nEmitida em 01/09/2026.\nVálida até 31/12/2026."
MUNICIPAL = "PREFEITURA MUNICIPAL DE CAUCAIA\n"
FEDERAL = "MINISTÉRIO DA FAZENDA\nSecretaria da Receita Federal do Brasil\n"
POSITIVA = f"{MUNICIPAL}CERTIDÃO POSITIVA DE DÉBITOS MUNICIPAIS\nCertificamos que constam débitos em nome de {NOME}.{FIM}"


def screened(texto: str, documento: TipoDocumento = "CERTIDAO_MUNICIPAL", dia: date = date(2026, 9, 15)) -> Habilitacao:
    requisito = RequisitoDocumento(
        id="REQ-1",
        documento=documento,
        eliminatorio=True,
        em_nome_do_proponente=True,
        validade=ValidoEm(dia),
        descricao="Certidão negativa",
    )
    lido = DocumentoLido("c.pdf", "ab" * 32, 10, "pdf", "lido", (Pagina(1, texto),), total_paginas=1, requisito="REQ-1")
    return habilitar(Edital("ED-1", "Edital"), (requisito,), ProjetoLido(Projeto("P1", "Pedal", Proponente(NOME)), (lido,)))


def told(texto: str, documento: TipoDocumento = "CERTIDAO_MUNICIPAL") -> tuple[str, str]:
    found = screened(texto, documento)
    (item,) = found.itens
    assert item.evidencia is not None
    assert item.evidencia.trecho in texto
    return item.situacao, item.evidencia.trecho


def test_a_positive_certidao_is_not_met_and_excludes_with_its_own_words() -> None:
    found = screened(POSITIVA)
    (item,) = found.itens
    assert (found.habilitacao_sugerida, item.situacao, item.motivo, item.autor) == (
        "inabilitado",
        "nao_atende",
        "condicao_nao_atendida",
        "codigo",
    )
    assert item.evidencia is not None
    assert (item.evidencia.arquivo, item.evidencia.pagina, item.evidencia.trecho) == ("c.pdf", 1, "CERTIDÃO POSITIVA DE DÉBITOS MUNICIPAIS")
    assert "positiva" in item.achado


@pytest.mark.parametrize(
    ("texto", "documento", "trecho"),
    [
        (f"{FEDERAL}CERTIDÃO POSITIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS", "CERTIDAO_FEDERAL", "CERTIDÃO POSITIVA"),
        (f"{MUNICIPAL}Certidão conjunta\npositiva de tributos municipais", "CERTIDAO_MUNICIPAL", "positiva"),
        (f"{MUNICIPAL}CERTIDÃO DE DÉBITOS MUNICIPAIS\nSituação: POSITIVA", "CERTIDAO_MUNICIPAL", "POSITIVA"),
        (f"{MUNICIPAL}CERTIDÃO DE DÉBITOS\nCertificamos que constam débitos em aberto.", "CERTIDAO_MUNICIPAL", "constam débitos"),
        (f"{MUNICIPAL}CERTIDÃO POSITIVA DE DÉBITOS\nNão vale como certidão negativa.", "CERTIDAO_MUNICIPAL", "POSITIVA"),
        (f"{MUNICIPAL}CERTIDÃO POSITIVA DE DÉBITOS SEM EFEITOS DE NEGATIVA", "CERTIDAO_MUNICIPAL", "POSITIVA"),
        (f"{MUNICIPAL}CERTIDÃO\n\nDE DÉBITOS MUNICIPAIS - Nº 12.345/2026 - POSITIVA", "CERTIDAO_MUNICIPAL", "POSITIVA"),
        (f"{MUNICIPAL}CERTIDÃO FISCAL\nO contribuinte encontra-se em débito com o Município.", "CERTIDAO_MUNICIPAL", "em débito"),
        ("JUSTIÇA DO TRABALHO\nCERTIDÃO POSITIVA DE DÉBITOS TRABALHISTAS", "OUTRO", "CERTIDÃO POSITIVA"),
        ("GOVERNO DO ESTADO\nCERTIDÃO POSITIVA DE DÉBITOS ESTADUAIS", "OUTRO", "CERTIDÃO POSITIVA"),
    ],
)
def test_debts_are_seen_however_a_certidao_says_them(texto: str, documento: TipoDocumento, trecho: str) -> None:
    situacao, seen = told(texto + FIM, documento)
    assert situacao == "nao_atende"
    assert trecho in seen


@pytest.mark.parametrize(
    ("texto", "documento"),
    [
        (f"{MUNICIPAL}CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA DE DÉBITOS MUNICIPAIS\nConstam débitos parcelados.", "CERTIDAO_MUNICIPAL"),
        (f"{MUNICIPAL}CERTIDÃO POSITIVA DE DÉBITOS\nCOM EFEITO DE NEGATIVA\nExistem débitos parcelados e em dia.", "CERTIDAO_MUNICIPAL"),
        (
            f"{FEDERAL}CERTIDÃO POSITIVA DE DÉBITOS RELATIVOS AOS\nTRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO\nCOM EFEITOS DE NEGATIVA",
            "CERTIDAO_FEDERAL",
        ),
        (f"{MUNICIPAL}CERTIDÃO POSITIVA Nº. 123/2026\n\nCOM  EFEITOS\n\nDE NEGATIVA", "CERTIDAO_MUNICIPAL"),
        (f"{MUNICIPAL}CERTIDÃO POSITIVA (COM EFEITO NEGATIVO) DE DÉBITOS", "CERTIDAO_MUNICIPAL"),
        ("JUSTIÇA DO TRABALHO\nCERTIDÃO POSITIVA DE DÉBITOS TRABALHISTAS COM EFEITO DE NEGATIVA", "OUTRO"),
        (f"{MUNICIPAL}CERTIDÃO NEGATIVA DE DÉBITOS MUNICIPAIS\nCertificamos que não constam débitos.", "CERTIDAO_MUNICIPAL"),
        (
            f"{MUNICIPAL}CERTIDÃO NEGATIVA DE DÉBITOS\nVale a certidão negativa ou positiva com efeito de negativa emitida pela internet.",
            "CERTIDAO_MUNICIPAL",
        ),
        (f"{MUNICIPAL}CERTIDÃO NEGATIVA DE DÉBITOS\nPerde o valor se for emitida certidão positiva depois.", "CERTIDAO_MUNICIPAL"),
        (f"{MUNICIPAL}CERTIDÃO DE DÉBITOS\nVerificado se constam débitos, nada foi achado.", "CERTIDAO_MUNICIPAL"),
        (f"{MUNICIPAL}CERTIDÃO DE REGULARIDADE FISCAL\nSituação: Regular: não há débitos lançados", "CERTIDAO_MUNICIPAL"),
        ("Laudo da obra\nResultado: positiva a vistoria.", "OUTRO"),
        ("Ofício\nSegue a certidão de nascimento do grupo e a avaliação positiva do público.", "OUTRO"),
    ],
)
def test_what_is_negative_or_worth_it_is_met(texto: str, documento: TipoDocumento) -> None:
    situacao, seen = told(texto + FIM, documento)
    assert situacao == "atende"
    assert "31/12/2026" in seen


@pytest.mark.parametrize(
    ("texto", "trecho"),
    [
        ("CERTIDÃO POSITIVA DE DÉBITOS\nParcelada; produz os mesmos efeitos da certidão negativa.", "CERTIDÃO POSITIVA"),
        ("Emissão de Certidão Negativa\nRESULTADO DA CONSULTA\nConstam débitos em aberto.", "Constam débitos"),
        ("CERTIDÃO DE DÉBITOS\nConstam débitos com exigibilidade suspensa.", "Constam débitos"),
    ],
    ids=["equal in its body", "speaks of both", "suspended"],
)
def test_what_speaks_both_ways_is_left_to_people(texto: str, trecho: str) -> None:
    situacao, seen = told(f"{MUNICIPAL}{texto}{FIM}")
    assert situacao == "nao_lido"
    assert trecho in seen


@pytest.mark.parametrize(
    ("titulo", "motivo"),
    [
        ("CERTIDÃO POSITIVA DE DÉBITOS TRABALHISTAS", "condicao_nao_atendida"),
        ("CERTIDÃO POSITIVA DE DÉBITOS TRABALHISTAS COM EFEITO DE NEGATIVA", None),
        ("CERTIDÃO NEGATIVA DE DÉBITOS TRABALHISTAS", None),
        ("DECLARAÇÃO SOBRE DÉBITOS TRABALHISTAS\nDeclaro que não há certidão positiva em meu nome.", None),
    ],
)
def test_a_certidao_of_a_type_of_the_editals_own_is_known_as_positive_by_its_title(titulo: str, motivo: str | None) -> None:
    edital = Edital("ED-1", "Edital", documentos_proprios=(DocumentoProprio("CNDT", "Certidão trabalhista", ("débitos trabalhistas",)),))
    requisito = RequisitoDocumento(id="REQ-1", documento="CNDT", validade=ValidoEm(date(2026, 9, 15)))
    lido = DocumentoLido("c.pdf", "ab" * 32, 10, "pdf", "lido", (Pagina(1, f"JUSTIÇA DO TRABALHO\n{titulo}{FIM}"),), requisito="REQ-1")
    (item,) = habilitar(edital, (requisito,), ProjetoLido(Projeto("P1", "Pedal", Proponente(NOME)), (lido,))).itens
    assert (item.situacao, item.motivo) == ("nao_atende" if motivo else "atende", motivo)


@pytest.mark.parametrize(("efeitos", "situacao"), [(" COM EFEITOS DE NEGATIVA", "atende"), ("", "nao_atende")])
def test_the_title_after_a_cover_and_an_index_is_the_title(efeitos: str, situacao: str) -> None:
    capa = "ANEXO II\nPROTOCOLO DE ENVIO\n" + "Reúna os papéis num só arquivo e confira a legibilidade. " * 10
    texto = f"{capa}\n{FEDERAL}CERTIDÃO POSITIVA{efeitos} DE DÉBITOS\nConstam débitos relativos aos tributos federais.{FIM}"
    assert told(texto, "CERTIDAO_FEDERAL")[0] == situacao


def test_what_is_out_of_date_is_refused_even_where_its_debts_are_in_doubt() -> None:
    texto = f"{MUNICIPAL}CERTIDÃO DE DÉBITOS\nConstam débitos com exigibilidade suspensa.{FIM}"
    assert screened(texto, dia=date(2027, 1, 1)).itens[0].motivo == "documento_vencido"
