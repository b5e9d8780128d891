"""Fires a burst of load from another process, and takes its figures only where everything was answered."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from bench.instalacao import Instalacao, python
from bench.rajada import CHAVE, Rajada

CONEXOES: Final = 32


class Refused(Exception):
    """The server refused a request of the load: its rate would be the rate of refusals."""


def fire(instalacao: Instalacao, porta: int, caminho: str, pedidos: Path, segundos: float) -> Rajada:
    """A burst at a server of that installation, with its key and the requests of a file of lines. Raises Refused."""
    arguments = (str(porta), caminho, str(pedidos), "--conexoes", str(CONEXOES), "--segundos", str(segundos))
    return _fired(instalacao, caminho, arguments, instalacao.chave)


def look(instalacao: Instalacao, porta: int, paginas: Path, pessoas: int, sessao: str, segundos: float) -> Rajada:
    """So many people at once, each opening the next address of a file of lines as soon as they have the last one. Raises Refused."""
    arguments = (str(porta), "", str(paginas), "--conexoes", str(pessoas), "--segundos", str(segundos), "--paginas")
    return _fired(instalacao, "As páginas", arguments, sessao)


def _fired(instalacao: Instalacao, caminho: str, arguments: Sequence[str], chave: str) -> Rajada:
    done = subprocess.run(
        python("-m", "bench.rajada", *arguments),
        check=True,
        stdout=subprocess.PIPE,
        env=instalacao.environment(**{CHAVE: chave}),
        cwd=instalacao.pasta,
    )
    rajada = msgspec.json.decode(done.stdout, type=Rajada)
    if rajada.recusadas or not rajada.aceitas:
        raise Refused(f"{caminho}: {rajada.recusadas} recusas e {rajada.aceitas} respostas; veja os registros em {instalacao.pasta}.")
    return rajada
