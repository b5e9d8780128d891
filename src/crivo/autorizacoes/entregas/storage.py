"""Destinations, deliveries and their tries in the database. Addresses and secrets are sealed under the tenant's key of that purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.autorizacoes.entregas.contracts import (
    Canal,
    Conteudo,
    Destino,
    Entrega,
    Evento,
    Falha,
    Fila,
    MotivoDeDesligar,
    Segredos,
    SituacaoDaEntrega,
    SituacaoDoDestino,
    Tentativa,
    Tipo,
)
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork

LEASE_SECONDS: Final = 90
"""How long a destination is one worker's: longer than a round of deliveries takes to end."""
_PURPOSE: Final = "entregas"
_ENDERECO, _SEGREDO = "entrega_destinos.endereco", "entrega_destinos.segredo"
_DESTINO: Final = """
    id, nome, canal, endereco, eventos, conteudo, situacao, motivo, anterior_ate, falhas_seguidas, descansa_ate, criado_em, criado_por"""
_ALL: Final = f"select {_DESTINO} from entrega_destinos where tenant_id = %s and situacao <> 'removido' order by id"
_ONE: Final = f"select {_DESTINO} from entrega_destinos where tenant_id = %s and id = %s and situacao <> 'removido'"
_COUNT: Final = "select count(*) from entrega_destinos where tenant_id = %s and situacao <> 'removido'"
_TURN: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.entregas:' || %s, 0))"
_ADD: Final = """
    insert into entrega_destinos (tenant_id, id, nome, canal, endereco, eventos, conteudo, situacao, segredo, criado_em, criado_por)
    values (%s, %s, %s, %s, %s, %s, %s, 'ativo', %s, %s, %s)"""
_SET_SITUACAO: Final = """
    update entrega_destinos set situacao = %(para)s, motivo = %(motivo)s,
        falhas_seguidas = case when %(para)s = 'ativo' then 0 else falhas_seguidas end,
        descansa_ate = case when %(para)s = 'ativo' then null else descansa_ate end
    where tenant_id = %(tenant)s and id = %(id)s and situacao = any(%(de)s) returning id"""
_SECRETS: Final = "select segredo, segredo_anterior, anterior_ate from entrega_destinos where tenant_id = %s and id = %s"
_ROTATE: Final = """
    update entrega_destinos set segredo_anterior = segredo, anterior_ate = %s, segredo = %s
    where tenant_id = %s and id = %s and situacao <> 'removido' and canal = 'webhook' returning id"""
# One statement, whatever the number of decisions and destinations; where there is no destination it writes nothing.
_POST: Final = """
    insert into entregas (tenant_id, id, destino_id, evento, autorizacao_id, revisao_id, fio, situacao, criada_em, insiste_ate, proxima_em)
    select d.tenant_id, gen_random_uuid(), d.id, %(evento)s, n.id, n.revisao, n.fio, 'espera', n.em, n.em + %(insiste)s, n.em
    from entrega_destinos d, unnest(%(ids)s::uuid[], %(revisoes)s::uuid[], %(fios)s::bytea[], %(em)s::timestamptz[])
        with ordinality as n (id, revisao, fio, em, ordem)
    where d.tenant_id = %(tenant)s and d.situacao in ('ativo', 'pausado') and %(evento)s = any(d.eventos)
    order by n.ordem returning destino_id"""
_EXAMPLE: Final = """
    insert into entregas (tenant_id, id, destino_id, evento, fio, situacao, criada_em, insiste_ate, proxima_em)
    values (%s, %s, %s, 'exemplo', %s, 'espera', %s, %s, %s)"""
# Nobody else delivers to it meanwhile: so what is of one pedido goes in order, whatever the number of workers.
_TAKE: Final = f"""
    update entrega_destinos set tomado_ate = now() + interval '{LEASE_SECONDS} seconds'
    where tenant_id = %s and id = %s and (tomado_ate is null or tomado_ate < now()) returning tomado_ate"""
_RENEW: Final = f"""
    update entrega_destinos set tomado_ate = now() + interval '{LEASE_SECONDS} seconds'
    where tenant_id = %s and id = %s and tomado_ate = %s returning tomado_ate"""
_LEFT: Final = "select greatest(0, extract(epoch from tomado_ate - now())) from entrega_destinos where tenant_id = %s and id = %s"
_LET_GO: Final = "update entrega_destinos set tomado_ate = null where tenant_id = %s and id = %s and tomado_ate = %s"
# A job that wakes a destination later is put in the queue once, and not by everybody who comes by; a moment that is past counts for none.
_WAKE: Final = """
    update entrega_destinos set acorda_em = %(em)s
    where tenant_id = %(tenant)s and id = %(id)s and
        (acorda_em is null or acorda_em > %(em)s + interval '5 seconds' or acorda_em <= %(agora)s) returning id"""
