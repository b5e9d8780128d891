"""A conversation as it is shown: what was said, what can be chosen, what was booked, and in plain words how each answer came about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from crivo.clinicas.conversas import Conversa
from crivo.clinicas.orquestrador.contracts import Booking, MotivoDeRecusa, Papel, Regra, Step, Verdict
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, written_moment
from crivo.clinicas.orquestrador.trace import CallFinished, CallStarted, Event, Judged, Outcome, Planned, Purpose
from crivo.clinicas.protocol import Action
from crivo.clinicas.registro import Registro
from crivo.clinicas.turnos import Cancelada, Marcada, Mudanca, Oferta, Passos, Remarcada, Turno
from crivo.web.pages.cpf import mask_cpfs
from crivo.web.pages.palavras import Rotulo

PAPEIS: Final[Mapping[Papel, str]] = {"paciente": "Paciente", "operador": "Equipe da clínica"}
_ACTIONS: Final[Mapping[Action | str, str]] = {
    "list_available_slots": "Ver os horários livres",
    "book_appointment": "Marcar",
    "reschedule_appointment": "Remarcar",
    "cancel_appointment": "Cancelar",
    "list_patients": "Listar os pacientes",
    "get_patient": "Abrir uma ficha",
    "query": "Procurar entre os pacientes",
    "raw_response": "Entender de novo o pedido",
}
_PURPOSES: Final[Mapping[Purpose, str]] = {
    "passo": "",
    "prova": "conferir se ficou gravado",
    "desfazer": "desfazer",
    "diretorio": "saber quem atende",
}
_OUTCOMES: Final[Mapping[Outcome, Rotulo]] = {
    "respondeu": Rotulo("respondeu", "✓", "aprovado"),
    "recusou": Rotulo("não aceitou", "!", "pendente"),
    "fora_do_ar": Rotulo("não respondeu", "✕", "negado"),
    "erro": Rotulo("respondeu com erro", "✕", "negado"),
}
_RULES: Final[Mapping[Regra | MotivoDeRecusa, str]] = {
    "R1": "remédio, dose ou tratamento que os dados não trazem",
    "R2": "dados pessoais de outra pessoa",
    "R3": "orientação que só um profissional de saúde pode dar",
    "R4": "algo que não está nos dados das clínicas",
    "escopo": "assunto de que esta conversa não trata",
}
_NUMBERED: Final = re.compile(r"\d+\) ")
_NOTHING_ASKED: Final = "Nenhuma clínica precisou ser chamada."


@dataclass(frozen=True, slots=True)
class Linha:
    """One line of the trace; `rotulo` where it has an outcome."""

    texto: str
    rotulo: Rotulo | None = None


@dataclass(frozen=True, slots=True)
class Confirmacao:
    """An appointment that was booked, moved or cancelled, as what is kept or printed of it."""

    rotulo: Rotulo
    itens: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Escolha:
    """A slot as a button: its number in the answer's own list, and the message that it sends."""

    numero: int
    quando: str
    onde: str
    mais_cedo: bool
    mensagem: str


@dataclass(frozen=True, slots=True)
class TurnoVisto:
    """A message, its answer, and how it came about. CPFs are masked; `lista` are the answer's lines that number the slots on offer."""

    numero: int
    mensagem: str
    texto: str
    lista: str
    confirmacoes: tuple[Confirmacao, ...]
    plano: tuple[Linha, ...]
    chamadas: tuple[Linha, ...]
    veredito: Rotulo | None
    duracao: str


@dataclass(frozen=True, slots=True)
class ConversaVista:
    """A whole conversation; the slots on offer are those of its last turn."""

    id: str
    papel: str
    saudacao: str
    ocupada: bool
    turnos: tuple[TurnoVisto, ...]
    escolhas: tuple[Escolha, ...]
    consultas: tuple[tuple[tuple[str, str], ...], ...]

    @classmethod
    def of(cls, conversa: Conversa) -> ConversaVista:
        """The conversation as it now stands."""
        registro, turnos = conversa.registro, conversa.turnos
        return cls(
            str(conversa.id),
            PAPEIS[conversa.papel],
            conversa.greeting,
            conversa.ocupada,
            tuple(_turno(number, turno, registro) for number, turno in enumerate(turnos, 1)),
            _escolhas(turnos[-1], registro) if turnos else (),
            tuple(_consulta(consulta, registro) for consulta in conversa.consultas),
        )


def happening(event: Event, registro: Registro) -> str | None:
    """What a person who waits is told of an event; None where it is nothing to them."""
    match event:
        case Planned(plan=plan) if plan.steps:
            return "Entendi. Falando com as clínicas…"
        case CallStarted(finalidade="passo"):
            return f"{_ACTIONS[event.action]}: {clinic_name(event.clinic, registro)}…"
        case CallFinished(finalidade="passo"):
            return f"{clinic_name(event.clinic, registro)} {_OUTCOMES[event.situacao].palavra}."
        case CallStarted(finalidade="prova"):
            return f"Conferindo se ficou gravado: {clinic_name(event.clinic, registro)}…"
        case Judged(momento="texto"):
            return "Conferindo a resposta…"
        case _:
            return None


