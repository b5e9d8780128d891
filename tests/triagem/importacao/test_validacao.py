from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from crivo.triagem.edital import EmitidoNoMaximoDiasAntes, RequisitoCondicao, RequisitoDocumento, ValidoEm
from importacoes import accepted, at, certa, com, refused, told


def test_every_field_of_the_format_comes_in_with_its_type(tmp_path: Path) -> None:
    """Design, Shapes: the import's fields by their names."""
    chamada = accepted(tmp_path, certa()).chamada
    assert chamada.edital.inscricoes is not None
    assert chamada.edital.inscricoes.fim == date(2026, 9, 15)
    assert chamada.edital.ordem_fases == ("habilitacao", "avaliacao")
    certidao, residencia, sede = chamada.requisitos
    assert isinstance(certidao, RequisitoDocumento)
    assert certidao.validade == ValidoEm(date(2026, 9, 15))
    assert isinstance(residencia, RequisitoDocumento)
    assert residencia.validade == EmitidoNoMaximoDiasAntes(90)
    assert isinstance(sede, RequisitoCondicao)
    assert (sede.campo, sede.operador, sede.valor) == ("municipio", "em", ["Caucaia"])
    (criterio,) = chamada.criterios
    assert [nivel.nota for nivel in criterio.niveis] == [Decimal(0), Decimal(5), Decimal(10)]
    (projeto,) = chamada.projetos
    assert projeto.enviado_em == datetime(2026, 9, 10, 14, tzinfo=timezone(timedelta(hours=-3)))
    assert projeto.campos == {"municipio": "Caucaia", "estreante": True, "integrantes": 12, "linguagens": ["dança", "música"]}
    assert projeto.orcamento_itens[0].total == Decimal("1505.0")
    assert projeto.proponente.responsavel is not None
    assert projeto.proponente.responsavel.cpf == "529.982.247-25"
    assert chamada.avaliadores[0].projetos == ("P001",)


def test_a_right_import_has_nothing_to_tell(tmp_path: Path) -> None:
    assert accepted(tmp_path, certa()).avisos == ()


def test_what_may_be_left_out_takes_the_defaults_of_the_contract(tmp_path: Path) -> None:
    minima = {"edital": {"id": "E1", "nome": "Edital"}, "criterios": [{"id": "C1", "nome": "Mérito", "peso": None}]}
    chamada = accepted(tmp_path, minima).chamada
    assert chamada.edital.orcamento_detalhado == "exigir"
    assert (chamada.criterios[0].peso, chamada.criterios[0].nota_max) == (Decimal(1), Decimal(10))
    assert chamada.projetos == ()


