"""The marks by which the text of a document is known."""

from __future__ import annotations

from typing import get_args

import pytest

from crivo.triagem.edital import TipoDocumento
from crivo.triagem.habilitacao.tipos import catalogue, find_tipos, tipos_of

TEXTS: dict[TipoDocumento, tuple[str, ...]] = {
    "CERTIDAO_MUNICIPAL": (
        "PREFEITURA MUNICIPAL DE CAUCAIA\nSecretaria de Finanças\nCERTIDÃO NEGATIVA DE DÉBITOS\nCertificamos que não constam débitos.",
        "MUNICÍPIO DE SERRA AZUL\nCertidão Positiva com Efeito de Negativa de Tributos Municipais",
    ),
    "CERTIDAO_FEDERAL": (
        "MINISTÉRIO DA FAZENDA\nSecretaria da Receita Federal do Brasil\nCERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO",
    ),
    "CARTAO_CNPJ": (
        "REPÚBLICA FEDERATIVA DO BRASIL\nCADASTRO NACIONAL DA PESSOA JURÍDICA\nCOMPROVANTE DE INSCRIÇÃO E DE SITUAÇÃO CADASTRAL",
    ),
    "DOCUMENTO_IDENTIDADE": (
        "REPÚBLICA FEDERATIVA DO BRASIL\nCARTEIRA DE IDENTIDADE\nRegistro Geral 12.345.678\nNome: Ana Braga\nFiliação: Rosa Braga",
        "CARTEIRA NACIONAL DE HABILITAÇÃO\nNOME ANA BRAGA\nCATEGORIA B\nVALIDADE 10/10/2030",
    ),
    "COMPROVANTE_RESIDENCIA": (
        "Companhia de Energia do Litoral\nCONTA DE ENERGIA ELÉTRICA\nCliente: Ana Braga\nEndereço: Rua das Flores, 10\nConsumo: 120 kWh",
        "DECLARAÇÃO DE RESIDÊNCIA\nEu, Ana Braga, declaro que resido na Rua das Flores, 10.",
    ),
    "CARTA_ANUENCIA": (
        "CARTA DE ANUÊNCIA\nEu, João Lima, músico, aceito participar do projeto Festival do Sertão.",
        "À comissão do edital\nManifesto concordância com a realização do projeto no espaço que dirijo.",
    ),
    "PORTFOLIO": ("Portfólio do Grupo Maré\n2019: espetáculo Vento, temporada em Fortaleza",),
    "CURRICULO": ("CURRÍCULO\nAna Braga\nFormação: licenciatura em música\nExperiência: regente do coral",),
    "ESTATUTO": ("ESTATUTO DA ASSOCIAÇÃO CULTURAL MARÉ\nArt. 1º A associação, sem fins lucrativos, tem por finalidade...",),
    "DECLARACAO": ("DECLARAÇÃO\nDeclaro, para os devidos fins, que não sou servidor do órgão.",),
    "PLANILHA_ORCAMENTARIA": ("PLANILHA ORÇAMENTÁRIA\nItem Quantidade Valor unitário Total\nCachê 2 500,00 1.000,00",),
}


def test_the_catalogue_has_every_type_with_a_name_to_read() -> None:
    assert set(catalogue()) == set(get_args(TipoDocumento))
    assert all(described.nome for described in catalogue().values())


@pytest.mark.parametrize(("tipo", "texto"), [(tipo, texto) for tipo, texts in TEXTS.items() for texto in texts])
def test_a_document_is_known_by_its_marks(tipo: TipoDocumento, texto: str) -> None:
    assert tipos_of().is_of(texto, tipo)
    assert find_tipos(texto)[0] == tipo or tipo == "DECLARACAO"


@pytest.mark.parametrize(("tipo", "texto"), [(tipo, texto) for tipo, texts in TEXTS.items() for texto in texts])
def test_a_document_does_not_pass_for_another_type(tipo: TipoDocumento, texto: str) -> None:
    # Some papers are rightly both: a declaração of residence declares too.
    mistaken = {other for other in TEXTS if other not in {tipo, "DECLARACAO"} and tipos_of().is_of(texto, other)}
    assert mistaken == set()


def test_anything_passes_for_another_document() -> None:
    assert tipos_of().is_of("Qualquer coisa", "OUTRO")


def test_a_portfolio_may_hold_anything_but_what_is_plainly_another_paper() -> None:
    assert tipos_of().is_of("Fotos de 2019 e 2020, na beira do mar, com a comunidade.", "PORTFOLIO")
    assert not tipos_of().is_of(TEXTS["CERTIDAO_FEDERAL"][0], "PORTFOLIO")


@pytest.mark.parametrize(
    ("texto", "tipo"),
    [
        ("ESTADO DO SUL\nPREFEITURA DE BOA VISTA\nCertidão de quitação de ISS e IPTU", "CERTIDAO_MUNICIPAL"),
        ("RG DIGITAL\nAna Braga\nCPF 529.982.247-25", "DOCUMENTO_IDENTIDADE"),
        ("CONTRATO DE ALUGUEL\nLocatária: Ana Braga, imóvel residencial na Rua das Flores, 10", "COMPROVANTE_RESIDENCIA"),
        ("Ofício 12\nAutorizamos Ana Braga a ocupar a nossa sede para o projeto Festival", "CARTA_ANUENCIA"),
        ("AUTODECLARAÇÃO\nMe autodeclaro pessoa negra.", "DECLARACAO"),
        ("ATA DE POSSE\nReunida a diretoria, foi eleita presidente Ana Braga.", "ESTATUTO"),
        ("CERTIFICADO DA CONDIÇÃO DE MICROEMPREENDEDOR INDIVIDUAL\nCNPJ 11.222.333/0001-81", "CARTAO_CNPJ"),
    ],
)
def test_a_paper_of_another_make_is_known_too(texto: str, tipo: TipoDocumento) -> None:
    assert tipos_of().is_of(texto, tipo)


@pytest.mark.parametrize(
    ("texto", "tipo"),
    [
        ("GOVERNO DO ESTADO DO SUL\nCERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS\nMunicípio: Boa Vista", "CERTIDAO_MUNICIPAL"),
        ("JUSTIÇA DO TRABALHO\nCERTIDÃO NEGATIVA DE DÉBITOS TRABALHISTAS\nMunicípio: Boa Vista", "CERTIDAO_MUNICIPAL"),
        ("PREFEITURA DE BOA VISTA\nCertidão negativa de débitos\nNão alcança a dívida ativa da União.", "CERTIDAO_FEDERAL"),
        ("DECLARAÇÃO\nEu, Ana Braga, portadora da carteira de identidade 123, declaro que sou artista.", "DOCUMENTO_IDENTIDADE"),
        ("MERCEARIA BOA\nCUPOM FISCAL\nConsumidor Ana Braga\nÁgua mineral 2,00", "COMPROVANTE_RESIDENCIA"),
        ("CARTA DE RECOMENDAÇÃO\nRecomendo Ana Braga para qualquer projeto.", "CARTA_ANUENCIA"),
        (
            "DECLARAÇÃO\nDeclaro ciência e concordância com as regras do edital e autorizo o envio de avisos sobre o projeto.",
            "CARTA_ANUENCIA",
        ),
    ],
)
def test_a_paper_that_speaks_of_the_same_things_does_not_pass(texto: str, tipo: TipoDocumento) -> None:
    assert not tipos_of().is_of(texto, tipo)
