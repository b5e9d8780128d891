"""Which of the documents that came count."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Mensagens, Normalizacao

LAUDO = "LAUDO_MEDICO"


def normalizacao(*documentos: Any, **changes: Any) -> Normalizacao:
    return decide(pedido(documentos_anexos=list(documentos), **changes), regra()).etapas.normalizacao


def tipos(found: Normalizacao) -> list[str]:
    return [documento.tipo for documento in found.pedido_normalizado.documentos_anexos]


@pytest.mark.parametrize(
    ("documento", "alerta"),
    [
        ({"tipo": LAUDO, "status": "REJEITADO"}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "Situação": "não aceito"}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "valido": False}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "rejeitado": "sim"}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "status": "Recusado pela auditoria"}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "motivoRecusa": "sem assinatura"}, "documento_recusado:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "status": "vencido"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "status": "vencido desde março"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "validade": "09/2026"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "validade": "2026-09"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "validade": "2026-10-04"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "dataValidade": "04/10/2026", "status": "OK"}, "documento_vencido:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "status": "pendente"}, "documento_pendente:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "status": "pendente de envio"}, "documento_pendente:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "anexado": False}, "documento_pendente:LAUDO_MEDICO"),
        ({"tipo": LAUDO, "presente": "não"}, "documento_pendente:LAUDO_MEDICO"),
    ],
)
def test_a_document_that_speaks_against_itself_does_not_count_and_is_told(documento: dict[str, Any], alerta: str) -> None:
    """PRD 4.2/2 compares types of documents that came; one that says it was refused, is overdue or is to come has not."""
    found = normalizacao(documento)
    assert (tipos(found), found.alertas) == ([], (alerta,))
    assert found.pedido_normalizado.extras == {"documentos_anexos": [documento]}


@pytest.mark.parametrize(
    "documento",
    [
        {"tipo": LAUDO, "status": "Aprovado", "validade": "2026-10-05"},
        {"tipo": LAUDO, "status": None, "validade": ""},
        {"tipo": LAUDO, "valido": True, "vencido": False},
        {"tipo": LAUDO, "validade": "10/2026"},
        {"tipo": LAUDO, "motivo_recusa": "-"},
        {"tipo": LAUDO, "arquivo": "rejeitado.pdf"},
    ],
)
def test_a_document_that_says_nothing_against_itself_counts(documento: dict[str, Any]) -> None:
    """PRD RF1: documentos_anexos."""
    found = normalizacao(documento)
    assert (tipos(found), found.alertas) == ([LAUDO], ())


@pytest.mark.parametrize(
    ("campo", "valor"),
    [("status", "em análise"), ("status", 3), ("status", "aprovado com pendências"), ("validade", "30 dias"), ("validade", "13/2027")],
)
def test_what_a_document_says_of_itself_and_cannot_be_read_is_told(campo: str, valor: object) -> None:
    """Design: an unknown value of a known field is an alerta."""
    found = normalizacao({"tipo": LAUDO, campo: valor})
    assert (tipos(found), found.alertas) == ([LAUDO], (f"valor_fora_do_dominio:documentos_anexos.{campo}",))


def test_a_good_copy_counts_beside_a_refused_one() -> None:
    found = normalizacao({"tipo": LAUDO, "status": "recusado"}, "laudo médico")
    assert (tipos(found), found.alertas) == ([LAUDO], ("documento_recusado:LAUDO_MEDICO",))


def test_validity_is_of_the_day_of_the_pedido() -> None:
    assert tipos(normalizacao({"tipo": LAUDO, "validade": "2026-01-10"}, data_pedido="2026-01-10")) == [LAUDO]


@pytest.mark.parametrize("nome", ["Tipo", "TIPO", "tipoDocumento", "type", "docType"])
def test_the_type_of_a_document_is_found_under_the_names_it_goes_by(nome: str) -> None:
    """PRD 1.2/6: campos equivalentes."""
    assert tipos(normalizacao({nome: "Laudo médico"})) == [LAUDO]


def mensagens(**documento: Any) -> tuple[str, Mensagens]:
    um_pedido = pedido(documentos_anexos=[{"tipo": LAUDO, **documento}])
    etapas = decide(um_pedido, regra(documentos_obrigatorios=[LAUDO])).etapas
    assert etapas.ajustes is not None
    return etapas.ajustes.ajustes_sugeridos[0].justificativa, etapas.sintese.mensagens


def test_who_sent_an_overdue_document_is_not_told_that_it_did_not_come() -> None:
    """PRD RF6: mensagens claras."""
    justificativa, both = mensagens(validade="2026-01-01")
    for texto in (justificativa, both.para_solicitante, both.para_beneficiario):
        assert "o que veio está vencido" in texto
    assert "não veio" not in justificativa
