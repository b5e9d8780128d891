"""Notas that people gave before a call came in here, kept as theirs beside those given here, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage.avaliacoes import sealed
from crivo.triagem.storage.chaves import Dona

_KEEP: Final = f"""
    insert into avaliacoes as v (tenant_id, projeto_id, criterio_id, avaliador_id, nota, texto, created_at, atualizada_em, enviada_em)
    select %(tenant)s, n.projeto_id, n.criterio_id, n.avaliador_id, n.nota, n.texto, %(em)s, %(em)s, %(em)s
    from unnest(%(projetos)s::uuid[], %(criterios)s::uuid[], %(avaliadores)s::uuid[], %(notas)s::numeric[], %(textos)s::text[])
        as n (projeto_id, criterio_id, avaliador_id, nota, texto)
    on conflict (tenant_id, projeto_id, criterio_id, avaliador_id) do update set nota = excluded.nota, texto = excluded.texto,
        atualizada_em = excluded.atualizada_em, enviada_em = excluded.enviada_em, revisao_id = null
    returning {", ".join(f"v.{name}" for name in AVALIACOES.columns)}"""


@dataclass(frozen=True, slots=True)
class NotaImportada:
    """A nota that a person gave, the key that its project is under, and what they wrote."""

    projeto_id: UUID
    criterio_id: UUID
    avaliador_id: UUID
    nota: Decimal
    texto: str
    dona: Dona | None


async def keep(uow: UnitOfWork, notas: Sequence[NotaImportada], em: datetime) -> dict[UUID, dict[str, str]]:
    """Keep notas as sent, each in the place of what the same person gave before; the seals of the rows, by project."""
    values = {
        "tenant": uow.scope.tenant_id,
        "projetos": [one.projeto_id for one in notas],
        "criterios": [one.criterio_id for one in notas],
        "avaliadores": [one.avaliador_id for one in notas],
        "notas": [one.nota for one in notas],
        "textos": [sealed(one.dona, one.criterio_id, one.avaliador_id, one.texto) for one in notas],
        "em": em,
    }
    found: dict[UUID, dict[str, str]] = {}
    for row in await uow.connection.exec_driver_sql(_KEEP, values):
        name, seal = AVALIACOES.seal_of(row)
        found.setdefault(row.projeto_id, {})[name] = seal
    return found