def test_sums_are_exact(tmp_path: Path) -> None:
    raw = json.dumps(certa()).replace("150.5", "0.10000000000000001")
    assert accepted(tmp_path, raw).chamada.projetos[0].orcamento_itens[0].valor_unitario == Decimal("0.10000000000000001")


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        ("edital.nome", "  ", "edital.nome", "texto_vazio"),
        ("edital.nome", None, "edital.nome", "tipo_errado"),
        ("edital.nome", 3, "edital.nome", "tipo_errado"),
        ("edital.id", "ED/2026", "edital.id", "identificador_invalido"),
        ("edital.id", "-1", "edital.id", "identificador_invalido"),
        ("edital.id", "a" * 65, "edital.id", "texto_longo"),
        ("edital.id", "ED\n", "edital.id", "identificador_invalido"),
        ("edital.texto", "a" * 2_000_000, "edital.texto", "texto_longo"),
        ("edital.orcamento_detalhado", "sim", "edital.orcamento_detalhado", "valor_fora_da_lista"),
        ("edital.ordem_fases", ["avaliacao", "avaliacao"], "edital.ordem_fases[1]", "repetido"),
        ("edital.ordem_fases", [], "edital.ordem_fases", "lista_curta"),
        ("edital.data_referencia", "15/09/2026", "edital.data_referencia", "data_invalida"),
        ("edital.data_referencia", "2026-02-30", "edital.data_referencia", "data_inexistente"),
        ("edital.data_referencia", "0001-01-01", "edital.data_referencia", "data_invalida"),
        ("edital.data_referencia", "2026-09-15\n", "edital.data_referencia", "data_invalida"),
        ("edital.nota_antes_da_dica", "sim", "edital.nota_antes_da_dica", "tipo_errado"),
        ("edital.amostras", 1.5, "edital.amostras", "valor_fora_da_faixa"),
        ("edital.inscricoes", {"inicio": "2026-09-15"}, "edital.inscricoes.fim", "campo_ausente"),
        ("edital.inscricoes", {"inicio": "2026-09-15", "fim": "2026-08-01"}, "edital.inscricoes.fim", "datas_invertidas"),
        ("requisitos.0.tipo", "papel", "requisitos[0].tipo", "valor_fora_da_lista"),
        ("requisitos.0.documento", "CERTIDAO", "requisitos[0].documento", "documento_desconhecido"),
        ("requisitos.0.formatos", ["exe"], "requisitos[0].formatos[0]", "valor_fora_da_lista"),
        ("requisitos.0.validade", {"regra": "hoje"}, "requisitos[0].validade.regra", "valor_fora_da_lista"),
        ("requisitos.0.validade", {"data": "2026-09-15"}, "requisitos[0].validade.regra", "campo_ausente"),
        ("requisitos.1.validade.dias", -1, "requisitos[1].validade.dias", "valor_fora_da_faixa"),
        ("requisitos.1.id", "req-1", "requisitos[1].id", "id_repetido"),
        ("requisitos.1.id", "REQ-1", "requisitos[1].id", "id_repetido"),
        ("requisitos.2.valor", "Caucaia", "requisitos[2].valor", "valor_incompativel"),
        ("requisitos.2.valor", [], "requisitos[2].valor", "valor_incompativel"),
        ("requisitos.2.operador", "igual", "requisitos[2].valor", "valor_incompativel"),
        ("requisitos.2.operador", "minimo", "requisitos[2].valor", "valor_incompativel"),
        ("requisitos.2.operador", "existe", "requisitos[2].valor", "valor_incompativel"),
        ("requisitos.2.operador", "contem", "requisitos[2].operador", "valor_fora_da_lista"),
        ("criterios.0.peso", 0, "criterios[0].peso", "valor_fora_da_faixa"),
        ("criterios.0.peso", -1, "criterios[0].peso", "valor_fora_da_faixa"),
        ("criterios.0.nota_min", 10, "criterios[0].nota_min", "notas_invertidas"),
        ("criterios.0.nota_min", 11, "criterios[0].nota_min", "notas_invertidas"),
        ("criterios.0.nota_max", 1000, "criterios[0].nota_max", "valor_fora_da_faixa"),
        ("criterios.0.niveis.2.nota", 10.5, "criterios[0].niveis[2].nota", "nivel_fora_da_escala"),
        ("criterios.0.niveis.2.nota", 5, "criterios[0].niveis[2].nota", "nivel_repetido"),
        ("projetos.0.enviado_em", "2026-09-10T14:00:00", "projetos[0].enviado_em", "momento_invalido"),
        ("projetos.0.enviado_em", "2026-09-10T25:00:00Z", "projetos[0].enviado_em", "momento_inexistente"),
        ("projetos.0.resumo", "a" * 1_000_001, "projetos[0].resumo", "texto_longo"),
        ("projetos.0.proponente", None, "projetos[0].proponente", "tipo_errado"),
        ("projetos.0.proponente", "Joana", "projetos[0].proponente", "tipo_errado"),
        ("projetos.0.campos", ["a"], "projetos[0].campos", "tipo_errado"),
        ("projetos.0.campos.municipio", {"nome": "Caucaia"}, "projetos[0].campos.municipio", "tipo_errado"),
        ("projetos.0.campos.municipio", [["Caucaia"]], "projetos[0].campos.municipio[0]", "tipo_errado"),
        ("projetos.0.campos.integrantes", 10**16, "projetos[0].campos.integrantes", "valor_fora_da_faixa"),
        ("projetos.0.orcamento_itens.0.valor_unitario", "150,50", "projetos[0].orcamento_itens[0].valor_unitario", "tipo_errado"),
        ("projetos.0.orcamento_itens.0.valor_unitario", True, "projetos[0].orcamento_itens[0].valor_unitario", "tipo_errado"),
        ("projetos.0.orcamento_itens.0.valor_unitario", -0.01, "projetos[0].orcamento_itens[0].valor_unitario", "valor_fora_da_faixa"),
        ("projetos.0.orcamento_itens.0.valor_unitario", 1e300, "projetos[0].orcamento_itens[0].valor_unitario", "valor_fora_da_faixa"),
        ("projetos.0.orcamento_itens.0.valor_unitario", 10**400, "projetos[0].orcamento_itens[0].valor_unitario", "valor_fora_da_faixa"),
        (
            "projetos.0.orcamento_itens.0.valor_unitario",
            float("nan"),
            "projetos[0].orcamento_itens[0].valor_unitario",
            "valor_fora_da_faixa",
        ),
        (
            "projetos.0.orcamento_itens.0.valor_unitario",
            float("-inf"),
            "projetos[0].orcamento_itens[0].valor_unitario",
            "valor_fora_da_faixa",
        ),
        ("projetos.0.orcamento_itens.0.quantidade", -1, "projetos[0].orcamento_itens[0].quantidade", "valor_fora_da_faixa"),
        ("projetos.0.cronograma_etapas.0.inicio", "2027-13-01", "projetos[0].cronograma_etapas[0].inicio", "data_inexistente"),
        ("projetos.0.documentos.0.requisito", "REQ-9", "projetos[0].documentos[0].requisito", "requisito_desconhecido"),
        ("projetos.0.documentos.0.requisito", "REQ-7", "projetos[0].documentos[0].requisito", "requisito_sem_documento"),
        ("avaliadores.0.email", "rui", "avaliadores[0].email", "email_invalido"),
        ("avaliadores.0.projetos", ["P002"], "avaliadores[0].projetos[0]", "projeto_desconhecido"),
        ("avaliadores.0.projetos", ["P001", "P001"], "avaliadores[0].projetos[1]", "repetido"),
    ],
)
def test_one_wrong_value_is_refused_at_its_path(tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str) -> None:
    assert told(refused(tmp_path, com(caminho, valor))) == {(onde, codigo)}


