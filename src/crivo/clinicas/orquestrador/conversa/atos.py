"""What a turn did at the clinics, as the audit tells it: who, where, which slot; of the patient nothing.

A booking, a change, a cancellation, and what was read of patients' records and appointments by whoever may.
"""

from __future__ import annotations

from collections.abc import Sequence

from crivo.clinicas.ferramentas import LER_FICHA
from crivo.clinicas.orquestrador.contracts import ClinicReply
from crivo.clinicas.orquestrador.conversa.consultas import Achadas
from crivo.clinicas.orquestrador.ferramentas import USOS
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.orquestrador.trace import Trace
from crivo.kernel.atos import NewEntry, Registrar
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.kernel.tenancy import Scope


class Atos:
    """Notes the acts of one conversation as its owner's."""

    def __init__(self, registrar: Registrar, dono: Scope, conversa: str) -> None:
        self._registrar = registrar
        self._dono = dono
        self._conversa = conversa

    async def note(self, trace: Trace) -> None:
        """Note what a turn did. What the clinics did stands, and is answered, even where nothing takes the note: then the log tells."""
        await self._note([entry for reply in trace.replies for entry in acts_of(reply, self._conversa)])

    async def note_look(self, found: Achadas, quem: QuemPede) -> None:
        """Note that a patient's appointments were looked at by somebody else than that patient."""
        if found.contaram and not quem.is_proven:
            dados = {"conversa": self._conversa, "clinicas": list(found.contaram), "total": len(found.consultas)}
            await self._note([NewEntry(acao="consultas.vistas", alvo=f"conversa:{self._conversa}", dados=dados)])

    async def _note(self, entries: Sequence[NewEntry]) -> None:
        if not entries:
            return
        try:
            await self._registrar.registrar(self._dono, entries)
        except CrivoError as error:
            logger.error("atos_sem_registro", exc_info=error, extra={"tenant": self._dono.tenant_id, "total": len(entries)})


def acts_of(reply: ClinicReply, conversa: str) -> tuple[NewEntry, ...]:
    """What a clinic's answer is in the audit: an act, a reading, or nothing."""
    alvo, found = f"clinica:{reply.clinic}", reply.result
    if found is None:
        uncertain = reply.error is not None and reply.error.is_uncertain
        dados = {"conversa": conversa, "acao": reply.action}
        return (NewEntry(acao="consulta.incerta", alvo=alvo, dados=dados),) if uncertain else ()
    ato = USOS[reply.ferramenta].ato
    return (NewEntry(acao=ato, alvo=alvo, dados={"conversa": conversa, **_told(reply)}),) if ato else ()


def _told(reply: ClinicReply) -> dict[str, str]:
    """Which appointment, and as it was before; or whose record."""
    before, now = reply.freed, reply.booked
    if (one := now or before) is not None:
        moved = {"antes": f"{before['date']} {before['time']}"} if before and now else {}
        return {"medico": one["doctor"], "data": one["date"], "hora": one["time"], **moved}
    return {"paciente": (reply.result or {}).get("patient_id", "")} if reply.ferramenta is LER_FICHA else {}
