"""`python -m bench`: measures, prints the rows, and writes them to `bench.json` in the data folder."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from rich.console import Console

from bench.copia import DECISOES, POR_SEGUNDO
from bench.instalacao import install
from bench.linhas import Linha, show, write
from bench.pedidos import draw_carga
from crivo.kernel.settings import load_settings

PARTES: Final = (
    "decisao",
    "consulta",
    "lote",
    "simulacao",
    "api",
    "sigilo",
    "partida",
    "conversa",
    "marcacoes",
    "pares",
    "triagem",
    "notas",
    "lugares",
    "paginas",
    "mesa",
    "capacidade",
    "copia",
)
MENOS_RODADAS: Final = 5
_COM_PAR: Final = frozenset({"decisao", "lote", "simulacao"})  # the parts that are timed beside ZEN
_PEDIDOS: Final = 2000


def main(argv: Sequence[str] | None = None) -> int:
    """Reads the arguments, measures, reports. A target that is missed is shown, and is no failure of the program."""
    given = _arguments(argv)
    if lacking := find_missing_peer(given.so):
        told = "O zen-engine, com que se compara, não está instalado; rode 'make bench', que o instala, ou 'uv sync --group bench'."
        print(f"{told} Precisa dele: {', '.join(lacking)}. As outras partes medem sem ele, com --so.", file=sys.stderr)
        return 2
    data_dir = load_settings().data_dir.absolute()
    console = Console()
    linhas: list[Linha] = []
    for parte, rows in measure(given.so, data_dir, given.linhas, given.rodadas, given.decisoes, given.por_segundo):
        console.log(f"{parte} medida")
        linhas += rows
    show(console, f"Bancada, {given.rodadas} rodadas", linhas)
    write(linhas, data_dir / "bench.json")
    return 0


def find_missing_peer(partes: Sequence[str]) -> list[str]:
    """Those of the parts that cannot be measured, as ZEN, which only the bench group installs, is absent."""
    return [parte for parte in PARTES if parte in partes and parte in _COM_PAR] if find_spec("zen") is None else []


def measure(
    partes: Sequence[str], data_dir: Path, linhas: int, rodadas: int, decisoes: int = DECISOES, por_segundo: int = POR_SEGUNDO
) -> Iterator[tuple[str, list[Linha]]]:
    """The rows of each part as they are measured, in the order of `PARTES`; what they need is made in `data_dir`, and removed."""
    # Here, so that an absent peer is told and no traceback shown; of those that need it, as they are measured.
    from bench import api, capacidade, consulta, conversa, copia, lugares, marcacoes, mesa, notas, paginas, pares, partida, sigilo, triagem

    def with_peer(parte: str) -> Any:
        return import_module(f"bench.{parte}")

    carga = draw_carga(_PEDIDOS)
    data_dir.mkdir(parents=True, exist_ok=True)
    pasta = Path(mkdtemp(prefix="bancada-", dir=data_dir))
    instalacao = cache(lambda: install(pasta / "dados", carga.politicas))
    runs: Mapping[str, Callable[[], list[Linha]]] = {
        "decisao": lambda: with_peer("decisao").run(carga, rodadas),
        "consulta": lambda: consulta.run(rodadas),
        "lote": lambda: with_peer("lote").run(carga, linhas, rodadas, pasta / "lote"),
        "simulacao": lambda: with_peer("simulacao").run(carga, rodadas),
        "api": lambda: api.run(instalacao(), carga, rodadas),
        "sigilo": lambda: sigilo.run(instalacao(), carga, rodadas),
        "partida": lambda: partida.run(instalacao(), rodadas),
        "conversa": lambda: conversa.run(pasta / "conversa", rodadas),
        "marcacoes": lambda: marcacoes.run(pasta / "marcacoes", rodadas),
        "pares": lambda: pares.run(rodadas),
        "triagem": lambda: triagem.run(pasta / "triagem"),
        "notas": lambda: notas.run(pasta / "notas"),
        "lugares": lambda: lugares.run(rodadas),
        "paginas": lambda: paginas.run(instalacao(), pasta / "paginas"),
        "mesa": lambda: mesa.run(instalacao(), pasta / "mesa"),
        "capacidade": lambda: capacidade.run(pasta / "capacidade", carga),
        "copia": lambda: copia.run(instalacao(), carga, decisoes, por_segundo, pasta / "copia"),
    }
    try:
        for parte in PARTES:
            if parte in partes:
                yield parte, runs[parte]()
    finally:
        shutil.rmtree(pasta)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Mede o crivo ao lado de outros, e grava bench.json na pasta de dados."
    )
    parser.add_argument("--linhas", type=_at_least(10), default=200_000, help="linhas do lote (padrão: 200000)")
    parser.add_argument("--rodadas", type=_at_least(MENOS_RODADAS), default=7, help="rodadas de cada medida, no mínimo 5 (padrão: 7)")
    parser.add_argument("--decisoes", type=_at_least(100), default=DECISOES, help=f"decisões copiadas (padrão: {DECISOES})")
    parser.add_argument("--por-segundo", type=_at_least(1), default=POR_SEGUNDO, help="decisões guardadas por segundo durante a cópia")
    parser.add_argument("--so", nargs="+", choices=PARTES, default=PARTES, help="mede só estas partes")
    return parser.parse_args(argv)


def _at_least(minimo: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdigit() or int(text) < minimo:
            raise argparse.ArgumentTypeError(f"use um número a partir de {minimo}")
        return int(text)

    return read


if __name__ == "__main__":
    sys.exit(main())
