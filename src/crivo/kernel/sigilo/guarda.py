"""Who may read a key that is kept in a file: its owner, and whom the machine's administrator let in. A key that others read is none."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import Final

from crivo.kernel.sigilo.erros import ChaveExposta

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_OF_ROOT: Final = _OTHERS & ~stat.S_IRGRP  # as secrets are mounted for a group; as PostgreSQL has it for its own keys


def is_exposed(path: Path) -> bool:
    """Whether others than its owner may read or write a file; one that is not there is nobody's."""
    try:
        found = path.stat()
    except OSError:
        return False
    closed = _OF_ROOT if found.st_uid == 0 != os.geteuid() else _OTHERS
    return bool(found.st_mode & closed)


def is_open(folder: Path) -> bool:
    """Whether others than its owner may list a folder or enter it."""
    return bool(folder.stat().st_mode & _OTHERS)


def exposed(path: Path) -> str:
    """What is wrong with a key that others may read, and the command that mends it (pt-BR)."""
    return (
        f"Outras contas desta máquina podem ler a chave em {path}. Rode: chmod 600 {shlex.quote(str(path))}. "
        "Se mais alguém usa esta máquina, considere que a chave foi lida."
    )


def guard(path: Path) -> None:
    """Refuse a key that others than its owner may read. Raises ChaveExposta."""
    if is_exposed(path):
        raise ChaveExposta(exposed(path))