_LAST: Final = """
    left join lateral (select t.status, t.falha from entrega_tentativas t
        where t.tenant_id = e.tenant_id and t.entrega_id = e.id order by t.numero desc limit 1) u on true"""
_ENTREGA: Final = """
    e.id, e.destino_id, e.evento, e.autorizacao_id, e.revisao_id, e.situacao, e.tentativas, e.criada_em, e.insiste_ate, e.proxima_em,
    e.terminada_em, u.status as ultimo_status, u.falha as ultima_falha,
    (select a.pedido_id from autorizacoes a where a.tenant_id = e.tenant_id and a.id = e.autorizacao_id) as pedido_id"""
# The first of each pedido alone: those after it wait for it.
_DUE: Final = f"""
    select {_ENTREGA} from entregas e {_LAST}
    where e.tenant_id = %(tenant)s and e.destino_id = %(destino)s and e.situacao = 'espera' and e.proxima_em <= %(agora)s
      and not exists (
        select 1 from entregas o where o.tenant_id = e.tenant_id and o.destino_id = e.destino_id and o.fio = e.fio and o.situacao = 'espera'
          and o.ordem < e.ordem)
    order by e.proxima_em, e.ordem limit %(limite)s"""
_NEXT: Final = "select min(proxima_em) from entregas where tenant_id = %s and destino_id = %s and situacao = 'espera'"
_QUEUED: Final = (
    "select count(*) as quantas, min(criada_em) as desde from entregas where tenant_id = %s and destino_id = %s and situacao = 'espera'"
)
_WAITING: Final = """
    select e.destino_id, count(*) as quantas, min(e.criada_em) as desde from entregas e
    where e.tenant_id = %s and e.situacao = 'espera' group by 1"""
_PAGE: Final = f"""
    select {_ENTREGA} from entregas e {_LAST} where e.tenant_id = %(tenant)s and e.destino_id = %(destino)s
      and (%(situacao)s::text is null or e.situacao = %(situacao)s)
    order by e.ordem desc limit %(limite)s"""
_FIND: Final = f"select {_ENTREGA} from entregas e {_LAST} where e.tenant_id = %s and e.id = %s"
_TRIED: Final = """
    insert into entrega_tentativas (tenant_id, entrega_id, numero, em, milissegundos, status, falha) values (%s, %s, %s, %s, %s, %s, %s)"""
_TRIES: Final = """
    select numero, em, milissegundos, status, falha from entrega_tentativas where tenant_id = %s and entrega_id = %s order by numero desc"""
_ENDED: Final = """
    update entregas set situacao = %s, tentativas = tentativas + %s, terminada_em = %s
    where tenant_id = %s and id = %s and situacao = 'espera' returning id"""
_LATER: Final = """
    update entregas set tentativas = tentativas + 1, proxima_em = %s
    where tenant_id = %s and id = %s and situacao = 'espera' returning id"""
_AGAIN: Final = """
    update entregas set situacao = 'espera', terminada_em = null, proxima_em = %(em)s, insiste_ate = %(insiste_ate)s
    where tenant_id = %(tenant)s and id = %(id)s returning id"""
_CANCEL: Final = """
    update entregas set situacao = 'cancelada', terminada_em = %s where tenant_id = %s and destino_id = %s and situacao = 'espera'"""
_REACHED: Final = (
    "update entrega_destinos set falhas_seguidas = 0, descansa_ate = null where tenant_id = %s and id = %s and falhas_seguidas > 0"
)
_FAILED: Final = """
    update entrega_destinos set falhas_seguidas = falhas_seguidas + 1 where tenant_id = %s and id = %s returning falhas_seguidas"""
_REST: Final = "update entrega_destinos set descansa_ate = %s where tenant_id = %s and id = %s"
_CLEAR: Final = "delete from entregas where tenant_id = %s and situacao <> 'espera' and terminada_em < %s"
_TOLD: Final = """
    select d.nome as destino, e.evento, e.situacao, e.criada_em, e.terminada_em from entregas e
    join entrega_destinos d on d.tenant_id = e.tenant_id and d.id = e.destino_id
    where e.tenant_id = %s and e.autorizacao_id = %s order by e.ordem"""
