"""What calls to models cost and how they went, out of the ledger: sums of days, what each was paid for, and the calls one by one.

Nothing that was asked or answered is read here: answers stay sealed, and their digests are told to nobody.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import reduce
from operator import add
from typing import Any, ClassVar, Final

from sqlalchemy import Row

from crivo.kernel.autorizar import asks
from crivo.kernel.clock import BRASILIA, Clock, today
from crivo.kernel.cotas import own_cotas
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.settings import SIMULADO
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

LONGEST_DIAS: Final = 366
_CENTURY: Final = range(2000, 2100)
RESPONDIDA: Final = "respondida"
PROVISORIA: Final = "provisoria"
_GOT: Final = f"('{RESPONDIDA}', '{PROVISORIA}')"
_SUMS: Final = f"""
    count(*) as chamadas, coalesce(sum(tokens_entrada), 0) as tokens_entrada, coalesce(sum(tokens_saida), 0) as tokens_saida,
    coalesce(sum(custo), 0) as custo, count(*) filter (where custo is null) as sem_preco,
    count(*) filter (where desfecho not in {_GOT}) as falharam, count(*) filter (where desfecho = '{PROVISORIA}') as provisorias,
    coalesce(sum(custo) filter (where desfecho <> '{RESPONDIDA}'), 0) as custo_perdido"""
_MODELO: Final = "coalesce(respondeu, modelo)"  # the one that answered, where a reserve did
_BY_ORIGEM: Final = """
    select origem, max(created_at) as ultima, count(*) over () as quantas, count(*) as chamadas, coalesce(sum(custo), 0) as custo,
        count(*) filter (where custo is null) as sem_preco"""
_CALLS: Final = (
    f"select created_at, {_MODELO} as modelo, agente, origem, prompt_versao, tokens_entrada, tokens_saida, custo, duracao_ms, desfecho"
)
_BY_KIND: Final = f"select {_MODELO} as modelo, agente, coalesce(desfecho, '') as desfecho, {_SUMS}"
_FROM: Final = "from modelo_chamadas where tenant_id = %(tenant)s"
# Day after day by the index: one grouping of all of a month's instants is sorted on disk.
_BY_DAY: Final = f"""
    select d.dia, g.* from unnest(%(dias)s::date[], %(inicios)s::timestamptz[], %(fins)s::timestamptz[]) as d (dia, inicio, fim)
    cross join lateral (
        select {_MODELO} as modelo, agente, {_SUMS} {_FROM} and created_at >= d.inicio and created_at < d.fim group by 1, 2
    ) g order by d.dia, g.modelo, g.agente"""  # noqa: S608 - constants alone
# Only what is asked for is in the question, so that each has the plan of the index that serves it.
_WHERE: Final[Mapping[str, str]] = {
    "desde": "created_at >= %(desde)s",
    "antes": "created_at < %(antes)s",
    "aplicacao": "split_part(agente, '.', 1) = %(aplicacao)s",
    "agente": "agente = %(agente)s",
    "modelo": f"{_MODELO} = %(modelo)s",
    "desfecho": "desfecho = %(desfecho)s",
    "origens": "origem = any(%(origens)s)",
}


class PeriodoInvalido(CrivoError):
    """Days that are no period of costs."""

    codigo: ClassVar[str] = "periodo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Confira o período"


@dataclass(frozen=True, slots=True)
class Periodo:
    """From a day to another, both whole, by the clock of Brasília.

    Raises PeriodoInvalido where it ends before it begins, is longer than `LONGEST_DIAS`, or is of another century.
    """

    de: date
    ate: date

    def __post_init__(self) -> None:
        if self.de.year not in _CENTURY or self.ate.year not in _CENTURY:
            raise PeriodoInvalido("O ano está longe demais. Confira as datas.")
        if self.ate < self.de:
            raise PeriodoInvalido("O período termina antes de começar. Troque as duas datas.")
        if self.dias > LONGEST_DIAS:
            raise PeriodoInvalido(f"O período passa de {LONGEST_DIAS} dias. Escolha um menor.")

    @property
    def dias(self) -> int:
        """How many days it has."""
        return (self.ate - self.de).days + 1

    @property
    def desde(self) -> datetime:
        """Its first instant."""
        return datetime.combine(self.de, time(), BRASILIA)

    @property
    def antes(self) -> datetime:
        """The first instant after it."""
        return datetime.combine(self.ate + timedelta(days=1), time(), BRASILIA)


@dataclass(frozen=True, slots=True)
class Soma:
    """What some calls took. Costs in dollars; of `sem_preco` calls nobody knows the price.

    `falharam` brought no answer, `provisorias` one that was served once and not kept; `custo_perdido` is what both cost.
    """

    chamadas: int = 0
    tokens_entrada: int = 0
    tokens_saida: int = 0
    custo: Decimal = Decimal(0)
    sem_preco: int = 0
    falharam: int = 0
    provisorias: int = 0
    custo_perdido: Decimal = Decimal(0)

    def __add__(self, other: Soma) -> Soma:
        return Soma(
            self.chamadas + other.chamadas,
            self.tokens_entrada + other.tokens_entrada,
            self.tokens_saida + other.tokens_saida,
            self.custo + other.custo,
            self.sem_preco + other.sem_preco,
            self.falharam + other.falharam,
            self.provisorias + other.provisorias,
            self.custo_perdido + other.custo_perdido,
        )


@dataclass(frozen=True, slots=True)
class Grupo:
    """The calls of one agent to one model on one day."""

    dia: date
    modelo: str
    agente: str
    soma: Soma

    @property
    def aplicacao(self) -> str:
        """Whose agent it is; empty where none was noted."""
        return self.agente.partition(".")[0]

    @property
    def simulado(self) -> bool:
        """Whether code played the model's part, and nothing was paid."""
        return self.modelo == SIMULADO


