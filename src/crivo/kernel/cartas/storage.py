"""The outbox's table: each letter sealed under a key of its own, found by its id or by the key that it was posted under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.cartas.carta import Anexo, Carta
from crivo.kernel.cartas.guardada import CartaGuardada, Falha, Situacao, Via
from crivo.kernel.sigilo import Chave, Identidade
from crivo.kernel.storage.session import UnitOfWork

# A letter is out of a worker's hands this long after it was taken: longer than it takes to be sent or to fail.
LEASE_SECONDS: Final = 180
_CARTA: Final = "cartas.selada"
_MOTIVO: Final = "cartas.motivo"
_COLUMNS: Final = """c.id, c.chave, c.selada, c.situacao, c.tentativas, c.criada_em, c.via, c.enviada_em, c.falha, c.resposta, c.motivo,
    c.marcada_por, k.embrulhada"""
_WITH_KEY: Final = "left join chaves_de_pessoas k on k.tenant_id = c.tenant_id and k.id = c.id"
_FIND: Final = f"select {_COLUMNS} from cartas c {_WITH_KEY} where c.tenant_id = %s and c.id = %s"
_BY_CHAVE: Final = f"select {_COLUMNS} from cartas c {_WITH_KEY} where c.tenant_id = %s and c.chave = any(%s)"
_ADD: Final = """
    insert into cartas (tenant_id, id, chave, selada, situacao, criada_em) values (%s, %s, %s, %s, 'na_fila', %s)
    on conflict (tenant_id, chave) do nothing returning id"""
_ID_OF: Final = "select id from cartas where tenant_id = %s and chave = %s"
# The lease is measured by the database's own clock, which all workers share.
_TAKE: Final = f"""
    update cartas set situacao = 'enviando', tentativas = tentativas + 1, tomada_em = now()
    where tenant_id = %s and id = %s
      and (situacao = 'na_fila' or (situacao = 'enviando' and tomada_em < now() - interval '{LEASE_SECONDS} seconds'))
    returning id"""
_IS_TAKEN: Final = "select 1 from cartas where tenant_id = %s and id = %s and situacao = 'enviando'"
_SENT: Final = """
    update cartas set situacao = 'enviada', via = %s, enviada_em = %s, falha = null, resposta = null, tomada_em = null
    where tenant_id = %s and id = %s and situacao = 'enviando' returning id"""
_FAILED: Final = """
    update cartas set situacao = %s, falha = %s, resposta = %s, tomada_em = null
    where tenant_id = %s and id = %s and situacao in ('na_fila', 'enviando') returning id"""
_AGAIN: Final = """
    update cartas set situacao = 'na_fila', tentativas = 0
    where tenant_id = %s and id = %s and situacao = 'falhou' and selada is not null returning id"""
_BY_HAND: Final = """
    update cartas set situacao = 'enviada', via = 'outro_meio', enviada_em = %s, motivo = %s, marcada_por = %s
    where tenant_id = %s and id = %s and (situacao in ('na_fila', 'falhou') or via = 'arquivo') returning id"""
_CANCEL: Final = """
    update cartas set situacao = 'cancelada' where tenant_id = %s and chave = any(%s) and situacao in ('na_fila', 'falhou') returning id"""
_LIST: Final = f"""
    select {_COLUMNS} from cartas c {_WITH_KEY} where c.tenant_id = %(tenant)s and c.situacao = any(%(situacoes)s::text[])
      and (%(gravada)s::boolean is null or (coalesce(c.via, '') = 'arquivo') = %(gravada)s)
      and (%(antes)s::uuid is null or c.id < %(antes)s) order by c.id desc limit %(limite)s"""
_COUNT: Final = "select situacao, count(*) as quantas from cartas where tenant_id = %s group by situacao"
_UNSENT: Final = """
    select situacao, count(*) as quantas, min(criada_em) as desde from cartas
    where tenant_id = %s and situacao in ('na_fila', 'enviando', 'falhou') group by situacao"""
_WRITTEN: Final = "select count(*) from cartas where tenant_id = %s and situacao = 'enviada' and via = 'arquivo'"
_WAITING: Final = "select id from cartas where tenant_id = %s and situacao in ('na_fila', 'enviando') order by id"
_OLDER: Final = "select id from cartas where tenant_id = %s and criada_em < %s and selada is not null"
_SOME: Final = f"select {_COLUMNS} from cartas c {_WITH_KEY} where c.tenant_id = %s and c.id = any(%s) order by c.id"
_CLEAR: Final = """
    update cartas set selada = null, motivo = null,
        situacao = case when situacao in ('na_fila', 'falhou') then 'cancelada' else situacao end
    where tenant_id = %s and id = any(%s) and selada is not null"""


class _Guardado(msgspec.Struct, frozen=True, array_like=True):
    para: str
    assunto: str
    texto: str
    anexos: tuple[tuple[str, str, bytes], ...] = ()


async def add(uow: UnitOfWork, new_id: UUID, chave: str, carta: Carta, em: datetime, cpf: str) -> UUID | None:
    """Keep a letter that is to go out; None where one was posted under that key before, which stays as it is."""
    nova = uow.cofre.new(uow.scope.tenant_id, new_id, Identidade(cpf, carta.para.lower()), em)
    kept = _Guardado(carta.para, carta.assunto, carta.texto, tuple([(one.nome, one.tipo, one.conteudo) for one in carta.anexos]))
    values = (uow.scope.tenant_id, new_id, chave, nova.chave.seal(_CARTA, msgspec.msgpack.encode(kept)), em)
    added = (await uow.connection.exec_driver_sql(_ADD, values)).one_or_none()
    if added is None:
        return None
    await uow.cofre.keep(uow, "cartas", [nova])
    return new_id


async def id_of(uow: UnitOfWork, chave: str) -> UUID | None:
    """The letter that was posted under a key."""
    row = (await uow.connection.exec_driver_sql(_ID_OF, (uow.scope.tenant_id, chave))).one_or_none()
    return None if row is None else row.id


async def find(uow: UnitOfWork, carta_id: UUID) -> CartaGuardada | None:
    """A letter by its id."""
    row = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, carta_id))).one_or_none()
    return None if row is None else _read(uow, row)


async def by_chave(uow: UnitOfWork, chaves: Sequence[str]) -> dict[str, CartaGuardada]:
    """The letters that were posted under these keys, by key."""
    rows = await uow.connection.exec_driver_sql(_BY_CHAVE, (uow.scope.tenant_id, list(chaves)))
    return {row.chave: _read(uow, row) for row in rows}


async def take(uow: UnitOfWork, carta_id: UUID) -> bool:
    """Take a letter to deliver it: no other worker does, until it is put back or the lease has passed."""
    return await _done(uow, _TAKE, uow.scope.tenant_id, carta_id)


async def is_taken(uow: UnitOfWork, carta_id: UUID) -> bool:
    """Whether some worker has it in hand, or died with it in hand."""
    return await _done(uow, _IS_TAKEN, uow.scope.tenant_id, carta_id)


async def sent(uow: UnitOfWork, carta_id: UUID, via: Via, em: datetime) -> bool:
    """It was delivered; False where it is no longer in hand."""
    return await _done(uow, _SENT, via, em, uow.scope.tenant_id, carta_id)


async def failed(uow: UnitOfWork, carta_id: UUID, falha: Falha, resposta: int | None, *, for_good: bool) -> bool:
    """It was not delivered: it waits for the next attempt, or is given up; False where there is nothing to give up."""
    situacao: Situacao = "falhou" if for_good else "na_fila"
    return await _done(uow, _FAILED, situacao, falha, resposta, uow.scope.tenant_id, carta_id)


async def again(uow: UnitOfWork, carta_id: UUID) -> bool:
    """Put a letter that was given up into the queue as if it were new; False for any other."""
    return await _done(uow, _AGAIN, uow.scope.tenant_id, carta_id)


async def by_hand(uow: UnitOfWork, carta: CartaGuardada, motivo: str, por: str, em: datetime) -> bool:
    """A person delivered it otherwise; False for one that is in a worker's hands, or has gone."""
    chave = (await uow.cofre.keys(uow, [carta.id])).get(carta.id)
    stored = None if chave is None else chave.seal(_MOTIVO, motivo.encode())
    return await _done(uow, _BY_HAND, em, stored, por, uow.scope.tenant_id, carta.id)


