"""The screening that is timed is a whole one, of a call that says something else in every project."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import triagem
from bench.inscricoes import write_call
from bench.medida import best_of

from crivo.triagem.importacao.leitura import read_chamada


def test_a_call_is_drawn_with_three_to_five_documents_a_project_and_texts_of_their_own(tmp_path: Path) -> None:
    importacao = read_chamada(write_call(tmp_path / "uma", 12))
    again = read_chamada(write_call(tmp_path / "outra", 12))
    projetos = importacao.chamada.projetos
    assert importacao.chamada == again.chamada
    assert {len(projeto.documentos) for projeto in projetos} == {3, 4, 5}
    assert len({projeto.descricao_tecnica for projeto in projetos}) == len(projetos) == 12
    contents = [arquivo.read() for arquivo in importacao.arquivos.values()]
    assert len(set(contents)) == len(contents) == sum(len(projeto.documentos) for projeto in projetos)


@pytest.mark.slow
def test_a_screening_is_timed_from_the_queue_to_its_end_and_again_with_nothing_changed(tmp_path: Path) -> None:
    linhas = triagem.run(tmp_path, projetos=4)
    whole, judged, over_all, once_read, unchanged, *memory = linhas
    assert all(linha.nosso > 0 for linha in linhas)
    assert [linha.unidade for linha in linhas[:5]] == ["projetos/s", "s", "s", "s", "s"]
    assert whole.nosso < 4 / judged.nosso
    assert over_all.meta is None
    assert once_read.par == judged.nosso
    assert unchanged.alcancada is not None
    assert all(linha.nosso > 50 for linha in memory)


def test_the_best_turn_of_each_is_told() -> None:
    done: list[str] = []
    taken = best_of(2, lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["a", "b"] * 3
    assert len(taken) == 2
    assert min(taken) > 0
