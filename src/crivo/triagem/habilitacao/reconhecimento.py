"""Documents that code cannot recognise, shown to a model: is this the paper that the edital asks for? Source: design, Habilitação.

The answer counts only with a quote that stands in the document. It may spare a project a wrong alarm, and never raises one: what the
model does not recognise stays as code has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal

import msgspec

from crivo.kernel.agents.prompts import Prompt, load_prompt
from crivo.kernel.llm.port import Dado, Modelo, ModeloIndisponivel, Question
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Evidencia, Habilitacao, ItemHabilitacao
from crivo.triagem.avaliacao.dobra import fold_quote
from crivo.triagem.avaliacao.material import OMITIDO, PESSOAL
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Edital, Requisito, RequisitoDocumento
from crivo.triagem.habilitacao.documentos import Confirmado, quote
from crivo.triagem.habilitacao.sugestao import habilitar, suggest
from crivo.triagem.habilitacao.tipos import Tipos, tipos_of
from crivo.triagem.irregularidades.instrucoes import find_instrucoes

AGENTE: Final = "triagem.habilitacao"
_TEMPERATURE: Final = 0.0
_LONGEST_TEXT: Final = 12_000  # letters: what a paper is shows at its beginning
SHORTEST_QUOTE: Final = 15  # the prompt says the same
_SILENT: Final = "O modelo de linguagem não respondeu se é; confira à mão."
_YES: Final = "O código não reconheceu o documento; o modelo de linguagem leu nele o que o edital pede."


class RespostaDocumento(msgspec.Struct, frozen=True):
    """What a model says of a document: first the words that show what it is, then whether it is what is asked for."""

    trecho: Annotated[str, msgspec.Meta(max_length=2_000, description="Trecho do documento, copiado letra por letra.")]
    atende: Annotated[bool, msgspec.Meta(description="Se o documento é o que o edital pede.")]


@dataclass(frozen=True, slots=True)
class Duvida:
    """A document that no mark tells, and what it was sent for, by its requisito and by the name of its type."""

    requisito: RequisitoDocumento
    documento: DocumentoLido
    nome: str


@dataclass(frozen=True, slots=True)
class Reconhecido:
    """A document that a model took for what is asked, and the words that show it, found in it."""

    duvida: Duvida
    evidencia: Evidencia


def habilitacao_prompt() -> Prompt:
    """The prompt of the agent that recognises documents."""
    return load_prompt("crivo.triagem", "habilitacao.md")


def find_duvidas(requisitos: Sequence[Requisito], lido: ProjetoLido, itens: Sequence[ItemHabilitacao], tipos: Tipos) -> tuple[Duvida, ...]:
    """The documents refused for not looking like what is asked, that look like nothing else; what hides or instructs is left to people."""
    refused = {item.requisito for item in itens if item.motivo == "documento_tipo_errado"}
    return tuple(
        Duvida(requisito, documento, tipos.nome(requisito.documento))
        for requisito in requisitos
        if isinstance(requisito, RequisitoDocumento) and requisito.id in refused
        for documento in lido.documentos
        if documento.requisito == requisito.id and documento.leitura == "lido" and _is_unknown(documento, tipos)
    )


class Reconhecedora:
    """Asks a model about the documents in doubt, one question each."""

    def __init__(self, modelo: Modelo) -> None:
        self._modelo = modelo

    async def revisar(
        self, scope: Scope, edital: Edital, requisitos: Sequence[Requisito], lido: ProjetoLido, feita: Habilitacao, origem: str, nonce: str
    ) -> tuple[Habilitacao, bool]:
        """The habilitação with what the model could tell, and whether it answered every question; a failure changes nothing but a word."""
        duvidas = await asyncio.to_thread(find_duvidas, requisitos, lido, feita.itens, tipos_of(edital.documentos_proprios))
        if not duvidas:
            return feita, True
        asked = await asyncio.gather(*(self._ask(scope, duvida, origem, nonce) for duvida in duvidas))
        found = [one for one in asked if isinstance(one, Reconhecido)]
        silent = {duvida.requisito.id for duvida, one in zip(duvidas, asked, strict=True) if one == "sem_resposta"}
        return apply(edital, requisitos, lido, feita, found, silent), not silent

    async def _ask(self, scope: Scope, duvida: Duvida, origem: str, nonce: str) -> Reconhecido | Literal["sem_resposta"] | None:
        question = Question(
            agente=AGENTE,
            prompt=habilitacao_prompt(),
            partes=_parts(duvida),
            resposta=RespostaDocumento,
            nonce=nonce,
            temperatura=_TEMPERATURE,
            conferir=partial(_complaint, duvida.documento),
        )
        try:
            reply = await self._modelo.ask(scope, question, origem)
        except ModeloIndisponivel:
            return "sem_resposta"
        if reply.provisoria:  # its quote is not there, and it could not be told so
            return "sem_resposta"
        evidencia = find_quote(duvida.documento, reply.valor.trecho) if reply.valor.atende else None
        return None if evidencia is None else Reconhecido(duvida, evidencia)


def apply(
    edital: Edital,
    requisitos: Sequence[Requisito],
    lido: ProjetoLido,
    feita: Habilitacao,
    found: Sequence[Reconhecido],
    silent: Container[str],
) -> Habilitacao:
    """The habilitação again, with the recognised documents taken for what they are said to be, and all else checked by code as ever.

    An item that code would refuse for another reason stays as it was: on a model's word nobody is excluded. `silent` are the requisitos
    of which the model said nothing.
    """
    confirmed = frozenset(Confirmado(one.duvida.requisito.id, one.duvida.documento.sha256) for one in found)
    again = {item.requisito: item for item in habilitar(edital, requisitos, lido, confirmed).itens} if confirmed else {}
    shown = {one.duvida.requisito.id: one.evidencia for one in found}
    itens = []
    for item in feita.itens:
        now = again.get(item.requisito, item)
        if item.requisito in shown and now.situacao != "nao_atende":
            told = _YES if now.situacao == "atende" else f"{_YES} {now.achado}"
            itens.append(msgspec.structs.replace(now, achado=told, evidencia=shown[item.requisito], autor="modelo"))
        elif item.requisito in silent:
            itens.append(msgspec.structs.replace(item, achado=f"{item.achado} {_SILENT}"))
        else:
            itens.append(item)
    return suggest(feita.projeto_id, requisitos, itens)


def find_quote(documento: DocumentoLido, trecho: str) -> Evidencia | None:
    """Where a quote stands in a document, letter by letter but for blanks, case and quotation marks; None for one that is too short too."""
    wanted = fold_quote(trecho.strip()).texto
    if len(wanted) < SHORTEST_QUOTE:
        return None
    for pagina in documento.paginas:
        span = fold_quote(pagina.texto).find(wanted)
        if span is not None:
            return Evidencia(arquivo=documento.arquivo, pagina=pagina.numero, trecho=quote(documento, pagina.texto[slice(*span)]).trecho)
    return None


def _is_unknown(documento: DocumentoLido, tipos: Tipos) -> bool:
    texto = documento.texto
    return bool(texto.strip()) and not (documento.ocultos or tipos.find(texto) or find_instrucoes(texto))


def _parts(duvida: Duvida) -> tuple[str | Dado, ...]:
    texto = PESSOAL.sub(OMITIDO, duvida.documento.texto)  # what a document is can be told without anybody's numbers
    cut = f"O documento tem {len(texto)} caracteres; acima estão os primeiros {_LONGEST_TEXT}." if len(texto) > _LONGEST_TEXT else ""
    parts: list[str | Dado] = [f"O edital pede este documento: {duvida.nome}."]
    if duvida.requisito.descricao:
        parts.append(Dado("requisito", duvida.requisito.descricao))
    parts.append(Dado("documento", texto[:_LONGEST_TEXT]))
    return (*parts, cut) if cut else tuple(parts)


def _complaint(documento: DocumentoLido, said: RespostaDocumento) -> str | None:
    if find_quote(documento, said.trecho) is None:
        return "O trecho não está no documento como foi copiado, ou é curto demais. Copie uma frase inteira, letra por letra."
    return None
