"""The turns of phrase by which a segment refuses, leaves to a doctor, denies or supposes, read from `lexico/frases.json`."""

from __future__ import annotations

from importlib.resources import files
from typing import Final, TypeVar

import msgspec

_Lexico = TypeVar("_Lexico")


class Frases(msgspec.Struct, frozen=True):
    """Regular expressions over folded text."""

    recusa: str
    encaminha: str
    negacao: str
    hipotese: str
    corte: str


def read_lexico(name: str, kind: type[_Lexico], package: str = __package__) -> _Lexico:
    """A file of a package's `lexico/` as a value."""
    return msgspec.json.decode(files(package).joinpath("lexico", f"{name}.json").read_bytes(), type=kind)


def _joined(parts: tuple[str, ...]) -> str:
    return "|".join(f"(?:{part})" for part in parts)


_RAW: Final = read_lexico("frases", dict[str, tuple[str, ...]])
FRASES: Final = Frases(**{name: _joined(parts) for name, parts in _RAW.items()})
