"""Diligências: what was asked, what came and what it says, all of it sealed under the key that the project had then.

Whoever erases the person of a project erases these with it: what is left are numbers, dates and digests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.audit import read_seals
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.diligencias.guardadas import AutorDoEnvio, Diligencia, Envio, Papel, Pedida, Prazo
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.seladas import DILIGENCIA_ENVIOS, DILIGENCIAS
from crivo.triagem.storage.chaves import Dona, living

_PEDIDA: Final = "diligencias.selada"
_MOTIVO: Final = "diligencias.cancelada"
_DEPOIS: Final = "diligencias.depois"
_ENVIO: Final = "diligencia_envios.selado"
_NOME: Final = "diligencia_documentos.nome"
_CONTEUDO: Final = "diligencia_documentos.conteudo"
_LIDO: Final = "diligencia_documentos.lido"
_PRAZO: Final = "diligencia_prazos.motivo"
_ITENS: Final = msgspec.json.Decoder(tuple[ItemHabilitacao, ...])
_READ: Final = msgspec.msgpack.Decoder(DocumentoLido)
_COLUMNS: Final = """d.id, d.edital_id, d.projeto_id, p.codigo as projeto, d.numero, d.chave, d.selada, d.dias, d.prazo, d.pedida_por,
    d.pedida_em, d.cancelada_por, d.cancelada_em, d.cancelada_motivo, d.respondida_em, d.depois, d.julgada_em, k.embrulhada"""
_FROM: Final = """diligencias d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    left join chaves_de_pessoas k on k.tenant_id = d.tenant_id and k.id = d.chave where d.tenant_id = %(tenant)s"""
_ADD: Final = f"""
    insert into diligencias (tenant_id, id, edital_id, projeto_id, numero, chave, selada, codigo_resumo, dias, prazo, pedida_por, pedida_em)
    values (%(tenant)s, %(id)s, %(edital)s, %(projeto)s,
        (select coalesce(max(numero), 0) + 1 from diligencias where tenant_id = %(tenant)s and edital_id = %(edital)s),
        %(chave)s, %(selada)s, %(resumo)s, %(dias)s, %(prazo)s, %(por)s, %(em)s)
    returning {", ".join(DILIGENCIAS.columns)}"""
_ADD_ENVIO: Final = f"""
    insert into diligencia_envios (tenant_id, id, diligencia_id, autor, por, em, selado, recibo)
    values (%s, %s, %s, %s, %s, %s, %s, %s) returning {", ".join(DILIGENCIA_ENVIOS.columns)}"""
_ADD_PAPEL: Final = """
    insert into diligencia_documentos (tenant_id, diligencia_id, ordem, envio_id, requisito, nome, conteudo, sha256, tamanho_bytes)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s)"""
_ANSWERED: Final = "update diligencias set respondida_em = %s, depois = null, julgada_em = null where tenant_id = %s and id = %s"
_ENVIOS: Final = (
    "select id, autor, por, em, selado, recibo from diligencia_envios where tenant_id = %s and diligencia_id = %s order by em, id"
)
_PAPEIS: Final = """
    select ordem, envio_id, requisito, nome, sha256, tamanho_bytes, lido is not null as lida from diligencia_documentos
    where tenant_id = %s and diligencia_id = %s order by ordem"""
_ONE: Final = "select {what} from diligencia_documentos where tenant_id = %s and diligencia_id = %s and ordem = %s"
_KEEP_READ: Final = "update diligencia_documentos set lido = %s where tenant_id = %s and diligencia_id = %s and ordem = %s"
_JUDGED: Final = "update diligencias set depois = %s, julgada_em = %s where tenant_id = %s and id = %s"
_PROLONG: Final = "update diligencias set prazo = %s where tenant_id = %s and id = %s"
_ADD_PRAZO: Final = """
    insert into diligencia_prazos (tenant_id, diligencia_id, em, antes, depois, motivo, por) values (%s, %s, %s, %s, %s, %s, %s)"""
_PRAZOS: Final = "select em, antes, depois, motivo, por from diligencia_prazos where tenant_id = %s and diligencia_id = %s order by em"
_CANCEL: Final = """
    update diligencias set cancelada_em = %s, cancelada_por = %s, cancelada_motivo = %s where tenant_id = %s and id = %s"""
_LOCK: Final = "select 1 from diligencias where tenant_id = %s and id = %s for update"
_DUE: Final = """
    select d.id from diligencias d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id and p.retirado_em is null
    where d.tenant_id = %s and d.cancelada_em is null and d.respondida_em is null and d.prazo >= %s and d.prazo < %s
    order by d.prazo, d.id"""
_COUNT: Final = """
    select count(*) filter (where cancelada_em is null and respondida_em is null and prazo >= %(em)s) as abertas,
        count(*) filter (where cancelada_em is null and respondida_em is not null) as respondidas,
        count(*) filter (where cancelada_em is null and respondida_em is null and prazo < %(em)s) as vencidas,
        count(*) filter (where cancelada_em is not null) as canceladas
    from diligencias where tenant_id = %(tenant)s and edital_id = %(edital)s"""

_TO_LOOK_AT: Final = """
    select e.codigo, count(*) as quantas from diligencias d
    join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id and p.retirado_em is null
    join editais e on e.tenant_id = d.tenant_id and e.id = d.edital_id
    left join habilitacao_decisoes h on h.tenant_id = d.tenant_id and h.projeto_id = d.projeto_id
    where d.tenant_id = %s and d.cancelada_em is null and d.respondida_em is not null
        and (h.decidido_em is null or h.decidido_em < d.respondida_em)
    group by e.codigo"""


@dataclass(frozen=True, slots=True)
class Recebido:
    """A file of an answer on its way in."""

    requisito: str | None
    nome: str
    conteudo: bytes
    sha256: bytes


async def add(
    uow: UnitOfWork,
    new_id: UUID,
    edital_id: UUID,
    projeto_id: UUID,
    dona: Dona,
    pedida: Pedida,
    resumo: bytes,
    dias: int,
    prazo: datetime,
    por: UUID,
    em: datetime,
) -> tuple[int, dict[str, str]]:
    """Keep a diligência under the project's key; the edital is locked. Its number, and the seal of its row."""
    values = {
        "tenant": uow.scope.tenant_id,
        "id": new_id,
        "edital": edital_id,
        "projeto": projeto_id,
        "chave": dona.id,
        "selada": dona.chave.seal(_in(_PEDIDA, new_id), msgspec.json.encode(pedida)),
        "resumo": resumo,
        "dias": dias,
        "prazo": prazo,
        "por": por,
        "em": em,
    }
    row = (await uow.connection.exec_driver_sql(_ADD, values)).one()
    return row.numero, dict([DILIGENCIAS.seal_of(row)])


