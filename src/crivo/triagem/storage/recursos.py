"""Recursos, their papers and their answers. What is written of a project stands under its key, and is gone with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Value
from crivo.triagem.recursos.contratos import CampoCorrigido, Contra, Desfecho, Entrada, Mudanca, Papel, Recurso, Resposta
from crivo.triagem.seladas import RECURSOS, RESPOSTAS_DE_RECURSOS
from crivo.triagem.storage.chaves import Dona, posse_of

_LOCK: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.recursos:' || %s || ':' || %s::text, 0))"
_NEXT: Final = "select coalesce(max(numero), 0) + 1 from recursos where tenant_id = %s and edital_id = %s"
_ADD: Final = f"""
    insert into recursos ({", ".join(("tenant_id", *RECURSOS.columns))})
    values ({", ".join(["%s"] * (1 + len(RECURSOS.columns)))})"""
_ADD_PAPER: Final = "insert into recurso_papeis (tenant_id, recurso_id, ordem, chave, conteudo) values (%s, %s, %s, %s, %s)"
_OF: Final = """
    select r.*, p.codigo, k.embrulhada from recursos r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id
    left join chaves_de_pessoas k on k.tenant_id = r.tenant_id and k.id = r.chave
    where r.tenant_id = %(tenant)s and r.edital_id = %(edital)s {only} order by r.numero"""
_ANSWERS: Final = """
    select a.*, k.embrulhada from recurso_respostas a
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.chave
    where a.tenant_id = %s and a.recurso_id = any(%s) order by a.respondido_em desc, a.id desc"""
_PAPER: Final = """
    select a.chave, a.conteudo, k.embrulhada from recurso_papeis a
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.chave
    where a.tenant_id = %s and a.recurso_id = %s and a.ordem = %s"""
_ANSWER: Final = f"""
    insert into recurso_respostas ({", ".join(("tenant_id", *RESPOSTAS_DE_RECURSOS.columns))})
    values ({", ".join(["%s"] * (1 + len(RESPOSTAS_DE_RECURSOS.columns)))})"""
_TAKE_BACK: Final = """
    update recurso_respostas set desfeita_por = %s, desfeita_em = %s, desfeita_selado = %s
    where tenant_id = %s and id = %s and desfeita_em is null"""
_TOLD: Final = """
    select r.*, p.codigo, e.codigo as edital, k.embrulhada from recursos r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id
    join editais e on e.tenant_id = r.tenant_id and e.id = r.edital_id
    join chaves_de_pessoas k on k.tenant_id = r.tenant_id and k.id = r.chave and k.embrulhada is not null
    where r.tenant_id = %s and r.chave = any(%s) order by r.recebido_em, r.id"""
_OPEN: Final = """
    select count(*) from recursos r join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id
    where r.tenant_id = %s and r.edital_id = %s and p.retirado_em is null and not exists (
        select from recurso_respostas a where a.tenant_id = r.tenant_id and a.recurso_id = r.id and a.desfeita_em is null)"""
_WAITING: Final = """
    select e.codigo, count(*) as quantos from recursos r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id and p.retirado_em is null
    join editais e on e.tenant_id = r.tenant_id and e.id = r.edital_id
    where r.tenant_id = %s and not exists (
        select from recurso_respostas a where a.tenant_id = r.tenant_id and a.recurso_id = r.id and a.desfeita_em is null)
    group by e.codigo"""
_CORRECTING: Final = """
    select p.codigo, a.id, a.chave, a.selado, k.embrulhada from recurso_respostas a
    join recursos r on r.tenant_id = a.tenant_id and r.id = a.recurso_id
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id
    left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.chave
    where a.tenant_id = %s and r.edital_id = %s and a.corrige_campo and a.desfeita_em is null order by a.respondido_em, a.id"""
_SELADO: Final = "recursos.selado"
_PAPEL: Final = "recurso_papeis.conteudo"
_RESPOSTA: Final = "recurso_respostas.selado"
_DESFEITA: Final = "recurso_respostas.desfeita_selado"


class _Pedido(Value, frozen=True):
    """What a recurso says."""

    texto: str
    tardio: str = ""
    papeis: tuple[Papel, ...] = ()


class _Dito(Value, frozen=True):
    """What an answer says."""

    motivo: str
    mudancas: tuple[Mudanca, ...] = ()


_PEDIDOS: Final = msgspec.json.Decoder(_Pedido)
_DITOS: Final = msgspec.json.Decoder(_Dito)


@dataclass(frozen=True, slots=True, kw_only=True)
class NovoRecurso:
    """A recurso to be kept; `papeis` beside the contents of these files."""

    id: UUID
    edital_id: UUID
    projeto_id: UUID
    contra: Contra
    entrada: Entrada
    versao: int | None
    apresentado_em: datetime
    recebido_em: datetime
    registrado_por: UUID | None
    texto: str
    tardio: str
    papeis: tuple[Papel, ...]
    conteudos: tuple[bytes, ...]
    resumo: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaResposta:
    """An answer to be kept; `versao` is the last published result by then, 0 where there was none."""

    id: UUID
    recurso_id: UUID
    desfecho: Desfecho
    motivo: str
    mudancas: tuple[Mudanca, ...]
    ato: UUID | None
    versao: int
    por: UUID
    em: datetime


async def lock(uow: UnitOfWork, edital_id: UUID) -> None:
    """Have the recursos of an edital to oneself until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id, edital_id))


