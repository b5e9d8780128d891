"""Políticas and field tables in the database. A tenant's catalogue has a version that every publication moves on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, text

from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.kernel.storage.session import UnitOfWork

_COLUMNS = (
    "id, administradora_id, documento, versao, vigencia_inicio, vigencia_fim, status, regras_total, digest, "
    "criada_em, criada_por, publicada_em, publicada_na, revogada_em, revogada_na, encerra_anteriores"
)


async def catalogo_versao(uow: UnitOfWork) -> int:
    """The version of the tenant's catalogue; 0 before its first publication."""
    found = await uow.connection.scalar(text("select versao from catalogos where tenant_id = :tenant"), {"tenant": uow.scope.tenant_id})
    return int(found or 0)


async def advance_catalogo(uow: UnitOfWork) -> int:
    """Move the catalogue on by one and answer the new version; publications of a tenant wait for each other here."""
    statement = text(
        "insert into catalogos (tenant_id, versao) values (:tenant, 1) "
        "on conflict (tenant_id) do update set versao = catalogos.versao + 1 returning versao"
    )
    return int((await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id})).scalar_one())


async def lock_catalogo(uow: UnitOfWork) -> None:
    """Let no other publication of the tenant through until this transaction ends."""
    statement = text("select versao from catalogos where tenant_id = :tenant for update")
    await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id})


async def published_at(uow: UnitOfWork, versao: int) -> list[tuple[bytes, bool]]:
    """The documents published, and not revoked, at a catalogue version, oldest publication first; each with whether it closes others."""
    statement = text(
        "select conteudo, encerra_anteriores from politicas where tenant_id = :tenant and publicada_na <= :versao "
        "and (revogada_na is null or revogada_na > :versao) order by publicada_na, id"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "versao": versao})
    return [(bytes(row.conteudo), row.encerra_anteriores) for row in rows]


async def campos_at(uow: UnitOfWork, versao: int) -> dict[str, dict[str, str]]:
    """The field table of each administradora that has one of its own, as of a catalogue version."""
    statement = text(
        "select distinct on (administradora_id) administradora_id, tabela from campos_equivalentes "
        "where tenant_id = :tenant and catalogo_versao <= :versao order by administradora_id, catalogo_versao desc"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "versao": versao})
    return {row.administradora_id: dict(row.tabela) for row in rows}


async def mapa_of(uow: UnitOfWork, administradora_id: str) -> dict[str, Any] | None:
    """What each column of the spreadsheets of an administradora, by its folded id, is; None where nobody said so."""
    statement = text("select mapa from planilha_mapas where tenant_id = :tenant and administradora_id = :administradora")
    found = await uow.connection.scalar(statement, {"tenant": uow.scope.tenant_id, "administradora": administradora_id})
    return dict(found) if found is not None else None


async def keep_mapa(uow: UnitOfWork, administradora_id: str, mapa: Mapping[str, Any], em: datetime) -> bool:
    """Keep a map of columns in the place of the one before; whether that changes anything."""
    statement = text(
        "insert into planilha_mapas (tenant_id, administradora_id, mapa, guardado_em, guardado_por) "
        "values (:tenant, :administradora, cast(:mapa as jsonb), :em, :por) on conflict (tenant_id, administradora_id) "
        "do update set mapa = excluded.mapa, guardado_em = excluded.guardado_em, guardado_por = excluded.guardado_por "
        "where planilha_mapas.mapa <> excluded.mapa returning 1"
    )
    values = {
        "tenant": uow.scope.tenant_id,
        "administradora": administradora_id,
        "mapa": msgspec.json.encode(mapa).decode(),
        "em": em,
        "por": uow.scope.ator,
    }
    return (await uow.connection.execute(statement, values)).first() is not None


async def insert_campos(uow: UnitOfWork, administradora_id: str, tabela: Mapping[str, str], versao: int, em: datetime) -> None:
    """Store a field table, in force from a catalogue version on."""
    statement = text(
        "insert into campos_equivalentes (tenant_id, administradora_id, catalogo_versao, tabela, criada_em, criada_por) "
        "values (:tenant, :administradora, :versao, cast(:tabela as jsonb), :em, :por)"
    )
    values = {
        "tenant": uow.scope.tenant_id,
        "administradora": administradora_id,
        "versao": versao,
        "tabela": msgspec.json.encode(tabela).decode(),
        "em": em,
        "por": uow.scope.ator,
    }
    await uow.connection.execute(statement, values)


