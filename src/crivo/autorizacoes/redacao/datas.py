"""Dates in a text, in every form, and whether each is an input. Fault `data`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

import msgspec

from crivo.autorizacoes.redacao.fatos import Fatos, as_date
from crivo.kernel.linguagem.numeros import find_numeros
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.kernel.linguagem.meses import MESES

_MONTH: Final = rf"(?P<month>{'|'.join(MESES)}|(?:{'|'.join(name[:3] for name in MESES)})\b\.?)"
_WEEKDAYS: Final = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_WEEKDAY: Final = rf"(?:(?P<weekday>{'|'.join(_WEEKDAYS[:5])})(?:-| )feira|(?P<weekend>sabado|domingo))"
_ISO: Final = re.compile(r"(?<![\w/.-])(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?:t[\d:.+z-]+)?(?![\w/])")
_FIGURES: Final = re.compile(
    r"(?<![\w/.,-])(?P<day>\d{1,2})[ºo°]?\s?(?P<mark>[/.-])\s?(?P<month>\d{1,2})\s?(?P=mark)\s?(?P<year>\d{4}|\d{2})(?![\w/]|[.-]\d)"
)
_SHORT: Final = re.compile(r"(?<![\w/.,-])(?P<day>\d{1,2})[ºo°]?/(?P<month>\d{1,2})(?![\w/%])")
_MONTH_YEAR: Final = re.compile(r"(?<![\w/.,-])(?P<month>\d{1,2})/(?P<year>\d{4})(?![\w/])")
_WRITTEN: Final = re.compile(
    rf"(?<!\w)(?P<day>\d{{1,2}}\s?[ºª°]?|1o|primeiro|[a-z]+(?: e [a-z]+)?)\s+(?:dia\s+)?de\s+{_MONTH}(?!\w)(?:\s*(?:de|"
    rf"/|,)\s*(?P<year>\d{{4}}|\d{{2}})(?!\w))?"
)
_MONTH_NAMED: Final = re.compile(rf"(?<!\w){_MONTH}(?!\w)(?:\s*(?:de|/)\s*(?P<year>\d{{4}})(?!\w))?")
_DAY_ALONE: Final = re.compile(r"(?<!\w)(?<!por )(?<!cada )(?<!um )(?<!ao )dia\s+(?P<day>\d{1,2})(?![\w/-]|[.,]\d)(?!\s*(?:de|d[oa]s?)\s)")
_YEAR_ALONE: Final = re.compile(r"(?<!\w)(?:em|de|desde|ate|ano)\s+(?P<year>(?:19|20)\d{2})(?![\w/-]|\.\d)")
_WEEKDAY_NAMED: Final = re.compile(rf"(?<!\w){_WEEKDAY}(?!\w)")
# Short names of weekdays, which are ordinals too, where only a day can stand.
_WEEKDAY_SHORT: Final = re.compile(
    r"(?<!\w)(?:(?:(?:n?a|ate|ate a|para|para a|pela|da|desta|nesta) )?proxima|ate|nesta|desta|ness?a|essa|toda) "
    r"(?P<weekday>segunda|terca|quarta|quinta|sexta)(?=\s*(?:$|[,.;:!?)]|dia\b|que vem|as \d|de manha|a tarde|pela))"
)
_HOLIDAY: Final = re.compile(
    r"(?<!\w)(?:(?<!pre-)(?<!pre )natal|reveillon|carnaval|pascoa|quarta-feira de cinzas|corpus christi|ano novo|"
    r"dia d[ao]s? (?:maes|pais|criancas|trabalho|consciencia negra|independencia)|"
    r"feriado|(?:primeir|segund|terceir|quart|ultim|proxim)[oa] (?:semestre|trimestre|bimestre|quinzena)|"
    r"(?:inicio|comeco|metade|meados) d[oe] (?:ano|mes))(?!\w)"
)
_RELATIVE: Final = re.compile(
    r"(?<!\w)(?:depois de amanha|amanha(?! (?:de|seguinte))|ontem|anteontem|(?:n?[ao]|d[ao]|pel[ao])?\s?(?:proxim[ao]|"
    r"ultim[ao])\s+(?:semana|mes|ano|quinzena|dia)"
    r"|(?:n?[ao]\s+)?(?:semana|mes|ano)\s+(?:que vem|seguinte|passad[ao]|proxim[ao])|fim (?:de semana|do (?:mes|ano))|"
    r"final (?:do|deste) (?:mes|ano)"
    r"|(?:nest[ae]|ess[ae]|est[ae]|dest[ae]) (?:semana|mes|ano|quinzena))(?!\w)"
)
_EXAMPLE: Final = re.compile(r"(?:\bcomo|por exemplo,?|ex\.:?|exemplo:|formato)\s*$")
_ROLES: Final = (
    (re.compile(r"\bprevist\w*(?:\s+para|\s+em)?[^.;\n]{0,12}$"), "prevista"),
    (
        re.compile(
            r"\b(?:data do pedido|pedido (?:feito|de|em|do dia)|pedid[oa]s? em|solicitad\w+ em|(?:pediu|solicitou) em)[^.;\n\d]{0,8}$"
        ),
        "pedido",
    ),
    (re.compile(r"\b(?:vigente|vigencia|em vigor)\b[^.;\n]{0,30}$"), "vigencia"),
    (
        re.compile(r"\b(?:val(?:e|em|ida|idas|idade|er)|expira|vence|usar|usad[ao]s?|utiliz\w+)\b[^.;,\n]{0,25}\bate\b[^.;,\n\d]{0,12}$"),
        "validade",
    ),
)


class Data(msgspec.Struct, frozen=True):
    """A date as a text names it: any part may be missing; `impossivel` where it hangs on a today that nobody knows."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    impossivel: bool = False

    def fits(self, known: date) -> bool:
        """Whether every part that is named agrees."""
        year = self.year + 2000 if self.year is not None and self.year < 100 else self.year
        named = ((year, known.year), (self.month, known.month), (self.day, known.day), (self.weekday, known.weekday()))
        return not self.impossivel and all(told is None or told == own for told, own in named)