_STUCK: Final = """
    select (select count(*) from entregas where tenant_id = %(tenant)s and situacao = 'espera') as esperam,
        (select min(e.criada_em) from entregas e join entrega_destinos d on d.tenant_id = e.tenant_id and d.id = e.destino_id
         where e.tenant_id = %(tenant)s and e.situacao = 'espera' and d.situacao <> 'pausado') as desde,
        (select count(*) from entrega_destinos where tenant_id = %(tenant)s and situacao = 'desligado') as desligados"""


@dataclass(frozen=True, slots=True)
class Paradas:
    """What waits in a tenant, since when the oldest that nobody paused, and how many destinations the program turned off."""

    esperam: int
    desde: datetime | None
    desligados: int


@dataclass(frozen=True, slots=True)
class Novo:
    """A destination about to be kept."""

    id: UUID
    nome: str
    canal: Canal
    endereco: str
    eventos: tuple[Evento, ...]
    conteudo: Conteudo
    segredo: bytes | None


@dataclass(frozen=True, slots=True)
class Assunto:
    """Something to be told: of which decision, which review of it, since when, and which pedido it follows in order."""

    autorizacao_id: UUID
    revisao_id: UUID | None
    fio: bytes
    em: datetime


async def destinos(uow: UnitOfWork) -> tuple[Destino, ...]:
    """Every destination of the tenant, the oldest first."""
    chave = _chave(uow)
    return tuple([_destino(chave, row) for row in await uow.connection.exec_driver_sql(_ALL, (uow.scope.tenant_id,))])


async def destino(uow: UnitOfWork, destino_id: UUID) -> Destino | None:
    """A destination, or None."""
    row = (await uow.connection.exec_driver_sql(_ONE, (uow.scope.tenant_id, destino_id))).one_or_none()
    return None if row is None else _destino(_chave(uow), row)


async def count(uow: UnitOfWork) -> int:
    """How many destinations there are; until the unit of work ends, nobody else adds one."""
    await uow.connection.exec_driver_sql(_TURN, (uow.scope.tenant_id,))
    return int((await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id,))).scalar_one())


async def add(uow: UnitOfWork, novo: Novo, em: datetime) -> None:
    """Keep a destination."""
    chave = _chave(uow)
    segredo = None if novo.segredo is None else chave.seal(f"{_SEGREDO}|{novo.id}", novo.segredo)
    endereco = chave.seal(f"{_ENDERECO}|{novo.id}", novo.endereco.encode())
    values = (uow.scope.tenant_id, novo.id, novo.nome, novo.canal, endereco, list(novo.eventos), novo.conteudo, segredo, em, uow.scope.ator)
    await uow.connection.exec_driver_sql(_ADD, values)


async def set_situacao(
    uow: UnitOfWork,
    destino_id: UUID,
    de: Sequence[SituacaoDoDestino],
    para: SituacaoDoDestino,
    motivo: MotivoDeDesligar | None = None,
) -> bool:
    """Bring a destination from one situation into another; False where it is in none of those."""
    values = {"tenant": uow.scope.tenant_id, "id": destino_id, "de": list(de), "para": para, "motivo": motivo}
    return (await uow.connection.exec_driver_sql(_SET_SITUACAO, values)).one_or_none() is not None


async def secrets_of(uow: UnitOfWork, destino_id: UUID, agora: datetime) -> Segredos | None:
    """What messages to a destination are signed with now; None where it is no webhook."""
    row = (await uow.connection.exec_driver_sql(_SECRETS, (uow.scope.tenant_id, destino_id))).one_or_none()
    if row is None or row.segredo is None:
        return None
    chave, nome = _chave(uow), f"{_SEGREDO}|{destino_id}"
    before = chave.open(nome, bytes(row.segredo_anterior)) if row.anterior_ate is not None and row.anterior_ate > agora else None
    return Segredos(chave.open(nome, bytes(row.segredo)), before)


async def rotate(uow: UnitOfWork, destino_id: UUID, segredo: bytes, anterior_ate: datetime) -> bool:
    """Sign with another secret from now on, and with the one before it until a moment; False where there is no such webhook."""
    sealed = _chave(uow).seal(f"{_SEGREDO}|{destino_id}", segredo)
    return await _done(uow, _ROTATE, anterior_ate, sealed, uow.scope.tenant_id, destino_id)


async def post(uow: UnitOfWork, evento: Evento, assuntos: Sequence[Assunto], insiste: Any) -> frozenset[UUID]:
    """Put into the outbox what is to be told, once for each destination that is told such things; the destinations."""
    values = {
        "tenant": uow.scope.tenant_id,
        "evento": evento,
        "insiste": insiste,
        "ids": [one.autorizacao_id for one in assuntos],
        "revisoes": [one.revisao_id for one in assuntos],
        "fios": [one.fio for one in assuntos],
        "em": [one.em for one in assuntos],
    }
    return frozenset((await uow.connection.exec_driver_sql(_POST, values)).scalars())


