"""Guias of TISS as providers send them, with their hash, and the official schemas where this machine has them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lxml import etree

NS: Final = "http://www.ans.gov.br/padroes/tiss/schemas"
XSD: Final = Path(__file__).parents[3] / "shared/data/tiss/4.03.00"
SADT: Final = "solicitacaoSP-SADT"
INTERNACAO: Final = "solicitacaoInternacao"
Folha = str | Mapping[str, Any] | Sequence[Any]


def procedimento(codigo: str = "40304361", quantidade: str = "1", tabela: str = "22", descricao: str = "Exame") -> dict[str, Any]:
    return {
        "procedimento": {"codigoTabela": tabela, "codigoProcedimento": codigo, "descricaoProcedimento": descricao},
        "quantidadeSolicitada": quantidade,
    }


_PROFISSIONAL: Final = {"conselhoProfissional": "06", "numeroConselhoProfissional": "12345", "UF": "35", "CBOS": "225125"}


def sadt(*procedimentos: dict[str, Any], **changes: Folha | None) -> dict[str, Any]:
    """The body of a guia of SP/SADT; a change of None leaves an element out."""
    body: dict[str, Any] = {
        "cabecalhoSolicitacao": {"registroANS": "123456", "numeroGuiaPrestador": "G1"},
        "numeroGuiaPrincipal": None,
        "tipoEtapaAutorizacao": "1",
        "dadosBeneficiario": {"numeroCarteira": "000123456789", "atendimentoRN": "N"},
        "dadosSolicitante": {
            "contratadoSolicitante": {"codigoPrestadorNaOperadora": "0001"},
            "nomeContratadoSolicitante": "CLÍNICA EXEMPLO",
            "profissionalSolicitante": _PROFISSIONAL,
        },
        "caraterAtendimento": "1",
        "dataSolicitacao": "2026-11-20",
        "indicacaoClinica": None,
        "coberturaEspecial": None,
        "procedimentosSolicitados": list(procedimentos or (procedimento(),)),
        "dadosExecutante": None,
        "observacao": None,
    }
    assert changes.keys() <= body.keys(), changes
    return body | changes


def internacao(*procedimentos: dict[str, Any], **changes: Folha | None) -> dict[str, Any]:
    """The body of a guia of internação."""
    body: dict[str, Any] = {
        "registroANS": "123456",
        "numeroGuiaPrestador": "I1",
        "tipoEtapaAutorizacao": "1",
        "dadosBeneficiario": {"numeroCarteira": "000123456789", "atendimentoRN": "N"},
        "identificacaoSolicitante": {
            "dadosDoContratado": {"codigoPrestadorNaOperadora": "0001"},
            "dadosProfissionalContratado": _PROFISSIONAL,
        },
        "dadosHospitalSolicitado": {
            "codigoIndicadonaOperadora": "H01",
            "nomeContratadoIndicado": "HOSPITAL EXEMPLO",
            "dataSugeridaInternacao": "2026-12-01",
        },
        "dadosInternacao": {
            "caraterAtendimento": "2",
            "tipoInternacao": "2",
            "regimeInternacao": "1",
            "qtDiariasSolicitadas": "2",
            "indicadorOPME": "N",
            "indicadorQuimio": "N",
            "indicacaoClinica": "Dor",
        },
        "hipotesesDiagnosticas": {"diagnosticoCID": ["K35"], "indicadorAcidente": "9"},
        "procedimentosSolicitados": list(procedimentos or (procedimento(),)),
        "dataSolicitacao": "2026-11-20",
        "observacao": None,
    }
    assert changes.keys() <= body.keys(), changes
    return body | changes


def mensagem(
    guia: dict[str, Any],
    tipo: str = SADT,
    *,
    encoding: str = "ISO-8859-1",
    versao: str = "4.03.00",
    namespace: str = NS,
    digest: str | None = None,
    origem: Folha = {"identificacaoPrestador": {"codigoPrestadorNaOperadora": "0001"}},  # noqa: B006 - read only
    login: Folha | None = None,
    corpo: dict[str, Any] | None = None,
    transacao: str = "SOLICITACAO_PROCEDIMENTOS",
    destino: str | None = None,
) -> bytes:
    """A message as bytes; `digest` in place of its own hash, `corpo` in place of a request, `destino` of the guia's own operadora."""
    root = etree.Element(f"{{{namespace}}}mensagemTISS", nsmap={"ans": namespace})
    head = {
        "identificacaoTransacao": {
            "tipoTransacao": transacao,
            "sequencialTransacao": "77",
            "dataRegistroTransacao": "2026-11-20",
            "horaRegistroTransacao": "10:00:00",
        },
        "origem": origem,
        "destino": {"registroANS": destino or guia.get("cabecalhoSolicitacao", guia).get("registroANS", "123456")},
        "Padrao": versao,
        "loginSenhaPrestador": login,
    }
    _grow(root, {"cabecalho": head, "prestadorParaOperadora": corpo or {"solicitacaoProcedimento": {tipo: guia}}}, namespace)
    texts = "".join(node.text for node in root.iter() if len(node) == 0 and node.text)
    _grow(root, {"epilogo": {"hash": digest if digest is not None else hashlib.md5(texts.encode("iso-8859-1")).hexdigest()}}, namespace)  # noqa: S324
    written: bytes = etree.tostring(root, encoding=encoding, xml_declaration=True)
    return written


def _grow(node: Any, children: Mapping[str, Any], namespace: str) -> None:
    for name, value in children.items():
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            made = etree.SubElement(node, f"{{{namespace}}}{name}")
            if isinstance(one, str):
                made.text = one
            else:
                _grow(made, one, namespace)
