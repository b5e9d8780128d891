"""Habilitação: every requisito held against what was sent and declared."""

from __future__ import annotations

import hashlib
from datetime import date

import pytest

from crivo.triagem.achados import Habilitacao, ItemHabilitacao
from crivo.triagem.documentos.lido import DocumentoLido, Leitura, Pagina, ProjetoLido
from crivo.triagem.edital import (
    Edital,
    EmitidoNoMaximoDiasAntes,
    Formato,
    Inscricoes,
    Projeto,
    Proponente,
    Requisito,
    RequisitoCondicao,
    RequisitoDocumento,
    Responsavel,
    ValidoEm,
)
from crivo.triagem.habilitacao import habilitar

EDITAL = Edital("ED-1", "Edital de teste", inscricoes=Inscricoes(date(2026, 8, 1), date(2026, 9, 15)))
ANA = Proponente("Ana Lúcia Braga", "529.982.247-25")
MARE = Proponente("Associação Cultural Maré", "11.222.333/0001-81", responsavel=Responsavel("Ana Lúcia Braga", "529.982.247-25"))
CERTIDAO = RequisitoDocumento(
    "REQ-1", "CERTIDAO_MUNICIPAL", "4.1", "Certidão municipal", ("pdf",), em_nome_do_proponente=True, validade=ValidoEm(date(2026, 9, 15))
)
MUNICIPIO = RequisitoCondicao("REQ-7", "municipio", "em", ["Caucaia"], "4.7", "Sede em Caucaia", eliminatorio=True)


def certidao(nome: str = "Ana Lúcia Braga", cpf: str = "529.982.247-25", validade: str = "30/11/2026") -> str:
    return (
        "PREFEITURA MUNICIPAL DE CAUCAIA\nCERTIDÃO NEGATIVA DE DÉBITOS MUNICIPAIS\n"
        f"Nome: {nome}\nCPF: {cpf}\nEmitida em 01/09/2026.\nVálida até {validade}.\n"
    )


def sent(
    texto: str = "", requisito: str | None = "REQ-1", arquivo: str = "a.pdf", formato: Formato | None = "pdf", leitura: Leitura = "lido"
) -> DocumentoLido:
    digest = hashlib.sha256((texto or arquivo).encode()).hexdigest()
    return DocumentoLido(arquivo, digest, 100, formato, leitura, (Pagina(1, texto),) if texto else (), total_paginas=1, requisito=requisito)


def screened(*documentos: DocumentoLido, requisitos: tuple[Requisito, ...] = (CERTIDAO,), proponente: Proponente = ANA) -> Habilitacao:
    projeto = Projeto("P001", "Festival", proponente, campos={"municipio": "Caucaia"})
    return habilitar(EDITAL, requisitos, ProjetoLido(projeto, documentos))


def item(*documentos: DocumentoLido, requisito: Requisito = CERTIDAO, proponente: Proponente = ANA) -> ItemHabilitacao:
    return screened(*documentos, requisitos=(requisito,), proponente=proponente).itens[0]


def test_a_project_with_all_in_order_is_habilitado_with_its_evidence() -> None:
    """Triagem 4/1."""
    found = screened(sent(certidao()), requisitos=(CERTIDAO, MUNICIPIO))
    assert (found.projeto_id, found.habilitacao_sugerida, found.docs_completos) == ("P001", "habilitado", True)
    assert [one.situacao for one in found.itens] == ["atende", "atende"]
    evidencia = found.itens[0].evidencia
    assert evidencia is not None
    assert (evidencia.arquivo, evidencia.pagina) == ("a.pdf", 1)
    assert "30/11/2026" in evidencia.trecho
    assert {one.autor for one in found.itens} == {"codigo"}


def test_an_absent_document_can_still_be_mended() -> None:
    """Triagem 4/1."""
    found = screened()
    assert (found.habilitacao_sugerida, found.docs_completos) == ("pendencia", False)
    assert found.itens[0].motivo == "documento_ausente"
    assert "4.1" in found.habilitacao_motivo


def test_a_file_sent_for_another_requisito_does_not_stand_in() -> None:
    assert item(sent(certidao(), requisito="REQ-2")).motivo == "documento_ausente"


