"""A guia is read whole or refused with every fault; nothing that an XML could do to its reader happens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from crivo.autorizacoes.tiss.erros import MensagemIlegivel, MensagemRecusada
from crivo.autorizacoes.tiss.guia import Identificacao, ProcedimentoTiss
from crivo.autorizacoes.tiss.leitura import Mensagem, read_mensagem
from crivo.autorizacoes.tiss.xml import Esquema
from guias_tiss import INTERNACAO, XSD, internacao, mensagem, procedimento, sadt

SEM_ESQUEMA = Esquema(None)
com_xsd = pytest.mark.skipif(not XSD.is_dir(), reason="the official schemas are not on this machine")


def read(raw: bytes) -> Mensagem:
    return read_mensagem(raw, SEM_ESQUEMA)


def codes(raw: bytes) -> set[str]:
    with pytest.raises(MensagemRecusada) as refused:
        read(raw)
    assert refused.value.mensagem
    return {problem.codigo for problem in refused.value.problemas}


def test_a_guia_of_sadt_is_read_with_all_its_procedimentos() -> None:
    raw = mensagem(sadt(procedimento("40304361", "2"), procedimento("20101012"), caraterAtendimento="2", indicacaoClinica="Dor torácica"))
    lida = read(raw)
    assert lida.procedimentos == (ProcedimentoTiss("22", "40304361", "Exame", 2), ProcedimentoTiss("22", "20101012", "Exame", 1))
    guia = lida.guia
    assert (guia.tipo, guia.registro_ans, guia.numero, guia.carteira, guia.carater) == ("SP-SADT", "123456", "G1", "000123456789", "2")
    assert guia.origem == Identificacao("codigoPrestadorNaOperadora", "0001")
    assert (guia.indicacao_clinica, guia.solicitante_nome) == ("Dor torácica", "CLÍNICA EXEMPLO")
    assert not lida.conferida


def test_a_guia_of_internacao_says_when_and_where() -> None:
    guia = read(mensagem(internacao(), INTERNACAO)).guia
    assert (guia.tipo, guia.data_prevista, guia.executante, guia.cid) == ("INTERNACAO", "2026-12-01", "H01", ("K35",))


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-8", "windows-1252"])
def test_accents_arrive_in_whatever_encoding_is_declared(encoding: str) -> None:
    lida = read(mensagem(sadt(observacao="Paciente com alergia à penicilina"), encoding=encoding))
    assert lida.guia.observacao == "Paciente com alergia à penicilina"


def test_the_password_in_the_header_is_kept_nowhere() -> None:
    guia = read(mensagem(sadt(), login={"loginPrestador": "clinica", "senhaPrestador": "segredo123"})).guia
    assert "segredo123" not in repr(guia)


def test_documents_are_those_of_the_note_that_says_so() -> None:
    guia = read(mensagem(sadt(observacao="Retorno em 30 dias\nAnexos: Laudo médico; pedido médico."))).guia
    assert guia.anexos == ("Laudo médico", "pedido médico")
    assert read(mensagem(sadt(observacao="Sem anexos nesta guia"))).guia.anexos == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"<?xml version='1.0' encoding='ISO-8859-1'?>", b"<!DOCTYPE a [<!ENTITY b 'bb'>]>"),
        lambda raw: b"<!DOCTYPE mensagemTISS SYSTEM 'http://127.0.0.1:1/x.dtd'>" + raw.partition(b"?>")[2].lstrip(),
        lambda raw: b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + raw.partition(b"?>")[2].replace(b">G1<", b">&f;<"),
        lambda raw: b"<!DOCTYPE x [" + b"".join(b'<!ENTITY e%d "%s">' % (n, (b"&e%d;" % (n - 1)) * 10 if n else b"ha") for n in range(10))
        + b"]>" + raw.partition(b"?>")[2].replace(b">G1<", b">&e9;<"),
        lambda raw: raw[:200],
        lambda raw: b"",
        lambda raw: b"{}",
        lambda raw: raw.replace(b"ISO-8859-1", b"UTF-8"),  # bytes of another encoding than is declared
        lambda raw: raw.decode("iso-8859-1").encode(),  # the other way round
        lambda raw: raw.decode("iso-8859-1").replace("ISO-8859-1", "UTF-16").encode("utf-16"),
        lambda raw: b"<a>" * 5000 + b"</a>" * 5000,
    ],
    ids=["dtd", "external", "file", "bomb", "cut", "empty", "json", "latin-as-utf8", "utf8-as-latin", "utf16", "deep"],
)  # fmt: skip
def test_what_is_no_plain_xml_is_refused_unread(change: Any) -> None:
    with pytest.raises(MensagemIlegivel) as refused:
        read(change(mensagem(sadt(observacao="Coração"))))
    assert "root:" not in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "codigo"),
    [
        (mensagem(sadt(), namespace="http://exemplo.org/outro"), "namespace"),
        (mensagem(sadt(), versao="3.05.00"), "versao"),
        (mensagem(sadt(), versao=""), "versao"),
        (mensagem(sadt(), digest="0" * 32), "hash_invalido"),
        (mensagem(sadt(), digest=""), "hash_ausente"),
        (mensagem({}, "solicitacaoOdontologia"), "tipo_de_guia"),
        (mensagem({}, "solicitacaoProrrogacao"), "tipo_de_guia"),
        (mensagem({}, corpo={"loteGuias": {"numeroLote": "1"}}), "transacao"),
        (mensagem({}, corpo={"solicitacaoProcedimento": {"solicitacaoSP-SADT": [sadt(), sadt()]}}), "varias_guias"),
        (mensagem({}, corpo={"solicitacaoProcedimento": {}}), "sem_guia"),
        (mensagem(sadt(procedimentosSolicitados=[])), "campo_ausente"),
        (mensagem(sadt(*[procedimento()] * 101)), "procedimentos_demais"),
        (mensagem(sadt(procedimento(quantidade="0"))), "valor_invalido"),
        (mensagem(sadt(procedimento(quantidade="1.5"))), "valor_invalido"),
        (mensagem(sadt(procedimento(quantidade="1000"))), "valor_invalido"),
        (mensagem(sadt(dataSolicitacao="2026-02-30")), "valor_invalido"),
        (mensagem(sadt(dataSolicitacao="0001-01-01")), "valor_invalido"),
        (mensagem(sadt(caraterAtendimento="9")), "valor_invalido"),
        (mensagem(sadt(dadosBeneficiario={"numeroCarteira": "9" * 21, "atendimentoRN": "N"})), "valor_invalido"),
        (mensagem(sadt(), origem={"registroANS": "123456"}), "campo_ausente"),
        (mensagem(sadt(), transacao="VERIFICA_ELEGIBILIDADE"), "valor_invalido"),
        (mensagem(sadt(), destino="111111"), "valor_invalido"),
        (mensagem(sadt(procedimento("40302318", tabela="20"))), "valor_invalido"),
        (mensagem(sadt(procedimento("40302318", tabela="18"))), "valor_invalido"),
        (mensagem(sadt(procedimento("4.03.02.31"))), "valor_invalido"),
        (mensagem(sadt(procedimento("403023189"))), "valor_invalido"),
        (b"<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'/>", "envelope_soap"),
        (b"<pedido/>", "raiz"),
    ],
)
def test_a_message_that_is_not_decided_here_is_refused_by_its_fault(raw: bytes, codigo: str) -> None:
    assert codes(raw) == {codigo}


@pytest.mark.parametrize(
    ("codigo", "tabela"),
    [("4030231-8", "22"), ("90301234", "20"), ("70012345", "19"), ("60000104", "18"), ("40302318", "00"), ("X1", "98")],
)
def test_a_code_is_of_the_table_that_it_says(codigo: str, tabela: str) -> None:
    """TUSS: procedimentos are table 22, with eight figures; what begins with 1 to 5 is none of the materials, medicines or daily rates."""
    assert read(mensagem(sadt(procedimento(codigo, tabela=tabela)))).procedimentos[0].tabela == tabela


def test_every_fault_of_a_guia_is_told_at_once_with_its_line() -> None:
    raw = mensagem(sadt(procedimento(quantidade="x"), caraterAtendimento="7", dataSolicitacao="ontem"))
    with pytest.raises(MensagemRecusada) as refused:
        read(raw)
    assert [problem.caminho for problem in refused.value.problemas] == ["caraterAtendimento", "dataSolicitacao", "quantidadeSolicitada"]
    assert all(problem.linha for problem in refused.value.problemas)


@com_xsd
def test_with_the_schemas_a_message_is_held_to_them_and_its_values_are_not_repeated() -> None:
    esquema = Esquema(XSD)
    assert read_mensagem(mensagem(sadt()), esquema).conferida
    with pytest.raises(MensagemRecusada) as refused:
        read_mensagem(mensagem(sadt(dadosBeneficiario={"numeroCarteira": "0001", "atendimentoRN": "SEGREDO"})), esquema)
    assert {problem.codigo for problem in refused.value.problemas} == {"esquema"}
    assert "SEGREDO" not in repr(refused.value.problemas)
    assert re.search("atendimentoRN", refused.value.problemas[0].mensagem)


def test_a_folder_without_the_schemas_stops_nothing_and_is_told(tmp_path: Path) -> None:
    empty = Esquema(tmp_path)
    assert not read_mensagem(mensagem(sadt()), empty).conferida
    assert "tissV4_03_00.xsd" in empty.falha
    (tmp_path / "tissV4_03_00.xsd").write_text(
        '<schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="falta.xsd"/></schema>'
    )
    broken = Esquema(tmp_path)
    assert not read_mensagem(mensagem(sadt()), broken).conferida
    assert "não formam o esquema inteiro" in broken.falha
    assert SEM_ESQUEMA.falha == ""
