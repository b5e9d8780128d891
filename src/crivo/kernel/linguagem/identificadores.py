"""CPF and CNPJ as people write them, known by their check digits; nobody else asks the library that computes those."""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec
from stdnum.br import cnpj, cpf

CPF_DIGITS: Final = 11
CNPJ_CHARS: Final = 14
_CPF: Final = re.compile(r"[0-9]{3}[.\s]?[0-9]{3}[.\s]?[0-9]{3}[-./\s]?[0-9]{2}")
CPF_WRITTEN: Final = re.compile(r"(?<!\d)\d{3}[.\s]?\d{3}[.\s]?\d{3}[-.\s]?\d{2}(?!\d)")
"""What is written as a CPF in a message, its digits right or wrong."""
_NOT_DIGIT: Final = re.compile(r"\D")
_NOT_ALNUM: Final = re.compile(r"[\W_]+")

# In running text, plainly, with marks, or as OCR breaks them.
_GAP: Final = r"[ \u00a0]?"
_MARK: Final = r"\s{0,2}[.,·\-–—/]?\s{0,2}"
_GROUP: Final = {count: _GAP.join([r"\d"] * count) for count in (2, 3, 4)}
_CPF_IN_TEXT: Final = re.compile(rf"(?<!\d)(?<!\d[.,/-])({_MARK.join(_GROUP[count] for count in (3, 3, 3, 2))})(?![.,/-]?\d)")
_CNPJ_IN_TEXT: Final = re.compile(rf"(?<![\dA-Z])(?<!\d[.,/-])({_MARK.join(_GROUP[count] for count in (2, 3, 3, 4, 2))})(?![.,/-]?\d)")
# Since July 2026 letters may stand among the first twelve places; without the marks a code of anything else would look the same.
_CNPJ_WITH_LETTERS: Final = re.compile(
    r"(?<![\dA-Z])([\dA-Z]{2}\s?\.\s?[\dA-Z]{3}\s?\.\s?[\dA-Z]{3}\s?/\s?[\dA-Z]{4}\s?[-–]\s?\d{2})(?!\d)"
)
_NOISE: Final = re.compile(r"[^\dA-Z]")

_TO_MASK: Final = re.compile(r"\d{3}")
_PUNCTUATED_CPF: Final = re.compile(r"(?<![\d.])\d{3}\.(\d{3})\.(\d{3})-\d{2}(?!\d)")
_LOOSE_CPF: Final = re.compile(r"(?<!\d)(?<!\d[.,/-])(\d{3})[. ]?(\d{3})[. ]?(\d{3})[- /]?(\d{2})(?!\d|[/-]\d)")


def is_cpf(written: str) -> bool:
    """Whether its check digits hold; one digit eleven times is no CPF, though they do. Source: Receita Federal, módulo 11."""
    return cpf.is_valid(written) and len(set(cpf.compact(written))) > 1


def is_cnpj(written: str) -> bool:
    """Whether its check digits hold; one digit all along is no CNPJ."""
    return cnpj.is_valid(written) and len(set(cnpj.compact(written))) > 1


def read_cpf(said: str) -> str:
    """The eleven digits of a CPF that can exist, where the text is one and nothing else; empty where it is none."""
    text = said.strip()
    digits = digits_of(text) if _CPF.fullmatch(text) else ""
    return digits if digits and is_cpf(digits) else ""


class Identificador(msgspec.Struct, frozen=True):
    """A valid CPF or CNPJ and where it stands: its digits (or letters and digits) without marks."""

    tipo: Literal["cpf", "cnpj"]
    valor: str
    start: int
    end: int


def find_identificadores(texto: str) -> tuple[Identificador, ...]:
    """The valid CPFs and CNPJs in a text, in order."""
    cnpjs = [
        Identificador("cnpj", _NOISE.sub("", match[1]), *match.span(1))
        for pattern in (_CNPJ_IN_TEXT, _CNPJ_WITH_LETTERS)
        for match in pattern.finditer(texto)
        if is_cnpj(_NOISE.sub("", match[1]))
    ]
    for one in cnpjs:
        texto = f"{texto[: one.start]}{'x' * (one.end - one.start)}{texto[one.end :]}"
    cpfs = (Identificador("cpf", _NOISE.sub("", match[1]), *match.span(1)) for match in _CPF_IN_TEXT.finditer(texto))
    return tuple(sorted((*cnpjs, *(one for one in cpfs if is_cpf(one.valor))), key=lambda one: one.start))


def find_cpfs(texto: str) -> tuple[str, ...]:
    """The valid CPFs in a text, 11 digits each, once each, in order."""
    return tuple(dict.fromkeys(one.valor for one in find_identificadores(texto) if one.tipo == "cpf"))


def find_cnpjs(texto: str) -> tuple[str, ...]:
    """The valid CNPJs in a text, 14 digits (or letters and digits) each, once each, in order."""
    return tuple(dict.fromkeys(one.valor for one in find_identificadores(texto) if one.tipo == "cnpj"))


def digits_of(written: str) -> str:
    """The figures of a number, without what parts them."""
    return _NOT_DIGIT.sub("", written)


def document_of(written: str) -> str:
    """A CPF's or CNPJ's characters alone; empty where it is neither by its length, or is one character over and over."""
    bare = _NOT_ALNUM.sub("", written).upper()
    return bare if len(bare) in {CPF_DIGITS, CNPJ_CHARS} and len(set(bare)) > 1 else ""


def format_cpf(digits: str) -> str:
    """Eleven digits as 000.000.000-00."""
    return str(cpf.format(digits))


def format_cnpj(characters: str) -> str:
    """Fourteen characters as 00.000.000/0000-00."""
    return str(cnpj.format(characters))


def with_check_digits(base: str) -> str:
    """The first digits of a CPF (9) or characters of a CNPJ (12) with the two that check them, written in full."""
    if len(base) == CPF_DIGITS - 2:
        return format_cpf(next(whole for check in range(100) if cpf.is_valid(whole := f"{base}{check:02d}")))
    return format_cnpj(base + cnpj.calc_check_digits(base))


def masked_cpf(written: str) -> str:
    """The middle of a CPF alone, as public bodies print it: `***.456.789-**`."""
    digits = digits_of(written)
    return f"***.{digits[3:6]}.{digits[6:9]}-**"


def masked_document(bare: str) -> str:
    """`***.456.789-**` for a CPF, `12.***.***/****-90` for a CNPJ."""
    return masked_cpf(bare) if len(bare) == CPF_DIGITS else f"{bare[:2]}.***.***/****-{bare[-2:]}"


def mask_cpfs(text: str) -> str:
    """The text with each CPF reduced to its middle.

    What has a CPF's points and dash is one, though a digit be wrong; bare figures are one where their check digits hold:
    phones have eleven too.
    """
    if _TO_MASK.search(text) is None:
        return text
    return _LOOSE_CPF.sub(_mask_valid, _PUNCTUATED_CPF.sub(r"***.\1.\2-**", text))


def _mask_valid(match: re.Match[str]) -> str:
    return f"***.{match[2]}.{match[3]}-**" if is_cpf("".join(match.groups())) else match[0]