@pytest.mark.parametrize("raw", ["1e999999999", "1e99999999999999999999", "-1e5", "9" * 5_000, "0." + "1" * 60, "1e-999999"])
def test_numbers_made_to_hurt_are_refused_in_no_time(tmp_path: Path, raw: str) -> None:
    (problem,) = refused(tmp_path, json.dumps(certa()).replace("150.5", raw))
    assert problem.caminho == "projetos[0].orcamento_itens[0].valor_unitario"
    assert len(problem.mensagem) < 300


def test_a_condition_may_ask_for_a_number_or_for_a_day(tmp_path: Path) -> None:
    for valor in (18, 18.5, "2026-01-31"):
        documento = com("requisitos.2", {"id": "R", "tipo": "condicao", "campo": "municipio", "operador": "minimo", "valor": valor})
        assert accepted(tmp_path, documento).chamada.requisitos[2].id == "R"
    for wrong in ("dezoito", "2026-02-30", True, None):
        documento = com("requisitos.2", {"id": "R", "tipo": "condicao", "campo": "municipio", "operador": "maximo", "valor": wrong})
        assert told(refused(tmp_path, documento)) == {("requisitos[2].valor", "valor_incompativel")}


def test_a_validade_needs_a_day_to_count_from(tmp_path: Path) -> None:
    documento = certa()
    del documento["edital"]["inscricoes"], documento["edital"]["data_referencia"]
    assert told(refused(tmp_path, documento)) == {("requisitos[1].validade", "validade_sem_data")}


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    """Design, Model: the import reports every problem by file and field, and is all or nothing."""
    documento = com("criterios.0.peso", 0)
    documento["projetos"][0]["orcamento_itens"][0]["valor_unitario"] = -5
    documento["projetos"][0]["documentos"][0]["arquivo"] = "../fora.pdf"
    documento["avaliadores"][0]["projetos"] = ["P9"]
    documento["edital"]["inscricoes"]["fim"] = "2026-01-01"
    assert {onde for onde, _ in told(refused(tmp_path, documento))} == {
        "criterios[0].peso",
        "projetos[0].orcamento_itens[0].valor_unitario",
        "projetos[0].documentos[0].arquivo",
        "avaliadores[0].projetos[0]",
        "edital.inscricoes.fim",
    }


def test_a_mistyped_field_is_refused_with_the_one_that_was_meant(tmp_path: Path) -> None:
    documento = certa()
    documento["projetos"][0]["descricao_tecnca"] = documento["projetos"][0].pop("descricao_tecnica")
    (problem,) = refused(tmp_path, documento)
    assert problem.caminho == "projetos[0].descricao_tecnca"
    assert problem.mensagem == "`descricao_tecnca` não existe em projeto. Quis dizer `descricao_tecnica`?"


