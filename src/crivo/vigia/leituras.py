"""What each group asks: of the database, of the disk, of the clinics, of the audit's notes. Sums over all organisations, of nobody."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

from crivo.autorizacoes.entregas.storage import Paradas, stuck
from crivo.autorizacoes.revisao.calendarios import calendarios_of
from crivo.autorizacoes.revisao.fila import due
from crivo.autorizacoes.revisao.prazos import FAIXAS, Faixa, faixa_de
from crivo.autorizacoes.revisao.storage.fila import by_hour
from crivo.clinicas.recepcao import Espera
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.audit.anchors import read_heads
from crivo.kernel.cartas.storage import unsent
from crivo.kernel.clock import Clock, today
from crivo.kernel.copia.servico import copied_at
from crivo.kernel.jobs.situacao import SITUACOES, look
from crivo.kernel.llm.ledger import spent_since
from crivo.kernel.llm.orcamento import month_start
from crivo.kernel.medidas import Valor
from crivo.kernel.prazos import NACIONAL, Calendario
from crivo.kernel.storage.migrating import HEAD
from crivo.kernel.storage.patience import Patience
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import LOCAL_TENANT, Scope
from crivo.triagem.storage.vencimentos import diligencias_abertas, notas_a_enviar, recursos_abertos
from crivo.vigia import catalogo

PACIENCIA: Final = Patience(connection_seconds=2.0, first_word_seconds=2.0, statement_seconds=4.0)
_VIGIA: Final = Scope(LOCAL_TENANT, "vigia", CONSOLE)
_ORGANIZACOES: Final = "select id from organizacoes_da_instalacao()"
_SERVER: Final = """
    select pg_database_size(current_database()) as bytes, current_setting('max_connections')::int as limite,
        (select numbackends from pg_stat_database where datname = current_database()) as conexoes,
        (select version_num from alembic_version) as esquema"""
_SOON: Final = timedelta(days=2)
_LONG_PAST: Final = timedelta(days=30)  # what nobody answered for as long is given up, and no longer due

Situacao = Literal["vencido", "proximo", "em_dia"]
_SITUACOES: Final[tuple[Situacao, ...]] = ("vencido", "proximo", "em_dia")


def situacao_de(prazo: date, hoje: date) -> Situacao:
    """How a last day stands: past, within today and the two days after it, or later."""
    if prazo < hoje:
        return "vencido"
    return "proximo" if prazo <= hoje + _SOON else "em_dia"


@dataclass(frozen=True, slots=True)
class Banco:
    """Asks the database, as whoever looks after the installation: never a row that tells of somebody.

    One question at a time, over the one connection that it has: one that waits for another is not taken for a database that is away.
    """

    database: Database
    clock: Clock
    limite: Decimal | None
    calendario: Calendario = NACIONAL
    copiado_em: Callable[[UnitOfWork], Awaitable[datetime | None]] = copied_at
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def servidor(self) -> Sequence[Valor]:
        """The server's size and connections, and which schema it has."""
        async with self._asking(_VIGIA) as uow:
            row = (await uow.connection.exec_driver_sql(_SERVER)).one()
            feito = await self.copiado_em(uow)
        return (
            Valor(catalogo.BANCO_BYTES, row.bytes),
            Valor(catalogo.BANCO_CONEXOES, row.conexoes),
            Valor(catalogo.BANCO_CONEXOES_LIMITE, row.limite),
            Valor(catalogo.ESQUEMA, row.esquema == HEAD),
            Valor(catalogo.ESQUEMA_INFO, 1, (row.esquema, HEAD)),
            *([Valor(catalogo.BACKUP_IDADE, self._since(feito))] if feito is not None else ()),
        )

    async def fila(self) -> Sequence[Valor]:
        """The queue of jobs."""
        async with self._asking(_VIGIA) as uow:
            found = await look(uow)
        return (
            *(Valor(catalogo.FILA, found.trabalhos.get((fila, one), 0), (fila, one)) for fila in found.filas for one in SITUACOES),
            *(Valor(catalogo.FILA_IDADE, found.idades.get(fila, 0), (fila,)) for fila in found.filas),
            Valor(catalogo.FILA_PARADOS, found.parados),
            Valor(catalogo.TRABALHADORES, found.vivos),
        )

    async def pendencias(self) -> Sequence[Valor]:
        """What waits for somebody, and what models cost, over every organisation."""
        async with self._asking(_VIGIA) as uow:
            tenants = [row.id for row in await uow.connection.exec_driver_sql(_ORGANIZACOES)]
        total = Pendencias(self.calendario)
        for tenant_id in tenants:
            async with self._asking(replace(_VIGIA, tenant_id=tenant_id)) as uow:
                await total.add(uow, self.clock)
        return total.valores(self.clock.now(), self.limite)

    async def auditoria(self, anotadas: Callable[[], Mapping[str, datetime]], espera: Path) -> Sequence[Valor]:
        """The chains, and how long ago each end of one was noted. Raises what `anotadas` raises."""
        async with self._asking(_VIGIA) as uow:
            heads = {tenant_id: head.seq for tenant_id, head in (await read_heads(uow)).items() if head.seq > 0}
        noted, waiting = await asyncio.to_thread(lambda: (anotadas(), espera.stat().st_size if espera.exists() else 0))
        ages = [self._since(noted[one]) for one in heads if one in noted]
        return (
            Valor(catalogo.AUDITORIA, sum(heads.values())),
            Valor(catalogo.SEM_ANCORA, sum(one not in noted for one in heads)),
            Valor(catalogo.ATOS_EM_ESPERA, waiting),
            *([Valor(catalogo.ANCORA_IDADE, max(ages))] if ages else ()),
        )

    @asynccontextmanager
    async def _asking(self, scope: Scope) -> AsyncIterator[UnitOfWork]:
        async with self.turn, self.database.unit_of_work(scope) as uow:
            yield uow

    def _since(self, em: datetime) -> float:
        return max(0.0, (self.clock.now() - em).total_seconds())


