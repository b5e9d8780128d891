"""Runs many seeded cases through the product and the independent statement, and counts what came up.

`python tests/support/oraculo/rodar.py --casos 100000` prints (or writes to `--saida`) JSON: cases, mismatches, and how often each
decision, motivo, alert and adjustment was seen. Exit 1 on a mismatch.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if __package__ in (None, ""):  # run as a file, not by pytest
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oraculo.amostras import Sorte
from oraculo.comparacao import Divergencia, compare, decide_by_oraculo, decide_by_product, publish
from oraculo.geradores import Caso, draw_caso, draw_politicas, write_json

PEDIDOS_POR_POLITICA = 20  # building an index costs more than a decision
EXEMPLOS_GUARDADOS = 20


@dataclass
class Placar:
    """What has been seen so far."""

    casos: int = 0
    divergentes: int = 0
    contagens: dict[str, Counter[str]] = field(
        default_factory=lambda: {nome: Counter() for nome in ("decisao_final", "efeito", "motivos", "alertas", "ajustes", "divergencias")}
    )
    exemplos: list[dict[str, Any]] = field(default_factory=list)

    def count(self, caso: Caso, dito: dict[str, Any] | None, divergencias: list[Divergencia]) -> None:
        """One more case: what the statement said of it, and where the product said otherwise."""
        self.casos += 1
        contagens = self.contagens
        if dito is None:
            contagens["decisao_final"]["(recusado)"] += 1
        else:
            contagens["decisao_final"][dito["sintese"]["decisao_final"]] += 1
            contagens["efeito"][dito["efeito"] or "(sem ajustes)"] += 1
            contagens["motivos"].update(dito["avaliacao"]["motivos"])
            contagens["alertas"].update(without_path(alerta) for alerta in dito["normalizacao"]["alertas"])
            sugeridos = dito["ajustes"]["ajustes_sugeridos"] if dito["ajustes"] else []
            contagens["ajustes"].update(ajuste["acao_tipo"] for ajuste in sugeridos)
        if divergencias:
            self.divergentes += 1
            contagens["divergencias"].update({divergencia.campo for divergencia in divergencias})
            if len(self.exemplos) < EXEMPLOS_GUARDADOS:
                self.exemplos.append(describe(caso, divergencias))

    def report(self, semente: int, segundos: float) -> dict[str, Any]:
        """The counts as JSON, most frequent first."""
        contagens = {nome: dict(contagem.most_common()) for nome, contagem in self.contagens.items()}
        cabeca = {"casos": self.casos, "divergentes": self.divergentes, "semente": semente, "segundos": round(segundos, 1)}
        return {**cabeca, **contagens, "exemplos": self.exemplos}


def without_path(alerta: str) -> str:
    """`campo_mapeado:pedido_id<-numero_guia` → `campo_mapeado:pedido_id`."""
    return alerta.partition("<-")[0]


def describe(caso: Caso, divergencias: list[Divergencia]) -> dict[str, Any]:
    """A mismatch, whole enough to be run again by hand."""
    campos = [{"campo": d.campo, "produto": d.produto, "oraculo": d.oraculo} for d in divergencias]
    return {"pedido": caso.pedido, "politicas": caso.politicas, "recebido_em": caso.recebido_em.isoformat(), "divergencias": campos}


def run(casos: int, semente: int) -> Iterator[tuple[Caso, dict[str, Any] | None, list[Divergencia]]]:
    """The seeded cases, one by one: the case, what the statement says, and where the product says otherwise."""
    sorte = Sorte(semente)
    for posicao in range(casos):
        if posicao % PEDIDOS_POR_POLITICA == 0:
            politicas = draw_politicas(sorte)
            fluxo = publish(politicas)
        caso = draw_caso(sorte, politicas)
        bruto = write_json(sorte, caso.pedido)
        dito = decide_by_oraculo(caso)
        yield caso, dito, compare(decide_by_product(fluxo, bruto, caso.recebido_em), dito)


def main() -> int:
    """Reads the arguments, runs, reports. 1 when product and statement disagree anywhere."""
    parser = argparse.ArgumentParser(description="Compara as decisões do produto com a enunciação independente das regras.")
    parser.add_argument("--casos", type=int, default=100_000, help="quantos pedidos gerar")
    parser.add_argument("--semente", type=int, default=1, help="semente do sorteio")
    parser.add_argument("--saida", type=Path, help="arquivo JSON do resultado (padrão: a saída padrão)")
    argumentos = parser.parse_args()
    colunas = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    placar, inicio = Placar(), time.perf_counter()
    with Progress(*colunas, console=Console(stderr=True)) as progresso:
        tarefa = progresso.add_task("Comparando decisões", total=argumentos.casos)
        for caso, dito, divergencias in run(argumentos.casos, argumentos.semente):
            placar.count(caso, dito, divergencias)
            if placar.casos % 100 == 0:
                progresso.update(tarefa, completed=placar.casos)
        progresso.update(tarefa, completed=placar.casos)
    relatorio = json.dumps(placar.report(argumentos.semente, time.perf_counter() - inicio), ensure_ascii=False, indent=1)
    if argumentos.saida:
        argumentos.saida.write_text(relatorio + "\n", encoding="utf-8")
    else:
        sys.stdout.write(relatorio + "\n")
    return 1 if placar.divergentes else 0


if __name__ == "__main__":
    sys.exit(main())
