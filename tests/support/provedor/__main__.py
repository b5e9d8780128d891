"""The provider as a process of its own: `PYTHONPATH=tests/support python -m provedor --porta 9099 --segundos 1`.

It says its address in one line on standard output, answers `GET /contagem` with its record, and ends on SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import socket
import sys
from typing import get_args

import uvicorn

from provedor.faltas import QualquerFalta
from provedor.roteiro import Provedor, sometimes
from provedor.servidor import application

_FALTAS: tuple[QualquerFalta, ...] = tuple(falta for part in get_args(QualquerFalta) for falta in get_args(part) or (part,))


def read_options() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m provedor")
    parser.add_argument("--porta", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--segundos", type=float, default=0.0, help="that every answer takes")
    parser.add_argument("--falta", choices=_FALTAS, action="append", default=[], help="that is done to some answers; may be repeated")
    parser.add_argument("--parte", type=float, default=1.0, help="share of the answers that a fault is done to")
    parser.add_argument("--semente", type=int, default=0)
    parser.add_argument("--retry-after", type=int, default=1, help="seconds")
    parser.add_argument("--dimensoes", type=int, default=1536)
    parser.add_argument(
        "--campos", default="", help="module:function from a request to the fields of its answer; else made from its schema"
    )
    return parser.parse_args()


def scripted(options: argparse.Namespace) -> Provedor:
    """The script that the options make."""
    provedor = Provedor(espera_seconds=options.segundos, retry_after_seconds=options.retry_after, dimensoes=options.dimensoes)
    if options.falta:
        provedor.sempre = sometimes(options.parte, tuple(options.falta), options.semente)
    if options.campos:
        module, _, function = options.campos.partition(":")
        provedor.campos = getattr(importlib.import_module(module), function)
    return provedor


async def serve(options: argparse.Namespace) -> None:
    """The server, until it is told to end."""
    with socket.create_server(("127.0.0.1", options.porta)) as listening:
        config = uvicorn.Config(application(scripted(options)), log_config=None, access_log=False, lifespan="off")
        sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
        sys.stdout.flush()
        await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(serve(read_options()))
