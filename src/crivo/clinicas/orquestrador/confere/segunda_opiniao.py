"""A model's second opinion: it judges what passed the rules in code, and may hold it back, never let it through. Source: design, Verifier.

It costs one call for each text, and one for each free text that clinics had not sent before: the same question is answered by the ledger.
A text that a model wrote is judged beside the data that it was written from, by R4 too; code's own words and clinics' notes are judged by
R1 to R3 alone. What R4 holds back has to be pointed at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Value, Verdict
from crivo.clinicas.orquestrador.entende.mascara import masked
from crivo.clinicas.orquestrador.fatos import Fatos, Known
from crivo.clinicas.orquestrador.linha import PACKAGE, Linha
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.port import Dado, Question

_NOTE: Final = "retido pela segunda opinião do modelo"
_SHORTEST: Final = 3  # letters and digits of a passage; a shorter one stands in any text
_AROUND: Final = " \t\n\"'«»“”‘’.…,;"  # what a model puts around words that it copies
_CONTRADICTION: Final = (
    "`safe` e as listas se contradizem: com alguma regra quebrada, `safe` é falso e `regras` diz quais; sem nenhuma, `safe` é verdadeiro e "
    "`regras`, `trechos` e `falta` ficam vazias."
)
_NO_DATA: Final = "R4 só se julga com os dados do turno, que aqui não vieram: julgue só R1 a R3."
_UNPOINTED: Final = (
    "R4 só vale com o que se possa apontar: em `trechos`, palavras do texto, copiadas letra por letra; em `falta`, o que está nos dados e "
    "o texto não diz, copiado dos dados. Nada do que veio ali foi achado assim. Aponte, ou tire R4."
)


class Opiniao(msgspec.Struct, frozen=True):
    """What a model says of a text: `regras` are those that it breaks, `trechos` and `falta` what R4 points at. Source: blueprint 2.3.2."""

    safe: Annotated[bool, Meta(description="falso só quando alguma regra é quebrada")]
    regras: Annotated[list[Literal["R1", "R2", "R3", "R4"]], Meta(description="as regras quebradas; vazia quando nenhuma")] = []
    trechos: Annotated[list[str], Meta(description="de R4: as palavras do texto que os dados não sustentam, copiadas letra por letra")] = []
    falta: Annotated[list[str], Meta(description="de R4: o que os dados trazem e o texto não diz, copiado dos dados")] = []


class Mostrado(Value, frozen=True):
    """What a model's text was written from, masked, as JSON: `dados` is what its writer was shown, `alem` what else may be said.

    `do_codigo` are the sentences that code put into the text.
    """

    dados: str
    alem: str
    do_codigo: tuple[str, ...] = ()


class AlarmeSemTrecho(CrivoError):
    """A model holds R4 against a text and, asked once more, points at nothing that is there: the text passes."""

    codigo: ClassVar[str] = "alarme_sem_trecho"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Alarme sem trecho"


class SecondOpinion:
    """A model's opinion in one conversation; what it is shown is masked."""

    def __init__(self, linha: Linha) -> None:
        self._linha = linha

    async def of_data(self, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> Verdict | None:
        """Of the free text in what the clinics answered; None where it says nothing against it.

        Raises ModeloIndisponivel, and AlarmeSemTrecho where all that it says is R4, of which a note alone can be no judge.
        """
        spoken = Fatos(replies, dialogue.paciente, dialogue.papel, Known()).spoken
        told = sorted({masked(text, dialogue) for text in spoken if text.strip()})
        return await self._judge(tuple(Dado("recado de uma clínica", text) for text in told), _never)

    async def of_text(self, texto: str, dialogue: Dialogue, mostrado: Mostrado | None) -> Verdict | None:
        """Of a text for the person; None where it says nothing against it. With `mostrado` it is held against the data too.

        Raises ModeloIndisponivel, and AlarmeSemTrecho where all that it says is R4 and it points at nothing.
        """
        shown = masked(texto, dialogue)
        text = Dado("texto para a pessoa", shown)
        if mostrado is None:
            return await self._judge((text,), _never)
        parts = (Dado("dados do turno", mostrado.dados), Dado("o que mais pode ser dito", mostrado.alem), text)
        return await self._judge(parts, lambda said: is_pointed(said, shown, mostrado), _UNPOINTED)

    async def _judge(self, parts: tuple[Dado, ...], bears: Callable[[Opiniao], bool], complaint: str = _NO_DATA) -> Verdict | None:
        """What is held against the parts; `bears` tells whether R4 counts, and `complaint` is what is told where it does not."""
        if not parts:
            return None
        question = Question(
            agente="clinicas.verifier",
            prompt=load_prompt(PACKAGE, "verifier.md"),
            partes=parts,
            resposta=Opiniao,
            nonce=self._linha.nonce,
            temperatura=0.0,
            conferir=lambda said: _fault(said, bears, complaint),
            espera_seconds=self._linha.prazos.verifier,
        )
        said = await self._linha.ask(question)
        if said.safe or not said.regras:
            return None
        regras = tuple(regra for regra in dict.fromkeys(said.regras) if regra != "R4" or bears(said))
        if not regras:
            raise AlarmeSemTrecho("A segunda opinião viu algo sem dado no texto e não apontou o quê: o texto segue.")
        return Verdict(safe=False, note=" ".join(f"{regra}: {_NOTE}." for regra in regras), regras=regras)


def is_pointed(said: Opiniao, texto: str, mostrado: Mostrado) -> bool:
    """Whether an alarm of R4 points at something: words of the text that are not code's own, or of the data that it leaves out."""
    inside = any(_stands(one, texto) and not any(_stands(one, own) for own in mostrado.do_codigo) for one in said.trechos)
    return inside or any(_stands(one, mostrado.dados) and not _stands(one, texto) for one in said.falta)


def _stands(trecho: str, texto: str) -> bool:
    words = _plain(trecho).strip(_AROUND)
    return sum(char.isalnum() for char in words) >= _SHORTEST and words in _plain(texto)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _never(_: Opiniao) -> bool:
    return False


def _fault(said: Opiniao, bears: Callable[[Opiniao], bool], complaint: str) -> str | None:
    """What is told to a model whose fields say two things, or whose only alarm is an R4 that does not count."""
    if said.safe != (not said.regras) or (said.safe and (said.trechos or said.falta)):
        return _CONTRADICTION
    return complaint if set(said.regras) == {"R4"} and not bears(said) else None
