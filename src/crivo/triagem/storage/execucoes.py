"""Execuções of a screening: how each stands, and with how many signs of which kind it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Status, Tipo

_COLUMNS: Final = (
    "x.id, x.edital_id, e.codigo as edital, x.tipo, x.status, x.total_projetos, x.projetos_analisados, x.erro_mensagem, x.created_at, "
    "x.concluida_em, x.executado_por, x.iniciada_por, x.importacao, x.retomada_em, x.analisados_antes, x.irregularidades_reaproveitadas, "
    "x.em_lote"
)
_FROM: Final = "from triagem_ia_execucoes x join editais e on e.tenant_id = x.tenant_id and e.id = x.edital_id"


@dataclass(frozen=True, slots=True)
class Registro:
    """A row of `triagem_ia_execucoes`; `edital` is the code, `importacao` what it was run on.

    `retomada_em` is when it was last resumed; `analisados_antes`, how many projects were analysed when it began or was last resumed.
    `em_lote`: its first questions go out in lotes.
    """

    id: UUID
    edital_id: UUID
    edital: str
    tipo: Tipo
    status: Status
    total_projetos: int
    projetos_analisados: int
    erro_mensagem: str | None
    created_at: datetime
    concluida_em: datetime | None
    executado_por: UUID | None
    iniciada_por: str
    importacao: int
    retomada_em: datetime | None
    analisados_antes: int
    irregularidades_reaproveitadas: bool
    em_lote: bool = False


async def insert(uow: UnitOfWork, new: Registro) -> None:
    """Store an execução that begins. Raises ConflitoDeEscrita where one of the same edital is under way."""
    await uow.connection.exec_driver_sql(
        "insert into triagem_ia_execucoes (tenant_id, id, edital_id, executado_por, tipo, status, total_projetos, created_at, "
        "iniciada_por, importacao, em_lote) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            uow.scope.tenant_id,
            new.id,
            new.edital_id,
            new.executado_por,
            new.tipo,
            new.status,
            new.total_projetos,
            new.created_at,
            new.iniciada_por,
            new.importacao,
            new.em_lote,
        ),
    )


async def find(uow: UnitOfWork, execucao_id: UUID) -> Registro | None:
    """The execução of that id, or None."""
    return await _one(uow, f"select {_COLUMNS} {_FROM} where x.tenant_id = %s and x.id = %s", execucao_id)


async def lock(uow: UnitOfWork, execucao_id: UUID) -> Registro | None:
    """The same, and nobody else changes it until the unit of work ends."""
    return await _one(uow, f"select {_COLUMNS} {_FROM} where x.tenant_id = %s and x.id = %s for update of x", execucao_id)


async def find_under_way(uow: UnitOfWork, edital_id: UUID) -> Registro | None:
    """The execução of an edital that is under way, or None."""
    return await _one(
        uow, f"select {_COLUMNS} {_FROM} where x.tenant_id = %s and x.edital_id = %s and x.status = 'em_andamento'", edital_id
    )


async def find_last(uow: UnitOfWork, edital_id: UUID) -> Registro | None:
    """The execução of an edital that began last, or None."""
    return await _one(
        uow,
        f"select {_COLUMNS} {_FROM} where x.tenant_id = %s and x.edital_id = %s order by x.created_at desc, x.id desc limit 1",
        edital_id,
    )


async def find_last_finished(uow: UnitOfWork, edital_id: UUID) -> Registro | None:
    """The execução of an edital that was finished last, or None."""
    return await _one(
        uow,
        f"select {_COLUMNS} {_FROM} where x.tenant_id = %s and x.edital_id = %s and x.status = 'concluida' "
        "order by x.concluida_em desc, x.id desc limit 1",
        edital_id,
    )


async def list_all(uow: UnitOfWork, limite: int) -> tuple[Registro, ...]:
    """The execuções of the tenant, the newest first."""
    rows = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS} {_FROM} where x.tenant_id = %s order by x.created_at desc, x.id desc limit %s", (uow.scope.tenant_id, limite)
    )
    return tuple(Registro(*tuple(row)) for row in rows)


async def codes_of(uow: UnitOfWork) -> dict[UUID, str]:
    """The code of the edital of every execução of the tenant, by the execução's id."""
    rows = await uow.connection.exec_driver_sql(
        "select x.id, e.codigo from triagem_ia_execucoes x join editais e on e.tenant_id = x.tenant_id and e.id = x.edital_id "
        "where x.tenant_id = %s",
        (uow.scope.tenant_id,),
    )
    return {row.id: row.codigo for row in rows}


