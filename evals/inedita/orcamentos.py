"""Budgets of a lot: honest ones at market prices, and the copied, scaled and overpriced ones that were planted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from evals.inedita.escrita import draw

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Orcamentos:
    """Items by project, pairs that are copies or scaled, and (project, index) of items priced far from the rest."""

    itens: Mapping[str, list[Item]]
    pares: frozenset[frozenset[str]]
    caros: frozenset[tuple[str, int]]


def draw_budgets(dados: Mapping[str, Any], projetos: list[str]) -> Orcamentos:
    """The budgets that the data describe, the same each time."""
    itens = {projeto: _honest(dados, projeto) for projeto in projetos}
    pares: set[frozenset[str]] = set()
    for honesto in dados["honestos"]:
        itens[honesto["projeto"]].append(_item(honesto["descricao"], honesto["quantidade"], honesto["preco"]))
    for grupo in dados["copias"]:
        for outro in grupo[1:]:
            itens[outro] = _reworded(dados, itens[grupo[0]], 1)
        pares |= {frozenset(par) for par in combinations(grupo, 2)}
    for parcial in dados["parciais"]:
        de, para, linhas = parcial["de"], parcial["para"], parcial["linhas"]
        itens[para] = [*_reworded(dados, itens[de][:linhas], 1), *itens[para][linhas:]]
        pares.add(frozenset((de, para)))
    for escalado in dados["escalados"]:
        itens[escalado["para"]] = _reworded(dados, itens[escalado["de"]], escalado["fator"])
        pares.add(frozenset((escalado["de"], escalado["para"])))
    return Orcamentos(itens, frozenset(pares), frozenset(_overprice(dados, itens)))


def _honest(dados: Mapping[str, Any], projeto: str) -> list[Item]:
    sorte = draw(f"orçamento {projeto}")
    chosen = sorte.sample(dados["itens"], sorte.choice(dados["linhas"]))
    return [_item(sorte.choice(item["nomes"]), sorte.choice(item["quantidades"]), _price(item, sorte)) for item in chosen]


def _price(item: Mapping[str, Any], sorte: Random) -> float:
    """A price list's own, or what a shop asks: within 15 % of the market, as often as not a round one."""
    preco = float(item["preco"])
    if item.get("tabela"):
        return preco
    asked = preco * sorte.uniform(0.85, 1.15)
    return float(round(asked)) if preco > 20 and sorte.random() < 0.6 else round(asked, 1 if sorte.random() < 0.5 else 2)


def _reworded(dados: Mapping[str, Any], itens: list[Item], fator: float) -> list[Item]:
    nomes = {nome: item["nomes"] for item in dados["itens"] for nome in item["nomes"]}
    return [_reword(item, nomes.get(item["descricao"], [item["descricao"]]), fator) for item in itens]


def _reword(item: Item, nomes: list[str], fator: float) -> Item:
    return _item(_other(nomes, item["descricao"]), item["quantidade"], round(item["valor_unitario"] * fator, 2))


def _other(nomes: list[str], nome: str) -> str:
    return nomes[(nomes.index(nome) + 1) % len(nomes)]


def _overprice(dados: Mapping[str, Any], itens: dict[str, list[Item]]) -> list[tuple[str, int]]:
    """Plants each overpriced item (`item`: which of the market's) at the end of its project's budget, in place of the same thing."""
    found = []
    for caro in dados["caros"]:
        coisa = dados["itens"][caro["item"]]
        projeto = caro["projeto"]
        itens[projeto] = [item for item in itens[projeto] if item["descricao"] not in coisa["nomes"]]
        itens[projeto].append(_item(coisa["nomes"][0], coisa["quantidades"][0], round(coisa["preco"] * caro["vezes"], 2)))
        found.append((projeto, len(itens[projeto]) - 1))
    return found


def _item(descricao: str, quantidade: float, preco: float) -> Item:
    return {"descricao": descricao, "quantidade": quantidade, "valor_unitario": preco}
