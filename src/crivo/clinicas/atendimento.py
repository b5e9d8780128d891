"""What the reception does with a conversation that asked for a person: take it, answer, give it back. Each act is in the audit.

Of an act the audit keeps who, when, which conversation and why it waited; what was written is with the conversation, in memory alone.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import msgspec

from crivo.clinicas.conversa import Conversa
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.recepcao import Atendente
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


class Atendimento:
    """The reception's side of the conversations of this process."""

    def __init__(self, conversas: Conversas, database: Database, clock: Clock) -> None:
        self._conversas = conversas
        self._database = database
        self._clock = clock

    @asks("clinicas.atender")
    async def assume(self, scope: Scope, conversa_id: UUID, nome: str) -> Conversa:
        """Take a conversation; of two at once, one does. Raises ForaDaFila and JaAssumida."""
        quem, entry = Atendente(scope.ator, nome), NewEntry(acao="atendimento.assumido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa: conversa.assume(quem))

    @asks("clinicas.atender")
    async def answer(self, scope: Scope, conversa_id: UUID, texto: str) -> Conversa:
        """Answer in a conversation that one has. Raises ForaDaFila, NaoAssumida, MensagemInvalida and ConversaLonga."""
        entry = NewEntry(acao="atendimento.respondido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa: conversa.write(scope.ator, texto))

    @asks("clinicas.atender")
    async def give_back(self, scope: Scope, conversa_id: UUID) -> Conversa:
        """Let the assistant go on. Raises ForaDaFila and NaoAssumida."""
        entry = NewEntry(acao="atendimento.devolvido", alvo=_which(conversa_id))
        return await self._done(scope, conversa_id, entry, lambda conversa: conversa.give_back(scope.ator))

    async def _done(self, scope: Scope, conversa_id: UUID, entry: NewEntry, act: Callable[[Conversa], object]) -> Conversa:
        conversa = self._conversas.at_reception(scope.tenant_id, conversa_id)
        self._conversas.recepcao.look(scope.tenant_id)
        why = {"motivo": conversa.espera.motivo} if conversa.espera else {}
        async with self._database.unit_of_work(scope) as uow:
            await append(uow, self._clock.now(), [msgspec.structs.replace(entry, dados=why)])
            # Last, so that what is refused is not in the audit either; whoever left meanwhile is answered no more.
            act(self._conversas.at_reception(scope.tenant_id, conversa_id))
        return conversa


def _which(conversa_id: UUID) -> str:
    return f"conversa:{conversa_id}"
