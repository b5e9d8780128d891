"""The jobs that a stored decision leaves for a model: the comparison of the six agents, and the names of fields that no table knows."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from crivo.autorizacoes.modelo.desconhecidos import missing_destinos, unknown_fields
from crivo.autorizacoes.trilha import Etapas
from crivo.kernel.jobs.fila import Job

SOMBRA: Final = "autorizacoes.sombra"
MAPEAMENTO: Final = "autorizacoes.mapeamento"
_AFTER_ALL_ELSE: Final = -10  # nobody waits for these


def jobs_after(autorizacao_id: UUID, etapas: Etapas, *, sombra: bool) -> list[Job]:
    """What is left to do once a decision is stored; jobs hold its id alone."""
    about = {"autorizacao": str(autorizacao_id)}
    names = [SOMBRA] if sombra else []
    if unknown_fields(etapas.normalizacao, {}) and missing_destinos(etapas.normalizacao):
        names.append(MAPEAMENTO)
    return [Job(name, about, _AFTER_ALL_ELSE) for name in names]
