"""What models answered about authorizations, in the database: how far they agree with the code, and names of fields they propose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text

from crivo.autorizacoes.guardadas import Mapeamento, Situacao
from crivo.autorizacoes.modelo.comparacao import Comparado
from crivo.kernel.storage.session import UnitOfWork

_MAPPED: Final = "id, administradora_id, origem, destino, modelo, situacao, autorizacao_id, proposto_em, decidido_em, decidido_por, motivo"


@dataclass(frozen=True, slots=True)
class Contagem:
    """How often one field of an agent came out so: equal, different, or not at all, for a kind of fault."""

    agente: str
    campo: str
    igual: bool
    falha: str | None
    vezes: int


@dataclass(frozen=True, slots=True)
class Perguntas:
    """How many pedidos an agent was asked about that ended so: for want of an answer (`falha`), or equal in every field that is no text."""

    agente: str
    falha: str | None
    inteiro: bool
    pedidos: int


async def was_compared(uow: UnitOfWork, autorizacao_id: UUID) -> bool:
    """Whether a decision was compared already."""
    statement = text("select 1 from autorizacao_concordancias where tenant_id = :tenant and autorizacao_id = :id limit 1")
    return (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": autorizacao_id})).first() is not None


async def insert_comparados(uow: UnitOfWork, autorizacao_id: UUID, comparados: Sequence[Comparado], em: datetime) -> None:
    """Keep what a comparison found; one that is kept already stays as it is."""
    statement = text(
        "insert into autorizacao_concordancias (tenant_id, autorizacao_id, agente, campo, modelo, igual, falha, created_at) "
        "values (:tenant, :id, :agente, :campo, :modelo, :igual, :falha, :em) on conflict do nothing"
    )
    rows = [
        {
            "tenant": uow.scope.tenant_id,
            "id": autorizacao_id,
            "agente": one.agente,
            "campo": one.campo,
            "modelo": one.modelo,
            "igual": one.igual,
            "falha": one.falha,
            "em": em,
        }
        for one in comparados
    ]
    await uow.connection.execute(statement, rows)


async def count_comparados(uow: UnitOfWork, desde: datetime | None) -> list[Contagem]:
    """Every field of every agent, counted by how it came out."""
    statement = text(
        "select agente, campo, igual, falha, count(*) from autorizacao_concordancias "
        "where tenant_id = :tenant and created_at >= coalesce(cast(:desde as timestamptz), '-infinity') group by 1, 2, 3, 4"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "desde": desde})
    return [Contagem(*row) for row in rows]


async def count_perguntas(
    uow: UnitOfWork, desde: datetime | None, textos: Sequence[str], texto_reprovado: Sequence[str]
) -> list[Perguntas]:
    """Every agent's questions, counted by how they ended. `textos` are the fields that are texts, as `agente/campo`."""
    statement = text(
        "select agente, falha, inteiro, count(*) from ("
        "select agente, autorizacao_id, min(falha) filter (where falha <> all(cast(:reprovado as text[]))) as falha, "
        "coalesce(bool_and(igual) filter (where agente || '/' || campo <> all(cast(:textos as text[]))), true) as inteiro "
        "from autorizacao_concordancias where tenant_id = :tenant "
        "and created_at >= coalesce(cast(:desde as timestamptz), '-infinity') group by agente, autorizacao_id) as feitas group by 1, 2, 3"
    )
    values = {"tenant": uow.scope.tenant_id, "desde": desde, "textos": list(textos), "reprovado": list(texto_reprovado)}
    return [Perguntas(*row) for row in await uow.connection.execute(statement, values)]


async def count_pedidos(uow: UnitOfWork, desde: datetime | None) -> int:
    """How many decisions were compared."""
    statement = text(
        "select count(distinct autorizacao_id) from autorizacao_concordancias where tenant_id = :tenant "
        "and created_at >= coalesce(cast(:desde as timestamptz), '-infinity')"
    )
    found = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "desde": desde})
    return int(found.scalar_one())


async def politicas_of(uow: UnitOfWork, administradora_id: str, versao: int, at_most_bytes: int) -> list[str] | None:
    """The documents of an administradora in force at a catalogue version, as JSON; None where they are longer than that together."""
    held = (
        "from politicas where tenant_id = :tenant and administradora_id = :administradora and publicada_na <= :versao "
        "and (revogada_na is null or revogada_na > :versao)"
    )
    values = {"tenant": uow.scope.tenant_id, "administradora": administradora_id, "versao": versao}
    size = (await uow.connection.execute(text(f"select coalesce(sum(length(conteudo)), 0) {held}"), values)).scalar_one()
    if int(size) > at_most_bytes:
        return None
    rows = await uow.connection.execute(text(f"select conteudo {held} order by publicada_na, id"), values)
    return [bytes(row.conteudo).decode() for row in rows]


async def known_origens(uow: UnitOfWork, administradora_id: str) -> set[str]:
    """The names of an administradora's fields that were proposed before, whatever became of them."""
    statement = text("select origem from mapeamentos_propostos where tenant_id = :tenant and administradora_id = :administradora")
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "administradora": administradora_id})
    return {row.origem for row in rows}


async def insert_mapeamentos(uow: UnitOfWork, mapeamentos: Sequence[Mapeamento]) -> None:
    """Keep proposals; a name is proposed once for each administradora."""
    statement = text(
        f"insert into mapeamentos_propostos (tenant_id, {_MAPPED}) values (:tenant, :id, :administradora_id, :origem, :destino, :modelo, "
        ":situacao, :autorizacao_id, :proposto_em, :decidido_em, :decidido_por, :motivo) "
        "on conflict (tenant_id, administradora_id, origem) do nothing"
    )
    rows = [{"tenant": uow.scope.tenant_id, **{name: getattr(one, name) for name in _MAPPED.split(", ")}} for one in mapeamentos]
    await uow.connection.execute(statement, rows)


async def list_mapeamentos(uow: UnitOfWork, situacao: Situacao | None) -> list[Mapeamento]:
    """Proposals, those that wait for a person first, then the newest first."""
    statement = text(
        f"select {_MAPPED} from mapeamentos_propostos where tenant_id = :tenant and situacao = coalesce(:situacao, situacao) "
        "order by situacao <> 'proposto', id desc"
    )
    return [_mapeamento(row) for row in await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "situacao": situacao})]


async def lock_mapeamento(uow: UnitOfWork, mapeamento_id: UUID) -> Mapeamento | None:
    """The proposal of that id, kept from being changed by others until the transaction ends; None where there is none."""
    statement = text(f"select {_MAPPED} from mapeamentos_propostos where tenant_id = :tenant and id = :id for update")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": mapeamento_id})).one_or_none()
    return None if row is None else _mapeamento(row)


async def conclude_mapeamento(uow: UnitOfWork, mapeamento: Mapeamento) -> None:
    """What a person made of a proposal."""
    statement = text(
        "update mapeamentos_propostos set situacao = :situacao, decidido_em = :decidido_em, decidido_por = :decidido_por, motivo = :motivo "
        "where tenant_id = :tenant and id = :id"
    )
    names = ("id", "situacao", "decidido_em", "decidido_por", "motivo")
    await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, **{name: getattr(mapeamento, name) for name in names}})


def _mapeamento(row: Row[Any]) -> Mapeamento:
    return Mapeamento(*list(row))