@dataclass(frozen=True, slots=True)
class Gastos:
    """The calls of a period; `limite` is what may be spent in a calendar month, None where nothing limits it."""

    periodo: Periodo
    grupos: tuple[Grupo, ...]
    limite: Decimal | None
    agora: datetime

    @property
    def mes_corrente(self) -> bool:
        """Whether the period is the month that is going on, so far."""
        hoje = self.agora.astimezone(BRASILIA).date()
        return self.periodo.de == hoje.replace(day=1) and self.periodo.ate >= hoje


@dataclass(frozen=True, slots=True)
class Recorte:
    """Which calls are asked for; what is empty leaves none out. `origens` None is of any, and an empty one of none."""

    periodo: Periodo | None = None
    aplicacao: str = ""
    agente: str = ""
    modelo: str = ""
    desfecho: str = ""
    origens: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Chamada:
    """A call as it went. `prompt_versao`, `duracao_ms` and `desfecho` are None where nobody noted them; `custo` where no price is known."""

    em: datetime
    modelo: str
    agente: str
    origem: str
    prompt_versao: str | None
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    duracao_ms: int | None
    desfecho: str | None


@dataclass(frozen=True, slots=True)
class DeOrigem:
    """What the calls for one thing cost in dollars, but for those whose price nobody knows, and when the last one was made."""

    origem: str
    ultima: datetime
    chamadas: int
    custo: Decimal
    sem_preco: int


@dataclass(frozen=True, slots=True)
class FolhaDeChamadas:
    """A page of calls, its number from 1, and what all those asked for come to.

    `agentes` and `modelos` are those of all calls of the same days and origens, whatever else was asked for: what a filter may choose from.
    """

    itens: tuple[Chamada, ...]
    pagina: int
    soma: Soma
    agentes: tuple[str, ...]
    modelos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FolhaDeOrigens:
    """A page of what calls were paid for, the dearest first, its number from 1, and how many there are."""

    itens: tuple[DeOrigem, ...]
    pagina: int
    total: int