async def count_one(uow: UnitOfWork, execucao_id: UUID) -> bool:
    """One more project analysed; whether it was the last of an execução that is under way. Others wait until the unit of work ends."""
    found = await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set projetos_analisados = projetos_analisados + 1 where tenant_id = %s and id = %s "
        "returning status = 'em_andamento' and projetos_analisados = total_projetos",
        (uow.scope.tenant_id, execucao_id),
    )
    return bool(found.scalar_one())


async def count_reused(uow: UnitOfWork, execucao_id: UUID, how_many: int) -> None:
    """So many projects came out of earlier execuções before any work began: they count as analysed, and tell nothing of the pace."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set projetos_analisados = projetos_analisados + %s, analisados_antes = analisados_antes + %s "
        "where tenant_id = %s and id = %s",
        (how_many, how_many, uow.scope.tenant_id, execucao_id),
    )


async def finish(uow: UnitOfWork, execucao_id: UUID, status: Status, erro: str | None, em: datetime) -> None:
    """End an execução; `erro` says why it failed, or what is to be known of what it found."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set status = %s, erro_mensagem = %s, concluida_em = %s where tenant_id = %s and id = %s",
        (status, erro, em, uow.scope.tenant_id, execucao_id),
    )


async def note_waiting(uow: UnitOfWork, execucao_id: UUID, espera: str | None) -> None:
    """Say in pt-BR what an execução under way waits for; None where it waits no more."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set erro_mensagem = %s where tenant_id = %s and id = %s and status = 'em_andamento' "
        "and erro_mensagem is distinct from %s",
        (espera, uow.scope.tenant_id, execucao_id, espera),
    )


async def reopen(uow: UnitOfWork, execucao_id: UUID, analisados: int, em: datetime) -> None:
    """Resumes an execução that ended, of whose projects `analisados` are done. Raises ConflitoDeEscrita while another runs."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set status = 'em_andamento', erro_mensagem = null, concluida_em = null, retomada_em = %s, "
        "projetos_analisados = %s, analisados_antes = %s where tenant_id = %s and id = %s",
        (em, analisados, analisados, uow.scope.tenant_id, execucao_id),
    )


async def find_same_irregularidades(uow: UnitOfWork, edital_id: UUID, digest: bytes) -> UUID | None:
    """A finished execução whose irregularidades were found in the same, or None."""
    found = await uow.connection.exec_driver_sql(
        "select id from triagem_ia_execucoes where tenant_id = %s and edital_id = %s and irregularidades_digest = %s "
        "and status = 'concluida' order by created_at desc limit 1",
        (uow.scope.tenant_id, edital_id, digest),
    )
    same: UUID | None = found.scalar_one_or_none()
    return same


async def mark_irregularidades(uow: UnitOfWork, execucao_id: UUID, digest: bytes | None, *, reaproveitadas: bool) -> None:
    """Note in what the signs of an execução were found, and whether another had found them; without a digest they are never found again."""
    await uow.connection.exec_driver_sql(
        "update triagem_ia_execucoes set irregularidades_digest = %s, irregularidades_reaproveitadas = %s where tenant_id = %s and id = %s",
        (digest, reaproveitadas, uow.scope.tenant_id, execucao_id),
    )


async def _one(uow: UnitOfWork, statement: str, which: UUID) -> Registro | None:
    row: Row[Any] | None = (await uow.connection.exec_driver_sql(statement, (uow.scope.tenant_id, which))).one_or_none()
    return None if row is None else Registro(*tuple(row))
