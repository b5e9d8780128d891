"""Which of those that wait were replaced: their guia or Claim came again in a later message, which asks for all of it anew.

They wait for nobody any more: what is to be answered is the last message. That one came again is told by its number, and proved by what
each trail says of its message: the same sender, number, administradora and beneficiário. Record 0086.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.origem import mensagem_em
from crivo.autorizacoes.revisao.storage.espera import ESPERA
from crivo.autorizacoes.storage import TRILHA
from crivo.kernel.storage.session import UnitOfWork

_MOST_NUMBERS: Final = 500
_MOST_OF_ONE: Final = 200  # a number that so many pedidos share is no guia's
_ITEM: Final = "-[0-9]{1,3}$"
# As one array, so that numbers are looked up, however the server thinks of a table it has no statistics of.
_SEVERAL: Final = f"""
    with esperam as materialized (
        select a.pedido_id from autorizacoes a where a.tenant_id = %(tenant)s and a.pedido_id is not null and {ESPERA})
    select array_agg(b.id) as ids from autorizacoes b
    where b.tenant_id = %(tenant)s and b.pedido_id = any(array(
        select pedido_id from esperam union select regexp_replace(pedido_id, %(item)s, '') from esperam))
    group by b.pedido_id having count(*) between 2 and %(muitas)s order by max(b.id::text) desc limit %(numeros)s"""
_TRAILS: Final = """
    select a.id::text as id, k.embrulhada, a.trilha, a.pedido_id from autorizacoes a
    join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.id and k.destruida_em is null
    where a.tenant_id = %s and a.id = any(%s)"""
_ITEMS: Final = f"""
    select a.id from autorizacoes a
    where a.tenant_id = %(tenant)s and {ESPERA} and regexp_replace(a.pedido_id, %(item)s, '') = any(%(numeros)s)"""


class _Beneficiario(msgspec.Struct):
    id: str | None = None


class _Pedido(msgspec.Struct):
    beneficiario: _Beneficiario
    administradora_id: str | None = None
    extras: dict[str, Any] = {}


class _Normalizacao(msgspec.Struct):
    pedido_normalizado: _Pedido


class _Etapas(msgspec.Struct):
    normalizacao: _Normalizacao


class _Trilha(msgspec.Struct):
    etapas: _Etapas


_DECODE: Final = msgspec.json.Decoder(_Trilha).decode


@dataclass(frozen=True, slots=True)
class Enviada:
    """A decision of a message: of which guia or Claim about whom, and in which message of it."""

    id: UUID
    guia: tuple[str, ...]
    digest: str


def replaced_among(enviadas: Iterable[Enviada]) -> frozenset[UUID]:
    """Those that are not of the last message of their guia or Claim; ids are in the order in which decisions were taken. Pure."""
    ordered = sorted(enviadas, key=lambda one: one.id)
    last: Mapping[tuple[str, ...], str] = {one.guia: one.digest for one in ordered}
    return frozenset([one.id for one in ordered if last[one.guia] != one.digest])


async def replaced(uow: UnitOfWork) -> frozenset[UUID]:
    """The decisions of the tenant that wait no more, as a later message took the place of theirs."""
    run, tenant_id = uow.connection.exec_driver_sql, uow.scope.tenant_id
    values = {"tenant": tenant_id, "item": _ITEM, "muitas": _MOST_OF_ONE, "numeros": _MOST_NUMBERS}
    several = [one for ids in (await run(_SEVERAL, values)).scalars() for one in ids]
    if not several:
        return frozenset()
    numeros, enviadas = await _sent(uow, several)
    if not replaced_among(enviadas):
        return frozenset()
    # A later message may ask for fewer things: an item that came once alone went with the message that it came in.
    of_guias = list((await run(_ITEMS, {"tenant": tenant_id, "item": _ITEM, "numeros": sorted(numeros)})).scalars())
    known = {one.id for one in enviadas}
    _, others = await _sent(uow, [one for one in of_guias if one not in known])
    return replaced_among([*enviadas, *others])


async def _sent(uow: UnitOfWork, ids: Sequence[UUID]) -> tuple[set[str], list[Enviada]]:
    """Of these decisions those that came in a message, and the numbers of their pedidos."""
    rows = (await uow.connection.exec_driver_sql(_TRAILS, (uow.scope.tenant_id, list(ids)))).all() if ids else []
    opened = uow.cofre.open_each(uow.scope.tenant_id, TRILHA, [(row.id, row.embrulhada, row.trilha) for row in rows])
    numeros, found = set[str](), []
    for row, trilha in zip(rows, opened, strict=True):
        one = _enviada(UUID(row.id), trilha)
        if one is not None:
            numeros.add(row.pedido_id)
            found.append(one)
    return numeros, found


def _enviada(autorizacao_id: UUID, trilha: bytes) -> Enviada | None:
    try:
        pedido = _DECODE(trilha).etapas.normalizacao.pedido_normalizado
    except msgspec.DecodeError:
        return None
    de = mensagem_em(pedido.extras)
    if de is None:
        return None
    return Enviada(autorizacao_id, (*de.guia, pedido.administradora_id or "", pedido.beneficiario.id or ""), de.digest)
