"""Evaluations that were kept: what the command writes is what the page reads."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from avaliacao_guardada import leave_evaluation
from crivo.cli.avaliacao_clinicas import write_reports
from crivo.clinicas.avaliacao.conjunto import Caso, TurnoEsperado
from crivo.clinicas.avaliacao.execucao import Execucao
from crivo.clinicas.avaliacao.guardadas import PASTA, last_of_each
from crivo.clinicas.avaliacao.pontuacao import CasoObtido, TurnoObtido, score
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import BRASILIA


def test_what_the_command_writes_is_read_back(tmp_path: Path) -> None:
    casos = (Caso("n-01", "normal", (TurnoEsperado("oi", ()),)),)
    obtidos = (CasoObtido("n-01", (TurnoObtido(),)),)
    run = Execucao(score(casos, obtidos, REGISTRO_PADRAO), obtidos, ((),), REGISTRO_PADRAO, None)
    when = datetime(2026, 11, 2, 10, 15, tzinfo=BRASILIA)
    write_reports(casos, run, "embutido", tmp_path / PASTA, when)
    (read,) = last_of_each(tmp_path)
    assert (read.quando, read.planejador, read.casos, read.turnos) == (when, "embutido", 1, 1)
    assert (read.geral, read.classes, read.erros) == (run.resultado.geral, run.resultado.classes, run.resultado.erros)


def test_the_last_one_of_each_planner_is_kept_apart(tmp_path: Path) -> None:
    leave_evaluation(tmp_path, "20261103-080000", "modelo", 10)
    leave_evaluation(tmp_path, "20261101-080000", "embutido", 20)
    leave_evaluation(tmp_path, "20261102-080000", "embutido", 30)
    assert [(one.planejador, one.geral.tsr.certos) for one in last_of_each(tmp_path)] == [("embutido", 30), ("modelo", 10)]


def test_without_a_folder_there_is_none(tmp_path: Path) -> None:
    assert last_of_each(tmp_path / "nada") == ()
