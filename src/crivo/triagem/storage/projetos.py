"""Projects, each sealed whole under its key: its texts, its proponente, its budget and calendar, and the names of its files.

Beside that stands what lists, order and statistics need: the code, the categoria, dates, and the digests and sizes of files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.sigilo.cofre import Nova
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import CronogramaEtapa, OrcamentoItem, Projeto, ProjetoDocumento, Proponente
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.storage.chaves import CONTEUDO, KEY, NOMES, WITH_KEY, Dona, posse_of
from crivo.triagem.storage.nomes import sealed_names
from crivo.triagem.titular import titular_of

APAGADO: Final = "(dados apagados a pedido)"
_AT_ONCE: Final = 20  # projects written together: a call of them may be larger than memory should be
_CHILDREN: Final = ("orcamento_itens", "cronograma_etapas", "projeto_documentos")
_OF_EDITAL: Final = "p.edital_id = %(which)s and p.retirado_em is null"
_OF_CODES: Final = f"{_OF_EDITAL} and p.codigo = any(%(codigos)s)"
_SOME: Final = "p.id = any(%(which)s)"
_DECODER: Final = msgspec.json.Decoder(Projeto)
_WITHDRAW: Final = """
    update projetos set retirado_em = %(em)s
    where tenant_id = %(tenant)s and edital_id = %(edital)s and retirado_em is null and not codigo = any(%(ficam)s)"""
_PUT: Final = """
    insert into projetos (tenant_id, id, edital_id, codigo, ordem, titulo, categoria, enviado_em, resumo, descricao_tecnica, proponente,
        campos, procura, titulo_dobrado, chave, conteudo, nomes)
    values (%(tenant)s, %(id)s, %(edital)s, %(codigo)s, %(ordem)s, '', %(categoria)s, %(enviado_em)s, '', '', '{}', '{}', '', '',
        %(chave)s, %(conteudo)s, %(nomes)s)
    on conflict (tenant_id, edital_id, codigo) do update set ordem = excluded.ordem, titulo = '', categoria = excluded.categoria,
        enviado_em = excluded.enviado_em, resumo = '', descricao_tecnica = '', proponente = '{}', campos = '{}', procura = '',
        titulo_dobrado = '', chave = excluded.chave, conteudo = excluded.conteudo, nomes = excluded.nomes, retirado_em = null"""
_SEAL: Final = """
    update projetos set titulo = '', resumo = '', descricao_tecnica = '', proponente = '{}', campos = '{}', procura = '',
        titulo_dobrado = '', chave = %(chave)s, conteudo = %(conteudo)s, nomes = %(nomes)s
    where tenant_id = %(tenant)s and id = %(id)s and conteudo is null"""
_KNOWN: Final = f"""
    select p.codigo, {KEY}, k.id is not null as sabida, k.cpf, k.email, k.responsavel
    from projetos p {WITH_KEY} where p.tenant_id = %s and p.edital_id = %s"""

_SEALED_OF: Final = f"""
    select p.id, p.conteudo, {KEY} from projetos p {WITH_KEY}
    where p.tenant_id = %s and p.edital_id = %s and p.conteudo is not null"""


@dataclass(frozen=True, slots=True)
class Documento:
    """A file of a project, by the digest of its content."""

    arquivo: str
    requisito: str | None
    sha256: bytes
    tamanho_bytes: int


@dataclass(frozen=True, slots=True)
class ProjetoGuardado:
    """A project in force, and its files; one that is `apagado` has nothing but its code, its categoria and its dates."""

    id: UUID
    projeto: Projeto
    documentos: tuple[Documento, ...]
    apagado: bool = False


@dataclass(frozen=True, slots=True)
class Conhecido:
    """A project that is there already: its key, where that is not destroyed, and by keyed digests whom it is about, where that is known."""

    dona: Dona | None
    apagado: bool
    sabida: bool
    digests: tuple[bytes | None, ...]


async def known_of(uow: UnitOfWork, edital_id: UUID) -> dict[str, Conhecido]:
    """The projects of an edital, withdrawn ones too, by code."""
    rows = await uow.connection.exec_driver_sql(_KNOWN, (uow.scope.tenant_id, edital_id))
    found = {}
    for row in rows:
        posse = posse_of(uow, row)
        digests = tuple(None if one is None else bytes(one) for one in (row.cpf, row.email, row.responsavel))
        found[row.codigo] = Conhecido(posse.dona, posse.apagado, row.sabida, digests)
    return found


def digests_of(uow: UnitOfWork, proponente: Proponente) -> tuple[bytes | None, ...]:
    """The keyed digests by which a proponente, their e-mail, and whoever answers for them are known."""
    who, tenant_id = titular_of(proponente), uow.scope.tenant_id
    kinds = (("cpf", who.cpf), ("email", who.email), ("cpf", who.responsavel))
    return tuple(uow.cofre.index(tenant_id, kind, value) for kind, value in kinds)


async def replace(
    uow: UnitOfWork,
    edital_id: UUID,
    projetos: Sequence[Projeto],
    new_ids: Sequence[UUID],
    em: datetime,
    lugares: Sequence[int] | None = None,
    ficam: Collection[str] = (),
) -> dict[str, UUID]:
    """These projects in force, and their ids by code; one that was there keeps its id, one that is no longer is withdrawn, but for those
    that stay as they are (`ficam`). One that is about the same person as before keeps its key.

    `lugares` are their places, where others stand between them. Their files are said by `add_documentos`.
    """
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "em": em, "ficam": list(ficam)}
    known, places = await known_of(uow, edital_id), range(len(projetos)) if lugares is None else lugares
    await uow.connection.exec_driver_sql(_WITHDRAW, values)
    for start in range(0, len(projetos), _AT_ONCE):
        batch, ids = projetos[start : start + _AT_ONCE], new_ids[start : start + _AT_ONCE]
        donas = await _keys(uow, [(one, known.get(one.id), fresh) for one, fresh in zip(batch, ids, strict=True)], em)
        rows = [
            values
            | {"id": new_id, "codigo": one.id, "ordem": at, "categoria": one.categoria, "enviado_em": one.enviado_em}
            | _sealed(one, dona)
            for at, one, new_id, dona in zip(places[start : start + _AT_ONCE], batch, ids, donas, strict=True)
        ]
        await uow.connection.exec_driver_sql(_PUT, rows)
    for table in _CHILDREN:
        await uow.connection.exec_driver_sql(
            f"delete from {table} c using projetos p where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s "
            "and c.tenant_id = p.tenant_id and c.projeto_id = p.id",
            values,
        )
    return await ids_of(uow, edital_id)


async def seal_again(uow: UnitOfWork, antigos: Sequence[tuple[ProjetoGuardado, datetime]]) -> dict[UUID, Dona]:
    """Seal projects that stand in the clear, each with when its edital came in; the keys that they have now, which have their ids."""
    novas = [_new(uow, one.projeto, one.id, em) for one, em in antigos]
    await uow.cofre.keep(uow, "triagem", novas)
    donas = {nova.id: Dona(nova.id, nova.chave) for nova in novas}
    rows = [{"tenant": uow.scope.tenant_id, "id": one.id, **_sealed(one.projeto, donas[one.id])} for one, _ in antigos]
    await uow.connection.exec_driver_sql(_SEAL, rows)
    which = (uow.scope.tenant_id, list(donas))
    for table in ("orcamento_itens", "cronograma_etapas"):
        await uow.connection.exec_driver_sql(f"delete from {table} where tenant_id = %s and projeto_id = any(%s)", which)
    await uow.connection.exec_driver_sql("update projeto_documentos set arquivo = '' where tenant_id = %s and projeto_id = any(%s)", which)
    return donas


async def fold_again(uow: UnitOfWork, edital_id: UUID) -> None:
    """Fold the names of an edital's sealed projects anew, by the rules of this program."""
    rows = await uow.connection.exec_driver_sql(_SEALED_OF, (uow.scope.tenant_id, edital_id))
    folded = []
    for row in rows.all():
        dona = posse_of(uow, row).dona
        if dona is not None:
            names = sealed_names(_DECODER.decode(dona.chave.open(CONTEUDO, bytes(row.conteudo))))
            folded.append((dona.chave.seal(NOMES, names), uow.scope.tenant_id, row.id))
    if folded:
        await uow.connection.exec_driver_sql("update projetos set nomes = %s where tenant_id = %s and id = %s", folded)


