"""Dates in a Brazilian document, in whatever form, and what the words around say they are. Source: design, Habilitação.

A date takes the nearest role named before it on its line, or by the heading above it; a place before it makes it the day of issue.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final, Literal

from crivo.kernel.linguagem.datas_escritas import DATE, DataEscrita, find_written_dates, months_after
from crivo.kernel.linguagem.dobra import fold_in_place
from crivo.kernel.linguagem.numeros import WRITTEN_NUMBER, find_numeros
from crivo.triagem.edital import Value

Papel = Literal["emissao", "validade"]


class DataLida(Value, frozen=True):
    """A date, its role where the words around give one, and the passage, verbatim. A validity told in days counts from the day of issue."""

    data: date
    papel: Papel | None
    trecho: str


_CUES: Final[tuple[tuple[str, Papel | None], ...]] = (
    (r"(?:data|dia|local e data)\s+d[ea]\s+(?:emissao|expedicao|assinatura|lavratura)|emissao|expedicao", "emissao"),
    (r"\b(?:emitid|expedid|lavrad|assinad|firmad|datad|passad)[oa]s?\b|\bemitimos\b|\blocal e data\b|\bdata do documento\b", "emissao"),
    (r"\bvalid(?:ade|[oa]s?)\b|\bvenc(?:imento|e|era|ivel)\b|\bexpira(?:cao)?\b|\bvigen(?:te|cia)\b[^\n]{0,20}?\bate\b", "validade"),
    (r"\bgerad[oa]s?\s+em\b|\bdata\s+d[aeo]\s+(?:vistoria|inspecao|visita|laudo|parecer|relatorio|exame)\b", "emissao"),
    (r"\bvigencia\b(?=[^\n]{0,80}?\d\s{0,3}(?:a|ate|ao|-|–)\s{0,3}(?:o\s+dia\s+)?\d)", "validade"),
    (r"\bval(?:e|era|endo)\s+ate\b", "validade"),
    (r"\bnasc(?:iment|id)[oa]s?\b|\babertura\b|\bconstitu(?:icao|id[oa])\b|\bfunda(?:cao|d[oa])\b|\bcompetencia\b|\bperiodo\b", None),
    (r"\blei\b|\bdecreto\b|\bportaria\b|\bresolucao\b|\binicio\b|\btermino\b|\binscric(?:ao|oes)\b|\bsituacao cadastral\b", None),
    (r"\bleitura\b|\breferencia\b|\badmissao\b|\bconsulta(?:d[oa])?\b|\bimpress[oa]o?\b|\bpublicad[oa]\b|\batualizad[oa]\b", None),
)
_CUE: Final = re.compile("|".join(f"(?P<c{index}>{pattern})" for index, (pattern, _) in enumerate(_CUES)))
_LONGEST_GAP: Final = 48  # letters between a role and its date
_LONGEST_HEADING: Final = 160
_RANGE: Final = re.compile(r"\s*(?:a|ate|à|-|–)\s*(?:o\s+dia\s+)?")
_PLACE: Final = re.compile(
    r"(?:^|\n|[.;:]\s)[ \t]*[A-ZÀ-Ý][\wÀ-ÿ'’-]*(?:[ \t]+(?:d[aeo]s?[ \t]+)?[A-ZÀ-Ý][\wÀ-ÿ'’-]*){0,6}"
    r"(?:[ \t]*[-–/(][ \t]*[A-Z]{2}\)?)?[ \t]*,[ \t]*(?:em[ \t]+|aos[ \t]+|dia[ \t]+)?$"
)
_AFTER: Final = re.compile(r"[ \t]*[(–-]?[ \t]*(?:data\s+d[ea]\s+)?(emissao|expedicao|validade|vencimento)\b(?![^\n]{0,12}\d)")
_TERM: Final = re.compile(
    rf"\b(?:valid(?:ade|[oa]s?)|val(?:e|era|endo)\s+por)\b[^\n.;]{{0,30}}?\s*(?<!\w)(?P<count>\d{{1,4}}|{WRITTEN_NUMBER})\s*(?:\([^)\n]{{1,60}}\))?\s*"
    r"(?P<unit>dias?|mes(?:es)?|anos?)\b"
)
_LONGEST_TERM: Final = {"d": 3660, "m": 120, "a": 10}  # by the first letter of the unit


def find_datas(texto: str) -> tuple[DataLida, ...]:
    """Every date of a text, in the order in which they stand; what no calendar has is passed over."""
    plain = fold_in_place(texto)
    written = tuple(find_written_dates(plain))
    cues = [(match.start(), match.end(), _role(match)) for match in _CUE.finditer(plain)]
    found: list[tuple[int, DataLida]] = []
    for index, one in enumerate(written):
        papel = _papel(texto, plain, one, written[:index], cues)
        if index + 1 < len(written) and papel == "validade" and _RANGE.fullmatch(plain, one.end, written[index + 1].start):
            papel = None  # the first day of a stretch
        found.append((one.start, DataLida(one.data, papel, _passage(texto, one.start, one.end))))
    issued = [(start, lida.data) for start, lida in found if lida.papel == "emissao"]
    found += _terms(texto, plain, issued)
    return tuple(lida for _, lida in sorted(found, key=lambda item: item[0]))


def _role(match: re.Match[str]) -> Papel | None:
    return next(papel for index, (_, papel) in enumerate(_CUES) if match[f"c{index}"])


def _papel(
    texto: str, plain: str, one: DataEscrita, earlier: Sequence[DataEscrita], cues: Sequence[tuple[int, int, Papel | None]]
) -> Papel | None:
    start = one.start
    line = plain.rfind("\n", 0, start) + 1
    before = bisect_right(cues, start, key=lambda cue: cue[1]) - 1
    previous = earlier[-1] if earlier else None
    if before >= 0 and cues[before][0] >= line and start - cues[before][1] <= _LONGEST_GAP:
        between = previous is not None and previous.start >= cues[before][1]
        if not between or (previous is not None and _RANGE.fullmatch(plain, previous.end, start)):
            return cues[before][2]
    after = _AFTER.match(plain, one.end)
    if after is not None:
        return "emissao" if after[1] in {"emissao", "expedicao"} else "validade"
    if _PLACE.search(texto[max(0, start - 120) : start]):
        return "emissao"
    return _under_heading(plain, line, [other for other in earlier if other.start >= line], cues)


def _under_heading(plain: str, line: int, same_line: Sequence[DataEscrita], cues: Sequence[tuple[int, int, Papel | None]]) -> Papel | None:
    """The role in the line above that stands as far along in it as the date in its own, where that line has no date of its own."""
    end = len(plain[:line].rstrip())
    start = plain.rfind("\n", 0, end) + 1
    heading = [papel for begin, finish, papel in cues if start <= begin and finish <= end]
    if end - start > _LONGEST_HEADING or DATE.search(plain, start, end) or not heading:
        return None
    own = line + len(plain[line:].partition("\n")[0])
    dates = len(DATE.findall(plain, line, own))
    if dates == 1:
        return heading[-1]
    return heading[len(same_line)] if dates == len(heading) else None


def _terms(texto: str, plain: str, issued: Sequence[tuple[int, date]]) -> Iterator[tuple[int, DataLida]]:
    for match in _TERM.finditer(plain):
        if not issued:
            return
        nearest = min(issued, key=lambda item: abs(item[0] - match.start()))[1]
        count = int(find_numeros(match["count"])[0].value)
        if 0 < count <= _LONGEST_TERM[match["unit"][0]]:
            last = _after(nearest, count, match["unit"][0])
            yield match.start(), DataLida(last, "validade", _passage(texto, match.start(), match.end()))


def _after(day: date, count: int, unit: str) -> date:
    return day + timedelta(days=count) if unit == "d" else months_after(day, count * (12 if unit == "a" else 1))


def _passage(texto: str, start: int, end: int) -> str:
    """The line of a date, or what of it is around the date."""
    line = texto.rfind("\n", 0, start) + 1
    stop = texto.find("\n", end)
    return texto[max(line, start - 80) : min(len(texto) if stop < 0 else stop, end + 40)].strip()
