"""What of an edital a spreadsheet is held against: its projects, its critérios, and who judges it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import Criterio

_SCALE: Final = re.compile(r"\(\s*(?:de\s+)?[\d.,]+\s*(?:a|-|–)\s*[\d.,]+\s*\)\s*$")
_BETWEEN: Final = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, slots=True)
class Pessoa:
    """Somebody who judges the edital; `email` in small letters."""

    nome: str
    email: str


@dataclass(frozen=True, slots=True)
class QuadroDeNotas:
    """An edital as a spreadsheet may speak of it. `apagados` are the codes of projects whose people were erased."""

    edital_id: str
    nome: str
    importacao: int
    criterios: tuple[Criterio, ...]
    projetos: tuple[str, ...]
    apagados: frozenset[str] = frozenset()
    pessoas: tuple[Pessoa, ...] = ()
    by_codigo: Mapping[str, str] = field(init=False)
    by_nome: Mapping[str, str | None] = field(init=False)
    by_criterio: Mapping[str, Criterio] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_codigo", {codigo.casefold(): codigo for codigo in self.projetos})
        object.__setattr__(self, "by_nome", _alone((fold(one.nome), one.email) for one in self.pessoas))
        object.__setattr__(self, "by_criterio", _criterios(self.criterios))


def heading(escrito: str) -> str:
    """A column's heading as it is compared: folded, without punctuation, and without the scale that the model writes after it."""
    return _BETWEEN.sub(" ", fold(_SCALE.sub("", escrito.strip()))).strip()


def _alone(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """What each name stands for; None for a name that several have."""
    found: dict[str, str | None] = {}
    for name, value in pairs:
        found[name] = None if name in found and found[name] != value else value
    return found


def _criterios(criterios: Iterable[Criterio]) -> dict[str, Criterio]:
    """Each critério by the headings that it may have; its id goes before another's name, and a name that two have tells nothing."""
    by_id = {one.id: one for one in criterios}
    names = _alone((heading(one.nome), one.id) for one in by_id.values() if one.nome.strip())
    found = {name: by_id[codigo] for name, codigo in names.items() if codigo is not None}
    found |= {heading(f"{one.id} {one.nome}"): one for one in by_id.values()}
    return found | {heading(one.id): one for one in by_id.values()}
