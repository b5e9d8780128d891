"""What the names of sheets tell: that each is a plano, that one is not to be read, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from crivo.kernel.linguagem.dobra import fold

_SAYS_PLANO: Final = re.compile(r"(?:plano|produto)s?\b.*")
_PLANO_NAMES: Final = frozenset(
    "ouro prata bronze diamante platina esmeralda rubi safira titanio cristal basico essencial classico executivo master premium especial "  # noqa: SIM905
    "enfermaria apartamento standard plus top flex superior".split()
)
_NOT_READ: Final = re.compile(r"\bnao (?:usar|use|utilizar|ler|considerar|importar)\b")
_WORD: Final = re.compile(r"[a-z]+")


def all_planos(nomes: Iterable[str]) -> bool:
    """Whether every sheet is named as planos are: `Plano X`, or in words that planos go by and nothing else."""
    return all(map(_is_plano, nomes))


def _is_plano(nome: str) -> bool:
    plain = fold(nome).strip()
    words = _WORD.findall(plain)
    return bool(_SAYS_PLANO.fullmatch(plain)) or (bool(words) and set(words) <= _PLANO_NAMES)


def says_not_to_read(nome: str) -> bool:
    """Whether a sheet's own name asks that nobody use it: `NÃO USAR - antiga`."""
    return bool(_NOT_READ.search(fold(nome)))
