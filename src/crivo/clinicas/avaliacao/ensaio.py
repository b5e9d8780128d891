"""A rehearsal: evaluation cases run through the embedded planner against clinics held in memory, with no server.

Source: design, "The proof". The clinics keep the blueprint's meaning (2.4); only the transport is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from crivo.clinicas.avaliacao.confirmadas import together, yes_to
from crivo.clinicas.avaliacao.conjunto import Caso, Marcada
from crivo.clinicas.avaliacao.pontuacao import CasoObtido, Resultado, TurnoObtido, score
from crivo.clinicas.ferramentas import BUSCAR_PACIENTES, CANCELAR, MARCAR, REMARCAR, VER_CONSULTAS, VER_HORARIOS
from crivo.clinicas.orquestrador.chama.titulares import as_served, by_person, holder_of
from crivo.clinicas.orquestrador.confere import verify_text
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Paciente, Step
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import spoken_of
from crivo.clinicas.orquestrador.decide.decisao import decide_by_code
from crivo.clinicas.orquestrador.decide.pessoas.para_quem import waiting_slots
from crivo.clinicas.orquestrador.entende.selecao import select
from crivo.clinicas.orquestrador.escreve.conhecido import known, named
from crivo.clinicas.orquestrador.escreve.embutido import write
from crivo.clinicas.orquestrador.quem_pede import QuemPede, who_asks
from crivo.clinicas.protocol import Codigo, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO, CadastroComDefeito, Registro, read_registro
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import LOCAL_TENANT

_SOMEONE: Final = Paciente("Pessoa de Teste", "529.982.247-25")  # of a case that does not say who speaks


class DadosIlegiveis(CrivoError):
    """The folder does not hold the clinics' data."""

    codigo: ClassVar[str] = "dados_ilegiveis"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Dados das clínicas ilegíveis"


class Vaga(msgspec.Struct):
    """A slot of a `db.json`. Source: blueprint 3.2."""

    doctor: str
    specialty: str
    date: str
    time: str
    available: bool
    patient_name: str | None = None
    cpf: str | None = None


class Agenda(msgspec.Struct):
    """A `db.json`."""

    slots: list[Vaga]


