"""What an edital says of its own: phases, categories, types of document, and requisitos asked of some."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from crivo.triagem.edital import Condicao, DocumentoProprio, FaseDatada
from importacoes import accepted, certa, com, refused, told


def test_an_import_keeps_what_the_edital_says_of_its_own(tmp_path: Path) -> None:
    documento = com("requisitos.0.documento", "ATA_DA_RODA")
    lida = accepted(tmp_path, documento).chamada
    assert lida.edital.fases[0] == FaseDatada("habilitacao", date(2026, 9, 16), date(2026, 9, 30))
    assert lida.edital.categorias == ("Culturas populares", "Audiovisual")
    ata = DocumentoProprio("ATA_DA_RODA", "Ata da roda", ("ata da roda", "roda de mestres + presentes"), ("ata de assembleia",))
    assert lida.edital.documentos_proprios == (ata,)
    assert lida.requisitos[1].quando == Condicao("municipio", "diferente", "Sobral")


def test_an_import_without_any_of_it_is_as_it_was(tmp_path: Path) -> None:
    documento = certa()
    for parte in ("fases", "categorias", "documentos_proprios"):
        del documento["edital"][parte]
    del documento["requisitos"][1]["quando"]
    edital = accepted(tmp_path, documento).chamada.edital
    assert (edital.fases, edital.categorias, edital.documentos_proprios) == ((), (), ())


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        ("edital.fases.0.fim", "2026-09-01", "edital.fases[0].fim", "datas_invertidas"),
        ("edital.fases.0.fase", "sorteio", "edital.fases[0].fase", "valor_fora_da_lista"),
        ("edital.categorias.1", "CULTURAS populares", "edital.categorias[1]", "categoria_repetida"),
        ("edital.categorias.1", " ", "edital.categorias[1]", "texto_vazio"),
        ("edital.documentos_proprios.0.id", "portfolio", "edital.documentos_proprios[0].id", "documento_do_catalogo"),
        ("edital.documentos_proprios.0.nome", "", "edital.documentos_proprios[0].nome", "texto_vazio"),
        ("edital.documentos_proprios.0.palavras.0", "+", "edital.documentos_proprios[0].palavras[0]", "palavra_vazia"),
        ("requisitos.0.documento", "ATA_DA_RODDA", "requisitos[0].documento", "documento_desconhecido"),
        ("requisitos.1.quando.operador", "minimo", "requisitos[1].quando.valor", "valor_incompativel"),
        ("requisitos.1.quando.campo", " ", "requisitos[1].quando.campo", "texto_vazio"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str) -> None:
    assert told(refused(tmp_path, com(caminho, valor))) == {(onde, codigo)}


def test_a_document_type_that_is_nearly_one_of_the_editals_own_is_suggested(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, com("requisitos.0.documento", "ATA_DA_RODDA"))
    assert "Quis dizer `ATA_DA_RODA`?" in problem.mensagem


def test_a_condition_on_the_category_speaks_of_one_that_there_is(tmp_path: Path) -> None:
    documento = com("requisitos.1.quando", {"campo": "categoria", "operador": "em", "valor": ["audiovisual", "Audiovisuais"]})
    (problem,) = refused(tmp_path, documento)
    assert (problem.caminho, problem.codigo) == ("requisitos[1].quando.valor", "categoria_desconhecida")
    assert "Quis dizer `Audiovisual`?" in problem.mensagem


@pytest.mark.parametrize(("categoria", "dito"), [("Cultura popular", True), ("", True), ("CULTURAS POPULARES", False)])
def test_a_project_of_no_category_of_the_edital_is_screened_and_told_of(tmp_path: Path, categoria: str, dito: bool) -> None:
    avisos = {aviso.codigo for aviso in accepted(tmp_path, com("projetos.0.categoria", categoria)).avisos}
    assert ("categoria_fora_da_lista" in avisos) is dito


@pytest.mark.parametrize(
    ("categorias", "dito"), [(["Cultura popular"], ["avaliadores[0].categorias[0]"]), (["culturas POPULARES"], []), ([], [])]
)
def test_whoever_judges_keeps_to_categorias_of_the_edital_or_it_is_told(tmp_path: Path, categorias: list[str], dito: list[str]) -> None:
    documento = json.loads(json.dumps(com("projetos.0.categoria", "Culturas populares")))
    documento["avaliadores"] = [{"nome": "Ana Lima", "email": "ana@jurado.example", "categorias": categorias}]
    found = accepted(tmp_path, documento)
    assert [one.caminho for one in found.avisos if one.codigo == "categoria_fora_da_lista"] == dito
    assert found.chamada.avaliadores[0].categorias == tuple(categorias)


def test_a_condition_that_no_project_speaks_of_is_told(tmp_path: Path) -> None:
    avisos = accepted(tmp_path, com("requisitos.1.quando.campo", "municipo")).avisos
    (aviso,) = [one for one in avisos if one.codigo == "campo_nao_declarado"]
    assert aviso.caminho == "requisitos[1].quando.campo"
    assert aviso.mensagem.startswith("Nenhum projeto tem o campo `municipo`; você quis dizer `municipio`?")
    assert aviso.mensagem.endswith("Como está, o requisito não será pedido a nenhum.")


def test_a_field_that_one_project_alone_spells_so_is_told_at_the_project(tmp_path: Path) -> None:
    documento = com("requisitos.1.quando.campo", "municipio")
    other = json.loads(json.dumps(documento["projetos"][0]))
    other |= {"id": "P999", "campos": {"municpio" if campo == "municipio" else campo: de for campo, de in other["campos"].items()}}
    other["documentos"] = []
    documento["projetos"].append(other)
    (aviso,) = [one for one in accepted(tmp_path, documento).avisos if one.codigo == "campo_parecido"]
    assert aviso.caminho == f"projetos[{len(documento['projetos']) - 1}].campos.municpio"
    assert aviso.mensagem.endswith("você quis dizer `municipio`?")


@pytest.mark.parametrize(("valor", "dito"), [(1500, False), (1500.01, True), (True, False), ("1500", False)])
def test_an_amount_that_is_not_what_the_budget_adds_up_to_is_told(tmp_path: Path, valor: object, dito: bool) -> None:
    documento = com("projetos.0.campos.valor_total", valor)
    itens = [{"descricao": "Oficina", "quantidade": 2, "valor_unitario": 600}, {"descricao": "Som", "valor_unitario": 300.0}]
    documento["projetos"][0]["orcamento_itens"] = itens
    avisos = [one for one in accepted(tmp_path, documento).avisos if one.codigo == "orcamento_difere"]
    assert [one.mensagem for one in avisos] == (
        [
            "O projeto declara R$ 1.500,01 em `valor_total`, e os itens do orçamento somam R$ 1.500,00. As regras sobre o valor conferem o que foi declarado."
        ]
        if dito
        else []
    )


def test_what_is_of_the_edital_is_told_before_what_is_of_a_project(tmp_path: Path) -> None:
    documento = com("requisitos.1.quando.campo", "municipo")
    documento["projetos"][0]["categoria"] = "Outra"
    codigos = [aviso.codigo for aviso in accepted(tmp_path, documento).avisos]
    assert codigos.index("campo_nao_declarado") < codigos.index("categoria_fora_da_lista")


def test_a_condition_that_a_field_is_not_declared_needs_no_project_that_declares_it(tmp_path: Path) -> None:
    absent = com("requisitos.1.quando", {"campo": "penalidade", "operador": "existe", "valor": False})
    assert "campo_nao_declarado" not in {aviso.codigo for aviso in accepted(tmp_path, absent).avisos}


def test_phases_whose_dates_contradict_their_order_are_told(tmp_path: Path) -> None:
    fases = [{"fase": "avaliacao", "inicio": "2026-09-16"}, {"fase": "habilitacao", "inicio": "2026-10-01"}]
    avisos = {aviso.codigo for aviso in accepted(tmp_path, com("edital.fases", fases)).avisos}
    assert "fases_fora_de_ordem" in avisos
