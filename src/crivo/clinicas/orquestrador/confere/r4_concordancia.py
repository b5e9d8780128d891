"""R4: every slot, doctor, clinic, date, weekday and time of a text is in the data. Source: design, the verifier's fourth rule."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from itertools import product
from operator import attrgetter
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.confere import afirmacoes, cobertura
from crivo.clinicas.orquestrador.confere.mencoes import Kind, Mention, Reading, find_mentions
from crivo.clinicas.orquestrador.entende.clausulas import REMEMBERED, Page, Segment
from crivo.clinicas.orquestrador.fatos import Fact, Fatos
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.folego import check

_SEARCH: Final = re.compile(
    r"\b(?:procur|verific|busc|olh(?:e|ar|o)\b|consult(?:e|ar)\b|pesquis|check|look|search|see if|another|outr[oa]s?\b|otr[oa]s?\b|"
    r"tente|tentar|avis|prefere|prefer|seria\b|quis dizer|did you mean|se refere|quiso decir|qual d|which)"
)
_CLARIFIES: Final = re.compile(
    r"\b(?:ja passou|ja passaram|passad[oa]\b|nao existe|invalid|cai (?:em|num|numa|no|na)|caem|nao (?:bate|confere|corresponde|"
    r"combina)|does not exist|doesn't exist|in the past|falls on|no existe|ya paso|cae en|voce (?:disse|pediu|falou|mencionou)|pediu|"
    r"you (?:said|asked)|entendi)\b"
)
_ORDER: Final[tuple[Kind, ...]] = ("date", "doctor", "clinic")
_ORDERS: Final[tuple[dict[Kind, str], ...]] = tuple(
    dict(zip(_ORDER, comes, strict=True)) for comes in product(("before", "after"), repeat=len(_ORDER))
)
_COARSER: Final[tuple[tuple[Kind, tuple[Kind, ...]], ...]] = (("date", ("doctor", "clinic")), ("doctor", ("clinic",)), ("clinic", ()))


class Leitura(msgspec.Struct, frozen=True):
    """A text read against the data: its mentions, the readings of each sentence, and the mentions that stand free of the data."""

    mentions: tuple[Mention, ...]
    exempt: frozenset[int]
    readings: tuple[tuple[tuple[int, int], tuple[Reading, ...]], ...]


def breaches(page: Page, fatos: Fatos, leitura: Leitura) -> Iterator[str]:
    """What of R4 a text breaks, each as a short pt-BR reason."""
    yield from _unfounded(leitura, fatos)
    yield from _false_denials(page, leitura, fatos)
    yield from afirmacoes.breaches(page, fatos, leitura.mentions, leitura.readings)
    yield from cobertura.breaches(page, fatos, leitura.mentions, leitura.readings)


def read(page: Page, fatos: Fatos, registro: Registro, now: datetime) -> Leitura:
    """Put together what belongs together, sentence by sentence, each sentence in the way that agrees best with the data."""
    mentions = tuple(find_mentions(page, fatos, registro, now))
    exempt = frozenset(index for index, mention in enumerate(mentions) if _is_exempt(page, mention, mentions, fatos))
    pool = _Pool(fatos.all_slots)
    context: dict[Kind, Mention] = {}
    readings = []
    for start, end in _stretches(page):
        check()
        inside = [mention for index, mention in enumerate(mentions) if start <= mention.start < end and index not in exempt]
        unsaid = [mention for mention in inside if not _is_echo(page, mention, fatos)]
        found = _of_sentence(inside, page, (start, end), context, pool)
        if len(unsaid) < len(inside) and not all(reading.facts for reading in found):
            inside = unsaid
            found = _of_sentence(inside, page, (start, end), context, pool)
        readings.append(((start, end), found))
        _carry([mention for mention in mentions if start <= mention.start < end and (mention in inside or _heads(mention))], context)
    return Leitura(mentions, exempt, tuple(readings))


_NUMBERED: Final = re.compile(r"^[^\S\n]*\d{1,3}\)\s.*$", re.MULTILINE)


def _stretches(page: Page) -> list[tuple[int, int]]:
    """The sentences, but those of one numbered line together: they tell of one slot, whatever marks stand between its parts."""
    lines = [match.span() for match in _NUMBERED.finditer(page.text)]
    told: list[tuple[int, int]] = []
    for start, end in page.sentences:
        if told and any(left <= told[-1][0] and start < right for left, right in lines):
            told[-1] = told[-1][0], end
        else:
            told.append((start, end))
    return told


def _of_sentence(
    inside: list[Mention], page: Page, span: tuple[int, int], context: dict[Kind, Mention], pool: _Pool
) -> tuple[Reading, ...]:
    """The readings of one sentence by these of its mentions."""
    carried = {} if afirmacoes.EARLIEST.search(page.text, *span) and _whole(inside) else context
    paired = _respectively(inside) if "respectiv" in page.text[slice(*span)] else {}
    return _best(inside, carried, pool, paired)


def _is_echo(page: Page, mention: Mention, fatos: Fatos) -> bool:
    """Whether a question only repeats what the person said: it is read with the rest where that is so, and else left out.

    Left out at once, a doctor that the person named would leave the hour beside them to the doctor of the sentence before.
    """
    segment = segment_at(page, mention.start)
    said = page.text[mention.start : mention.end]
    return segment is not None and segment.question and any(said in fold(one) for one in fatos.known.said)


def _whole(inside: list[Mention]) -> bool:
    """Whether a sentence has a date of its own, so that it need not lean on those before it."""
    return any(mention.kind == "date" for mention in inside)


def _heads(mention: Mention) -> bool:
    """Whether a day that alone would tell of no slot is one of those of the data, so that it may head a list of them: today."""
    return mention.kind == "date" and mention.elsewhere and bool(mention.values)


def _carry(inside: list[Mention], context: dict[Kind, Mention]) -> None:
    """What a sentence leaves for the next: what it named last of each kind, if it named no other of that kind."""
    if any(mention.kind == "clinic" for mention in inside) and not any(mention.kind == "time" for mention in inside):
        context.pop("doctor", None)
        context.pop("date", None)
    for kind in _ORDER:
        named = [mention for mention in inside if mention.kind == kind]
        if len({mention.values for mention in named}) == 1:
            context[kind] = named[-1]
        elif named:
            context.pop(kind, None)


def _respectively(inside: list[Mention]) -> dict[int, Mention]:
    """The date of each time where days and times are told apart, in the same order."""
    dates = [mention for mention in inside if mention.kind == "date"]
    times = [mention for mention in inside if mention.kind == "time"]
    return {time.start: day for time, day in zip(times, dates, strict=False)} if len(dates) == len(times) else {}


_start_of: Final = attrgetter("start")


def segment_at(page: Page, position: int) -> Segment | None:
    """The segment that holds a place of the folded text."""
    index = bisect_right(page.segments, position, key=_start_of) - 1
    return page.segments[index] if index >= 0 and position < page.segments[index].end else None


def _is_exempt(page: Page, mention: Mention, mentions: tuple[Mention, ...], fatos: Fatos) -> bool:
    if mention.bound or (mention.kind == "time" and _tells_no_hour(page, mention)):
        return True
    segment = segment_at(page, mention.start)
    if segment is None:
        return True
    aside = mention.kind == "date" and (_is_left_out(page, mention) or _speaks_of_birth(segment.text) or _is_limit(page, mention, fatos))
    if aside or (mention.kind == "date" and _told_elsewhere(page, mention, mentions, segment, fatos)):
        return True
    if segment.denied or segment.refused is not None or _clarifies(segment.text) or _is_no_slot(page, mention, mentions, segment, fatos):
        return True
    if segment.question and (not fatos.all_slots or _SEARCH.search(segment.text)):
        return True
    span = next((span for span in page.sentences if span[0] <= mention.start < span[1]), (segment.start, segment.end))
    if segment.hypothetical and (mention.kind == "clinic" or _SEARCH.search(segment.text)):
        return not any(other.kind == "time" and span[0] <= other.start < span[1] for other in mentions)
    if mention.kind == "doctor" and not mention.values and _is_said_back(page, mention, mentions, span, fatos):
        return True
    if mention.kind == "doctor" and not fatos.all_slots and _asks_which(page, mentions):
        return True
    if mention.loose:
        return _tells_no_slot(mention, [other for other in mentions if span[0] <= other.start < span[1]])
    return False


_OF_A_SPAN: Final = re.compile(r"(?:entre|das?|from|between)\s")
_A_SPAN: Final = re.compile(r"\b(?:entre|d[eao]s?|from|between|desde)\s(?:(?:as?|o|la|las|el|the)\s)?$")
_SPANNED: Final = re.compile(r"\s(?:e|y|and|a|as|ate|to|until|till|hasta)\s(?:(?:as?|o|la|las|el|the)\s)?")
_AN_OPTION: Final = re.compile(r"(?:(?:o|el|the)\s)?(?P<number>\d{1,2})")


def _is_no_slot(page: Page, mention: Mention, mentions: tuple[Mention, ...], segment: Segment, fatos: Fatos) -> bool:
    """Whether what reads like a day is an option's number, or an hour ends a span or is told as not booked yet."""
    if mention.kind == "date":
        return _is_an_option(page, mention, segment, fatos)
    return mention.kind == "time" and (_is_of_a_span(page, mention, mentions, fatos) or afirmacoes.still_to_do(segment, mention, fatos))


