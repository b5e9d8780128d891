"""What is done in a conversation is told to the audit as its owner's, and nothing of the patient with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cenario import MORNING
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Papel, Plan, Step
from crivo.clinicas.orquestrador.conversa.atos import Atos, acts_of
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import QuemPede, who_asks
from crivo.clinicas.orquestrador.trace import Trace
from crivo.clinicas.protocol import ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.atos import NewEntry
from crivo.kernel.atos.espera import AtoSemRegistro
from crivo.kernel.clock import FixedClock
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from federacao import ANA

_DONO = Scope("local", "usuario:9", CONSOLE)
_BOOKED = {
    "doctor": "Dr. Fernando Mendes",
    "specialty": "Cardiologia",
    "date": "2025-07-18",
    "time": "10:00",
    "patient_name": ANA.nome,
    "cpf": ANA.cpf,
}
_OPENING = {"doctor": "Dr. Fernando Mendes", "specialty": "Cardiologia", "date": "2025-07-18", "time": "10:00", "available": True}
_SLOT = {"conversa": "c1", "medico": "Dr. Fernando Mendes", "data": "2025-07-18", "hora": "10:00"}


class Caderno:
    """Takes notes, or does not."""

    def __init__(self, *, takes: bool = True) -> None:
        self.notes: list[tuple[Scope, NewEntry]] = []
        self._takes = takes

    async def registrar(self, scope: Scope, entries: Sequence[NewEntry]) -> None:
        if not self._takes:
            raise AtoSemRegistro("O disco está cheio.")
        self.notes += [(scope, one) for one in entries]


class UmaClinica:
    """Clínica C with one slot, held in memory; the other clinics are empty."""

    def __init__(self) -> None:
        self.available = True

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        free = [_OPENING] if self.available and step.clinic == "clinic_c" else []
        result: dict[str, Any] = {"specialty": "Cardiologia", "available_slots": free, "note": ""}
        if action == "book_appointment":
            self.available, result = False, {"appointment": _BOOKED, "message": "", "status": "confirmed"}
            return Answer(ClinicReply(step.clinic, action, result), codigo="ACDEFGHJKM")
        if action == "cancel_appointment":
            self.available, result = True, {"cancelled_appointment": _BOOKED, "message": "", "status": "cancelled"}
        return Answer(ClinicReply(step.clinic, action, result))


async def test_a_booking_and_its_end_are_told_as_whose_conversation_it_is() -> None:
    """Source: design/sujeito.md, table, 7."""
    caderno = Caderno()
    router = Router(UmaClinica(), REGISTRO_PADRAO)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    directory = Directory(router, REGISTRO_PADRAO, lambda: 0.0)
    atos = Atos(caderno, _DONO, "c1")
    session = Session(pipeline, directory, REGISTRO_PADRAO, FixedClock(MORNING), paciente=ANA, id_="c1", atos=atos)
    for said in (
        "quero marcar uma consulta com cardiologista",
        "pode ser com o Dr. Fernando dia 18 as 10h",
        "preciso cancelar minha consulta",
        "sim",
    ):
        await session.say(said)
    assert caderno.notes == [
        (_DONO, NewEntry("consulta.marcada", "clinica:clinic_c", _SLOT)),
        (_DONO, NewEntry("consulta.cancelada", "clinica:clinic_c", _SLOT)),
    ]
    told = repr(caderno.notes)
    assert not any(part in told for part in (ANA.cpf, "".join(filter(str.isdigit, ANA.cpf)), *ANA.nome.split()))


@pytest.mark.parametrize(
    ("reply", "acao", "dados"),
    [
        (ClinicReply("clinic_a", "book_appointment", {"appointment": _BOOKED, "status": "confirmed"}), "consulta.marcada", _SLOT),
        (ClinicReply("clinic_a", "cancel_appointment", {"cancelled_appointment": _BOOKED}), "consulta.cancelada", _SLOT),
        (
            ClinicReply(
                "clinic_a", "reschedule_appointment", {"original_appointment": _BOOKED, "new_appointment": {**_BOOKED, "time": "11:00"}}
            ),
            "consulta.remarcada",
            {**_SLOT, "hora": "11:00", "antes": "2025-07-18 10:00"},
        ),
        (ClinicReply("clinic_a", "list_patients", {"patients": []}), "pacientes.listados", {"conversa": "c1"}),
        (ClinicReply("clinic_a", "query", {"patients": []}), "pacientes.listados", {"conversa": "c1"}),
        (
            ClinicReply("clinic_a", "get_patient", {"patient_id": "CAR-001", "condition": "arritmia"}),
            "paciente.lido",
            {"conversa": "c1", "paciente": "CAR-001"},
        ),
        (
            ClinicReply("clinic_a", "cancel_appointment", None, ToolError("?", codigo="sem_confirmacao")),
            "consulta.incerta",
            {"conversa": "c1", "acao": "cancel_appointment"},
        ),
    ],
)
def test_what_a_clinic_answers_is_an_act_without_its_patient(reply: ClinicReply, acao: str, dados: dict[str, str]) -> None:
    """Source: design/sujeito.md, table, 7."""
    assert acts_of(reply, "c1") == (NewEntry(acao, "clinica:clinic_a", dados),)


@pytest.mark.parametrize(
    "reply",
    [
        ClinicReply("clinic_a", "list_available_slots", {"available_slots": []}),
        ClinicReply("clinic_a", "book_appointment", None, ToolError("Ocupado.", codigo="horario_ocupado")),
        ClinicReply("clinic_a", "get_patient", None, ToolError("Não.", codigo="acesso_restrito")),
    ],
)
def test_openings_and_refusals_are_no_acts(reply: ClinicReply) -> None:
    assert acts_of(reply, "c1") == ()


async def test_what_was_done_is_answered_though_nobody_takes_the_note_and_the_log_tells(caplog: pytest.LogCaptureFixture) -> None:
    booked = ClinicReply("clinic_a", "book_appointment", {"appointment": _BOOKED, "status": "confirmed"})
    with caplog.at_level("ERROR", logger="crivo"):
        await Atos(Caderno(takes=False), _DONO, "c1").note(Trace(Plan(), (), (), (), (booked,), "", "embutido", 0.0))
    assert [record.message for record in caplog.records] == ["atos_sem_registro"]


async def test_the_reception_that_looks_at_a_patients_appointments_is_told_and_the_patient_is_not() -> None:
    """Source: design/sujeito.md, table, 7."""
    asked = {"operador": QuemPede(CONSOLE), "paciente": who_asks("local", "paciente", CONSOLE, digits_of(ANA.cpf))}
    notes = {}
    for papel, quem in asked.items():
        caderno, router = Caderno(), Router(UmaClinica(), REGISTRO_PADRAO)
        pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
        directory, atos = Directory(router, REGISTRO_PADRAO, lambda: 0.0), Atos(caderno, _DONO, "c1")
        fala: Papel = "operador" if papel == "operador" else "paciente"
        session = Session(
            pipeline, directory, REGISTRO_PADRAO, FixedClock(MORNING), papel=fala, paciente=ANA, quem=quem, id_="c1", atos=atos
        )
        for said in ("quais são as consultas?", "e quais são as consultas?"):
            await session.say(said)
        notes[papel] = caderno.notes
    clinicas = [clinica.id for clinica in REGISTRO_PADRAO]
    looked = NewEntry("consultas.vistas", "conversa:c1", {"conversa": "c1", "clinicas": clinicas, "total": 0})
    assert notes == {"operador": [(_DONO, looked)], "paciente": []}