async def seals_of(uow: UnitOfWork, diligencia_id: UUID) -> dict[str, str]:
    """The seal of a diligência's row as it stands now, for the entry that tells of a change."""
    return await read_seals(uow, DILIGENCIAS, {"id": diligencia_id})


async def find_by_resumo(uow: UnitOfWork, resumo: bytes) -> Diligencia | None:
    """The one whose code has that digest."""
    return await _find(uow, "d.codigo_resumo = %(which)s", resumo)


async def find_by_numero(uow: UnitOfWork, edital_id: UUID, numero: int) -> Diligencia | None:
    """The one of that number in an edital."""
    return await _find(uow, "d.edital_id = %(edital)s and d.numero = %(which)s", numero, edital=edital_id)


async def find(uow: UnitOfWork, diligencia_id: UUID) -> Diligencia | None:
    """The one of that id."""
    return await _find(uow, "d.id = %(which)s", diligencia_id)


async def of_edital(uow: UnitOfWork, edital_id: UUID) -> tuple[Diligencia, ...]:
    """Those of an edital, the newest first."""
    return await _list(uow, "d.edital_id = %(which)s", edital_id)


async def of_project(uow: UnitOfWork, projeto_id: UUID) -> tuple[Diligencia, ...]:
    """Those of a project, the newest first."""
    return await _list(uow, "d.projeto_id = %(which)s", projeto_id)


async def count(uow: UnitOfWork, edital_id: UUID, em: datetime) -> Mapping[str, int]:
    """How many of an edital stand how at a moment: abertas, respondidas, vencidas, canceladas."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "em": em}
    row = (await uow.connection.exec_driver_sql(_COUNT, values)).one()
    return {name: getattr(row, name) for name in ("abertas", "respondidas", "vencidas", "canceladas")}


async def to_look_at(uow: UnitOfWork) -> Mapping[str, int]:
    """By edital, how many were answered on whose projects nobody has decided since; editais that have none are left out."""
    rows = await uow.connection.exec_driver_sql(_TO_LOOK_AT, (uow.scope.tenant_id,))
    return {row.codigo: row.quantas for row in rows}


async def lock(uow: UnitOfWork, diligencia_id: UUID) -> None:
    """Nobody else changes it until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id, diligencia_id))