async def ids_of(uow: UnitOfWork, edital_id: UUID) -> dict[str, UUID]:
    """The ids of the projects in force by code, in their order."""
    rows = await uow.connection.exec_driver_sql(
        "select codigo, id from projetos where tenant_id = %s and edital_id = %s and retirado_em is null order by ordem",
        (uow.scope.tenant_id, edital_id),
    )
    return {row.codigo: row.id for row in rows}


async def find_id(uow: UnitOfWork, edital_id: UUID, codigo: str) -> UUID | None:
    """The id of the project in force of that code, or None."""
    found = await uow.connection.exec_driver_sql(
        "select id from projetos where tenant_id = %s and edital_id = %s and codigo = %s and retirado_em is null",
        (uow.scope.tenant_id, edital_id, codigo),
    )
    of: UUID | None = found.scalar_one_or_none()
    return of


async def add_documentos(uow: UnitOfWork, documentos: Mapping[UUID, Sequence[Documento]]) -> None:
    """The files of projects, in their order; their content must be stored already, and their names are in what is sealed of each."""
    tenant = uow.scope.tenant_id
    rows = [
        (tenant, projeto_id, at, one.requisito, one.sha256, one.tamanho_bytes)
        for projeto_id, files in documentos.items()
        for at, one in enumerate(files)
    ]
    if rows:
        await uow.connection.exec_driver_sql(
            "insert into projeto_documentos (tenant_id, projeto_id, ordem, requisito, arquivo, sha256, tamanho_bytes) "
            "values (%s, %s, %s, %s, '', %s, %s)",
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


async def categorias_of(uow: UnitOfWork, edital_id: UUID) -> dict[str, int]:
    """The categorias that the projects in force say, and how many say each; of one that says none, the empty one."""
    rows = await uow.connection.exec_driver_sql(
        "select categoria, count(*) as quantos from projetos "
        "where tenant_id = %s and edital_id = %s and retirado_em is null group by categoria",
        (uow.scope.tenant_id, edital_id),
    )
    return {row.categoria: row.quantos for row in rows}


async def cabecalhos_of(uow: UnitOfWork, edital_id: UUID, codigos: Iterable[str]) -> dict[str, Cabecalho]:
    """Those of these projects that are in force, by code."""
    found = (one.projeto for one in await _load(uow, _OF_CODES, edital_id, sorted(set(codigos))))
    return {
        one.id: Cabecalho(one.id, one.titulo, one.proponente, one.categoria, tuple(of.arquivo for of in one.documentos)) for one in found
    }


async def load_one(uow: UnitOfWork, projeto_id: UUID) -> ProjetoGuardado:
    """The project of that id, which is known to exist."""
    (projeto,) = await load_some(uow, [projeto_id])
    return projeto


async def load_some(uow: UnitOfWork, ids: Sequence[UUID]) -> tuple[ProjetoGuardado, ...]:
    """The projects of these ids, withdrawn ones too."""
    return await _load(uow, _SOME, list(ids))


async def _keys(uow: UnitOfWork, batch: Sequence[tuple[Projeto, Conhecido | None, UUID]], em: datetime) -> list[Dona]:
    """The key of each: its own where it is about whom it was about, or else a fresh one, which is kept."""
    donas: list[Dona] = []
    novas: list[Nova] = []
    for projeto, known, fresh in batch:
        if known is not None and known.dona is not None and known.digests == digests_of(uow, projeto.proponente):
            donas.append(known.dona)
            continue
        novas.append(_new(uow, projeto, fresh, em))
        donas.append(Dona(fresh, novas[-1].chave))
    await uow.cofre.keep(uow, "triagem", novas)
    return donas


def _new(uow: UnitOfWork, projeto: Projeto, key_id: UUID, em: datetime) -> Nova:
    return uow.cofre.new(uow.scope.tenant_id, key_id, titular_of(projeto.proponente), em)


def _sealed(projeto: Projeto, dona: Dona) -> dict[str, Any]:
    conteudo = dona.chave.seal(CONTEUDO, msgspec.json.encode(projeto))
    return {"chave": dona.id, "conteudo": conteudo, "nomes": dona.chave.seal(NOMES, sealed_names(projeto))}


async def _load(uow: UnitOfWork, which: str, value: UUID | list[UUID], codigos: Sequence[str] = ()) -> tuple[ProjetoGuardado, ...]:
    values = {"tenant": uow.scope.tenant_id, "which": value, "codigos": list(codigos)}
    found = await uow.connection.exec_driver_sql(
        "select p.id, p.codigo, p.titulo, p.categoria, p.enviado_em, p.resumo, p.descricao_tecnica, p.proponente::text as proponente, "
        f"p.campos::text as campos, p.conteudo, {KEY} from projetos p {WITH_KEY} where p.tenant_id = %(tenant)s and {which} "
        "order by p.ordem",
        values,
    )
    rows = found.all()
    # Budgets and calendars have rows of their own only where a project stands in the clear.
    tables = ("projeto_documentos",) if all(row.chave is not None for row in rows) else _CHILDREN
    children: dict[str, dict[UUID, list[Row[Any]]]] = {}
    for table in tables:
        of_them = await uow.connection.exec_driver_sql(
            f"select c.* from {table} c join projetos p on p.tenant_id = c.tenant_id and p.id = c.projeto_id "
            f"where p.tenant_id = %(tenant)s and {which} order by c.projeto_id, c.ordem",
            values,
        )
        children[table] = {projeto_id: list(of) for projeto_id, of in groupby(of_them, key=lambda row: row.projeto_id)}
    return tuple([_guardado(uow, row, {table: of.get(row.id, []) for table, of in children.items()}) for row in rows])


def _guardado(uow: UnitOfWork, row: Row[Any], children: Mapping[str, Sequence[Row[Any]]]) -> ProjetoGuardado:
    posse, files = posse_of(uow, row), children["projeto_documentos"]
    if posse.apagado:
        return ProjetoGuardado(row.id, Projeto(row.codigo, APAGADO, Proponente(APAGADO), row.categoria, row.enviado_em), (), apagado=True)
    if posse.dona is None:
        projeto = _in_the_clear(row, children)
    else:
        projeto = _DECODER.decode(posse.dona.chave.open(CONTEUDO, bytes(row.conteudo)))
        projeto = msgspec.structs.replace(projeto, enviado_em=row.enviado_em)
    documentos = [
        Documento(name.arquivo, one.requisito, bytes(one.sha256), one.tamanho_bytes)
        for name, one in zip(projeto.documentos, files, strict=True)
    ]
    return ProjetoGuardado(row.id, projeto, tuple(documentos))


def _in_the_clear(row: Row[Any], children: Mapping[str, Sequence[Row[Any]]]) -> Projeto:
    """A project as it was kept before there were keys."""
    return Projeto(
        row.codigo,
        row.titulo,
        msgspec.json.decode(row.proponente, type=Proponente),
        row.categoria,
        row.enviado_em,
        row.resumo,
        row.descricao_tecnica,
        msgspec.json.decode(row.campos),
        tuple(OrcamentoItem(one.descricao, one.quantidade, one.valor_unitario) for one in children["orcamento_itens"]),
        tuple(CronogramaEtapa(one.nome, one.inicio, one.fim) for one in children["cronograma_etapas"]),
        tuple(ProjetoDocumento(one.arquivo, one.requisito) for one in children["projeto_documentos"]),
    )


def lido_of(guardado: ProjetoGuardado, lidos: Mapping[bytes, DocumentoLido]) -> ProjetoLido:
    """The project with its documents, each under the name and for the requisito of this project; those that nobody read are left out."""
    documentos = tuple(
        msgspec.structs.replace(lidos[one.sha256], arquivo=one.arquivo, requisito=one.requisito)
        for one in guardado.documentos
        if one.sha256 in lidos
    )
    return ProjetoLido(guardado.projeto, documentos)
