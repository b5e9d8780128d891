"""A case of one version on the days of the next."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from uuid import UUID

import pytest

from casos import pedido
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.herdados import follow

_ANTES = PoliticaGuardada(
    UUID(int=1),
    "ADM-1",
    "Manual",
    "8",
    date(2026, 1, 1),
    None,
    "publicada",
    1,
    b"",
    datetime.fromisoformat("2026-01-01T00:00:00+00:00"),
    "ana",
    None,
    None,
    None,
    None,
)
_NOVA = replace(_ANTES, id=UUID(int=2), versao="9", vigencia_inicio=date(2027, 3, 1), vigencia_fim=date(2027, 12, 31), status="rascunho")
_CASO = Caso(
    nome="a",
    pedido=pedido(data_pedido="2026-10-05", historico=[{"codigo": "1", "data": "2026-10-01", "quantidade": 4}]),
    esperado={"decisao_final": "NEGADO"},
    recebido_em="2026-10-06",
)


def test_all_the_dates_of_a_case_move_to_the_first_day_of_the_next_version() -> None:
    moved = follow(_CASO, _ANTES, _NOVA)
    assert (moved.pedido["data_pedido"], moved.recebido_em) == ("2027-03-01", "2027-03-02")
    assert moved.pedido["historico"] == [{"codigo": "1", "data": "2027-02-25", "quantidade": 4}]
    assert (moved.nome, moved.esperado) == (_CASO.nome, _CASO.esperado)


@pytest.mark.parametrize(
    ("caso", "nova"),
    [
        (_CASO, replace(_NOVA, vigencia_inicio=date(2026, 9, 1))),  # its day is one of the next version too
        (Caso(nome="a", pedido=_CASO.pedido, esperado={}, com_publicadas=True), _NOVA),  # decided by what is in force on its day
        (Caso(nome="a", pedido=pedido(data_pedido="2025-12-31"), esperado={}), _NOVA),  # before the version that it is from
        (Caso(nome="a", pedido=pedido(data_pedido="amanhã"), esperado={}), _NOVA),
    ],
)
def test_a_case_whose_own_day_says_something_stays_on_it(caso: Caso, nova: PoliticaGuardada) -> None:
    assert follow(caso, _ANTES, nova) == caso