class ClinicasEmMemoria:
    """The stores of every clinic, in memory, with the tools of the blueprint's 2.4."""

    def __init__(self, agendas: dict[str, Agenda], registro: Registro, now: datetime) -> None:
        self._agendas = agendas
        self._registro = registro
        self._now = now

    def directory(self) -> dict[str, tuple[str, ...]]:
        """Who works where."""
        found: dict[str, tuple[str, ...]] = {}
        for clinic, agenda in self._agendas.items():
            for slot in agenda.slots:
                found[slot.doctor] = tuple(dict.fromkeys((*found.get(slot.doctor, ()), clinic)))
        return found

    def filed(self) -> dict[str, tuple[str, ...]]:
        """What each doctor's slots are filed under."""
        found: dict[str, tuple[str, ...]] = {}
        for agenda in self._agendas.values():
            for slot in agenda.slots:
                found[slot.doctor] = tuple(dict.fromkeys((*found.get(slot.doctor, ()), slot.specialty)))
        return found

    def call(self, step: Step, paciente: Paciente | None) -> ClinicReply:
        """The answer of a step's clinic."""
        handlers = {
            VER_HORARIOS: self._list,
            MARCAR: self._book,
            CANCELAR: self._cancel,
            REMARCAR: self._reschedule,
            VER_CONSULTAS: self._find_held,
        }
        handler = handlers.get(step.ferramenta) if step.ferramenta is not None else None
        if step.action == "raw_response" or step.clinic not in self._agendas:
            return ClinicReply(step.clinic, BUSCAR_PACIENTES.name, None, ToolError("passo desconhecido", code=-32601))
        if handler is None:
            return ClinicReply(step.clinic, step.action, {"matches": [], "patients": []})
        answer = handler(step, paciente or _SOMEONE)
        if isinstance(answer, str):
            return ClinicReply(step.clinic, step.action, None, ToolError("Não foi possível.", codigo=answer))
        return ClinicReply(step.clinic, step.action, answer)

    def held(self) -> dict[str, tuple[Marcada, ...]]:
        """What is booked."""
        return {
            clinic: tuple(Marcada(one.doctor, one.date, one.time, one.cpf or "") for one in agenda.slots if not one.available)
            for clinic, agenda in self._agendas.items()
        }

    def _list(self, step: Step, paciente: Paciente) -> dict[str, Any]:
        doctor = step.parameters.get("doctor")
        free = [one for one in self._agendas[step.clinic].slots if one.available and self._is_future(one.date, one.time)]
        kept = [one for one in free if doctor in {None, one.doctor}]
        fields = ("doctor", "specialty", "date", "time", "available")
        known = self._registro.find(step.clinic)
        slots = [{field: getattr(one, field) for field in fields} for one in kept]
        return {"specialty": known.especialidade if known else "", "available_slots": slots, "note": ""}

    def _book(self, step: Step, paciente: Paciente) -> dict[str, Any] | Codigo:
        slot = self._find(step.clinic, step.parameters["doctor"], step.parameters["date"], step.parameters["time"])
        if isinstance(slot, str):
            return slot
        if not slot.available and digits_of(slot.cpf or "") != digits_of(paciente.cpf):
            return "horario_ocupado"
        _take(slot, paciente)
        return {"status": "confirmed", "appointment": _appointment(slot, paciente), "message": "Consulta agendada com sucesso."}

    def _cancel(self, step: Step, paciente: Paciente) -> dict[str, Any] | Codigo:
        slot = self._find(step.clinic, step.parameters["doctor"], step.parameters["date"], step.parameters["time"])
        if isinstance(slot, str):
            return slot
        if slot.available or digits_of(slot.cpf or "") != digits_of(paciente.cpf):
            return "nao_e_seu"
        gone = _appointment(slot, paciente)
        _free(slot)
        return {"status": "cancelled", "cancelled_appointment": gone, "message": "Consulta cancelada com sucesso."}

    def _reschedule(self, step: Step, paciente: Paciente) -> dict[str, Any] | Codigo:
        given = step.parameters
        old = self._find(step.clinic, given["doctor"], given["original_date"], given["original_time"])
        new = self._find(step.clinic, given["doctor"], given["new_date"], given["new_time"])
        if isinstance(old, str) or isinstance(new, str):
            return "horario_inexistente"
        if old.available or digits_of(old.cpf or "") != digits_of(paciente.cpf):
            return "nao_e_seu"
        if not new.available:
            return "horario_ocupado"
        before = _appointment(old, paciente)
        _free(old)
        _take(new, paciente)
        return {
            "status": "rescheduled",
            "original_appointment": before,
            "new_appointment": _appointment(new, paciente),
            "message": "Consulta reagendada com sucesso.",
        }

    def _find_held(self, step: Step, paciente: Paciente) -> dict[str, Any] | Codigo:
        own = digits_of(paciente.cpf)
        held = (one for one in self._agendas[step.clinic].slots if not one.available and digits_of(one.cpf or "") == own)
        return {"appointments": [_appointment(one, paciente) for one in held if self._is_future(one.date, one.time)]}

    def _find(self, clinic: str, doctor: str, date: str, time: str) -> Vaga | Codigo:
        for slot in self._agendas[clinic].slots:
            if (slot.doctor, slot.date, slot.time) == (doctor, date, time):
                return slot if self._is_future(date, time) else "horario_passado"
        return "horario_inexistente"

    def _is_future(self, date: str, time: str) -> bool:
        return datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=self._now.tzinfo) > self._now


def _take(slot: Vaga, paciente: Paciente) -> None:
    slot.available, slot.patient_name, slot.cpf = False, paciente.nome, paciente.cpf


def _free(slot: Vaga) -> None:
    slot.available, slot.patient_name, slot.cpf = True, None, None


