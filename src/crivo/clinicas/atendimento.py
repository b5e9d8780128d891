"""What the reception does with a conversation that asked for a person: take it, answer, give it back. Each act is in the audit.

Of an act the audit keeps who, when, which conversation and why it waited; what was written is with the conversation alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec

from crivo.clinicas.conversa import Conversa, ConversaNotFound
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.recepcao import Atendente, ForaDaFila
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_Act = Callable[[Conversa, UnitOfWork], Awaitable[object]]


class Atendimento:
    """The reception's side of the conversations."""

    def __init__(self, conversas: Conversas, database: Database, clock: Clock) -> None:
        self._conversas = conversas
        self._database = database
        self._clock = clock

    @asks("clinicas.atender")
    async def assume(self, scope: Scope, conversa_id: UUID, nome: str) -> Conversa:
        """Take a conversation; of two at once, one does. Raises ForaDaFila and JaAssumida."""
        quem, entry = Atendente(scope.ator, nome), NewEntry(acao="atendimento.assumido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa, uow: conversa.assume(quem, uow))

    @asks("clinicas.atender")
    async def answer(self, scope: Scope, conversa_id: UUID, texto: str) -> Conversa:
        """Answer in a conversation that one has. Raises ForaDaFila, NaoAssumida, MensagemInvalida and ConversaLonga."""
        entry = NewEntry(acao="atendimento.respondido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa, uow: conversa.write(scope.ator, texto, uow))

    @asks("clinicas.atender")
    async def give_back(self, scope: Scope, conversa_id: UUID) -> Conversa:
        """Let the assistant go on. Raises ForaDaFila and NaoAssumida."""
        entry = NewEntry(acao="atendimento.devolvido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa, uow: conversa.give_back(scope.ator, uow))

    async def _done(self, scope: Scope, conversa_id: UUID, entry: NewEntry, act: _Act) -> Conversa:
        conversa = await self._conversas.at_reception(scope.tenant_id, conversa_id)
        await self._conversas.look(scope.tenant_id)
        why = {"motivo": conversa.espera.motivo} if conversa.espera else {}
        async with self._database.unit_of_work(scope) as uow:
            try:
                await act(conversa, uow)
            except ConversaNotFound:
                raise ForaDaFila from None  # whoever left meanwhile is answered no more
            await append(uow, self._clock.now(), [msgspec.structs.replace(entry, dados=why)])
        await self._conversas.sync()
        return conversa


def _which(conversa_id: UUID) -> str:
    return f"conversa:{conversa_id}"