async def keep(uow: UnitOfWork, novo: NovoRecurso, dona: Dona) -> int:
    """Keep a recurso under the project's key, with its papers; its number, the next of the edital, which is locked."""
    tenant = uow.scope.tenant_id
    numero = int((await uow.connection.exec_driver_sql(_NEXT, (tenant, novo.edital_id))).scalar_one())
    said = msgspec.json.encode(_Pedido(novo.texto, novo.tardio, novo.papeis))
    sealed = dona.chave.seal(f"{_SELADO}|{novo.id}", said)
    of = (novo.id, novo.edital_id, numero, novo.projeto_id, novo.contra, novo.entrada, novo.versao, novo.apresentado_em, novo.recebido_em)
    how = (novo.registrado_por, bool(novo.tardio), dona.id, sealed, bytes.fromhex(novo.resumo))
    await uow.connection.exec_driver_sql(_ADD, (tenant, *of, *how))
    for ordem, conteudo in enumerate(novo.conteudos, 1):
        stored = dona.chave.seal(f"{_PAPEL}|{novo.id}|{ordem}", conteudo)
        await uow.connection.exec_driver_sql(_ADD_PAPER, (tenant, novo.id, ordem, dona.id, stored))
    return numero


async def list_of(uow: UnitOfWork, edital_id: UUID, *, numero: int | None = None, projeto: UUID | None = None) -> tuple[Recurso, ...]:
    """The recursos of an edital in the order of their numbers, with their answers; one of them, or those of one project, where asked."""
    only = ("" if numero is None else "and r.numero = %(numero)s ") + ("" if projeto is None else "and r.projeto_id = %(projeto)s")
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "numero": numero, "projeto": projeto}
    rows = (await uow.connection.exec_driver_sql(_OF.format(only=only), values)).all()
    given: dict[UUID, list[Resposta]] = {}
    if rows:
        for row in await uow.connection.exec_driver_sql(_ANSWERS, (uow.scope.tenant_id, [one.id for one in rows])):
            given.setdefault(row.recurso_id, []).append(_resposta(uow, row))
    return tuple([_recurso(uow, row, given.get(row.id, ())) for row in rows])


async def paper(uow: UnitOfWork, recurso_id: UUID, ordem: int) -> bytes | None:
    """The content of the `ordem`-th paper of a recurso, from 1; None where there is none, or it was erased."""
    row = (await uow.connection.exec_driver_sql(_PAPER, (uow.scope.tenant_id, recurso_id, ordem))).one_or_none()
    dona = None if row is None else posse_of(uow, row).dona
    if row is None or dona is None or not row.conteudo:
        return None
    return dona.chave.open(f"{_PAPEL}|{recurso_id}|{ordem}", bytes(row.conteudo))


async def answer(uow: UnitOfWork, nova: NovaResposta, dona: Dona) -> None:
    """Keep an answer to a recurso that has none in force, under the project's key."""
    sealed = dona.chave.seal(f"{_RESPOSTA}|{nova.id}", msgspec.json.encode(_Dito(nova.motivo, nova.mudancas)))
    corrects = any(isinstance(one, CampoCorrigido) for one in nova.mudancas)
    of = (nova.id, nova.recurso_id, nova.desfecho, nova.ato, corrects, nova.versao, dona.id, sealed, nova.por, nova.em, None, None, None)
    await uow.connection.exec_driver_sql(_ANSWER, (uow.scope.tenant_id, *of))


