"""Screening on a labelled call of another kind than the sample, by the papers of its second half: a regression falls below a floor."""

from __future__ import annotations

from functools import cache

import pytest
from evals.triagem import rows_of
from stdnum.br import cnpj, cpf

from crivo.kernel.taxas import Taxa
from crivo.triagem.irregularidades.instrucoes import find_instrucoes
from edital_rotulado import build_edital
from edital_rotulado.inscritos import MENSAGENS
from edital_rotulado.medida import Medida, measure, measure_sample


@cache
def relato() -> Medida:
    return measure("relato")


def share(found: Taxa) -> float:
    assert found.valor is not None
    return found.valor


def test_the_set_is_as_large_and_as_varied_as_it_says() -> None:
    edital = build_edital("relato")
    reasons = {item.motivo for projeto in edital.gabarito.projetos for item in projeto.itens if item.motivo}
    assert len(edital.chamada.projetos) == 72
    assert len(edital.arquivos) > 650
    assert len(reasons) == 10  # every one there is
    assert {projeto.habilitacao_sugerida for projeto in edital.gabarito.projetos} >= {"habilitado", "inabilitado", "pendencia"}
    assert all(cpf.is_valid(p.proponente.cpf_cnpj) or cnpj.is_valid(p.proponente.cpf_cnpj) for p in edital.chamada.projetos)


def test_no_row_that_make_evals_shows_of_it_misses_its_aim() -> None:
    rows = rows_of(relato())
    assert len(rows) > 10
    assert [row.linha for row in rows if row.alcancada is False] == []


def test_the_items_of_habilitacao_are_right() -> None:
    metricas = relato().conferencia.metricas
    assert metricas.itens.total > 1_200
    assert share(metricas.itens) >= 0.98, relato().faults
    assert share(metricas.habilitacao) >= 0.98
    assert share(metricas.docs_completos) == 1


def test_reused_texts_are_found_and_honest_ones_left_alone() -> None:
    found = relato().conferencia.metricas.irregularidades["texto_reutilizado"]
    assert found.cobertura.total == 20
    assert share(found.cobertura) >= 0.95
    assert share(found.precisao) >= 0.95


def test_every_trick_that_hides_text_is_found_and_honest_looks_are_left_alone() -> None:
    found = relato().conferencia.metricas.irregularidades["texto_oculto"]
    assert found.cobertura.total == 24
    assert share(found.cobertura) >= 0.95
    assert relato().alarmes.total > 700
    assert share(relato().alarmes) <= 0.02


@pytest.mark.parametrize("tipo", ["orcamento_duplicado", "preco_discrepante", "proponente_repetido", "conflito_de_interesse"])
def test_budgets_prices_people_and_conflicts_are_found(tipo: str) -> None:
    found = relato().conferencia.metricas.irregularidades[tipo]
    assert share(found.cobertura) >= 0.95
    assert share(found.precisao) >= 0.95


def test_orders_to_whoever_grades_are_known_in_wordings_seen_before() -> None:
    plain = {key: texto for key, texto in MENSAGENS["ajuste"].items() if key[0] != "k"}
    wrong = [key for key, texto in plain.items() if bool(find_instrucoes(texto)) is key.startswith("h")]
    assert len(plain) == 81
    assert wrong == []


def test_the_sample_agrees_with_its_own_key() -> None:
    casos = measure_sample().casos
    assert len(casos) > 400
    assert [caso.id for caso in casos if not caso.certo] == []
