"""`python -m bench.torture`: kills a real server at random moments under load; prints the counts, and writes them to `torture.json`.

The exit code is 1 when anything that was answered with 200 is not there, or not the same, or there twice, or the chain is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from bench.instalacao import install
from bench.pedidos import draw_carga
from bench.torture.rodadas import BANCO_A_CADA, Contagem, Tortura
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.embedded import EmbeddedPostgres

_PEDIDOS = 2000
_NAMES = {
    "rodadas": "vezes em que o servidor foi morto (kill -9)",
    "bancos_mortos": "das quais com o PostgreSQL junto",
    "confirmados": "pedidos confirmados com 200",
    "achados": "achados depois, com os mesmos bytes",
    "reenviados": "sem resposta na queda, reenviados com a mesma chave",
    "reenviados_ja_guardados": "dos quais já estavam guardados",
    "reinicio_mais_lento_s": "reinício mais lento (s)",
    "perdidos": "perdidos",
    "alterados": "com bytes diferentes",
    "em_dobro": "guardados em dobro",
    "sem_resposta": "reenviados que não foram atendidos",
    "sem_registro": "decisões sem registro na auditoria, ou registros sem decisão",
    "quebras_na_cadeia": "quebras na cadeia de auditoria",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Reads the arguments, tortures, reports."""
    given = _arguments(argv)
    data_dir = load_settings().data_dir.absolute()
    data_dir.mkdir(parents=True, exist_ok=True)
    pasta = Path(mkdtemp(prefix="tortura-", dir=data_dir))
    console = Console()
    contagem = torture(pasta, given.vezes, given.semente, console)
    show(console, contagem)
    (data_dir / "torture.json").write_bytes(msgspec.json.format(msgspec.json.encode(contagem), indent=1) + b"\n")
    if contagem.whole:
        shutil.rmtree(pasta)
        return 0
    console.print(f"[bold red]O que se prometeu não foi cumprido.[/bold red] Os dados ficaram em {pasta}.")
    return 1


def torture(pasta: Path, vezes: int, semente: int, console: Console) -> Contagem:
    """So many deaths of a server over an installation made in `pasta`; the database is stopped at the end, however that comes."""
    carga = draw_carga(_PEDIDOS, semente=semente)
    instalacao = install(pasta, carga.politicas)
    tortura = Tortura(instalacao, carga.pedidos, semente)
    try:
        tortura.run(vezes, lambda so_far: console.log(_told(so_far)))
        return asyncio.run(tortura.reckon())
    finally:
        _stop_database(pasta)


def _told(contagem: Contagem) -> str:
    return f"{contagem.rodadas}ª queda: {contagem.confirmados} confirmados, {contagem.perdidos} perdidos"


def show(console: Console, contagem: Contagem) -> None:
    """The counts as a table, the faults among them in red."""
    table = Table(title="Tortura: quedas sob carga", title_justify="left", box=box.SIMPLE_HEAD, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for position, (nome, valor) in enumerate(msgspec.structs.asdict(contagem).items()):
        fault = position > list(_NAMES).index("reinicio_mais_lento_s") and valor
        table.add_row(_NAMES[nome], f"[bold red]{valor}[/bold red]" if fault else str(valor))
    console.print(table)


def _stop_database(pasta: Path) -> None:
    """A database outlives whoever was killed: it ends with the last that holds it and lets go."""
    embedded = EmbeddedPostgres(pasta)
    embedded.start()
    embedded.release()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.torture",
        description=f"Mata o servidor sob carga e confere o que ficou; a cada {BANCO_A_CADA} quedas, o PostgreSQL cai junto.",
    )
    parser.add_argument("--vezes", type=int, default=20, help="quantas quedas (padrão: 20)")
    parser.add_argument("--semente", type=int, default=1, help="semente dos momentos e dos pedidos (padrão: 1)")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
