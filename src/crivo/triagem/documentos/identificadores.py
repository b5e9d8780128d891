"""CPF and CNPJ in a text, known by their check digits; written plainly, with marks, or as OCR breaks them. Source: design, Habilitação."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum.br import cnpj, cpf

_GAP: Final = r"[ \u00a0]?"
_MARK: Final = r"\s{0,2}[.,·\-–—/]?\s{0,2}"


def _digits(count: int, kind: str = r"\d") -> str:
    return _GAP.join([kind] * count)


_CPF: Final = re.compile(rf"(?<!\d)(?<!\d[.,/-])({_MARK.join((_digits(3), _digits(3), _digits(3), _digits(2)))})(?![.,/-]?\d)")
_CNPJ: Final = re.compile(
    rf"(?<![\dA-Z])(?<!\d[.,/-])({_MARK.join((_digits(2), _digits(3), _digits(3), _digits(4), _digits(2)))})(?![.,/-]?\d)"
)
# Since July 2026 letters may stand among the first twelve places; without the marks a code of anything else would look the same.
_CNPJ_WITH_LETTERS: Final = re.compile(
    r"(?<![\dA-Z])([\dA-Z]{2}\s?\.\s?[\dA-Z]{3}\s?\.\s?[\dA-Z]{3}\s?/\s?[\dA-Z]{4}\s?[-–]\s?\d{2})(?!\d)"
)
_NOISE: Final = re.compile(r"[^\dA-Z]")


def find_cpfs(texto: str) -> tuple[str, ...]:
    """The valid CPFs in a text, 11 digits each, once each, in order."""
    without_cnpjs = texto
    for match in (*_CNPJ.finditer(texto), *_CNPJ_WITH_LETTERS.finditer(texto)):
        if cnpj.is_valid(_NOISE.sub("", match.group(1))):
            without_cnpjs = without_cnpjs[: match.start()] + "x" * len(match.group()) + without_cnpjs[match.end() :]
    found = (_NOISE.sub("", match.group(1)) for match in _CPF.finditer(without_cnpjs))
    return tuple(dict.fromkeys(number for number in found if len(set(number)) > 1 and cpf.is_valid(number)))


def find_cnpjs(texto: str) -> tuple[str, ...]:
    """The valid CNPJs in a text, 14 digits (or letters and digits) each, once each, in order."""
    return tuple(dict.fromkeys(number for _, number in sorted(_cnpjs(texto))))


def _cnpjs(texto: str) -> Iterator[tuple[int, str]]:
    for pattern in (_CNPJ, _CNPJ_WITH_LETTERS):
        for match in pattern.finditer(texto):
            number = _NOISE.sub("", match.group(1))
            if len(set(number)) > 1 and cnpj.is_valid(number):
                yield match.start(), number
