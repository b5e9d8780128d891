"""What an edital asks for, written as an import says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.amostra import write_sample
from crivo.triagem.chamadas.definicao import to_json
from crivo.triagem.edital import Chamada
from crivo.triagem.importacao import read_chamada
from crivo.triagem.importacao.leitura import read_definicao
from crivo.triagem.importacao.relato import Relato
from importacoes import accepted, com, completa

VALORES = st.one_of(st.booleans(), st.integers(-3, 10**9), st.floats(-1e6, 1e6, allow_nan=False), st.text(max_size=9))


def again(written: bytes) -> Chamada:
    chamada = read_definicao(json.loads(written), Relato())
    assert chamada is not None
    return chamada


def test_written_and_imported_again_it_is_the_same_bytes(tmp_path: Path) -> None:
    chamada = accepted(tmp_path, completa()).chamada
    written = to_json(chamada)
    (tmp_path / "outra").mkdir()
    (tmp_path / "outra" / "edital.json").write_bytes(written)
    lida = read_chamada(tmp_path / "outra")
    assert to_json(lida.chamada) == written
    assert (lida.chamada.edital, lida.chamada.requisitos, lida.chamada.criterios) == (
        chamada.edital,
        chamada.requisitos,
        chamada.criterios,
    )
    assert lida.so_definicao
    assert not accepted(tmp_path, completa()).so_definicao


def test_what_says_no_more_than_its_default_is_left_out(tmp_path: Path) -> None:
    documento = {"edital": {"id": "E1", "nome": "N", "amostras": 1}, "criterios": [{"id": "C1", "nome": "Mérito", "peso": 1.0}]}
    written = json.loads(to_json(accepted(tmp_path, documento).chamada))
    assert written == {"edital": {"id": "E1", "nome": "N"}, "requisitos": [], "criterios": [{"id": "C1", "nome": "Mérito"}]}


def test_of_the_rules_for_places_too_only_what_is_said_is_written(tmp_path: Path) -> None:
    regras = {"corte": {"por_criterio": {"C1": 5.5}, "zero_elimina": []}, "escala": 100, "remanejamento": ["cotas"]}
    documento = {"edital": {"id": "E1", "nome": "N", "classificacao": regras}, "criterios": [{"id": "C1", "nome": "Mérito"}]}
    written = json.loads(to_json(accepted(tmp_path, documento).chamada))
    assert written["edital"]["classificacao"] == {"corte": {"por_criterio": {"C1": 5.5}}, "remanejamento": ["cotas"]}


@pytest.mark.parametrize("peso", [2, 2.5, 0.1, 1000, 1.23456789])
def test_a_number_is_written_as_a_number_and_exactly(tmp_path: Path, peso: float) -> None:
    written = to_json(accepted(tmp_path, com("criterios.0.peso", peso)).chamada)
    assert json.loads(written)["criterios"][0]["peso"] == peso


def test_the_sample_comes_back_the_same(tmp_path: Path) -> None:
    chamada = read_chamada(write_sample(tmp_path)).chamada
    assert to_json(again(to_json(chamada))) == to_json(chamada)


@settings(max_examples=60, deadline=None)
@given(VALORES, st.sampled_from(["igual", "diferente"]), st.text(min_size=1, max_size=30))
def test_whatever_a_condition_compares_with_comes_back_the_same(valor: Any, operador: str, descricao: str) -> None:
    quando = {"campo": "tipo", "operador": operador, "valor": valor}
    requisito = {"id": "R", "tipo": "documento", "documento": "OUTRO", "descricao": descricao, "quando": quando}
    chamada = read_definicao({"edital": {"id": "E", "nome": "N"}, "requisitos": [requisito]}, Relato())
    if chamada is not None:
        assert again(to_json(chamada)) == chamada
        assert to_json(again(to_json(chamada))) == to_json(chamada)
