"""Projects with their budget, calendar and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.text.folding import fold
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import CronogramaEtapa, OrcamentoItem, Projeto, ProjetoDocumento, Proponente
from crivo.triagem.palavras import shown
from crivo.triagem.procura import searched
from crivo.triagem.storage.editais import to_json

_AT_ONCE: Final = 20  # projects written together: a call of them may be larger than memory should be
_CHILDREN: Final = ("orcamento_itens", "cronograma_etapas", "projeto_documentos")
_OF_EDITAL: Final = "p.edital_id = %(which)s and p.retirado_em is null"
_ONE: Final = "p.id = %(which)s"


@dataclass(frozen=True, slots=True)
class Documento:
    """A file of a project, by the digest of its content."""

    arquivo: str
    requisito: str | None
    sha256: bytes
    tamanho_bytes: int


@dataclass(frozen=True, slots=True)
class Cabecalho:
    """A project as lists and quotes name it, and the names of its files, in their order."""

    id: str
    titulo: str
    proponente: Proponente
    categoria: str
    arquivos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProjetoGuardado:
    """A project in force, and its files."""

    id: UUID
    projeto: Projeto
    documentos: tuple[Documento, ...]


async def replace(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[Projeto], new_ids: Sequence[UUID], em: datetime) -> dict[str, UUID]:
    """These projects in force, and their ids by code; one that was there keeps its id, one that is no longer is withdrawn.

    Their files are said by `add_documentos`.
    """
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "em": em}
    await uow.connection.exec_driver_sql(
        "update projetos set retirado_em = %(em)s where tenant_id = %(tenant)s and edital_id = %(edital)s and retirado_em is null", values
    )
    for start in range(0, len(projetos), _AT_ONCE):
        batch = zip(new_ids[start : start + _AT_ONCE], projetos[start : start + _AT_ONCE], strict=True)
        rows = [values | {"id": new_id, "ordem": at, **_columns(one)} for at, (new_id, one) in enumerate(batch, start)]
        await uow.connection.exec_driver_sql(
            "insert into projetos (tenant_id, id, edital_id, codigo, ordem, titulo, categoria, enviado_em, resumo, descricao_tecnica, "
            "proponente, campos, procura, titulo_dobrado) "
            "values (%(tenant)s, %(id)s, %(edital)s, %(codigo)s, %(ordem)s, %(titulo)s, %(categoria)s, "
            "%(enviado_em)s, %(resumo)s, %(descricao_tecnica)s, %(proponente)s, %(campos)s, %(procura)s, %(titulo_dobrado)s) "
            "on conflict (tenant_id, edital_id, codigo) do update set ordem = excluded.ordem, titulo = excluded.titulo, "
            "categoria = excluded.categoria, enviado_em = excluded.enviado_em, resumo = excluded.resumo, "
            "descricao_tecnica = excluded.descricao_tecnica, proponente = excluded.proponente, campos = excluded.campos, "
            "procura = excluded.procura, titulo_dobrado = excluded.titulo_dobrado, retirado_em = null",
            rows,
        )
    for table in _CHILDREN:
        await uow.connection.exec_driver_sql(
            f"delete from {table} c using projetos p where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s "
            "and c.tenant_id = p.tenant_id and c.projeto_id = p.id",
            values,
        )
    ids = await ids_of(uow, edital_id)
    for start in range(0, len(projetos), _AT_ONCE):
        await _add_children(uow, projetos[start : start + _AT_ONCE], ids)
    return ids


async def ids_of(uow: UnitOfWork, edital_id: UUID) -> dict[str, UUID]:
    """The ids of the projects in force by code, in their order."""
    rows = await uow.connection.exec_driver_sql(
        "select codigo, id from projetos where tenant_id = %s and edital_id = %s and retirado_em is null order by ordem",
        (uow.scope.tenant_id, edital_id),
    )
    return {row.codigo: row.id for row in rows}


async def add_documentos(uow: UnitOfWork, projeto_id: UUID, documentos: Sequence[Documento]) -> None:
    """The files of a project, in their order; their content must be stored already."""
    tenant = uow.scope.tenant_id
    rows = [(tenant, projeto_id, at, one.requisito, one.arquivo, one.sha256, one.tamanho_bytes) for at, one in enumerate(documentos)]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into projeto_documentos (tenant_id, projeto_id, ordem, requisito, arquivo, sha256, tamanho_bytes) "
            "values (%s, %s, %s, %s, %s, %s, %s)",
            rows,
        )


async def load_all(uow: UnitOfWork, edital_id: UUID) -> tuple[ProjetoGuardado, ...]:
    """The projects in force of an edital, in their order."""
    return await _load(uow, _OF_EDITAL, edital_id)


async def count_of(uow: UnitOfWork, edital_id: UUID) -> int:
    """How many projects are in force."""
    found = await uow.connection.exec_driver_sql(
        "select count(*) from projetos where tenant_id = %s and edital_id = %s and retirado_em is null", (uow.scope.tenant_id, edital_id)
    )
    return int(found.scalar_one())


async def cabecalhos_of(uow: UnitOfWork, edital_id: UUID, codigos: Iterable[str]) -> dict[str, Cabecalho]:
    """Those of these projects that are in force, by code."""
    rows = await uow.connection.exec_driver_sql(
        "select p.codigo, p.titulo, p.proponente::text as proponente, p.categoria, array(select d.arquivo from projeto_documentos d "
        "where d.tenant_id = p.tenant_id and d.projeto_id = p.id order by d.ordem) as arquivos from projetos p "
        "where p.tenant_id = %s and p.edital_id = %s and p.codigo = any(%s) and p.retirado_em is null",
        (uow.scope.tenant_id, edital_id, sorted(set(codigos))),
    )
    return {
        row.codigo: Cabecalho(
            row.codigo, row.titulo, msgspec.json.decode(row.proponente, type=Proponente), row.categoria, tuple(row.arquivos)
        )
        for row in rows
    }


async def load_one(uow: UnitOfWork, projeto_id: UUID) -> ProjetoGuardado:
    """The project of that id, which is known to exist."""
    (projeto,) = await _load(uow, _ONE, projeto_id)
    return projeto


def _columns(projeto: Projeto) -> dict[str, Any]:
    return {
        "codigo": projeto.id,
        "titulo": projeto.titulo,
        "categoria": projeto.categoria,
        "enviado_em": projeto.enviado_em,
        "resumo": projeto.resumo,
        "descricao_tecnica": projeto.descricao_tecnica,
        "proponente": to_json(projeto.proponente),
        "campos": to_json(projeto.campos),
        "procura": searched(projeto.id, projeto.titulo, projeto.proponente.nome, projeto.categoria),
        "titulo_dobrado": fold(shown(projeto.titulo)),
    }


async def _add_children(uow: UnitOfWork, projetos: Iterable[Projeto], ids: dict[str, UUID]) -> None:
    tenant = uow.scope.tenant_id
    itens, etapas = [], []
    for projeto in projetos:
        of = ids[projeto.id]
        itens += [(tenant, of, at, one.descricao, one.quantidade, one.valor_unitario) for at, one in enumerate(projeto.orcamento_itens)]
        etapas += [(tenant, of, at, one.nome, one.inicio, one.fim) for at, one in enumerate(projeto.cronograma_etapas)]
    if itens:
        await uow.connection.exec_driver_sql(
            "insert into orcamento_itens (tenant_id, projeto_id, ordem, descricao, quantidade, valor_unitario) "
            "values (%s, %s, %s, %s, %s, %s)",
            itens,
        )
    if etapas:
        await uow.connection.exec_driver_sql(
            "insert into cronograma_etapas (tenant_id, projeto_id, ordem, nome, inicio, fim) values (%s, %s, %s, %s, %s, %s)", etapas
        )


async def _load(uow: UnitOfWork, which: str, value: UUID) -> tuple[ProjetoGuardado, ...]:
    values = {"tenant": uow.scope.tenant_id, "which": value}
    projetos = await uow.connection.exec_driver_sql(
        "select id, codigo, titulo, categoria, enviado_em, resumo, descricao_tecnica, proponente::text as proponente, "
        f"campos::text as campos from projetos p where p.tenant_id = %(tenant)s and {which} order by ordem",
        values,
    )
    children = {}
    for table in _CHILDREN:
        rows = await uow.connection.exec_driver_sql(
            f"select c.* from {table} c join projetos p on p.tenant_id = c.tenant_id and p.id = c.projeto_id "
            f"where p.tenant_id = %(tenant)s and {which} order by c.projeto_id, c.ordem",
            values,
        )
        children[table] = {projeto_id: list(of) for projeto_id, of in groupby(rows, key=lambda row: row.projeto_id)}
    return tuple(_projeto(row, *(children[table].get(row.id, []) for table in _CHILDREN)) for row in projetos)


def _projeto(row: Row[Any], itens: Sequence[Row[Any]], etapas: Sequence[Row[Any]], documentos: Sequence[Row[Any]]) -> ProjetoGuardado:
    projeto = Projeto(
        row.codigo,
        row.titulo,
        msgspec.json.decode(row.proponente, type=Proponente),
        row.categoria,
        row.enviado_em,
        row.resumo,
        row.descricao_tecnica,
        msgspec.json.decode(row.campos),
        tuple(OrcamentoItem(one.descricao, one.quantidade, one.valor_unitario) for one in itens),
        tuple(CronogramaEtapa(one.nome, one.inicio, one.fim) for one in etapas),
        tuple(ProjetoDocumento(one.arquivo, one.requisito) for one in documentos),
    )
    return ProjetoGuardado(
        row.id, projeto, tuple(Documento(one.arquivo, one.requisito, bytes(one.sha256), one.tamanho_bytes) for one in documentos)
    )


def lido_of(guardado: ProjetoGuardado, lidos: Mapping[bytes, DocumentoLido]) -> ProjetoLido:
    """The project with its documents, each under the name and for the requisito of this project; those that nobody read are left out."""
    documentos = tuple(
        msgspec.structs.replace(lidos[one.sha256], arquivo=one.arquivo, requisito=one.requisito)
        for one in guardado.documentos
        if one.sha256 in lidos
    )
    return ProjetoLido(guardado.projeto, documentos)
