"""Pedidos put to a model both ways: the texts of a decision, as `assistido` asks for them, and six whole answers, as `sombra` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final
from uuid import UUID

import msgspec

from crivo.autorizacoes import amostra
from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.campos import base_table
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.modelo.comparacao import TEXTOS, Comparado, compare_answer, unanswered
from crivo.autorizacoes.modelo.perguntas import ENTRADA_LONGA, ask_answer, fits
from crivo.autorizacoes.modelo.redator import Redator
from crivo.autorizacoes.modelo.sombra import Assunto, looked_up
from crivo.autorizacoes.modelo.textos import ESCRITORES, decidido_of
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.trilha import Escrita
from crivo.gravadas.medidas import Medida, Parte, counted, part, spread
from crivo.kernel.agents.contract import AgentContract, Author
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel
from crivo.kernel.tenancy import Scope

RECEBIDO_EM: Final = date(2026, 11, 20)  # when the sample's pedidos count as received, so that what is asked is the same on every day
_ORIGEM: Final = "avaliar-modelo:sombra"
_NOBODY: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Casos:
    """Pedidos, and the rules that decide them."""

    fluxo: Fluxo
    politicas: Sequence[Politica]
    pedidos: Sequence[bytes]


def sample() -> Casos:
    """The pedidos that come with the product; everybody in them is made up."""
    politicas = [read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]
    fluxo = Fluxo(Catalogo.of(politicas), amostra.campos())
    return Casos(fluxo, politicas, [arquivo.conteudo for arquivo in amostra.pedidos()])


def worked(conteudo: bytes) -> Casos:
    """The worked cases of a file `{"politicas": [...], "casos": [{"pedido"}]}`."""
    found = msgspec.json.decode(conteudo)
    politicas = [msgspec.convert(one, Politica) for one in found["politicas"]]
    return Casos(Fluxo(Catalogo.of(politicas)), politicas, [msgspec.json.encode(caso["pedido"]) for caso in found["casos"]])


async def written(modelo: Modelo, scope: Scope, casos: Casos, how_many: int, on_case: Callable[[], None]) -> list[Medida]:
    """The texts of some decisions, evenly out of all: how many of the model's stand, by agent and over all."""
    if not how_many:
        return []
    redator = Redator(modelo)
    escritas: list[Escrita] = []
    for pedido in spread(casos.pedidos, how_many):
        trilha = await redator.escrever(scope, casos.fluxo.decide(pedido, RECEBIDO_EM))
        escritas += trilha.escritas or ()
        on_case()
    stages = [contract.stage for contract, _ in ESCRITORES]
    return [
        _standing("textos que chegam à pessoa", escritas),
        *(_standing(f"textos de {stage}", [one for one in escritas if one.etapa == stage]) for stage in stages),
    ]


def _standing(nome: str, escritas: Sequence[Escrita]) -> Medida:
    answered = [escrita for escrita in escritas if escrita.falha is None]
    campos = [campo for escrita in answered for campo in escrita.campos.values()]
    told = f"Passam na conferência; os outros são do código; {len(escritas) - len(answered)} de {len(escritas)} perguntas sem resposta"
    return counted("redacao", nome, campos, lambda campo: campo.autor is Author.MODEL, told)


async def shadowed(
    modelo: Modelo, scope: Scope, casos: Casos, how_many: int, on_case: Callable[[], None]
) -> tuple[list[Medida], dict[str, Parte]]:
    """The six agents on some pedidos: answers that equal the code's in every field, texts that stand; and the agreement of each field."""
    if not how_many:
        return [], {}
    found: list[list[Comparado]] = []
    for pedido in spread(casos.pedidos, how_many):
        assunto = _assunto(casos, pedido)
        asked = [contract for contract in AGENTES if getattr(assunto.etapas, contract.stage) is not None]
        found += await asyncio.gather(*(_compare(modelo, scope, contract, assunto) for contract in asked))
        on_case()
    return list(_agreement(found)), _by_field(found)


def _assunto(casos: Casos, pedido: bytes) -> Assunto:
    etapas = casos.fluxo.decide(pedido, RECEBIDO_EM).etapas
    administradora = etapas.normalizacao.pedido_normalizado.administradora_id
    own = [msgspec.json.encode(one).decode() for one in casos.politicas if one.administradora_id == administradora]
    received = datetime.combine(RECEBIDO_EM, time(12), UTC)
    final = etapas.sintese.decisao_final
    guardada = Autorizacao(_NOBODY, None, administradora, final, received, RECEBIDO_EM, 1, pedido, b"", b"", b"")
    return Assunto(guardada, etapas, base_table(), own)


async def _compare(modelo: Modelo, scope: Scope, contract: AgentContract, assunto: Assunto) -> list[Comparado]:
    etapas = assunto.etapas
    decidido = decidido_of(etapas)
    shown = assunto.guardada.pedido.decode(errors="replace")
    seen = {"pedido": shown, **{agente.stage: getattr(etapas, agente.stage) for agente in AGENTES}}
    question = ask_answer(contract, seen, contract.output, beside=looked_up(contract, assunto, decidido) or (), espera_seconds=120)
    if not fits(contract, question):
        return unanswered(contract, modelo.nome, ENTRADA_LONGA)
    try:
        reply = await modelo.ask(scope, question, _ORIGEM)
    except ModeloIndisponivel as error:
        return unanswered(contract, modelo.nome, error.falha)
    return compare_answer(contract, reply.modelo, getattr(etapas, contract.stage), reply.valor, decidido)


def _agreement(found: Sequence[Sequence[Comparado]]) -> Iterator[Medida]:
    for contract in AGENTES:
        own = [fields for fields in found if fields[0].agente == contract.stage]
        answered = [fields for fields in own if not _failed(fields)]
        told = f"Iguais às do código em todo campo que não é texto; {len(own) - len(answered)} de {len(own)} sem resposta"
        yield counted("sombra", f"respostas inteiras de {contract.stage}", answered, _is_whole, told)
    answered = [fields for fields in found if not _failed(fields)]
    values = [one for fields in answered for one in fields if (one.agente, one.campo) not in TEXTOS]
    texts = [one for fields in answered for one in fields if (one.agente, one.campo) in TEXTOS]
    yield counted("sombra", "campos iguais aos do código", values, lambda one: one.igual, "De todas as respostas, sem os textos")
    yield counted("sombra", "textos que passam na conferência", texts, lambda one: one.igual, "Os três que escrevem")


def _is_whole(fields: Sequence[Comparado]) -> bool:
    return all(one.igual for one in fields if (one.agente, one.campo) not in TEXTOS)


def _by_field(found: Sequence[Sequence[Comparado]]) -> dict[str, Parte]:
    counts: dict[str, list[bool]] = {}
    for fields in found:
        if not _failed(fields):
            for one in fields:
                counts.setdefault(f"{one.agente}.{one.campo}", []).append(one.igual)
    return {campo: part(iguais, bool) for campo, iguais in sorted(counts.items())}


def _failed(fields: Sequence[Comparado]) -> bool:
    """Whether a question had no answer: then no field agrees, and all have the same reason."""
    return all(not one.igual and one.falha is not None for one in fields)
