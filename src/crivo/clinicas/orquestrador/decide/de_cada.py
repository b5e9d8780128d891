"""One slot for every wish of a list with several specialties: `os dois`, `o primeiro de cada`; never two of one.

Where a wish has more than one fitting it is asked which, and the others wait with what was told of all.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.conferencia import resolve_references
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import COUNTS, Ato
from crivo.clinicas.orquestrador.entende.criterios import Criterios, over, without
from crivo.clinicas.orquestrador.entende.desejos import moment, open_wishes, slots_for, specialty
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked
from crivo.clinicas.orquestrador.entende.leitura import read_stretch
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.passos import book
from crivo.clinicas.orquestrador.preferencias import Busca

_PLACES: Final = ("ordinais", "extremo", "numeros")
_SHOWN: Final = 5


def decide_each(act: Ato, sentence: Frase, situacao: Situacao) -> Saida | None:
    """The bookings of a choice that is of every wish shown, or the question about the first that several slots fit; None for any other."""
    wishes, said = open_wishes(situacao.dialogue), act.leitura.criterios
    if not wishes or act.tipo not in {"marcar", "escolher"} or act.nenhum or act.duvida:
        return None
    if not (act.tudo or act.cada):
        return _numbered(act, len(wishes), situacao)
    names = {specialty(one, situacao.dialogue) for one in wishes}
    if said.medicos or said.clinicas or (said.especialidades and set(said.especialidades) != names):
        return None
    if act.quantos not in {0, len(wishes)} or act.leitura.falhas:
        return None
    told = without(_without_the_count(act, sentence, situacao), "especialidades", "ramos", "numeros")
    found = [_fitting(one, told, act.leitura.excluidos, situacao) for one in wishes]
    if not any(found):
        return None
    if all(len(each) == 1 for each in found):
        return booked(tuple(each[0] for each in found), situacao)
    return _which(wishes, found, told, situacao)


def _without_the_count(act: Ato, sentence: Frase, situacao: Situacao) -> Criterios:
    """What is said beside how many are meant: `os dois de manhã` tells no two o'clock."""
    said, counted = act.leitura.criterios, [accord(group).search(sentence.text, act.start, act.end) for group, _ in COUNTS]
    for found in counted:
        if found is not None:
            rest = blanked(sentence, *found.span())
            told = read_stretch(rest, read(rest, situacao.dialogue).mencoes, act.start, act.end).criterios
            said = msgspec.structs.replace(told, ordinais=said.ordinais, extremo=said.extremo)
    return resolve_references(msgspec.structs.replace(act.leitura, criterios=said), situacao)


def _numbered(act: Ato, many: int, situacao: Situacao) -> Saida | None:
    """The bookings of as many places in the list as there are wishes, one of each: `1 e 5`; None for any other choice."""
    said, shown = act.leitura.criterios, situacao.offers
    bare = without(said, "numeros").is_empty and act.leitura.excluidos.is_empty and not act.pergunta
    if not bare or len(said.numeros) != many or max(said.numeros) > len(shown) or min(said.numeros) < 1:
        return None
    chosen = tuple(shown[place - 1] for place in said.numeros)
    return booked(chosen, situacao) if len({situacao.specialty_of(one.clinic) for one in chosen}) == many else None


def each_as_asked(situacao: Situacao) -> tuple[Offer, ...]:
    """The one slot of every wish shown, where each has one alone; else empty."""
    found = [slots_for(one, situacao.dialogue) for one in open_wishes(situacao.dialogue)]
    return tuple(each[0] for each in found) if all(len(each) == 1 for each in found) else ()


def booked(offers: tuple[Offer, ...], situacao: Situacao) -> Saida:
    """The bookings of several slots at once; the question which where two are at the same hour, as nobody is at two places."""
    if len({moment(offer) for offer in offers}) < len(offers):
        asked = situacao.mensagens.say("na_mesma_hora", lista=situacao.mensagens.numbered(offers))
        return Saida(pergunta=asked, pendente=Pendente("escolher"), buscas=open_wishes(situacao.dialogue), ofertas=offers)
    return Saida(steps=tuple(book(offer, index) for index, offer in enumerate(offers, 1)))


def _fitting(busca: Busca, said: Criterios, excluidos: Criterios, situacao: Situacao) -> tuple[Offer, ...]:
    """The slots of one wish that fit what is said of all of them: a place is of those shown of it."""
    name = specialty(busca, situacao.dialogue)
    if said.ordinais:
        return choose(said, excluidos, situacao, [one for one in situacao.offers if situacao.specialty_of(one.clinic) == name])
    wish = msgspec.structs.replace(busca, quer=without(busca.quer, *_PLACES)) if said.extremo else busca
    return choose(said, excluidos, situacao, slots_for(wish, situacao.dialogue))


def _which(wishes: tuple[Busca, ...], found: list[tuple[Offer, ...]], told: Criterios, situacao: Situacao) -> Saida:
    """The question about the first wish that not one slot alone fits; the others are kept as narrow as they were told."""
    texts = situacao.mensagens
    kept = tuple(msgspec.structs.replace(one, quer=over(one.quer, without(told, "ordinais"))) for one in wishes)
    at = next(index for index, each in enumerate(found) if len(each) != 1)
    name = texts.specialty(specialty(wishes[at], situacao.dialogue))
    if not found[at]:
        asked = texts.say("de_cada_nenhum", especialidade=name)
        return Saida(pergunta=asked, pendente=Pendente("reabrir", Criterios(especialidades=kept[at].quer.especialidades)), buscas=kept)
    shown = found[at][:_SHOWN]
    more = texts.say("e_mais", mais=str(len(found[at]) - len(shown))) if len(shown) < len(found[at]) else ""
    asked = texts.say("de_cada", especialidade=name, quantos=str(len(found[at])), lista=texts.numbered(shown) + more)
    return Saida(pergunta=asked, pendente=Pendente("escolher", without(kept[at].quer, *_PLACES)), buscas=kept, ofertas=shown)