def _is_of_a_span(page: Page, mention: Mention, mentions: tuple[Mention, ...], fatos: Fatos) -> bool:
    """Whether an hour is an end of a span of which a sentence says how many slots lie in it, and all that are shown do."""
    start, end = next((one for one in page.sentences if one[0] <= mention.start < one[1]), (mention.start, mention.end))
    hours = [one for one in mentions if one.kind == "time" and start <= one.start < end]
    if len(hours) != 2 or not fatos.free or not afirmacoes.counts_slots(page.text[start:end]):
        return False
    first, last = hours
    led = _A_SPAN.search(page.text, start, first.start) or _OF_A_SPAN.match(page.text, first.start)
    if not led or not _SPANNED.fullmatch(_between(page, first, last)):
        return False
    return any(all(low <= fact.time <= high for fact in fatos.free) for low, high in product(first.values, last.values))


def _between(page: Page, first: Mention, last: Mention) -> str:
    """What stands between two hours, what the second takes for its own preposition included."""
    digit = next((place for place in range(last.start, last.end) if page.text[place].isdigit()), last.start)
    return page.text[first.end : digit]


def _is_an_option(page: Page, mention: Mention, segment: Segment, fatos: Fatos) -> bool:
    """Whether what reads like a day is the number of a slot that is shown: `¿le marco el 1?`."""
    told = _AN_OPTION.fullmatch(page.text[mention.start : mention.end])
    if told is None or mention.values or not segment.hypothetical or page.text[: mention.start].endswith("dia "):
        return False
    return 1 <= int(told["number"]) <= len(fatos.free)


