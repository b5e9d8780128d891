"""Dates by a pattern that says how they are written: Unicode date field symbols, with the names of Portuguese, Spanish and English.

Source: Unicode TR35, Date Field Symbol Table; design, "Their own format in", `formato`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from crivo.kernel.linguagem.datas_escritas import calendar_date
from crivo.kernel.linguagem.dobra import without_accents
from crivo.kernel.linguagem.lexico import PALAVRAS, any_of, month_in

LONGEST_PATTERN: Final = 60
_BRASILIA: Final = ZoneInfo("America/Sao_Paulo")
_LONGEST_VALUE: Final = 80
_MESES: Final = any_of(PALAVRAS.meses)
_MESES_CURTOS: Final = any_of(PALAVRAS.meses_abreviados)
_PARTES: Final = (("d", "o dia (`dd`)"), ("M", "o mês (`MM`)"), ("y", "o ano (`yyyy`)"))
_DIAS: Final = r"(?:(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|sabado|domingo|seg|ter|qua|qui|sex|sab|dom)\.?"
_FUSO: Final = r"(?:z|utc|gmt)|(?:gmt|utc)?[+-]\d{2}:?(?:\d{2})?"
_SYMBOLS: Final = {
    "H": (r"(?:[01]?\d|2[0-4])", r"(?:[01]\d|2[0-4])"),
    "k": (r"(?:[01]?\d|2[0-4])", r"(?:[01]\d|2[0-4])"),
    "h": (r"(?:0?\d|1[0-2])", r"(?:0\d|1[0-2])"),
    "K": (r"(?:0?\d|1[0-2])", r"(?:0\d|1[0-2])"),
    "m": (r"[0-5]?\d", r"[0-5]\d"),
    "s": (r"(?:[0-5]?\d|60)", r"(?:[0-5]\d|60)"),
}
_EPOCHS: Final = {"epoch": 1, "epoch_ms": 1_000}
_EPOCH: Final = re.compile(r"-?\d{1,14}", re.ASCII)
_READ: Final = "d M L y u E e c H h k K m s S a z Z X x"


class FormatoRecusado(ValueError):
    """A text that is no pattern of a date that can be used; `posicao` counts characters from 1."""

    def __init__(self, mensagem: str, posicao: int) -> None:
        super().__init__(mensagem)
        self.mensagem = mensagem
        self.posicao = posicao


@dataclass(frozen=True, slots=True)
class FormatoDeData:
    """A pattern ready to read dates by."""

    texto: str
    expressao: re.Pattern[str]
    por_segundo: int = 0
    """Of an instant counted since 1970, what it counts in a second; nought of a pattern of day, month and year."""

    def read(self, value: object, nao_depois_de: str) -> str | None:
        """The ISO date that a text or whole number writes by the pattern; None where it does not, or no calendar has the day.

        A year of two figures is the latest whose date is not after `nao_depois_de` (ISO).
        """
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or len(value) > _LONGEST_VALUE:
            return None
        match = self.expressao.fullmatch(_folded(value))
        if match is not None and self.por_segundo:
            return _day_of_epoch(int(match[0]) / self.por_segundo)
        return None if match is None else _date_of(match, nao_depois_de)


def day_in_brasilia(value: object) -> str | None:
    """The ISO date in Brasília of an ISO instant with its offset; None for any other value. Midnight to the second is a day as written.

    Systems that hold a day alone write it as its first instant.
    """
    if not isinstance(value, str) or len(value) > _LONGEST_VALUE or "T" not in value:
        return None
    try:
        instant = datetime.fromisoformat(value.strip())
        if instant.tzinfo is None:
            return None
        local = instant if instant.timetz().replace(tzinfo=None) == time() else instant.astimezone(_BRASILIA)
    except (ValueError, OverflowError):
        return None
    return _iso(calendar_date(local.year, local.month, local.day))


@lru_cache(maxsize=256)
def compile_formato(texto: str) -> FormatoDeData:
    """The pattern that a text writes, `epoch` and `epoch_ms` too.

    Raises `FormatoRecusado` where it has no day, month and year, or a symbol that is not read.
    """
    if len(texto) > LONGEST_PATTERN:
        raise FormatoRecusado(f"o formato passa de {LONGEST_PATTERN} caracteres", LONGEST_PATTERN + 1)
    if (por_segundo := _EPOCHS.get(texto, 0)) != 0:
        return FormatoDeData(texto, _EPOCH, por_segundo)
    parts: list[str] = []
    seen: set[str] = set()
    tokens = _tokens(texto)
    for at, (posicao, escrito, literal) in enumerate(tokens):
        if literal:
            parts.append(_literal(escrito))
            continue
        beside = [*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2]]
        parts.append(_symbol(escrito, posicao, seen, packed=any(not one[2] for one in beside)))
    missing = [palavra for simbolo, palavra in _PARTES if simbolo not in seen]
    if missing:
        raise FormatoRecusado(f"falta {' e '.join(missing)} no formato; escreva, por exemplo, `dd/MM/yyyy`", 1)
    return FormatoDeData(texto, re.compile("".join(parts), re.ASCII))


def _tokens(texto: str) -> list[tuple[int, str, bool]]:
    """Each part of a pattern with its place, from 1, and whether it stands for itself."""
    found: list[tuple[int, str, bool]] = []
    at = 0
    while at < len(texto):
        char = texto[at]
        if char == "'":
            end = at + 1
            literal = ""
            while end < len(texto):
                if texto[end] != "'":
                    literal += texto[end]
                    end += 1
                elif texto[end : end + 2] == "''":
                    literal += "'"
                    end += 2
                else:
                    break
            if end >= len(texto) and texto[at : at + 2] != "''":
                raise FormatoRecusado("há aspas simples que não fecham", at + 1)
            if texto[at : at + 2] == "''":
                found.append((at + 1, "'", True))
                at += 2
                continue
            found.append((at + 1, literal, True))
            at = end + 1
        elif char.isascii() and char.isalpha():
            run = next(len(list(same)) for _, same in groupby(texto[at:]))
            found.append((at + 1, char * run, False))
            at += run
        else:
            found.append((at + 1, char, True))
            at += 1
    return found


def _literal(escrito: str) -> str:
    folded = _folded(escrito) if escrito.strip() else " "
    return re.sub(r"(?:\\ )+", r"\\s+", re.escape(folded)) if escrito.strip() == escrito else _spaced(escrito)


def _spaced(escrito: str) -> str:
    """A literal with blanks at its ends, which `_folded` would lose."""
    inner = re.escape(without_accents(escrito.strip()).lower())
    before, after = ("\\s+" if escrito[:1].isspace() else ""), ("\\s+" if escrito[-1:].isspace() and escrito.strip() else "")
    return before + re.sub(r"(?:\\ )+", r"\\s+", inner) + after


def _symbol(escrito: str, posicao: int, seen: set[str], *, packed: bool) -> str:
    """The expression of a symbol; one that stands beside no other may lack its leading nought, as people leave it out."""
    letter, size = escrito[0], len(escrito)
    one = {"L": "M", "u": "y"}.get(letter, letter)
    if one in "dMy" and one in seen:
        raise FormatoRecusado(f"`{escrito}` repete uma parte da data; texto que não é data vai entre aspas simples, como `'de'`", posicao)
    expression = _date_symbol(one, size, packed) or _other_symbol(letter, size)
    if not expression:
        raise FormatoRecusado(
            f"`{escrito}` não é um símbolo de data que se leia aqui (são {_READ}); texto vai entre aspas simples, como `'de'`", posicao
        )
    seen.add(one)
    return expression


def _date_symbol(letter: str, size: int, packed: bool) -> str:
    if letter == "d" and size <= 2:
        return r"(?P<dia>\d{2})" if size == 2 and packed else r"(?P<dia>\d{1,2})"
    if letter == "M" and size <= 2:
        return r"(?P<mes>\d{2})" if size == 2 and packed else r"(?P<mes>\d{1,2})"
    if letter == "M" and size == 3:
        return rf"(?P<nome>{_MESES_CURTOS})\.?"
    if letter == "M" and size == 4:
        return rf"(?P<nome>{_MESES})"
    if letter == "y" and size in (1, 2, 4):
        return r"(?P<ano>\d{2})" if size == 2 else r"(?P<ano>\d{4})"
    return ""


def _other_symbol(letter: str, size: int) -> str:
    if letter in _SYMBOLS and size <= 2:
        return _SYMBOLS[letter][size - 1]
    if letter == "S" and size <= 9:
        return rf"\d{{{size}}}"
    if letter in "Eec" and size <= 4:
        return _DIAS
    if letter == "a" and size == 1:
        return r"(?:am|pm|a\.m\.|p\.m\.)"
    return f"(?:{_FUSO})" if letter in "zZXx" and size <= 5 else ""


def _folded(value: str) -> str:
    return " ".join(without_accents(value).lower().split())


def _date_of(match: re.Match[str], nao_depois_de: str) -> str | None:
    named = match.groupdict()
    mes = int(named["mes"]) if named.get("mes") else month_in(named["nome"]) or 0
    dia, ano = int(match["dia"]), int(match["ano"])
    if len(match["ano"]) == 4:
        return _iso(calendar_date(ano, mes, dia))
    recent = _iso(calendar_date(2000 + ano, mes, dia))
    return recent if recent is not None and recent <= nao_depois_de else _iso(calendar_date(1900 + ano, mes, dia))


def _day_of_epoch(seconds: float) -> str | None:
    """The day in Brasília of an instant; midnight to the second in UTC is a day as it was counted."""
    try:
        instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        local = instant if instant.timetz().replace(tzinfo=None) == time() else instant.astimezone(_BRASILIA)
    except OverflowError:
        return None
    return _iso(calendar_date(local.year, local.month, local.day))


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
