"""What came of a turn that was lost with its server: every change that had begun is looked for at its clinic before anything else is done.

A booking is found by the code that the clinic made of its id, a change by the code or the account that it was made by.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from crivo.clinicas.codigos import code_from
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Step, Vaga, Value
from crivo.clinicas.orquestrador.conversa.consultas import find_at, with_held
from crivo.clinicas.orquestrador.decide.decisao import decide_by_code
from crivo.clinicas.orquestrador.feito import Troca, done_by
from crivo.clinicas.orquestrador.linguagem.formatos import written_slot
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.provas import Chaveiro, Comecado
from crivo.clinicas.orquestrador.trace import Tell

Desfecho = Literal["marcou", "nao_marcou", "mudou", "nao_mudou", "cancelou", "nao_cancelou", "sem_resposta"]
_NOTHING: Final = "nada"
_DONE: Final = frozenset({"marcou", "mudou", "cancelou"})


class Conferida(Value, frozen=True):
    """What came of a turn that was lost: the dialogue with it, and that in words; `feita` tells that all that had begun was done."""

    dialogue: Dialogue
    fala: str
    feita: bool


async def mended(
    comecados: tuple[Comecado, ...], dialogue: Dialogue, chaveiro: Chaveiro, router: Router, texts: Mensagens, tell: Tell
) -> Conferida:
    """The dialogue with what came of each change that had begun, and that in words; the codes of what was booked are new ones.

    What it gave up can be taken back as if its own answer had told of it, for ten minutes from now.
    """
    told, before = [texts.say("interrompida")], dialogue
    trocas: list[Troca] = []
    for one in comecados:
        desfecho, found = await _looked_for(one, dialogue, chaveiro, router, tell)
        if desfecho in _DONE:
            trocas.append(Troca(_held(one.step.frees, dialogue), found))
            dialogue = _with(dialogue, one.step, found)
        vaga = one.step.frees if desfecho in {"cancelou", "nao_mudou", "nao_cancelou"} else one.step.books or one.step.frees
        if vaga is not None:
            slot = written_slot(*(found.vaga if found else vaga), texts.registro, texts.idioma)
            told.append(texts.say(f"interrompida_{desfecho}", horario=slot))
    if trocas:
        done = done_by(before, tuple(one.step for one in comecados), trocas)
        dialogue = msgspec.structs.replace(dialogue, feito=done)
    fala = " ".join(told if comecados else [*told, texts.say(f"interrompida_{_NOTHING}")])
    return Conferida(dialogue, fala, feita=bool(comecados) and len(trocas) == len(comecados))


def is_said_again(said: str, comecados: tuple[Comecado, ...], before: Dialogue) -> bool:
    """Whether a message, said where the lost one was, asks for what that one had begun and for no other change."""
    wanted = [step for step in decide_by_code(said, before).plan.steps if step.changes]
    begun = [(one.step.clinic, one.step.action, one.step.parameters) for one in comecados]
    return bool(wanted) and all((step.clinic, step.action, step.parameters) in begun for step in wanted)


async def _looked_for(one: Comecado, dialogue: Dialogue, chaveiro: Chaveiro, router: Router, tell: Tell) -> tuple[Desfecho, Booking | None]:
    """What came of a change, and the appointment that stands by it, where one does."""
    step, clinica = one.step, router.registro.find(one.step.clinic)
    frees, books = step.frees, step.books
    code = chaveiro.find(frees) if frees else ""
    if books and not frees and clinica is not None:
        code = code_from(chaveiro.pedido(books, one.paciente.cpf).encode(), clinica.id, clinica.letras)
    found = await find_at(router, Caller(dialogue.quem, one.paciente, chaveiro, codigo=code), dialogue.paciente, step.clinic, tell)
    if found.faltam or found.descansam:
        return "sem_resposta", None
    if frees and not (code or found.contaram):  # who could not look could not change anything either
        return ("nao_mudou" if books else "nao_cancelou"), None
    new, old = _at(books, found.consultas), _at(frees, found.consultas)
    if frees is None:
        if new is not None:
            chaveiro.give(new.vaga, code)
        return ("marcou", new) if new is not None else ("nao_marcou", None)
    if old is not None:
        return ("nao_mudou" if books else "nao_cancelou"), old
    if new is not None:
        chaveiro.move(frees, new.vaga, "")
        return "mudou", new
    if books is None:
        chaveiro.cancel(frees, one.paciente.cpf)
        return "cancelou", None
    return "sem_resposta", None


def _with(dialogue: Dialogue, step: Step, found: Booking | None) -> Dialogue:
    """The dialogue once it is known that a change was made; nothing that was asked before it is answered by what is said now."""
    kept = tuple(one for one in dialogue.bookings if one.vaga != step.frees)
    after = msgspec.structs.replace(dialogue, bookings=kept, pending={})
    return after if found is None else with_held(after, [found])


def _held(vaga: Vaga | None, dialogue: Dialogue) -> Booking | None:
    """The appointment that a change gave up, as the dialogue knew it: with whose it was."""
    known = next((one for one in dialogue.bookings if one.vaga == vaga), None)
    return known if known is not None or vaga is None else Booking(*vaga)


def _at(vaga: Vaga | None, consultas: tuple[Booking, ...]) -> Booking | None:
    """The appointment of a slot; its doctor may have been named in part."""
    return next((one for one in consultas if vaga is not None and one.vaga[2:] == vaga[2:]), None)
