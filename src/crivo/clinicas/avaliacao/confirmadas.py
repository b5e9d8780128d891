"""Where a set expects an act in the turn that asks for it, and the act is asked about first: what a person would say to it.

A cancellation or a change that was typed is said back and done after a yes. Sets that were written for one turn stay what they are: the
plan of a turn is what is done after it and the yes to it. So is a booking for somebody else, whose name and CPF are asked: the sets hold it
in the speaker's name. Source: docs/decisions/0023.
"""

from __future__ import annotations

from typing import Final

from crivo.clinicas.avaliacao.conjunto import TurnoEsperado
from crivo.clinicas.avaliacao.pontuacao import TurnoObtido, plan_is_right
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.confirmar.proposta import proposed
from crivo.clinicas.orquestrador.decide.pessoas import para_quem
from crivo.clinicas.orquestrador.decide.situacao import read_pending
from crivo.clinicas.orquestrador.passos import book

SIM: Final = "sim"
NO_MEU_NOME: Final = "pode ser no meu nome"


def yes_to(expected: TurnoEsperado, got: TurnoObtido, after: Dialogue) -> str | None:
    """What is said to a proposal of exactly what the turn expects; None where the turn expects no such act, as where the case answers."""
    unnamed = para_quem.waiting(after.pending)
    if unnamed is not None and not expected.pergunta and plan_is_right(expected.plano, (*got.steps, *unnamed.steps)):
        return NO_MEU_NOME
    waiting = proposed(after.pending)
    slot = read_pending(after.pending).proposta
    steps = waiting.steps if waiting is not None else (book(slot),) if slot is not None else ()
    return SIM if steps and not expected.pergunta and plan_is_right(expected.plano, (*got.steps, *steps)) else None


def together(first: TurnoObtido, second: TurnoObtido) -> TurnoObtido:
    """A turn and the yes to it, as one."""
    verdict = first.verdict if not first.verdict.safe else second.verdict
    return TurnoObtido(
        (*first.steps, *second.steps),
        second.pergunta,
        first.recusa or second.recusa,
        (*first.replies, *second.replies),
        verdict,
        f"{first.texto}\n{second.texto}",
        confirmado=True,
    )
