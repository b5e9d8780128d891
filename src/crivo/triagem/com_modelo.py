"""A model's part of a screening: grading, and recognising documents that code cannot. At most `concorrencia` questions in flight."""

from __future__ import annotations

import asyncio
from typing import Final

from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Modelo, Question, Reply, T
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Habilitacao, NotaSugerida
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.habilitacao.reconhecimento import Reconhecedora
from crivo.triagem.leitora import Revista
from crivo.triagem.quadro import Quadro

_NONCES_KEPT: Final = 16


class ComModelo:
    """A `Leitora` over a model, with at most `concorrencia` questions in flight. A simulated model only grades."""

    def __init__(self, modelo: Modelo, concorrencia: int) -> None:
        held = _Contido(modelo, concorrencia)
        self._avaliador = AvaliadorModelo(held)
        self._reconhecedora = None if modelo.simulado else Reconhecedora(held)
        self._nonces: dict[str, str] = {}

    async def revisar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, habilitacao: Habilitacao, origem: str) -> Revista:
        """The same habilitação, with what only a reader could tell of the documents."""
        if self._reconhecedora is None:
            return Revista(habilitacao, inteira=True)
        revista, whole = await self._reconhecedora.revisar(
            scope, quadro.edital, quadro.requisitos, lido, habilitacao, origem, self._nonce(origem)
        )
        return Revista(revista, inteira=whole)

    async def avaliar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, origem: str) -> tuple[NotaSugerida, ...]:
        """A nota for each critério, or why there is none."""
        return await self._avaliador.avaliar(scope, quadro.edital, quadro.criterios, lido, origem, self._nonce(origem))

    def _nonce(self, origem: str) -> str:
        """One for all the questions of an execução, whose beginning they share: providers charge less for it."""
        while len(self._nonces) >= _NONCES_KEPT and origem not in self._nonces:
            del self._nonces[next(iter(self._nonces))]
        return self._nonces.setdefault(origem, new_nonce())


class _Contido:
    """The same model behind a limit of questions in flight.

    Whatever waits does so before it is a question: it can still be called off, and the patience of a question is not spent in a queue.
    """

    def __init__(self, modelo: Modelo, concorrencia: int) -> None:
        self._modelo = modelo
        self._places = asyncio.Semaphore(concorrencia)

    @property
    def nome(self) -> str:
        return self._modelo.nome

    @property
    def simulado(self) -> bool:
        return self._modelo.simulado

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        async with self._places:
            return await self._modelo.ask(scope, question, origem)