class Pendencias:
    """What waits for somebody and what models cost, added up as one organisation after the other is asked."""

    def __init__(self, calendario: Calendario = NACIONAL) -> None:
        self._calendario = calendario
        self._prazos: Counter[tuple[str, Situacao]] = Counter()
        self._faixas: Counter[Faixa] = Counter()
        self._cartas: Counter[str] = Counter()
        self._recursos = 0
        self._entregas = Paradas(0, None, 0)
        self._carta: datetime | None = None
        self._recurso: datetime | None = None
        self._custos: list[Decimal] = []

    async def add(self, uow: UnitOfWork, clock: Clock) -> None:
        """What waits in the tenant of a unit of work."""
        hoje = today(clock)
        agora = clock.now()
        for prazo, quantas in due(await by_hour(uow), await calendarios_of(uow, self._calendario)):
            self._faixas[faixa_de(prazo, agora)] += quantas
            if prazo is not None:
                self._prazos["autorizacoes", situacao_de(prazo.ate.date(), hoje)] += quantas
        for tipo, dias in (("diligencias", await diligencias_abertas(uow)), ("avaliacoes", await notas_a_enviar(uow))):
            for dia, quantas in dias.items():
                if dia >= hoje - _LONG_PAST:
                    self._prazos[tipo, situacao_de(dia, hoje)] += quantas
        for situacao, (quantas, desde) in (await unsent(uow)).items():
            self._cartas[situacao] += quantas
            self._carta = _earlier(self._carta, desde if situacao != "falhou" else None)
        paradas = await stuck(uow)
        self._entregas = Paradas(
            self._entregas.esperam + paradas.esperam,
            _earlier(self._entregas.desde, paradas.desde),
            self._entregas.desligados + paradas.desligados,
        )
        recursos, first = await recursos_abertos(uow)
        self._recursos += recursos
        self._recurso = _earlier(self._recurso, first)
        self._custos.append((await spent_since(uow, month_start(clock))).custo)

    def valores(self, now: datetime, limite: Decimal | None) -> Sequence[Valor]:
        """The sums; what there is none of is told as 0."""
        tipos = ("autorizacoes", "diligencias", "avaliacoes")
        spent = max(self._custos, default=Decimal(0))
        bounded = () if limite is None else (Valor(catalogo.MODELO_LIMITE, float(limite)),)
        used = () if not limite else (Valor(catalogo.MODELO_USADO, float(spent / limite)),)
        return (
            *(Valor(catalogo.PRAZOS, self._prazos[tipo, one], (tipo, one)) for tipo in tipos for one in _SITUACOES),
            *(Valor(catalogo.ABERTAS, self._faixas[one], (one,)) for one in FAIXAS),
            Valor(catalogo.RECURSOS, self._recursos),
            Valor(catalogo.RECURSO_IDADE, _age(self._recurso, now)),
            *(Valor(catalogo.CARTAS, self._cartas[one], (one,)) for one in ("na_fila", "enviando", "falhou")),
            Valor(catalogo.CARTA_IDADE, _age(self._carta, now)),
            Valor(catalogo.ENTREGAS, self._entregas.esperam),
            Valor(catalogo.ENTREGA_IDADE, _age(self._entregas.desde, now)),
            Valor(catalogo.ENTREGAS_DESLIGADAS, self._entregas.desligados),
            Valor(catalogo.MODELO_MES, float(sum(self._custos))),
            *bounded,
            *used,
        )


def pool(database: Database) -> Sequence[Valor]:
    """How full this process's pool is."""
    found = database.lotacao
    return (
        Valor(catalogo.POOL_TAMANHO, found.tamanho),
        Valor(catalogo.POOL_EM_USO, found.em_uso),
        Valor(catalogo.POOL_ESPERANDO, found.esperando),
    )


def disco(folder: Path) -> Sequence[Valor]:
    """Room on the disk that a folder is on, or will be. Raises OSError."""
    usage = shutil.disk_usage(next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists()))
    return Valor(catalogo.DISCO_LIVRE, usage.free), Valor(catalogo.DISCO_BYTES, usage.total)


async def clinicas(situacao: Callable[[], Awaitable[Sequence[SituacaoDaClinica]]], here: Callable[[str], bool]) -> Sequence[Valor]:
    """Which clinics answer, of those that this installation has anything to do with."""
    found = [one for one in await situacao() if here(one.clinica.id)]
    return (
        *(Valor(catalogo.CLINICA, one.responde, (one.clinica.id,)) for one in found),
        *(Valor(catalogo.CLINICA_SEGUNDOS, one.ms / 1000, (one.clinica.id,)) for one in found),
    )


def recepcao(esperas: Sequence[tuple[Espera, float]]) -> Sequence[Valor]:
    """Who waits for a person and has none, with the seconds that each has waited."""
    waits: dict[str, list[float]] = {"sim": [], "nao": []}
    for espera, segundos in esperas:
        if espera.atendente is None:
            waits["sim" if espera.urgente else "nao"].append(segundos)
    return (
        *(Valor(catalogo.RECEPCAO, len(found), (urgente,)) for urgente, found in waits.items()),
        *(Valor(catalogo.RECEPCAO_ESPERA, max(found, default=0), (urgente,)) for urgente, found in waits.items()),
    )


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((at for at in (one, other) if at is not None), default=None)


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
