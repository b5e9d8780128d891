"""`python -m bench.torture`: kills real servers at random moments under load, sets many clients upon few slots, and prints the counts.

They are written to `torture.json` as well. The exit code is 1 when anything that was promised was not kept.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import msgspec
from rich.console import Console

from bench.instalacao import install
from bench.pedidos import draw_carga
from bench.torture.atualizacao import upgrade
from bench.torture.disputa import Disputa, dispute
from bench.torture.distribuida import CONVERSAS, PROJETOS, spread
from bench.torture.frio import start_cold
from bench.torture.notas import Chamadas, kill_graders
from bench.torture.primario import fail_over
from bench.torture.relato import Contas, show
from bench.torture.remarcacoes import Remarcacoes, interrupt
from bench.torture.rodadas import BANCO_A_CADA, Contagem, Tortura
from bench.torture.triagem import Quedas, kill_workers
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.embedded import EmbeddedPostgres

PARTES: Final = ("quedas", "disputa", "remarcacoes", "triagem", "notas", "atualizacao", "primario", "frio", "rede")
_PEDIDOS: Final = 2000
_TOLD_EACH: Final = 10  # kills of a clinic


def main(argv: Sequence[str] | None = None) -> int:
    """Reads the arguments, tortures, reports."""
    given = _arguments(argv)
    data_dir = load_settings().data_dir.absolute()
    data_dir.mkdir(parents=True, exist_ok=True)
    pasta = Path(mkdtemp(prefix="tortura-", dir=data_dir))
    console = Console()
    contas: dict[str, Contas] = {}
    for parte, conta in _run(given, pasta, console):
        contas[parte] = conta
        show(console, conta)
    (data_dir / "torture.json").write_bytes(msgspec.json.format(msgspec.json.encode(contas), indent=1) + b"\n")
    if all(conta.whole for conta in contas.values()):
        shutil.rmtree(pasta)
        return 0
    console.print(f"[bold red]O que se prometeu não foi cumprido.[/bold red] Os dados ficaram em {pasta}.")
    return 1


def _run(given: argparse.Namespace, pasta: Path, console: Console) -> Iterator[tuple[str, Contas]]:
    if "quedas" in given.so:
        yield "quedas", torture(pasta / "quedas", given.vezes, given.semente, console)
    if "disputa" in given.so:
        yield "disputa", dispute(pasta / "disputa", given.rodadas, lambda so_far: console.log(_told_of_dispute(so_far)))
    if "remarcacoes" in given.so:
        yield "remarcacoes", interrupt(pasta / "remarcacoes", given.quedas, given.semente, lambda so_far: _tell_of_kills(console, so_far))
    if "triagem" in given.so:
        tell = partial(_tell_of_screening, console)
        yield "triagem", kill_workers(pasta / "triagem", given.mortes, given.semente, tell)
    if "notas" in given.so:
        yield "notas", kill_graders(pasta / "notas", given.quedas_de_notas, on_kill=lambda so_far: console.log(_told_of_grading(so_far)))
    if "atualizacao" in given.so:
        yield "atualizacao", upgrade(pasta / "atualizacao", given.trocas, given.semente, tell=console.log)
    if "primario" in given.so:
        yield "primario", fail_over(pasta / "primario", given.quedas_do_primario, given.semente, tell=console.log)
    if "frio" in given.so:
        yield "frio", start_cold(pasta / "frio", given.apagoes, tell=console.log)
    if "rede" in given.so:
        yield "rede", spread(pasta / "rede", given.projetos, given.conversas, tell=console.log)


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


def _told_of_dispute(disputa: Disputa) -> str:
    return f"{disputa.rodadas} rodadas: {disputa.marcadas} marcadas, {disputa.em_dobro} em dobro"


def _told_of_grading(contas: Chamadas) -> str:
    return f"{contas.quedas}ª queda no meio de {contas.distintas} chamadas"


def _tell_of_screening(console: Console, contas: Quedas) -> None:
    wrong = contas.perdidos + contas.diferentes
    console.log(f"{contas.quedas} trabalhadores mortos: {contas.triagens} triagens, {wrong} resultados errados")


def _tell_of_kills(console: Console, contas: Remarcacoes) -> None:
    if contas.quedas % _TOLD_EACH == 0:
        console.log(f"{contas.quedas} quedas: {contas.remarcadas} remarcadas, {contas.sem_horario + contas.com_dois} pela metade")


def _stop_database(pasta: Path) -> None:
    """A database outlives whoever was killed: it ends with the last that holds it and lets go."""
    embedded = EmbeddedPostgres(pasta)
    embedded.start()
    embedded.release()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.torture",
        description=f"Mata servidores sob carga e confere o que ficou; a cada {BANCO_A_CADA} quedas, o PostgreSQL cai junto.",
    )
    parser.add_argument("--vezes", type=int, default=20, help="quantas quedas do servidor (padrão: 20)")
    parser.add_argument("--rodadas", type=int, default=1000, help="quantas rodadas da disputa por horários (padrão: 1000)")
    parser.add_argument("--quedas", type=int, default=100, help="quantas quedas da clínica no meio de remarcações (padrão: 100)")
    parser.add_argument("--mortes", type=int, default=50, help="quantas quedas de trabalhadores no meio de triagens (padrão: 50)")
    parser.add_argument("--quedas-de-notas", type=int, default=3, help="quantas quedas no meio das notas de um edital (padrão: 3)")
    parser.add_argument("--trocas", type=int, default=1, help="quantas voltas de troca de versão pela instalação inteira (padrão: 1)")
    parser.add_argument("--quedas-do-primario", type=int, default=2, help="quantas quedas do PostgreSQL primário (padrão: 2)")
    parser.add_argument("--apagoes", type=int, default=2, help="quantas vezes tudo cai de uma vez, de cada jeito (padrão: 2)")
    parser.add_argument("--projetos", type=int, default=PROJETOS, help=f"projetos de cada edital triado em rede (padrão: {PROJETOS})")
    parser.add_argument("--conversas", type=int, default=CONVERSAS, help=f"conversas em rede com a queda do servidor (padrão: {CONVERSAS})")
    parser.add_argument("--semente", type=int, default=1, help="semente dos momentos e dos pedidos (padrão: 1)")
    parser.add_argument("--so", nargs="+", choices=PARTES, default=PARTES, help="faz só estas partes")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
