"""A whole mapping proposed by a model: names and shapes go out, no value of any pedido; what comes back is held against both by code.

Source: design, "Their own format in", "A model may propose a whole mapping from names and shapes; a person tries and publishes it".
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from crivo.autorizacoes.mapeamento.documento import MAPEAVEIS
from crivo.autorizacoes.mapeamento.montagem import Montagem, Palpite, generalised
from crivo.autorizacoes.mapeamento.palpites import missing, places, propose, settle
from crivo.autorizacoes.modelo.desconhecidos import shape
from crivo.autorizacoes.modelo.perguntas import dado
from crivo.kernel.access import asks
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question
from crivo.kernel.tenancy import Scope

AGENTE: Final = "autorizacoes.formato"
ORIGEM: Final = "autorizacoes:formato"
MAX_LUGARES: Final = 120
_ESPERA_SECONDS: Final = 25.0
_LONGEST_PLACE: Final = 200
_TELLTALE: Final = re.compile(r"\d{4}")  # a name with a long number in it may be somebody's


class Lugar(msgspec.Struct, frozen=True):
    """A place in what they send, and the shape of what stands there, never the value."""

    caminho: str
    forma: str


class Correspondencia(msgspec.Struct, frozen=True):
    """What the model takes a place for."""

    caminho: str
    destino: str


class PropostaDeFormato(msgspec.Struct, frozen=True):
    """The model's answer."""

    correspondencias: tuple[Correspondencia, ...]


def lugares_of(raiz: Any) -> tuple[Lugar, ...]:
    """The places of a document by name and shape, at most 120; one whose name may be somebody's stays here."""
    found = [Lugar(generalised(um.passos), shape(um.valor)) for um in places(raiz)]
    return tuple([um for um in found if len(um.caminho) <= _LONGEST_PLACE and not _TELLTALE.search(um.caminho)][:MAX_LUGARES])


def question(faltam: Sequence[str], lugares: Sequence[Lugar]) -> Question[PropostaDeFormato]:
    """What the model is asked."""
    return Question(
        agente=AGENTE,
        prompt=load_prompt("crivo.autorizacoes", "formato.md"),
        partes=(dado("faltam", faltam), dado("lugares", lugares)),
        resposta=PropostaDeFormato,
        nonce=new_nonce(),
        temperatura=0.0,
        espera_seconds=_ESPERA_SECONDS,
    )


async def ask_for_places(modelo: Modelo, scope: Scope, montagem: Montagem, raiz: Any) -> tuple[Palpite, ...]:
    """What a model takes the missing fields for, as guesses for a person; nothing that code cannot find. Raises ModeloIndisponivel."""
    faltam, lugares = missing(montagem), lugares_of(raiz)
    if not faltam or not lugares:
        return ()
    reply = await modelo.ask(scope, question(faltam, lugares), ORIGEM)
    return checked(reply.valor, faltam, lugares, reply.modelo)


def checked(proposta: PropostaDeFormato, faltam: Sequence[str], lugares: Sequence[Lugar], autor: str) -> tuple[Palpite, ...]:
    """What of an answer may be shown: places that were sent, fields that are missing, each of both once."""
    shown = {um.caminho for um in lugares}
    found: dict[str, Palpite] = {}
    taken: set[str] = set()
    for um in proposta.correspondencias:
        is_known = um.destino in faltam and um.destino in MAPEAVEIS and um.caminho in shown
        if is_known and um.destino not in found and um.caminho not in taken:
            found[um.destino] = Palpite(um.destino, um.caminho, autor)
            taken.add(um.caminho)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Proposto:
    """A mapping on its way with what was proposed, and how many fields each proposed; `falha` says why a model did not."""

    montagem: Montagem
    pelo_codigo: int
    pelo_modelo: int
    falha: str = ""


class PropostasDeFormato:
    """Proposes what a mapping lacks: code first, then a model where there is one. Nothing is stored."""

    def __init__(self, modelo: Modelo | None) -> None:
        self._modelo = modelo

    @property
    def um_modelo_propoe(self) -> bool:
        """Whether a model is asked at all."""
        return self._modelo is not None

    @asks("politicas.escrever")
    async def propor(self, scope: Scope, montagem: Montagem, raiz: Any) -> Proposto:
        """What code and a model take the missing fields for; a model that is down, slow or wrong leaves what code found."""
        by_code = await asyncio.to_thread(propose, montagem, raiz)
        settled = settle(montagem, by_code, raiz)
        by_model: tuple[Palpite, ...] = ()
        falha = ""
        if self._modelo is not None and missing(settled):
            try:
                by_model = await ask_for_places(self._modelo, scope, settled, raiz)
            except ModeloIndisponivel as error:
                falha = error.mensagem
        known = {um.destino for um in settled.palpites}
        more = tuple([um for um in by_model if um.destino not in known])
        return Proposto(settle(settled, more, raiz), len(by_code), len(more), falha)
