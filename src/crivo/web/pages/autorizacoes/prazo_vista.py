"""A deadline as pages show it: how much time there is in words, how pressing it is, and by which norm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from starlette.requests import Request

from crivo.autorizacoes.fichas import tipo_de
from crivo.autorizacoes.guardadas import Autorizacao, Resumo
from crivo.autorizacoes.palavras import count
from crivo.autorizacoes.revisao import Faixa, Prazo
from crivo.autorizacoes.revisao.prazos import TIPOS, faixa_de
from crivo.web.pages.autorizacoes.etapas import read_trilha
from crivo.web.state import scope_of, state_of

FAIXAS_EM_PALAVRAS: Final[Mapping[Faixa, str]] = {
    "vencido": "fora do prazo",
    "hoje": "vencem hoje",
    "amanha": "vencem amanhã",
    "ate_5_dias": "vencem em até 5 dias",
    "depois": "vencem depois",
    "sem_prazo": "sem prazo calculado",
}
_TONS: Final[Mapping[Faixa, str]] = {"vencido": "negado", "hoje": "pendente", "sem_prazo": "negado"}
_SOON_HOURS: Final = 48


@dataclass(frozen=True, slots=True)
class PrazoVista:
    """A deadline in words; `gasto` is the part of it that is gone, in hundredths, `detalhe` what is left in hours where it is near."""

    palavras: str
    detalhe: str
    iso: str
    tom: str
    gasto: int
    ate: datetime | None
    fundamento: str

    @classmethod
    def of(cls, prazo: Prazo | None, agora: datetime, tipo: str | None = None) -> PrazoVista:
        """The deadline as it stands now."""
        faixa = faixa_de(prazo, agora)
        if prazo is None:
            return cls(
                "sem prazo: faltam os feriados do ano", "", "", _TONS[faixa], 0, None, "Confira a data em que o pedido foi recebido."
            )
        hoje = agora.astimezone(prazo.ate.tzinfo).date()
        at_once = prazo.imediato and faixa == "hoje"
        return cls(
            "responder já" if at_once else deadline(prazo.ate.date(), hoje),
            "" if at_once else _left(prazo, agora),
            prazo.ate.date().isoformat(),
            _TONS.get(faixa, "neutro"),
            round(100 * prazo.gasto(agora)),
            prazo.ate,
            founded(prazo, tipo),
        )


async def prazo_vista_of(request: Request, autorizacao: Autorizacao) -> PrazoVista | None:
    """The deadline of a decision that waits for a person; None of one that does not."""
    container = state_of(request).container
    its = autorizacao
    resumo = Resumo(its.id, its.pedido_id, its.administradora_id, its.decisao_final, its.recebida_em)
    prazos = await container.revisoes.prazos(scope_of(request), [resumo])
    if its.id not in prazos:
        return None
    return PrazoVista.of(prazos[its.id], container.clock.now(), tipo_de(read_trilha(its.trilha)))


def deadline(prazo: date, hoje: date) -> str:
    """How a deadline is told: 'vence hoje', 'vence em 3 dias, 25/11', 'passou do prazo há 2 dias'."""
    left = (prazo - hoje).days
    if left < 0:
        return f"passou do prazo há {count(-left, 'dia', 'dias')}"
    if left == 0:
        return "vence hoje"
    return f"vence amanhã, {prazo:%d/%m}" if left == 1 else f"vence em {left} dias, {prazo:%d/%m}"


def founded(prazo: Prazo, tipo: str | None) -> str:
    """Why it is that long, and where the norm says so."""
    if prazo.imediato:
        return prazo.fundamento
    kind = TIPOS.get(tipo or "", "")
    why = f" ({kind})" if kind else " (o tipo de atendimento não foi dito, e vale o prazo comum)"
    return f"{count(prazo.dias_uteis, 'dia útil', 'dias úteis')} depois do recebimento{why}. {prazo.fundamento}."


def _left(prazo: Prazo, agora: datetime) -> str:
    hours = prazo.horas(agora)
    if not 0 <= hours < _SOON_HOURS:
        return ""
    if not hours:
        return "resta menos de 1 hora"
    return f"resta{'' if hours == 1 else 'm'} {count(hours, 'hora', 'horas')}"
