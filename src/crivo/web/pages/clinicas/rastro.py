"""How an answer came about, in plain words, for those who attend: who planned, which clinics were called, who judged, who wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from crivo.clinicas.orquestrador.contracts import Step, Verdict
from crivo.clinicas.orquestrador.ferramentas import words_of
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name
from crivo.clinicas.orquestrador.trace import CallFinished, ModelFailed
from crivo.clinicas.registro import Registro
from crivo.clinicas.turnos import Passos
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.clinicas.palavras import DESFECHOS, FALHAS, FINALIDADES, NO_LUGAR, PLANEJADORES, REDATORES, REGRAS, milliseconds

_NOTHING_ASKED: Final = "Nenhuma clínica precisou ser chamada."


@dataclass(frozen=True, slots=True)
class Linha:
    """One line of the trace; `rotulo` where it has an outcome."""

    texto: str
    rotulo: Rotulo | None = None


@dataclass(frozen=True, slots=True)
class Autoria:
    """Who wrote something: `codigo` or `modelo`, and which of them."""

    autor: str
    quem: str


@dataclass(frozen=True, slots=True)
class Rastro:
    """The trace of one turn; `falhas` say what code did in the place of a model, and why."""

    numero: int
    duracao: str
    planejador: Autoria
    plano: tuple[Linha, ...]
    chamadas: tuple[Linha, ...]
    veredito: Rotulo
    redator: Autoria
    falhas: tuple[str, ...]

    @classmethod
    def of(cls, numero: int, passos: Passos, registro: Registro) -> Rastro:
        """The trace of the turn of that number."""
        return cls(
            numero,
            milliseconds(passos.ms),
            Autoria(*PLANEJADORES[passos.planejador]),
            tuple(_plano(passos, registro)),
            tuple(_chamada(call, registro) for call in passos.chamadas),
            _veredito(passos.veredito),
            Autoria(*REDATORES[passos.autor]),
            tuple(_falha(failed) for failed in passos.falhas),
        )


def _plano(passos: Passos, registro: Registro) -> Iterable[Linha]:
    for step in passos.plano:
        yield Linha(_step(step, registro))
    if passos.recusa:
        yield Linha(f"Não atendido: {REGRAS[passos.recusa]}.")
    if passos.pergunta:
        yield Linha("Foi preciso perguntar.")
    if not (passos.plano or passos.recusa or passos.pergunta):
        yield Linha(_NOTHING_ASKED)


def _step(step: Step, registro: Registro) -> str:
    said = step.parameters
    moments = [(said.get(f"{kind}date"), said.get(f"{kind}time")) for kind in ("original_", "new_", "")]
    when = " para ".join(_moment(day, time) for day, time in moments if day and time)
    parts = (said.get("doctor", ""), when, said.get("patient_id", ""))
    return ", ".join(part for part in (f"{words_of(step.action)}: {clinic_name(step.clinic, registro)}", *parts) if part)


def _moment(day: str, time: str) -> str:
    return f"{day[8:10]}/{day[5:7]} {time}"


def _chamada(call: CallFinished, registro: Registro) -> Linha:
    what = FINALIDADES[call.finalidade] or words_of(call.action).lower()
    again = f", {call.tentativa}ª vez" if call.tentativa > 1 else ""
    return Linha(f"{clinic_name(call.clinic, registro)}: {what}{again}, {milliseconds(call.ms)}", DESFECHOS[call.situacao])


def _veredito(verdict: Verdict) -> Rotulo:
    if verdict.safe:
        return Rotulo("Resposta conferida com os dados das clínicas", "✓", "aprovado")
    reasons = "; ".join(REGRAS[regra] for regra in verdict.regras)
    return Rotulo(f"Retido na conferência: {reasons}", "!", "pendente")


def _falha(failed: ModelFailed) -> str:
    return f"{NO_LUGAR[failed.agente]}: {FALHAS[failed.falha]}."