async def cancel(uow: UnitOfWork, chaves: Sequence[str]) -> int:
    """Letters that nobody has taken yet do not go out; how many."""
    return len((await uow.connection.exec_driver_sql(_CANCEL, (uow.scope.tenant_id, list(chaves)))).all())


async def list_page(
    uow: UnitOfWork, situacoes: Sequence[Situacao], antes: UUID | None, limite: int, *, gravada: bool | None = None
) -> tuple[CartaGuardada, ...]:
    """Letters, the newest first, those before an id where one is given; only those that were written to a file, or only the others."""
    values = {"tenant": uow.scope.tenant_id, "situacoes": list(situacoes), "antes": antes, "limite": limite, "gravada": gravada}
    return tuple([_read(uow, row) for row in await uow.connection.exec_driver_sql(_LIST, values)])


async def count(uow: UnitOfWork) -> Mapping[Situacao, int]:
    """How many letters of each situation."""
    return {row.situacao: row.quantas for row in await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id,))}


async def count_written(uow: UnitOfWork) -> int:
    """How many letters were written to a file, and nobody said that they were delivered."""
    return int((await uow.connection.exec_driver_sql(_WRITTEN, (uow.scope.tenant_id,))).scalar_one())


async def waiting(uow: UnitOfWork) -> list[UUID]:
    """The letters that are to go out still, the oldest first."""
    return list((await uow.connection.exec_driver_sql(_WAITING, (uow.scope.tenant_id,))).scalars())


