"""A model reads, beside the data, the texts that a model wrote and code let pass: it may hold one back, never let one through.

It costs one call a decision. What it holds against a text has to be pointed at, in the text or, where something is left out, in the data;
code looks whether it is there. Where nobody read, the texts stand as code's check left them, and the trail says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from crivo.autorizacoes.modelo.perguntas import dado, shown_to_writers
from crivo.autorizacoes.redacao import Decidido
from crivo.autorizacoes.trilha import AlarmeLido, Etapas, SegundaLeitura
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.errors import CrivoError
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Dado, Modelo, ModeloIndisponivel, Question, Reply
from crivo.kernel.tenancy import Scope

AGENTE: Final = "autorizacoes.segunda_leitura"
SEGUNDA_LEITURA: Final = "segunda_leitura"
"""The kind of fault of a text that it holds back."""

_DEMOROU: Final = "demorou"
_LEAST_SECONDS: Final = 0.05  # with less, no answer of any model can come, and asking would only be paid for
_SHORTEST: Final = 2  # letters and digits of a passage; a shorter one stands in any text

Tipo = Literal[
    "números",
    "códigos",
    "datas",
    "documentos e fontes",
    "desfecho",
    "o que falta",
    "motivos e efeitos",
    "promessas",
    "dispensas",
    "custos",
    "atos e canais",
    "saúde",
    "juízos",
    "jargão",
    "negativa sem fonte",
    "contradiz",
    "omite",
]


class Alarme(msgspec.Struct, frozen=True):
    """What a model holds against one text."""

    campo: Annotated[str, Meta(description="o nome do campo em `textos`, inteiro")]
    trecho: Annotated[
        str, Meta(description="palavras do texto que os dados não sustentam, copiadas; em `omite`, palavras dos dados que o texto não diz")
    ]
    tipo: Annotated[Tipo, Meta(description="o que há de errado")]


class Leitura(msgspec.Struct, frozen=True):
    """What a model says of all the texts of a decision."""

    alarmes: Annotated[list[Alarme], Meta(description="um item para cada coisa a apontar; vazia quando nada há")]


async def read_again(
    modelo: Modelo,
    scope: Scope,
    etapas: Etapas,
    decidido: Decidido,
    textos: Mapping[str, str],
    *,
    origem: str,
    seconds: float,
    ticks: Callable[[], float],
) -> SegundaLeitura:
    """The record of a reading of `textos`, by path, within so many seconds; a failure is told in it and holds nothing back.

    `etapas` are the code's answers, which the writers saw.
    """
    question = ask_reading(etapas, decidido, textos, seconds)
    reply: Reply[Leitura] | None = None
    falha: str | None = None
    began = ticks()
    if seconds < _LEAST_SECONDS:
        falha = _DEMOROU
    else:
        try:
            async with asyncio.timeout(seconds):
                reply = await modelo.ask(scope, question, origem)
        except TimeoutError:
            falha = _DEMOROU
        except ModeloIndisponivel as error:
            falha = error.falha
        except CrivoError as error:  # what keeps the answers may be away too, and the decision goes on all the same
            falha = error.codigo
    alarmes = () if reply is None else standing(reply.valor, textos, _shown(question))
    return SegundaLeitura(
        modelo=modelo.nome if reply is None else reply.modelo,
        prompt_versao=question.prompt.versao,
        prompt_digest=question.prompt.digest,
        duracao_ms=round((ticks() - began) * 1000),
        tokens_entrada=0 if reply is None else reply.tokens_entrada,
        tokens_saida=0 if reply is None else reply.tokens_saida,
        custo=None if reply is None else reply.custo,
        repetida=reply is not None and reply.repetida,
        falha=falha,
        alarmes=tuple([AlarmeLido(one.campo, one.tipo) for one in alarmes]),
    )


def ask_reading(etapas: Etapas, decidido: Decidido, textos: Mapping[str, str], seconds: float) -> Question[Leitura]:
    """The question about `textos`, by path, beside what their writers saw."""
    shown = shown_to_writers(etapas, decidido)

    def complain(said: Leitura) -> str | None:
        told = [line for alarme in said.alarmes for line in _faults(alarme, textos, [parte.texto for parte in shown])]
        return "\n".join(["Aponte o que lá está, ou tire o alarme; os outros podem ficar.", *told]) if told else None

    return Question(
        agente=AGENTE,
        prompt=load_prompt("crivo.autorizacoes", "segunda_leitura.md"),
        partes=(*shown, dado("textos", dict(textos))),
        resposta=Leitura,
        nonce=new_nonce(),
        temperatura=0.0,
        conferir=complain,
        espera_seconds=max(seconds, _LEAST_SECONDS),
    )


def standing(said: Leitura, textos: Mapping[str, str], dados: Sequence[str]) -> list[Alarme]:
    """The alarms that point at something: words of that text, or of the data and not of that text where it is said to leave them out."""
    return [alarme for alarme in said.alarmes if not list(_faults(alarme, textos, dados))]


def _faults(alarme: Alarme, textos: Mapping[str, str], dados: Sequence[str]) -> Iterator[str]:
    """What is wrong with an alarm (pt-BR), nothing where it stands."""
    texto = textos.get(alarme.campo)
    if texto is None:
        yield f"- {alarme.campo}: não é um campo de `textos`."
    elif alarme.tipo != "omite":
        if not _stands(alarme.trecho, texto):
            yield f"- {alarme.campo}: “{alarme.trecho}” não está neste texto; copie dele, letra por letra."
    elif not any(_stands(alarme.trecho, one) for one in dados):
        yield f"- {alarme.campo}: “{alarme.trecho}” não está nos dados; em `omite`, copie dos dados o que o texto não diz."
    elif _stands(alarme.trecho, texto):
        yield f"- {alarme.campo}: “{alarme.trecho}” está no texto; ele não omite isto."


def _stands(trecho: str, texto: str) -> bool:
    words = _words(trecho)
    return sum(char.isalnum() for char in words) >= _SHORTEST and f" {words} " in f" {_words(texto)} "


def _words(text: str) -> str:
    """The letters and digits of a text in small letters, one blank for whatever is between them."""
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def _shown(question: Question[Leitura]) -> list[str]:
    return [parte.texto for parte in question.partes if isinstance(parte, Dado) and parte.rotulo != "textos"]