def _tells_no_hour(page: Page, mention: Mention) -> bool:
    """Whether words like an hour tell how far two appointments are apart, or how many were booked."""
    counted = _COUNTS_ACTS.search(page.text[max(0, mention.start - 30) : mention.end])
    return counted is not None or _BETWEEN.match(page.text, mention.end) is not None


@lru_cache(maxsize=REMEMBERED)
def _clarifies(text: str) -> bool:
    return _CLARIFIES.search(text) is not None


# `marquei as duas` tells of two appointments, and of no hour.
_COUNTS_ACTS: Final = re.compile(
    r"\b(?:marquei|agendei|cancelei|desmarquei|remarquei|reagendei|reservei|confirmei|troquei|mudei|fiz|resolvi|marcamos|agendamos|"
    r"cancelamos|remarcamos|confirmamos|sao|foram|ficaram|estao)\s+(?:(?:ja|todas|sim)\s+)?as (?:duas|tres|quatro|cinco)$"
)
_OUT_AROUND: Final = (
    re.compile(r"\b(?:leaving|leave|left|deix\w+|dej\w+|tir\w+|ficou|ficam?|skip\w*|pul\w+)\s(?:(?:a|o|el|la|on|os|as|los)\s)*$"),
    re.compile(r"[\s\w-]{0,8}\b(?:de fora|fora|out|fuera|aside)\b"),
)
_LEFT_OUT: Final = re.compile(
    r"\b(?:(?:em outros dias, fora de|none exactly like that on|exactamente asi el)\s|(?:tirando|pulando|evitando|exceto|menos|sem ser|"
    r"sem|nada de|leaving out|left out|leave out|deix\w+ (?:de )?fora|dej\w+ fuera|(?:skip|avoid|exclu|pul)\w*|fora|"
    r"except(?:o|ing)?|without|other than|but not|salvo|sin)\s"
    r"(?:(?:a|as|o|os|na|nas|no|nos|de|da|das|do|dos|em|dia|dias|on|the|el|los|la|las)\s)*)$"
)


