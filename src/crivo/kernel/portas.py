"""Ports of this machine: which may be tried, which was had, and who holds one that is taken."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crivo.kernel.storage.processes import program_of

ANY: Final = 0  # the system chooses
_STEP: Final = 10  # six clinics stand side by side: a second installation's go ten further, all of them
_STEPS: Final = 10
_LAST: Final = 65535
_PROC: Final = Path("/proc")
_LISTENS: Final = "0A"
_RANGE: Final = re.compile(r"(\d{1,5})\s*-\s*(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Faixa:
    """Ports that somebody chose: a first one, from which a taken one moves on (`aberta`), or these and no other."""

    numeros: tuple[int, ...]
    aberta: bool = False


@dataclass(frozen=True, slots=True)
class Dono:
    """Who listens on a port."""

    pid: int
    programa: str


def read_faixa(text: str) -> Faixa:
    """`9001` is a first port; `9001-9020` a range; `9001,9005` a list. Raises ValueError."""
    if text.strip().isdigit():
        return Faixa((_port(text),), aberta=True)
    found: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if (ends := _RANGE.fullmatch(part)) is not None:
            first, last = _port(ends[1]), _port(ends[2])
            if last < first:
                raise ValueError("é uma faixa ao contrário")
            found += range(first, last + 1)
        else:
            found.append(_port(part))
    if not found or len(set(found)) < len(found):
        raise ValueError("não é uma lista de portas diferentes")
    return Faixa(tuple(found))


def near(port: int) -> tuple[int, ...]:
    """A port, those that it may move to while it is taken, and then any at all."""
    moved = (port + _STEP * step for step in range(_STEPS))
    return (*(one for one in moved if one <= _LAST), ANY)


def tried(faixa: Faixa, place: int, many: int) -> tuple[int, ...]:
    """The ports that the one at `place` among `many` tries, in order; nobody tries what is another's first. Empty: too few."""
    if faixa.aberta:
        own = faixa.numeros[0] + place
        return near(own) if own <= _LAST else (ANY,)
    return (*faixa.numeros[place : place + 1], *faixa.numeros[many:])


def bound(host: str, ports: Sequence[int], backlog: int = 128) -> socket.socket:
    """A socket that listens on the first of these ports that is free. Raises OSError: EADDRINUSE where none is."""
    for at, port in enumerate(ports, 1):
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        try:
            return socket.create_server(address[:2], family=family, backlog=backlog)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or at == len(ports):
                raise
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def is_free(host: str, port: int) -> bool:
    """Whether a port could be had now. Raises OSError where the address is none of this machine."""
    try:
        bound(host, (port,)).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return False
    return True


def port_of(listener: socket.socket) -> int:
    """The port that a socket listens on."""
    return int(listener.getsockname()[1])


def holder_of(port: int, proc: Path = _PROC) -> Dono | None:
    """Who listens on a port of this machine; None where nobody does, or where this account is not told."""
    sockets = {f"socket:[{inode}]" for table in ("net/tcp", "net/tcp6") for inode in _inodes(proc / table, port)}
    if not sockets:
        return None
    for process in proc.iterdir():
        if process.name.isdigit() and _holds(process / "fd", sockets):
            return Dono(int(process.name), _name_of(process))
    return None


def by_whom(port: int) -> str:
    """Who holds a port, as the end of a sentence (pt-BR)."""
    found = holder_of(port)
    return "por outro programa" if found is None else f"pelo processo {found.pid} ({found.programa})"


def _port(text: str) -> int:
    found = int(text) if text.strip().isdigit() else 0
    if not 1 <= found <= _LAST:
        raise ValueError("tem uma porta que não existe")
    return found


def _name_of(process: Path) -> str:
    """What a process is called by whoever started it: for a program in Python, the program and not Python. None of its other words."""
    name = program_of(int(process.name)) or "um programa"
    with suppress(OSError):
        words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        if name.startswith("python"):
            own = (
                words[words.index("-m") + 1] if "-m" in words else next((one for one in words[1:] if one and not one.startswith("-")), name)
            )
            return own.rpartition("/")[2] or name
    return name


def _inodes(table: Path, port: int) -> Iterator[str]:
    with suppress(OSError):  # other systems have no such table
        for line in table.read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]


def _holds(descriptors: Path, sockets: set[str]) -> bool:
    with suppress(OSError):  # another account's, or one that has just ended
        for descriptor in descriptors.iterdir():
            with suppress(OSError):
                if str(descriptor.readlink()) in sockets:
                    return True
    return False
