"""Calls at random, drawn from pools so small that ties, cuts, empty cotas and leftovers are all frequent; and all of the smallest ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

Json = dict[str, Any]
Sorte = random.Random

REMANEJAMENTOS: tuple[tuple[str, ...], ...] = ((), ("cotas",), ("categorias",), ("cotas", "categorias"), ("categorias", "cotas"))
CATEGORIAS = ("Música", "Dança", "Circo")
ESCALAS = ((0, 10), (0, 10), (0, 5), (1, 3), (0, 7))
COTAS = ("NEGRAS", "PCD", "INDIGENAS")


def draw(sorte: Sorte) -> Json:
    """A call of up to fourteen projects, with what people gave and decided."""
    criterios = [draw_criterio(sorte, f"C{numero}") for numero in range(1, sorte.randrange(1, 4) + 1)]
    projetos = [draw_projeto(sorte, f"P{numero:02}") for numero in range(1, sorte.randrange(0, 15))]
    avaliacoes = [avaliacao for projeto in projetos for avaliacao in draw_avaliacoes(sorte, projeto["id"], criterios)]
    situacoes = ("habilitado",) * 8 + ("pendencia", "inabilitado")
    habilitacoes = [
        {"projeto": projeto["id"], "situacao": sorte.choice(situacoes), "motivo": ""} for projeto in projetos if sorte.random() < 0.7
    ]
    sorte.shuffle(avaliacoes)
    regras = draw_classificacao(sorte, criterios)
    return {
        "edital": {"id": "ED-1", "nome": "Edital", "classificacao": regras},
        "criterios": criterios,
        "projetos": projetos,
        "avaliacoes": avaliacoes,
        "habilitacoes": habilitacoes,
        "desistencias": [{"projeto": projeto["id"], "em": "2026-11-20"} for projeto in projetos if sorte.random() < 0.05],
    }


def draw_criterio(sorte: Sorte, codigo: str) -> Json:
    menor, maior = sorte.choice(ESCALAS)
    return {"id": codigo, "nome": codigo, "peso": sorte.choice((1, 1, 2, 3, 0.5)), "nota_min": menor, "nota_max": maior}


def draw_projeto(sorte: Sorte, codigo: str) -> Json:
    campos = {
        "cota": sorte.choice((None, "", "negra", "negra", "pcd", "indigena", ["negra", "pcd"])),
        "idade": sorte.choice((None, 20, 40, 40, 61.5)),
        "regiao": sorte.choice(("interior", "capital")),
        "mestre": sorte.choice((None, "sim")),
    }
    projeto: Json = {"id": codigo, "titulo": codigo, "proponente": {"nome": codigo}, "campos": campos}
    if sorte.random() < 0.9:
        projeto["categoria"] = sorte.choice((*CATEGORIAS, "Cinema"))
    if sorte.random() < 0.8:
        projeto["enviado_em"] = sorte.choice(("2026-09-10T14:00:00-03:00", "2026-09-10T17:00:00Z", "2026-09-11T00:30:00+02:00"))
    return projeto


def draw_avaliacoes(sorte: Sorte, projeto: str, criterios: list[Json]) -> Iterator[Json]:
    for avaliador in range(sorte.choice((0, 1, 2, 2, 2, 2, 2, 3, 3, 3))):
        notas = {one["id"]: draw_nota(sorte, one) for one in criterios if sorte.random() < 0.99}
        yield {"projeto": projeto, "avaliador": f"a{avaliador}@exemplo.org", "notas": notas}


def draw_nota(sorte: Sorte, criterio: Json) -> float:
    menor, maior = criterio["nota_min"], criterio["nota_max"]
    return sorte.choice(
        (menor, maior, (menor + maior) / 2, menor + (maior - menor) * 0.75, menor + 0.01, 2.35 if menor <= 2.35 <= maior else maior)
    )


def draw_classificacao(sorte: Sorte, criterios: list[Json]) -> Json:
    codigos = [one["id"] for one in criterios]
    regras: Json = {
        "minimo_avaliadores": sorte.choice((1, 1, 2)),
        "divergencia_maxima": sorte.choice((30, 75, 100, 100, 100)),
        "escala": sorte.choice((100, 100, 10, 60)),
        "casas": sorte.choice((2, 2, 0, 1, 3)),
        "corte": {
            "nota_final_minima": sorte.choice((0, 2, 5, 30)),
            "por_criterio": {codigo: sorte.choice((0, 1, 2.5)) for codigo in codigos if sorte.random() < 0.2},
            "zero_elimina": [codigo for codigo in codigos if sorte.random() < 0.2],
        },
        "bonus": [
            {"id": "INTERIOR", "clausula": "7.3", "quando": {"campo": "regiao", "operador": "igual", "valor": "interior"}, "pontos": 5},
            {"id": "IDADE", "quando": {"campo": "idade", "operador": "minimo", "valor": 40}, "pontos": 3},
            {"id": "MESTRE", "quando": {"campo": "mestre", "operador": "existe"}, "pontos": 1},
        ][: sorte.randrange(4)],
        "bonus_maximo": sorte.choice((0, 4, 6, 10)),
        "desempate": draw_desempates(sorte, codigos),
        "vagas": draw_vagas(sorte),
        "remanejamento": list(sorte.choice(REMANEJAMENTOS)),
        "suplentes": sorte.randrange(4),
        "semente": sorte.choice(("ED-1", "outra")),
    }
    return {nome: valor for nome, valor in regras.items() if sorte.random() < 0.85}


def draw_desempates(sorte: Sorte, codigos: list[str]) -> list[Json]:
    todos: list[Json] = [
        *({"por": "criterio", "criterio": codigo} for codigo in codigos),
        {"por": "campo", "campo": "idade", "maior": sorte.random() < 0.5},
        {"por": "inscricao"},
        {"por": "sorteio"},
    ]
    return sorte.sample(todos, sorte.randrange(len(todos) + 1))


def draw_vagas(sorte: Sorte) -> list[Json]:
    categorias = sorte.sample((*CATEGORIAS, "*"), sorte.randrange(5))
    found = []
    for categoria in categorias:
        cotas: list[Json] = [
            {"id": nome, "quando": {"campo": "cota", "operador": "em", "valor": [valor]}, "vagas": sorte.randrange(3)}
            for nome, valor in zip(COTAS, ("negra", "pcd", "indigena"), strict=True)
        ]
        cotas = sorte.sample(cotas, sorte.randrange(4))
        total = sum(cota["vagas"] for cota in cotas) + sorte.randrange(4)
        found.append({"categoria": categoria, "total": max(1, total), "cotas": cotas})
    return found


def smallest(lugares: tuple[tuple[int, int, int], ...]) -> Iterator[Json]:
    """Every call of up to four projects of three notas, each an optant of any of two cotas, for so many broad places and of each cota."""
    kinds: tuple[tuple[int, Any], ...] = tuple(product((3, 6, 9), (None, "a", "b", ["a", "b"])))
    for quantos in range(5):
        for those in combinations_with_replacement(kinds, quantos):
            for ampla, da_a, da_b in lugares:
                yield small(those, ampla, (da_a, da_b), ())
                yield small(those, ampla, (da_a, da_b), ("cotas",))


def small(those: tuple[tuple[Any, Any], ...], ampla: int, das_cotas: tuple[int, int], remanejamento: tuple[str, ...]) -> Json:
    projetos = [
        {"id": f"P{at}", "titulo": "", "proponente": {"nome": ""}, "categoria": "X", "campos": {"cota": cota}}
        for at, (_, cota) in enumerate(those)
    ]
    cotas = [
        {"id": nome, "quando": {"campo": "cota", "operador": "em", "valor": [nome]}, "vagas": vagas}
        for nome, vagas in zip("ab", das_cotas, strict=True)
    ]
    vagas = [{"categoria": "X", "total": ampla + sum(das_cotas), "cotas": cotas}]
    return {
        "edital": {"id": "ED", "nome": "", "classificacao": {"vagas": vagas, "remanejamento": list(remanejamento), "suplentes": 1}},
        "criterios": [{"id": "C1", "nome": "Mérito", "peso": 1, "nota_min": 0, "nota_max": 10}],
        "projetos": projetos,
        "avaliacoes": [{"projeto": f"P{at}", "avaliador": "a", "notas": {"C1": nota}} for at, (nota, _) in enumerate(those)],
        "habilitacoes": [],
    }
