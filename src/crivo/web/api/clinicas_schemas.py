"""What the conversations take and answer over HTTP, and the events of a turn as it happens. Source: interfaces, HTTP."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal
from uuid import UUID

import msgspec
from fastapi.sse import format_sse_event
from msgspec import structs

from crivo.clinicas.conversa import Conversa
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import Booking, MotivoDeRecusa, Paciente, Papel, Regra, Step
from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_cpf, read_name
from crivo.clinicas.orquestrador.trace import (
    Asked,
    Author,
    CallFinished,
    CallStarted,
    Event,
    FalhaDoModelo,
    Judge,
    Judged,
    ModelFailed,
    Moment,
    Outcome,
    Planned,
    Purpose,
    Writing,
    Written,
)
from crivo.clinicas.turnos import Turno
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.settings import Planejador
from crivo.web.api.schemas import encode

EventName = Literal["plano", "chamada", "veredito", "texto", "fim"]


class IdentidadeInvalida(CrivoError):
    """A name or a CPF that cannot be one; neither is repeated."""

    codigo: ClassVar[str] = "identidade_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Identificação inválida"


class Identidade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who a conversation is for: full name, and a CPF with or without points."""

    nome: Annotated[str, msgspec.Meta(max_length=200)]
    cpf: Annotated[str, msgspec.Meta(max_length=40)]

    def checked(self) -> Paciente:
        """The patient. Raises IdentidadeInvalida, with a problem for each field that is wrong."""
        nome, cpf = read_name(self.nome), read_cpf(self.cpf)
        if nome is not None and cpf is not None:
            return Paciente(nome, cpf)
        problemas = []
        if nome is None:
            problemas.append(Problem("use o nome e o sobrenome, só com letras", caminho="paciente.nome", codigo="nome_invalido"))
        if cpf is None:
            problemas.append(Problem("use um CPF válido, como 529.982.247-25", caminho="paciente.cpf", codigo="cpf_invalido"))
        raise IdentidadeInvalida("Corrija os dados indicados, ou comece sem eles: a própria conversa os pede.", problemas)


class CodigoRecusado(CrivoError):
    """A code that proves no appointment to come; why is not told."""

    codigo: ClassVar[str] = "codigo_recusado"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Código recusado"

    def __init__(self) -> None:
        super().__init__(
            "Esse código não confere com nenhuma consulta futura. Verifique as dez letras e números; sem ele, "
            "use a conta do paciente ou fale com a recepção da clínica."
        )


class ProvaDada(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What proves an appointment to be of `paciente`: its code."""

    codigo: Annotated[str, msgspec.Meta(max_length=40)]

    def __repr__(self) -> str:
        return "ProvaDada(...)"


class ConsultasVistas(msgspec.Struct, frozen=True):
    """The appointments to come of whoever was proven, and the clinics that did not answer, whose are missing."""

    consultas: tuple[Booking, ...]
    sem_resposta: tuple[str, ...]


class NovaConversa(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a conversation begins. A patient who is not given here is asked who it is; without `planejador` the installation's plans.

    `prova` proves one appointment of `paciente`; whose account is bound to a CPF needs none.
    """

    papel: Papel = "paciente"
    paciente: Identidade | None = None
    prova: ProvaDada | None = None
    planejador: Planejador | None = None


class Mensagem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the person says."""

    texto: str


class ConversaVista(msgspec.Struct, frozen=True):
    """A conversation so far: what is said first, every turn, and the appointments that it knows of."""

    id: UUID
    papel: Papel
    saudacao: str
    ocupada: bool
    turnos: tuple[Turno, ...]
    consultas: tuple[Booking, ...]

    @classmethod
    def of(cls, conversa: Conversa) -> ConversaVista:
        """The conversation as it is answered."""
        turnos = tuple([masked(turno) for turno in conversa.turnos])
        return cls(conversa.id, conversa.papel, conversa.greeting, conversa.ocupada, turnos, conversa.consultas)


class EventoPlano(msgspec.Struct, frozen=True):
    """What will be done, and who planned it. What will be said is not told before it is verified.

    `falha` is why code planned where a model was to.
    """

    plano: tuple[Step, ...]
    pergunta: bool
    recusa: MotivoDeRecusa | None
    planejador: Planejador = "embutido"
    falha: FalhaDoModelo | None = None


class EventoChamada(msgspec.Struct, frozen=True):
    """A call to a clinic that goes out (`inicio`) or is over (`fim`, with `ms` and `situacao`)."""

    momento: Literal["inicio", "fim"]
    step_id: int
    clinic: str
    action: Action
    finalidade: Purpose
    tentativa: int
    ms: float | None = None
    situacao: Outcome | None = None
    codigo: str | None = None


class EventoVeredito(msgspec.Struct, frozen=True):
    """What the verifier said of the clinics' data, or of a text by an author; `juiz` is the model where its second opinion held it back."""

    momento: Moment
    safe: bool
    note: str
    regras: tuple[Regra, ...]
    autor: Author | None
    juiz: Judge = "codigo"


class EventoTexto(msgspec.Struct, frozen=True):
    """The answer, once it is verified."""

    texto: str


EVENTS: Final = (EventoPlano, EventoChamada, EventoVeredito, EventoTexto)


def told(event: Event) -> bytes | None:
    """An event of a turn on the wire; None for what goes out with the end of its turn: the text, and what models do or did not."""
    match event:
        case Planned(plan=plan):
            return wire("plano", EventoPlano(plan.steps, plan.pergunta is not None, plan.recusa, event.autor, event.falha))
        case CallStarted():
            return wire("chamada", EventoChamada("inicio", event.step_id, event.clinic, event.action, event.finalidade, event.tentativa))
        case CallFinished():
            return wire("chamada", _finished(event))
        case Judged(verdict=verdict):
            return wire("veredito", EventoVeredito(event.momento, verdict.safe, verdict.note, verdict.regras, event.autor, event.juiz))
        case Written() | ModelFailed() | Asked() | Writing():
            return None
        case _:
            raise TypeError(f"no such event: {type(event).__name__}")


def ended(turno: Turno) -> tuple[bytes, bytes]:
    """The last two events of a turn: its text, and all of it."""
    told = masked(turno)
    return wire("texto", EventoTexto(told.texto)), wire("fim", told)


def masked(turno: Turno) -> Turno:
    """A turn as it is answered: a CPF that was said in it, or that a record has, is whole for nobody."""
    return structs.replace(turno, mensagem=mask_cpfs(turno.mensagem), texto=mask_cpfs(turno.texto))


def wire(name: EventName, data: msgspec.Struct) -> bytes:
    """A server-sent event whose data is JSON on one line."""
    return format_sse_event(event=name, data_str=encode(data).decode())


def _finished(event: CallFinished) -> EventoChamada:
    return EventoChamada(
        "fim",
        event.step_id,
        event.clinic,
        event.action,
        event.finalidade,
        event.tentativa,
        event.ms,
        event.situacao,
        event.codigo,
    )
