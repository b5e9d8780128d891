"""Where a conversation stands when a message comes: what was shown, what is booked, what was asked last; and what a decision may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, MotivoDeRecusa, Offer, Step
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, Value, instant, over, without
from crivo.clinicas.orquestrador.entende.mencoes import Contexto, context_of
from crivo.clinicas.orquestrador.entende.selecao import fitting
from crivo.clinicas.orquestrador.listados import shown_order
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.preferencias import Busca

PENDING_KEY: Final = "estado"
Assunto = Literal[
    "",
    "listado",
    "especialidade",
    "medico",
    "escolher",
    "reabrir",
    "recusado",
    "confirmar",
    "cancelar",
    "cancelou",
    "mudar",
    "mudar_alvo",
    "pacientes",
    "alarme",
    "devolver",
]
Proposito = Literal["listar", "marcar", "mudar"]


class Pendente(Value, frozen=True):
    """What to remember for the next turn: what was asked, about which slots, and what for.

    `proposta` is the slot that a yes takes; `consulta` the booking that is being changed; `origem` what was told so far of one
    to be changed that is not known. `perguntado` tells that the last reply asked it, and not one before that; `largado` that what came then
    was no answer, so that no bare yes takes it any more.
    """

    assunto: Assunto = ""
    criterios: Criterios = VAZIO
    proposito: Proposito = "marcar"
    proposta: Offer | None = None
    consulta: Booking | None = None
    origem: Criterios = VAZIO
    perguntado: bool = True
    largado: bool = False


def read_pending(pending: Mapping[str, str]) -> Pendente:
    """What a dialogue remembers; nothing, where it is empty or was written by another planner."""
    try:
        return msgspec.json.decode(pending.get(PENDING_KEY, "{}"), type=Pendente)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return Pendente()


def write_pending(pendente: Pendente) -> dict[str, str]:
    """The same as a dialogue keeps it."""
    return {} if pendente == Pendente() else {PENDING_KEY: msgspec.json.encode(pendente).decode()}


def let_go(pendente: Pendente) -> Pendente:
    """The same, which no bare yes takes any more."""
    return pendente if pendente == Pendente() else msgspec.structs.replace(pendente, perguntado=False, largado=True)


class Saida(msgspec.Struct, frozen=True):
    """What an act comes to: steps (numbered within the act), a question, words, a refusal, and what to remember.

    `buscas` are what its listings, or the choice that it asks about, are for; `mais` goes on after what was shown; `ofertas` are the slots
    that the question shows, as it numbers them.
    """

    steps: tuple[Step, ...] = ()
    pergunta: str | None = None
    fala: str | None = None
    recusa: MotivoDeRecusa | None = None
    pendente: Pendente = Pendente()
    buscas: tuple[Busca, ...] = ()
    mais: bool = False
    ofertas: tuple[Offer, ...] = ()


class Situacao(msgspec.Struct, frozen=True):
    """A dialogue as the decisions see it; `ocupadas` are appointments of others that are out of sight, and taken.

    `de_outra` tells that what was shown was looked for for another person than the one that the message is for.
    """

    dialogue: Dialogue
    contexto: Contexto
    pendente: Pendente
    mensagens: Mensagens
    ocupadas: tuple[Booking, ...] = ()
    de_outra: bool = False

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The slots shown last, in the order shown."""
        return self.dialogue.offers

    @property
    def listed(self) -> tuple[Offer, ...]:
        """Every slot that the last listing held, those shown among them, the earliest first."""
        return shown_order((*self.dialogue.offers, *self.dialogue.vitrine.todas))

    def kept(self, said: Criterios, *, recusas: bool = True) -> tuple[Offer, ...]:
        """Those of the listed slots that are as was asked before; what is said now stands in the place of what was.

        Without `recusas` what was refused is let in, and all else still binds.
        """
        listed, buscas = self.listed, self.dialogue.preferencias.buscas
        now = tuple(field for field in ("dias", "horas", "medicos", "clinicas", "especialidades", "ramos") if getattr(said, field))
        asked = [Busca(_bound(busca.quer, said, now), busca.recusas if recusas else ()) for busca in buscas]
        found = {offer for busca in asked for offer in fitting(busca, listed, self.dialogue.registro)}
        return tuple(offer for offer in listed if offer in found) if asked else listed

    @property
    def bookings(self) -> tuple[Booking, ...]:
        """What this person holds, the last booked last; one told in full that is being changed counts, though it was booked elsewhere."""
        changes = self.pendente.assunto == "mudar_alvo" or (self.pendente.assunto, self.pendente.proposito) == ("listado", "mudar")
        changing = self.pendente.consulta if changes else None
        known = self.dialogue.bookings
        return known if changing is None or changing in known else (*known, changing)

    def specialty_of(self, clinic: str) -> str:
        """The specialty of a clinic; empty for one that is not in the registry."""
        known = self.dialogue.registro.find(clinic)
        return known.especialidade if known else ""

    def is_open(self, offer: Offer) -> bool:
        """Whether an offered slot can still be taken: not by this person already, and not past."""
        taken = any(one.vaga == offer.vaga for one in (*self.bookings, *self.ocupadas))
        return not taken and instant(offer.slot.date, offer.slot.time, self.dialogue.now) > self.dialogue.now

    def clinics_of(self, especialidade: str) -> tuple[str, ...]:
        """The ids of every clinic of a specialty. Source: blueprint rule 10."""
        return tuple(clinica.id for clinica in self.dialogue.registro.of_specialty(especialidade))

    def works_at(self, doctor: str) -> tuple[str, ...]:
        """The clinics where a doctor works."""
        return self.contexto.directory.get(doctor, ())


def _bound(quer: Criterios, said: Criterios, now: tuple[str, ...]) -> Criterios:
    """What was asked before and is not said otherwise now; what bounds a bare weekday or a part of the day bounds it still."""
    moment = Criterios(dias=said.dias, horas=said.horas)
    both = over(Criterios(dias=quer.dias, horas=quer.horas), moment)
    stays = {field: getattr(both, field) for field in ("dias", "horas") if getattr(both, field) != getattr(moment, field)}
    return msgspec.structs.replace(without(quer, *now), **stays)


def situation_of(dialogue: Dialogue, mensagens: Mensagens, *, de_outra: bool = False) -> Situacao:
    """The situation that a dialogue is in."""
    return Situacao(dialogue, context_of(dialogue), read_pending(dialogue.pending), mensagens, de_outra=de_outra)
