"""What the house itself approved for a beneficiário, as the history that limits by period are counted over. Record 0076.

It enters a decision as an input and stays in its trail, so that the decision can be made again when the store has moved on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace
from sqlalchemy import text

from crivo.autorizacoes.contracts import PedidoNormalizado, Uso
from crivo.autorizacoes.etapas.valores import says_nothing
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.origem import Mensagem, mensagem_of
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.storage import find_approvals, find_many
from crivo.autorizacoes.titular import titular_of
from crivo.autorizacoes.trilha import Etapas, Trilha
from crivo.kernel.concorrencia import aside
from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.session import UnitOfWork

_SINGLE_FILE: Final = text(
    "select pg_advisory_xact_lock(k) from (select k from unnest(cast(:keys as bigint[])) as u (k) order by k) as in_order"
)
_REVIEWED: Final = text(
    "select distinct on (autorizacao_id) autorizacao_id, decisao_final, quantidade_aprovada from autorizacao_revisoes "
    "where tenant_id = :tenant and autorizacao_id = any(:ids) order by autorizacao_id, decidida_em desc, id desc"
)


class Feito(msgspec.Struct, frozen=True):
    """Units that were approved, the number of the pedido that they were approved for, and the message that it came in, if in any."""

    pedido_id: str | None
    uso: Uso
    de: Mensagem | None = None


class _Guardada(msgspec.Struct, frozen=True):
    """Of a stored trail, what its uses are read from."""

    etapas: Etapas


class _Revista(NamedTuple):
    """How a person decided last, and how many units where they said it."""

    final: str
    quantidade: int | float | None


async def single_file(uow: UnitOfWork, titulares: Collection[Identidade]) -> None:
    """Until the unit of work ends, nobody else decides for these beneficiários by what they had: they would not see each other."""
    keys = {key for titular in titulares for key in _indexes(uow, titular)}
    await uow.connection.execute(_SINGLE_FILE, {"keys": [int.from_bytes(key[:8], "big", signed=True) for key in keys]})


async def approved_for(uow: UnitOfWork, titular: Identidade) -> tuple[Feito, ...]:
    """What stored decisions approved for somebody, known by CPF or by number at the administradora; the oldest first.

    A review stands in for what it decided over. What was erased tells nothing any more.
    """
    return tuple([feito for _, feito in await _approved_for(uow, titular)])


async def replaced_by(uow: UnitOfWork, guardada: Autorizacao) -> Autorizacao | None:
    """What stands in the place of a stored decision, as limits are counted: a later one that approves something of the same.

    Of a guia or Claim that is the last message of it, of a pedido in JSON the last that is this very one again. None where there is none.
    """
    try:
        pedido = msgspec.json.decode(guardada.trilha, type=_Guardada).etapas.normalizacao.pedido_normalizado
    except msgspec.DecodeError:
        return None
    own = mensagem_of(pedido)
    same = [
        (one, feito.de)
        for one, feito in await _approved_for(uow, titular_of({}, pedido))
        if _is_again(feito, pedido, own) or (own is not None and feito.de is not None and feito.de.guia == own.guia)
    ]
    if not same:
        return None
    last, de = same[-1]
    if last <= guardada.id or (own is not None and de is not None and de.digest == own.digest):
        return None
    return next((one for one in await find_many(uow, [last]) if isinstance(one, Autorizacao)), None)


async def _approved_for(uow: UnitOfWork, titular: Identidade) -> tuple[tuple[UUID, Feito], ...]:
    keys = await uow.cofre.of_numbers(uow, titular.cpf, spellings(titular.numero)) if titular.cpf or titular.numero else ()
    ids = [key.id for key in keys if key.aplicacao == "autorizacoes" and key.destruida_em is None]
    if not ids:
        return ()
    reviewed = await _reviewed(uow, ids)
    found = await find_approvals(uow, ids, list(reviewed))
    return await aside(sum(len(trilha) for _, _, trilha in found), _feitos, found, reviewed)


def spellings(numero: str) -> tuple[str, ...]:
    """A number of an administradora as it may have been written when it was stored: in capitals, in small letters, and as it came.

    What stands between its letters and figures is part of it: without that the numbers of two people may be one (`1-11`, `11-1`).
    """
    de, bar, seu = numero.partition("|")
    ways = [(one, one.upper(), one.lower()) for one in (de, seu)]
    return tuple(dict.fromkeys([f"{uma}{bar}{outro}" for uma in ways[0] for outro in ways[1] if outro]))


def quem_of(titular: Identidade) -> tuple[str, str]:
    """Who somebody is among those of one batch: CPF, and number in small letters."""
    return titular.cpf, titular.numero.lower()


def feito_of(trilha: Trilha) -> Feito | None:
    """What a decision just taken approves; None where it approves nothing."""
    return _of_etapas(trilha.etapas, trilha.etapas.sintese.detalhe_decisao.quantidade_aprovada)


def usos_of(feitos: Sequence[Feito], pedido: PedidoNormalizado) -> tuple[Uso, ...]:
    """The uses that count for a pedido: of one that was sent again only the last; what this very pedido had is marked, and counts not.

    A pedido is the same again where number, procedure and date all are, the beneficiário being one. A guia is sent again whole: what an
    earlier message of it approved counts no more, and the other items of the same message do.
    """
    own = mensagem_of(pedido)
    last = {_sent(feito, position): _sending(feito, position) for position, feito in enumerate(feitos)}
    usos: list[Uso] = []
    for position, feito in enumerate(feitos):
        if last[_sent(feito, position)] != _sending(feito, position):
            continue
        if _is_again(feito, pedido, own):
            usos.append(replace(feito.uso, substituido=True))
        elif not _is_corrected(feito, own):
            usos.append(feito.uso)
    return tuple(usos)


def _sent(feito: Feito, position: int) -> tuple[str | int | None, ...]:
    """What may be sent again, and then replaces what it approved: a guia, or a pedido by its number, procedure and date."""
    if feito.de is not None:
        return feito.de.guia
    if feito.pedido_id is None or says_nothing(feito.pedido_id, is_number=True) or None in (feito.uso.codigo, feito.uso.data):
        return (position,)
    return ("pedido", feito.pedido_id, fold_id(feito.uso.codigo or ""), feito.uso.data)


def _sending(feito: Feito, position: int) -> str | int:
    """Which time it was sent."""
    return position if feito.de is None else feito.de.digest


def _is_again(feito: Feito, pedido: PedidoNormalizado, own: Mensagem | None) -> bool:
    """Whether what was approved was for this very pedido: a sender that numbers by month, or calls all by one number, sends others.

    Guias are numbered by each who sends them: what came in one is this again only where the pedido is of that guia.
    """
    numero, uso = feito.pedido_id, feito.uso
    return (
        (feito.de.guia if feito.de is not None else None) == (own.guia if own is not None else None)
        and numero is not None
        and numero == pedido.pedido_id
        and not says_nothing(numero, is_number=True)
        and uso.data is not None
        and uso.data == pedido.data_pedido
        and uso.codigo is not None
        and fold_id(uso.codigo) == fold_id(pedido.procedimento.codigo or "")
    )


def _is_corrected(feito: Feito, own: Mensagem | None) -> bool:
    """Whether it was approved for an earlier message of the guia that the pedido is of."""
    return feito.de is not None and own is not None and feito.de.guia == own.guia and feito.de.digest != own.digest


def historico_guardado(trilha: bytes) -> tuple[Uso, ...] | None:
    """The uses of the house that a stored decision was taken with; None where it was not asked, or the trail cannot be read."""
    try:
        usos = msgspec.json.decode(trilha, type=_Guardada).etapas.normalizacao.pedido_normalizado.historico
    except msgspec.DecodeError:
        return None
    return tuple([uso for uso in usos if uso.origem == "crivo"]) if isinstance(usos, tuple) else None


def _feitos(decisoes: Sequence[tuple[UUID, str | None, bytes]], reviewed: Mapping[UUID, _Revista]) -> tuple[tuple[UUID, Feito], ...]:
    return tuple([(one[0], feito) for one in decisoes if (feito := _feito(*one, reviewed)) is not None])


def _feito(autorizacao_id: UUID, pedido_id: str | None, trilha: bytes, reviewed: Mapping[UUID, _Revista]) -> Feito | None:
    """What a stored decision approved; one whose trail cannot be read is a use of which nothing is known."""
    try:
        etapas = msgspec.json.decode(trilha, type=_Guardada).etapas
    except msgspec.DecodeError:
        return Feito(pedido_id, Uso(None, None, None, "crivo"))
    revisao = reviewed.get(autorizacao_id)
    if revisao is None:
        return _of_etapas(etapas, etapas.sintese.detalhe_decisao.quantidade_aprovada)
    # Who approves and says no number approves what was asked for.
    asked = etapas.normalizacao.pedido_normalizado.procedimento.quantidade if revisao.final == "APROVADO" else None
    return _of_etapas(etapas, asked if revisao.quantidade is None else revisao.quantidade)


def _of_etapas(etapas: Etapas, aprovada: int | float | None) -> Feito | None:
    pedido = etapas.normalizacao.pedido_normalizado
    if not aprovada:
        return None
    return Feito(pedido.pedido_id, Uso(pedido.procedimento.codigo, pedido.data_pedido, aprovada, "crivo"), mensagem_of(pedido))


async def _reviewed(uow: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID, _Revista]:
    rows = await uow.connection.execute(_REVIEWED, {"tenant": uow.scope.tenant_id, "ids": list(ids)})
    return {row.autorizacao_id: _Revista(row.decisao_final, _number(row.quantidade_aprovada)) for row in rows}


def _number(valor: Any) -> int | float | None:
    if valor is None:
        return None
    number = float(valor)
    return int(number) if number.is_integer() else number


def _indexes(uow: UnitOfWork, titular: Identidade) -> list[bytes]:
    """By what keyed digests those who decide for somebody wait for each other: one for all spellings of their number."""
    cofre, tenant_id = uow.cofre, uow.scope.tenant_id
    found = (cofre.index(tenant_id, "cpf", titular.cpf), cofre.index(tenant_id, "numero", titular.numero.lower()))
    return [index for index in found if index is not None]