def _is_left_out(page: Page, mention: Mention) -> bool:
    """Whether a day is told as one that there is nothing on: `só em outros dias, fora de quinta-feira`."""
    before, after = _OUT_AROUND
    if before.search(page.text, max(0, mention.start - 40), mention.start) and after.match(page.text, mention.end):
        return True
    return _LEFT_OUT.search(page.text, max(0, mention.start - 40), mention.start) is not None


def _is_said_back(page: Page, mention: Mention, mentions: tuple[Mention, ...], span: tuple[int, int], fatos: Fatos) -> bool:
    """Whether a doctor that no data names is one whom the person named, and no day or hour is told beside them."""
    said = page.text[mention.start : mention.end]
    if not any(said in fold(one) for one in fatos.known.said):
        return False
    return not any(other.kind in {"date", "time"} and span[0] <= other.start < span[1] for other in mentions)


# An hour that tells how far two appointments are apart.
_BETWEEN: Final = re.compile(r"\s(?:entre|de intervalo|de diferenca|de distancia|between|apart|en between)\b")
_LIMIT: Final = re.compile(
    r"\b(?:depois|antes|a partir|ate|desde|apos|after|before|from|until|since|despues|hasta)\s"
    r"(?:(?:de|do|da|dia|o|a|el|del|the|on)\s)*$"
)


def _is_limit(page: Page, mention: Mention, fatos: Fatos) -> bool:
    """Whether a day only limits what was asked, in the person's own words: `depois do dia 23`."""
    said = page.text[mention.start : mention.end]
    if not any(said in fold(one) for one in fatos.known.said):
        return False
    return _LIMIT.search(page.text, max(0, mention.start - 40), mention.start) is not None


@lru_cache(maxsize=REMEMBERED)
def _speaks_of_birth(text: str) -> bool:
    return _PERSONAL_DAY.search(text) is not None


def _tells_no_slot(mention: Mention, near: list[Mention]) -> bool:
    """Whether a word like "hoje" goes with no time or doctor, or stands beside the day that is really meant."""
    if not any(other.kind in {"time", "doctor"} for other in near):
        return True
    dated = any(other.kind == "date" and not other.loose for other in near)
    return dated and not any(other.kind == "time" and 0 <= other.start - mention.end < 12 for other in near)


def _asks_which(page: Page, mentions: tuple[Mention, ...]) -> bool:
    """Whether a text only asks, and tells of no day and no time."""
    return any(segment.question for segment in page.segments) and not any(other.kind in {"date", "time"} for other in mentions)


_PERSONAL_DAY: Final = re.compile(r"\b(?:nasc\w*|aniversario|born|birth\w*|dob|nacid\w*|nacio|nacimiento)\b")


def _told_elsewhere(page: Page, mention: Mention, mentions: tuple[Mention, ...], segment: Segment, fatos: Fatos) -> bool:
    """Whether a date without a time is one that the data holds otherwise, as a last visit, or is today told as such."""
    if any(other.kind == "time" and segment.start <= other.start < segment.end for other in mentions):
        return False
    return bool(mention.elsewhere)


class _Pool:
    """The slots of a turn, a bit for each, so that those that many mentions share are found by one `&`."""

    def __init__(self, facts: tuple[Fact, ...]) -> None:
        self._facts = facts
        self._holding: dict[tuple[Kind, str], int] = {}
        for bit, fact in enumerate(facts):
            named: tuple[tuple[Kind, str], ...] = (
                ("clinic", fact.clinic),
                ("doctor", fact.doctor),
                ("date", fact.date),
                ("time", fact.time),
            )
            for key in named:
                self._holding[key] = self._holding.get(key, 0) | 1 << bit
        self._found: dict[int, tuple[Fact, ...]] = {0: ()}

    def shared(self, parts: list[Mention]) -> tuple[Fact, ...]:
        """The slots that every one of the parts may stand for."""
        bits = (1 << len(self._facts)) - 1
        for part in parts:
            fitting = 0
            for value in part.values:
                fitting |= self._holding.get((part.kind, value), 0)
            bits &= fitting
        found = self._found.get(bits)
        if found is None:
            found = self._found[bits] = tuple([fact for bit, fact in enumerate(self._facts) if bits >> bit & 1])
        return found