async def post_example(uow: UnitOfWork, entrega_id: UUID, destino_id: UUID, em: datetime, insiste_ate: datetime) -> None:
    """Put an example into the outbox of one destination."""
    values = (uow.scope.tenant_id, entrega_id, destino_id, entrega_id.bytes, em, insiste_ate, em)
    await uow.connection.exec_driver_sql(_EXAMPLE, values)


async def take(uow: UnitOfWork, destino_id: UUID) -> datetime | None:
    """Take a destination to deliver to it: no other worker does until it is let go of, or that moment has passed; None where one does."""
    return await _moment(uow, _TAKE, uow.scope.tenant_id, destino_id)


async def renew(uow: UnitOfWork, destino_id: UUID, ate: datetime) -> datetime | None:
    """Keep a destination that one has until a moment for another lease; None where another worker took it since."""
    return await _moment(uow, _RENEW, uow.scope.tenant_id, destino_id, ate)


async def lease_left(uow: UnitOfWork, destino_id: UUID) -> float:
    """Seconds until a destination is anybody's."""
    return float((await uow.connection.exec_driver_sql(_LEFT, (uow.scope.tenant_id, destino_id))).scalar_one_or_none() or 0)


async def let_go(uow: UnitOfWork, destino_id: UUID, ate: datetime) -> None:
    """Have a destination that one has until a moment be anybody's again; where another worker took it since, it stays theirs."""
    await uow.connection.exec_driver_sql(_LET_GO, (uow.scope.tenant_id, destino_id, ate))


async def claim_wake(uow: UnitOfWork, destino_id: UUID, em: datetime, agora: datetime) -> bool:
    """Whether whoever asks is to put a job into the queue that wakes a destination at that moment; False where one does already."""
    values = {"tenant": uow.scope.tenant_id, "id": destino_id, "em": em, "agora": agora}
    return (await uow.connection.exec_driver_sql(_WAKE, values)).one_or_none() is not None


async def due(uow: UnitOfWork, destino_id: UUID, agora: datetime, limite: int) -> tuple[Entrega, ...]:
    """What may go now, the first of each pedido alone."""
    values = {"tenant": uow.scope.tenant_id, "destino": destino_id, "agora": agora, "limite": limite}
    return tuple([_entrega(row) for row in await uow.connection.exec_driver_sql(_DUE, values)])


async def next_due(uow: UnitOfWork, destino_id: UUID) -> datetime | None:
    """When the next that waits is to be tried; None where nothing waits."""
    found: datetime | None = (await uow.connection.exec_driver_sql(_NEXT, (uow.scope.tenant_id, destino_id))).scalar_one()
    return found


async def queued(uow: UnitOfWork, destino_id: UUID) -> Fila:
    """What waits for a destination."""
    row = (await uow.connection.exec_driver_sql(_QUEUED, (uow.scope.tenant_id, destino_id))).one()
    return Fila(row.quantas, row.desde)


async def waiting(uow: UnitOfWork) -> Mapping[UUID, Fila]:
    """What waits in the tenant, by destination."""
    rows = await uow.connection.exec_driver_sql(_WAITING, (uow.scope.tenant_id,))
    return {row.destino_id: Fila(row.quantas, row.desde) for row in rows}


async def stuck(uow: UnitOfWork) -> Paradas:
    """What waits in the tenant, and what was turned off."""
    row = (await uow.connection.exec_driver_sql(_STUCK, {"tenant": uow.scope.tenant_id})).one()
    return Paradas(row.esperam, row.desde, row.desligados)


async def page(uow: UnitOfWork, destino_id: UUID, situacao: SituacaoDaEntrega | None, limite: int) -> tuple[Entrega, ...]:
    """Deliveries to a destination, the newest first."""
    values = {"tenant": uow.scope.tenant_id, "destino": destino_id, "situacao": situacao, "limite": limite}
    return tuple([_entrega(row) for row in await uow.connection.exec_driver_sql(_PAGE, values)])


async def find(uow: UnitOfWork, entrega_id: UUID) -> Entrega | None:
    """A delivery by its id."""
    row = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, entrega_id))).one_or_none()
    return None if row is None else _entrega(row)


async def tries_of(uow: UnitOfWork, entrega_id: UUID) -> tuple[Tentativa, ...]:
    """The tries of a delivery, the newest first."""
    rows = await uow.connection.exec_driver_sql(_TRIES, (uow.scope.tenant_id, entrega_id))
    return tuple([Tentativa(row.numero, row.em, row.milissegundos, row.status, row.falha) for row in rows])


