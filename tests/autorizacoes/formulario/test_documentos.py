"""A document is known by its whole name within what surrounds it, and by nothing less. Source: design, The workbench."""

from __future__ import annotations

import pytest

from casos import politica, regra
from crivo.autorizacoes.etapas.documentos import not_known
from crivo.autorizacoes.formulario.documentos import read_names

PEDE = politica(regra(documentos_obrigatorios=["TERMO_DA_ACME"], documentos_alternativos=[["LAUDO_MEDICO", "FICHA_ACME"]])).regras[0]


@pytest.mark.parametrize(
    ("escrito", "tipo"),
    [
        ("pedido médico", "PEDIDO_MEDICO"),
        ("PEDIDO MÉDICO (assinado)", "PEDIDO_MEDICO"),
        ("Laudo médico - Dra Heloísa.pdf", "LAUDO_MEDICO"),
        ("laudo_medico_2.PDF", "LAUDO_MEDICO"),
        ("Laudo médico 12/10/2026", "LAUDO_MEDICO"),
        ("laudo do exame de imagem.jpg", "LAUDO_EXAME_IMAGEM"),
        ("Resultado da biópsia", "LAUDO_ANATOMOPATOLOGICO"),
        ("termo da acme (cópia digitalizada)", "TERMO_DA_ACME"),
        ("Laudo médico nº 12", "LAUDO_MEDICO"),
        ("ficha ACME", "FICHA_ACME"),
    ],
)
def test_a_whole_name_is_known_within_what_leaves_it_what_it_is(escrito: str, tipo: str) -> None:
    assert read_names([escrito], PEDE) == ((tipo,), ())


@pytest.mark.parametrize(
    "escrito",
    [
        "laudo.pdf",
        "laudo",
        "sem laudo médico",
        "laudo médico pendente",
        "laudo médico: N",
        "laudo médico (não veio)",
        "Laudo médico - Dra Heloísa não assinou",
        "Laudo médico - Dra Heloísa vai enviar depois",
        "laudo médico e pedido médico",
        "laudo médico do irmão",
        "pedido de laudo médico",
        "Foto 3x4",
    ],
)
def test_what_may_be_another_document_or_none_is_told_and_never_guessed(escrito: str) -> None:
    assert read_names([escrito], PEDE) == ((), (escrito,))


def test_names_are_told_once_and_nothing_is_made_of_what_is_no_name() -> None:
    assert read_names(["laudo médico", "LAUDO MEDICO.pdf", " - ", "foto", "foto"], None) == (("LAUDO_MEDICO",), ("foto",))


def test_what_nobody_knows_is_told_only_where_a_document_is_missing() -> None:
    assert not_known(["LAUDO_PDF", "PEDIDO_MEDICO"], ["LAUDO_MEDICO|FICHA_ACME"]) == ("LAUDO_PDF",)
    assert not_known(["LAUDO_PDF", "FICHA_ACME"], []) == ()
    assert not_known(["FICHA_ACME"], ["FICHA_ACME|X"]) == ()