def _best(inside: list[Mention], context: dict[Kind, Mention], pool: _Pool, paired: dict[int, Mention]) -> tuple[Reading, ...]:
    """The readings of one sentence under the order of words that leaves the fewest without a slot."""
    best: tuple[Reading, ...] = ()
    fewest = None
    for order in _ORDERS:
        readings = tuple(_readings(inside, context, order, pool, paired))
        wrong = sum(not reading.facts for reading in readings)
        if fewest is None or wrong < fewest:
            best, fewest = readings, wrong
        if wrong == 0:
            break
    return best


def _readings(
    inside: list[Mention], context: dict[Kind, Mention], order: dict[Kind, str], pool: _Pool, paired: dict[int, Mention]
) -> Iterator[Reading]:
    used: set[int] = set()
    for pivot in inside:
        if pivot.kind == "time":
            near = [paired[pivot.start], *(one for one in inside if one.kind != "date")] if pivot.start in paired else inside
            yield _reading(pivot, _ORDER, near, context, order, pool, used)
    for kind, coarser in _COARSER:
        for pivot in inside:
            if pivot.kind == kind and pivot.start not in used:
                yield _reading(pivot, coarser, inside, context if kind == "clinic" else {}, order, pool, used)


def _reading(
    pivot: Mention,
    kinds: tuple[Kind, ...],
    inside: list[Mention],
    context: dict[Kind, Mention],
    order: dict[Kind, str],
    pool: _Pool,
    used: set[int],
) -> Reading:
    parts = [pivot]
    for kind in kinds:
        governing = _governing(pivot, kind, inside, context, order[kind])
        if governing is not None:
            parts.append(governing)
            used.add(governing.start)
    used.add(pivot.start)
    return Reading(tuple(parts), pool.shared(parts))


def _governing(pivot: Mention, kind: Kind, inside: list[Mention], context: dict[Kind, Mention], comes: str) -> Mention | None:
    before = after = None
    for mention in inside:
        if mention.kind != kind:
            continue
        if mention.start < pivot.start:
            before = mention
        elif after is None and mention.start > pivot.start:
            after = mention
    if comes == "before":
        return before or context.get(kind) or after
    return after or before or context.get(kind)


_WORDS: Final = {"time": "um horário", "date": "uma data", "doctor": "um médico", "clinic": "uma clínica"}


def _unfounded(leitura: Leitura, fatos: Fatos) -> Iterator[str]:
    for _, readings in leitura.readings:
        for reading in readings:
            pivot = reading.parts[0]
            if reading.facts or (
                pivot.kind == "clinic" and pivot.values & (fatos.answered | fatos.failed | {r.clinic for r in fatos.refused})
            ):
                continue
            if (
                pivot.kind in {"doctor", "clinic"}
                and not fatos.slots
                and pivot.values
                and not fatos.known.offers
                and not fatos.known.bookings
            ):
                continue
            if pivot.kind == "doctor" and pivot.values and len(reading.parts) == 1:
                continue
            if _works_there(reading, fatos):
                continue
            yield (
                f"fala de {_WORDS[pivot.kind]} que não está nos dados"
                if len(reading.parts) == 1
                else f"junta {_WORDS[pivot.kind]} com o que não é dele"
            )


def _works_there(reading: Reading, fatos: Fatos) -> bool:
    """Whether it only tells of a doctor at a clinic, which the directory bears out."""
    told = {part.kind: part.values for part in reading.parts}
    return told.keys() == {"doctor", "clinic"} and any(pair in fatos.known.works for pair in product(told["doctor"], told["clinic"]))


_AVAILABILITY: Final = re.compile(
    r"\b(?:horarios?|vagas?|opc(?:ao|oes)|disponibilidade|disponive(?:l|is)|agenda|encaixes?|datas?|slots?|openings?|availab\w*|"
    r"appointments?|citas?|turnos?|horas|resultados?|consultas?|atende\w*)\b"
)
_OTHERS: Final = re.compile(r"\b(?:outr[oa]s?|alem|mais nenhum|other|else|further|otr[oa]s?|demais)\b")
_NOT_FREE: Final = re.compile(
    r"\b(?:nao (?:ha|tem|temos|tenho|existem?|encontr\w*|achei|localiz\w*|apareceu|restam?|sobr\w*)|nenhum\w*|sem (?:horarios|vagas|"
    r"agenda|disponibilidade)|lotad\w*|esgotad\w*|ocupad\w*|indisponive\w*|cheia|no (?:openings|slots|appointments|availab\w*|results|"
    r"hay|tenemos|tengo)|not? (?:have|find|available)|(?:don't|do not|doesn't|does not|couldn't|could not|didn't) (?:have|find|see)|"
    r"there (?:are|is) no|fully booked|nothing|ningun\w*|no (?:encontr\w*|queda\w*)|nada dispon\w*|unavailable)\b"
)
_NO_SLOTS: Final = re.compile(rf"{_AVAILABILITY.pattern}|\b(?:lotad\w*|esgotad\w*|cheia|ocupad\w*|full(?:y booked)?|llena)\b")
_UNREACHABLE: Final = re.compile(
    r"\b(?:respond\w*|fora do ar|contat\w*|falar com|consultar|acessar|conexao|comunic\w*|reach\w*|respon\w*|sistema|instabilidade|"
    r"momentaneamente|offline|verificar|conectar)\b"
)


