"""What the embedded planner is left to go on from after a plan of a model's, so that both may alternate within a conversation."""

from __future__ import annotations

import msgspec

from crivo.clinicas.ferramentas import CANCELAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Plan, Step
from crivo.clinicas.orquestrador.decide.situacao import Pendente, read_pending, write_pending
from crivo.clinicas.orquestrador.entende.criterios import Criterios, over, without
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.mensagem import read


def remembered(plan: Plan, utterance: str, dialogue: Dialogue) -> dict[str, str]:
    """The `pending` after a plan: what was listed, and of which day and time; what a question was about stays."""
    before = read_pending(dialogue.pending)
    listed = [step for step in plan.steps if step.ferramenta is VER_HORARIOS]
    if listed:
        asked = over(_moment(utterance, dialogue), _scope(listed, dialogue))
        changing = before.consulta if before.proposito == "mudar" and before.consulta in dialogue.bookings else None
        return write_pending(Pendente("listado", asked, "mudar" if changing else "marcar", consulta=changing))
    cancelled = [step for step in plan.steps if step.ferramenta is CANCELAR]
    if len(cancelled) == len(plan.steps) == 1:
        return write_pending(Pendente("cancelou", consulta=_held(cancelled[0], dialogue)))
    if plan.steps:
        return {}
    return dict(dialogue.pending) if plan.pergunta or plan.recusa else write_pending(msgspec.structs.replace(before, proposta=None))


def _moment(utterance: str, dialogue: Dialogue) -> Criterios:
    """The day and time that were asked for."""
    sentence = read_sentence(utterance)
    said = read(sentence, dialogue).leitura.criterios
    return without(said, "especialidades", "medicos", "clinicas", "numeros", "ordinais")


def _scope(listed: list[Step], dialogue: Dialogue) -> Criterios:
    """Whom or where the listings are of: doctors, else specialties where all their clinics are asked, else clinics."""
    doctors = tuple(dict.fromkeys(step.parameters["doctor"] for step in listed if step.parameters.get("doctor")))
    if doctors:
        return Criterios(medicos=tuple((doctor,) for doctor in doctors))
    clinics = tuple(dict.fromkeys(step.clinic for step in listed))
    known = [clinica for clinica in dialogue.registro if clinica.id in clinics]
    names = tuple(dict.fromkeys(clinica.especialidade for clinica in known))
    every = {clinica.id for name in names for clinica in dialogue.registro.of_specialty(name)}
    return Criterios(especialidades=names) if every == set(clinics) else Criterios(clinicas=clinics)


def _held(step: Step, dialogue: Dialogue) -> Booking | None:
    where = step.parameters
    wanted = (step.clinic, where.get("doctor"), where.get("date"), where.get("time"))
    return next((one for one in dialogue.bookings if one.vaga == wanted), None)
