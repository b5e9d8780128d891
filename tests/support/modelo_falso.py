"""A model for tests that answers from a function, behind the real port: no network, no ledger, and a record of what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec

from crivo.kernel.llm.port import Falha, ModeloIndisponivel, Question, Reply, T
from crivo.kernel.tenancy import Scope

Responde = Callable[[Question[Any]], "dict[str, Any] | msgspec.Struct | Falha"]


class ModeloFalso:
    """Answers with what `responde` returns: the fields of the answer, or the name of a fault, which is then raised."""

    nome = "falso:um"

    def __init__(self, responde: Responde, *, simulado: bool = False, custo: Decimal | None = Decimal("0.01")) -> None:
        self._responde = responde
        self._custo = custo
        self.simulado = simulado
        self.perguntas: list[Question[Any]] = []

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        """As the port says; a complaint of `conferir` makes it answer once more. A fault then leaves the first answer, provisional."""
        valor, provisoria = self._once(question), False
        if question.conferir is not None and question.conferir(valor) is not None:
            try:
                valor = self._once(question)
            except ModeloIndisponivel:
                provisoria = True
        return Reply(valor, self.nome, 100, 20, self._custo, repetida=False, provisoria=provisoria)

    def _once(self, question: Question[T]) -> T:
        self.perguntas.append(question)
        said = self._responde(question)
        if question.ao_escrever is not None and not isinstance(said, str):
            question.ao_escrever(1)
            question.ao_escrever(2)
        if isinstance(said, str):
            raise ModeloIndisponivel(said)
        return msgspec.convert(said if isinstance(said, dict) else msgspec.to_builtins(said), question.resposta, strict=False)
