"""Cases of the version that a draft succeeds: they run on it too, brought to its days, until it is published and has them as its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.casos import guardados
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.catalogo import versao_ordem
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.kernel.storage.session import UnitOfWork

_DAYS: Final = ("data_pedido", "data_prevista")


@dataclass(frozen=True, slots=True)
class Herdados:
    """The cases that a draft has from an earlier version, those that it has under the same name left out; `de` is that version."""

    casos: tuple[Caso, ...] = ()
    de: PoliticaGuardada | None = None


def follow(caso: Caso, antes: PoliticaGuardada, nova: PoliticaGuardada) -> Caso:
    """The case of a version on the first day of the next one, its dates as far apart as they were, where its own day is none of that one's.

    One that came on no day of the version it is from, or that is decided among all that is published, stays on its own day.
    """
    asked = _day(caso.pedido.get("data_pedido"))
    if caso.com_publicadas or asked is None or not _holds(antes, asked) or _holds(nova, asked):
        return caso
    days = nova.vigencia_inicio - asked
    pedido = caso.pedido | {nome: _moved(caso.pedido[nome], days) for nome in _DAYS if nome in caso.pedido}
    if isinstance(caso.pedido.get("historico"), list):
        usos = caso.pedido["historico"]
        pedido["historico"] = [
            uso | {"data": _moved(uso["data"], days)} if isinstance(uso, dict) and "data" in uso else uso for uso in usos
        ]
    return replace(caso, pedido=pedido, recebido_em=None if caso.recebido_em is None else _moved(caso.recebido_em, days))


async def list_herdados(uow: UnitOfWork, guardada: PoliticaGuardada, own: Sequence[Caso]) -> Herdados:
    """The cases of the nearest earlier published version of the document that has any; none for what is no draft."""
    if guardada.status != "rascunho":
        return Herdados()
    for antes in _earlier(guardada, await storage.list_all(uow)):
        casos = await guardados.list_casos(uow, antes.id)
        if casos:
            names = {caso.nome for caso in own}
            return Herdados(tuple([follow(caso, antes, guardada) for caso in casos if caso.nome not in names]), antes)
    return Herdados()


def _earlier(guardada: PoliticaGuardada, todas: Sequence[PoliticaGuardada]) -> list[PoliticaGuardada]:
    """The published versions of the same document that come before, the latest first."""
    documento = fold_id(guardada.administradora_id), fold_id(guardada.documento)
    mine = guardada.vigencia_inicio, versao_ordem(guardada.versao)
    found = [
        uma
        for uma in todas
        if uma.status == "publicada"
        and (fold_id(uma.administradora_id), fold_id(uma.documento)) == documento
        and (uma.vigencia_inicio, versao_ordem(uma.versao)) < mine
    ]
    return sorted(found, key=lambda uma: (uma.vigencia_inicio, versao_ordem(uma.versao)), reverse=True)


def _holds(politica: PoliticaGuardada, day: date) -> bool:
    return politica.vigencia_inicio <= day and (politica.vigencia_fim is None or day <= politica.vigencia_fim)


def _moved(value: Any, days: timedelta) -> Any:
    day = _day(value)
    try:
        return value if day is None else (day + days).isoformat()
    except OverflowError:
        return value


def _day(value: Any) -> date | None:
    """The date of an ISO day; None for anything else, which is left as it stands."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
