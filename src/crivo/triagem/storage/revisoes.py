"""Notas that an answer to a recurso put in the place of those that people gave, and who decided what is contested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.recursos.quem import Decidiram
from crivo.triagem.seladas import NOTA_REVISOES

_COLUMNS: Final = ", ".join(NOTA_REVISOES.columns)
_ADD: Final = f"insert into nota_revisoes (tenant_id, {_COLUMNS}) values ({', '.join(['%s'] * (1 + len(NOTA_REVISOES.columns)))})"
_STANDING: Final = """
    select v.criterio_id, c.codigo as criterio, v.avaliador_id, v.nota, v.revisao_id, v.enviada_em from avaliacoes v
    join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id
    where v.tenant_id = %s and v.projeto_id = %s and v.enviada_em is not null and v.nota is not null and c.retirado_em is null
    order by c.ordem, v.avaliador_id"""
_PUT: Final = """
    update avaliacoes set nota = %s, revisao_id = %s
    where tenant_id = %s and projeto_id = %s and criterio_id = %s and avaliador_id = %s"""
_OF: Final = """
    select n.id, n.resposta_id, c.codigo as criterio, n.avaliador_id, n.de, n.para, n.anterior_id, n.revista_por, n.revista_em,
        exists (select from avaliacoes v where v.tenant_id = n.tenant_id and v.revisao_id = n.id) as em_vigor
    from nota_revisoes n join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id
    where n.tenant_id = %s and n.projeto_id = %s order by n.revista_em, n.id"""
_DECIDED: Final = """
    select decidido_por from habilitacao_decisoes where tenant_id = %(tenant)s and projeto_id = %(projeto)s
    union select decidido_por from habilitacao_decisoes_anteriores
    where tenant_id = %(tenant)s and projeto_id = %(projeto)s and desfeita_em is null"""
_GRADED: Final = """
    select distinct avaliador_id from avaliacoes where tenant_id = %(tenant)s and projeto_id = %(projeto)s and enviada_em is not null"""
_REVISED: Final = """
    select n.revista_por from nota_revisoes n
    join recurso_respostas a on a.tenant_id = n.tenant_id and a.id = n.resposta_id and a.desfeita_em is null
    where n.tenant_id = %(tenant)s and n.projeto_id = %(projeto)s"""


@dataclass(frozen=True, slots=True)
class NotaEmVigor:
    """A nota that counts; `revisao` is the one that put it there, None where it is its person's own."""

    criterio_id: UUID
    criterio: str
    avaliador: UUID
    nota: Decimal
    revisao: UUID | None


@dataclass(frozen=True, slots=True)
class Revisao:
    """A nota that gave way to another, by an answer; `em_vigor` while the other stands."""

    id: UUID
    resposta: UUID
    criterio: str
    avaliador: UUID
    de: Decimal
    para: Decimal
    anterior: UUID | None
    revista_por: UUID
    revista_em: datetime
    em_vigor: bool


async def standing(uow: UnitOfWork, projeto_id: UUID) -> tuple[NotaEmVigor, ...]:
    """The notas that count of a project."""
    rows = await uow.connection.exec_driver_sql(_STANDING, (uow.scope.tenant_id, projeto_id))
    return tuple([NotaEmVigor(row.criterio_id, row.criterio, row.avaliador_id, row.nota, row.revisao_id) for row in rows])


async def revise(
    uow: UnitOfWork, projeto_id: UUID, resposta_id: UUID, novas: Sequence[tuple[UUID, NotaEmVigor, Decimal]], por: UUID, em: datetime
) -> None:
    """Put notas in the place of those that stand, each under the id given; those that stood are kept beside."""
    tenant = uow.scope.tenant_id
    for new_id, of, nota in novas:
        row = (new_id, resposta_id, projeto_id, of.criterio_id, of.avaliador, of.nota, nota, of.revisao, por, em)
        await uow.connection.exec_driver_sql(_ADD, (tenant, *row))
        await uow.connection.exec_driver_sql(_PUT, (nota, new_id, tenant, projeto_id, of.criterio_id, of.avaliador))


async def put_back(uow: UnitOfWork, projeto_id: UUID, revistas: Sequence[tuple[Revisao, NotaEmVigor]]) -> None:
    """Put back the notas that these revisions replaced, which are in force."""
    tenant = uow.scope.tenant_id
    for was, of in revistas:
        await uow.connection.exec_driver_sql(_PUT, (was.de, was.anterior, tenant, projeto_id, of.criterio_id, of.avaliador))


async def of_project(uow: UnitOfWork, projeto_id: UUID) -> tuple[Revisao, ...]:
    """Every revision of a project's notas, in force or not, the first one first."""
    rows = await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, projeto_id))
    return tuple(
        [
            Revisao(
                row.id,
                row.resposta_id,
                row.criterio,
                row.avaliador_id,
                row.de,
                row.para,
                row.anterior_id,
                row.revista_por,
                row.revista_em,
                row.em_vigor,
            )
            for row in rows
        ]
    )


async def decidiram(uow: UnitOfWork, projeto_id: UUID) -> Decidiram:
    """Who decided what of a project, as far as it stands or was replaced."""
    values = {"tenant": uow.scope.tenant_id, "projeto": projeto_id}
    found = [frozenset((await uow.connection.exec_driver_sql(asked, values)).scalars()) for asked in (_DECIDED, _GRADED, _REVISED)]
    return Decidiram(*found)
