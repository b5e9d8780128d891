"""Which of the free slots are shown for a turn: what fits what was asked, at most ten, numbered in the order in which they stand.

Responder, verifier, dialogue and page go by the same selection, so that none of them shows, numbers or counts otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Offer, Plan, Value
from crivo.clinicas.orquestrador.entende.criterios import Criterios, Dia, Hora, by_weekday, holds, refuses, without
from crivo.clinicas.orquestrador.entende.ramos import is_for_children
from crivo.clinicas.orquestrador.listados import offers_in, shown_order
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold

MOST_AT_ONCE: Final = 10
_PLACES: Final = ("ordinais", "extremo", "numeros")
_MINUTES_A_DAY: Final = 24 * 60


class Grupo(Value, frozen=True):
    """What is shown for one search: its slots in the order shown, how many more fit and were not shown yet, and how many do not fit.

    `assim` tells that the slots are as asked; where nothing was, they are the nearest: at the hours asked for on other days than
    `sem_nada`, where there are any. `quantos` is how many fit in all.
    """

    busca: Busca
    ofertas: tuple[Offer, ...]
    quantos: int = 0
    mais: int = 0
    fora: int = 0
    assim: bool = True
    sem_nada: str = ""


class Selecao(Value, frozen=True):
    """What is shown for a turn, and all that there was; `continua` tells that it goes on with a list shown before."""

    grupos: tuple[Grupo, ...] = ()
    todas: tuple[Offer, ...] = ()
    continua: bool = False

    @property
    def ofertas(self) -> tuple[Offer, ...]:
        """Every slot shown, in the order in which they are numbered."""
        return tuple(dict.fromkeys(offer for grupo in self.grupos for offer in grupo.ofertas))

    @property
    def mais(self) -> int:
        """How many more fit what was asked."""
        return sum(grupo.mais for grupo in self.grupos)

    @property
    def fora(self) -> int:
        """How many do not fit what was asked, and were not shown."""
        return sum(grupo.fora for grupo in self.grupos)


def select(plan: Plan, replies: Iterable[ClinicReply], dialogue: Dialogue) -> Selecao:
    """What is shown of the slots that a turn's listings answered with."""
    todas = shown_order(offers_in(replies))
    if not todas:
        return Selecao()
    buscas = plan.buscas or (Busca(),)
    seen = frozenset(dialogue.vitrine.vistas) if plan.mais else frozenset[Offer]()
    parted = _parted(todas, buscas, dialogue.registro)
    places = _shares([len(pool) for pool in parted])
    grupos = tuple(
        _group(busca, pool, seen, most, dialogue.registro) for busca, pool, most in zip(buscas, parted, places, strict=True) if pool
    )
    return Selecao(grupos, todas, plan.mais)


def _parted(todas: Sequence[Offer], buscas: Sequence[Busca], registro: Registro) -> list[list[Offer]]:
    """The slots of each search: each slot goes to the first search of its doctor, clinic or specialty."""
    parted: list[list[Offer]] = [[] for _ in buscas]
    for offer in todas:
        specialty = specialty_of(offer, registro)
        own = (index for index, busca in enumerate(buscas) if holds(_scope(busca.quer), offer, specialty))
        parted[next(own, 0)].append(offer)
    return parted


def _scope(quer: Criterios) -> Criterios:
    return Criterios(especialidades=quer.especialidades, medicos=quer.medicos, clinicas=quer.clinicas)


def _shares(sizes: Sequence[int]) -> list[int]:
    """How many each search may show, so that all together show ten at most: alike, and what one does not need goes to the others."""
    shares, left = [0] * len(sizes), MOST_AT_ONCE
    while left and any(share < size for share, size in zip(shares, sizes, strict=True)):
        for index, size in enumerate(sizes):
            if left and shares[index] < size:
                shares[index] += 1
                left -= 1
    return shares


def _group(busca: Busca, pool: Sequence[Offer], seen: frozenset[Offer], most: int, registro: Registro) -> Grupo:
    fits = fitting(busca, pool, registro)
    inside = frozenset(fits)
    new = [offer for offer in fits if offer not in seen]
    outside = [offer for offer in pool if offer not in inside and offer not in seen]
    if new:
        chosen = _first_of(new, most, busca, every_clinic=not seen)
        return Grupo(busca, chosen, len(fits), len(new) - len(chosen), len(outside))
    if seen:
        chosen = tuple(outside[:most])
        return Grupo(busca, chosen, len(fits), 0, len(outside) - len(chosen), assim=False)
    allowed = [offer for offer in outside if not _is_refused(busca, offer, registro)]
    same_hour = _on_other_days(busca, pool, registro)
    if same_hour:
        chosen = nearest(busca, same_hour, most, registro)
        return Grupo(busca, chosen, 0, 0, len(outside) - len(chosen), assim=False, sem_nada=busca.quer.dias[0].first)
    near = nearest(busca, _for_adults(allowed, _crowded(busca.quer, pool, registro), registro), most, registro)
    return Grupo(busca, near, 0, 0, len(outside) - len(near), assim=False)


def _on_other_days(busca: Busca, pool: Sequence[Offer], registro: Registro) -> tuple[Offer, ...]:
    """The slots that are all that was asked but for the one day, where the hours asked for are bounds: `e depois das 17h?`."""
    quer = busca.quer
    if quer.day is None or not quer.horas or any(hora.is_one_time for hora in quer.horas):
        return ()
    return fitting(Busca(without(quer, "dias"), busca.recusas), pool, registro)


