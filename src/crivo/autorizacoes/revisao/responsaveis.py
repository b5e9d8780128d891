"""Whose a decision is that waits: claimed, given to somebody, let go of, one or many at once, and undone as it was done.

An owner keeps it until they let go; the half hour of a claim is for whoever decides it now, and only its owner decides what has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final
from uuid import UUID

from crivo.autorizacoes.revisao.storage import responsaveis as storage
from crivo.kernel.access import asks, list_usuarios
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.autorizar import Acao, Algum, may
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope

NINGUEM: Final = ""
MOST_AT_ONCE: Final = 500


class SemDestinatario(CrivoError):
    """Whoever a decision would be given to does not review any."""

    codigo: ClassVar[str] = "pessoa_nao_reve"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Escolha quem recebe as decisões"


class LoteGrandeDemais(CrivoError):
    """More decisions at once than are shared out at once."""

    codigo: ClassVar[str] = "decisoes_demais_de_uma_vez"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "São decisões demais de uma vez"


@dataclass(frozen=True, slots=True)
class Partilha:
    """What became of decisions that somebody shared out at once: how many, and how many did not as they had changed or wait no more.

    `lote` undoes it.
    """

    lote: UUID
    feitas: int
    mudaram: int
    fora: int


class Responsaveis:
    """Use cases of owners. Each takes the decisions with the owner that was seen when it was asked (empty: nobody)."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("autorizacoes.revisar")
    async def quem_reve(self, scope: Scope) -> Mapping[str, str]:
        """Who decisions may be given to: the name of each, by how the register calls them."""
        async with self._database.unit_of_work(scope) as uow:
            return await who_may(uow, "autorizacoes.revisar")

    @asks("autorizacoes.revisar")
    async def assumir(self, scope: Scope, vistos: Mapping[UUID, str]) -> Partilha:
        """Make decisions one's own that are nobody's. Raises LoteGrandeDemais."""
        return await self._share(scope, dict.fromkeys(vistos, NINGUEM), scope.ator, "fila.assumida")

    @asks("autorizacoes.distribuir")
    async def dar(self, scope: Scope, vistos: Mapping[UUID, str], quem: str) -> Partilha:
        """Give decisions to somebody, whosever they are. Raises SemDestinatario, LoteGrandeDemais."""
        async with self._database.unit_of_work(scope) as uow:
            if quem not in await who_may(uow, "autorizacoes.revisar"):
                raise SemDestinatario("Esta pessoa não revê pedidos, ou não entra mais. Escolha outra da lista.")
        return await self._share(scope, vistos, quem, "fila.dada")

    @asks("autorizacoes.revisar")
    async def soltar(self, scope: Scope, vistos: Mapping[UUID, str]) -> Partilha:
        """Let go of decisions that are one's own. Raises LoteGrandeDemais."""
        return await self._share(scope, dict.fromkeys(vistos, scope.ator), NINGUEM, "fila.solta")

    @asks("autorizacoes.distribuir")
    async def soltar_de_outros(self, scope: Scope, vistos: Mapping[UUID, str]) -> Partilha:
        """Make decisions nobody's again, whosever they are. Raises LoteGrandeDemais."""
        return await self._share(scope, vistos, NINGUEM, "fila.solta")

    @asks("autorizacoes.revisar")
    async def desfazer(self, scope: Scope, lote: UUID, feitas: int = 0) -> Partilha:
        """Undo what one did oneself, as far as nothing else happened to it; done again, it does it again.

        Of the `feitas` that were done, those to which something else happened are told as `mudaram`.
        """
        now, novo = self._clock.now(), self._new_id()
        async with self._database.unit_of_work(scope) as uow:
            done = await storage.undo(uow, lote, novo, now)
            if done:
                dados = {
                    "lote": str(novo),
                    "desfaz": str(lote),
                    "quantas": len(done),
                    "decisoes": [str(one) for one in done],
                }
                await append(uow, now, [NewEntry(acao="fila.desfeita", alvo=f"fila:{lote}", dados=dados)])
        return Partilha(novo, len(done), max(0, feitas - len(done)), 0)

    async def _share(self, scope: Scope, vistos: Mapping[UUID, str], quem: str, acao: str) -> Partilha:
        if len(vistos) > MOST_AT_ONCE:
            raise LoteGrandeDemais(f"Escolha até {MOST_AT_ONCE} de uma vez. Use os filtros para separar uma parte.")
        now, lote, ids = self._clock.now(), self._new_id(), list(vistos)
        async with self._database.unit_of_work(scope) as uow:
            waiting = await storage.count_waiting(uow, ids)
            done = await storage.give(uow, vistos, quem, lote, now)
            if done:
                para = {"para": quem} if quem else {}
                await append(
                    uow,
                    now,
                    [
                        NewEntry(
                            acao=acao, alvo=f"fila:{lote}", dados={**para, "quantas": len(done), "decisoes": [str(one) for one in done]}
                        )
                    ],
                )
        return Partilha(lote, len(done), waiting - len(done), len(ids) - waiting)


async def who_may(uow: UnitOfWork, acao: Acao) -> dict[str, str]:
    """The name of everybody of the tenant who may do an act and enters still, by how the register calls them."""
    tenant_id, everybody = uow.scope.tenant_id, await list_usuarios(uow)
    found = [one for one in everybody if one.desativado_em is None and may(Pessoa(tenant_id, one.id, one.papel), acao, Algum(tenant_id))]
    return {one.ator: one.nome for one in found}
