"""Sessions that are put back out of their bytes before every message, as where another server answers each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Papel
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.service import Conversations
from crivo.kernel.settings import Planejador
from crivo.kernel.tenancy import Scope

_open = Conversations.open


@dataclass
class PostaDeVolta:
    """A session that is put back out of its bytes before every message."""

    conversations: Conversations
    session: Session
    papel: Papel
    dono: Scope

    @property
    def dialogue(self) -> Dialogue:
        return self.session.dialogue

    async def say(self, text: str) -> Reply:
        kept = msgspec.json.decode(msgspec.json.encode(self.session.memoria), type=Memoria)
        self.session = self.conversations.resume(self.session.id, self.papel, self.dono, kept)
        return await self.session.say(text)


def restored(
    conversations: Conversations,
    papel: Papel = "paciente",
    paciente: Paciente | None = None,
    *,
    provado: bool = False,
    planejador: Planejador | None = None,
    dono: Scope | None = None,
) -> Any:
    session = _open(conversations, papel, paciente, provado=provado, planejador=planejador, dono=dono)
    return PostaDeVolta(conversations, session, papel, dono or conversations.clinicas.dono)
