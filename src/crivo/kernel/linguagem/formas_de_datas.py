"""The forms in which a date is written, as regular expressions over folded text."""

from __future__ import annotations

import re
from typing import Final

from crivo.kernel.linguagem.lexico import PALAVRAS, any_of
from crivo.kernel.linguagem.numeros import find_numbers

_MONTH: Final = rf"(?:{any_of(PALAVRAS.meses)}|(?:{any_of(PALAVRAS.meses_abreviados)})\b\.?)"
_SMALL: Final = {word for word, value in {**PALAVRAS.unidades, **PALAVRAS.unidades_so_em_espanhol}.items() if value}
_WRITTEN: Final = (
    rf"(?:(?:vinte|veinte|trinta|treinta|twenty|thirty)(?:(?:\s+(?:e|y)\s+|-|\s+)(?:{any_of(word for word in _SMALL if len(word) < 8)}))?"
    rf"|{any_of(_SMALL)}|{any_of(PALAVRAS.ordinais)})\b"
)
_ORDINAL: Final = r"(?:st|nd|rd|th|o)?\b"
_DAY: Final = rf"(?:\d{{1,2}}{_ORDINAL}|{_WRITTEN})"
_ENGLISH_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_ENGLISH_DAY: Final = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\b|(?:{any_of(word for word in PALAVRAS.ordinais if word[-1] in 'htd')})\b)"
_YEAR: Final = r"(?:(?:,?\s*(?:de|del|do ano de)?\s*|\s*/\s*)(?P<year>20\d\d|19\d\d))?(?!\d)"
_AND: Final = r"\s*(?:,(?:\s*(?:e|y|and|ou|or|o)\b)?|&|\b(?:e|y|and|ou|or|o)\b)\s*"
_DAYS_AT_MOST: Final = 31  # of a month; a longer list is of something else, and is read no further
_NO_FIGURE: Final = r"(?<![\w/.,:-])"
_NO_DOSE: Final = r"(?!\s*(?:h\b|hs\b|hora|hour|comp|caps|cp\b|colher|dose|tab|pill|past))"

ISO: Final = re.compile(r"(?<![\d/.-])(?P<year>20\d\d|19\d\d)[-/](?P<month>\d{2})[-/](?P<day>\d{2})(?!\d)")
NUMERIC: Final = (
    re.compile(
        rf"(?<![\w/.,:-])(?:dia\s+)?(?P<day>\d{{1,2}})\s?/\s?(?P<month>\d{{1,2}})(?:\s?/\s?(?P<year>\d{{4}}|\d{{2}}))?(?![\d/]|"
        rf"-\d){_NO_DOSE}"
    ),
    re.compile(r"(?<![\w/.,:-])(?P<day>\d{1,2})(?P<sep>[.-])(?P<month>\d{1,2})(?P=sep)(?P<year>\d{4}|\d{2})(?![\d/-])"),
    re.compile(r"\bdia\s+(?P<day>\d{1,2})(?:[.-]|\s+do\s+(?:mes\s+)?)(?P<month>\d{1,2})(?P<year>)(?![\d/-]|\s*h\b)"),
)
MONTH_SIGN: Final = re.compile(rf"(?<![a-z])(?:{any_of(PALAVRAS.meses)}|(?:{any_of(PALAVRAS.meses_abreviados)})\b)")
"""What a text must hold for a date with the month by name to be found in it; looked for first, since those look long."""
SLASH_LIST_SIGN: Final = re.compile(
    r"\d(?:st|nd|rd|th|o)?\s*(?:,|&|\b(?:e|y|o|ou|or|and)\b)\s*(?:(?:e|y|o|ou|or|and|dia|el|no)\s+)*[\w-]+\s?/"
)
"""The same for a list of days before `/07`."""
LISTED_DAY: Final = re.compile(rf"(?<!\w){_DAY}")
_LIST: Final = rf"(?P<days>{_DAY}(?:{_AND}(?:dia\s+|el\s+|no\s+dia\s+)?{_DAY}){{1,{_DAYS_AT_MOST}}}+)"
LISTS_OF_A_MONTH: Final = (
    re.compile(rf"{_NO_FIGURE}(?:(?:dias|os dias|nos dias)\s+)?{_LIST}\s+(?:de\s+|of\s+)?(?P<month>{_MONTH})(?!\w){_YEAR}"),
    re.compile(
        rf"\b(?P<month>{_ENGLISH_MONTH})\s+(?P<days>{_ENGLISH_DAY}(?:{_AND}{_ENGLISH_DAY}){{1,{_DAYS_AT_MOST}}})(?!\s*(?:[:h]\s*\d|am\b|"
        rf"pm\b)){_YEAR}"
    ),
)
SLASH_LIST: Final = re.compile(rf"{_NO_FIGURE}(?:dias\s+)?{_LIST}\s?/\s?(?P<month>\d{{1,2}})(?![\d/])(?P<year>)")
BARE_LISTS: Final = (
    re.compile(rf"\bdias\s+{_LIST}(?!\s*(?:[:h]\s*\d|h\b|horas|\d))(?P<month>)(?P<year>)"),
    re.compile(
        rf"\bdia\s+(?P<days>{_DAY}\s+(?:e|ou|y|o|or)\s+(?:o\s+|el\s+|no\s+)?(?:dia\s+)?{_DAY})(?=\s*(?:[.,;:!?)-]|$|as\b|a\s+las|com\b|"
        rf"con\b|de\s+manha|a\s+tarde))"
        r"(?P<month>)(?P<year>)"
    ),
)
NAMED: Final = re.compile(
    rf"{_NO_FIGURE}(?:dia\s+)?(?P<day>{_DAY})(?:\s+(?:dias?\s+)?(?:de|do|del|of)\s+|\s*[-/]\s*|"
    rf"(?<=[\dhd])\s+)(?P<month>{_MONTH})(?!\w){_YEAR}"
)
ENGLISH: Final = re.compile(rf"\b(?P<month>{_ENGLISH_MONTH})\s+(?:the\s+)?(?P<day>{_ENGLISH_DAY})(?!\s*(?:[:h]\d|am\b|pm\b|de\b)){_YEAR}")
_NO_HOUR: Final = r"(?![\d/h]|:\d|\s*%|[.,]\d)"
_PLACES_AT_MOST: Final = 15  # an ordinal up to it may be a place in a list; one above it is a day
_ORDINALS: Final = any_of(word for word in PALAVRAS.ordinais if word[-1] in "htd")
_ORDINAL_DAY: Final = any_of(word for word, value in PALAVRAS.ordinais.items() if value > _PLACES_AT_MOST)
DAYS: Final = (
    re.compile(rf"\bdia\s+(?P<day>{_DAY}){_NO_HOUR}"),
    re.compile(rf"\b(?:on\s+)?the\s+(?P<day>\d{{1,2}}(?:st|nd|rd|th)){_NO_HOUR}"),
    re.compile(rf"(?<!\w)el\s+(?P<day>\d{{1,2}}){_NO_HOUR}"),
    re.compile(rf"\b(?:on\s+)?the\s+(?P<day>{_ORDINAL_DAY})\b"),
    re.compile(rf"(?<=day)(?:,|\s)\s*the\s+(?P<day>{_ORDINALS})\b(?!\s+(?:one|option|slot|time))"),
)

