"""A turn as it may be shown: what was planned, called, judged and said, what is on offer after it, and what it changed.

Clinics' raw answers are not in it: of them only what the verifier passed is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from crivo.clinicas.orquestrador.contracts import (
    Booking,
    ClinicReply,
    Dialogue,
    MotivoDeRecusa,
    Offer,
    Paciente,
    Step,
    TipoDeEmergencia,
    Value,
    Verdict,
)
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import waits_for_yes
from crivo.clinicas.orquestrador.emergencia import Telefone, phones_of
from crivo.clinicas.orquestrador.entendido import understood
from crivo.clinicas.orquestrador.feito import exchanges
from crivo.clinicas.orquestrador.linguagem.botoes import slot_message
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name
from crivo.clinicas.orquestrador.listados import offers_in
from crivo.clinicas.orquestrador.trace import Author, CallFinished, ModelFailed
from crivo.clinicas.registro import Registro
from crivo.kernel.settings import Planejador


class Oferta(Value, frozen=True):
    """A free slot: at which clinic, with whom and when (`YYYY-MM-DD`, `HH:MM`), the message that chooses it, and its number in the list."""

    clinic: str
    clinica: str
    doctor: str
    specialty: str
    date: str
    time: str
    mensagem: str
    numero: int = 0


class Marcada(Value, frozen=True, tag_field="situacao", tag="marcada"):
    """An appointment was booked."""

    consulta: Booking


class Remarcada(Value, frozen=True, tag_field="situacao", tag="remarcada"):
    """An appointment was moved, and may be moved back until `desfazer_ate` by the message `Desfazer`."""

    anterior: Booking
    consulta: Booking
    desfazer_ate: datetime | None = None


class Cancelada(Value, frozen=True, tag_field="situacao", tag="cancelada"):
    """An appointment was cancelled, and may be given back until `desfazer_ate` by the message `Desfazer`, while its slot is free."""

    consulta: Booking
    desfazer_ate: datetime | None = None


Mudanca = Marcada | Remarcada | Cancelada


class Passos(Value, frozen=True):
    """What a turn did. `ms` is how long it took; `planejador` is who planned it, and `falhas` what models did not do in it."""

    plano: tuple[Step, ...]
    pergunta: bool
    recusa: MotivoDeRecusa | None
    chamadas: tuple[CallFinished, ...]
    veredito: Verdict
    autor: Author
    ms: float
    planejador: Planejador = "embutido"
    falhas: tuple[ModelFailed, ...] = ()


class Turno(Value, frozen=True):
    """A message and its answer; `passos` is None where it was only about who is speaking.

    `ofertas` are the slots that the answer shows, in its order and by its numbers, and `mais` how many more `mais` would show.
    `entendido` is what the person asked of them so far, a few words for each thing.
    `emergencia` is what the message sounds like, and `telefones` whom to call then, the first one first. `recepcao` is whether the
    reception was told of the turn, or it was only noted, as nobody is there. `pessoa` is the name of who of the reception wrote `texto`,
    with no message before it; `marco` is what they did where they did not write. A message to a person has no `texto`, nor
    has one whose answer was lost. `confirma`: it asks for a yes or a no.
    """

    mensagem: str
    texto: str
    passos: Passos | None = None
    ofertas: tuple[Oferta, ...] = ()
    mudancas: tuple[Mudanca, ...] = ()
    entendido: tuple[str, ...] = ()
    mais: int = 0
    emergencia: TipoDeEmergencia | None = None
    telefones: tuple[Telefone, ...] = ()
    recepcao: Literal["avisada", "anotada"] | None = None
    pessoa: str = ""
    marco: Literal["entrou", "devolveu"] | None = None
    confirma: bool = False


def turno_of(said: str, reply: Reply, after: Dialogue) -> Turno:
    """A turn out of what was said, what was answered, and the dialogue after it."""
    trace = reply.trace
    if trace is None:
        return Turno(said, reply.texto)
    plan = trace.plan
    asked = plan.pergunta is not None
    passos = Passos(
        plano=plan.steps,
        pergunta=asked,
        recusa=plan.recusa,
        chamadas=trace.calls,
        veredito=trace.verdict,
        autor=trace.autor,
        ms=trace.ms,
        planejador=trace.planejador,
        falhas=trace.falhas,
    )
    shows = bool(plan.ofertas) or bool(offers_in(trace.replies))
    ofertas = tuple(_oferta(number, offer, after.registro) for number, offer in enumerate(after.offers, 1)) if shows else ()
    more = (after.vitrine.mais or after.vitrine.fora) if shows else 0
    telefones = phones_of(plan.emergencia, plan.idioma) if plan.emergencia else ()
    done = tuple(_mudancas(trace.replies, after.feito.ate if after.feito else None, after.paciente))
    known, confirma = understood(after), asked and waits_for_yes(after.pending)
    return Turno(
        mensagem=said,
        texto=reply.texto,
        passos=passos,
        ofertas=ofertas,
        mudancas=done,
        entendido=known,
        mais=more,
        emergencia=plan.emergencia,
        telefones=telefones,
        confirma=confirma,
    )


def _oferta(number: int, offer: Offer, registro: Registro) -> Oferta:
    slot, clinica = offer.slot, clinic_name(offer.clinic, registro)
    return Oferta(
        clinic=offer.clinic,
        clinica=clinica,
        doctor=slot.doctor,
        specialty=slot.specialty,
        date=slot.date,
        time=slot.time,
        mensagem=slot_message(offer, registro),
        numero=number,
    )


def _mudancas(replies: Iterable[ClinicReply], ate: datetime | None, own: Paciente | None) -> Iterable[Mudanca]:
    for done in exchanges(replies, own):
        if done.antes is not None:
            yield Remarcada(done.antes, done.depois, ate) if done.depois is not None else Cancelada(done.antes, ate)
        elif done.depois is not None:
            yield Marcada(done.depois)