def _appointment(slot: Vaga, paciente: Paciente) -> dict[str, str]:
    return {
        "doctor": slot.doctor,
        "date": slot.date,
        "time": slot.time,
        "patient_name": paciente.nome,
        "cpf": paciente.cpf,
        "specialty": slot.specialty,
    }


class Dados(msgspec.Struct, frozen=True):
    """A data folder: the registry, and each clinic's `db.json` as bytes, so that each case begins afresh."""

    registro: Registro
    agendas: dict[str, bytes]

    def open(self, now: datetime) -> ClinicasEmMemoria:
        """The clinics as the folder describes them, nothing booked in between."""
        agendas = {clinic: msgspec.json.decode(raw, type=Agenda) for clinic, raw in self.agendas.items()}
        return ClinicasEmMemoria(agendas, self.registro, now)


def read_data(folder: Path) -> Dados:
    """A data folder; raises `DadosIlegiveis` where a file is missing or is not what it should be."""
    try:
        own = folder / "registro.json"
        registro = read_registro(own.read_bytes()) if own.exists() else REGISTRO_PADRAO
        agendas = {clinica.id: (folder / f"{clinica.id}.db.json").read_bytes() for clinica in registro}
        for raw in agendas.values():
            msgspec.json.decode(raw, type=Agenda)
    except (OSError, msgspec.DecodeError, CadastroComDefeito) as error:
        raise DadosIlegiveis(f"Não consegui ler os dados das clínicas em {folder}. Confira os arquivos db.json da pasta.") from error
    return Dados(registro, agendas)


def run_case(case: Caso, dados: Dados, now: datetime) -> CasoObtido:
    """One case from a fresh state."""
    clinics = dados.open(now)
    dialogue = Dialogue(
        now, dados.registro, case.papel, clinics.directory(), paciente=case.paciente, quem=as_known(case), ramos=clinics.filed()
    )
    turns = []
    for turn in case.turnos:
        dialogue, obtido = _said(turn.texto, dialogue, clinics)
        agreed = yes_to(turn, obtido, dialogue)
        if agreed is not None:
            dialogue, answer = _said(agreed, dialogue, clinics)
            obtido = together(obtido, answer)
        turns.append(obtido)
    return CasoObtido(case.id, tuple(turns), clinics.held())


def as_known(case: Caso) -> QuemPede:
    """Who asks in a case: whoever runs it, where the reception speaks, and else its patient, whom the sets take for known."""
    return who_asks(LOCAL_TENANT, case.papel, CONSOLE, digits_of((case.paciente or _SOMEONE).cpf))


def _said(texto: str, dialogue: Dialogue, clinics: ClinicasEmMemoria) -> tuple[Dialogue, TurnoObtido]:
    """The dialogue after a message, and what came of it."""
    decided = decide_by_code(texto, dialogue)
    plan = decided.plan
    replies = tuple(clinics.call(step, holder_of(step, plan.steps, dialogue, decided.para)) for step in plan.steps)
    served = as_served(dialogue, by_person(plan.steps, dialogue, decided.para))
    text = write(texto, plan, replies, served)
    proposed = (*spoken_of(dialogue.pending, decided.pending), *waiting_slots(decided.pending))
    may_say = known(
        served,
        texto,
        select(plan, replies, served),
        proposed,
        named(dialogue, decided.para, decided.pending),
        None if replies else dialogue.feito,
    )
    verdict = verify_text(
        text, replies, served.paciente, dialogue.conferida_como, registro=dialogue.registro, now=dialogue.now, extra_safe=may_say
    )
    obtido = TurnoObtido(plan.steps, bool(plan.pergunta), plan.recusa, replies, verdict, text)
    after = dialogo.after(dialogue, texto, plan, replies, decided.pending, decided.para)
    return (after if verdict.safe else dialogo.unheard(after)), obtido


def run_offline(casos: Sequence[Caso], dados_folder: Path, now: datetime) -> Resultado:
    """The metrics of a set on the clinics of a folder, the clock standing at `now`."""
    dados = read_data(dados_folder)
    return score(casos, [run_case(case, dados, now) for case in casos], dados.registro)