_LONG: Final = any_of(PALAVRAS.dias_da_semana)
AFTER_WEEKDAY: Final = re.compile(
    rf"(?<!\w)(?P<weekday>{_LONG})(?:[\s-]+feira)?,?\s+(?P<day>\d{{1,2}}){_NO_HOUR}(?!\s*(?:hs?\b|horas?\b|[ap]\.?m|opc|vag|e\s+(?:meia|quinze|trinta|[0-5]\d)\b|"
    rf"de\s))"
)
_SHORT: Final = any_of(PALAVRAS.dias_da_semana_abreviados)
_MONTHISH: Final = rf"(?:dia\s*)?(?:\d|{any_of(PALAVRAS.meses)}|(?:{any_of(PALAVRAS.meses_abreviados)})\b)"
WEEKDAY: Final = re.compile(
    rf"(?<![\w])(?P<before>(?:proxim[oa]|next|el proximo)\s+)?"
    rf"(?:(?P<long>{_LONG})s?(?:[\s-]+feiras?)?(?!\w)"
    rf"|(?P<short>{_SHORT})(?=\.?[,)]?\s*[(-]?\s*{_MONTHISH}|\.?\s*\))\.?"
    rf"|(?P<number>[2-6])[ao]?[\s-]*feira)"
    rf"(?P<after>\s+(?:que\s+vem|que\s+viene|da\s+(?:proxima\s+semana|semana\s+que\s+vem)|proxim[ao]|seguinte|next\s+week|"
    rf"of\s+next\s+week))?"
)
ORDINAL_TOO: Final = frozenset({"segunda", "terca", "quarta", "quinta", "sexta"})
COUNTED: Final = re.compile(
    r"\s+(?:opc|vez|via|alternativa|parte|linha|vaga|consulta\b|sessao|tentativa|clinica|pessoa|etapa|data|possibilidade)"
)
WEEK: Final = re.compile(
    r"\b(?:(?P<next>(?:n?a\s+)?(?:proxima\s+semana|semana\s+que\s+(?:vem|viene)|semana\s+proxima|outra\s+semana|semana\s+seguinte)|"
    r"next\s+week)"
    r"|(?:[dn]?essa|[dn]?esta|this|da)\s+(?:mesma\s+)?(?:semana|week)(?P<next_too>\s+que\s+vem)?)\b"
)
MONTH: Final = re.compile(
    rf"\b(?:(?P<next>(?:no\s+)?(?:mes\s+que\s+(?:vem|viene)|proximo\s+mes|proximo\s+mes)|next\s+month)|(?:n?este|n?esse|this)\s+(?:mes|"
    rf"month)"
    rf"|(?:em|en|in|de|of|mes\s+de)\s+(?P<month>{any_of(PALAVRAS.meses)})(?!\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\b))\b"
)
RELATIVE: Final = re.compile(rf"(?<!\w)(?:{any_of(PALAVRAS.relativos)})(?!\w)")
OF_THE_MORNING: Final = re.compile(r"(?:\b(?:la|de|esta)\s+)$")
IN_SOME_DAYS: Final = re.compile(
    rf"\b(?:daqui\s+(?:a\s+)?|dentro\s+de\s+|in\s+|en\s+|em\s+)(?P<count>\d{{1,2}}|{_WRITTEN})\s+(?P<unit>dias?|semanas?|days?|weeks?)\b"
)
GAP: Final = re.compile(r"[\s,(:-]*(?:(?:no|do|de|o|the|el|da|on|dia|uma|um|un|una|a|is)\s+)*[\s(]*")


def day_in(written: str | None) -> int | None:
    """The number of a day written `18`, `1o`, `18th`, `dezoito` or `twenty-first`."""
    if not written:
        return None
    figures = re.match(r"\d+", written)
    if figures:
        return int(figures.group())
    if written in PALAVRAS.ordinais:
        return PALAVRAS.ordinais[written]
    numbers = find_numbers(written)
    if numbers:
        return int(numbers[0].value)
    return PALAVRAS.unidades_so_em_espanhol.get(written)