async def note_try(uow: UnitOfWork, entrega_id: UUID, one: Tentativa) -> None:
    """Keep how a try ended."""
    values = (uow.scope.tenant_id, entrega_id, one.numero, one.em, one.milissegundos, one.status, one.falha)
    await uow.connection.exec_driver_sql(_TRIED, values)


async def end(uow: UnitOfWork, entrega_id: UUID, situacao: SituacaoDaEntrega, em: datetime, tried: int = 1) -> bool:
    """A delivery came to its end; False where it had before."""
    return await _done(uow, _ENDED, situacao, tried, em, uow.scope.tenant_id, entrega_id)


async def later(uow: UnitOfWork, entrega_id: UUID, em: datetime) -> bool:
    """A delivery is to be tried again at a moment; False where it came to an end meanwhile."""
    return await _done(uow, _LATER, em, uow.scope.tenant_id, entrega_id)


async def again(uow: UnitOfWork, entrega_id: UUID, em: datetime, insiste_ate: datetime) -> bool:
    """Have a delivery tried at once, ended or not, and for as long as a new one is."""
    values = {"tenant": uow.scope.tenant_id, "id": entrega_id, "em": em, "insiste_ate": insiste_ate}
    return (await uow.connection.exec_driver_sql(_AGAIN, values)).one_or_none() is not None


async def cancel_all(uow: UnitOfWork, destino_id: UUID, em: datetime) -> int:
    """Nothing that waits for a destination goes any more; how many."""
    return (await uow.connection.exec_driver_sql(_CANCEL, (em, uow.scope.tenant_id, destino_id))).rowcount


async def note_reached(uow: UnitOfWork, destino_id: UUID) -> None:
    """A destination answered well: what failed before does not count any more."""
    await uow.connection.exec_driver_sql(_REACHED, (uow.scope.tenant_id, destino_id))


async def note_failed(uow: UnitOfWork, destino_id: UUID) -> int:
    """Count a failure of a destination; how many there were in a row."""
    return int((await uow.connection.exec_driver_sql(_FAILED, (uow.scope.tenant_id, destino_id))).scalar_one())


async def rest(uow: UnitOfWork, destino_id: UUID, ate: datetime | None) -> None:
    """Try nothing of a destination until a moment."""
    await uow.connection.exec_driver_sql(_REST, (ate, uow.scope.tenant_id, destino_id))


async def clear_ended(uow: UnitOfWork, antes: datetime) -> int:
    """Forget deliveries that ended before a moment, with their tries; how many."""
    return (await uow.connection.exec_driver_sql(_CLEAR, (uow.scope.tenant_id, antes))).rowcount


async def told_of(uow: UnitOfWork, autorizacao_id: UUID) -> list[dict[str, Any]]:
    """To which destinations a decision was told, and when, for whoever asks what was done with theirs."""
    rows = await uow.connection.exec_driver_sql(_TOLD, (uow.scope.tenant_id, autorizacao_id))
    return [dict(row._mapping) for row in rows]  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping


async def _moment(uow: UnitOfWork, statement: str, *values: object) -> datetime | None:
    found: datetime | None = (await uow.connection.exec_driver_sql(statement, values)).scalar_one_or_none()
    return found


async def _done(uow: UnitOfWork, statement: str, *values: object) -> bool:
    return (await uow.connection.exec_driver_sql(statement, values)).one_or_none() is not None


def _chave(uow: UnitOfWork) -> Chave:
    return uow.cofre.of_purpose(uow.scope.tenant_id, _PURPOSE)


def _destino(chave: Chave, row: Row[Any]) -> Destino:
    return Destino(
        row.id,
        row.nome,
        row.canal,
        chave.open(f"{_ENDERECO}|{row.id}", bytes(row.endereco)).decode(),
        tuple(row.eventos),
        row.conteudo,
        row.situacao,
        row.motivo,
        row.anterior_ate,
        row.falhas_seguidas,
        row.descansa_ate,
        row.criado_em,
        row.criado_por,
    )


def _entrega(row: Row[Any]) -> Entrega:
    evento: Tipo = row.evento
    falha: Falha | None = row.ultima_falha
    return Entrega(
        row.id,
        row.destino_id,
        evento,
        row.autorizacao_id,
        row.revisao_id,
        row.situacao,
        row.tentativas,
        row.criada_em,
        row.insiste_ate,
        row.proxima_em,
        row.terminada_em,
        row.ultimo_status,
        falha,
        row.pedido_id,
    )
