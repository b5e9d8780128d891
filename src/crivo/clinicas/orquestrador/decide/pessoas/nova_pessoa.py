"""A message for somebody else than the appointment spoken of: a new wish, which moves nobody's appointment and is bound by no other's.

Source: design, "Who the appointment is for": whose is whose is kept apart.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, ParaQuem, Vitrine
from crivo.clinicas.orquestrador.decide.conferencia import resolve_references
from crivo.clinicas.orquestrador.decide.listar import scope_of_talk
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import over
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import for_me, told_for
from crivo.clinicas.orquestrador.preferencias import Preferencias
from crivo.kernel.linguagem.fala import fold

_WISHES: Final = frozenset({"marcar", "escolher", "listar"})


def starts_anew(dialogue: Dialogue, para: ParaQuem | None) -> Dialogue:
    """The dialogue without what bound the search of whoever was booked for before, where the next booking is for another person."""
    before = dialogue.para
    if _name(before) == _name(para) or not any(is_of(one, before) for one in dialogue.bookings):
        return dialogue
    return msgspec.structs.replace(dialogue, preferencias=Preferencias())


def shown_for_another(dialogue: Dialogue, para: ParaQuem | None) -> bool:
    """Whether the slots shown were looked for for somebody who was named, and the next booking is for another person."""
    before = dialogue.para
    if before is None or not dialogue.offers or any(is_of(one, before) for one in dialogue.bookings):
        return False
    other = para is None or bool(before.nome) or " " in para.quem  # `o Tiago` may be one of `seus filhos`
    return other and _name(before) != _name(para) and (para is None or before.quem != para.quem)


def _searched_anew(act: Ato, situacao: Situacao) -> tuple[Ato, Situacao]:
    """A wish that tells more than a place in the list, as a listing: no slot proposed for one person is taken over for another."""
    criterios = resolve_references(act.leitura, situacao)
    if act.tipo not in _WISHES or not (criterios.has_moment or criterios.has_scope) or criterios.ordinais or criterios.numeros:
        return act, situacao
    wanted = criterios if criterios.has_scope else over(scope_of_talk(situacao), criterios)
    anew = msgspec.structs.replace(act, tipo="listar", leitura=msgspec.structs.replace(act.leitura, criterios=wanted))
    empty = msgspec.structs.replace(situacao.dialogue, offers=(), vitrine=Vitrine(), preferencias=Preferencias())
    return anew, msgspec.structs.replace(situacao, dialogue=empty, pendente=Pendente(), de_outra=False)


def for_another(sentence: Frase, act: Ato, situacao: Situacao) -> tuple[Ato, Situacao]:
    """An act and its situation, where it is told to be for another person than the appointment spoken of: that one cannot be changed by it.

    What it points at (`no mesmo dia`) is filled in before. An answer about a change that was begun is of that change.
    """
    if situacao.de_outra:
        return _searched_anew(act, situacao)
    held = situacao.pendente.consulta or next(reversed(situacao.bookings), None)
    changing = situacao.pendente.assunto in {"mudar", "mudar_alvo"} or situacao.pendente.proposito == "mudar"
    begun = changing and not (act.tipo == "marcar" and act.has_verb)
    told = for_me(sentence) or told_for(sentence, situacao.dialogue) is not None
    if held is None or begun or not told or act.tipo not in _WISHES or is_of(held, situacao.dialogue.para):
        return act, situacao
    criterios = resolve_references(act.leitura, situacao)
    parted = msgspec.structs.replace(act, leitura=msgspec.structs.replace(act.leitura, criterios=criterios))
    alone = msgspec.structs.replace(situacao.dialogue, bookings=())
    return parted, msgspec.structs.replace(situacao, dialogue=alone, ocupadas=situacao.bookings)


def is_of(booking: Booking, para: ParaQuem | None) -> bool:
    """Whether an appointment is of that person: of the speaker where it is nobody."""
    if para is None:
        return not booking.para
    first = {fold(one).split()[0] for one in (para.nome,) if one}
    return bool(booking.para) and (booking.quem == para.quem or fold(booking.para).split()[0] in first or booking.para == para.quem)


def _name(para: ParaQuem | None) -> str:
    return "" if para is None else fold(para.nome or para.quem)
