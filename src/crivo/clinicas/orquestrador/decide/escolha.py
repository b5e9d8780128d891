"""Which of the slots shown a person means. Source: design, "a choice that fits exactly one slot just shown"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.criterios import Criterios, by_weekday, holds, over, refuses, without

_PLACES: Final = ("ordinais", "extremo", "numeros")


def choose(criterios: Criterios, excluidos: Criterios, situacao: Situacao, pool: Iterable[Offer] | None = None) -> tuple[Offer, ...]:
    """Every slot that fits, in the order shown; those taken or past are left out.

    A place, or the earliest, is of the slots shown last; what is told of a slot itself finds it among all that there were, first among
    those that are as was asked before. `pool` has only its own.
    """
    if pool is not None:
        return _choose_of(criterios, excluidos, situacao, tuple(pool))
    shown, narrows = situacao.offers, _narrows(criterios, excluidos, situacao)
    counted = _by_place(criterios, excluidos, situacao)
    if counted:
        return counted
    if not narrows:
        return _choose_of(criterios, excluidos, situacao, shown)
    pools = (shown,) if criterios.ordinais else ()
    for each in (*pools, situacao.kept(criterios), situacao.kept(criterios, recusas=False), situacao.listed):
        found = _choose_of(criterios, excluidos, situacao, each)
        if found:
            return found
    return ()


def _by_place(criterios: Criterios, excluidos: Criterios, situacao: Situacao) -> tuple[Offer, ...]:
    """The slot at a place that a weekday's name may be too (`a segunda`), and those on such a day, so that it is asked which."""
    places = tuple(dia.place for dia in criterios.dias if dia.place)
    weekdays = by_weekday(criterios).dias
    if not places or len(places) != len(criterios.dias):
        return ()
    counted = _choose_of(over(without(criterios, "dias"), Criterios(ordinais=places)), excluidos, situacao, situacao.offers)
    that_day = tuple(one for one in situacao.offers if any(dia.holds(one.slot.date) for dia in weekdays))
    if not that_day or not without(criterios, "dias").is_empty:
        return () if that_day else counted
    return () if set(counted) <= set(that_day) else (*counted, *that_day)


def _narrows(criterios: Criterios, excluidos: Criterios, situacao: Situacao) -> bool:
    """Whether more is told of a slot than what the list was made for."""
    wanted = [busca.quer for busca in situacao.dialogue.preferencias.buscas]
    told = [(field, getattr(criterios, field)) for field in _TELLING if getattr(criterios, field)]
    figure = bool(criterios.numeros) and not _are_places(criterios, situacao.offers)
    return not excluidos.is_empty or figure or any(all(getattr(quer, field) != value for quer in wanted) for field, value in told)


_TELLING: Final = ("especialidades", "ramos", "medicos", "clinicas", "titulos", "dias", "horas")


def _choose_of(criterios: Criterios, excluidos: Criterios, situacao: Situacao, shown: tuple[Offer, ...]) -> tuple[Offer, ...]:
    passed_over = _at_places(excluidos.ordinais, list(shown))
    kept = [offer for offer in shown if offer not in passed_over and not refuses(excluidos, offer, situacao.specialty_of(offer.clinic))]
    fitting = _fitting(criterios, kept, situacao) or _on_weekday(criterios, kept, situacao)
    if criterios.ordinais:
        fitting = _counted(criterios, [offer for offer in shown if offer in kept or offer in passed_over], list(shown), situacao)
    elif _are_places(criterios, shown):
        fitting = _at_places(criterios.numeros, list(shown))
    still_open = [offer for offer in fitting if situacao.is_open(offer)]
    places = [dia.place for dia in criterios.dias if dia.place]
    if places and not still_open:
        counted = _at_places(places, _fitting(without(criterios, *_PLACES, "dias"), list(shown), situacao))
        still_open = [offer for offer in counted if situacao.is_open(offer)]
    return tuple(_extreme(criterios, still_open))


def _counted(criterios: Criterios, allowed: list[Offer], shown: list[Offer], situacao: Situacao) -> list[Offer]:
    """The slots at the places told, as numbered; where one is refused in the same breath, the first of the others, or all of them."""
    bare = without(criterios, *_PLACES)
    told = _at_places(criterios.ordinais, _fitting(bare, shown, situacao) or _on_weekday(bare, shown, situacao))
    if all(offer in allowed for offer in told):
        return told
    others = _fitting(bare, allowed, situacao)
    return others[:1] if criterios.ordinais == (1,) else others


def _on_weekday(criterios: Criterios, offers: list[Offer], situacao: Situacao) -> list[Offer]:
    """Where the next such weekday was not offered, the first one that was."""
    wider = by_weekday(criterios)
    fitting = [offer for offer in _fitting(wider, offers, situacao) if situacao.is_open(offer)] if wider != criterios else []
    first = min((offer.slot.date for offer in fitting), default="")
    return [offer for offer in fitting if offer.slot.date == first]


def _fitting(criterios: Criterios, offers: list[Offer], situacao: Situacao) -> list[Offer]:
    fitting = [offer for offer in offers if holds(criterios, offer, situacao.specialty_of(offer.clinic))]
    if fitting or not criterios.ramos:
        return fitting
    wider = without(criterios, "ramos")
    return [offer for offer in offers if holds(wider, offer, situacao.specialty_of(offer.clinic))]


def _are_places(criterios: Criterios, shown: Sequence[Offer]) -> bool:
    """Whether bare figures, and nothing else, are numbers of the list: `1`, `o 4`."""
    bare = bool(criterios.numeros) and without(criterios, "numeros").is_empty
    return bare and all(numero <= len(shown) for numero in criterios.numeros)


def _at_places(places: Iterable[int], offers: list[Offer]) -> list[Offer]:
    """The offers at those places, counted from 1; negative ones from the end."""
    chosen = [offers[place - 1 if place > 0 else place] for place in places if 0 < place <= len(offers) or 0 > place >= -len(offers)]
    return list(dict.fromkeys(chosen))


def _extreme(criterios: Criterios, offers: list[Offer]) -> list[Offer]:
    if not (criterios.extremo and offers) or criterios.ordinais:
        return offers
    pick = min if criterios.extremo == "min" else max
    best = pick((offer.slot.date, offer.slot.time) for offer in offers)
    return [offer for offer in offers if (offer.slot.date, offer.slot.time) == best]


def narrowed(criterios: Criterios, excluidos: Criterios, situacao: Situacao) -> tuple[Offer, ...]:
    """What fits; where several do, those that also fit what was asked in the turn before."""
    asked = situacao.pendente.criterios
    either = _by_place(criterios, excluidos, situacao)
    if len(either) > 1:
        return either
    if _are_places(criterios, situacao.offers):
        return choose(criterios, excluidos, situacao)  # with what was asked before it would be a day of the month
    if situacao.pendente.assunto == "escolher":
        together = choose(over(asked, criterios), excluidos, situacao)
        if together:
            return together
    fitting = choose(criterios, excluidos, situacao)
    if len(fitting) < 2:
        return fitting
    tighter = choose(over(asked, criterios), excluidos, situacao)
    return tighter if 0 < len(tighter) < len(fitting) else fitting


def in_scope(criterios: Criterios, situacao: Situacao) -> tuple[Offer, ...]:
    """The slots shown of the doctors, clinics or specialties that were named."""
    scope = Criterios(especialidades=criterios.especialidades, medicos=criterios.medicos, clinicas=criterios.clinicas)
    return tuple(offer for offer in situacao.listed if holds(scope, offer, situacao.specialty_of(offer.clinic)))
