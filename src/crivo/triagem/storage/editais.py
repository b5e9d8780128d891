"""Editais with their requisitos and critérios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Criterio, Edital, EditalNotFound, Nivel, Requisito, RequisitoDocumento
from crivo.triagem.procura import PROCURA

_COLUMNS: Final = "id, importacao, dados::text as dados, procura_versao"


@dataclass(frozen=True, slots=True)
class EditalGuardado:
    """An edital as it stands; `importacao` counts how often it came in, `procura` by which rules its names are folded to be searched."""

    id: UUID
    importacao: int
    edital: Edital
    procura: int


@dataclass(frozen=True, slots=True)
class CriterioGuardado:
    """A critério in force."""

    id: UUID
    criterio: Criterio


@dataclass(frozen=True, slots=True)
class EditalResumo:
    """An edital as a line of a list."""

    edital_id: str
    nome: str
    projetos: int
    importado_em: datetime


async def find(uow: UnitOfWork, codigo: str, *, lock: bool = False) -> EditalGuardado | None:
    """The edital of that code, or None; `lock` keeps others from changing it, or starting on it, until the unit of work ends."""
    statement = f"select {_COLUMNS} from editais where tenant_id = %s and codigo = %s {'for update' if lock else ''}"
    row = (await uow.connection.exec_driver_sql(statement, (uow.scope.tenant_id, codigo))).one_or_none()
    return None if row is None else EditalGuardado(row.id, row.importacao, msgspec.json.decode(row.dados, type=Edital), row.procura_versao)


async def get_by_codigo(uow: UnitOfWork, codigo: str, *, lock: bool = False) -> EditalGuardado:
    """The edital of that code. Raises EditalNotFound."""
    found = await find(uow, codigo, lock=lock)
    if found is None:
        raise EditalNotFound("Não há edital com este código. Confira o código, ou liste os editais importados.")
    return found


async def get(uow: UnitOfWork, edital_id: UUID) -> EditalGuardado:
    """The edital of that id, which is known to exist."""
    found = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS} from editais where tenant_id = %s and id = %s", (uow.scope.tenant_id, edital_id)
    )
    row = found.one()
    return EditalGuardado(row.id, row.importacao, msgspec.json.decode(row.dados, type=Edital), row.procura_versao)


async def save(uow: UnitOfWork, edital: Edital, new_id: UUID, em: datetime) -> EditalGuardado:
    """Store an edital, or put it in the place of the one with its code, which keeps its id."""
    found = await uow.connection.exec_driver_sql(
        "insert into editais (tenant_id, id, codigo, nome, dados, importacao, importado_em, importado_por, procura_versao) "
        "values (%s, %s, %s, %s, %s, 1, %s, %s, %s) on conflict (tenant_id, codigo) do update set nome = excluded.nome, "
        "dados = excluded.dados, importacao = editais.importacao + 1, importado_em = excluded.importado_em, "
        "importado_por = excluded.importado_por returning id, importacao, procura_versao",
        (uow.scope.tenant_id, new_id, edital.id, edital.nome, to_json(edital), em, uow.scope.ator, PROCURA),
    )
    row = found.one()
    return EditalGuardado(row.id, row.importacao, edital, row.procura_versao)


async def list_all(uow: UnitOfWork) -> tuple[EditalResumo, ...]:
    """Every edital of the tenant, the one that came in last first."""
    rows = await uow.connection.exec_driver_sql(
        "select e.codigo, e.nome, e.importado_em, (select count(*) from projetos p where p.tenant_id = e.tenant_id "
        "and p.edital_id = e.id and p.retirado_em is null) as projetos "
        "from editais e where e.tenant_id = %s order by e.importado_em desc, e.codigo",
        (uow.scope.tenant_id,),
    )
    return tuple(EditalResumo(row.codigo, row.nome, row.projetos, row.importado_em) for row in rows)


async def list_with_rules(uow: UnitOfWork) -> tuple[tuple[str, str], ...]:
    """Code and name of every edital that says how notas become places, the one that came in last first."""
    rows = await uow.connection.exec_driver_sql(
        "select codigo, nome from editais where tenant_id = %s and jsonb_typeof(dados -> 'classificacao') = 'object' "
        "order by importado_em desc, codigo",
        (uow.scope.tenant_id,),
    )
    return tuple((row.codigo, row.nome) for row in rows)


async def list_before(uow: UnitOfWork, edital_id: UUID) -> tuple[tuple[UUID, str], ...]:
    """The editais of the tenant that first came in before this one: id and code, in that order (ids grow with time)."""
    rows = await uow.connection.exec_driver_sql(
        "select id, codigo from editais where tenant_id = %s and id < %s order by id", (uow.scope.tenant_id, edital_id)
    )
    return tuple((row.id, row.codigo) for row in rows)


async def replace_requisitos(uow: UnitOfWork, edital_id: UUID, requisitos: Sequence[Requisito]) -> None:
    """These requisitos in the place of those that were."""
    tenant = uow.scope.tenant_id
    await uow.connection.exec_driver_sql("delete from edital_requisitos where tenant_id = %s and edital_id = %s", (tenant, edital_id))
    rows = [
        (tenant, edital_id, ordem, one.id, "documento" if isinstance(one, RequisitoDocumento) else "condicao", to_json(one))
        for ordem, one in enumerate(requisitos)
    ]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into edital_requisitos (tenant_id, edital_id, ordem, codigo, tipo, dados) values (%s, %s, %s, %s, %s, %s)", rows
        )


async def requisitos_of(uow: UnitOfWork, edital_id: UUID) -> tuple[Requisito, ...]:
    """The requisitos, in their order."""
    rows = await uow.connection.exec_driver_sql(
        "select dados::text from edital_requisitos where tenant_id = %s and edital_id = %s order by ordem", (uow.scope.tenant_id, edital_id)
    )
    return tuple(msgspec.json.decode(dados, type=Requisito) for (dados,) in rows)


async def replace_criterios(uow: UnitOfWork, edital_id: UUID, criterios: Sequence[Criterio], new_ids: Sequence[UUID], em: datetime) -> None:
    """These critérios in force; one that was there keeps its id, one that is no longer is withdrawn."""
    tenant = uow.scope.tenant_id
    await uow.connection.exec_driver_sql(
        "update criterios set retirado_em = %s where tenant_id = %s and edital_id = %s and retirado_em is null", (em, tenant, edital_id)
    )
    rows = [
        (tenant, new_id, edital_id, one.id, ordem, one.nome, one.descricao, one.peso, one.nota_min, one.nota_max, to_json(one.niveis))
        for ordem, (one, new_id) in enumerate(zip(criterios, new_ids, strict=True))
    ]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into criterios (tenant_id, id, edital_id, codigo, ordem, nome, descricao, peso, nota_min, nota_max, niveis) "
            "values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict (tenant_id, edital_id, codigo) do update set "
            "ordem = excluded.ordem, nome = excluded.nome, descricao = excluded.descricao, peso = excluded.peso, "
            "nota_min = excluded.nota_min, nota_max = excluded.nota_max, niveis = excluded.niveis, retirado_em = null",
            rows,
        )


async def criterios_of(uow: UnitOfWork, edital_id: UUID) -> tuple[CriterioGuardado, ...]:
    """The critérios in force, in their order."""
    rows = await uow.connection.exec_driver_sql(
        "select id, codigo, nome, descricao, peso, nota_min, nota_max, niveis::text as niveis from criterios "
        "where tenant_id = %s and edital_id = %s and retirado_em is null order by ordem",
        (uow.scope.tenant_id, edital_id),
    )
    niveis = tuple[Nivel, ...]
    return tuple(
        CriterioGuardado(
            row.id,
            Criterio(
                row.codigo,
                row.nome,
                row.descricao,
                row.peso,
                row.nota_min,
                row.nota_max,
                msgspec.json.decode(row.niveis, type=niveis),
            ),
        )
        for row in rows
    )


def to_json(value: object) -> str:
    """The JSON text of a value, for a column of jsonb."""
    return msgspec.json.encode(value).decode()
