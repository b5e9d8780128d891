"""A conversation's line to a model: who pays, what the calls are for, and how long a turn waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final

from crivo.kernel.llm.esforco import effort_of
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question, Reply, T
from crivo.kernel.settings import Esforco, Settings
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.tenancy import Scope

PACKAGE: Final = "crivo.clinicas"  # whose prompts these agents say


@dataclass(frozen=True, slots=True)
class Prazos:
    """The longest that a turn waits for each part of a model, in seconds; then code does it."""

    planner: float = 8.0
    responder: float = 8.0
    verifier: float = 4.0


_THINKING: Final[Mapping[Esforco, Prazos]] = {
    "minimo": Prazos(10.0, 10.0, 5.0),
    "baixo": Prazos(15.0, 12.0, 6.0),
    "medio": Prazos(25.0, 20.0, 10.0),
    "alto": Prazos(45.0, 30.0, 15.0),
}


def waits(esforco: Esforco | None) -> Prazos:
    """How long each part of a model is waited for, by how hard it thinks.

    What thinks is silent before its first letter. A model that does not is waited for no longer than a person bears, and its silence is a
    fault.
    """
    return Prazos() if esforco is None else _THINKING[esforco]


def waits_of(settings: Settings) -> Prazos:
    """The same of an installation: where it tells no effort, by what is known of its model's family."""
    return waits(effort_of(settings))


_hears: ContextVar[Callable[[str], None] | None] = ContextVar("clinicas_ouve", default=None)


@contextmanager
def heard_by(hears: Callable[[str], None]) -> Iterator[None]:
    """While it lasts, whatever this task asks is asked for in pieces, and `hears` is told the agent when its answer begins to come."""
    before = _hears.set(hears)
    try:
        yield
    finally:
        _hears.reset(before)


def _in_pieces(question: Question[T]) -> Question[T]:
    hears, begun = _hears.get(), False
    if hears is None:
        return question

    def wrote(_: int) -> None:
        nonlocal begun
        if not begun:
            begun = True
            hears(question.agente)

    return replace(question, ao_escrever=wrote)


@dataclass(frozen=True, slots=True)
class Linha:
    """`dono` pays for the calls, and `origem` names the conversation that they are for."""

    modelo: Modelo
    dono: Scope
    origem: str
    prazos: Prazos = Prazos()
    nonce: str = field(default_factory=new_nonce, repr=False)

    async def ask(self, question: Question[T]) -> T:
        """The model's answer, within the time of the question. Raises ModeloIndisponivel, also where answers cannot be kept."""
        return (await self.reply(question)).valor

    async def reply(self, question: Question[T]) -> Reply[T]:
        """The same with all that is known of the answer. Raises ModeloIndisponivel."""
        try:
            async with asyncio.timeout(question.espera_seconds):
                return await self.modelo.ask(self.dono, _in_pieces(question), self.origem)
        except TimeoutError:
            raise ModeloIndisponivel("demorou") from None
        except BancoIndisponivel:
            raise ModeloIndisponivel("fora_do_ar") from None
