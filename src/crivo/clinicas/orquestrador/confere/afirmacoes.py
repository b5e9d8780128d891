"""What a text claims was done, how many slots it says there are, and which it says is the earliest. Part of R4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from crivo.clinicas.orquestrador.confere.mencoes import Mention, Readings
from crivo.clinicas.orquestrador.entende.clausulas import REMEMBERED, Page, Segment
from crivo.clinicas.orquestrador.fatos import Fact, Fatos
from crivo.kernel.linguagem.horas import find_times
from crivo.kernel.linguagem.numeros import find_numbers

_IS: Final = (
    r"(?:(?:ja\s+)?(?:foi|foram|esta|estao|ficou|ficaram|fica|ta|segue|continua|has been|have been|is|are|was|were|'s|ha sido|"
    r"fue|quedo|queda|esta)\s+(?:ja\s+|now\s+|all\s+|devidamente\s+|tudo\s+|toda\s+)?)"
)
_STATED: Final = r"(?:foi|esta|nao|pod\w+|ser\w*|vai|dev\w+|for|fica\w*|precis\w+|quando|se|pued\w+)\b"
_WITH: Final = rf"(?:(?:com|con|d[eoa])\s+(?:(?!{_STATED})[a-z.]+\s+){{1,5}}?)?"
_CLAIMS: Final = {
    "booked": re.compile(
        rf"{_IS}(?:confirmad|agendad|marcad|reservad|garantid)[oa]s?\b|\b(?:deixei|deixamos|consegui|"
        rf"conseguimos)\s+(?:\w+\s+){{0,2}}(?:marcad|reservad|agendad|confirmad|garantid)[oa]\b|\bconsegui(?:mos)?\s+(?:marcar|agendar|"
        rf"reservar|confirmar)\b|\b(?:agendei|marquei|reservei|agendamos|marcamos|reservamos|garanti|confirmei|confirmamos)\b"
        rf"|\b(?:consulta|agendamento|horario|reserva|atendimento|cita|vaga)\s+{_WITH}(?:(?:ja|devidamente)\s+)?(?:confirmad|agendad|marcad|"
        r"reservad)[oa]\b|\bagendamento (?:realizado|feito|concluido|efetuado)\b"
        rf"|{_IS}(?:booked|confirmed|scheduled|reserved|set\b|programada)|\b(?:i|we)(?:'ve| have)? (?:booked|scheduled|reserved|"
        rf"confirmed)\b|\b(?:appointment|booking) (?:confirmed|booked|scheduled)\b"
        r"|\b(?:he|hemos) (?:reservado|agendado|confirmado)\b|\breserve (?:su|la|tu) cita\b|^\W*(?:confirmad[oa]|agendad[oa]|marcad[oa]|"
        r"booked|confirmed|reservad[oa])\b"
    ),
    "moved": re.compile(
        rf"{_IS}(?:remarcad|reagendad|transferid|alterad|mudad|trocad|antecipad|adiad|reprogramad|cambiad)[oa]s?\b|\b(?:remarquei|"
        rf"reagendei|transferi|remarcamos|reagendamos|mudei)\b"
        rf"|{_IS}(?:rescheduled|moved|changed)\b|\b(?:i|we)(?:'ve| have)? (?:rescheduled|moved)\b|\b(?:he|hemos) (?:reprogramado|"
        rf"cambiado)\b|\b(?:consulta|cita)\s+{_WITH}(?:remarcad|reagendad|reprogramad)[oa]\b|^\W*(?:remarcad[oa]|reagendad[oa]|rescheduled)\b"
    ),
    "cancelled": re.compile(
        rf"{_IS}(?:cancelad|desmarcad|anulad)[oa]s?\b|\b(?:cancelei|desmarquei|cancelamos|desmarcamos)\b|{_IS}(?:cancell?ed)\b|\b(?:i|"
        rf"we)(?:'ve| have)? cancell?ed\b"
        rf"|\b(?:he|hemos) cancelado\b|\b(?:consulta|cita|agendamento)\s+{_WITH}(?:cancelad|desmarcad)[oa]\b"
        r"|\bcancelamento (?:realizado|feito|"
        r"concluido|efetuado|confirmado)\b|^\W*(?:cancelad[oa]|desmarcad[oa]|cancell?ed)\b"
    ),
}
_DONE: Final = {
    "booked": frozenset({"confirmed", "rescheduled"}),
    "moved": frozenset({"rescheduled"}),
    "cancelled": frozenset({"cancelled"}),
}
_UNDONE: Final = re.compile(
    r"\b(?:nao (?:foi possivel|consegui|conseguimos|pude|deu para|deu pra|ficou|foi)|couldn't|could not|was not able|unable to|no "
    r"(?:fue posible|pude|se pudo))\b[^.!?\n]{0,30}\b(?:agend|marc|reserv|confirm|remarc|reagend|cancel|desmarc|book|schedul|resched|"
    r"reprogram)"
)
_NOT_YET: Final = re.compile(
    r"\b(?:nao (?:foi(?! possivel)|esta|ficou)|ainda nao(?! (?:consegui|foi possivel|pude|deu))|(?:has|is|was)(?:n't| not)|"
    r"no (?:fue(?! posible)|esta|quedo|ha sido))\b[^.!?\n]{0,30}\b(?:agendad|marcad|reservad|confirmad|booked|scheduled|reserved|confirmed)"
)
_TAKEN_BY_OTHERS: Final = re.compile(
    r"\b(?:por outr\w*|para outr\w*|pela outr\w*|by (?:someone|another)|por otr\w*|ja (?:foi|estava|esta) (?:reservad|ocupad|marcad)|"
    r"already "
    r"(?:booked|taken|reserved)|was (?:just )?taken|acabou de ser)\b"
)
_NEGATED: Final = re.compile(
    r"\b(?:nao|nada|nenhum\w*|sem|ainda nao|not|no(?=\s+(?:\w+\s+)?(?:ha\b|fue|esta|he\b|appointment|booking))|never|n't|nunca|nem)\b"
)
_NOTHING: Final = re.compile(r"\s+(?:nothing|nada|no\s+(?:appointment|booking|slot)|nenhum)\b")


def breaches(page: Page, fatos: Fatos, mentions: tuple[Mention, ...], readings: Readings) -> Iterator[str]:
    """Claims that the data does not bear out, each as a short pt-BR reason."""
    for segment in page.segments:
        if _speaks_of_deeds(segment.text):
            yield from _claims(segment, fatos, mentions)
    if fatos.statuses and any(_miscounts_acts(segment, fatos) for segment in page.segments):
        yield "erra quantas consultas foram"
    if _wrong_way(page, fatos, mentions):
        yield "diz ao contrário o que mudou"
    if fatos.free:
        if any(_miscounts(segment, fatos) for segment in page.segments):
            yield "erra a quantidade de horários"
        if _wrong_earliest(page, fatos, mentions, readings):
            yield "erra qual é o horário mais cedo"


@lru_cache(maxsize=REMEMBERED)
def _speaks_of_deeds(text: str) -> bool:
    """Whether a stretch of text tells of anything done, or not done."""
    return any(pattern.search(text) for pattern in (_UNDONE, *_CLAIMS.values()))


def _claims(segment: Segment, fatos: Fatos, mentions: tuple[Mention, ...]) -> Iterator[str]:
    undone = fatos.statuses and not fatos.refused and not fatos.failed and _UNDONE.search(segment.text) and not segment.question
    inside = [mention for mention in mentions if segment.start <= mention.start < segment.end]
    if undone and not any(still_to_do(segment, mention, fatos) for mention in inside):
        yield "diz que não foi feito o que foi"
    if (segment.hypothetical and not _firm(segment)) or _TAKEN_BY_OTHERS.search(segment.text):
        return
    for claim, pattern in _CLAIMS.items():
        match = pattern.search(segment.text)
        denied = match and (_NEGATED.search(segment.text[: match.start() + 4]) or _NOTHING.match(segment.text, match.end()))
        if match and not denied and not _is_true(claim, fatos):
            yield "diz que foi feito o que não foi"
            return


def still_to_do(segment: Segment, mention: Mention, fatos: Fatos) -> bool:
    """Whether an hour is one that the person asked for, that nothing done is at, and that is told as not done."""
    if mention.kind != "time" or not _NOT_YET.search(segment.text) or any(mention.fits(fact) for fact in fatos.slots):
        return False
    return any(mention.values & set(hour.readings) for said in fatos.known.said for hour in find_times(said))


_WISH: Final = re.compile(
    r"\b(?:se|caso|quando|assim que|apos|para (?:que|ter|ser)|antes de|quer|deseja|gostaria|posso|podemos|pode|podem|podera|podem|sera|"
    r"serao|seria|falta|aguardando|pendente|if|when|once|would|could|can|may|will|to be|before|want|cuando|quiere|desea|puede|puedo|"
    r"podria|podra)\b"
)


def _firm(segment: Segment) -> bool:
    """Whether nothing before the claim makes it a wish."""
    if segment.question:
        return False
    places = [match.start() for pattern in _CLAIMS.values() if (match := pattern.search(segment.text))]
    return bool(places) and not _WISH.search(segment.text[: min(places)])


def _is_true(claim: str, fatos: Fatos) -> bool:
    if (fatos.statuses | fatos.known.done) & _DONE[claim]:
        return True
    if claim == "moved":
        return {"confirmed", "cancelled"} <= fatos.statuses
    if claim == "cancelled":
        return "rescheduled" in fatos.statuses
    return bool(fatos.known.bookings) and not fatos.refused


_COUNT: Final = re.compile(
    r"(?<![\w:/,.])(?P<number>\d{1,3}|[a-z]+(?: e [a-z]+)?)\s+(?:(?:outros?|outras?|bons|boas|novos?|novas?|available|open|"
    r"free)\s+)?(?:horarios?|vagas?|opcoes|opcao|slots?|openings?|available appointments|turnos|citas|opciones|options|horas (?:livres|"
    r"disponibles))\b"
)


def counts_slots(text: str) -> bool:
    """Whether a text says how many slots there are."""
    return any(find_numbers(match["number"]) for match in _COUNT.finditer(text))


def _miscounts(segment: Segment, fatos: Fatos) -> bool:
    if segment.denied or segment.hypothetical:
        return False
    for match in _COUNT.finditer(segment.text):
        numbers = find_numbers(match["number"])
        if len(numbers) == 1 and numbers[0].end == len(match["number"]):
            value = int(numbers[0].value)
            if value > 1 and value not in _counts(fatos.free) | _counts(fatos.existing) | fatos.known.counts:
                return True
    return False


_APPOINTMENTS: Final = re.compile(
    r"(?<![\w:/,.])(?:(?P<number>\d{1,2}|[a-z]+)\s+(?:(?:novas?|outras?|new|nuevas?)\s+)?(?:consultas|agendamentos|atendimentos|appointments|"
    r"bookings|visits|citas|reservas)|(?P<both>ambas|ambos|as duas|os dois|las dos|los dos|both))\b"
)


def _miscounts_acts(segment: Segment, fatos: Fatos) -> bool:
    """Whether it tells of more or fewer appointments than were booked or given up."""
    if segment.question or not any(pattern.search(segment.text) for pattern in _CLAIMS.values()):
        return False
    booked, released = ({_moment(fact) for fact in fatos.slots if fact.state == state} for state in ("booked", "released"))
    true = {len(booked), len(released), len(booked) + len(released), len(fatos.known.bookings)}
    for match in _APPOINTMENTS.finditer(segment.text):
        numbers = [] if match["both"] else find_numbers(match["number"])
        told = 2 if match["both"] else int(numbers[0].value) if len(numbers) == 1 else 0
        if told > 1 and told not in true:
            return True
    return False


def _moment(fact: Fact) -> tuple[str, str, str, str]:
    return fact.clinic, fact.doctor, fact.date, fact.time


def _counts(free: tuple[Fact, ...]) -> frozenset[int]:
    """Every number of slots that can be meant: of all, of all but one, and of each clinic, doctor and day, alone and together."""
    groups: Counter[tuple[str, ...]] = Counter()
    for fact in free:
        for keys in (
            ("all",),
            (fact.clinic,),
            (fact.doctor,),
            (fact.date,),
            (fact.clinic, fact.date),
            (fact.clinic, fact.doctor),
            (fact.doctor, fact.date),
        ):
            groups[keys] += 1
    return frozenset(groups.values()) | {len(free) - 1}


EARLIEST: Final = re.compile(
    r"\b(?:mais (?:cedo|proxim[oa]|breve|rapid[oa])|primeir[oa] (?:horario|vaga|data|opcao|consulta)? ?(?:disponivel|livre|vag[oa])?|"
    r"earliest|soonest|first available|next available|mas (?:cercan[oa]|proxim[oa]|tempran[oa]|pronto)|primer(?:a)? (?:horario|cita|"
    r"turno) disponible)\b"
)
_SCOPED: Final = re.compile(
    r"\s*(?:horario |vaga |opcao |consulta |disponivel |livre |que tenho |que temos )*(?:d[ao]|n[ao]|com|com [oa]|de|in|at|with|for|en|"
    r"con|del|para)\b[^.;:]{0,14}$"
)


def _wrong_earliest(page: Page, fatos: Fatos, mentions: tuple[Mention, ...], readings: Readings) -> bool:
    for match in EARLIEST.finditer(page.text):
        sentence = next(((span, inside) for span, inside in readings if span[0] <= match.start() < span[1]), None)
        if sentence is None:
            continue
        slots = [reading for reading in sentence[1] if reading.parts[0].kind == "time" and reading.facts]
        if not slots:
            if _names_another(page, match, sentence[0], mentions, fatos):
                return True
            continue
        told = min(slots, key=lambda reading: _distance(reading.parts[0], match))
        pool = _scope(page, match, sentence[0], mentions, fatos)
        first = min((fact.date, fact.time) for fact in pool) if pool else None
        if first is not None and all((fact.date, fact.time) != first for fact in told.facts):
            return True
    return False


_APPOSED_BEFORE: Final = re.compile(r",\s*(?:o |a |el |la |the )?$")  # "hoje às 15h, o mais cedo, ou sexta"
_APPOSED_AFTER: Final = re.compile(r"\s*(?:[,;.]|$)")
_IS_IT: Final = re.compile(r"\s*(?:e|is|es|sera|seria|fica|:)\s")


def _names_another(page: Page, match: re.Match[str], span: tuple[int, int], mentions: tuple[Mention, ...], fatos: Fatos) -> bool:
    """Whether the day, doctor or clinic that is said to have the earliest slot, no time being told, has not."""
    pool = _scope(page, match, span, mentions, fatos)
    if not pool or not _IS_IT.match(page.text, match.end()):
        return False
    first = min((fact.date, fact.time) for fact in pool)
    told = [mention for mention in mentions if match.end() <= mention.start < span[1] and mention.values]
    return any(not any(mention.fits(fact) for fact in pool if (fact.date, fact.time) == first) for mention in told)


_MOVES: Final = re.compile(
    r"\b(?:mud(?:ou|ei|amos|ad[ao])|remarq?u?c?\w*|reagend\w*|transfer\w*|pass(?:ou|ei|amos)|paso|troquei|moved|rescheduled|changed|cambi\w*|reprogram\w*)\b"
)
_INTO: Final = re.compile(r"\b(?:para|to|agora e|now)\s+(?:(?:o|a|as|no|na|em|dia|the|el|la|las|on|at)\s+)*$")
_WAS: Final = re.compile(
    r"\b(?:antes|anterior\w*|original\w*|era|estava|previst[ao]|was|previously|estaba|prevista|antigua)\b[^.;\n]{0,40}$"
)


_DIGIT: Final = re.compile(r"\d")


def _wrong_way(page: Page, fatos: Fatos, mentions: tuple[Mention, ...]) -> bool:
    """Whether a change is told the wrong way round: to the day or time that it was from."""
    before = [fact for fact in fatos.slots if fact.state == "released"]
    after = [fact for fact in fatos.slots if fact.state == "booked"]
    if not (before and after and _MOVES.search(page.text)):
        return False
    moments = ((mention, page.text[max(0, mention.start - 80) : mention.start]) for mention in mentions if mention.kind in {"date", "time"})
    into = [mention for mention, told in moments if _INTO.search(told) and not _WAS.search(told)]
    into += [last for first, last in pairwise(mentions) if first.kind == last.kind != "doctor" and _from_to(page, first, last)]
    return any(any(mention.fits(one) for one in before) and not any(mention.fits(one) for one in after) for mention in into)


_FROM: Final = re.compile(r"\b(?:d[aeo]s?|del|from)\s(?:(?:as?|o|las?|el|the|dia)\s)*$")
_UNTIL: Final = re.compile(r"\s(?:as?|aos?|para|pra|to)\s(?:(?:as?|o|las?|el|the|dia)\s)*")


def _from_to(page: Page, first: Mention, last: Mention) -> bool:
    """Whether two moments are told as the old and the new: `de las 10:00 a las 11:00`; a moment may hold its own preposition."""
    left, right = (_DIGIT.search(page.text, one.start, one.end) for one in (first, last))
    if left is None or right is None or not _UNTIL.fullmatch(page.text, first.end, right.start()):
        return False
    return _FROM.search(page.text, max(0, left.start() - 20), left.start()) is not None


def _distance(mention: Mention, match: re.Match[str]) -> int:
    """How far a time is from the words, one after them nearer than one before."""
    if mention.start < match.end():
        return 2 * (match.start() - mention.end) + 12
    said_of_before = _APPOSED_AFTER.match(match.string, match.end()) and _APPOSED_BEFORE.search(match.string, 0, match.start())
    apart = 200 if said_of_before or re.search(r"[);\n]", match.string[match.end() : mention.start]) else 0
    return mention.start - match.end() + apart


def _scope(page: Page, match: re.Match[str], span: tuple[int, int], mentions: tuple[Mention, ...], fatos: Fatos) -> tuple[Fact, ...]:
    """The slots among which the earliest is meant: all, or those of a clinic, doctor or day named right before or after the words."""
    pool = fatos.free
    aside = page.text[: match.start()].rstrip(" *_")[-1:] in {"(", "-", "[", "←", "<"}
    for mention in mentions:
        if not span[0] <= mention.start < span[1] or mention.kind == "time":
            continue
        heading = not aside and mention.end <= match.start() and ":" in page.text[mention.end : match.start()]
        tied = mention.start >= match.end() and mention.kind != "date" and _SCOPED.match(page.text[match.end() : mention.start])
        if heading or tied:
            pool = tuple(fact for fact in pool if mention.fits(fact))
    return pool
