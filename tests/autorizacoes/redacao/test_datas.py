"""Dates as a text writes them."""

from __future__ import annotations

from datetime import date

import pytest

from crivo.autorizacoes.redacao.datas import find_datas
from crivo.kernel.linguagem.dobra import fold_letters

DIA = date(2026, 8, 17)  # a Monday


@pytest.mark.parametrize(
    "text",
    [
        "17/08/2026",
        "17/08/26",
        "17.08.2026",
        "2026-08-17",
        "17/08",
        "17 de agosto",
        "dezessete de agosto de 2026",
        "no dia 17",
        "em agosto",
        "08/2026",
        "em 2026",
        "segunda-feira",
    ],
)
def test_a_date_is_read_in_every_form(text: str) -> None:
    [data] = find_datas(fold_letters(text))
    assert data.fits(DIA)


@pytest.mark.parametrize(
    "text", ["18/08/2026", "17 de setembro", "1º de agosto", "até o dia 20", "em 2025", "sexta-feira", "31/02/2026", "primeiro de agosto"]
)
def test_another_date_does_not_fit(text: str) -> None:
    [data] = find_datas(fold_letters(text))
    assert not data.fits(DIA)


@pytest.mark.parametrize("text", ["amanhã", "na semana que vem", "no próximo mês", "depois de amanhã", "até o fim do mês"])
def test_a_day_told_from_a_today_that_nobody_knows_fits_none(text: str) -> None:
    [data] = find_datas(fold_letters(text))
    assert not data.fits(DIA)


@pytest.mark.parametrize(
    "text", ["10/16 sessões", "4.11.01.01-4", "10 de 16 unidades", "o primeiro de todos", "a segunda sessão", "versão 3.1"]
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert find_datas(fold_letters(text)) == ()
