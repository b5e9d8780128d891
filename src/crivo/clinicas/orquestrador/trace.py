"""What a turn did, as it happens and once it is done: the plan, each call, the verdicts, the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import ClinicReply, Plan, Verdict
from crivo.kernel.llm.port import Falha
from crivo.kernel.settings import Planejador

Achado = Literal[
    "clinica_desconhecida",
    "acao_desconhecida",
    "parametro_indevido",
    "clinica_acrescentada",
    "passo_repetido",
    "json_ilegivel",
    "medico_desconhecido",
    "consulta_de_paciente_indevida",
    "passo_demais",
    "escrita_sem_base",
    "plano_vazio",
    "pedido_sem_plano",
    "data_invalida",
    "resposta_provisoria",
]


class Report(msgspec.Struct, frozen=True):
    """What the check found and mended: which step, and of which clinic or action."""

    achado: Achado
    step_id: int = 0
    valor: str = ""


Purpose = Literal["passo", "prova", "desfazer", "diretorio", "consultas"]
Outcome = Literal["respondeu", "recusou", "fora_do_ar", "erro"]
Moment = Literal["dados", "texto"]
Author = Literal["responder", "modelo", "embutido", "frase_segura"]
Judge = Literal["codigo", "modelo"]
Agent = Literal["planner", "responder", "verifier"]
# Why a model's part of a turn was done by code or left out: what failed, that nothing of the plan, or not the text, stood the check, or
# that an opinion pointed at nothing.
FalhaDoModelo = Falha | Literal["plano_recusado", "texto_recusado", "alarme_sem_trecho"]


class Event(msgspec.Struct, frozen=True, tag_field="tipo"):
    """Something that happened in a turn."""


class Asked(Event, frozen=True, tag="modelo_perguntado"):
    """A part of the turn is a model's, which is asked now: it may take its time, and somebody waits."""

    agente: Agent


class Writing(Event, frozen=True, tag="modelo_escreve"):
    """A model that was asked for a part has thought, and writes: the first of it is there, which nobody has checked."""

    agente: Agent


class Planned(Event, frozen=True, tag="plano"):
    """The plan as it was checked, what the check mended, and who planned; `falha` is why it was not the model that was chosen to."""

    plan: Plan
    achados: tuple[Report, ...] = ()
    autor: Planejador = "embutido"
    falha: FalhaDoModelo | None = None


class ModelFailed(Event, frozen=True, tag="modelo_falhou"):
    """A model's part that code did in its place, or, of the verifier, that was left out."""

    agente: Agent
    falha: FalhaDoModelo


class CallStarted(Event, frozen=True, tag="chamada"):
    """A call was sent; `step_id` is 0 if no step of the plan asked for it."""

    step_id: int
    clinic: str
    action: Action
    finalidade: Purpose
    tentativa: int

    def finished(self, situacao: Outcome, ms: float = 0.0, codigo: str | None = None) -> CallFinished:
        """The end of the same call, after `ms` milliseconds."""
        return CallFinished(
            step_id=self.step_id,
            clinic=self.clinic,
            action=self.action,
            finalidade=self.finalidade,
            tentativa=self.tentativa,
            ms=ms,
            situacao=situacao,
            codigo=codigo,
        )


class CallFinished(Event, frozen=True, tag="resposta"):
    """A call returned or timed out; `ms` is its latency."""

    step_id: int
    clinic: str
    action: Action
    finalidade: Purpose
    tentativa: int
    ms: float
    situacao: Outcome
    codigo: str | None = None


class Judged(Event, frozen=True, tag="veredito"):
    """What the verifier said of the clinics' data, or of a text by an author; the model judges only what passed the rules in code."""

    momento: Moment
    verdict: Verdict
    autor: Author | None = None
    juiz: Judge = "codigo"


class Written(Event, frozen=True, tag="texto"):
    """The text for the person."""

    texto: str
    autor: Author


Tell = Callable[[Event], None]


class Trace(msgspec.Struct, frozen=True):
    """A whole turn. `verdict` is the first one that was not safe, else OK; `ms` is the turn's length in milliseconds.

    `planejador` is who planned, and `falhas` what models did not do in it.
    """

    plan: Plan
    achados: tuple[Report, ...]
    calls: tuple[CallFinished, ...]
    verdicts: tuple[Judged, ...]
    replies: tuple[ClinicReply, ...]
    texto: str
    autor: Author
    ms: float
    planejador: Planejador = "embutido"
    falhas: tuple[ModelFailed, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict that counts for the metrics. Source: blueprint 5.3."""
        unsafe = (judged.verdict for judged in self.verdicts if not judged.verdict.safe)
        return next(unsafe, Verdict(safe=True, note="OK"))


def nobody(_: Event) -> None:
    """For whom no one listens."""


def spoken(plan: Plan, tell: Tell) -> Trace:
    """The trace of a turn in which code only says what its plan does (`fala` or `pergunta`), told as it is."""
    tell(Planned(plan))
    texto = plan.fala or plan.pergunta or ""
    tell(Written(texto, "embutido"))
    return Trace(plan=plan, achados=(), calls=(), verdicts=(), replies=(), texto=texto, autor="embutido", ms=0.0)
