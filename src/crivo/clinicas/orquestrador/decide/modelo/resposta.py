"""What a model may answer when it plans: steps, and by kind what to ask, say or refuse; the words are the code's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, cast

import msgspec
from msgspec import Meta

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, MotivoDeRecusa, Plan, Step, TipoDeEmergencia
from crivo.clinicas.orquestrador.emergencia import answer
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.ferramentas import Parametros
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.pessoa import whom_to_call

TipoDePergunta = Literal[
    "especialidade", "medico", "horario", "consulta_a_cancelar", "consulta_a_mudar", "novo_horario", "data", "confirmacao", "nao_entendi"
]
TipoDeFala = Literal["saudacao", "agradecimento", "desistencia", "ajuda", "minhas_consultas", "sem_informacao"]

_MOST_SENTENCES: Final = 12
_LONGEST_SENTENCE: Final = 300  # characters


class PassoProposto(msgspec.Struct, frozen=True):
    """A step as a model wrote it; clinic and action may be none that there is."""

    step_id: Annotated[int, Meta(description="1, 2, 3…, na ordem da lista")]
    clinic: Annotated[str, Meta(description="`id` de uma clínica do cadastro")]
    action: Annotated[str, Meta(description="ação do catálogo")]
    parameters: Annotated[Parametros, Meta(description="só os que a ação usa; os outros, nulos")] = Parametros()
    depends_on: Annotated[list[int], Meta(description="`step_id` dos passos que precisam dar certo antes; quase sempre vazia")] = []


Passos = Annotated[list[PassoProposto], Meta(description="o que chamar; vazia quando se pergunta, se recusa ou só se fala")]
Pergunta = Annotated[TipoDePergunta | None, Meta(description="o que falta saber, quando não há passo; senão, nulo")]
Fala = Annotated[TipoDeFala | None, Meta(description="o que se diz a quem não pede passo nenhum; senão, nulo")]
Recusa = Annotated[MotivoDeRecusa | None, Meta(description="a regra pela qual não se atende; senão, nulo")]
Lingua = Annotated[Idioma, Meta(description="língua da mensagem de agora")]
Alarme = Annotated[TipoDeEmergencia | None, Meta(description="só quando alguém precisa de socorro agora; senão, nulo")]


class PlanoProposto(msgspec.Struct, frozen=True):
    """A plan as a model wrote it."""

    steps: Passos = []
    pergunta: Pergunta = None
    fala: Fala = None
    recusa: Recusa = None
    idioma: Lingua = "pt"
    emergencia: Alarme = None


class PlanoRaciocinado(msgspec.Struct, frozen=True):
    """The same by the reasoning variant, which says first how it came to it. Source: blueprint 2.3.1, `decompose_cot`."""

    raciocinio: Annotated[list[str], Meta(description="de duas a seis frases curtas, antes de decidir, sem nome nem dado de ninguém")]
    steps: Passos = []
    pergunta: Pergunta = None
    fala: Fala = None
    recusa: Recusa = None
    idioma: Lingua = "pt"
    emergencia: Alarme = None


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
    "sem_informacao": "sabe_a_recepcao",
}


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
    unknown = said is not None and proposto.fala == "sem_informacao"
    return Plan(steps, pergunta=asked, fala=said, recusa="escopo" if unknown else None, idioma=idioma, raciocinio=raciocinio)


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
    if fala == "sem_informacao":
        phones = whom_to_call(texts.idioma, texts.registro)
        return texts.say(_SAID[fala], telefones=f"{phones} " if phones else "")
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
