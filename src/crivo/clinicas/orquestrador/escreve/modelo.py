"""The responder behind `contracts.Responder` that asks a model: it is given what code verified, without who it is for.

Source: blueprint 2.3.3. Questions, refusals and courtesies of the plan are the code's own words and stand after the model's.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Plan
from crivo.clinicas.orquestrador.entende.mascara import is_of_appointments
from crivo.clinicas.orquestrador.entende.selecao import select
from crivo.clinicas.orquestrador.escreve.conferencia import Encomenda, Laudo, examine
from crivo.clinicas.orquestrador.escreve.embutido import write as write_embedded
from crivo.clinicas.orquestrador.escreve.mostrado import turn_data
from crivo.clinicas.orquestrador.linha import PACKAGE, Linha
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.port import Dado, Question


class Redigido(msgspec.Struct, frozen=True):
    """The text that a model wrote."""

    texto: Annotated[str, msgspec.Meta(description="A resposta inteira para a pessoa, em linhas simples, sem marcação nem tabela.")]


class TextoRecusado(CrivoError):
    """A model's text, told its faults and written once more, still may not be said; `laudo` is what is wrong with it."""

    codigo: ClassVar[str] = "texto_recusado"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Texto recusado"

    def __init__(self, laudo: Laudo) -> None:
        super().__init__("O texto do modelo não passou na conferência; a resposta é a do código.")
        self.laudo = laudo


class ModelResponder:
    """A model's responder for one conversation."""

    def __init__(self, linha: Linha) -> None:
        self._linha = linha

    async def write(self, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
        """The text for the person; the embedded one's where there is nothing for a model to word.

        Raises ModeloIndisponivel, and TextoRecusado where the model's words do not stand the check, told their faults once.
        """
        if not is_worded_by_model(replies):
            return write_embedded(utterance, plan, replies, dialogue)
        encomenda = Encomenda(utterance, plan.idioma, replies, select(plan, replies, dialogue), dialogue)
        question = Question(
            agente="clinicas.responder",
            prompt=load_prompt(PACKAGE, "responder.md"),
            partes=(Dado("dados do turno", turn_data(encomenda)),),
            resposta=Redigido,
            nonce=self._linha.nonce,
            temperatura=0.3,
            conferir=lambda answer: examine(answer.texto, encomenda).reclamacao,
            espera_seconds=self._linha.prazos.responder,
        )
        written = await self._linha.ask(question)
        laudo = examine(written.texto, encomenda)
        if not laudo.passa:
            raise TextoRecusado(laudo)
        return "\n".join(part for part in (written.texto.strip(), plan.fala, plan.pergunta) if part)


def is_worded_by_model(replies: tuple[ClinicReply, ...]) -> bool:
    """Whether there is something for a model to word: answers of the agenda; patients' records are shown to none."""
    return any(reply.result is not None for reply in replies) and is_of_appointments(replies)