async def take_back(uow: UnitOfWork, resposta_id: UUID, motivo: str, por: UUID, em: datetime, dona: Dona) -> None:
    """An answer is in force no more, for a reason that stands under the project's key; it stays readable."""
    sealed = dona.chave.seal(f"{_DESFEITA}|{resposta_id}", motivo.encode())
    await uow.connection.exec_driver_sql(_TAKE_BACK, (por, em, sealed, uow.scope.tenant_id, resposta_id))


async def told_of(uow: UnitOfWork, chaves: Sequence[UUID]) -> list[tuple[str, Recurso]]:
    """The recursos under these keys, each with the code of its edital, in the order in which they came in."""
    rows = (await uow.connection.exec_driver_sql(_TOLD, (uow.scope.tenant_id, list(chaves)))).all()
    return [(row.edital, _recurso(uow, row, ())) for row in rows]


async def count_open(uow: UnitOfWork, edital_id: UUID) -> int:
    """How many recursos of projects in force nobody answered yet."""
    return int((await uow.connection.exec_driver_sql(_OPEN, (uow.scope.tenant_id, edital_id))).scalar_one())


async def waiting(uow: UnitOfWork) -> Mapping[str, int]:
    """By edital, how many recursos of projects in force nobody answered yet; editais that have none are left out."""
    return {row.codigo: row.quantos for row in await uow.connection.exec_driver_sql(_WAITING, (uow.scope.tenant_id,))}


async def corrections_of(uow: UnitOfWork, edital_id: UUID) -> Mapping[str, Mapping[str, str]]:
    """By project, the fields that answers in force corrected and what they are taken for; the later answer counts."""
    found: dict[str, dict[str, str]] = {}
    for row in await uow.connection.exec_driver_sql(_CORRECTING, (uow.scope.tenant_id, edital_id)):
        said = _said(uow, row)
        for one in said.mudancas if said else ():
            if isinstance(one, CampoCorrigido):
                found.setdefault(row.codigo, {})[one.campo] = one.valor
    return found


def _said(uow: UnitOfWork, row: Row[Any]) -> _Dito | None:
    dona = posse_of(uow, row).dona
    return None if dona is None else _DITOS.decode(dona.chave.open(f"{_RESPOSTA}|{row.id}", bytes(row.selado)))


def _resposta(uow: UnitOfWork, row: Row[Any]) -> Resposta:
    said = _said(uow, row)
    motivo, mudancas = (None, ()) if said is None else (said.motivo, said.mudancas)
    by = (row.respondido_por, row.respondido_em, row.versao, row.ato_id, row.desfeita_por, row.desfeita_em)
    return Resposta(row.id, row.desfecho, motivo, mudancas, *by, _why_undone(uow, row))


def _why_undone(uow: UnitOfWork, row: Row[Any]) -> str | None:
    dona = posse_of(uow, row).dona
    if dona is None or row.desfeita_selado is None:
        return None
    return dona.chave.open(f"{_DESFEITA}|{row.id}", bytes(row.desfeita_selado)).decode()


def _recurso(uow: UnitOfWork, row: Row[Any], given: Sequence[Resposta]) -> Recurso:
    dona = posse_of(uow, row).dona
    said = None if dona is None else _PEDIDOS.decode(dona.chave.open(f"{_SELADO}|{row.id}", bytes(row.selado)))
    return Recurso(
        id=row.id,
        numero=row.numero,
        projeto_id=row.codigo,
        contra=row.contra,
        entrada=row.entrada,
        apresentado_em=row.apresentado_em,
        recebido_em=row.recebido_em,
        registrado_por=row.registrado_por,
        versao=row.versao,
        texto=None if said is None else said.texto,
        tardio="" if said is None else said.tardio,
        papeis=() if said is None else said.papeis,
        resumo=bytes(row.resumo).hex(),
        resposta=next((one for one in given if one.desfeita_em is None), None),
        desfeitas=tuple([one for one in given if one.desfeita_em is not None]),
    )
