"""The signs that an execução found over the whole edital: each sealed under the keys of all projects that it tells of.

With any of these keys destroyed nobody reads it. Which projects they are, the kind and the measure stand beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.sigilo import Chave, open_under_all, seal_under_all
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Value
from crivo.triagem.storage import execucoes
from crivo.triagem.storage.chaves import SINAL, Posse, hold_all, living, open_in
from crivo.triagem.storage.editais import to_json

COLUMNS: Final = "i.ordem, i.dados::text as dados, i.selado, i.chaves"
_EDITAL: Final = "select edital_id from triagem_ia_execucoes where tenant_id = %s and id = %s"
_PUT: Final = """
    insert into triagem_ia_irregularidades (tenant_id, execucao_id, ordem, tipo, dados, procura, chaves, selado)
    values (%(tenant)s, %(execucao)s, %(ordem)s, %(tipo)s, %(dados)s, %(procura)s, %(chaves)s, %(selado)s)"""
_SEAL: Final = """
    update triagem_ia_irregularidades set dados = %(dados)s, procura = %(procura)s, chaves = %(chaves)s, selado = %(selado)s
    where tenant_id = %(tenant)s and execucao_id = %(execucao)s and ordem = %(ordem)s and chaves is null"""
_FORGET: Final = """
    delete from triagem_ia_irregularidades where tenant_id = %s and execucao_id = %s and ordem = any(%s) and chaves is null"""
_COPY: Final = """
    insert into triagem_ia_irregularidades (tenant_id, execucao_id, ordem, tipo, dados, procura, chaves, selado)
    select tenant_id, %s, ordem, tipo, dados, procura, chaves, selado
    from triagem_ia_irregularidades where tenant_id = %s and execucao_id = %s"""
_CLEAR: Final = "delete from triagem_ia_irregularidades where tenant_id = %s and execucao_id = %s"
_ALL: Final = f"select {COLUMNS} from triagem_ia_irregularidades i where i.tenant_id = %s and i.execucao_id = %s order by i.ordem"

_OF_PROJECT: Final = f"""
    select {COLUMNS} from triagem_ia_irregularidades i
    where i.tenant_id = %s and i.execucao_id = %s and i.dados -> 'projetos' @> to_jsonb(%s::text) order by i.ordem"""


class Quotes(Value, frozen=True):
    """What a sign says and quotes."""

    arquivo: str | None = None
    evidencia: tuple[Evidencia, ...] = ()
    achado: str = ""


_DADOS: Final = msgspec.json.Decoder(Irregularidade)
_QUOTES: Final = msgspec.json.Decoder(Quotes)


async def replace(uow: UnitOfWork, execucao_id: UUID, irregularidades: Sequence[Irregularidade], digest: bytes | None) -> None:
    """What was found over the whole edital, in its order, and the digest of what it was found in; without one it is never found again.

    Signs that tell of a project which was erased while they were looked for are left out.
    """
    signs = list(enumerate(irregularidades))
    posses = await _held(uow, execucao_id, signs)  # first, as whoever erases holds projects before signs
    await uow.connection.exec_driver_sql(_CLEAR, (uow.scope.tenant_id, execucao_id))
    await _write(uow, execucao_id, signs, posses, _PUT)
    await execucoes.mark_irregularidades(uow, execucao_id, digest, reaproveitadas=False)


async def seal_again(uow: UnitOfWork, execucao_id: UUID, stored: Sequence[tuple[int, Irregularidade]]) -> None:
    """Seal signs that stand in the clear, each by its place in its execução; those that tell of an erased project are forgotten."""
    await _write(uow, execucao_id, stored, await _held(uow, execucao_id, stored), _SEAL)
    await uow.connection.exec_driver_sql(_FORGET, (uow.scope.tenant_id, execucao_id, [ordem for ordem, _ in stored]))


async def copy(uow: UnitOfWork, execucao_id: UUID, same: UUID, digest: bytes) -> None:
    """What another execução found, in the place of what this one had."""
    await uow.connection.exec_driver_sql(_CLEAR, (uow.scope.tenant_id, execucao_id))
    await uow.connection.exec_driver_sql(_COPY, (execucao_id, uow.scope.tenant_id, same))
    await execucoes.mark_irregularidades(uow, execucao_id, digest, reaproveitadas=True)


async def load(uow: UnitOfWork, execucao_id: UUID) -> tuple[Irregularidade, ...]:
    """What an execução found over the whole edital, in its order."""
    return tuple([one for _, one in await load_placed(uow, execucao_id)])


async def load_placed(uow: UnitOfWork, execucao_id: UUID) -> list[tuple[int, Irregularidade]]:
    """The same, each with its place."""
    rows = await uow.connection.exec_driver_sql(_ALL, (uow.scope.tenant_id, execucao_id))
    return await opened(uow, rows.all())


async def load_of(uow: UnitOfWork, execucao_id: UUID, codigo: str) -> tuple[Irregularidade, ...]:
    """Those of an execução that concern one project, in their order."""
    rows = await uow.connection.exec_driver_sql(_OF_PROJECT, (uow.scope.tenant_id, execucao_id, codigo))
    return tuple([one for _, one in await opened(uow, rows.all())])


async def opened(uow: UnitOfWork, rows: Sequence[Row[Any]]) -> list[tuple[int, Irregularidade]]:
    """The signs of rows with `COLUMNS`, each with its place; one that not all of its keys are left of is not there."""
    keys = await living(uow, (one for row in rows for one in row.chaves or ()))
    found = []
    for row in rows:
        sinal = _DADOS.decode(row.dados)
        if row.selado is not None:
            having = open_in(keys, row.chaves)
            if having is None:
                continue
            sinal = _whole(sinal, _QUOTES.decode(open_under_all(having, SINAL, bytes(row.selado))))
        found.append((row.ordem, sinal))
    return found


async def _held(uow: UnitOfWork, execucao_id: UUID, signs: Sequence[tuple[int, Irregularidade]]) -> Mapping[str, Posse]:
    edital_id = (await uow.connection.exec_driver_sql(_EDITAL, (uow.scope.tenant_id, execucao_id))).scalar_one()
    return await hold_all(uow, edital_id, (codigo for _, one in signs for codigo in _told_of(one)))


async def _write(
    uow: UnitOfWork, execucao_id: UUID, signs: Sequence[tuple[int, Irregularidade]], posses: Mapping[str, Posse], statement: str
) -> None:
    where = {"tenant": uow.scope.tenant_id, "execucao": execucao_id}
    rows = []
    for ordem, one in signs:
        told = [posses[codigo] for codigo in _told_of(one) if codigo in posses]
        if not any(posse.apagado for posse in told):
            rows.append({**where, "ordem": ordem, "tipo": one.tipo, **_columns(one, told)})
    if rows:
        await uow.connection.exec_driver_sql(statement, rows)


def _columns(sinal: Irregularidade, told: Sequence[Posse]) -> dict[str, Any]:
    """A sign as it is stored: in the clear where none of its projects is here, and while one of them has no key yet."""
    donas: Mapping[UUID, Chave] = {posse.dona.id: posse.dona.chave for posse in told if posse.dona is not None}
    ids = sorted(donas)
    if not ids or any(posse.dona is None for posse in told):
        return {"dados": to_json(sinal), "procura": fold(sinal.achado), "chaves": None if told else ids, "selado": None}
    quotes = msgspec.json.encode(Quotes(sinal.arquivo, sinal.evidencia, sinal.achado))
    return {
        "dados": to_json(_whole(sinal, Quotes())),
        "procura": "",
        "chaves": ids,
        "selado": seal_under_all([donas[one] for one in ids], SINAL, quotes),
    }


def _told_of(sinal: Irregularidade) -> Iterable[str]:
    """The projects that a sign concerns or quotes; those of a past edital as `edital/projeto`."""
    return dict.fromkeys((*sinal.projetos, *(one.projeto for one in sinal.evidencia if one.projeto is not None)))


def _whole(sinal: Irregularidade, quotes: Quotes) -> Irregularidade:
    return msgspec.structs.replace(sinal, arquivo=quotes.arquivo, evidencia=quotes.evidencia, achado=quotes.achado)
