"""`python -m evals`: does what has a known outcome, prints how often it came out right, and writes it to `evals.json` in the data folder.

The exit code is 1 unless every target is met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from bench.linhas import Linha, Meta, measured, show, write
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from crivo.kernel.settings import Settings, load_settings
from evals.avaliacao import scoring
from evals.clinicas import conversations, verifier
from evals.conversas import everyday
from evals.criterios import passages
from evals.digitalizados import scans
from evals.dominios import never_seen
from evals.enunciado import Contagem, compare_generated
from evals.falas import told_acts
from evals.gravado import clinicas as respostas
from evals.gravado import planejador
from evals.gravado import triagem as juizes
from evals.inedita.linhas import unseen_calls
from evals.lugares import places
from evals.metade_gravada import replayed_rows
from evals.modelo import with_model
from evals.ordens import by_both
from evals.ouro import Resultado, sample, worked_cases
from evals.redacao import writing
from evals.sentido import retold
from evals.triagem import screening
from evals.triagem_reuso import reuse

TUDO: Final = Meta(">=", 1)
EXEMPLOS: Final = Path(__file__).resolve().parents[2] / "shared/data/autorizacoes/exemplos.json"
Parte = Literal[
    "clinicas",
    "conversas",
    "falas",
    "verificador",
    "redacao",
    "triagem",
    "ineditas",
    "lugares",
    "avaliacao",
    "dominios",
    "gravado",
    "modelo",
]
TITULOS: Final[Mapping[Parte, str]] = {
    "clinicas": "Conversas com as clínicas",
    "conversas": "Conversas do dia a dia",
    "falas": "O que uma mensagem faz",
    "verificador": "Verificador",
    "redacao": "Redação",
    "triagem": "Triagem",
    "ineditas": "Chamadas inéditas",
    "lugares": "Das notas aos lugares",
    "avaliacao": "Avaliação atacada",
    "dominios": "Domínios nunca vistos",
    "gravado": "Respostas gravadas de um modelo",
    "modelo": "Modelo de verdade",
}
"""What is measured beside the decisions, and over which table it stands."""
_SHOWN: Final = 10


def main(argv: Sequence[str] | None = None) -> int:
    """Reads the arguments, decides, compares, reports."""
    given = _arguments(argv)
    settings = load_settings()
    conjuntos = [resultado for resultado in (sample(), worked_cases(EXEMPLOS)) if resultado is not None]
    contagem = _generated(given.casos, given.semente)
    outras = {TITULOS[parte]: _measured(parte, settings) for parte in TITULOS if parte in given.so}
    return report(Console(), conjuntos, contagem, settings.data_dir / "evals.json", outras)


def _measured(parte: Parte, settings: Settings) -> Sequence[Linha]:
    if parte == "modelo":
        return with_model(settings, EXEMPLOS)
    return [linha for rows in _LINHAS[parte] for linha in rows()]


_LINHAS: Final[Mapping[Parte, Sequence[Callable[[], Sequence[Linha]]]]] = {
    "clinicas": (conversations,),
    "conversas": (everyday,),
    "falas": (told_acts,),
    "verificador": (verifier,),
    "redacao": (writing,),
    "triagem": (reuse, retold, screening, by_both, passages, scans),
    "ineditas": (unseen_calls,),
    "lugares": (places,),
    "avaliacao": (scoring,),
    "dominios": (never_seen,),
    "gravado": (
        lambda: [*replayed_rows()],
        lambda: [*planejador.rows()],
        lambda: [*respostas.rows()],
        lambda: [*juizes.rows()],
    ),
}
"""What gives the rows of each part, in order."""


def report(
    console: Console,
    conjuntos: Sequence[Resultado],
    contagem: Contagem,
    arquivo: Path,
    outras: Mapping[str, Sequence[Linha]] = MappingProxyType({}),
) -> int:
    """Print and write what was found; 0 when every target is met, else 1. `outras` are further rows by the title of their table."""
    linhas = [*(row_of(resultado) for resultado in conjuntos), generated_row(contagem)]
    show(console, "Concordância das decisões", linhas)
    for titulo, rows in outras.items():
        show(console, titulo, rows)
        linhas += rows
    for resultado in conjuntos:
        for found in resultado.discordancias[:_SHOWN]:
            told = f"{found.caso}: {found.campo} devia ser {found.esperado!r} e é {found.obtido!r}"
            console.print(told, markup=False, style="red")
    for exemplo in contagem.exemplos[:_SHOWN]:
        console.print_json(json.dumps(exemplo, ensure_ascii=False))
    write(linhas, arquivo)
    return 0 if all(linha.alcancada is not False for linha in linhas) else 1


def row_of(resultado: Resultado) -> Linha:
    """A golden set as a row: cases that agree, of all."""
    nota = "Cada campo do desfecho esperado, escrito à mão, contra o obtido."
    return measured(resultado.conjunto, "casos", resultado.concordes, resultado.casos, meta=TUDO, execucoes=resultado.casos, nota=nota)


def generated_row(contagem: Contagem) -> Linha:
    """The generated cases as a row: those in which product and statement agree, of all."""
    total = contagem.casos or 1
    drawn = ", ".join(f"{nome} {100 * vezes / total:.0f} %" for nome, vezes in sorted(contagem.decisoes.items(), key=lambda item: -item[1]))
    return measured(
        "pedidos sorteados × enunciado independente das regras",
        "casos",
        contagem.casos - contagem.divergentes,
        contagem.casos,
        meta=TUDO,
        execucoes=contagem.casos,
        nota=f"As seis etapas campo a campo, sem os textos. Sorteados: {drawn}.",
    )


def _generated(casos: int, semente: int) -> Contagem:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Comparando decisões", total=casos)
        return compare_generated(casos, semente, os.cpu_count() or 1, lambda done: bar.advance(task, done))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals", description="Mede quanto o crivo acerta, e grava evals.json na pasta de dados."
    )
    parser.add_argument("--casos", type=int, default=100_000, help="quantos pedidos sortear (padrão: 100000)")
    parser.add_argument("--semente", type=int, default=1, help="semente do sorteio (padrão: 1)")
    parser.add_argument("--so", nargs="+", choices=tuple(TITULOS), default=tuple(TITULOS), help="além das decisões, mede só estas partes")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