async def receive(
    uow: UnitOfWork,
    diligencia: Diligencia,
    chave: Chave,
    envio_id: UUID,
    autor: AutorDoEnvio,
    por: UUID | None,
    em: datetime,
    texto: str,
    recibo: bytes,
    recebidos: Sequence[Recebido],
) -> dict[str, str]:
    """Keep an answer and its files; the diligência is locked. What was judged of earlier ones no longer stands. The seals of both."""
    tenant, of = uow.scope.tenant_id, diligencia.id
    stored = chave.seal(_in(_ENVIO, envio_id), texto.encode())
    row = (await uow.connection.exec_driver_sql(_ADD_ENVIO, (tenant, envio_id, of, autor, por, em, stored, recibo))).one()
    last = max([one.ordem for one in await _papeis(uow, of, chave)], default=0)
    rows = [
        (
            tenant,
            of,
            at,
            envio_id,
            one.requisito,
            chave.seal(_of(_NOME, of, at), one.nome.encode()),
            chave.seal(_of(_CONTEUDO, of, at), one.conteudo),
            one.sha256,
            len(one.conteudo),
        )
        for at, one in enumerate(recebidos, last + 1)
    ]
    if rows:
        await uow.connection.exec_driver_sql(_ADD_PAPEL, rows)
    await uow.connection.exec_driver_sql(_ANSWERED, (em, tenant, of))
    return {**dict([DILIGENCIA_ENVIOS.seal_of(row)]), **await seals_of(uow, of)}


async def envios_of(uow: UnitOfWork, diligencia: Diligencia) -> tuple[Envio, ...]:
    """The answers to a diligência, the first one first; none where the project was erased."""
    chave = await key_of(uow, diligencia)
    if chave is None:
        return ()
    papeis = await _papeis(uow, diligencia.id, chave)
    rows = await uow.connection.exec_driver_sql(_ENVIOS, (uow.scope.tenant_id, diligencia.id))
    return tuple(
        [
            Envio(
                row.id,
                row.autor,
                row.por,
                row.em,
                chave.open(_in(_ENVIO, row.id), bytes(row.selado)).decode(),
                bytes(row.recibo).hex(),
                tuple(
                    [Papel(one.ordem, one.nome, one.requisito, one.sha256, one.tamanho_bytes) for one in papeis if one.envio_id == row.id]
                ),
            )
            for row in rows
        ]
    )


async def key_of(uow: UnitOfWork, diligencia: Diligencia) -> Chave | None:
    """The key that a diligência is under; None where it was destroyed."""
    return (await living(uow, [diligencia.chave])).get(diligencia.chave)


async def papel(uow: UnitOfWork, diligencia: Diligencia, ordem: int) -> tuple[str, bytes] | None:
    """The name and the content of a file of an answer; None where there is none, or it was erased."""
    chave = await key_of(uow, diligencia)
    which = (uow.scope.tenant_id, diligencia.id, ordem)
    row = (await uow.connection.exec_driver_sql(_ONE.format(what="nome, conteudo"), which)).one_or_none()
    if chave is None or row is None or row.conteudo is None:
        return None
    nome = chave.open(_of(_NOME, diligencia.id, ordem), bytes(row.nome)).decode()
    return nome, chave.open(_of(_CONTEUDO, diligencia.id, ordem), bytes(row.conteudo))


async def papeis_of(uow: UnitOfWork, diligencia: Diligencia) -> tuple[Papel, ...]:
    """The files that came in answers to a diligência, in their order."""
    chave = await key_of(uow, diligencia)
    found = () if chave is None else await _papeis(uow, diligencia.id, chave)
    return tuple([Papel(one.ordem, one.nome, one.requisito, one.sha256, one.tamanho_bytes) for one in found])


async def lido(uow: UnitOfWork, diligencia: Diligencia, ordem: int) -> DocumentoLido | None:
    """What was read in a file of an answer; None where nobody has read it."""
    chave = await key_of(uow, diligencia)
    row = (await uow.connection.exec_driver_sql(_ONE.format(what="lido"), (uow.scope.tenant_id, diligencia.id, ordem))).one_or_none()
    if chave is None or row is None or row.lido is None:
        return None
    return _READ.decode(chave.open(_of(_LIDO, diligencia.id, ordem), bytes(row.lido)))


async def keep_lido(uow: UnitOfWork, diligencia: Diligencia, ordem: int, read: DocumentoLido) -> None:
    """Keep what was read in a file of an answer; nothing of one that was erased while it was being read."""
    chave = await key_of(uow, diligencia)
    if chave is not None:
        stored = chave.seal(_of(_LIDO, diligencia.id, ordem), msgspec.msgpack.encode(read))
        await uow.connection.exec_driver_sql(_KEEP_READ, (stored, uow.scope.tenant_id, diligencia.id, ordem))


async def judged(uow: UnitOfWork, diligencia: Diligencia, depois: Sequence[ItemHabilitacao] | None, em: datetime) -> None:
    """Keep what the papers say; None where they could not be judged."""
    chave = await key_of(uow, diligencia)
    stored = None if chave is None or depois is None else chave.seal(_in(_DEPOIS, diligencia.id), msgspec.json.encode(tuple(depois)))
    await uow.connection.exec_driver_sql(_JUDGED, (stored, em, uow.scope.tenant_id, diligencia.id))


