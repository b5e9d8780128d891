"""A model's second opinion: it judges what passed the rules in code, and may hold it back, never let it through. Source: design, Verifier.

It costs one call for each text, and one for each free text that clinics had not sent before: the same question is answered by the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Verdict
from crivo.clinicas.orquestrador.entende.mascara import masked
from crivo.clinicas.orquestrador.fatos import Fatos, Known
from crivo.clinicas.orquestrador.linha import PACKAGE, Linha
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.port import Dado, Question

_NOTE: Final = "retido pela segunda opinião do modelo"


class Opiniao(msgspec.Struct, frozen=True):
    """What a model says of a text: `regras` are those that it breaks. Source: blueprint 2.3.2."""

    safe: Annotated[bool, Meta(description="falso só quando alguma regra é quebrada")]
    regras: Annotated[list[Literal["R1", "R2", "R3"]], Meta(description="as regras quebradas; vazia quando nenhuma")] = []


class SecondOpinion:
    """A model's opinion in one conversation; what it is shown is masked."""

    def __init__(self, linha: Linha) -> None:
        self._linha = linha

    async def of_data(self, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> Verdict | None:
        """Of the free text in what the clinics answered; None where it says nothing against it. Raises ModeloIndisponivel."""
        spoken = Fatos(replies, dialogue.paciente, dialogue.papel, Known()).spoken
        told = sorted({masked(text, dialogue) for text in spoken if text.strip()})
        return await self._judge("recado de uma clínica", told)

    async def of_text(self, texto: str, dialogue: Dialogue) -> Verdict | None:
        """Of a text for the person; None where it says nothing against it. Raises ModeloIndisponivel."""
        return await self._judge("texto para a pessoa", [masked(texto, dialogue)])

    async def _judge(self, rotulo: str, textos: Iterable[str]) -> Verdict | None:
        parts = tuple(Dado(rotulo, texto) for texto in textos)
        if not parts:
            return None
        question = Question(
            agente="clinicas.verifier",
            prompt=load_prompt(PACKAGE, "verifier.md"),
            partes=parts,
            resposta=Opiniao,
            nonce=self._linha.nonce,
            temperatura=0.0,
            conferir=_contradiction,
            espera_seconds=self._linha.prazos.verifier,
        )
        said = await self._linha.ask(question)
        regras = tuple(dict.fromkeys(said.regras))
        if said.safe or not regras:
            return None
        return Verdict(safe=False, note=" ".join(f"{regra}: {_NOTE}." for regra in regras), regras=regras)


def _contradiction(said: Opiniao) -> str | None:
    """What is told to a model whose two fields say two things."""
    if said.safe == (not said.regras):
        return None
    return (
        "`safe` e `regras` se contradizem: com alguma regra quebrada, `safe` é falso e `regras` diz quais; sem nenhuma, verdadeiro e vazia."
    )
