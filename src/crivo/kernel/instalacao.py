"""What mends this installation: the command that puts packages beside this crivo, read from what crivo itself asks for.

An index has a `crivo` that is somebody else's program, so none of these commands names crivo: they name the packages it needs.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from typing import Final

_OWN: Final = "crivo"
_WHEEL: Final = "./crivo-VERSAO-py3-none-any.whl"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA: Final = re.compile(r"""\bextra\s*==\s*["']([^"']+)["']""")
_SAME: Final = re.compile(r"[-_.]+")


def command_for_extra(extra: str) -> str:
    """What to type to have all that an extra of crivo stands for; out of its wheel where this crivo does not know what it asks for."""
    found = tuple(asked for asked, of in _asked() if of == extra)
    return _command(found or (f"{_WHEEL}[{extra}]",))


def command_for(*packages: str) -> str:
    """What to type to have these packages, each in a version that crivo takes; crivo itself is out of a wheel."""
    known = {_key(asked): asked for asked, of in _asked() if of is None} | {_OWN: _WHEEL}
    return _command(known.get(_key(one), one) for one in packages)


def _command(asked: Iterable[str]) -> str:
    """By this installation's own Python; by uv where it made the environment, and left pip out of it."""
    by = (sys.executable, "-m", "pip", "install") if find_spec("pip") else ("uv", "pip", "install", "--python", sys.executable)
    return shlex.join((*by, *asked))


def _asked() -> Iterator[tuple[str, str | None]]:
    """What crivo asks for, without the machines that it is for, and of which extra it is (None: always)."""
    try:
        lines = requires(_OWN) or ()
    except PackageNotFoundError:  # run from its sources alone
        return
    for line in lines:
        asked, _, marker = line.partition(";")
        extra = _EXTRA.search(marker)
        yield asked.strip(), extra[1] if extra else None


def _key(asked: str) -> str:
    found = _NAME.match(asked)
    return _SAME.sub("-", found[0]).lower() if found else asked
