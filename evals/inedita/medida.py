"""What an export says of a lot, held against its truth, for some of its projects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from crivo.triagem.documentos.tesseract import find_tesseract
from evals.inedita.lote import Lote

Escolha = Callable[[str], bool]
"""Whether a project, by its id, is looked at."""


@dataclass(frozen=True, slots=True)
class Acerto:
    """How many came out right of how many, and what did not, in words."""

    certos: int
    total: int
    erros: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Achados:
    """Signs against what was planted: found, missed, and told of what is honest."""

    achados: frozenset[str]
    perdidos: frozenset[str]
    falsos: frozenset[str]


@dataclass(frozen=True, slots=True)
class Medida:
    """One look at a lot."""

    itens: Acerto
    projetos: Acerto
    pares: Achados
    precos: Achados


def measure(lote: Lote, exportado: Mapping[str, Any], escolha: Escolha = lambda _: True) -> Medida:
    """Items and suggestions by project, pairs of budgets and overpriced items; what the design leaves open is not counted."""
    projetos = [projeto for projeto in exportado["projetos"] if escolha(projeto["projeto_id"])]
    return Medida(
        _items(lote, projetos),
        _suggestions(lote, projetos),
        _signs({_pair(par) for par in lote.orcamentos.pares if all(map(escolha, par))}, _told_pairs(exportado, escolha)),
        _signs({_price(lote, *caro) for caro in lote.orcamentos.caros if escolha(caro[0])}, _told_prices(exportado, escolha)),
    )


def of_parity(resto: int) -> Escolha:
    """The half whose ids end in an odd (1) or an even (0) number."""
    return lambda projeto: int(projeto.rpartition("-")[2]) % 2 == resto


def _items(lote: Lote, projetos: list[Mapping[str, Any]]) -> Acerto:
    erros, total = [], 0
    for projeto in projetos:
        for item in projeto["itens"]:
            chave = (projeto["projeto_id"], item["requisito"])
            if chave in _open(lote) or not lote.counted(chave[1]):
                continue
            total += 1
            certo = lote.itens[chave]
            dito = (item["situacao"], item.get("motivo"))
            if dito not in certo:
                erros.append(f"{chave[0]} {chave[1]}: {dito} e não {sorted(certo, key=str)} · {item.get('achado')}")
    return Acerto(total - len(erros), total, tuple(erros))


def _suggestions(lote: Lote, projetos: list[Mapping[str, Any]]) -> Acerto:
    abertos = {projeto for projeto, _ in _open(lote)}
    ditos = {p["projeto_id"]: p["habilitacao_sugerida"] for p in projetos if p["projeto_id"] not in abertos}
    erros = tuple(f"{p}: {dito} e não {lote.sugestoes[p]}" for p, dito in ditos.items() if dito != lote.sugestoes[p])
    return Acerto(len(ditos) - len(erros), len(ditos), erros)


def _open(lote: Lote) -> frozenset[tuple[str, str]]:
    """Items of which nothing is known to be right: those that the design leaves open, and images where nothing reads them."""
    return lote.fora if find_tesseract() else lote.fora | lote.imagens


def _signs(certos: set[str], ditos: set[str]) -> Achados:
    return Achados(frozenset(certos & ditos), frozenset(certos - ditos), frozenset(ditos - certos))


def _told_pairs(exportado: Mapping[str, Any], escolha: Escolha) -> set[str]:
    sinais = [sinal for sinal in exportado["irregularidades"] if sinal["tipo"] == "orcamento_duplicado"]
    return {_pair(par) for sinal in sinais for par in combinations(sinal["projetos"], 2) if all(map(escolha, par))}


def _told_prices(exportado: Mapping[str, Any], escolha: Escolha) -> set[str]:
    sinais = [sinal for sinal in exportado["irregularidades"] if sinal["tipo"] == "preco_discrepante" and escolha(sinal["projetos"][0])]
    return {f"{sinal['projetos'][0]} {sinal['evidencia'][0]['trecho'].rpartition(': ')[0]}" for sinal in sinais}


def _pair(par: frozenset[str] | tuple[str, str]) -> str:
    return "+".join(sorted(par))


def _price(lote: Lote, projeto: str, indice: int) -> str:
    return f"{projeto} {lote.orcamentos.itens[projeto][indice]['descricao']}"