class Custos:
    """What the calls of one's own organisation cost. `limite` is the installation's for each month, where an organisation has none."""

    def __init__(self, database: Database, clock: Clock, limite: Decimal | None) -> None:
        self._database = database
        self._clock = clock
        self._limite = limite

    @asks("custos.ver")
    async def gastos(self, scope: Scope, periodo: Periodo | None = None) -> Gastos:
        """The calls of a period, or of this month, by day, model and agent."""
        within = periodo or calendar_month(today(self._clock))
        async with self._database.unit_of_work(scope) as uow:
            rows = (await uow.connection.exec_driver_sql(_BY_DAY, {"tenant": uow.scope.tenant_id, **_days(within)})).all()
            limite = (await own_cotas(uow)).get("custo_mes", self._limite)
        grupos = tuple([Grupo(row.dia, row.modelo, row.agente, _soma(row)) for row in rows])
        return Gastos(within, grupos, limite, self._clock.now())

    @asks("custos.ver")
    async def origens(self, scope: Scope, recorte: Recorte, pagina: int, tamanho: int) -> FolhaDeOrigens:
        """What the calls asked for were paid for; a page beyond the last is the first."""
        ordered = "group by origem order by custo desc, chamadas desc, origem limit %(tamanho)s offset %(antes_dela)s"
        async with self._database.unit_of_work(scope) as uow:
            rows = await _asked(uow, _BY_ORIGEM, recorte, ordered, tamanho=tamanho, antes_dela=(pagina - 1) * tamanho)
            if not rows and pagina > 1:
                pagina, rows = 1, await _asked(uow, _BY_ORIGEM, recorte, ordered, tamanho=tamanho, antes_dela=0)
        itens = tuple([DeOrigem(row.origem, row.ultima, row.chamadas, Decimal(row.custo), row.sem_preco) for row in rows])
        return FolhaDeOrigens(itens, pagina, rows[0].quantas if rows else 0)

    @asks("custos.ver")
    async def chamadas(self, scope: Scope, recorte: Recorte, pagina: int, tamanho: int) -> FolhaDeChamadas:
        """The calls asked for, the newest first; the last page where there are fewer."""
        ordered = "order by created_at desc, origem, agente limit %(tamanho)s offset %(antes_dela)s"
        everything = Recorte(recorte.periodo, origens=recorte.origens)
        async with self._database.unit_of_work(scope) as uow:
            kinds = await _asked(uow, _BY_KIND, everything, "group by 1, 2, 3")
            soma = reduce(add, (_soma(one) for one in kinds if _is_wanted(one, recorte)), Soma())
            at = min(max(1, pagina), max(1, -(-soma.chamadas // tamanho)))
            rows = await _asked(uow, _CALLS, recorte, ordered, tamanho=tamanho, antes_dela=(at - 1) * tamanho) if soma.chamadas else ()
        agentes, modelos = sorted({one.agente for one in kinds}), sorted({one.modelo for one in kinds})
        return FolhaDeChamadas(tuple([_chamada(row) for row in rows]), at, soma, tuple(agentes), tuple(modelos))


def calendar_month(dia: date) -> Periodo:
    """The calendar month of a day, whole."""
    return Periodo(dia.replace(day=1), dia.replace(day=monthrange(dia.year, dia.month)[1]))


def read_periodo(mes: str, de: str, ate: str, hoje: date) -> Periodo:
    """A month as `2026-11`, or else from a day to another, either of which may be left out; this month where nothing is told.

    Raises PeriodoInvalido.
    """
    try:
        if mes:
            return calendar_month(date.fromisoformat(f"{mes}-01"))
        first, last = date.fromisoformat(de) if de else None, date.fromisoformat(ate) if ate else None
    except ValueError:
        raise PeriodoInvalido("A data não existe no calendário. Escreva o mês como 2026-11 e os dias como 2026-11-28.") from None
    if first is None and last is None:
        return calendar_month(hoje)
    return Periodo(first or (last or hoje).replace(day=1), last or max(hoje, first or hoje))


def total_of(grupos: Iterable[Grupo]) -> Soma:
    """What all of them come to."""
    return reduce(add, (one.soma for one in grupos), Soma())


def by(grupos: Iterable[Grupo], key: Callable[[Grupo], str]) -> dict[str, Soma]:
    """What they come to by a key of theirs, the dearest first, and of those that cost the same whoever was asked most."""
    found: dict[str, Soma] = {}
    for one in grupos:
        found[key(one)] = found.get(key(one), Soma()) + one.soma
    return dict(sorted(found.items(), key=lambda item: (-item[1].custo, -item[1].chamadas, item[0])))


def chosen(grupos: Iterable[Grupo], recorte: Recorte) -> tuple[Grupo, ...]:
    """Those of an application, an agent and a model."""
    return tuple(
        [
            one
            for one in grupos
            if recorte.aplicacao in ("", one.aplicacao) and recorte.agente in ("", one.agente) and recorte.modelo in ("", one.modelo)
        ]
    )


def projected(gastos: Gastos) -> Decimal | None:
    """What the month under way would cost in dollars if its days go on as those so far; None before a whole day, and of other periods."""
    if not gastos.mes_corrente:
        return None
    periodo = calendar_month(gastos.periodo.de)
    elapsed = (gastos.agora - periodo.desde) / timedelta(days=1)
    if elapsed < 1:
        return None
    return total_of(gastos.grupos).custo * periodo.dias / Decimal(elapsed)


def reaches_on(gastos: Gastos) -> date | None:
    """The day of this month on which its limit would be reached at this pace; None where it would not, or was already."""
    projeto = projected(gastos)
    if projeto is None or gastos.limite is None or projeto <= gastos.limite or total_of(gastos.grupos).custo >= gastos.limite:
        return None
    periodo = calendar_month(gastos.periodo.de)
    return periodo.de + timedelta(days=int(gastos.limite / projeto * periodo.dias))


def _days(periodo: Periodo) -> dict[str, list[Any]]:
    """Each day of a period, with its first instant and the first one after it."""
    days = [Periodo(one, one) for one in (periodo.de + timedelta(days=at) for at in range(periodo.dias))]
    return {"dias": [one.de for one in days], "inicios": [one.desde for one in days], "fins": [one.antes for one in days]}


def _is_wanted(kind: Row[Any], recorte: Recorte) -> bool:
    told = (
        (recorte.aplicacao, kind.agente.partition(".")[0]),
        (recorte.agente, kind.agente),
        (recorte.modelo, kind.modelo),
        (recorte.desfecho, kind.desfecho),
    )
    return all(wanted in ("", its) for wanted, its in told)


async def _asked(uow: UnitOfWork, select: str, recorte: Recorte, after: str = "", **more: int) -> Sequence[Row[Any]]:
    periodo = recorte.periodo
    values: dict[str, Any] = {
        "desde": periodo.desde if periodo else None,
        "antes": periodo.antes if periodo else None,
        "aplicacao": recorte.aplicacao or None,
        "agente": recorte.agente or None,
        "modelo": recorte.modelo or None,
        "desfecho": recorte.desfecho or None,
        "origens": None if recorte.origens is None else list(recorte.origens),
    }
    wanted = {name: value for name, value in values.items() if value is not None}
    asked = " and ".join([_FROM, *(_WHERE[name] for name in wanted)])
    return (await uow.connection.exec_driver_sql(f"{select} {asked} {after}", {"tenant": uow.scope.tenant_id, **wanted, **more})).all()


def _soma(row: Row[Any]) -> Soma:
    return Soma(
        row.chamadas,
        int(row.tokens_entrada),
        int(row.tokens_saida),
        Decimal(row.custo),
        row.sem_preco,
        row.falharam,
        row.provisorias,
        Decimal(row.custo_perdido),
    )


def _chamada(row: Row[Any]) -> Chamada:
    return Chamada(
        row.created_at,
        row.modelo,
        row.agente,
        row.origem,
        row.prompt_versao,
        row.tokens_entrada,
        row.tokens_saida,
        row.custo,
        row.duracao_ms,
        row.desfecho,
    )
