"""A conversation as it is shown: what was said, what can be chosen, what was booked, and who has not answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, assert_never

from crivo.clinicas.clinica.specialties import specialty_of
from crivo.clinicas.conversa import Conversa
from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.linguagem.botoes import cancel_message, move_message
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, enumerated, written_moment
from crivo.clinicas.orquestrador.planner.lexico import professional_of
from crivo.clinicas.orquestrador.trace import CallFinished, CallStarted, Event, Judged, Planned
from crivo.clinicas.registro import Registro
from crivo.clinicas.turnos import Cancelada, Marcada, Mudanca, Oferta, Passos, Remarcada, Turno
from crivo.web.pages.conversa_palavras import ACOES, DESFECHOS, PAPEIS, por_extenso
from crivo.web.pages.conversa_rastro import Rastro
from crivo.web.pages.cpf import mask_cpfs
from crivo.web.pages.palavras import Rotulo

Pares = tuple[tuple[str, str], ...]
_NUMBERED: Final = re.compile(r"\d+\) ")
_DAY: Final = re.compile(r"[^:,]{4,20}, \d\d/\d\d")
_MOST_SUGGESTIONS: Final = 4


@dataclass(frozen=True, slots=True)
class Confirmacao:
    """An appointment that was booked, moved or cancelled, as what is kept or printed of it."""

    rotulo: Rotulo
    quando: str
    itens: Pares


@dataclass(frozen=True, slots=True)
class Escolha:
    """A slot as a button: its number in the answer's own list, and the message that it sends."""

    numero: int
    quando: str
    onde: str
    mais_cedo: bool
    mensagem: str


@dataclass(frozen=True, slots=True)
class Consulta:
    """An appointment that is held, with the messages that ask for it to be moved or cancelled."""

    quando: str
    itens: Pares
    remarcar: str
    cancelar: str


@dataclass(frozen=True, slots=True)
class Falta:
    """Clinics that an answer lacks, and the message that asks again; empty where asking again might do something twice."""

    clinicas: str
    mensagem: str


@dataclass(frozen=True, slots=True)
class TurnoVisto:
    """A message and its answer. CPFs are masked; `lista` are the answer's lines that number the slots on offer."""

    mensagem: str
    texto: str
    lista: str
    confirmacoes: tuple[Confirmacao, ...]
    falta: Falta | None
    rastro: Rastro | None


@dataclass(frozen=True, slots=True)
class ConversaVista:
    """A whole conversation; the slots on offer are those of its last turn, and suggestions are there where none are."""

    id: str
    papel: str
    paciente: str
    saudacao: str
    ocupada: bool
    turnos: tuple[TurnoVisto, ...]
    escolhas: tuple[Escolha, ...]
    sugestoes: tuple[str, ...]
    consultas: tuple[Consulta, ...]

    @classmethod
    def of(cls, conversa: Conversa) -> ConversaVista:
        """The conversation as it now stands."""
        registro, turnos = conversa.registro, conversa.turnos
        return cls(
            str(conversa.id),
            PAPEIS[conversa.papel],
            conversa.paciente.nome if conversa.paciente else "",
            conversa.greeting,
            conversa.ocupada,
            tuple(_turno(number, turno, registro) for number, turno in enumerate(turnos, 1)),
            _escolhas(turnos[-1], registro) if turnos else (),
            _sugestoes(conversa),
            tuple(_held(consulta, registro) for consulta in conversa.consultas),
        )


@dataclass(frozen=True, slots=True)
class Comprovante:
    """What is printed: whose appointments they are, which are held, and which a patient has cancelled."""

    paciente: str
    cpf: str
    marcadas: tuple[Consulta, ...]
    canceladas: tuple[Consulta, ...]

    @classmethod
    def of(cls, conversa: Conversa) -> Comprovante:
        """The receipt of the patient who is served now; at a reception, patients take turns, so that only what is held is surely theirs."""
        registro, paciente = conversa.registro, conversa.paciente
        changes = [mudanca for turno in conversa.turnos for mudanca in turno.mudancas] if conversa.papel == "paciente" else []
        cancelled = dict.fromkeys(one.consulta for one in changes if isinstance(one, Cancelada) and one.consulta not in conversa.consultas)
        return cls(
            paciente.nome if paciente else "",
            mask_cpfs(paciente.cpf) if paciente else "",
            tuple(_held(consulta, registro) for consulta in conversa.consultas),
            tuple(_held(consulta, registro) for consulta in cancelled),
        )


def happening(event: Event, registro: Registro) -> str | None:
    """What a person who waits is told of an event; None where it is nothing to them."""
    match event:
        case Planned(plan=plan) if plan.steps:
            return "Entendi. Falando com as clínicas…"
        case CallStarted(finalidade="passo"):
            return f"{ACOES[event.action]}: {clinic_name(event.clinic, registro)}…"
        case CallFinished(finalidade="passo"):
            return f"{clinic_name(event.clinic, registro)} {DESFECHOS[event.situacao].palavra}."
        case CallStarted(finalidade="prova"):
            return f"Conferindo se ficou gravado: {clinic_name(event.clinic, registro)}…"
        case Judged(momento="texto"):
            return "Conferindo a resposta…"
        case _:
            return None


