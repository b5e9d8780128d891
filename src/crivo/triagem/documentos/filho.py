"""The process that reads files of strangers: one after the other, within limits that the system keeps, until its input ends.

It knows neither the name of a file nor the environment of the program, writes no file, and never outlives who started it.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final, assert_never

import msgspec

from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.mensagens import LENGTH, Mensagem, Pedido, PedidoDeDesenho, PedidoDeDisposicao
from crivo.triagem.documentos.tesseract import die_with_parent

_OPEN_FILES: Final = 64


def serve() -> None:
    """Read messages from standard input and write the answer to each, both in MessagePack after their length in 8 bytes."""
    die_with_parent()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library may print is no answer
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, _OPEN_FILES)):
        resource.setrlimit(limit, (value, value))
    own = _address_space()
    decode, encode = msgspec.msgpack.Decoder(Mensagem).decode, msgspec.msgpack.Encoder().encode
    while (pedido := _next(sys.stdin.buffer)) is not None:
        asked = decode(pedido)
        _limit(asked.limites, own)
        answer = encode(_answer(asked))
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _answer(asked: Mensagem) -> Any:
    # Imported as they are asked for: who draws a page waits for no reader of tables.
    match asked:
        case Pedido():
            from crivo.triagem.documentos.leitura import read_document

            return read_document("", asked.content, asked.limites)
        case PedidoDeDesenho():
            from crivo.triagem.documentos.desenho import draw_page

            return draw_page(asked.content, asked.pagina, asked.largura, asked.limites)
        case PedidoDeDisposicao():
            from crivo.triagem.documentos.disposicao import lay_out

            return lay_out(asked.content, asked.pagina, asked.limites, ocultos=asked.ocultos)
        case _:
            assert_never(asked)


def _next(source: BinaryIO) -> bytes | None:
    header = source.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(header)
    return source.read(length)


def _limit(limites: Limites, own: int) -> None:
    """For the next file: so much time of the processor from now on, so much memory beyond what the process began with."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + limites.segundos_cpu, hardest))
    if own:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (own + limites.memoria, most))


def _address_space() -> int:
    """Bytes of address space that the process takes, 0 where the system does not tell (and limits none)."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()
