"""The queue of the mesa: what filters leave, in what order, and what each of their values would leave."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from crivo.triagem.fila import Contexto, Ficha, Filtro, Medias, Ordem, Recorte, chosen, facetas_of, ordered, settled

DIA = datetime(2026, 9, 1, tzinfo=UTC)


def ficha(codigo: str, **other: Any) -> Ficha:
    values: dict[str, Any] = {
        "id": f"id-{codigo}",
        "codigo": codigo,
        "categoria": "Música",
        "enviado_em": DIA,
        "situacao": "habilitado",
        "tomada": "sem",
        "difere": False,
        "em_falta": (),
        "duvidosos": 0,
    }
    return Ficha(**(values | other))


FICHAS = [
    ficha("P1"),
    ficha("P2", situacao="pendencia", em_falta=("R1",), categoria="Teatro"),
    ficha("P3", situacao="pendencia", em_falta=("R1", "R2"), duvidosos=1, tomada="pendencia"),
    ficha("P4", situacao="inabilitado", em_falta=("R2",), tomada="habilitado", difere=True, enviado_em=None),
    ficha("P5", situacao="erro", categoria="", enviado_em=DIA.replace(day=2)),
]
CONTEXTO = Contexto(
    casos={"P1": ("leve",), "P3": ("grave", "leve")},
    medias={
        "id-P1": Medias(Decimal(8), 2, 2, Decimal(7)),
        "id-P2": Medias(Decimal(9), 1, 2, None),
        "id-P3": Medias(None, 0, 1, Decimal(6)),
    },
    meus={"P2"},
)


def asked(**filtros: str) -> Recorte:
    return Recorte({name: frozenset(values.split()) for name, values in filtros.items()})  # type: ignore[misc]


def test_a_category_that_the_edital_lacks_is_one_to_filter_by() -> None:
    contexto = replace(CONTEXTO, fora={"Teatro"})
    assert codes(asked(categoria="*"), contexto) == "P2"
    assert codes(asked(categoria="Teatro"), contexto) == "P2"
    assert codes(asked(categoria="-"), contexto) == "P5"
    assert facetas_of(FICHAS, asked(), contexto)["categoria"] == {"Música": 3, "Teatro": 1, "*": 1, "-": 1}
    assert settled(asked(categoria="*"), (), {"Teatro"})[1] == ()


def codes(recorte: Recorte, contexto: Contexto = CONTEXTO) -> str:
    return " ".join(one.codigo for one in ordered(chosen(FICHAS, recorte, contexto), recorte, contexto))


@pytest.mark.parametrize(
    ("recorte", "left"),
    [
        (asked(), "P1 P2 P3 P4 P5"),
        (asked(situacao="pendencia inabilitado"), "P2 P3 P4"),
        (asked(situacao="pendencia", decisao="sem"), "P2"),
        (asked(caso="com"), "P1 P3"),
        (asked(caso="sem"), "P2 P4 P5"),
        (asked(caso="leve"), "P1 P3"),
        (asked(caso="grave", situacao="habilitado"), ""),
        (asked(requisito="R2"), "P3 P4"),
        (asked(requisito="R1 R2", categoria="Teatro"), "P2"),
        (asked(requisito="-"), "P1 P5"),
        (asked(categoria="-"), "P5"),
        (asked(avaliacao="falta"), "P2 P3"),
        (asked(avaliacao="completa"), "P1"),
        (asked(avaliacao="ninguem", situacao="inabilitado erro"), "P4 P5"),
        (asked(difere="sim"), "P4"),
        (asked(minha="sim"), "P2"),
    ],
)
def test_of_each_filter_any_value_will_do_and_of_all_filters_all(recorte: Recorte, left: str) -> None:
    assert codes(recorte) == left


@pytest.mark.parametrize(
    ("ordem", "desce", "order"),
    [
        ("inscricao", False, "P1 P2 P3 P4 P5"),
        ("inscricao", True, "P5 P4 P3 P2 P1"),
        ("situacao", False, "P1 P2 P3 P5 P4"),
        ("situacao", True, "P4 P5 P2 P3 P1"),
        ("decisao", False, "P1 P2 P5 P4 P3"),
        ("caso", True, "P3 P1 P2 P4 P5"),
        ("caso", False, "P1 P3 P2 P4 P5"),
        ("nota", True, "P2 P1 P3 P4 P5"),
        ("nota", False, "P1 P2 P3 P4 P5"),
        ("sugestao", True, "P1 P3 P2 P4 P5"),
        ("duvidas", True, "P3 P1 P2 P4 P5"),
        ("enviado", False, "P1 P2 P3 P5 P4"),
        ("enviado", True, "P5 P1 P2 P3 P4"),
    ],
)
def test_a_queue_goes_by_any_column_both_ways_and_what_has_no_value_stands_last(ordem: Ordem, desce: bool, order: str) -> None:
    assert codes(Recorte(ordem=ordem, desce=desce)) == order


def test_titles_go_by_the_places_that_their_names_have() -> None:
    places = Contexto(lugares={"id-P1": 4, "id-P2": 0, "id-P3": 1, "id-P4": 1, "id-P5": 2})
    assert codes(Recorte(ordem="projeto"), places) == "P2 P3 P4 P5 P1"
    assert codes(Recorte(ordem="projeto", desce=True), places) == "P1 P5 P3 P4 P2"


def test_words_leave_what_they_found_and_filters_still_hold() -> None:
    found = Contexto(achados={"id-P2", "id-P4"})
    assert codes(asked(situacao="pendencia"), found) == "P2"


@pytest.mark.parametrize("name", ["situacao", "decisao", "caso", "requisito", "categoria", "avaliacao", "difere", "minha"])
def test_what_a_value_is_said_to_leave_is_what_it_leaves_all_other_filters_in_force(name: Filtro) -> None:
    for recorte in (asked(), asked(situacao="pendencia"), asked(caso="com", decisao="sem")):
        counted = facetas_of(FICHAS, recorte, CONTEXTO)[name]
        assert counted or recorte != asked()
        for value, many in counted.items():
            assert len(chosen(FICHAS, recorte.com(name, value), CONTEXTO)) == many, (name, value)


def test_what_a_call_does_not_have_is_told_and_the_rest_holds() -> None:
    recorte, unknown = settled(
        asked(requisito="R2 R9", categoria="Dança", situacao="pendencia", caso="velho"), {"R1", "R2"}, {"Música", ""}
    )
    assert unknown == (("caso", "velho"), ("requisito", "R9"), ("categoria", "Dança"))
    assert recorte == asked(requisito="R2", situacao="pendencia")
