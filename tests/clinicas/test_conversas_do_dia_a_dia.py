"""Everyday conversations of many hands, end to end over six clinic processes. Source: design, "Nobody is harmed, and what was said holds"."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals.conversas import converse, is_measurable, sets

from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.execucao import Execucao, execute
from crivo.clinicas.service import Conversations
from federacao import DADOS, NO_DATA
from posta_de_volta import restored

SETS = dict(sets())
# The hand that was never mended upon is heard at every run, the others, which six clinics of their own serve too, in the slow part.
CERTOS = 0.75
"""Also of the hand that was never mended upon: 49 of 64, and 44 at its first look."""


@pytest.mark.skipif(not is_measurable(), reason="os dados das conversas não estão ao lado do projeto")
@pytest.mark.parametrize("nome", [nome if "nunca" in nome else pytest.param(nome, marks=pytest.mark.slow) for nome in SETS])
def test_nobody_is_harmed_and_most_conversations_go_right(nome: str) -> None:
    relatorio = converse(SETS[nome])
    assert relatorio.casos >= 40
    assert relatorio.inseguros == ()
    assert relatorio.certos >= CERTOS * relatorio.casos, relatorio.errados


def said(execucao: Execucao) -> list[list[tuple[object, ...]]]:
    return [[(one.texto, one.plan, one.replies, one.verdict) for one in traces] for traces in execucao.traces]


@pytest.mark.skipif(not DADOS.exists(), reason=NO_DATA)
async def test_every_case_put_back_at_every_turn_goes_as_it_does_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    casos = [caso for caso in read_case_file(Path(__file__).with_name("reportado.json")) if len(caso.turnos) > 1]
    whole = await execute(casos, data_dir=tmp_path / "inteira", dados=DADOS, agora=None)
    monkeypatch.setattr(Conversations, "open", restored)
    put_back = await execute(casos, data_dir=tmp_path / "de_volta", dados=DADOS, agora=None)
    assert said(put_back) == said(whole)
    assert put_back.casos == whole.casos
