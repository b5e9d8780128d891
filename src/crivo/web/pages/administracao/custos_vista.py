"""What models cost as pages show it: a picture of days, tables by what it was spent on, and calls one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from crivo.kernel.llm.custos import Chamada, Gastos, Grupo, Periodo, Soma, by, projected, reaches_on, total_of
from crivo.kernel.settings import SIMULADO
from crivo.triagem.palavras import count, number
from crivo.web.pages.administracao.custos_palavras import APLICACOES, OrigemVista, agente_dito, aplicacao_dita, desfecho_dito
from crivo.web.pages.formatos import dia, dolares, numero

CHAMADAS_DE: Final = "/admin/execucoes/chamadas?q={}"  # the calls for one thing, by what the ledger calls it
LARGURA: Final = 1000
ALTURA: Final = 180
_MOST_BARS: Final = 62  # a longer period has a bar for each month
_BAR: Final = 0.72  # of the room that each has
_LEAST: Final = 1.5  # the height of the smallest part that is something
_SHORTEST_MS: Final = 100
_OTHERS: Final = "outra"
_NOTHING: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Barra:
    """A day or a month of the picture: where it stands, its parts from below as (style, y, height), and what it says."""

    x: float
    largura: float
    partes: tuple[tuple[str, float, float], ...]
    dito: str


@dataclass(frozen=True, slots=True)
class Figura:
    """The picture of a period: its bars, what all of it says, its highest value, and the days under its two ends."""

    barras: tuple[Barra, ...]
    dito: str
    topo: str
    primeira: str
    ultima: str
    legenda: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SomaVista:
    """What some calls took, in words; `nome` is what they have in common, `query` the address of the page of just those.

    `por_nada` are those that brought nothing to keep, and `por_nada_custo` what was paid for them.
    """

    nome: str
    query: str
    chamadas: str
    entrada: str
    saida: str
    custo: str
    sem_preco: str
    por_nada: str
    por_nada_custo: str
    sub: str = ""
    simulado: bool = False

    @classmethod
    def of(cls, nome: str, soma: Soma, query: str = "", sub: str = "", *, simulado: bool = False) -> SomaVista:
        """A line of a table."""
        return cls(
            nome,
            query,
            number(soma.chamadas),
            number(soma.tokens_entrada),
            number(soma.tokens_saida),
            "sem preço conhecido" if soma.sem_preco and not soma.custo else cost_said(soma.custo, 0),
            f"e {number(soma.sem_preco)} sem preço conhecido" if soma.sem_preco and soma.custo else "",
            lost_said(soma),
            cost_said(soma.custo_perdido, 0) if soma.custo_perdido else "",
            sub,
            simulado,
        )


@dataclass(frozen=True, slots=True)
class LimiteVisto:
    """How far this month went of what it may cost: a share from 0 to 1 where there is a limit, and sentences."""

    parte: float | None
    dito: str
    projecao: str


@dataclass(frozen=True, slots=True)
class ChamadaVista:
    """A call as a line."""

    em: datetime
    agente: str
    modelo: str
    simulado: bool
    prompt: str
    tokens: str
    custo: str
    duracao: str
    desfecho: tuple[str, str]
    origem: OrigemVista

    @classmethod
    def of(cls, one: Chamada, origem: OrigemVista) -> ChamadaVista:
        """The line of a call."""
        return cls(
            em=one.em,
            agente=agente_dito(one.agente),
            modelo=one.modelo,
            simulado=one.modelo == SIMULADO,
            prompt=f"prompt versão {one.prompt_versao}" if one.prompt_versao else "",
            tokens=f"{number(one.tokens_entrada)} lidos, {number(one.tokens_saida)} escritos",
            custo=call_cost(one.custo),
            duracao=_duration(one.duracao_ms),
            desfecho=desfecho_dito(one.desfecho),
            origem=origem,
        )


def cost_said(custo: Decimal, sem_preco: int) -> str:
    """Money as it is read: cents, or four places where it is less than a dollar; and the calls whose price nobody knows."""
    said = "nada" if not custo else dolares(custo, 2 if custo >= 1 else 4)
    unknown = count(sem_preco, "chamada sem preço conhecido", "chamadas sem preço conhecido") if sem_preco else ""
    return f"{said} e {unknown}" if custo and unknown else unknown or said


def _duration(ms: int | None) -> str:
    if ms is None:
        return "não se sabe"
    return f"{numero(round(ms / 1000, 1), 1)} s" if ms >= _SHORTEST_MS else "menos de 0,1 s"


def call_cost(custo: Decimal | None) -> str:
    """What one call cost, in words."""
    if custo is None:
        return "sem preço conhecido"
    return dolares(custo, 4) if custo else "nada"


def lost_said(soma: Soma) -> str:
    """The calls that brought nothing to keep."""
    parts = [
        count(soma.falharam, "falhou", "falharam") if soma.falharam else "",
        count(soma.provisorias, "servida uma vez", "servidas uma vez") if soma.provisorias else "",
    ]
    return ", ".join(filter(None, parts)) or "nenhuma"


def shown_of(grupos: Sequence[Grupo]) -> tuple[tuple[Grupo, ...], Soma]:
    """The calls to models that are paid, and what the simulated one did beside them; the simulated ones alone where there are no others."""
    real = tuple([one for one in grupos if not one.simulado])
    return (real, total_of([one for one in grupos if one.simulado])) if real else (tuple(grupos), Soma())


def draw(grupos: Iterable[Grupo], periodo: Periodo) -> Figura | None:
    """The picture of a period, in dollars by application; in calls where nothing has a cost. None where there is nothing to draw."""
    grupos = tuple(grupos)
    total = total_of(grupos)
    if not total.chamadas:
        return None
    of_money = bool(total.custo)
    by_month = periodo.dias > _MOST_BARS
    slots = _slots(periodo, by_month=by_month)
    values: dict[date, dict[str, Decimal]] = {one: {} for one in slots}
    for one in grupos:
        its = values[one.dia.replace(day=1) if by_month else one.dia]
        style = one.aplicacao if one.aplicacao in APLICACOES and one.aplicacao else _OTHERS
        its[style] = its.get(style, _NOTHING) + (one.soma.custo if of_money else Decimal(one.soma.chamadas))
    peak = max(values, key=lambda slot: sum(values[slot].values(), _NOTHING))
    top = sum(values[peak].values(), _NOTHING)

    def said(value: Decimal) -> str:
        return cost_said(value, 0) if of_money else count(int(value), "chamada", "chamadas")

    room = LARGURA / len(slots)
    barras = tuple(
        [_bar(values[slot], at * room, room, top, f"{_slot_said(slot, by_month=by_month)}: ", said) for at, slot in enumerate(slots)]
    )
    what = "Custo" if of_money else "Chamadas"
    each = "mês" if by_month else "dia"
    whole = said(total.custo if of_money else Decimal(total.chamadas))
    used = [style for style in (*APLICACOES, _OTHERS) if any(style in its for its in values.values())]
    return Figura(
        barras,
        f"{what} por {each}, de {dia(periodo.de)} a {dia(periodo.ate)}: {whole} ao todo; o {each} de mais foi "
        f"{_slot_said(peak, by_month=by_month)}, com {said(top)}.",
        said(top),
        _slot_said(slots[0], by_month=by_month),
        _slot_said(slots[-1], by_month=by_month),
        tuple([(style, aplicacao_dita("" if style == _OTHERS else style)) for style in used]),
    )


def limit_of(gastos: Gastos, grupos: Sequence[Grupo]) -> LimiteVisto | None:
    """How this month goes; None of another period, and where nothing is spent nor limited."""
    spent = total_of(grupos).custo
    if not gastos.mes_corrente or not (spent or gastos.limite):
        return None
    projeto, on = projected(gastos), reaches_on(gastos)
    said = f"No ritmo de até agora, o mês terminaria em cerca de {dolares(projeto)} (projeção)." if projeto else ""
    if on is not None:
        said += f" O limite seria atingido por volta de {dia(on)}."
    if gastos.limite is None:
        return LimiteVisto(None, "O gasto do mês não tem limite.", said)
    parte = min(1.0, float(spent / gastos.limite)) if gastos.limite else 1.0
    dito = f"{cost_said(spent, 0).capitalize() if not spent else dolares(spent)} de {dolares(gastos.limite)} do mês"
    if spent >= gastos.limite:
        said = "O limite do mês foi atingido: perguntas novas não são feitas, e o código faz a sua parte."
    return LimiteVisto(parte, dito, said)


def table_of(
    grupos: Sequence[Grupo], key: Callable[[Grupo], str], say: Callable[[str], str], query: Callable[[str], str], *, cru: bool = False
) -> list[SomaVista]:
    """A table of what was spent by a key; `cru` shows the key itself under its words."""
    return [
        SomaVista.of(say(one), soma, query(one), one if cru and one and say(one) != one else "", simulado=one == SIMULADO)
        for one, soma in by(grupos, key).items()
    ]


def days_of(grupos: Sequence[Grupo], query: Callable[[str], str]) -> list[SomaVista]:
    """A table of days, the newest first."""
    found: Mapping[str, Soma] = by(grupos, lambda one: one.dia.isoformat())
    return [SomaVista.of(dia(date.fromisoformat(one)), found[one], query(one)) for one in sorted(found, reverse=True)]


def _slots(periodo: Periodo, *, by_month: bool) -> list[date]:
    days = [periodo.de + timedelta(days=at) for at in range(periodo.dias)]
    return list(dict.fromkeys(one.replace(day=1) for one in days)) if by_month else days


def _slot_said(slot: date, *, by_month: bool) -> str:
    return f"{slot:%m/%Y}" if by_month else dia(slot)


def _bar(its: Mapping[str, Decimal], x: float, room: float, top: Decimal, named: str, said: Callable[[Decimal], str]) -> Barra:
    partes: list[tuple[str, float, float]] = []
    y = float(ALTURA)
    for style in (*APLICACOES, _OTHERS):
        value = its.get(style, _NOTHING)
        if value and top:
            height = max(float(value / top) * ALTURA, _LEAST)
            y = max(0.0, y - height)
            partes.append((style, round(y, 1), round(height, 1)))
    gap = room * (1 - _BAR) / 2
    return Barra(round(x + gap, 1), round(room * _BAR, 1), tuple(partes), named + said(sum(its.values(), _NOTHING)))
