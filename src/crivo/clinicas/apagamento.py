"""What the clinics of this machine hold of a person, told and erased at their request. Each opens its own file with its own keys."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.values import Patient, SlotRecord
from crivo.clinicas.service import Clinicas
from crivo.kernel.sigilo import Identidade

_RECORD: Final = "prontuário"
_KEPT: Final = "É prontuário de paciente, que a clínica guarda por pelo menos 20 anos do último registro (Lei 13.787/2018, art. 6º)."


@dataclass(frozen=True, slots=True)
class SiloDaClinica:
    """The agenda and the records of one clinic; people are known there by CPF alone."""

    place: Place

    @property
    def nome(self) -> str:
        """As the registry calls it."""
        return self.place.clinica.nome

    async def held(self, identidade: Identidade) -> list[dict[str, Any]]:
        """Bookings, past ones too, and records of patients."""
        return await asyncio.to_thread(self._held, identidade.cpf) if identidade.cpf else []

    async def kept_by_law(self, identidade: Identidade) -> Mapping[str, str]:
        """Records of patients."""
        held = await self.held(identidade)
        return {f"{_RECORD} {one['prontuario']['numero']}": _KEPT for one in held if "prontuario" in one}

    async def erase(self, identidade: Identidade, em: datetime) -> int:
        """Destroy the keys of the person's bookings; those to come are free again."""
        return await asyncio.to_thread(self._erase, identidade.cpf) if identidade.cpf else 0

    async def was_erased(self, identidade: Identidade) -> bool:
        """Whether a booking of theirs was erased before."""
        return bool(identidade.cpf) and await asyncio.to_thread(self._was_erased, identidade.cpf)

    async def expire(self, limite: datetime, em: datetime) -> int:
        """Destroy the keys of bookings that were made, and were for a day, before a moment."""
        return await asyncio.to_thread(self._expire, limite)

    def _held(self, cpf: str) -> list[dict[str, Any]]:
        with closing(self.place.open_silo()) as silo:
            slots, patients = silo.held(cpf)
        return [*({"consulta": _consulta(one)} for one in slots), *({"prontuario": _prontuario(one)} for one in patients)]

    def _erase(self, cpf: str) -> int:
        with closing(self.place.open_silo()) as silo:
            return silo.erase(cpf)

    def _was_erased(self, cpf: str) -> bool:
        with closing(self.place.open_silo()) as silo:
            return silo.was_erased(cpf)

    def _expire(self, limite: datetime) -> int:
        with closing(self.place.open_silo()) as silo:
            return silo.expire(limite)


def _consulta(slot: SlotRecord) -> dict[str, Any]:
    """A booking, in the words of whoever it is told to."""
    return {
        "medico": slot.doctor,
        "especialidade": slot.specialty,
        "data": slot.date,
        "hora": slot.time,
        "nome": slot.patient_name,
        "cpf": slot.cpf,
    }


def _prontuario(patient: Patient) -> dict[str, Any]:
    """A record, in the words of whoever it is told to."""
    return {
        "numero": patient.patient_id,
        "nome": patient.name,
        "cpf": patient.cpf,
        "idade": patient.age,
        "telefone": patient.phone,
        "condicao": patient.condition,
        "medicamentos": patient.medications,
        "ultima_consulta": patient.last_visit,
    }


def silos(clinicas: Clinicas) -> Sequence[SiloDaClinica]:
    """Those of the clinics whose files are on this machine."""
    return [SiloDaClinica(clinicas.place(one.id)) for one in clinicas.registro if clinicas.folder(one.id).silo.exists()]