async def some(uow: UnitOfWork, ids: Sequence[UUID]) -> tuple[CartaGuardada, ...]:
    """These letters, of those that are there."""
    return tuple([_read(uow, row) for row in await uow.connection.exec_driver_sql(_SOME, (uow.scope.tenant_id, list(ids)))])


async def older_than(uow: UnitOfWork, limite: datetime) -> list[UUID]:
    """The letters that were posted before a moment and are not erased."""
    return list((await uow.connection.exec_driver_sql(_OLDER, (uow.scope.tenant_id, limite))).scalars())


async def clear(uow: UnitOfWork, ids: Sequence[UUID]) -> int:
    """Clear what letters said; one that had not gone out does not."""
    return (await uow.connection.exec_driver_sql(_CLEAR, (uow.scope.tenant_id, list(ids)))).rowcount


async def _done(uow: UnitOfWork, statement: str, *values: object) -> bool:
    return (await uow.connection.exec_driver_sql(statement, values)).one_or_none() is not None


def _read(uow: UnitOfWork, row: Row[Any]) -> CartaGuardada:
    chave = None if row.embrulhada is None else uow.cofre.unwrap(uow.scope.tenant_id, row.id, bytes(row.embrulhada))
    return CartaGuardada(
        row.id,
        row.chave,
        _opened(chave, row.selada),
        row.situacao,
        row.tentativas,
        row.criada_em,
        row.via,
        row.enviada_em,
        row.falha,
        row.resposta,
        "" if chave is None or row.motivo is None else chave.open(_MOTIVO, bytes(row.motivo)).decode(),
        row.marcada_por or "",
    )


def _opened(chave: Chave | None, selada: bytes | None) -> Carta | None:
    if chave is None or selada is None:
        return None
    kept = msgspec.msgpack.decode(chave.open(_CARTA, bytes(selada)), type=_Guardado)
    return Carta(kept.para, kept.assunto, kept.texto, tuple([Anexo(*one) for one in kept.anexos]))


async def unsent(uow: UnitOfWork) -> Mapping[str, tuple[int, datetime]]:
    """The tenant's letters that did not go out and were not called off: how many of each situation, and since when the oldest waits."""
    rows = await uow.connection.exec_driver_sql(_UNSENT, (uow.scope.tenant_id,))
    return {row.situacao: (row.quantas, row.desde) for row in rows}
