"""The matrix: every journey × every fault × the ways in which a fault may come, over a provider that is told by the model's name.

`direta`: every question fails. `segunda_dita` and `segunda_da_forma`: the first answer says what is wrong, or has another form, and only
the question that tells so fails. `fluxo`: somebody waits for every answer, which comes in pieces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.llm.port import Modelo, Question, Reply, T
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from jornadas.autorizacoes import DE_AUTORIZACOES
from jornadas.clinicas import DE_CLINICAS
from jornadas.jornada import Chegada, Jornada, Mundo
from jornadas.triagem import DE_TRIAGEM
from provedor import FALTAS, FALTAS_DE_FLUXO, FALTAS_DE_VETORES, Pedido, Provedor, QualquerFalta

Modo = Literal["direta", "segunda_dita", "segunda_da_forma", "fluxo"]
Tenants = Callable[[], Scope]
Ended = dict[tuple[str, str], Chegada]  # by fault and journey

JORNADAS = (*DE_AUTORIZACOES, *DE_CLINICAS, *DE_TRIAGEM)
NENHUMA = "nenhuma"
BY_NAME = {jornada.nome: jornada for jornada in JORNADAS}
_BY_FAULT: dict[str, QualquerFalta] = {falta: falta for falta in (*FALTAS, *FALTAS_DE_FLUXO, *FALTAS_DE_VETORES)}
_FIRST: dict[str, QualquerFalta] = {"segunda_dita": "numeros_errados", "segunda_da_forma": "esquema_errado"}
_SILENT = frozenset({"silencio", "fluxo_parado"})
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Ouvido:
    """The same model, with somebody who waits for all that it says."""

    modelo: Modelo

    @property
    def nome(self) -> str:
        return self.modelo.nome

    @property
    def simulado(self) -> bool:
        return self.modelo.simulado

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        return await self.modelo.ask(scope, replace(question, ao_escrever=lambda characters: None), origem)


def a_provider() -> Provedor:
    """A provider of every journey, which fails as the name of the model says."""
    return Provedor(campos=_good_answer, sempre=fault_of, retry_after_seconds=0, dimensoes=64)


def fault_of(pedido: Pedido, earlier: int) -> QualquerFalta | None:
    """What is to go wrong with a request, by the name of the model that is asked."""
    modo, _, falta = pedido.modelo.partition("--")[0].partition(".")
    first = _FIRST.get(modo)
    return _BY_FAULT.get(falta) if first is None or is_second(pedido) else first


def is_second(pedido: Pedido) -> bool:
    """Whether the model is told what is wrong with its answer."""
    said = pedido.corpo.get("messages") or pedido.corpo.get("input") or ()
    return not isinstance(said, str) and any(isinstance(one, dict) and one.get("role") == "assistant" for one in said)


def jornada_of(pedido: Pedido) -> str:
    """The journey on which a request was made."""
    return pedido.modelo.partition("--")[2]


def faults_in(jornada: Jornada, modo: Modo) -> tuple[QualquerFalta, ...]:
    """What may go wrong with a journey's calls, in this way; there are no second questions about vectors, and no streams."""
    if modo == "direta":
        return jornada.faltas
    return () if jornada.faltas != FALTAS else (*FALTAS, *FALTAS_DE_FLUXO) if modo == "fluxo" else FALTAS


async def travel(
    jornada: Jornada, falta: str, provedor: Provedor, database: Database, scope: Scope, fala: str = "openai", modo: Modo = "direta"
) -> Chegada:
    """Go a whole way with a model that has a fault, which its name tells the provider."""
    nome = f"{modo}.{falta}--{jornada.nome}"
    seconds = 1 if falta in _SILENT else 20  # nothing else is to fail because the machine has much to do
    chosen: dict[str, Any] = {"OPENAI_API_KEY": "chave", "OPENAI_BASE_URL": provedor.url, "modelo_segundos": seconds}
    if falta == "parametro_recusado":  # of a model that thinks, which is told how hard
        chosen |= {"modelo_familia": "gpt-5", "modelo_esforco": "alto"}
    settings = load_settings(None, modelo=f"{fala}:{nome}", embeddings=f"openai:{nome}", **chosen)
    async with open_modelo(settings, database, SystemClock()) as modelo:
        assert modelo is not None
        return await jornada.anda(Mundo(database, scope, settings, Ouvido(modelo) if modo == "fluxo" else modelo))


async def travel_all(
    jornadas: Iterable[Jornada], provedor: Provedor, database: Database, new_tenant: Tenants, fala: str = "openai", modo: Modo = "direta"
) -> Ended:
    """Go every way with every fault; what is wrong at each end, by fault and journey."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(jornada: Jornada, falta: QualquerFalta) -> tuple[tuple[str, str], Chegada]:
        async with places:
            return (falta, jornada.nome), await travel(jornada, falta, provedor, database, new_tenant(), fala, modo)

    return dict(await asyncio.gather(*(one(jornada, falta) for jornada in jornadas for falta in faults_in(jornada, modo))))


def wrong(ended: Ended) -> dict[tuple[str, str], tuple[str, ...]]:
    """The ways that did not end as code alone would have ended them, or with a text that nobody checked."""
    return {way: chegada.erros for way, chegada in ended.items() if chegada.erros}


def done(provedor: Provedor, *, second: bool | None = None) -> list[tuple[QualquerFalta, str]]:
    """The faults that came to be, each with its journey: of all questions, or of first or second ones alone."""
    return [
        (anotado.falta, jornada_of(anotado.pedido))
        for anotado in provedor.anotados
        if anotado.falta is not None and second in (None, is_second(anotado.pedido))
    ]


def _good_answer(pedido: Pedido) -> Any:
    return BY_NAME[jornada_of(pedido)].campos(pedido)
