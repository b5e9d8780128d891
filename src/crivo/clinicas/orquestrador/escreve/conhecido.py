"""What may be said in a turn though no clinic answered it just now: what was shown, held, done or told before."""

from __future__ import annotations

from collections.abc import Mapping

from crivo.clinicas.orquestrador.confere import Known
from crivo.clinicas.orquestrador.contracts import Dialogue, Feito, Offer, ParaQuem
from crivo.clinicas.orquestrador.decide.pessoas.para_quem import asked_about
from crivo.clinicas.orquestrador.entende.selecao import Selecao
from crivo.clinicas.orquestrador.feito import cancelled, claims
from crivo.clinicas.orquestrador.passos import offer_of


def known(
    dialogue: Dialogue,
    utterance: str,
    selecao: Selecao,
    proposed: tuple[Offer, ...] = (),
    people: tuple[str, ...] = (),
    feito: Feito | None = None,
) -> Known:
    """What may be said though no clinic answered it in this turn, and which of the slots that one answered are to be told.

    `proposed` are slots that a question names, `people` the names that the person gave; `feito` is what earlier turns did, where the text
    may tell of it: where it is written by code alone, no clinic having answered.
    """
    gone = tuple(offer_of(one) for one in cancelled(feito))
    offers = dialogue.offers if selecao.todas else tuple(dict.fromkeys((*dialogue.offers, *dialogue.vitrine.todas)))
    works = frozenset((doctor, clinic) for doctor, clinics in dialogue.doctors.items() for clinic in clinics)
    said = (*dialogue.utterances, utterance)
    counts = frozenset(count for grupo in selecao.grupos for count in (grupo.quantos, grupo.mais, grupo.fora, len(grupo.ofertas)))
    shown = selecao.ofertas if selecao.todas else None
    return Known(
        doctors=tuple(dialogue.doctors),
        offers=(*offers, *proposed, *gone),
        bookings=dialogue.bookings,
        said=said,
        shown=shown,
        works=works,
        counts=counts,
        people=people,
        done=claims(feito),
    )


def named(dialogue: Dialogue, para: ParaQuem | None, pending: Mapping[str, str]) -> tuple[str, ...]:
    """The names that were given: of who speaks, of those to book for, and of whom it is asked whether it is for them."""
    own = (dialogue.paciente.nome,) if dialogue.paciente is not None else ()
    held = (one.para for one in dialogue.bookings if one.para)
    called = [para.quem] if para is not None and para.quem[:1].isupper() else []
    called += [one for one in (asked_about(pending),) if one[:1].isupper()]
    others = (*(one.nome for one in dialogue.pessoas), *held, *called, *([para.nome] if para is not None and para.nome else []))
    return (*own, *others) if others else ()
