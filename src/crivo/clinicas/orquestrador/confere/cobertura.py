"""Whether a text tells all that the person needs: every free slot, the facts of a booking, the clinics that are missing. Part of R4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.clinicas.orquestrador.confere.mencoes import Kind, Mention, Readings
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fact, Fatos

_OF_SLOTS: Final = re.compile(
    r"\b(?:horarios?|vagas?|opcoes|disponive(?:l|is)|disponibilidade|agenda d[aeo]|slots?|openings?|available|availability|turnos?|"
    r"citas disponibles)\b"
)
_SILENT: Final = re.compile(
    r"\b(?:nao (?:\w+ ){0,3}(?:respond|consegui|foi possivel|conseguimos|retorn)|sem (?:resposta|contato|conexao)|fora do ar|"
    r"indisponive|instabilidade|tente (?:de novo|novamente|mais tarde)|"
    r"(?:not|n't|no) (?:\w+ ){0,3}(?:respond|reach|answer|available|pud|responde)|unavailable|unable to reach|offline|fuera de servicio|"
    r"down|falha|erro|problema)"
)


def breaches(page: Page, fatos: Fatos, mentions: tuple[Mention, ...], readings: Readings) -> Iterator[str]:
    """What is missing, each as a short pt-BR reason."""
    told = any(mention.kind in {"time", "date"} and mention.values for mention in mentions)
    if fatos.free and (told or _speaks_of_slots(page)) and not _covers_all(fatos.free, mentions, readings):
        yield "deixa de fora horários que há"
    booked = tuple(fact for fact in fatos.slots if fact.state == "booked")
    if any(not _named(fact, ("date", "time"), mentions) for fact in booked):
        yield "deixa de fora a data ou o horário da consulta"
    elif "confirmed" in fatos.statuses and any(not _named(fact, ("doctor",), mentions) for fact in booked):
        yield "deixa de fora com quem é a consulta"
    released = tuple(fact for fact in fatos.slots if fact.state == "released")
    apart = released if not booked else tuple(fact for fact in released if fact in fatos.cancelled)
    if any(not _any_of(fact, mentions) for fact in apart):
        yield "deixa de fora qual consulta foi cancelada"
    if fatos.failed and not _tells_of_missing(page, fatos, mentions):
        yield "não diz que uma clínica não respondeu"


def silent(page: Page, fatos: Fatos, mentions: tuple[Mention, ...]) -> bool:
    """Whether a text passes over free slots without a word, though it neither refuses nor asks."""
    if not fatos.free or any(segment.question or segment.refused is not None for segment in page.segments):
        return False
    return not any(mention.kind in {"time", "date"} for mention in mentions)


def _speaks_of_slots(page: Page) -> bool:
    if any(segment.refused is not None for segment in page.segments):
        return False
    return any(_OF_SLOTS.search(segment.text) and not segment.denied and not _offers(segment.text) for segment in page.segments)


def _offers(text: str) -> bool:
    return bool(
        re.search(r"\b(?:posso|quer|gostaria|deseja|can i|would you|puedo|desea|prefere|qual|which|me diga|ajudar|help)\b", text)
    ) and not re.search(r"\b(?:temos|ha|tenho|encontrei|existem|we have|there are|found|hay|tenemos)\b", text)


def _covers_all(free: tuple[Fact, ...], mentions: tuple[Mention, ...], readings: Readings) -> bool:
    if len({fact.clinic for fact in free}) > 1 and not all(_named(fact, ("clinic",), mentions) for fact in free):
        return False
    if len({fact.doctor for fact in free}) > 1 and not all(_named(fact, ("doctor",), mentions) for fact in free):
        return False
    covered = {fact for _, inside in readings for reading in inside if reading.parts[0].kind == "time" for fact in reading.facts}
    return all(fact in covered or _shares(fact, mentions, readings) for fact in free)


def _shares(fact: Fact, mentions: tuple[Mention, ...], readings: Readings) -> bool:
    """Whether a slot is told by a date, doctor or clinic that shares its time with another ("às 9h nos dias 21 e 28")."""
    for (start, end), inside in readings:
        governing = {part.start for reading in inside if reading.parts[0].kind == "time" for part in reading.parts}
        within = [mention for mention in mentions if start <= mention.start < end]
        if any(mention.kind == "time" and mention.fits(fact) for mention in within) and any(
            mention.fits(fact) for mention in within if mention.kind != "time" and mention.start not in governing
        ):
            kinds = {mention.kind for mention in within}
            if all(any(mention.fits(fact) for mention in within if mention.kind == kind) for kind in kinds):
                return True
    return False


def _named(fact: Fact, kinds: tuple[Kind, ...], mentions: tuple[Mention, ...]) -> bool:
    return all(any(mention.kind == kind and mention.fits(fact) for mention in mentions) for kind in kinds)


def _any_of(fact: Fact, mentions: tuple[Mention, ...]) -> bool:
    return any(mention.kind in {"date", "time", "doctor"} and mention.fits(fact) for mention in mentions)


def _tells_of_missing(page: Page, fatos: Fatos, mentions: tuple[Mention, ...]) -> bool:
    named = frozenset(value for mention in mentions if mention.kind == "clinic" for value in mention.values)
    return fatos.failed <= named or bool(_SILENT.search(page.text))