def _first_of(offers: Sequence[Offer], most: int, busca: Busca, *, every_clinic: bool) -> tuple[Offer, ...]:
    """The earliest slots, the first of each clinic among them, and the latest where that was asked for."""
    if len(offers) <= most:
        return tuple(offers)
    wanted: dict[Offer, None] = {}
    if busca.quer.extremo == "max":
        wanted[offers[-1]] = None
    if every_clinic:
        wanted |= dict.fromkeys({offer.clinic: offer for offer in reversed(offers)}.values())
    chosen = frozenset(shown_order(dict.fromkeys([offers[0], *shown_order(wanted)]))[:most])
    more = (offer for offer in offers if offer not in chosen)
    return shown_order([*chosen, *(offer for offer, _ in zip(more, range(most - len(chosen)), strict=False))])


def fitting(busca: Busca, offers: Sequence[Offer], registro: Registro) -> tuple[Offer, ...]:
    """Those of the slots that a search is for, in their order. Source: design, "Preferences are kept and bind".

    Of a branch: the slots of its doctors, or of the specialty's general ones where it has none. A bare weekday is the next such day,
    or the first one that there is. Where there are too many to show, those of doctors who see children alone are for whom asks for them.
    """
    kept = [offer for offer in _of_branch(busca.quer.ramos, offers, registro) if not _is_refused(busca, offer, registro)]
    quer = without(busca.quer, *_PLACES, "ramos")
    crowded = _crowded(busca.quer, offers, registro)
    found = _for_adults([offer for offer in kept if holds(quer, offer, specialty_of(offer, registro))], crowded, registro)
    if found or by_weekday(quer) == quer:
        return tuple(found)
    later = _for_adults([offer for offer in kept if holds(by_weekday(quer), offer, specialty_of(offer, registro))], crowded, registro)
    return tuple(offer for offer in later if offer.slot.date == later[0].slot.date)


def admits(busca: Busca, offer: Offer, offers: Sequence[Offer], registro: Registro) -> bool:
    """Whether a slot, one of several, is what a search is for."""
    return offer in fitting(busca, offers, registro)


def _of_branch(ramos: Sequence[str], offers: Sequence[Offer], registro: Registro) -> list[Offer]:
    if not ramos:
        return list(offers)
    branches = {fold(ramo) for ramo in ramos}
    own = [offer for offer in offers if fold(offer.slot.specialty) in branches]
    general = [offer for offer in offers if fold(offer.slot.specialty) in {"", fold(specialty_of(offer, registro))}]
    return own or general or list(offers)


def _crowded(quer: Criterios, offers: Sequence[Offer], registro: Registro) -> frozenset[str]:
    """The specialties of which there are more slots than are shown at once, where neither a branch nor a doctor was asked for."""
    if quer.ramos or quer.medicos:
        return frozenset()
    counts = Counter(specialty_of(offer, registro) for offer in offers)
    return frozenset(name for name, count in counts.items() if count > MOST_AT_ONCE)


def _for_adults(offers: list[Offer], crowded: frozenset[str], registro: Registro) -> list[Offer]:
    """The slots without those of doctors who see children alone, of the specialties that have many; all where there are no others."""
    grown = [offer for offer in offers if specialty_of(offer, registro) not in crowded or not sees_children_alone(offer, registro)]
    return grown or offers


def sees_children_alone(offer: Offer, registro: Registro) -> bool:
    """Whether a slot is of a doctor who sees children alone, in a clinic of all ages."""
    return is_for_children(offer.slot.specialty, specialty_of(offer, registro))


def _is_refused(busca: Busca, offer: Offer, registro: Registro) -> bool:
    return any(refuses(recusa, offer, specialty_of(offer, registro)) for recusa in busca.recusas)


def nearest(busca: Busca, offers: Sequence[Offer], most: int, registro: Registro) -> tuple[Offer, ...]:
    """Of slots that are not as asked, those nearest to it: of its doctors first, then by day, then by hour."""
    who = without(busca.quer, *_PLACES, "dias", "horas", "ramos")
    branch = frozenset(_of_branch(busca.quer.ramos, offers, registro))

    def distance(offer: Offer) -> tuple[bool, bool, int, str, str]:
        strange = not holds(who, offer, specialty_of(offer, registro))
        return strange, offer not in branch, _gap(busca.quer, offer), offer.slot.date, offer.slot.time

    return shown_order(sorted(offers, key=distance)[:most])


def _gap(quer: Criterios, offer: Offer) -> int:
    """How far a slot is from the moment asked for, in minutes."""
    slot = offer.slot
    days = [_days_away(dia, slot.date) for dia in quer.dias]
    hours = [_minutes_between(hora, slot.time) for hora in quer.horas]
    return min(days, default=0) * _MINUTES_A_DAY + min(hours, default=0)


def _days_away(dia: Dia, day: str) -> int:
    if dia.first <= day <= dia.last:
        return int(not dia.holds(day))
    edge = dia.first if day < dia.first else dia.last
    return abs((date.fromisoformat(edge) - date.fromisoformat(day)).days)


def _minutes_between(hora: Hora, time: str) -> int:
    told = hora.readings or (hora.first if time < hora.first else min(time, hora.last),)
    return min(abs(_minutes(one) - _minutes(time)) for one in told)


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def specialty_of(offer: Offer, registro: Registro) -> str:
    """The specialty of the clinic that a slot is of; empty for one that is not in the registry."""
    known = registro.find(offer.clinic)
    return known.especialidade if known else ""
