"""How far an execução has come: its phases, its counts, and the time that it may still take."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Literal
from uuid import UUID

from crivo.kernel.llm.ledger import Gasto
from crivo.triagem.achados import Status, Tipo
from crivo.triagem.edital import Fase, Value
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.resultados import Contagem

FaseExecucao = Literal["leitura", "habilitacao", "avaliacao", "irregularidades"]

_FASES: Final[Mapping[Tipo, tuple[FaseExecucao, ...]]] = {
    "habilitacao": ("leitura", "habilitacao"),
    "avaliacao": ("leitura", "avaliacao"),
    "irregularidades": ("leitura", "irregularidades"),
    "completa": ("leitura", "habilitacao", "avaliacao", "irregularidades"),
}


_ANSWERED_WITHIN: Final = timedelta(hours=24)  # Source: OpenAI, Batch API


class FaseAndamento(Value, frozen=True):
    """A phase, and how many of its `total` projects are through it."""

    fase: FaseExecucao
    feitos: int
    total: int


class NoLote(Value, frozen=True):
    """What an execução asks in lotes: of `perguntas` sent, `respondidas` are by the provider's word, and of `recolhidas` the answers are
    here; `abertos` of `lotes` have not ended. `enviado_em` is when the first one left."""

    lotes: int
    abertos: int
    perguntas: int
    respondidas: int
    recolhidas: int
    enviado_em: datetime | None

    @property
    def ate(self) -> datetime | None:
        """When the provider answers at the latest."""
        return None if self.enviado_em is None else self.enviado_em + _ANSWERED_WITHIN


class Execucao(Value, frozen=True, kw_only=True):
    """An execução as people see it. `fase` is the first one that is not over, None once all are.

    `custo` in dollars, exact so far but for the `chamadas_sem_preco`, whose price is not known. `segundos_restantes` at the pace
    so far, None where there is no telling. `reaproveitados` are projects that came out of an earlier execução because nothing of
    theirs had changed. `notas_sem_resposta` are critérios for which the model gave no answer, or none that may stay, and
    `habilitacoes_incompletas` projects of whose documents it did not tell: both may be asked again. `lote` is what it asks in lotes.
    """

    id: UUID
    edital_id: str
    tipo: Tipo
    status: Status
    fase: FaseExecucao | None
    fases: tuple[FaseAndamento, ...]
    total_projetos: int
    projetos_analisados: int
    projetos_com_erro: int
    reaproveitados: int
    irregularidades_reaproveitadas: bool
    custo: Decimal
    chamadas_sem_preco: int
    notas_sem_resposta: int
    habilitacoes_incompletas: int = 0
    lote: NoLote | None = None
    segundos_restantes: float | None
    erro_mensagem: str | None
    iniciada_por: str
    executado_por: UUID | None
    created_at: datetime
    concluida_em: datetime | None

    @property
    def pode_retomar(self) -> bool:
        """Whether there is anything of it to go on with, or to ask again."""
        return self.status in ("cancelada", "erro") or (self.status == "concluida" and self.sem_resposta > 0)

    @property
    def sem_resposta(self) -> int:
        """How many critérios and habilitações have no good answer of the model."""
        return self.notas_sem_resposta + self.habilitacoes_incompletas


def fases_of(tipo: Tipo, ordem: tuple[Fase, ...] = ("habilitacao", "avaliacao")) -> tuple[FaseExecucao, ...]:
    """The phases of a kind of execução, merit before or after habilitação as the edital orders them."""
    fases = _FASES[tipo]
    if tipo == "completa" and ordem and ordem[0] == "avaliacao":
        return ("leitura", "avaliacao", "habilitacao", "irregularidades")
    return fases


def andamento(
    registro: Registro,
    contagem: Contagem,
    ordem: tuple[Fase, ...],
    gasto: Gasto,
    notas_sem_resposta: int,
    now: datetime,
    lote: NoLote | None = None,
) -> Execucao:
    """How an execução stands at an instant."""
    total = registro.total_projetos
    finished = registro.status == "concluida"
    done = {"leitura": contagem.lidos, "habilitacao": contagem.habilitados, "irregularidades": total if finished else 0}
    fases = tuple(FaseAndamento(fase, done.get(fase, contagem.analisados), total) for fase in fases_of(registro.tipo, ordem))
    current = None if registro.status != "em_andamento" else next((one.fase for one in fases if one.feitos < one.total), fases[-1].fase)
    return Execucao(
        id=registro.id,
        edital_id=registro.edital,
        tipo=registro.tipo,
        status=registro.status,
        fase=current,
        fases=fases,
        total_projetos=total,
        projetos_analisados=contagem.analisados,
        projetos_com_erro=contagem.com_erro,
        reaproveitados=contagem.reaproveitados,
        irregularidades_reaproveitadas=registro.irregularidades_reaproveitadas,
        custo=gasto.custo,
        chamadas_sem_preco=gasto.sem_preco,
        notas_sem_resposta=notas_sem_resposta,
        habilitacoes_incompletas=contagem.habilitacoes_incompletas,
        lote=lote,
        segundos_restantes=None if lote is not None and lote.abertos else _time_left(registro, contagem, now),
        erro_mensagem=registro.erro_mensagem,
        iniciada_por=registro.iniciada_por,
        executado_por=registro.executado_por,
        created_at=registro.created_at,
        concluida_em=registro.concluida_em,
    )


def _time_left(registro: Registro, contagem: Contagem, now: datetime) -> float | None:
    if registro.status != "em_andamento":
        return None
    elapsed = (now - (registro.retomada_em or registro.created_at)).total_seconds()
    done = contagem.analisados - registro.analisados_antes
    if done <= 0 or elapsed <= 0:  # not begun, or under a clock that stands still
        return None
    return elapsed / done * (registro.total_projetos - contagem.analisados)
