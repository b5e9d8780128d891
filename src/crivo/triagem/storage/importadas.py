"""Notas that people gave before a call came in here, kept as theirs beside those given here, many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.planilha.previa import EmPe
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage.avaliacoes import KEY_OF_TEXT, opened, sealed
from crivo.triagem.storage.chaves import Dona

_KEEP: Final = f"""
    insert into avaliacoes as v (tenant_id, projeto_id, criterio_id, avaliador_id, nota, texto, created_at, atualizada_em, enviada_em)
    select %(tenant)s, n.projeto_id, n.criterio_id, n.avaliador_id, n.nota, n.texto, %(em)s, %(em)s, %(em)s
    from unnest(%(projetos)s::uuid[], %(criterios)s::uuid[], %(avaliadores)s::uuid[], %(notas)s::numeric[], %(textos)s::text[])
        as n (projeto_id, criterio_id, avaliador_id, nota, texto)
    on conflict (tenant_id, projeto_id, criterio_id, avaliador_id) do update set nota = excluded.nota, texto = excluded.texto,
        atualizada_em = excluded.atualizada_em, enviada_em = excluded.enviada_em, revisao_id = null
    returning {", ".join(f"v.{name}" for name in AVALIACOES.columns)}"""

_STANDING: Final = f"""
    select p.codigo as projeto, c.codigo as criterio, v.criterio_id, v.avaliador_id, v.nota, v.texto, v.enviada_em is not null as enviada,
        {KEY_OF_TEXT} as chave, k.embrulhada
    from avaliacoes v join projetos p on p.tenant_id = v.tenant_id and p.id = v.projeto_id
    join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id
    left join chaves_de_pessoas k on k.tenant_id = v.tenant_id and k.id = ({KEY_OF_TEXT})
    where v.tenant_id = %(tenant)s and p.edital_id = %(edital)s and v.projeto_id = any(%(projetos)s) and v.avaliador_id = any(%(quem)s)
        and c.retirado_em is null"""


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


async def standing(
    uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID], emails: Mapping[UUID, str]
) -> dict[tuple[str, str, str], EmPe]:
    """What these people wrote of these projects, drafts and texts without a nota too, by project, their e-mail and critério in force."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "projetos": list(projetos), "quem": list(emails)}
    rows = await uow.connection.exec_driver_sql(_STANDING, values)
    return {(row.projeto, emails[row.avaliador_id], row.criterio): EmPe(row.nota, opened(uow, row), row.enviada) for row in rows}
