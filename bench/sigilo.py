"""What keeping personal data under keys costs a stored decision: the same pedidos, decided and stored, sealed and in the clear."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

from bench.instalacao import ESCOPO, Instalacao
from bench.linhas import Linha, Meta, measured
from bench.medida import best_of
from bench.pedidos import Carga
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo import Aplicacao, Chave, Cofre, Identidade
from crivo.kernel.sigilo.cofre import Nova
from crivo.kernel.sigilo.destruidas import Destruidas
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.session import Database, UnitOfWork

META = Meta("<=", 1.05)
AO_MESMO_TEMPO = 64


class _Claro(Chave):
    """A key that seals nothing."""

    def seal(self, nome: str, plain: bytes) -> bytes:
        """The value as it is."""
        return plain


class _SemChaves(Cofre):
    """As the program was before there were keys."""

    def new(self, tenant_id: str, registro: UUID, identidade: Identidade, em: datetime) -> Nova:
        """A key that seals nothing."""
        return Nova(registro, _CLARO, b"", identidade, em)

    async def keep(self, uow: UnitOfWork, aplicacao: Aplicacao, novas: Sequence[Nova]) -> None:
        """Nothing to keep."""


_CLARO = _Claro.of(bytes(32), "")


def run(instalacao: Instalacao, carga: Carga, rodadas: int) -> list[Linha]:
    """Seconds to decide and store all pedidos, by turns; each by its best turn, as both wait for the same disk."""
    with asyncio.Runner() as runner:
        embedded = EmbeddedPostgres(instalacao.pasta)
        embedded.start()
        try:
            sealed, clear = (
                _store(embedded.runtime_url, kind(bytes(range(32)), Destruidas(Path(instalacao.pasta)))) for kind in (Cofre, _SemChaves)
            )
            works = [lambda one=one: runner.run(_all(one, carga.pedidos)) for one in (sealed, clear)]
            nosso, par = best_of(rodadas, *works)
            for _, database in (sealed, clear):
                runner.run(database.close())
        finally:
            embedded.release()
    many = len(carga.pedidos)
    nota = f"{many} decisões guardadas com trilha, {AO_MESMO_TEMPO} ao mesmo tempo, num processo; a melhor rodada de cada."
    return [
        measured(
            "uma decisão guardada × a mesma em claro", "µs", 1e6 * nosso / many, 1e6 * par / many, meta=META, execucoes=rodadas, nota=nota
        )
    ]


def _store(url: str, cofre: Cofre) -> tuple[Autorizacoes, Database]:
    database, clock = Database(url, cofre=cofre), SystemClock()
    return Autorizacoes(database, Vigentes(), clock, Uuid7(clock).new), database


async def _all(store: tuple[Autorizacoes, Database], pedidos: Sequence[bytes]) -> None:
    left = iter(pedidos)

    async def work() -> None:
        for pedido in left:
            await store[0].decidir(ESCOPO, pedido)

    await asyncio.gather(*(work() for _ in range(AO_MESMO_TEMPO)))
