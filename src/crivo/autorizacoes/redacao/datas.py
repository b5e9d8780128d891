"""Dates in a text, and whether each is an input. Fault `data`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

import msgspec

from crivo.autorizacoes.redacao.fatos import Fatos, as_date
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.meses import MESES
from crivo.kernel.linguagem.numeros import find_numeros

_WEEKDAYS: Final = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_MONTH: Final = rf"(?P<month>{'|'.join(MESES)}|(?:{'|'.join(name[:3] for name in MESES)})\b\.?)"
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
# What a date is said to be, by the words before it (`data_*` of the lexicon), in this order, and those that may stand there.
_PAPEIS: Final = ("prevista", "do_pedido", "de_vigencia", "de_validade")


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
    for data in _readings(folded):
        if not any(data.start < other.end and other.start < data.end for other in found):
            found.append(data)
    return tuple(sorted(found, key=lambda data: data.start))


def check_datas(pagina: Pagina, folded: str, fatos: Fatos, datas: tuple[Data, ...]) -> Iterator[Achado]:
    """The dates that are no input, or are told as another than they are; `folded` has what may be said empty."""
    for data in datas:
        before = folded[: data.start]
        if not LEXICO.ends("por_exemplo", before) and not any(data.fits(known) for known in _known(before, fatos)):
            yield Achado("data", pagina.quote((data.start, data.end)), "esta data não está nos dados da decisão")


def _known(before: str, fatos: Fatos) -> frozenset[date]:
    """The dates that may stand after such words."""
    fonte = fatos.fonte
    match next((papel for papel in _PAPEIS if LEXICO.ends(f"data_{papel}", before)), None):
        case "prevista":
            told: tuple[str | None, ...] = (fatos.insumos.datas.data_prevista,)
        case "do_pedido":
            told = (fatos.insumos.datas.data_pedido,)
        case "de_vigencia":
            told = (fonte.vigencia_inicio, fonte.vigencia_fim) if fonte else ()
        case "de_validade":
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
    named = [*LEXICO.find("dia_da_semana", folded)]
    named += [match for match in LEXICO.find("dia_da_semana_ou_ordinal", folded) if _is_no_ordinal(folded, match.end())]
    for match in named:
        yield Data(*match.span(), weekday=next(at for at, name in enumerate(_WEEKDAYS) if name in match.group()))
    yield from (Data(*match.span(), impossivel=True) for match in LEXICO.find("dia_de_hoje_em_diante", folded))


def _written(folded: str) -> Iterator[Data]:
    """Days of a named month: "12 de março de 2026", "primeiro de setembro"."""
    for match in _WRITTEN.finditer(folded):
        day = _day_in_words(match["day"])
        if day is not None:
            yield _data(match, _int(match["year"]), _month(match["month"]), day)


def _is_no_ordinal(folded: str, end: int) -> bool:
    """Whether "segunda" and the like stand for the day: nothing follows that may be counted."""
    return not folded[end:].lstrip(" ")[:1].isalpha() or LEXICO.begins("depois_do_dia", folded, end) is not None


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
