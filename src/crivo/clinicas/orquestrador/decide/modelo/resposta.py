"""What a model may answer when it plans: steps, and by kind what to ask, say or refuse; the words are the code's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, cast

import msgspec

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, MotivoDeRecusa, Plan, Step, TipoDeEmergencia
from crivo.clinicas.orquestrador.emergencia import answer
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.ferramentas import PLANNED, Parametros, planned
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.registro import Registro

TipoDePergunta = Literal[
    "especialidade", "medico", "horario", "consulta_a_cancelar", "consulta_a_mudar", "novo_horario", "data", "confirmacao", "nao_entendi"
]
TipoDeFala = Literal["saudacao", "agradecimento", "desistencia", "ajuda", "minhas_consultas"]

_MOST_SENTENCES: Final = 12
_LONGEST_SENTENCE: Final = 300  # characters


class PassoProposto(msgspec.Struct, frozen=True):
    """A step as a model wrote it; clinic and action may be none that there is."""

    step_id: int
    clinic: str
    action: str
    parameters: Parametros = Parametros()
    depends_on: list[int] = []


class PlanoProposto(msgspec.Struct, frozen=True):
    """A plan as a model wrote it."""

    steps: list[PassoProposto] = []
    pergunta: TipoDePergunta | None = None
    fala: TipoDeFala | None = None
    recusa: MotivoDeRecusa | None = None
    idioma: Idioma = "pt"
    emergencia: TipoDeEmergencia | None = None


class PlanoRaciocinado(msgspec.Struct, frozen=True):
    """The same by the reasoning variant, which says first how it came to it. Source: blueprint 2.3.1, `decompose_cot`."""

    raciocinio: list[str]
    steps: list[PassoProposto] = []
    pergunta: TipoDePergunta | None = None
    fala: TipoDeFala | None = None
    recusa: MotivoDeRecusa | None = None
    idioma: Idioma = "pt"
    emergencia: TipoDeEmergencia | None = None


Proposto = PlanoProposto | PlanoRaciocinado

_ASKED: Final[dict[TipoDePergunta, str]] = {
    "especialidade": "qual_especialidade",
    "medico": "qual_profissional",
    "horario": "o_que_confirmar",
    "consulta_a_cancelar": "qual_consulta",
    "consulta_a_mudar": "qual_consulta",
    "novo_horario": "novo_horario",
    "data": "qual_data",
    "confirmacao": "o_que_confirmar",
    "nao_entendi": "nao_entendi",
}
_SAID: Final[dict[TipoDeFala, str]] = {
    "saudacao": "saudacao",
    "agradecimento": "agradecimento",
    "desistencia": "dispensa",
    "ajuda": "ajuda",
    "minhas_consultas": "suas_consultas",
}


def complaint(proposto: Proposto, registro: Registro) -> str | None:
    """What the model is told where it names a clinic or an action that there is not; None where it names none."""
    known = {clinica.id for clinica in registro}
    wrong = [step for step in proposto.steps if step.clinic not in known or planned(step.action) is None]
    if not wrong:
        return None
    actions = ", ".join(one.name for one in PLANNED)
    return f"Há passo com clínica ou ação que não existe. Clínicas: {', '.join(sorted(known))}. Ações: {actions}."


def plan_of(proposto: Proposto, utterance: str, dialogue: Dialogue) -> Plan:
    """The plan that a model proposes, in the code's own words; its steps are as it wrote them, and still to be checked."""
    idioma = _language(proposto, utterance, dialogue)
    texts = Mensagens.of(idioma, dialogue)
    raciocinio = tuple(_told(proposto.raciocinio, dialogue)) if isinstance(proposto, PlanoRaciocinado) else ()
    if proposto.emergencia is not None:
        return Plan(fala=answer(proposto.emergencia, idioma), idioma=idioma, raciocinio=raciocinio, emergencia=proposto.emergencia)
    if proposto.recusa is not None:
        return Plan(recusa=proposto.recusa, fala=texts.say(proposto.recusa), idioma=idioma, raciocinio=raciocinio)
    steps = tuple(_step(step) for step in proposto.steps)
    asked = texts.say(_ASKED[proposto.pergunta]) if proposto.pergunta and not steps else None
    said = _words(proposto.fala, texts, dialogue) if proposto.fala and not steps and not asked else None
    return Plan(steps, pergunta=asked, fala=said, idioma=idioma, raciocinio=raciocinio)


def _step(step: PassoProposto) -> Step:
    parameters: dict[str, str] = msgspec.to_builtins(step.parameters)
    # An action that there is not is dropped, and reported, by the check of every plan.
    return Step(step.step_id, step.clinic, cast("Action", step.action), parameters, tuple(step.depends_on))


def _language(proposto: Proposto, utterance: str, dialogue: Dialogue) -> Idioma:
    """The language by the person's own words; what the model says of it counts where these tell nothing, as `ok` does."""
    told = language_of(utterance, dialogue.utterances)
    return told if told != "pt" or dialogue.utterances or _is_portuguese(utterance) else proposto.idioma


def _is_portuguese(utterance: str) -> bool:
    return len(utterance.split()) > 1


def _words(fala: TipoDeFala, texts: Mensagens, dialogue: Dialogue) -> str:
    if fala != "minhas_consultas":
        return texts.say(_SAID[fala])
    if not dialogue.bookings:
        return texts.say("sem_consultas")
    return texts.say(_SAID[fala], lista=texts.bookings(dialogue.bookings))


def _told(raciocinio: list[str], dialogue: Dialogue) -> Iterator[str]:
    """The sentences of a reasoning that anybody may read: short, and none that breaks a rule."""
    own = dialogue
    for sentence in raciocinio[:_MOST_SENTENCES]:
        said = " ".join(sentence.split())[:_LONGEST_SENTENCE]
        verdict = verify_text(said, (), own.paciente, own.conferida_como, registro=own.registro, now=own.now)
        if not set(verdict.regras) & {"R1", "R2", "R3"}:
            yield said