def test_a_mistyped_word_reference_and_condition_are_told_the_nearest(tmp_path: Path) -> None:
    documento = com("requisitos.0.documento", "CERTIDAO_MUNICIPIO")
    documento["projetos"][0]["documentos"][0]["requisito"] = "REQ1"
    documento["requisitos"][2]["campo"] = "municipo"
    documento["avaliadores"][0]["projetos"] = ["P0001"]
    messages = " ".join(problem.mensagem for problem in refused(tmp_path, documento))
    assert "Quis dizer `CERTIDAO_MUNICIPAL`?" in messages
    assert "Quis dizer `REQ-1`?" in messages
    assert "Quis dizer `P001`?" in messages


def test_what_is_like_no_field_points_to_the_schema(tmp_path: Path) -> None:
    documento = certa()
    documento["xyz"] = 1
    (problem,) = refused(tmp_path, documento)
    assert "crivo triagem esquema" in problem.mensagem


def test_an_editor_may_name_the_schema_in_the_file(tmp_path: Path) -> None:
    assert accepted(tmp_path, {"$schema": "urn:crivo:triagem:importacao", **certa()}).chamada.edital.id == "ED-2026-04"


def test_ids_of_projects_are_one_in_either_case(tmp_path: Path) -> None:
    documento = certa()
    documento["projetos"].append({**documento["projetos"][0], "id": "p001", "documentos": []})
    (problem,) = refused(tmp_path, documento)
    assert (problem.caminho, problem.codigo) == ("projetos[1].id", "id_repetido")
    assert "só difere por maiúsculas de `P001`" in problem.mensagem


def test_an_email_comes_once(tmp_path: Path) -> None:
    documento = certa()
    documento["avaliadores"].append({"nome": "Rui", "email": "RUI@jurado.example"})
    assert told(refused(tmp_path, documento)) == {("avaliadores[1].email", "email_repetido")}


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        ("projetos.0.proponente.cpf_cnpj", "11.222.333/0001-80", "projetos[0].proponente.cpf_cnpj", "identificador_nao_confere"),
        ("projetos.0.proponente.cpf_cnpj", "***.982.247-**", "projetos[0].proponente.cpf_cnpj", "identificador_nao_confere"),
        ("projetos.0.proponente.responsavel.cpf", "111.111.111-11", "projetos[0].proponente.responsavel.cpf", "identificador_nao_confere"),
        ("avaliadores.0.cpf", "390.533.447-06", "avaliadores[0].cpf", "identificador_nao_confere"),
        ("avaliadores.0.cnpj", "390.533.447-05", "avaliadores[0].cnpj", "identificador_nao_confere"),
        ("projetos.0.cronograma_etapas.0.fim", "2026-12-31", "projetos[0].cronograma_etapas[0].fim", "etapa_invertida"),
        ("projetos.0.enviado_em", "2026-09-16T00:00:00-03:00", "projetos[0].enviado_em", "envio_fora_do_periodo"),
        ("projetos.0.titulo", " ", "projetos[0].titulo", "sem_titulo"),
        ("projetos.0.proponente.nome", "", "projetos[0].proponente.nome", "sem_nome"),
        ("projetos.0.resumo", "forma\ffeed\x00nul", "projetos[0].resumo", "caractere_de_controle"),
        ("edital.data_referencia", "2026-07-01", "edital.data_referencia", "referencia_anterior"),
        ("requisitos", [], "requisitos", "sem_requisitos"),
        ("criterios", [], "criterios", "sem_criterios"),
        ("requisitos.2.campo", "bairro", "requisitos[2].campo", "campo_nao_declarado"),
    ],
)
def test_what_an_applicant_wrote_wrong_is_told_and_the_project_comes_in(
    tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str
) -> None:
    documento = com(caminho, valor)
    if caminho == "requisitos":
        documento["projetos"][0]["documentos"] = []
    importacao = accepted(tmp_path, documento)
    assert len(importacao.chamada.projetos) == 1
    assert told(importacao.avisos) == {(onde, codigo)}


def test_a_field_without_a_name_is_called_so(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, com("projetos.0.campos", {" ": 1, "municipio": "Caucaia"}))
    assert problem.mensagem == "O nome de um campo não pode ficar em branco."


def test_an_alphanumeric_cnpj_is_right(tmp_path: Path) -> None:
    assert accepted(tmp_path, com("projetos.0.proponente.cpf_cnpj", "12.ABC.345/01DE-35")).avisos == ()


