"""A conversation as it is shown: what was said, what can be chosen, what was booked, and who has not answered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, assert_never

from crivo.clinicas.clinica.specialties import specialty_of
from crivo.clinicas.codigos import written
from crivo.clinicas.conversa import Conversa
from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.entende.lexico import professional_of
from crivo.clinicas.orquestrador.ferramentas import words_of
from crivo.clinicas.orquestrador.linguagem.botoes import cancel_message, drop_message, move_message
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, enumerated
from crivo.clinicas.orquestrador.trace import Asked, CallFinished, CallStarted, Event, Judged, Planned, Writing
from crivo.clinicas.registro import Registro
from crivo.clinicas.turnos import Cancelada, Marcada, Mudanca, Passos, Remarcada, Turno
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.clinicas.escolhas import Dia, dias_of
from crivo.web.pages.clinicas.palavras import DESFECHOS, PAPEIS, por_extenso
from crivo.web.pages.clinicas.rastro import Rastro
from crivo.web.pages.clinicas.socorro import Socorro
from crivo.web.pages.formatos import hora
from crivo.web.pages.navegacao import iniciais

Pares = tuple[tuple[str, str], ...]
_NUMBERED: Final = re.compile(r"\d+\) ")
_DAY: Final = re.compile(r"[^:,]{4,20}, \d\d/\d\d")
_MOST_SUGGESTIONS: Final = 4
_UMA_PESSOA: Final = "falar com uma pessoa"
_ABOUT_SLOTS: Final = ("o mais cedo", "outro dia", "é para outra pessoa")


@dataclass(frozen=True, slots=True)
class Confirmacao:
    """An appointment that was booked, moved or cancelled, as what is kept or printed of it; `desfaz` is until when it is taken back."""

    rotulo: Rotulo
    quando: str
    itens: Pares
    desfaz: str = ""


@dataclass(frozen=True, slots=True)
class EsperaVista:
    """What whoever waits for a person is told: who has the conversation, or that the reception was called, and how many are ahead."""

    pessoa: str
    palavras: str


@dataclass(frozen=True, slots=True)
class Consulta:
    """An appointment that is held, with the messages that ask for it to be moved or cancelled, and its code where it is known."""

    quando: str
    itens: Pares
    remarcar: str
    cancelar: str
    codigo: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Falta:
    """Clinics that an answer lacks, and the message that asks again; empty where asking again might do something twice."""

    clinicas: str
    mensagem: str


@dataclass(frozen=True, slots=True)
class Posta:
    """One thing that binds the search, with the message that takes it out; empty where it is not for this turn to take out."""

    palavras: str
    tirar: str = ""


@dataclass(frozen=True, slots=True)
class TurnoVisto:
    """A message and its answer. CPFs are masked; `lista` are the answer's lines that number the slots on offer.

    `pessoa` is who of the reception wrote, and `marco` whether it only says that they came or went.
    """

    mensagem: str
    texto: str
    lista: str
    pessoa: str
    iniciais: str
    marco: bool
    socorro: Socorro | None
    entendido: tuple[Posta, ...]
    confirmacoes: tuple[Confirmacao, ...]
    falta: Falta | None
    rastro: Rastro | None


@dataclass(frozen=True, slots=True)
class ConversaVista:
    """A whole conversation; the slots on offer are those of its last turn, and suggestions are there where none are.

    `mais` is how many slots can still be shown, `confirma` whether a yes or a no is waited for.
    `novos` are the codes that the last answer gave.
    """

    id: str
    papel: str
    paciente: str
    saudacao: str
    ocupada: bool
    turnos: tuple[TurnoVisto, ...]
    dias: tuple[Dia, ...]
    mais: int
    confirma: bool
    sugestoes: tuple[str, ...]
    atalhos: tuple[str, ...]
    espera: EsperaVista | None
    consultas: tuple[Consulta, ...]
    novos: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, conversa: Conversa) -> ConversaVista:
        """The conversation as it now stands."""
        registro, turnos, now = conversa.registro, conversa.turnos, conversa.now.astimezone(BRASILIA)
        last, changed = turnos[-1] if turnos else None, next((turno for turno in reversed(turnos) if turno.mudancas), None)
        return cls(
            str(conversa.id),
            PAPEIS[conversa.papel],
            conversa.paciente.nome if conversa.paciente else "",
            conversa.greeting,
            conversa.ocupada,
            tuple(
                _turno(number, turno, registro, now if turno is changed else None, drops=turno is last and _is_answered(conversa))
                for number, turno in enumerate(turnos, 1)
            ),
            dias_of(last, registro, now.date()) if last else (),
            last.mais if last else 0,
            last is not None and last.confirma,
            _sugestoes(conversa),
            _atalhos(conversa),
            _espera(conversa),
            tuple(_held(consulta, registro) for consulta in conversa.consultas),
            tuple((por_extenso(day, time), written(code)) for (_, _, day, time), code in conversa.novos.items()),
        )


@dataclass(frozen=True, slots=True)
class ConversaAberta:
    """A conversation that one can go back to."""

    endereco: str
    nome: str

    @classmethod
    def of(cls, conversa: Conversa) -> ConversaAberta:
        """The way back to it."""
        nome = "O atendimento na recepção" if conversa.papel == "operador" else "A sua conversa"
        return cls(f"/clinicas/conversa/{conversa.id}", nome)


@dataclass(frozen=True, slots=True)
class Comprovante:
    """What is printed: whose appointments they are, which are held, and which a patient has cancelled.

    `de_outros` tells that some are for somebody else, whom each names; `paciente` is then only who booked them.
    """

    paciente: str
    cpf: str
    de_outros: bool
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
            any(consulta.para for consulta in (*conversa.consultas, *cancelled)),
            tuple(_held(consulta, registro, conversa.codigos.get(consulta.vaga, "")) for consulta in conversa.consultas),
            tuple(_held(consulta, registro) for consulta in cancelled),
        )


STILL: Final = "A sua resposta está a caminho. Pode levar até um minuto…"
"""What whoever waits is told where nothing else happened for a while."""


def happening(event: Event, registro: Registro) -> str | None:
    """What a person who waits is told of an event; None where it is nothing to them."""
    match event:
        case Asked(agente="planner"):
            return "Lendo o que você escreveu…"
        case Asked(agente="verifier"):
            return "Conferindo o que as clínicas responderam…"
        case Asked(agente="responder"):
            return "Preparando a sua resposta…"
        case Writing():
            return "Escrevendo a sua resposta…"
        case Planned(plan=plan) if plan.steps:
            return "Entendi. Falando com as clínicas…"
        case CallStarted(finalidade="passo"):
            return f"{words_of(event.action)}: {clinic_name(event.clinic, registro)}…"
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
    only_asks = all(step.ferramenta is VER_HORARIOS for step in passos.plano)
    return Falta(enumerated((clinic_name(clinic, registro) for clinic in away), "pt"), mensagem if only_asks else "")


def _is_answered(conversa: Conversa) -> bool:
    """Whether it is the assistant that answers, and no person of the reception."""
    return conversa.espera is None or conversa.espera.atendente is None


def _turno(number: int, turno: Turno, registro: Registro, undoable_at: datetime | None, *, drops: bool) -> TurnoVisto:
    """`undoable_at` is the time where this turn is the one that changed something last: only that is taken back.

    `drops` tells that what binds the search may be taken out.
    """
    passos = turno.passos
    texto, lista = _apart(mask_cpfs(turno.texto), len(turno.ofertas))
    return TurnoVisto(
        mask_cpfs(turno.mensagem),
        texto,
        lista,
        turno.pessoa,
        iniciais(turno.pessoa),
        turno.marco is not None,
        Socorro.of(turno),
        tuple(Posta(one, drop_message(one) if drops else "") for one in turno.entendido) if turno.ofertas else (),
        tuple(_confirmacao(mudanca, registro, undoable_at) for mudanca in turno.mudancas),
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


def _espera(conversa: Conversa) -> EsperaVista | None:
    espera = conversa.espera
    if espera is None:
        return None
    if espera.atendente is not None:
        return EsperaVista(espera.atendente.nome, f"{espera.atendente.nome}, da recepção, está com você.")
    if not conversa.is_attended:
        return EsperaVista("", "A recepção vai ver esta conversa assim que alguém chegar lá.")
    people = ("Você é a próxima pessoa.", "Há 1 pessoa na sua frente.")
    ahead = conversa.ahead
    return EsperaVista("", f"A recepção foi chamada. {people[ahead] if ahead < len(people) else f'Há {ahead} pessoas na sua frente.'}")


def _atalhos(conversa: Conversa) -> tuple[str, ...]:
    """What is often said, for a patient to press; to a person everything is written."""
    last, espera = conversa.turnos[-1] if conversa.turnos else None, conversa.espera
    if conversa.papel == "operador" or (espera is not None and espera.atendente is not None):
        return ()
    about_slots = _ABOUT_SLOTS if last is not None and last.ofertas else ()
    return (*about_slots, *((_UMA_PESSOA,) if espera is None else ()))


def _sugestoes(conversa: Conversa) -> tuple[str, ...]:
    """What can be said next by one press; nothing where something was asked, or something is to be chosen."""
    last = conversa.turnos[-1] if conversa.turnos else None
    unknown = conversa.papel == "paciente" and conversa.paciente is None
    with_person = conversa.espera is not None and conversa.espera.atendente is not None
    if unknown or with_person or (last and (last.emergencia or last.ofertas or (last.passos and last.passos.pergunta))):
        return ()
    especialidades = dict.fromkeys(clinica.especialidade for clinica in conversa.registro)
    wishes = [f"Quero um {who}" if (who := professional_of(one)) else f"Quero uma consulta de {one}" for one in especialidades]
    following = ("Próximo paciente",) if conversa.papel == "operador" and conversa.paciente else ()
    return (*wishes[:_MOST_SUGGESTIONS], *following)


def _confirmacao(mudanca: Mudanca, registro: Registro, now: datetime | None) -> Confirmacao:
    ate = None if isinstance(mudanca, Marcada) else mudanca.desfazer_ate
    desfaz = hora(ate) if now is not None and ate is not None and now < ate else ""
    return replace(_shown(mudanca, registro), desfaz=desfaz)


def _shown(mudanca: Mudanca, registro: Registro) -> Confirmacao:
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
    return Confirmacao(rotulo, por_extenso(consulta.date, consulta.time), (*itens_of(consulta, registro), *more))


def _held(consulta: Booking, registro: Registro, code: str = "") -> Consulta:
    quando = por_extenso(consulta.date, consulta.time)
    shown = written(code) if code else ""
    return Consulta(quando, itens_of(consulta, registro), move_message(consulta), cancel_message(consulta, registro), shown)


def itens_of(consulta: Booking, registro: Registro) -> Pares:
    """With whom an appointment is, where, and whom to call."""
    clinica = registro.find(consulta.clinic)
    itens = (
        ("Para", consulta.para),
        ("Com", consulta.doctor),
        ("Especialidade", _especialidade(consulta, registro)),
        ("Onde", clinic_name(consulta.clinic, registro)),
        ("Endereço", clinica.endereco if clinica else ""),
        ("Telefone", clinica.telefone if clinica else ""),
    )
    return tuple((nome, valor) for nome, valor in itens if valor)


def _especialidade(consulta: Booking, registro: Registro) -> str:
    """The clinic's own specialty by the registry's name, as the protocol has it in English; else the doctor's, as it is written."""
    clinica = registro.find(consulta.clinic)
    if clinica and consulta.specialty in ("", specialty_of(clinica.especialidade)):
        return clinica.especialidade
    return consulta.specialty
