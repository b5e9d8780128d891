"""What code checks on every plan, whoever made it. Source: blueprint rules 1, 2 and 10; design, "Rule 10"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue, Plan, Step
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.ferramentas import planned
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import list_free, unreadable
from crivo.clinicas.orquestrador.trace import Report
from crivo.clinicas.registro import Registro


def check_plan(plan: Plan, registro: Registro, especialidades: Iterable[str] = ()) -> tuple[Plan, tuple[Report, ...]]:
    """The plan with unknown clinics, actions and parameters dropped and with every clinic of `especialidades` asked, and what was mended.

    `especialidades` are those that the person named without a doctor or a clinic (`asked_specialties`): a listing that leaves out one
    of their clinics is completed. Source: blueprint rule 10.
    """
    reports: list[Report] = []
    kept: list[Step] = []
    for step in plan.steps:
        known_step = _with_known_parameters(step, reports)
        fault = _fault(known_step, registro, kept)
        if fault:
            reports.append(fault)
            continue
        kept.append(known_step)
    for especialidade in especialidades:
        kept += _missing(kept, registro, especialidade, reports)
    known = {step.step_id for step in kept}
    steps = tuple(msgspec.structs.replace(step, depends_on=tuple(one for one in step.depends_on if one in known)) for step in kept)
    return msgspec.structs.replace(plan, steps=steps), tuple(reports)


def _fault(step: Step, registro: Registro, before: list[Step]) -> Report | None:
    if step.action == "raw_response":
        return None
    if planned(step.action) is None:
        return Report("acao_desconhecida", step.step_id, step.action)
    if registro.find(step.clinic) is None:
        return Report("clinica_desconhecida", step.step_id, step.clinic)
    if any((step.clinic, step.action, step.parameters) == (one.clinic, one.action, one.parameters) for one in before):
        return Report("passo_repetido", step.step_id, step.clinic)
    return None


def _with_known_parameters(step: Step, reports: list[Report]) -> Step:
    """The step without parameters that its tool has not; identity is never a plan's to give. Source: blueprint 1.6."""
    ferramenta = planned(step.action)
    known = set(ferramenta.parameters) if ferramenta is not None else set(step.parameters)
    if set(step.parameters) <= known:
        return step
    strange = sorted(set(step.parameters) - known)
    reports.append(Report("parametro_indevido", step.step_id, ", ".join(strange)))
    return msgspec.structs.replace(step, parameters={name: value for name, value in step.parameters.items() if name in known})


def _missing(steps: list[Step], registro: Registro, especialidade: str, reports: list[Report]) -> list[Step]:
    """The listings that rule 10 asks for and the plan has not, where it lists some clinic of the specialty."""
    clinics = registro.of_specialty(especialidade)
    asked = {step.clinic for step in steps if step.ferramenta is VER_HORARIOS}
    if not any(clinica.id in asked for clinica in clinics):
        return []
    next_id = max((step.step_id for step in steps), default=0) + 1
    absent = [clinica.id for clinica in clinics if clinica.id not in asked]
    reports += [Report("clinica_acrescentada", 0, clinic) for clinic in absent]
    return [list_free(clinic, next_id + index) for index, clinic in enumerate(absent)]


def asked_specialties(utterance: str, dialogue: Dialogue) -> tuple[str, ...]:
    """The specialties that a person names without naming a doctor or a clinic, by which rule 10 is checked."""
    leitura = read(utterance, dialogue).leitura
    named = bool(leitura.criterios.medicos or leitura.criterios.clinicas or leitura.excluidos.clinicas)
    pointed = bool(leitura.referencias & {"outra_clinica", "mesma_clinica", "mesmo_medico"})
    return () if named or pointed else leitura.criterios.especialidades


class _RawStep(msgspec.Struct):
    clinic: str
    action: str
    step_id: int = 0
    parameters: dict[str, Any] = {}
    depends_on: tuple[int, ...] = ()


class _RawPlan(msgspec.Struct):
    steps: list[_RawStep]
    reasoning: tuple[str, ...] = ()


def read_plan(raw: str, utterance: str, dialogue: Dialogue) -> tuple[Plan, tuple[Report, ...]]:
    """The plan that a model wrote: a list of steps, or an object with `steps` and `reasoning`.

    What cannot be read becomes a `raw_response` step and a polite question. Source: blueprint 2.3.1, fallback.
    """
    idioma = language_of(utterance, dialogue.utterances)
    try:
        text = raw.strip()
        found = (
            msgspec.json.decode(text, type=_RawPlan) if text.startswith("{") else _RawPlan(msgspec.json.decode(text, type=list[_RawStep]))
        )
    except (msgspec.DecodeError, msgspec.ValidationError):
        asked = Mensagens.of(idioma, dialogue).say("nao_entendi")
        return Plan((unreadable(),), pergunta=asked, idioma=idioma), (Report("json_ilegivel"),)
    reports = [
        Report("acao_desconhecida", step.step_id or index, step.action)
        for index, step in enumerate(found.steps, 1)
        if planned(step.action) is None
    ]
    steps = tuple(_step(step, index) for index, step in enumerate(found.steps, 1) if planned(step.action) is not None)
    checked, more = check_plan(
        Plan(steps, idioma=idioma, raciocinio=found.reasoning), dialogue.registro, asked_specialties(utterance, dialogue)
    )
    return checked, (*reports, *more)


def _step(raw: _RawStep, index: int) -> Step:
    parameters = {name: value if isinstance(value, str) else str(value) for name, value in raw.parameters.items() if value is not None}
    return msgspec.convert(
        {
            "step_id": raw.step_id or index,
            "clinic": raw.clinic,
            "action": raw.action,
            "parameters": parameters,
            "depends_on": raw.depends_on,
        },
        Step,
    )