def milliseconds(value: float) -> str:
    """A duration: 12 ms."""
    return f"{max(1, round(value)):,} ms".replace(",", ".")


def _turno(number: int, turno: Turno, registro: Registro) -> TurnoVisto:
    passos = turno.passos
    texto, lista = _apart(mask_cpfs(turno.texto), len(turno.ofertas))
    return TurnoVisto(
        number,
        mask_cpfs(turno.mensagem),
        texto,
        lista,
        tuple(_confirmacao(mudanca, registro) for mudanca in turno.mudancas),
        () if passos is None else tuple(_plano(passos, registro)),
        () if passos is None else tuple(_chamada(call, registro) for call in passos.chamadas),
        None if passos is None else _veredito(passos.veredito),
        "" if passos is None else milliseconds(passos.ms),
    )


def _apart(texto: str, offered: int) -> tuple[str, str]:
    """The words of an answer, and its numbered list where that is of the slots on offer: these are shown as buttons too."""
    lines = texto.splitlines()
    listed = [line for line in lines if _NUMBERED.match(line)]
    if not offered or len(listed) != offered:
        return texto, ""
    return "\n".join(line for line in lines if line not in listed), "\n".join(listed)


def _escolhas(turno: Turno, registro: Registro) -> tuple[Escolha, ...]:
    return tuple(_escolha(number, oferta, turno.ofertas[0], registro) for number, oferta in enumerate(turno.ofertas, 1))


def _escolha(number: int, oferta: Oferta, first: Oferta, registro: Registro) -> Escolha:
    clinica = registro.find(oferta.clinic)
    branch = oferta.specialty if clinica and oferta.specialty != clinica.especialidade else ""
    onde = ", ".join(part for part in (oferta.doctor, oferta.clinica, branch) if part)
    is_first = (oferta.date, oferta.time) == (first.date, first.time)
    return Escolha(number, written_moment(oferta.date, oferta.time, "pt"), onde, is_first, oferta.mensagem)


def _plano(passos: Passos, registro: Registro) -> Iterable[Linha]:
    for step in passos.plano:
        yield Linha(_step(step, registro))
    if passos.recusa:
        yield Linha(f"Não atendido: {_RULES[passos.recusa]}.")
    if passos.pergunta:
        yield Linha("Foi preciso perguntar.")
    if not (passos.plano or passos.recusa or passos.pergunta):
        yield Linha(_NOTHING_ASKED)


def _step(step: Step, registro: Registro) -> str:
    said = step.parameters
    moments = [(said.get(f"{kind}date"), said.get(f"{kind}time")) for kind in ("original_", "new_", "")]
    when = " para ".join(_moment(day, time) for day, time in moments if day and time)
    parts = (said.get("doctor", ""), when, said.get("patient_id", ""))
    return ", ".join(part for part in (f"{_ACTIONS[step.action]}: {clinic_name(step.clinic, registro)}", *parts) if part)


def _moment(day: str, time: str) -> str:
    return f"{day[8:10]}/{day[5:7]} {time}"


def _chamada(call: CallFinished, registro: Registro) -> Linha:
    what = _PURPOSES[call.finalidade] or _ACTIONS[call.action].lower()
    again = f", {call.tentativa}ª vez" if call.tentativa > 1 else ""
    return Linha(f"{clinic_name(call.clinic, registro)}: {what}{again}, {milliseconds(call.ms)}", _OUTCOMES[call.situacao])


def _veredito(verdict: Verdict) -> Rotulo:
    if verdict.safe:
        return Rotulo("Resposta conferida com os dados das clínicas", "✓", "aprovado")
    reasons = "; ".join(_RULES[regra] for regra in verdict.regras)
    return Rotulo(f"Retido na conferência: {reasons}", "!", "pendente")


def _confirmacao(mudanca: Mudanca, registro: Registro) -> Confirmacao:
    match mudanca:
        case Marcada(consulta=consulta):
            return Confirmacao(Rotulo("Consulta marcada", "✓", "aprovado"), _consulta(consulta, registro))
        case Remarcada(anterior=anterior, consulta=consulta):
            before = ("Antes era", written_moment(anterior.date, anterior.time, "pt"))
            return Confirmacao(Rotulo("Consulta remarcada", "✓", "aprovado"), (*_consulta(consulta, registro), before))
        case Cancelada(consulta=consulta):
            return Confirmacao(Rotulo("Consulta cancelada", "✕", "pendente"), _consulta(consulta, registro))
        case _:
            assert_never(mudanca)


def _consulta(consulta: Booking, registro: Registro) -> tuple[tuple[str, str], ...]:
    when = written_moment(consulta.date, consulta.time, "pt")
    return (("Quando", when), ("Com", consulta.doctor), ("Onde", clinic_name(consulta.clinic, registro)))
