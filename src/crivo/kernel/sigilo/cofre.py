"""The keeper of keys: one for each record that tells of a person, wrapped under its tenant's key, found by who the person is.

A record's key has the record's own id. Whoever is looked for is found by keyed digests: no CPF and no e-mail stands in the table.
Nothing that opens a record outlives the transaction it was read in, so that a key destroyed by one process is gone for all.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal
from uuid import UUID

from crivo.kernel.sigilo.cifra import KEY_BYTES, Chave, RandomBytes, derived
from crivo.kernel.sigilo.destruidas import Destruidas
from crivo.kernel.sigilo.identidade import Identidade

if TYPE_CHECKING:
    from crivo.kernel.storage.session import UnitOfWork

Aplicacao = Literal["autorizacoes", "triagem", "pessoas", "cartas", "clinicas"]

_MOST_UNWRAPPED: Final = 4096
# Ids and moments go as binary, which costs a tenth of their text.
_ADD: Final = """
    insert into chaves_de_pessoas (tenant_id, id, aplicacao, cpf, email, numero, responsavel, embrulhada, criada_em)
    select %(tenant)s, k.id, %(aplicacao)s, k.cpf, k.email, k.numero, k.responsavel, k.embrulhada, k.criada_em
    from unnest(%(ids)b::uuid[], %(cpfs)b::bytea[], %(emails)b::bytea[], %(numeros)b::bytea[], %(responsaveis)b::bytea[],
        %(embrulhadas)b::bytea[], %(criadas)b::timestamptz[]) as k (id, cpf, email, numero, responsavel, embrulhada, criada_em)"""
_FIND: Final = "select id, embrulhada from chaves_de_pessoas where tenant_id = %s and id = any(%b)"
_OF_PERSON: Final = """
    select id, aplicacao, case when responsavel = any(%(cpfs)b) then responsavel else cpf end as cpf, email, numero, criada_em, destruida_em
    from chaves_de_pessoas where tenant_id = %(tenant)s and (
        cpf = any(%(cpfs)b) or responsavel = any(%(cpfs)b) or email = any(%(emails)b) or numero = any(%(numeros)b)) order by id"""
# The key of an account names nobody as long as it lives: whose it was is noted with its end.
_NOTE: Final = """
    insert into chaves_de_pessoas as k (tenant_id, id, aplicacao, cpf, email, criada_em, destruida_em) values (%s, %s, %s, %s, %s, %s, %s)
    on conflict (tenant_id, id) do update set embrulhada = null, destruida_em = excluded.destruida_em,
        cpf = coalesce(k.cpf, excluded.cpf), email = coalesce(k.email, excluded.email) where k.destruida_em is null"""
_DESTROY: Final = """
    update chaves_de_pessoas set embrulhada = null, destruida_em = %s
    where tenant_id = %s and id = any(%s) and destruida_em is null returning id"""
_EXPIRE: Final = """
    update chaves_de_pessoas set embrulhada = null, destruida_em = %s, por_prazo = true
    where tenant_id = %s and id = any(%s) and destruida_em is null returning id"""
_ERASED: Final = """
    select cpf, responsavel, email, destruida_em from chaves_de_pessoas
    where tenant_id = %s and aplicacao = %s and destruida_em is not null and not por_prazo order by destruida_em"""
_AGAIN: Final = """
    select cpf, responsavel, max(criada_em) as criada_em from chaves_de_pessoas
    where tenant_id = %(tenant)s and aplicacao = %(aplicacao)s and destruida_em is null
      and (cpf = any(%(cpfs)b) or responsavel = any(%(cpfs)b)) group by cpf, responsavel"""
_DESTROYED_SINCE: Final = "select exists (select from chaves_de_pessoas where tenant_id = %s and destruida_em >= %s)"
_BEFORE: Final = "select id from chaves_de_pessoas where tenant_id = %s and aplicacao = %s and criada_em < %s and destruida_em is null"


@dataclass(frozen=True, slots=True)
class Guardada:
    """A key as the table tells of it: whose by keyed digests, of which record, and since when it is no more.

    `cpf` is that of whoever it was looked for by, where they answer for whom the record is about.
    """

    id: UUID
    aplicacao: Aplicacao
    cpf: bytes | None
    email: bytes | None
    numero: bytes | None
    criada_em: datetime
    destruida_em: datetime | None


@dataclass(frozen=True, slots=True)
class Apagadas:
    """Whose data were erased at their request, and when last, by keyed digests of CPF and of e-mail."""

    cpfs: Mapping[bytes, datetime]
    emails: Mapping[bytes, datetime]


@dataclass(frozen=True, slots=True)
class Nova:
    """A key that no table holds yet, with what is to be written of it."""

    id: UUID
    chave: Chave
    embrulhada: bytes
    identidade: Identidade
    criada_em: datetime


class Cofre:
    """Makes, finds and destroys the keys of all tenants, under one master key."""

    def __init__(self, mestra: bytes, destruidas: Destruidas, random_bytes: RandomBytes = os.urandom) -> None:
        self._mestra = mestra
        self._destruidas = destruidas
        self._random = random_bytes
        self._tenants: dict[str, tuple[Chave, hmac.HMAC]] = {}
        self._unwrapped: OrderedDict[tuple[str, UUID, bytes], Chave] = OrderedDict()

    def new(self, tenant_id: str, registro: UUID, identidade: Identidade, em: datetime) -> Nova:
        """A fresh key for a record that tells of a person, and was made at that moment."""
        secret = self._random(KEY_BYTES)
        embrulhada = self._of_tenant(tenant_id)[0].seal(str(registro), secret)
        return Nova(registro, Chave.of(secret, _place(tenant_id, registro), self._random), embrulhada, identidade, em)

    def of_purpose(self, tenant_id: str, finalidade: str) -> Chave:
        """A tenant's key for secrets that no erasure destroys a key of, such as those of second factors."""
        lugar = f"finalidade|{finalidade}|{tenant_id}"
        return Chave.of(derived(self._mestra, lugar), lugar, self._random)

    async def keep(self, uow: UnitOfWork, aplicacao: Aplicacao, novas: Sequence[Nova]) -> None:
        """Write down fresh keys, in one round trip, in the unit of work of what they seal."""
        tenant_id = uow.scope.tenant_id
        values = {
            "tenant": tenant_id,
            "aplicacao": aplicacao,
            "criadas": [nova.criada_em for nova in novas],
            "ids": [nova.id for nova in novas],
            "cpfs": [self.index(tenant_id, "cpf", nova.identidade.cpf) for nova in novas],
            "emails": [self.index(tenant_id, "email", nova.identidade.email) for nova in novas],
            "numeros": [self.index(tenant_id, "numero", nova.identidade.numero) for nova in novas],
            "responsaveis": [self.index(tenant_id, "cpf", nova.identidade.responsavel) for nova in novas],
            "embrulhadas": [nova.embrulhada for nova in novas],
        }
        await uow.connection.exec_driver_sql(_ADD, values)

    async def keys(self, uow: UnitOfWork, registros: Sequence[UUID]) -> dict[UUID, Chave | None]:
        """The keys of these records: None where it was destroyed; records that never had one are left out."""
        tenant_id = uow.scope.tenant_id
        rows = await uow.connection.exec_driver_sql(_FIND, (tenant_id, list(registros)))
        return {row.id: self.unwrap(tenant_id, row.id, row.embrulhada) for row in rows}

    def unwrap(self, tenant_id: str, registro: UUID, embrulhada: bytes | None) -> Chave | None:
        """A key as its table holds it, opened; None for one that was destroyed. Raises DadosViolados."""
        if embrulhada is None:
            return None
        known = (tenant_id, registro, bytes(embrulhada))
        chave = self._unwrapped.get(known)
        if chave is None:
            secret = self._of_tenant(tenant_id)[0].open(str(registro), known[2])
            chave = self._unwrapped[known] = Chave.of(secret, _place(tenant_id, registro), self._random)
            if len(self._unwrapped) > _MOST_UNWRAPPED:
                self._unwrapped.popitem(last=False)
        return chave

    def open_each(self, tenant_id: str, nome: str, kept: Iterable[tuple[str, bytes, bytes]]) -> list[bytes]:
        """Values of one name under the keys of many records, each with its record and its key as the table holds it; none of these keys is
        kept. Raises DadosViolados.
        """
        return self._of_tenant(tenant_id)[0].open_each(tenant_id, nome, kept)

    async def of_person(self, uow: UnitOfWork, identidade: Identidade) -> tuple[Guardada, ...]:
        """The keys of all records of a person, destroyed ones too.

        Those of whom they answer for are theirs too. Records without a CPF are where they bear a number that stands beside that CPF
        elsewhere, and no other CPF does. An e-mail is no such bridge: families share one.
        """
        tenant_id = uow.scope.tenant_id
        cpf, email = self.index(tenant_id, "cpf", identidade.cpf), self.index(tenant_id, "email", identidade.email)
        numero = self.index(tenant_id, "numero", identidade.numero)
        first = await self._holding(uow, [cpf], [email], [numero])
        cpfs = {one.cpf for one in first if one.cpf is not None}
        numeros = {one.numero for one in first if one.numero is not None}
        if len(cpfs) > 1:
            return first
        more = await self._holding(uow, list(cpfs), [], list(numeros))
        theirs = [one for one in more if one.cpf is None or one.cpf in cpfs]
        return tuple(sorted({one.id: one for one in (*first, *theirs)}.values(), key=lambda one: one.id))

    async def of_numbers(self, uow: UnitOfWork, cpf: str, numeros: Sequence[str]) -> tuple[Guardada, ...]:
        """The keys of all records that bear a CPF or one of these numbers, destroyed ones too; either may be empty."""
        tenant_id = uow.scope.tenant_id
        indexes = [self.index(tenant_id, "numero", numero) for numero in numeros]
        return await self._holding(uow, [self.index(tenant_id, "cpf", cpf)], [], indexes)

    async def destroy(self, uow: UnitOfWork, registros: Sequence[UUID], em: datetime) -> int:
        """Destroy the keys of records, for good; how many there were.

        The list outside of the database has them first: an erasure that was cut short is brought to its end at the next start.
        """
        if not registros:
            return 0
        self._destruidas.add(uow.scope.tenant_id, registros)
        done = await uow.connection.exec_driver_sql(_DESTROY, (em, uow.scope.tenant_id, list(registros)))
        return len(done.all())

    async def note_erased(
        self, uow: UnitOfWork, aplicacao: Aplicacao, registros: Sequence[UUID], identidade: Identidade, em: datetime
    ) -> None:
        """Write down records that were found by what stands in them and are erased: as keys that are destroyed, here and on the list
        outside of the database. Where they have a key, it is.
        """
        if not registros:
            return
        tenant_id = uow.scope.tenant_id
        self._destruidas.add(tenant_id, registros)
        cpf, email = self.index(tenant_id, "cpf", identidade.cpf), self.index(tenant_id, "email", identidade.email)
        rows = [(tenant_id, one, aplicacao, cpf, email, em, em) for one in registros]
        await uow.connection.exec_driver_sql(_NOTE, rows)

    async def expire(self, uow: UnitOfWork, registros: Sequence[UUID], em: datetime) -> int:
        """Destroy the keys of records whose time is over; how many there were. A restored backup meets the same rule again."""
        done = await uow.connection.exec_driver_sql(_EXPIRE, (em, uow.scope.tenant_id, list(registros)))
        return len(done.all())

    async def destroyed_since(self, uow: UnitOfWork, desde: datetime) -> bool:
        """Whether any key was destroyed from a moment on."""
        found = await uow.connection.exec_driver_sql(_DESTROYED_SINCE, (uow.scope.tenant_id, desde))
        return bool(found.scalar_one())

    async def older(self, uow: UnitOfWork, aplicacao: Aplicacao, limite: datetime) -> list[UUID]:
        """The records of an application that were stored before a moment, and have their key."""
        return list((await uow.connection.exec_driver_sql(_BEFORE, (uow.scope.tenant_id, aplicacao, limite))).scalars())

    async def erased(self, uow: UnitOfWork, aplicacao: Aplicacao) -> Apagadas:
        """Who was erased from an application at their request, but for those of whom it holds something newer: that is a new consent."""
        values = uow.scope.tenant_id, aplicacao
        cpfs: dict[bytes, datetime] = {}
        emails: dict[bytes, datetime] = {}
        for row in await uow.connection.exec_driver_sql(_ERASED, values):
            cpfs |= {bytes(one): row.destruida_em for one in (row.cpf, row.responsavel) if one is not None}
            emails |= {bytes(row.email): row.destruida_em} if row.email is not None else {}
        if cpfs:
            asked = {"tenant": uow.scope.tenant_id, "aplicacao": aplicacao, "cpfs": list(cpfs)}
            for row in await uow.connection.exec_driver_sql(_AGAIN, asked):
                for one in (row.cpf, row.responsavel):
                    if one is not None and bytes(one) in cpfs and row.criada_em > cpfs[bytes(one)]:
                        del cpfs[bytes(one)]
        return Apagadas(cpfs, emails)

    def listed(self) -> dict[str, list[UUID]]:
        """The keys that must not be there, by tenant."""
        return self._destruidas.by_tenant()

    def index(self, tenant_id: str, kind: str, value: str) -> bytes | None:
        """The keyed digest by which a value is looked for; None for an empty one."""
        if not value:
            return None
        keyed = self._of_tenant(tenant_id)[1].copy()  # a third faster than keying it anew, three times a record
        keyed.update(f"{kind}|{value}".encode())
        return keyed.digest()

    def of_content(self, tenant_id: str, segredo: bytes) -> Chave:
        """The key of what only whoever has that content may read: it is derived from it, and stands nowhere."""
        return Chave.of(derived(self._mestra, f"conteudo|{tenant_id}|{segredo.hex()}"), f"{tenant_id}|conteudo", self._random)

    async def _holding(
        self, uow: UnitOfWork, cpfs: Sequence[bytes | None], emails: Sequence[bytes | None], numeros: Sequence[bytes | None]
    ) -> tuple[Guardada, ...]:
        values = {
            "tenant": uow.scope.tenant_id,
            "cpfs": [one for one in cpfs if one],
            "emails": [one for one in emails if one],
            "numeros": [one for one in numeros if one],
        }
        rows = await uow.connection.exec_driver_sql(_OF_PERSON, values)
        return tuple(
            [
                Guardada(
                    id=r.id,
                    aplicacao=r.aplicacao,
                    cpf=_plain(r.cpf),
                    email=_plain(r.email),
                    numero=_plain(r.numero),
                    criada_em=r.criada_em,
                    destruida_em=r.destruida_em,
                )
                for r in rows
            ]
        )

    def _of_tenant(self, tenant_id: str) -> tuple[Chave, hmac.HMAC]:
        """The key that wraps a tenant's keys, and the keyed digest that has taken nothing in yet."""
        found = self._tenants.get(tenant_id)
        if found is None:
            wrapping = Chave.of(derived(self._mestra, f"chaves|{tenant_id}"), f"{tenant_id}|chaves_de_pessoas", self._random)
            found = self._tenants[tenant_id] = wrapping, hmac.new(derived(self._mestra, f"indices|{tenant_id}"), None, hashlib.sha256)
        return found


def _plain(value: memoryview | bytes | None) -> bytes | None:
    return None if value is None else bytes(value)


def _place(tenant_id: str, registro: UUID) -> str:
    return f"{tenant_id}|{registro}"
