"""What stored decisions rest on, by the time they came; what older ones lack is read from their trail once, and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row, text

from crivo.autorizacoes.contracts import Normalizacao, Value
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.simulacao.linha import Linha, decode_linha, encode_linha
from crivo.autorizacoes.storage import PARAMETROS, find_many, keep_parametros
from crivo.kernel.sigilo import DadosViolados
from crivo.kernel.storage.session import UnitOfWork

AT_ONCE: Final = 5_000
Complementada = Callable[[Normalizacao], Normalizacao]
"""Reads of a stored normalisation what no regra of its day asked for."""
_READ_AGAIN_AT_ONCE: Final = 200
# An id is made some time after its decision came: while a model writes, by minutes.
_MARGIN: Final = timedelta(days=1)
_READ: Final = text(
    "select a.id, a.pedido_id, p.selados, k.embrulhada, k.destruida_em from autorizacoes a "
    "left join autorizacao_parametros p on p.tenant_id = a.tenant_id and p.id = a.id "
    "left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.id "
    "where a.tenant_id = :tenant and a.id > :depois_de and a.id < :antes_de and a.recebida_em >= :desde and a.recebida_em < :ate "
    "order by a.id limit :limite"
)
_COUNT: Final = text(
    "select count(*) from autorizacoes a where a.tenant_id = :tenant and a.id > :depois_de and a.id < :antes_de "
    "and a.recebida_em >= :desde and a.recebida_em < :ate"
)

_RECEIVED: Final = text("select id, recebida_em from autorizacoes where tenant_id = :tenant and id = any(:ids)")


@dataclass(frozen=True, slots=True)
class Lidas:
    """Some decisions of a period with what they rest on, and how many more there were: erased, spoiled, or read again from their trail.

    `ultima` continues the period where these ended, None at its end.
    """

    linhas: tuple[tuple[UUID, str | None, Linha], ...]
    apagadas: int
    ilegiveis: int
    relidas: int
    ultima: UUID | None


class _Etapas(Value, frozen=True, gc=False):
    normalizacao: Normalizacao


class _SoNormalizacao(Value, frozen=True, gc=False):
    """Of a trail what RF1 answered."""

    etapas: _Etapas


_decode_trilha = msgspec.json.Decoder(_SoNormalizacao).decode


async def count_period(uow: UnitOfWork, desde: datetime, ate: datetime) -> int:
    """How many decisions came from `desde` until before `ate`."""
    return int((await uow.connection.execute(_COUNT, _bounds(uow, desde, ate))).scalar_one())


async def received(uow: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID | None, datetime]:
    """When decisions came, by their id."""
    found = (await uow.connection.execute(_RECEIVED, {"tenant": uow.scope.tenant_id, "ids": list(ids)})).all()
    return {row.id: row.recebida_em for row in found}


async def read_period(
    uow: UnitOfWork, desde: datetime, ate: datetime, complementada: Complementada, depois_de: UUID | None = None
) -> Lidas:
    """Up to five thousand decisions that came from `desde` until before `ate`, the oldest first. No JSON is read of those that were
    decided since there are such rows; of up to so many others the trail is, and its row is kept.
    """
    values = {**_bounds(uow, desde, ate), "limite": AT_ONCE}
    if depois_de is not None:
        values["depois_de"] = depois_de
    rows = (await uow.connection.execute(_READ, values)).all()
    linhas, ilegiveis = _opened(uow, [row for row in rows if row.destruida_em is None and row.selados is not None])
    older = [row for row in rows if row.destruida_em is None and row.selados is None]
    relidas = 0
    for start in range(0, len(older), _READ_AGAIN_AT_ONCE):
        again = await _read_again(uow, older[start : start + _READ_AGAIN_AT_ONCE], complementada)
        relidas += len(again)
        ilegiveis += len(older[start : start + _READ_AGAIN_AT_ONCE]) - len(again)
        linhas |= again
    found = tuple([(row.id, row.pedido_id, linhas[row.id]) for row in rows if row.id in linhas])
    erased = sum(row.destruida_em is not None for row in rows)
    return Lidas(found, erased, ilegiveis, relidas, rows[-1].id if len(rows) == AT_ONCE else None)


def _bounds(uow: UnitOfWork, desde: datetime, ate: datetime) -> dict[str, Any]:
    """A period as moments, and as ids, which grow with time and are what the table is in order of."""
    bounds = {"depois_de": _first_id(desde - _MARGIN), "antes_de": _first_id(ate + _MARGIN)}
    return {"tenant": uow.scope.tenant_id, "desde": desde, "ate": ate, **bounds}


def _first_id(em: datetime) -> UUID:
    return UUID(int=max(0, int(em.timestamp() * 1000)) << 80)


def _opened(uow: UnitOfWork, rows: Sequence[Row[Any]]) -> tuple[dict[UUID, Linha], int]:
    """What rows hold, by id, and how many hold nothing that can be opened any more."""
    tenant = uow.scope.tenant_id
    whole = [row for row in rows if row.embrulhada is not None]
    try:
        kept = [(str(row.id), bytes(row.embrulhada), bytes(row.selados)) for row in whole]
        packed = uow.cofre.open_each(tenant, PARAMETROS, kept)
        return {row.id: decode_linha(one) for row, one in zip(whole, packed, strict=True)}, len(rows) - len(whole)
    except (DadosViolados, msgspec.DecodeError):
        if len(rows) == 1:
            return {}, 1
    half = len(rows) // 2
    before, after = _opened(uow, rows[:half]), _opened(uow, rows[half:])
    return before[0] | after[0], before[1] + after[1]


async def _read_again(uow: UnitOfWork, rows: Sequence[Row[Any]], complementada: Complementada) -> dict[UUID, Linha]:
    """What decisions without a row rest on, by their trail; kept where they have a key to be kept under."""
    found = await _found(uow, [row.id for row in rows], complementada)
    keys = {row.id: uow.cofre.unwrap(uow.scope.tenant_id, row.id, row.embrulhada) for row in rows if row.id in found}
    kept = [(one, key, encode_linha(found[one])) for one, key in keys.items() if key is not None]
    if kept:
        await keep_parametros(uow, kept)
    return found


async def _found(uow: UnitOfWork, ids: Sequence[UUID], complementada: Complementada) -> dict[UUID, Linha]:
    try:
        stored = [one for one in await find_many(uow, ids) if isinstance(one, Autorizacao)]
    except DadosViolados:
        if len(ids) == 1:
            return {}
        half = len(ids) // 2
        return await _found(uow, ids[:half], complementada) | await _found(uow, ids[half:], complementada)
    linhas = {}
    for one in stored:
        try:
            linhas[one.id] = Linha.of(complementada(_decode_trilha(one.trilha).etapas.normalizacao))
        except msgspec.DecodeError:
            continue  # a trail that somebody spoiled: it is counted
    return linhas
