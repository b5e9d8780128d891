"""Calls written apart: the truth is of every item, the same each time; what one half taught is held by it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from evals.inedita.linhas import screen
from evals.inedita.lote import Lote, read_lote
from evals.inedita.medida import measure, of_parity

MENDED = frozenset({"AG-01", "AG-05", "AG-07", "AG-11", "AG-13", "AG-15", "AG-19", "AG-25", "AG-29", "AG-31", "AG-33", "AG-35"})
"""Of half A: copied, scaled and renamed budgets, a positive certidão of a type of its own, a photograph, a paper after a cover."""


def alone(lote: Lote, projetos: frozenset[str], papeis: frozenset[str]) -> Lote:
    """A lot of all the budgets, with the papers of some projects that some requisitos ask for."""
    asked = {projeto["id"]: projeto for projeto in lote.chamada["projetos"]}
    kept = [
        {**projeto, "documentos": [d for d in projeto["documentos"] if codigo in projetos and d["requisito"] in papeis]}
        for codigo, projeto in asked.items()
    ]
    arquivos = {d["arquivo"]: lote.arquivos[d["arquivo"]] for projeto in kept for d in projeto["documentos"]}
    requisitos = [r for r in lote.chamada["requisitos"] if r["id"] in papeis]
    return Lote(
        {**lote.chamada, "requisitos": requisitos, "projetos": kept},
        arquivos,
        lote.itens,
        lote.sugestoes,
        lote.orcamentos,
        lote.fora,
        lote.imagens,
    )


@cache
def screened() -> tuple[Lote, dict[str, Any]]:
    lote = alone(read_lote("agro"), MENDED, frozenset({"R01", "R05", "R06"}))
    return lote, screen(lote)


@pytest.mark.parametrize("nome", ["agro", "esporte", "saude"])
def test_a_lot_has_an_answer_for_every_item_of_every_project(nome: str) -> None:
    lote = read_lote(nome)
    asked = {(projeto["id"], requisito["id"]) for projeto in lote.chamada["projetos"] for requisito in lote.chamada["requisitos"]}
    assert set(lote.itens) == asked
    assert set(lote.sugestoes.values()) == {"habilitado", "pendencia", "inabilitado"}


def test_a_lot_is_the_same_each_time() -> None:
    once, again = read_lote.__wrapped__("saude"), read_lote("saude")
    assert (once.chamada, once.itens, once.orcamentos) == (again.chamada, again.itens, again.orcamentos)
    assert {nome for nome, conteudo in once.arquivos.items() if conteudo != again.arquivos[nome]} <= changing(once)


def changing(lote: Lote) -> set[str]:
    """Files that carry the hour at which they were made, or a key of their own."""
    return {nome for nome, conteudo in lote.arquivos.items() if conteudo.startswith(b"PK") or b"/Encrypt" in conteudo}


def test_what_half_of_the_call_taught_is_read_right() -> None:
    lote, exportado = screened()
    medida = measure(lote, exportado, MENDED.__contains__)
    assert medida.itens.erros == ()
    assert medida.itens.total >= 30
    positiva = next(p for p in exportado["projetos"] if p["projeto_id"] == "AG-31")
    assert next(item["motivo"] for item in positiva["itens"] if item["requisito"] == "R06") == "condicao_nao_atendida"


def test_every_planted_budget_of_that_half_is_found_and_no_honest_one_is_told() -> None:
    lote, exportado = screened()
    metade = measure(lote, exportado, of_parity(1))
    assert len(metade.pares.achados) == 5
    assert (metade.pares.perdidos, metade.precos.perdidos) == (frozenset(), frozenset())
    tudo = measure(lote, exportado)
    assert (tudo.pares.falsos, tudo.precos.falsos) == (frozenset(), frozenset())


def test_names_of_things_in_its_budgets_give_no_order_to_whoever_grades() -> None:
    _, exportado = screened()
    assert [sinal for sinal in exportado["irregularidades"] if sinal["tipo"] == "texto_instrucional"] == []


def test_a_wrong_answer_is_told_with_what_it_should_have_been() -> None:
    lote, exportado = screened()
    told = msgspec.json.decode(msgspec.json.encode(exportado))
    projeto = next(p for p in told["projetos"] if p["projeto_id"] == "AG-01")
    item = next(i for i in projeto["itens"] if i["requisito"] == "R05")
    item["situacao"], item["motivo"] = "nao_atende", "documento_vencido"
    (erro,) = measure(lote, told, {"AG-01"}.__contains__).itens.erros
    assert erro.startswith("AG-01 R05: ('nao_atende', 'documento_vencido') e não [('atende', None)]")