def test_an_eliminatory_requisito_that_is_not_met_excludes() -> None:
    projeto = Projeto("P001", "Festival", ANA, campos={"municipio": "Fortaleza"})
    found = habilitar(EDITAL, (CERTIDAO, MUNICIPIO), ProjetoLido(projeto, (sent(certidao()),)))
    assert found.habilitacao_sugerida == "inabilitado"
    assert found.itens[1].motivo == "condicao_nao_atendida"
    assert "Sede em Caucaia (item 4.7)" in found.habilitacao_motivo


def test_what_is_not_obrigatorio_holds_nobody_back() -> None:
    optional = RequisitoDocumento("REQ-1", "PORTFOLIO", obrigatorio=False, eliminatorio=True)
    assert screened(requisitos=(optional,)).habilitacao_sugerida == "habilitado"
    broken = screened(sent(leitura="corrompido"), requisitos=(optional,))
    assert (broken.itens[0].motivo, broken.habilitacao_sugerida) == ("documento_corrompido", "habilitado")


@pytest.mark.parametrize(
    ("leitura", "formato", "motivo"),
    [
        ("corrompido", "pdf", "documento_corrompido"),
        ("corrompido", None, "documento_corrompido"),
        ("protegido", "pdf", "documento_protegido"),
        ("vazio", "pdf", "documento_vazio"),
        ("vazio", None, "documento_vazio"),
        ("desconhecido", None, "formato_nao_aceito"),
        ("lido", "docx", "formato_nao_aceito"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_why(leitura: Leitura, formato: Formato | None, motivo: str) -> None:
    found = item(sent(certidao(), leitura=leitura, formato=formato))
    assert (found.situacao, found.motivo) == ("nao_atende", motivo)


@pytest.mark.parametrize("leitura", ["sem_ocr", "grande_demais", "tempo_esgotado"])
def test_what_could_not_be_read_is_left_to_people(leitura: Leitura) -> None:
    found = screened(sent(leitura=leitura))
    assert (found.itens[0].situacao, found.itens[0].motivo, found.habilitacao_sugerida) == ("nao_lido", None, "pendencia")


@pytest.mark.parametrize(
    ("validade", "motivo"), [("15/09/2026", None), ("14/09/2026", "documento_vencido"), ("14 de setembro de 2026", "documento_vencido")]
)
def test_validity_is_judged_on_the_day_of_the_edital(validade: str, motivo: str | None) -> None:
    assert item(sent(certidao(validade=validade))).motivo == motivo


@pytest.mark.parametrize(("emitida", "motivo"), [("17/06/2026", None), ("16/06/2026", "documento_vencido"), ("15/09/2026", None)])
def test_a_document_may_be_at_most_so_many_days_old(emitida: str, motivo: str | None) -> None:
    requisito = RequisitoDocumento("REQ-1", "CERTIDAO_MUNICIPAL", validade=EmitidoNoMaximoDiasAntes(90))
    texto = f"PREFEITURA MUNICIPAL DE CAUCAIA\nCERTIDÃO NEGATIVA DE DÉBITOS\nEmitida em {emitida}.\n"
    assert item(sent(texto), requisito=requisito).motivo == motivo


def test_a_document_that_says_no_date_is_left_to_people() -> None:
    texto = "PREFEITURA MUNICIPAL DE CAUCAIA\nCERTIDÃO NEGATIVA DE DÉBITOS\nNome: Ana Lúcia Braga\n"
    found = item(sent(texto))
    assert (found.situacao, found.motivo) == ("nao_lido", None)
    assert "15/09/2026" in found.achado


def test_another_document_in_its_place_is_of_the_wrong_type() -> None:
    found = item(sent("COMPROVANTE DE INSCRIÇÃO E DE SITUAÇÃO CADASTRAL\nCADASTRO NACIONAL DA PESSOA JURÍDICA\nNome empresarial: Maré"))
    assert found.motivo == "documento_tipo_errado"
    assert found.achado == "Parece ser outro documento: Cartão CNPJ."


@pytest.mark.parametrize(
    ("nome", "cpf", "motivo"),
    [
        ("ANA LUCIA BRAGA", "529.982.247-25", None),
        ("Ana L. Braga", "529.982.247-25", None),
        ("ANA LUCIA BRAGA", "", None),
        ("ANA LUC1A BRAGA", "", None),
        ("Rosa Maria Lima", "111.444.777-35", "documento_de_terceiro"),
        ("Ana Lúcia Braga", "111.444.777-35", "documento_de_terceiro"),
        ("Mariana Lúcia Braga", "", "documento_de_terceiro"),
        ("Ana Braga", "", "documento_de_terceiro"),
    ],
)
def test_a_document_is_in_the_name_of_whoever_it_names(nome: str, cpf: str, motivo: str | None) -> None:
    found = item(sent(certidao(nome, cpf)))
    assert found.motivo == motivo


def test_the_evidence_against_a_third_party_is_the_line_that_names_them() -> None:
    evidencia = item(sent(certidao("Rosa Maria Lima", "111.444.777-35"))).evidencia
    assert evidencia is not None
    assert evidencia.trecho == "CPF: 111.444.777-35"


def test_an_organisation_is_known_by_its_cnpj_branches_included() -> None:
    assert item(sent(certidao("Associação Cultural Maré", "11.222.333/0001-81")), proponente=MARE).motivo is None
    assert item(sent(certidao("A. C. Maré", "11.222.333/0002-62")), proponente=MARE).motivo is None


def test_the_papers_of_a_person_may_be_those_of_who_answers_for_the_organisation() -> None:
    identidade = RequisitoDocumento("REQ-1", "DOCUMENTO_IDENTIDADE", em_nome_do_proponente=True)
    texto = "CARTEIRA DE IDENTIDADE\nNome: Ana Lúcia Braga\nFiliação: Rosa Braga\nCPF 529.982.247-25"
    assert item(sent(texto), requisito=identidade, proponente=MARE).motivo is None
    assert item(sent(certidao()), proponente=MARE).motivo == "documento_de_terceiro"


def test_one_file_sent_for_two_requisitos_counts_for_the_one_it_fits() -> None:
    federal = RequisitoDocumento("REQ-2", "CERTIDAO_FEDERAL", eliminatorio=False)
    found = screened(sent(certidao(), "REQ-2", "b.pdf"), sent(certidao(), "REQ-1", "a.pdf"), requisitos=(federal, CERTIDAO))
    assert [one.motivo for one in found.itens] == ["documento_repetido", None]


def test_of_several_files_the_best_one_counts() -> None:
    assert item(sent(leitura="corrompido", arquivo="x.pdf"), sent(certidao(), arquivo="y.pdf")).situacao == "atende"
    told = item(sent(leitura="corrompido", arquivo="x.pdf"), sent(certidao(validade="01/01/2026"), arquivo="y.pdf"))
    assert told.motivo == "documento_vencido"


def test_no_requisitos_ask_nothing_of_anybody() -> None:
    found = screened(requisitos=())
    assert (found.habilitacao_sugerida, found.docs_completos, found.itens) == ("habilitado", True, ())


CURRICULO = "CURRÍCULO\nAna Lúcia Braga\nFormação: Licenciatura em Teatro.\nExperiência profissional: atriz desde 2009."


def test_what_no_code_can_tell_the_type_of_is_said_to_be_read() -> None:
    """Triagem design, the whole life of a call: `OUTRO` is never "do tipo pedido"."""
    plain = item(sent("Ata da reunião do coletivo."), requisito=RequisitoDocumento("REQ-1", "OUTRO"))
    assert (plain.situacao, plain.achado) == ("atende", "Enviado e legível. Não há como conferir o tipo por código; leia.")
    other = item(sent(CURRICULO), requisito=RequisitoDocumento("REQ-1", "OUTRO"))
    assert other.achado == "Enviado e legível. Parece ser Currículo. Não há como conferir o tipo por código; leia."


def test_a_file_without_the_marks_of_a_portfolio_is_not_said_to_be_one() -> None:
    portfolio = RequisitoDocumento("REQ-1", "PORTFOLIO")
    assert "conferir o tipo" in item(sent("Programa da noite, com elenco e duração."), requisito=portfolio).achado
    marked = item(sent("PORTFÓLIO do grupo: espetáculos de 2019 a 2025"), requisito=portfolio)
    assert (marked.situacao, marked.achado) == ("atende", "Enviado, legível e do tipo pedido.")