def find_datas(folded: str) -> tuple[Data, ...]:
    """Every date of a folded text in the order written: figures, words, months, weekdays, and those relative to today."""
    found: list[Data] = []
    taken: list[Span] = []
    for data in _readings(folded):
        if not any(data.start < end and start < data.end for start, end in taken):
            taken.append((data.start, data.end))
            found.append(data)
    return tuple(sorted(found, key=lambda data: data.start))


def check_datas(pagina: Pagina, folded: str, fatos: Fatos, datas: tuple[Data, ...]) -> Iterator[Achado]:
    """The dates that are no input, or are told as another than they are; `folded` has what may be said empty."""
    for data in datas:
        if _EXAMPLE.search(folded[: data.start]):
            continue
        if not any(data.fits(known) for known in _known(folded[: data.start], fatos)):
            yield Achado("data", pagina.quote((data.start, data.end)), "esta data não está nos dados da decisão")


def _known(before: str, fatos: Fatos) -> frozenset[date]:
    """The dates that may stand after such words."""
    role = next((role for pattern, role in _ROLES if pattern.search(before)), None)
    fonte = fatos.fonte
    match role:
        case "prevista":
            told: tuple[str | None, ...] = (fatos.insumos.datas.data_prevista,)
        case "pedido":
            told = (fatos.insumos.datas.data_pedido,)
        case "vigencia":
            told = (fonte.vigencia_inicio, fonte.vigencia_fim) if fonte else ()
        case "validade":
            # The document says for how many days, and not from which: no last day follows from it.
            told = ()
        case _:
            return fatos.datas
    return frozenset(day for raw in told if (day := as_date(raw)))


def _readings(folded: str) -> Iterator[Data]:
    """Candidates, the fullest forms first."""
    for pattern in (_ISO, _FIGURES):
        yield from (_data(match, _int(match["year"]), int(match["month"]), int(match["day"])) for match in pattern.finditer(folded))
    yield from _written(folded)
    yield from (_data(match, int(match["year"]), int(match["month"])) for match in _MONTH_YEAR.finditer(folded))
    for match in _SHORT.finditer(folded):
        if 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31:
            yield _data(match, None, int(match["month"]), int(match["day"]))
    for match in _MONTH_NAMED.finditer(folded):
        if match["month"] in MESES:
            yield _data(match, _int(match["year"]), _month(match["month"]))
    yield from (_data(match, None, None, int(match["day"])) for match in _DAY_ALONE.finditer(folded))
    yield from (Data(*match.span("year"), year=int(match["year"])) for match in _YEAR_ALONE.finditer(folded))
    for match in _WEEKDAY_NAMED.finditer(folded):
        yield Data(*match.span(), weekday=_WEEKDAYS.index(match["weekday"] or match["weekend"]))
    yield from (Data(*match.span(), weekday=_WEEKDAYS.index(match["weekday"])) for match in _WEEKDAY_SHORT.finditer(folded))
    for pattern in (_RELATIVE, _HOLIDAY):
        yield from (Data(*match.span(), impossivel=True) for match in pattern.finditer(folded))


def _written(folded: str) -> Iterator[Data]:
    """Days of a named month: "12 de março de 2026", "primeiro de setembro"."""
    for match in _WRITTEN.finditer(folded):
        day = _day_in_words(match["day"])
        if day is not None:
            yield _data(match, _int(match["year"]), _month(match["month"]), day)


def _int(figures: str | None) -> int | None:
    return int(figures) if figures else None


def _data(match: re.Match[str], year: int | None, month: int | None, day: int | None = None) -> Data:
    return Data(*match.span(), year, month, day)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MESES, 1) if month.startswith(name[:3]))


def _day_in_words(text: str) -> int | None:
    """The day of `12`, `1º`, `primeiro`, `vinte e três`; None where the words are no number."""
    digits = re.match(r"\d{1,2}", text)
    if digits:
        return int(digits.group())
    if text == "primeiro":
        return 1
    numeros = find_numeros(text)
    whole = len(numeros) == 1 and numeros[0].start == 0 and numeros[0].end == len(text)
    return int(numeros[0].value) if whole else None