def test_no_message_repeats_a_cpf_a_name_or_a_text(tmp_path: Path) -> None:
    secrets = ("529.982.247-26", "52998224726", "Joana", "Reisado", "fotos", "jurado.example")
    documento = com("projetos.0.proponente.responsavel.cpf", "529.982.247-26")
    documento["projetos"][0]["id"] = "529.982.247-26"
    documento["projetos"][0]["orcamento_itens"][0]["valor_unitario"] = "Joana 529.982.247-26"
    documento["projetos"][0]["documentos"][1]["arquivo"] = "../fotos de Joana.pdf"
    documento["avaliadores"].append(documento["avaliadores"][0])
    documento["avaliadores"][0]["projetos"] = ["52998224725"]
    documento["projetos"][0]["52998224725"] = "Joana"
    problemas = refused(tmp_path, documento)
    assert len(problemas) == 6
    said = " ".join(f"{problem.mensagem} {problem.caminho}" for problem in problemas)
    assert not [secret for secret in (*secrets, "52998224725") if secret in said]


def test_a_project_of_emoji_alone_comes_in(tmp_path: Path) -> None:
    documento = com("projetos.0.resumo", "🎭🎶💃🏽👩‍👩‍👧")
    documento["projetos"][0]["descricao_tecnica"] = "🥁"
    importacao = accepted(tmp_path, documento)
    assert importacao.chamada.projetos[0].resumo == "🎭🎶💃🏽👩‍👩‍👧"
    assert importacao.avisos == ()


def test_a_project_without_text_comes_in_and_is_told(tmp_path: Path) -> None:
    documento = com("projetos.0.resumo", "")
    del documento["projetos"][0]["descricao_tecnica"]
    assert told(accepted(tmp_path, documento).avisos) == {("projetos[0]", "sem_texto")}


def test_an_edital_without_projects_comes_in_and_is_told(tmp_path: Path) -> None:
    documento = {**certa(), "projetos": [], "avaliadores": []}
    importacao = accepted(tmp_path, documento)
    assert importacao.chamada.projetos == ()
    assert told(importacao.avisos) == {("projetos", "sem_projetos")}


def test_hidden_characters_stay_for_the_screening_to_find(tmp_path: Path) -> None:
    assert accepted(tmp_path, com("projetos.0.resumo", "no\u200bta dez")).chamada.projetos[0].resumo == "no\u200bta dez"


def test_half_a_character_becomes_a_visible_mark(tmp_path: Path) -> None:
    raw = json.dumps(com("projetos.0.resumo", "dança \ud83d cortada"))
    importacao = accepted(tmp_path, raw)
    assert importacao.chamada.projetos[0].resumo == "dança � cortada"
    assert [aviso.codigo for aviso in importacao.avisos] == ["caractere_de_controle"]


def test_the_first_thousand_problems_are_listed_and_the_rest_counted(tmp_path: Path) -> None:
    documento = certa()
    documento["projetos"] = [{**documento["projetos"][0], "id": f"P{n}", "titulo": n, "documentos": []} for n in range(1_500)]
    documento["avaliadores"] = []
    problemas = refused(tmp_path, documento)
    assert len(problemas) == 1_001
    assert problemas[-1].mensagem == "E mais 500 ocorrências além destas."


def test_tens_of_thousands_of_problems_in_one_list_are_all_counted(tmp_path: Path) -> None:
    documento = com("avaliadores.0.projetos", [0] * 20_000)
    problemas = refused(tmp_path, documento)
    assert len(problemas) == 1_001
    assert problemas[-1].mensagem == "E mais 19.000 ocorrências além destas."


def test_a_list_beyond_its_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    documento = com("criterios", [{"id": f"C{n}", "nome": "x"} for n in range(201)])
    (problem,) = refused(tmp_path, documento)
    assert problem.mensagem == "`criterios` pode ter até 200 itens, e tem 201."


def test_a_thousand_projects_come_in_order(tmp_path: Path) -> None:
    documento = certa()
    documento["projetos"] = [{**documento["projetos"][0], "id": f"P{n:03}"} for n in range(1_000)]
    projetos = accepted(tmp_path, documento).chamada.projetos
    assert [projeto.id for projeto in projetos] == [f"P{n:03}" for n in range(1_000)]


def test_moments_keep_their_offset(tmp_path: Path) -> None:
    documento = com("projetos.0.enviado_em", "2026-09-10T14:00:00.5Z")
    assert accepted(tmp_path, documento).chamada.projetos[0].enviado_em == datetime(2026, 9, 10, 14, 0, 0, 500_000, tzinfo=UTC)


def test_every_path_that_is_told_exists_in_the_file(tmp_path: Path) -> None:
    documento = com("criterios.0.peso", 0)
    (problem,) = refused(tmp_path, documento)
    pai, ultimo = at(documento, problem.caminho.replace("[", ".").replace("]", ""))
    assert pai[ultimo] == 0
