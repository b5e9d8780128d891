"""Open conversations in the database, for however many servers: each sealed under a key of its own, and gone with its row.

All stand in the tenant whose the clinics are, whoever opened them: its reception attends them, and no other tenant's code sees a row.
Nothing of what was said, and nobody's name, CPF or code, stands in a column; people are found by keyed digests. A turn is held by the
database's own clock, which all servers share.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.clinicas.conversa import TURN_SECONDS
from crivo.clinicas.guarda import DAY_SECONDS, Dono, Estado, Guardada, Limites, Novas, refused
from crivo.clinicas.orquestrador.contracts import Papel
from crivo.clinicas.orquestrador.conversa.memoria import VERSAO
from crivo.clinicas.orquestrador.provas import Comecado
from crivo.clinicas.recepcao import Espera
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sigilo import Chave, Cofre, DadosViolados, Identidade, is_sealed
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_ESTADO: Final = "conversas.estado"
_ESPERA: Final = "conversas.espera"
_EM_CURSO: Final = "conversas.em_curso"
_STANDS: Final = "(expira_em >= %(agora)s or vez_ate > clock_timestamp())"
_COLUMNS: Final = """id, dono_tenant, dono_ator, formato, versao, embrulhada, estado, espera, em_curso, vez, falada_em, expira_em,
    coalesce(vez_ate > clock_timestamp(), false) as ocupada"""
_FIND: Final = f"select {_COLUMNS} from conversas where tenant_id = %(tenant)s and id = %(id)s and {_STANDS}"
_LAST: Final = f"""
    select {_COLUMNS} from conversas where tenant_id = %(tenant)s and dono_tenant = %(dono_tenant)s and dono_ator = %(dono_ator)s
      and papel = %(papel)s and {_STANDS} order by falada_em desc limit 1"""
_WAITING: Final = f"select {_COLUMNS} from conversas where tenant_id = %(tenant)s and espera is not null and {_STANDS}"
_NEWS: Final = f"""
    select id, formato, versao, embrulhada, espera from conversas
    where tenant_id = %(tenant)s and (espera is not null or id = any(%(ouvidas)s::uuid[])) and {_STANDS}"""
_SEEN: Final = "select extract(epoch from vista_em)::float8 from recepcoes where tenant_id = %s"
# Whoever opens waits for whoever opens: what is counted is what there is.
_ALONE: Final = "select pg_advisory_xact_lock(hashtextextended('conversas|' || %s, 0))"
_COUNT: Final = f"""
    select count(*) as todas, count(*) filter (where dono_tenant = %(dono_tenant)s) as do_inquilino,
        count(*) filter (where dono_tenant = %(dono_tenant)s and dono_ator = %(dono_ator)s) as do_dono,
        (select count(*) from conversas_abertas a where a.tenant_id = %(tenant)s and a.dono_tenant = %(dono_tenant)s
            and a.dono_ator = %(dono_ator)s and a.aberta_em > %(ontem)s) as hoje
    from conversas where tenant_id = %(tenant)s and {_STANDS}"""
_PUT: Final = """
    insert into conversas (tenant_id, id, dono_tenant, dono_ator, papel, formato, versao, embrulhada, estado, pessoas, falada_em, expira_em)
    values (%(tenant)s, %(id)s, %(dono_tenant)s, %(dono_ator)s, %(papel)s, %(formato)s, 0, %(selo)s, %(estado)s, %(pessoas)s::bytea[],
        %(falada_em)s, %(expira_em)s)"""
_OPENED: Final = """
    insert into conversas_abertas (tenant_id, id, dono_tenant, dono_ator, aberta_em)
    values (%(tenant)s, %(id)s, %(dono_tenant)s, %(dono_ator)s, %(agora)s)"""
# A turn need not outlive the database: it is not waited for until it is on disk. What a turn left, or is about to change, is.
_UNHURRIED: Final = "(select set_config('synchronous_commit', 'off', true)) as unhurried"
_TAKE: Final = f"""
    update conversas set vez = %(vez)s, vez_ate = clock_timestamp() + interval '{TURN_SECONDS} seconds' from {_UNHURRIED}
    where tenant_id = %(tenant)s and id = %(id)s and versao = %(versao)s and coalesce(vez_ate < clock_timestamp(), true) returning id"""
_KEEP: Final = f"""
    update conversas set vez_ate = clock_timestamp() + interval '{TURN_SECONDS} seconds' from {_UNHURRIED}
    where tenant_id = %(tenant)s and id = %(id)s and vez = %(vez)s"""
_DROP: Final = "update conversas set vez_ate = clock_timestamp() where tenant_id = %(tenant)s and id = %(id)s and vez = %(vez)s"
_BEGIN: Final = """
    update conversas set em_curso = %(em_curso)s where tenant_id = %(tenant)s and id = %(id)s and vez = %(vez)s returning id"""
_SAVE: Final = """
    update conversas set versao = versao + 1, estado = %(estado)s, espera = %(espera)s, pessoas = %(pessoas)s::bytea[],
        falada_em = %(falada_em)s, expira_em = %(expira_em)s,
        vez = case when %(vez)s::uuid is null then vez end, vez_ate = case when %(vez)s::uuid is null then vez_ate end,
        em_curso = case when %(vez)s::uuid is null then em_curso end
    where tenant_id = %(tenant)s and id = %(id)s and versao = %(versao)s and (%(vez)s::uuid is null or vez = %(vez)s) returning id"""
_FORGET: Final = "delete from conversas where tenant_id = %s and id = %s"
_SOME: Final = f"select {_COLUMNS} from conversas where tenant_id = %s and id = any(%s::uuid[]) order by id"
_LOOK: Final = """
    insert into recepcoes as r (tenant_id, vista_em) values (%s, %s)
    on conflict (tenant_id) do update set vista_em = greatest(r.vista_em, excluded.vista_em)"""
_SWEEP: Final = """
    delete from conversas
    where tenant_id = %(tenant)s and expira_em < %(agora)s and coalesce(vez_ate <= clock_timestamp(), true)"""
_SWEEP_DAYS: Final = "delete from conversas_abertas where tenant_id = %(tenant)s and aberta_em <= %(ontem)s"
_Kept = TypeVar("_Kept")
_OF_ESTADO: Final = msgspec.json.Decoder(Estado)
_OF_ESPERA: Final = msgspec.json.Decoder(Espera)
_OF_EM_CURSO: Final = msgspec.json.Decoder(tuple[Comecado, ...])


class GuardaNoBanco:
    """Keeps them in the database, in the tenant whose the clinics are. `ticks` are seconds since 1970."""

    def __init__(self, database: Database, casa: str, ticks: Callable[[], float]) -> None:
        self._database = database
        self._scope = Scope(casa, "clinicas")
        self._ticks = ticks

    async def put(self, nova: Guardada, limites: Limites, *, conta: bool) -> Guardada:
        """As the port says."""
        async with self._work() as uow:
            await uow.connection.exec_driver_sql(_ALONE, (self._scope.tenant_id,))
            values = self._values(nova)
            row = (await uow.connection.exec_driver_sql(_COUNT, values)).one()
            many = {"todas": row.todas, "do_inquilino": row.do_inquilino, "do_dono": row.do_dono, "hoje": row.hoje if conta else 0}
            error = refused(limites, **many)
            if error is not None:
                raise error
            made = uow.cofre.new(self._scope.tenant_id, nova.id, Identidade(), moment(nova.falada_em))
            kept = msgspec.structs.replace(nova, selo=made.embrulhada)
            await uow.connection.exec_driver_sql(_PUT, values | self._sealed(uow.cofre, made.chave, kept))
            if conta:
                await uow.connection.exec_driver_sql(_OPENED, values)
        return kept

    async def find(self, conversa_id: UUID) -> Guardada | None:
        """As the port says."""
        found = await self._read(_FIND, id=conversa_id)
        return found[0] if found else None

    async def last_of(self, dono: Dono, papel: Papel) -> Guardada | None:
        """As the port says."""
        found = await self._read(_LAST, dono_tenant=dono.tenant_id, dono_ator=dono.ator, papel=papel)
        return found[0] if found else None

    async def waiting(self) -> tuple[Guardada, ...]:
        """As the port says."""
        return await self._read(_WAITING)

    async def take_turn(self, lida: Guardada, vez: UUID) -> bool:
        """As the port says."""
        return await self._done(_TAKE, id=lida.id, versao=lida.versao, vez=vez)

    async def keep_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """As the port says."""
        await self._done(_KEEP, id=conversa_id, vez=vez)

    async def drop_turn(self, conversa_id: UUID, vez: UUID) -> None:
        """As the port says."""
        await self._done(_DROP, id=conversa_id, vez=vez)

    async def begin(self, lida: Guardada, vez: UUID, comecados: tuple[Comecado, ...]) -> bool:
        """As the port says."""
        async with self._work() as uow:
            chave = uow.cofre.unwrap(self._scope.tenant_id, lida.id, lida.selo)
            if chave is None:
                return False
            sealed = chave.seal(_EM_CURSO, msgspec.json.encode(comecados))
            values = {"tenant": self._scope.tenant_id, "id": lida.id, "vez": vez, "em_curso": sealed}
            return (await uow.connection.exec_driver_sql(_BEGIN, values)).first() is not None

    async def save(self, nova: Guardada, *, vez: UUID | None = None, uow: UnitOfWork | None = None) -> bool:
        """As the port says."""
        async with self._work(uow) as work:
            chave = work.cofre.unwrap(self._scope.tenant_id, nova.id, nova.selo)
            if chave is None:
                return False
            values = self._values(nova) | {"vez": vez} | self._sealed(work.cofre, chave, nova)
            return (await work.connection.exec_driver_sql(_SAVE, values)).first() is not None

    async def forget(self, conversa_id: UUID) -> None:
        """As the port says: the key of it stands in the row, and goes with it."""
        async with self._work() as uow:
            await uow.connection.exec_driver_sql(_FORGET, (self._scope.tenant_id, conversa_id))

    async def look(self) -> None:
        """As the port says."""
        async with self._work() as uow:
            await uow.connection.exec_driver_sql(_LOOK, (self._scope.tenant_id, moment(self._ticks())))

    async def news(self, ouvidas: Collection[UUID]) -> Novas:
        """As the port says."""
        async with self._work() as uow:
            values = {"tenant": self._scope.tenant_id, "agora": moment(self._ticks()), "ouvidas": list(ouvidas)}
            rows = (await uow.connection.exec_driver_sql(_NEWS, values)).all()
            seen = (await uow.connection.exec_driver_sql(_SEEN, (self._scope.tenant_id,))).scalar_one_or_none()
            esperas = [espera for row in rows if (espera := self._espera(uow.cofre, row)) is not None]
        return Novas({row.id: row.versao for row in rows}, tuple(esperas), seen)

    async def sweep(self) -> None:
        """As the port says."""
        async with self._work() as uow:
            values = {"tenant": self._scope.tenant_id, "agora": moment(self._ticks()), "ontem": moment(self._ticks() - DAY_SECONDS)}
            await uow.connection.exec_driver_sql(_SWEEP, values)
            await uow.connection.exec_driver_sql(_SWEEP_DAYS, values)

    @asynccontextmanager
    async def _work(self, uow: UnitOfWork | None = None) -> AsyncIterator[UnitOfWork]:
        """The unit of work that is given, which is of the same tenant, or one of its own."""
        if uow is not None:
            yield uow
            return
        async with self._database.unit_of_work(self._scope) as own:
            yield own

    async def _done(self, statement: str, **values: Any) -> bool:
        async with self._work() as uow:
            done = await uow.connection.exec_driver_sql(statement, {"tenant": self._scope.tenant_id, **values})
            return done.rowcount > 0

    async def _read(self, statement: str, **values: Any) -> tuple[Guardada, ...]:
        async with self._work() as uow:
            asked = {"tenant": self._scope.tenant_id, "agora": moment(self._ticks()), **values}
            rows = (await uow.connection.exec_driver_sql(statement, asked)).all()
            return tuple(one for row in rows if (one := _read_row(uow.cofre, self._scope.tenant_id, row)) is not None)

    def _values(self, one: Guardada) -> dict[str, Any]:
        return {
            "tenant": self._scope.tenant_id,
            "id": one.id,
            "dono_tenant": one.dono.tenant_id,
            "dono_ator": one.dono.ator,
            "papel": one.estado.papel,
            "formato": VERSAO,
            "versao": one.versao,
            "falada_em": moment(one.falada_em),
            "expira_em": moment(one.expira_em),
            "agora": moment(self._ticks()),
            "ontem": moment(self._ticks() - DAY_SECONDS),
        }

    def _sealed(self, cofre: Cofre, chave: Chave, one: Guardada) -> dict[str, Any]:
        """What a conversation says, under its key, and who is told of in it."""
        people = {cofre.index(self._scope.tenant_id, "cpf", digits_of(cpf)) for cpf in one.estado.memoria.cpfs}
        espera = None if one.espera is None else chave.seal(_ESPERA, msgspec.json.encode(one.espera))
        return {
            "selo": one.selo,
            "estado": chave.seal(_ESTADO, msgspec.json.encode(one.estado)),
            "espera": espera,
            "pessoas": sorted(digest for digest in people if digest is not None),
        }

    def _espera(self, cofre: Cofre, row: Row[Any]) -> Espera | None:
        if row.formato != VERSAO or row.espera is None:
            return None
        return _opened(cofre, self._scope.tenant_id, row, _ESPERA, row.espera, _OF_ESPERA)


async def some(uow: UnitOfWork, ids: Sequence[UUID]) -> tuple[Guardada, ...]:
    """Conversations by their ids; those that cannot be read are left out."""
    rows = (await uow.connection.exec_driver_sql(_SOME, (uow.scope.tenant_id, list(ids)))).all()
    return tuple(one for row in rows if (one := _read_row(uow.cofre, uow.scope.tenant_id, row)) is not None)


def _read_row(cofre: Cofre, tenant_id: str, row: Row[Any]) -> Guardada | None:
    """A conversation as its row has it; None for one that this version of the program cannot read."""
    estado = _opened(cofre, tenant_id, row, _ESTADO, row.estado, _OF_ESTADO) if row.formato == VERSAO else None
    if estado is None:
        return None
    return Guardada(
        row.id,
        Dono(row.dono_tenant, row.dono_ator),
        estado,
        row.falada_em.timestamp(),
        row.expira_em.timestamp(),
        _opened(cofre, tenant_id, row, _ESPERA, row.espera, _OF_ESPERA) if row.espera is not None else None,
        row.versao,
        row.vez,
        row.ocupada,
        (_opened(cofre, tenant_id, row, _EM_CURSO, row.em_curso, _OF_EM_CURSO) or ()) if row.em_curso is not None else (),
        bytes(row.embrulhada),
    )


def _opened(cofre: Cofre, tenant_id: str, row: Row[Any], nome: str, stored: bytes, decoder: msgspec.json.Decoder[_Kept]) -> _Kept | None:
    try:
        chave = cofre.unwrap(tenant_id, row.id, row.embrulhada)
        if chave is None or not is_sealed(bytes(stored)):
            return None
        return decoder.decode(chave.open(nome, bytes(stored)))
    except (DadosViolados, ValueError):  # of another shape too, or under what is no key
        return None


def moment(seconds: float) -> datetime:
    """A moment of the clock of conversations, which counts seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)
