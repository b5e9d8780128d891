"""Right after a booking: what was booked does not suit, and nothing is done of it before it is clear what shall be.

What is held is said, with how to give it up. Source: design, "Nothing irreversible on a guess".
"""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Plan
from crivo.clinicas.orquestrador.decide.buscas import kept_search
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import question
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto
from crivo.clinicas.orquestrador.decide.listar import list_slots
from crivo.clinicas.orquestrador.decide.situacao import Pendente, situation_of, write_pending
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, reference
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import cancel
from crivo.kernel.linguagem.fala import fold

_PLACES = ("ordinais", "extremo", "numeros")


def after_booking(utterance: str, sentence: Frase, dialogue: Dialogue, texts: Mensagens) -> Planned | None:
    """The plan of a message that only takes back, or wishes otherwise, what was just booked; None where it says anything else."""
    done, text = dialogue.feito, sentence.text
    if done is None or done.ato not in {"marcou", "desfez"} or "?" in text:
        return None
    held = tuple(one for one in done.consultas if one in dialogue.bookings)
    if not held:
        return None
    if done.ato == "marcou" and accord("ordena_desfazer").search(text) and consists_of(text, "desfazer", "resto"):
        return _to_cancel(utterance, held, texts)
    situacao = situation_of(dialogue, texts)
    if situacao.pendente.assunto:
        return None
    if consists_of(text, "marcou_cedo", "hesita", "nao", "resto"):
        return _keep_or_change(held[-1], texts)
    if accord("muda_de_ideia").search(text) and consists_of(text, "desfazer", "nao", "resto"):
        return _keep_or_change(held[-1], texts)
    if consists_of(text, "nao_serve_o_marcado", "nao", "resto") and not reference("outro_horario").search(text):
        return _others(held[-1], dialogue, texts)
    if done.turno != len(dialogue.utterances) or any(intention(name).search(text) for name in ("agradecer", "dispensar")):
        return None
    if consists_of(text, "fica", "nao", "resto") or (reference("este").search(text) and consists_of(text, "resto")):
        return Plan(fala=texts.say("continua_marcada", lista=texts.bookings(dialogue.bookings)), idioma=texts.idioma), {}
    return _keep_or_change(held[-1], texts) if consists_of(text, "nao", "resto") else None


def _to_cancel(utterance: str, held: tuple[Booking, ...], texts: Mensagens) -> Planned:
    """The proposal to give up what was booked, which a yes does."""
    steps = tuple(cancel(booking, number) for number, booking in enumerate(held, 1))
    waiting = msgspec.json.encode(Proposto(steps, fold(utterance), texts.idioma)).decode()
    memory = write_pending(Pendente("cancelar"))
    return Plan(pergunta=question(steps, texts, held), idioma=texts.idioma), {**memory, KEY: waiting}


def _keep_or_change(booking: Booking, texts: Mensagens) -> Planned:
    """The question whether what is held shall be cancelled or moved."""
    asked = texts.say("continua_ou_muda", horario=texts.booking(booking))
    return Plan(pergunta=asked, idioma=texts.idioma), write_pending(Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking))


def _others(booking: Booking, dialogue: Dialogue, texts: Mensagens) -> Planned:
    """The other slots of what was looked for, to change to; what was booked is told to stand until one is chosen."""
    situacao = situation_of(dialogue, texts)
    scope = Criterios(especialidades=(situacao.specialty_of(booking.clinic),))
    before = kept_search(scope, situacao)
    wanted = without(before.quer, *_PLACES) if before is not None else scope
    focused = msgspec.structs.replace(situacao, pendente=Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking))
    made = list_slots(wanted if wanted.has_scope else scope, VAZIO, focused, "mudar")
    told = texts.say("continua_e_outros", horario=texts.booking(booking))
    return Plan(made.steps, pergunta=made.pergunta, fala=told, idioma=texts.idioma, buscas=made.buscas), write_pending(made.pendente)
