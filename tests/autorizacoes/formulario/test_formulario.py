"""A form becomes a pedido, or says field by field what is missing. Source: design, The workbench."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.formulario.preenchido import (
    Preenchido,
    encode_pedido,
    not_recognised,
    of_what_is_typed,
    read_preenchido,
    with_documents_read,
)
from crivo.autorizacoes.formulario.procura import Indice
from crivo.autorizacoes.leitura import read_pedido
from crivo.autorizacoes.politicas.importacao import read_politica

DIA = date(2026, 10, 5)
REGRAS: list[dict[str, Any]] = [
    {"regra_id": "1", "codigo": "40304361", "cobertura": "COBERTA", "descricao": "Hemograma completo", "plano_id": "Ouro"},
    {"regra_id": "2", "codigo": "40304370", "cobertura": "COBERTA", "descricao": "Dosagem de glicose", "planos": ["Prata", "Ouro"]},
    {"regra_id": "3", "codigo": "41101014", "cobertura": "COBERTA", "observacoes": "Ressonância magnética de crânio."},
    {"regra_id": "4", "codigo": "30*", "cobertura": "NAO_COBERTA", "alternativas": [{"codigo": "30715024", "descricao": "Artroscopia"}]},
]


def politica(regras: list[dict[str, Any]], **mais: object) -> Politica:
    head = {"administradora_id": "ADM-1", "documento": "D", "versao": "1", "vigencia_inicio": "2026-01-01", "vigencia_fim": "2026-12-31"}
    return read_politica(json.dumps({**head, **mais, "regras": regras}).encode()).politica


INDICE = Indice.of([politica(REGRAS), politica(REGRAS[:1], administradora_id="VELHA", vigencia_fim="2026-02-01")], DIA.isoformat())
CHEIO = {
    "administradora": "adm-1",
    "plano": "ouro",
    "codigo": "40304361",
    "quantidade": "2",
    "tabela": "TUSS",
    "beneficiario": " B-7 ",
    "nascimento": "05/03/1980",
    "carencia": "200",
    "prestador": "CREDENCIADO",
    "urgencia": "sim",
    "outros_documentos": "Exame de imagem\nlaudo médico",
}


def lido(regra: Regra | None = None, documentos: tuple[str, ...] = (), **campos: Any) -> Any:
    return read_preenchido(Preenchido({**CHEIO, **campos}, documentos), INDICE, regra, DIA, "F-1")


@pytest.mark.parametrize(
    ("texto", "codigos"),
    [
        ("hemograma", ["40304361"]),
        ("HEMOG compl", ["40304361"]),
        ("4.03.04", ["40304361", "40304370"]),
        ("glicose dosagem", ["40304370"]),
        ("ressonância", ["41101014"]),
        ("artroscopia", ["30715024"]),
        ("nada disto", []),
        ("", []),
    ],
)
def test_a_procedure_is_found_by_its_code_or_by_words_of_its_name(texto: str, codigos: list[str]) -> None:
    assert [one.codigo for one in INDICE.procurar("ADM-1", texto)] == codigos


def test_only_what_is_in_force_may_be_asked_for() -> None:
    assert [(one.id, one.planos) for one in INDICE.administradoras] == [("ADM-1", ("Ouro", "Prata"))]
    assert INDICE.procurar("VELHA", "hemograma") == ()


def test_a_full_form_is_a_pedido_that_the_stages_read() -> None:
    read = lido(documentos=("PEDIDO_MEDICO", "LAUDO_MEDICO"))
    assert read.faltas == {}
    assert read_pedido(encode_pedido(read.pedido)) == {
        "pedido_id": "F-1",
        "administradora_id": "ADM-1",
        "plano_id": "Ouro",
        "data_pedido": "2026-10-05",
        "beneficiario": {"id": "B-7", "data_nascimento": "1980-03-05", "carencia_cumprida_dias": 200},
        "procedimento": {"codigo": "40304361", "quantidade": 2, "tabela": "TUSS", "descricao": "Hemograma completo"},
        "urgencia": True,
        "documentos_anexos": [{"tipo": "PEDIDO_MEDICO"}, {"tipo": "LAUDO_MEDICO"}, {"tipo": "EXAME_IMAGEM"}],
        "prestador": {"tipo": "CREDENCIADO"},
    }


@pytest.mark.parametrize(
    ("campo", "valor", "falta"),
    [
        ("administradora", "outra", "administradora"),
        ("plano", "", "plano"),
        ("plano", "Bronze", "plano"),
        ("codigo", "", "procura"),
        ("quantidade", "muitas", "quantidade"),
        ("quantidade", "0", "quantidade"),
        ("quantidade", "2,5", "quantidade"),
        ("quantidade", "99999999999", "quantidade"),
        ("carencia", "99999999999", "carencia"),
        ("beneficiario", "  ", "beneficiario"),
        ("nascimento", "31/02/1980", "nascimento"),
        ("nascimento", "05/03/2027", "nascimento"),
        ("nascimento", "05/03/1850", "nascimento"),
        ("idade", "12", "idade"),
        ("idade", "131", "idade"),
        ("carencia", "-3", "carencia"),
        ("valor", "caro", "valor"),
        ("prestador", "", "prestador"),
        ("data_prevista", "logo", "data_prevista"),
        ("data_prevista", "04/10/2026", "data_prevista"),
        ("pedido_id", "x" * 300, "pedido_id"),
    ],
)
def test_each_field_at_fault_says_what_to_do(campo: str, valor: str, falta: str) -> None:
    typed: dict[str, Any] = {campo: valor}
    assert list(lido(**typed).faltas) == [falta]


def test_what_the_regra_counts_is_asked_and_sent() -> None:
    regra = politica([{**REGRAS[0], "limites": [{"quantidade": 2, "periodo_dias": 365}]}]).regras[0]
    read = lido(regra, usos="05/03/2026 2\n01/04/2026", valor="R$ 1.234,56", sexo="F", preexistencias="asma; diabetes")
    assert read.faltas == {}
    assert read.pedido["historico"] == [
        {"codigo": "40304361", "data": "2026-03-05", "quantidade": 2},
        {"codigo": "40304361", "data": "2026-04-01", "quantidade": 1},
    ]
    assert read.pedido["procedimento"]["valor"] == 1234.56
    assert read.pedido["beneficiario"]["sexo"] == "F"
    assert read.pedido["beneficiario"]["preexistencias"] == ["asma", "diabetes"]
    assert lido(regra, sem_usos="sim").pedido["historico"] == []
    assert "historico" not in lido(regra).pedido
    assert list(lido(regra, usos="ontem").faltas) == ["usos"]


def test_what_the_regra_depends_on_is_to_be_said_and_parts_are_asked_for_of_another_table_alone() -> None:
    regra = politica([{**REGRAS[0], "sexo": "F", "valor_maximo": 100}]).regras[0]
    assert list(lido(regra).faltas) == ["valor", "sexo"]
    assert lido(regra, sexo="M", valor="90").faltas == {}
    assert lido(tabela="OUTRA", quantidade="2,5").pedido["procedimento"]["quantidade"] == 2.5
    assert list(lido(tabela="OUTRA", quantidade="0,5").faltas) == ["quantidade"]


@pytest.mark.parametrize(
    ("texto", "codigos"),
    [
        ("ressonância do crânio de urgência", ["41101014"]),
        ("dosagem hemograma", ["40304361", "40304370"]),
        ("hemograma e glicose completo", ["40304361"]),
        ("xx de do", []),
        ("99999", []),
    ],
)
def test_procedures_with_some_of_the_words_are_shown_where_none_has_all(texto: str, codigos: list[str]) -> None:
    assert INDICE.procurar("ADM-1", texto) == ()
    assert [one.codigo for one in INDICE.parecidos("ADM-1", texto)] == codigos


def test_an_age_that_is_that_of_the_date_of_birth_may_stand_beside_it_and_a_network_may_be_unknown() -> None:
    assert lido(idade="46", data_prevista="05/10/2026").pedido["beneficiario"]["idade"] == 46
    unknown = lido(prestador="NAO_SEI")
    assert unknown.faltas == {}
    assert "prestador" not in read_pedido(encode_pedido(unknown.pedido))


def test_only_what_is_typed_is_at_fault_before_anything_is_sent() -> None:
    typed = Preenchido({"quantidade": "Um", "nascimento": "31/02/1980"})
    assert list(of_what_is_typed(typed, read_preenchido(typed, INDICE, None, DIA, "").faltas)) == ["quantidade", "nascimento"]


def test_words_of_a_regra_of_many_codes_are_found_as_such_and_the_example_is_one_that_is_found() -> None:
    sangue = {"regra_id": "9", "codigo": "403*", "cobertura": "COBERTA", "descricao": "Hemograma e outros exames de sangue"}
    indice = Indice.of([politica([*REGRAS[2:], sangue])], DIA.isoformat())
    assert indice.procurar("ADM-1", "hemograma") == ()
    assert [one.codigo for one in indice.familias("adm-1", "HEMOGRAMA sangue")] == ["403*"]
    assert indice.dito("adm-1", "40304361") == "40304361, da regra 403* – Hemograma e outros exames de sangue"
    assert indice.dito("ADM-1", "41101014") == "41101014 – Ressonância magnética de crânio"
    assert indice.dito("ADM-1", "99999999") == "99999999, sem nome nas regras"
    assert indice.familias("ADM-1", "") == ()
    exemplo = indice.exemplo("ADM-1")
    assert exemplo is not None
    assert exemplo in indice.procurar("ADM-1", exemplo.descricao)


def test_a_document_that_is_known_by_its_name_is_ticked_and_one_that_is_not_is_told_while_another_is_missing() -> None:
    regra = politica([{**REGRAS[0], "documentos_obrigatorios": ["PEDIDO_MEDICO", "LAUDO_MEDICO"]}]).regras[0]
    typed = Preenchido({**CHEIO, "outros_documentos": "PEDIDO MÉDICO (assinado)\nlaudo.pdf, Foto 3x4"})
    assert read_preenchido(typed, INDICE, regra, DIA, "F-1").pedido["documentos_anexos"] == [
        {"tipo": "PEDIDO_MEDICO"},
        {"tipo": "LAUDO_PDF"},
        {"tipo": "FOTO_3X4"},
    ]
    shown = with_documents_read(typed, regra)
    assert (shown.documentos, shown.of("outros_documentos")) == (("PEDIDO_MEDICO",), "laudo.pdf\nFoto 3x4")
    assert not_recognised(shown, regra) == (("laudo.pdf", "Foto 3x4"), ("LAUDO_MEDICO",))
    assert not_recognised(Preenchido(shown.campos, ("PEDIDO_MEDICO", "LAUDO_MEDICO")), regra) == ((), ())
    assert not_recognised(shown, None) == ((), ())