async def prolong(uow: UnitOfWork, diligencia: Diligencia, chave: Chave, prazo: datetime, motivo: str, por: UUID, em: datetime) -> None:
    """Move the deadline, and keep why."""
    tenant = uow.scope.tenant_id
    await uow.connection.exec_driver_sql(_PROLONG, (prazo, tenant, diligencia.id))
    stored = chave.seal(_at(_PRAZO, diligencia.id, em), motivo.encode())
    await uow.connection.exec_driver_sql(_ADD_PRAZO, (tenant, diligencia.id, em, diligencia.prazo, prazo, stored, por))


async def prazos_of(uow: UnitOfWork, diligencia: Diligencia) -> tuple[Prazo, ...]:
    """How the deadline was moved, the first time first."""
    chave = await key_of(uow, diligencia)
    rows = await uow.connection.exec_driver_sql(_PRAZOS, (uow.scope.tenant_id, diligencia.id))
    return tuple(
        [
            Prazo(
                row.antes,
                row.depois,
                "" if chave is None else chave.open(_at(_PRAZO, diligencia.id, row.em), bytes(row.motivo)).decode(),
                row.por,
                row.em,
            )
            for row in rows
        ]
    )


async def cancel(uow: UnitOfWork, diligencia: Diligencia, chave: Chave, motivo: str, por: UUID, em: datetime) -> None:
    """It is asked no more, and why."""
    stored = chave.seal(_in(_MOTIVO, diligencia.id), motivo.encode())
    await uow.connection.exec_driver_sql(_CANCEL, (em, por, stored, uow.scope.tenant_id, diligencia.id))


async def due(uow: UnitOfWork, desde: datetime, ate: datetime) -> list[UUID]:
    """Those that wait for an answer and whose deadline is from one moment to before another."""
    return list((await uow.connection.exec_driver_sql(_DUE, (uow.scope.tenant_id, desde, ate))).scalars())


async def _find(uow: UnitOfWork, where: str, which: object, **more: object) -> Diligencia | None:
    values = {"tenant": uow.scope.tenant_id, "which": which, **more}
    row = (await uow.connection.exec_driver_sql(f"select {_COLUMNS} from {_FROM} and {where}", values)).one_or_none()
    return None if row is None else _read(uow, row)


async def _list(uow: UnitOfWork, where: str, which: object) -> tuple[Diligencia, ...]:
    values = {"tenant": uow.scope.tenant_id, "which": which}
    rows = await uow.connection.exec_driver_sql(f"select {_COLUMNS} from {_FROM} and {where} order by d.numero desc", values)
    return tuple([_read(uow, row) for row in rows])


@dataclass(frozen=True, slots=True)
class _Papel:
    ordem: int
    envio_id: UUID
    nome: str
    requisito: str | None
    sha256: str
    tamanho_bytes: int


async def _papeis(uow: UnitOfWork, diligencia_id: UUID, chave: Chave) -> list[_Papel]:
    rows = await uow.connection.exec_driver_sql(_PAPEIS, (uow.scope.tenant_id, diligencia_id))
    return [
        _Papel(
            row.ordem,
            row.envio_id,
            chave.open(_of(_NOME, diligencia_id, row.ordem), bytes(row.nome)).decode(),
            row.requisito,
            bytes(row.sha256).hex(),
            row.tamanho_bytes,
        )
        for row in rows
    ]


def _read(uow: UnitOfWork, row: Row[Any]) -> Diligencia:
    chave = None if row.embrulhada is None else uow.cofre.unwrap(uow.scope.tenant_id, row.chave, bytes(row.embrulhada))
    motivo = "" if chave is None or row.cancelada_motivo is None else chave.open(_in(_MOTIVO, row.id), bytes(row.cancelada_motivo)).decode()
    return Diligencia(
        row.id,
        row.edital_id,
        row.projeto_id,
        row.projeto,
        row.numero,
        row.chave,
        None if chave is None else msgspec.json.decode(chave.open(_in(_PEDIDA, row.id), bytes(row.selada)), type=Pedida),
        row.dias,
        row.prazo,
        row.pedida_por,
        row.pedida_em,
        row.cancelada_em,
        row.cancelada_por,
        motivo,
        row.respondida_em,
        None if chave is None or row.depois is None else _ITENS.decode(chave.open(_in(_DEPOIS, row.id), bytes(row.depois))),
        row.julgada_em,
    )


def _in(nome: str, of: UUID) -> str:
    return f"{nome}|{of}"


def _of(nome: str, of: UUID, ordem: int) -> str:
    return f"{nome}|{of}|{ordem}"


def _at(nome: str, of: UUID, em: datetime) -> str:
    return f"{nome}|{of}|{int(em.timestamp() * 1_000_000)}"