def _false_denials(page: Page, leitura: Leitura, fatos: Fatos) -> Iterator[str]:
    """`não há horários` where there are, and `não respondeu` of a clinic that did."""
    told = any(reading.facts and reading.parts[0].kind == "time" for _, readings in leitura.readings for reading in readings)
    for segment in page.segments:
        if _SAID_SILENT.search(segment.text) and not segment.question:
            silent = {value for one in leitura.mentions if segment.start <= one.start < segment.end for value in _clinics(one)}
            if silent and silent <= fatos.answered - fatos.failed:
                yield "diz que uma clínica não respondeu, e ela respondeu"
                continue
        if not segment.denied or (segment.hypothetical and "?" in segment.text):
            continue
        within = [mention for mention in leitura.mentions if segment.start <= mention.start < segment.end]
        clinics = frozenset(value for mention in within if mention.kind == "clinic" for value in mention.values)
        if _UNREACHABLE.search(segment.text) and (clinics or fatos.failed):
            if clinics & fatos.answered and not clinics & fatos.failed:
                yield "diz que uma clínica não respondeu, e ela respondeu"
            continue
        if not _NOT_FREE.search(segment.text):
            continue
        if clinics & fatos.failed and not clinics & fatos.answered and _NO_SLOTS.search(segment.text):
            yield "diz que não há horários em uma clínica que não respondeu"
        if _denies_a_free_slot(segment, within, fatos) and (within or not told):
            yield "diz que não há horário, e há"


def _clinics(mention: Mention) -> frozenset[str]:
    return mention.values if mention.kind == "clinic" else frozenset()


_SAID_SILENT: Final = re.compile(
    r"\b(?:(?:nao|nem) (?:\w+ ){0,3}(?:respond|retorn|deu (?:retorno|resposta)|atendeu|contest)|(?:didn't|did not|hasn't|has not|not) "
    r"(?:\w+ ){0,2}(?:answer|respond|repl|get back|come back|got back)|no (?:\w+ ){0,2}(?:respond|contest)|(?:sem|nenhuma) resposta|"
    r"no (?:response|answer|reply)|sin respuesta|fora do ar|offline|fuera de servicio|(?:sem|nao dei|nao tive) retorno)"
)


def _denies_a_free_slot(segment: Segment, within: list[Mention], fatos: Fatos) -> bool:
    named = [mention for mention in within if not mention.loose or mention.values]
    if any(not mention.values for mention in within) or (_OTHERS.search(segment.text)):
        return False
    if not named and not _AVAILABILITY.search(segment.text):
        return False
    if any(mention.bound for mention in within) or _PERIOD.search(segment.text) or _QUALIFIED.search(segment.text):
        return False
    grouped: dict[Kind, list[Mention]] = {}
    for mention in named:
        grouped.setdefault(mention.kind, []).append(mention)
    return any(all(any(mention.fits(fact) for mention in group) for group in grouped.values()) for fact in fatos.existing)


# Words by which only a slot as asked is denied.
_QUALIFIED: Final = re.compile(
    r"\b(?:que (?:atend|caib|sirv|se encaix|combin|bat|fit|match|cumpl)\w*|como (?:voce )?(?:pediu|pedid\w+|quer|queria)|"
    r"(?:nesse|neste|desse|naquele) (?:dia|horario|periodo|jeito)|exatamente|exactly|like that|as you asked|exactamente|como pidio)\b"
)
_PERIOD: Final = re.compile(
    r"\b(?:manha|tarde|noite|morning|afternoon|evening|noche|semana|week|hoje|amanha|mes|month|antes|depois|telefone|online|convenio|"
    r"domingo|sabado|fim de)\b"
)
