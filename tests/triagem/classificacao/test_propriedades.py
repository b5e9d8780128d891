"""What nobody may lose: by a better nota, or because somebody else withdrew. Source: decision 0056, which names the exception."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from chamadas_classificadas import classificada, inscrito, uma_categoria
from crivo.triagem.classificacao.definicao import Classificacao
from oraculo_lugares.comparacao import classified, rows_of
from oraculo_lugares.sorteadas import draw

Json = dict[str, Any]


def drawn(casos: int, semente: int) -> Iterator[tuple[Json, random.Random]]:
    sorte = random.Random(semente)  # noqa: S311 - not for secrets
    for _ in range(casos):
        chamada = draw(sorte)
        if chamada["projetos"]:
            yield chamada, sorte


def standing(chamada: Json) -> dict[str, tuple[bool, int]]:
    """How well each project in the running stands: selected, else by how many wait before it."""
    found: dict[str, tuple[bool, int]] = {}
    for grupo in classified(chamada).grupos:
        waiting = [lugar.inscrito.id for lugar in grupo.ordem if lugar.situacao != "selecionado"]
        found |= {lugar.inscrito.id: (True, 0) for lugar in grupo.ordem if lugar.situacao == "selecionado"}
        found |= {codigo: (False, -place) for place, codigo in enumerate(waiting)}
    return found


def test_a_better_nota_never_loses_a_place() -> None:
    better = 0
    for chamada, sorte in drawn(800, 1):
        chamada["edital"]["classificacao"].pop("divergencia_maxima", None)
        if not chamada["avaliacoes"]:
            continue
        raised = copy.deepcopy(chamada)
        avaliacao = sorte.choice(raised["avaliacoes"])
        for criterio in chamada["criterios"]:
            if criterio["id"] in avaliacao["notas"] and sorte.random() < 0.7:
                avaliacao["notas"][criterio["id"]] = sorte.choice((avaliacao["notas"][criterio["id"]], criterio["nota_max"]))
        before, after = standing(chamada).get(avaliacao["projeto"]), standing(raised).get(avaliacao["projeto"])
        if before is not None:
            assert after is not None
            assert after >= before
            better += after > before
    assert better >= 20


def test_the_smallest_call_in_which_a_better_nota_loses_a_place() -> None:
    """With two avaliadores and a limit: a nota that leaves the other too far behind leaves the project pendente, for a third to judge."""
    regras = Classificacao(divergencia_maxima=Decimal(30), vagas=uma_categoria(1))
    assert classificada(regras, (inscrito("P1"), ["5", "5"])).por_id["P1"].situacao == "selecionado"
    assert classificada(regras, (inscrito("P1"), ["5", "10"])).por_id["P1"].situacao == "pendente"


def withdrawn(chamada: Json, codigo: str) -> Json:
    return {**chamada, "desistencias": [*chamada["desistencias"], {"projeto": codigo, "em": "2026-11-23"}]}


def test_who_withdraws_harms_nobody() -> None:
    moved = 0
    for chamada, sorte in drawn(400, 2):
        gone = sorte.choice(chamada["projetos"])["id"]
        before, after = standing(chamada), standing(withdrawn(chamada, gone))
        assert after.keys() == before.keys() - {gone}
        assert all(after[codigo] >= before[codigo] for codigo in after)
        moved += any(after[codigo] > before[codigo] for codigo in after)
    assert moved >= 20


def test_who_withdraws_leaves_the_places_of_a_call_that_never_had_the_project() -> None:
    for chamada, sorte in drawn(200, 4):
        gone = sorte.choice(chamada["projetos"])["id"]
        without = {**chamada, "projetos": [one for one in chamada["projetos"] if one["id"] != gone]}
        here, there = rows_of(withdrawn(chamada, gone)), rows_of(without)
        assert here.pop(gone)["situacao"] == "desclassificado"
        assert here == there


def test_who_withdraws_and_comes_back_stands_where_they_stood() -> None:
    for chamada, sorte in drawn(50, 5):
        gone = sorte.choice(chamada["projetos"])["id"]
        assert rows_of({**withdrawn(chamada, gone), "desistencias": chamada["desistencias"]}) == rows_of(chamada)


def test_as_many_are_selected_as_there_are_places_or_projects_that_may_have_them() -> None:
    for chamada, _ in drawn(200, 3):
        found = classified(chamada)
        for grupo in found.grupos:
            if grupo.vagas is None or "categorias" in found.concorrencia.classificacao.remanejamento:
                continue
            selected = sum(lugar.situacao == "selecionado" for lugar in grupo.ordem)
            assert selected == min(grupo.vagas.total, len(grupo.ordem))