async def find_version(uow: UnitOfWork, administradora_id: str, documento: str, versao: str) -> PoliticaGuardada | None:
    """The política of that version, locked for the rest of the transaction; None where there is none."""
    statement = text(
        f"select {_COLUMNS} from politicas where tenant_id = :tenant and administradora_id = :administradora "
        "and documento = :documento and versao = :versao for update"
    )
    values = {"tenant": uow.scope.tenant_id, "administradora": administradora_id, "documento": documento, "versao": versao}
    row = (await uow.connection.execute(statement, values)).one_or_none()
    return None if row is None else _politica(row)


async def find(uow: UnitOfWork, politica_id: UUID, *, lock: bool = False) -> PoliticaGuardada | None:
    """The política of that id, or None; `lock` keeps others from changing it until the transaction ends."""
    statement = text(f"select {_COLUMNS} from politicas where tenant_id = :tenant and id = :id{' for update' if lock else ''}")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": politica_id})).one_or_none()
    return None if row is None else _politica(row)


async def content(uow: UnitOfWork, politica_id: UUID) -> bytes:
    """The canonical JSON document of a política that exists."""
    statement = text("select conteudo from politicas where tenant_id = :tenant and id = :id")
    return bytes((await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": politica_id})).scalar_one())


async def list_all(uow: UnitOfWork) -> list[PoliticaGuardada]:
    """Every política of the tenant, by administradora, document and start of validity."""
    statement = text(
        f"select {_COLUMNS} from politicas where tenant_id = :tenant order by administradora_id, documento, vigencia_inicio, versao, id"
    )
    return [_politica(row) for row in await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id})]


async def insert(uow: UnitOfWork, politica: PoliticaGuardada, conteudo: bytes) -> None:
    """Store a new draft."""
    statement = text(
        "insert into politicas (tenant_id, id, administradora_id, documento, versao, vigencia_inicio, vigencia_fim, status, "
        "regras_total, conteudo, digest, criada_em, criada_por) values (:tenant, :id, :administradora_id, :documento, :versao, "
        ":vigencia_inicio, :vigencia_fim, 'rascunho', :regras_total, :conteudo, :digest, :criada_em, :criada_por)"
    )
    await uow.connection.execute(statement, _draft_values(uow, politica, conteudo))


async def replace_draft(uow: UnitOfWork, politica: PoliticaGuardada, conteudo: bytes) -> None:
    """Put another text in the place of a draft of the same version."""
    statement = text(
        "update politicas set vigencia_inicio = :vigencia_inicio, vigencia_fim = :vigencia_fim, regras_total = :regras_total, "
        "conteudo = :conteudo, digest = :digest, criada_em = :criada_em, criada_por = :criada_por "
        "where tenant_id = :tenant and id = :id and status = 'rascunho'"
    )
    await uow.connection.execute(statement, _draft_values(uow, politica, conteudo))


def _draft_values(uow: UnitOfWork, politica: PoliticaGuardada, conteudo: bytes) -> dict[str, Any]:
    return {
        "tenant": uow.scope.tenant_id,
        "id": politica.id,
        "administradora_id": politica.administradora_id,
        "documento": politica.documento,
        "versao": politica.versao,
        "vigencia_inicio": politica.vigencia_inicio,
        "vigencia_fim": politica.vigencia_fim,
        "regras_total": politica.regras_total,
        "conteudo": conteudo,
        "digest": politica.digest,
        "criada_em": politica.criada_em,
        "criada_por": politica.criada_por,
    }


async def mark_published(uow: UnitOfWork, politica_id: UUID, versao: int, em: datetime, *, encerra_anteriores: bool) -> None:
    """A draft becomes published at a catalogue version, closing the earlier versions of its document or standing beside them."""
    statement = text(
        "update politicas set status = 'publicada', publicada_em = :em, publicada_na = :versao, encerra_anteriores = :encerra "
        "where tenant_id = :tenant and id = :id"
    )
    values = {"tenant": uow.scope.tenant_id, "id": politica_id, "versao": versao, "em": em, "encerra": encerra_anteriores}
    await uow.connection.execute(statement, values)


async def mark_revoked(uow: UnitOfWork, politica_id: UUID, versao: int, em: datetime) -> None:
    """A published política is revoked at a catalogue version; what it decided before stands."""
    statement = text(
        "update politicas set status = 'revogada', revogada_em = :em, revogada_na = :versao where tenant_id = :tenant and id = :id"
    )
    await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": politica_id, "versao": versao, "em": em})


def _politica(row: Row[Any] | Sequence[Any]) -> PoliticaGuardada:
    values = list(row)
    values[8] = bytes(values[8])
    return PoliticaGuardada(*values)
