"""What is measured runs, on numbers small enough for a test, and refuses to time what is not the same work."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from bench.medida import interleaved, one_core, percentile
from bench.pedidos import HOJE, MISTURA, draw_carga

from crivo.autorizacoes import motivos as razoes


def test_works_are_done_by_turns_and_the_first_turn_is_not_counted() -> None:
    done: list[str] = []
    taken = interleaved(3, lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["a", "b"] * 4
    assert len(taken) == 2


def test_the_process_is_given_its_cores_back() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system pins no process to a core")
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([3.0, 1.0, 2.0, 4.0], 50) == 2.0
    assert percentile([float(n) for n in range(1, 101)], 99) == 99.0
    assert percentile([7.0], 99) == 7.0


def test_the_same_seed_draws_the_same_pedidos() -> None:
    assert draw_carga(50, 100, semente=3) == draw_carga(50, 100, semente=3)
    assert draw_carga(50, 100, semente=3).pedidos != draw_carga(50, 100, semente=4).pedidos


def test_about_half_are_approved_and_the_rest_meet_every_non_conformity() -> None:
    carga = draw_carga(1000)
    fluxo = carga.fluxo()
    etapas = [fluxo.decide(pedido, HOJE).etapas for pedido in carga.pedidos]
    finais = Counter(each.sintese.decisao_final for each in etapas)
    motivos = {motivo for each in etapas for motivo in each.avaliacao.motivos}
    assert sum(MISTURA.values()) == 100
    assert sum(len(politica.regras) for politica in carga.politicas) == 1000
    assert 450 <= finais["APROVADO"] + finais["APROVADO_PARCIAL"] <= 580
    assert finais.keys() == {"APROVADO", "APROVADO_PARCIAL", "NEGADO", "PENDENTE_AJUSTES"}
    assert motivos >= {razoes.PEDIDO_INVALIDO, razoes.REGRA_NAO_ENCONTRADA, razoes.SEM_COBERTURA, razoes.CARENCIA, razoes.IDADE}
    assert motivos >= {razoes.REDE, razoes.QUANTIDADE, razoes.DOCUMENTOS}


def test_zen_is_timed_only_where_it_decides_the_same() -> None:
    zen = pytest.importorskip("zen")
    from bench.zen_rf4 import KEY, Disagreement, Zen, check_agreement

    carga = draw_carga(200)
    fluxo = carga.fluxo()
    trilhas = [fluxo.decide(pedido, HOJE) for pedido in carga.pedidos]
    check_agreement(Zen.load(), trilhas)
    strict = Zen(zen.ZenEngine({"loader": {"type": "static", "content": {KEY: _denies_all()}}}))
    with pytest.raises(Disagreement, match="divergem no pedido"):
        check_agreement(strict, trilhas)


def _denies_all() -> dict[str, object]:
    expression = {"id": "d", "key": "decisao_preliminar", "value": "'NEGAR'"}
    return {
        "nodes": [
            {"id": "i", "type": "inputNode", "name": "i"},
            {"id": "e", "type": "expressionNode", "name": "e", "content": {"expressions": [expression]}},
        ],
        "edges": [{"id": "a", "type": "edge", "sourceId": "i", "targetId": "e"}],
    }


def test_a_decision_and_a_look_up_are_rows_with_a_target() -> None:
    pytest.importorskip("zen")
    from bench import consulta, decisao

    traced, untraced, _ = decisao.run(draw_carga(30, 100), rodadas=1)
    assert traced.par is not None
    assert traced.alcancada is (traced.nosso >= traced.par)
    assert untraced.alcancada is None
    assert all(linha.nosso > 0 and linha.alcancada is not None for linha in consulta.run(1, muitas=500, consultas=200))


def test_a_batch_is_timed_from_file_to_file_and_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("zen")
    from bench import lote

    ritmo, *memoria = lote.run(draw_carga(20, 100), 60, rodadas=1, pasta=tmp_path)
    assert ritmo.nosso > 0
    assert all(linha.nosso > 10 for linha in memoria)
    assert list(tmp_path.iterdir()) == []