def falta_of(mensagem: str, passos: Passos, registro: Registro) -> Falta | None:
    """Which clinics an answer lacks, by their last answer to each step; None where it lacks none."""
    steps = [call for call in passos.chamadas if call.finalidade == "passo"]
    last = {(call.clinic, call.step_id): call for call in steps}.values()
    away = dict.fromkeys(call.clinic for call in last if call.situacao in ("fora_do_ar", "erro"))
    if not away:
        return None
    only_asks = all(step.action == "list_available_slots" for step in passos.plano)
    return Falta(enumerated((clinic_name(clinic, registro) for clinic in away), "pt"), mensagem if only_asks else "")


def _turno(number: int, turno: Turno, registro: Registro) -> TurnoVisto:
    passos = turno.passos
    texto, lista = _apart(mask_cpfs(turno.texto), len(turno.ofertas))
    return TurnoVisto(
        mask_cpfs(turno.mensagem),
        texto,
        lista,
        tuple(_confirmacao(mudanca, registro) for mudanca in turno.mudancas),
        None if passos is None else falta_of(turno.mensagem, passos, registro),
        None if passos is None else Rastro.of(number, passos, registro),
    )


def _apart(texto: str, offered: int) -> tuple[str, str]:
    """The words of an answer, and its numbered list where that is of the slots on offer: these are shown as buttons too."""
    lines = texto.splitlines()
    numbered = [place for place, line in enumerate(lines) if _NUMBERED.match(line)]
    if not offered or len(numbered) != offered:
        return texto, ""
    days = [place for place in range(len(lines) - 1) if place + 1 in numbered and place not in numbered and _DAY.fullmatch(lines[place])]
    listed = {*numbered, *days}
    said = (line for place, line in enumerate(lines) if place not in listed)
    return "\n".join(said), "\n".join(lines[place] for place in sorted(listed))


def _escolhas(turno: Turno, registro: Registro) -> tuple[Escolha, ...]:
    return tuple(_escolha(number, oferta, turno.ofertas[0], registro) for number, oferta in enumerate(turno.ofertas, 1))


def _escolha(number: int, oferta: Oferta, first: Oferta, registro: Registro) -> Escolha:
    clinica = registro.find(oferta.clinic)
    branch = oferta.specialty if clinica and oferta.specialty != clinica.especialidade else ""
    onde = ", ".join(part for part in (oferta.doctor, oferta.clinica, branch) if part)
    is_first = (oferta.date, oferta.time) == (first.date, first.time)
    return Escolha(number, written_moment(oferta.date, oferta.time, "pt"), onde, is_first, oferta.mensagem)


def _sugestoes(conversa: Conversa) -> tuple[str, ...]:
    """What can be said next by one press; nothing where something was asked, or something is to be chosen."""
    last = conversa.turnos[-1] if conversa.turnos else None
    unknown = conversa.papel == "paciente" and conversa.paciente is None
    if unknown or (last and (last.ofertas or (last.passos and last.passos.pergunta))):
        return ()
    especialidades = dict.fromkeys(clinica.especialidade for clinica in conversa.registro)
    wishes = [f"Quero um {who}" if (who := professional_of(one)) else f"Quero uma consulta de {one}" for one in especialidades]
    following = ("Próximo paciente",) if conversa.papel == "operador" and conversa.paciente else ()
    return (*wishes[:_MOST_SUGGESTIONS], *following)


def _confirmacao(mudanca: Mudanca, registro: Registro) -> Confirmacao:
    match mudanca:
        case Marcada(consulta=consulta):
            return _confirmed(Rotulo("Consulta marcada", "✓", "aprovado"), consulta, registro)
        case Remarcada(anterior=anterior, consulta=consulta):
            before = ("Antes era", por_extenso(anterior.date, anterior.time))
            return _confirmed(Rotulo("Consulta remarcada", "✓", "aprovado"), consulta, registro, before)
        case Cancelada(consulta=consulta):
            return _confirmed(Rotulo("Consulta cancelada", "✕", "pendente"), consulta, registro)
        case _:
            assert_never(mudanca)


def _confirmed(rotulo: Rotulo, consulta: Booking, registro: Registro, *more: tuple[str, str]) -> Confirmacao:
    return Confirmacao(rotulo, por_extenso(consulta.date, consulta.time), (*_itens(consulta, registro), *more))


def _held(consulta: Booking, registro: Registro) -> Consulta:
    quando = por_extenso(consulta.date, consulta.time)
    return Consulta(quando, _itens(consulta, registro), move_message(consulta), cancel_message(consulta, registro))


def _itens(consulta: Booking, registro: Registro) -> Pares:
    itens = (
        ("Com", consulta.doctor),
        ("Especialidade", _especialidade(consulta, registro)),
        ("Onde", clinic_name(consulta.clinic, registro)),
    )
    return tuple((nome, valor) for nome, valor in itens if valor)


def _especialidade(consulta: Booking, registro: Registro) -> str:
    """The clinic's own specialty by the registry's name, as the protocol has it in English; else the doctor's, as it is written."""
    clinica = registro.find(consulta.clinic)
    if clinica and consulta.specialty in ("", specialty_of(clinica.especialidade)):
        return clinica.especialidade
    return consulta.specialty
