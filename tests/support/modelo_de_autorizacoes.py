"""A model for tests of authorizations: it answers what the code would, or what the test puts in the place of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.modelo.segunda_leitura import AGENTE as SEGUNDA_LEITURA
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.llm.port import Dado, Question, Reply, T
from crivo.kernel.tenancy import Scope
from modelo_falso import ModeloFalso, Responde

_STAGES = {agente.name: agente.stage for agente in AGENTES}


def as_the_code(trilha: Trilha, textos: Mapping[str, Any] | None = None) -> Responde:
    """Answers each agent's question with the code's own answer, changed in the fields that `textos` names by `etapa.campo`."""

    def responde(question: Question[Any]) -> Any:
        if question.agente == SEGUNDA_LEITURA:
            return {"alarmes": []}
        stage = _STAGES[question.agente]
        value = msgspec.json.decode(msgspec.json.encode(getattr(trilha.etapas, stage)))
        for path, novo in (textos or {}).items():
            owner, _, campo = path.partition(".")
            if owner == stage:
                put(value, campo, novo)
        return value

    return responde


def put(value: Any, campo: str, novo: Any) -> None:
    """Set a dotted field, in every item of a list."""
    head, _, rest = campo.partition(".")
    if not rest:
        value[head] = novo
        return
    inner = value[head]
    for one in inner if isinstance(inner, list) else [inner]:
        put(one, rest, novo)


def dados(question: Question[Any]) -> dict[str, str]:
    """What a question shows, by label."""
    return {parte.rotulo: parte.texto for parte in question.partes if isinstance(parte, Dado)}


def of_writers(modelo: ModeloFalso) -> list[Question[Any]]:
    """What a model was asked, but for the second reading."""
    return [question for question in modelo.perguntas if question.agente != SEGUNDA_LEITURA]


class ModeloLento(ModeloFalso):
    """Answers only once it is let go."""

    def __init__(self, responde: Responde) -> None:
        super().__init__(responde)
        self.solto = asyncio.Event()
        self._arrived = asyncio.Semaphore(0)

    async def until(self, questions: int) -> None:
        """Wait until so many more questions have been asked."""
        for _ in range(questions):
            await self._arrived.acquire()

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        self._arrived.release()
        await self.solto.wait()
        return await super().ask(scope, question, origem)
