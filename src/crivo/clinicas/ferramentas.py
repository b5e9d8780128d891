"""The tools, one record each: all that crosses between who asks and a clinic. Source: blueprint 2.2 and 2.4; design/sujeito.md.

Names and shapes are the blueprint's, with one tool beyond it: what somebody holds. How a clinic does each is in `clinica/tools`; how a
conversation uses it, in `orquestrador/ferramentas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from crivo.clinicas.argumentos import Arguments, text
from crivo.clinicas.protocol import Appointment, PatientRef, Slot, Value
from crivo.kernel.autorizar import Acao

Action = Literal[
    "list_patients",
    "get_patient",
    "query",
    "list_available_slots",
    "book_appointment",
    "reschedule_appointment",
    "cancel_appointment",
    "find_appointments",
]
Effect = Literal["reads", "adds", "undoes"]
"""What a tool does to what a clinic holds: nothing; what stands once however often it is asked; what gives up something that was held."""
IDENTITY: Final = ("patient_name", "cpf")
"""The parameters that name the patient, which the orchestrator alone fills in. Source: blueprint 1.6."""

Doctor = Annotated[str, text("Nome do médico, inteiro ou uma parte que só ele tenha.", least=1)]
Date = Annotated[str, text("Data no formato AAAA-MM-DD.", least=1)]
Time = Annotated[str, text("Hora no formato HH:MM.", least=1)]
PatientName = Annotated[str, text("Nome completo de quem será atendido.", pattern=r"\S")]
Cpf = Annotated[str, text("CPF de quem será atendido, com ou sem pontuação.", least=1)]


class ListPatients(Arguments, frozen=True):
    """None."""


class GetPatient(Arguments, frozen=True):
    """Whose record."""

    patient_id: Annotated[str, text("Identificador do paciente, como CARD-001.", least=1)]


class Query(Arguments, frozen=True):
    """What to look for among conditions."""

    query: Annotated[str, text("O que procurar: uma condição ou um identificador.", least=1)]


class ListAvailableSlots(Arguments, frozen=True):
    """Whose openings; everyone's where no doctor is named."""

    doctor: Annotated[str, text("Mostrar apenas os horários deste médico.")] | None = None


class BookAppointment(Arguments, frozen=True):
    """Which slot, for whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


class RescheduleAppointment(Arguments, frozen=True):
    """From which slot to which of the same doctor, for whom."""

    original_date: Date
    original_time: Time
    doctor: Doctor
    new_date: Date
    new_time: Time
    patient_name: PatientName
    cpf: Cpf


class CancelAppointment(Arguments, frozen=True):
    """Which booking, of whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


class FindAppointments(Arguments, frozen=True):
    """Whose appointments."""

    cpf: Cpf
    patient_name: PatientName


class Patients(Value, frozen=True):
    """The patients of a clinic."""

    patients: tuple[PatientRef, ...]


class AnyRecord(Value, frozen=True):
    """A patient's record, whatever a clinic keeps in it."""

    patient: dict[str, Any]


class AnyMatches(Value, frozen=True):
    """The patients that were looked for."""

    matches: tuple[PatientRef, ...]


class AvailableSlots(Value, frozen=True):
    """Free slots only, of the future only."""

    specialty: str
    available_slots: tuple[Slot, ...]
    note: str


class Booked(Value, frozen=True):
    """What was booked."""

    appointment: Appointment
    message: str
    status: Literal["confirmed"] = "confirmed"


class Rescheduled(Value, frozen=True):
    """What was moved: as it was, and as it is."""

    original_appointment: Appointment
    new_appointment: Appointment
    message: str
    status: Literal["rescheduled"] = "rescheduled"


class Cancelled(Value, frozen=True):
    """What was cancelled."""

    cancelled_appointment: Appointment
    message: str
    status: Literal["cancelled"] = "cancelled"


class Found(Value, frozen=True):
    """The appointments to come of one person, as far as whoever asks was proven."""

    appointments: tuple[Appointment, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an appointment stands in a call and in its answer: the parameters of its day and time, and the field of the result."""

    date: str
    time: str
    result: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ferramenta:
    """A tool. `acao` is the act of the table, which the orchestrator asks before it calls, and the clinic before it does anything.

    `frees` and `books` tell which appointment it gives up and which it makes; `needs_proof`, that whose one is must be proven, by its
    code or otherwise. `restricted` is what those are told who may not read of patients.
    """

    name: Action
    title: str
    description: str
    takes: type[Arguments]
    answers: type[Value]
    acao: Acao
    effect: Effect = "reads"
    needs_proof: bool = False
    restricted: str = ""
    frees: Place | None = None
    books: Place | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """Its parameters without those that name the patient."""
        return tuple(name for name in self.takes.__struct_fields__ if name not in IDENTITY)

    @property
    def names_patient(self) -> bool:
        """Whether it is told who the patient is."""
        return set(IDENTITY) <= set(self.takes.__struct_fields__)

    @property
    def reads_patients(self) -> bool:
        """Whether it reads of patients' records."""
        return bool(self.restricted)

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again when no answer came: it changes nothing, or nothing twice."""
        return self.effect != "undoes"


LISTAR_PACIENTES: Final = Ferramenta(
    name="list_patients",
    title="Pacientes da clínica",
    description="Lista os pacientes da clínica: apenas identificador e condição. Só responde a um operador da clínica.",
    takes=ListPatients,
    answers=Patients,
    acao="clinicas.ler_pacientes",
    restricted="A lista de pacientes só pode ser vista por um operador da clínica.",
)
LER_FICHA: Final = Ferramenta(
    name="get_patient",
    title="Prontuário de um paciente",
    description="Mostra o registro completo de um paciente pelo identificador. Só responde a um operador da clínica.",
    takes=GetPatient,
    answers=AnyRecord,
    acao="clinicas.ler_pacientes",
    restricted="O prontuário de um paciente só pode ser visto por um operador da clínica.",
)
BUSCAR_PACIENTES: Final = Ferramenta(
    name="query",
    title="Busca por condição",
    description="Procura pacientes por condição ou identificador, em texto livre. Só responde a um operador da clínica.",
    takes=Query,
    answers=AnyMatches,
    acao="clinicas.ler_pacientes",
    restricted="A lista de pacientes só pode ser vista por um operador da clínica.",
)
VER_HORARIOS: Final = Ferramenta(
    name="list_available_slots",
    title="Horários livres",
    description="Lista os horários livres daqui para a frente, do mais cedo ao mais tarde; opcionalmente, só os de um médico.",
    takes=ListAvailableSlots,
    answers=AvailableSlots,
    acao="clinicas.ver_horarios",
)
MARCAR: Final = Ferramenta(
    name="book_appointment",
    title="Marcar consulta",
    description="Marca uma consulta em um horário livre. O código que prova a consulta vem em _meta.",
    takes=BookAppointment,
    answers=Booked,
    acao="clinicas.marcar",
    effect="adds",
    books=Place("date", "time", "appointment"),
)
REMARCAR: Final = Ferramenta(
    name="reschedule_appointment",
    title="Remarcar consulta",
    description="Troca o horário de uma consulta por outro do mesmo médico, em uma só operação. Pede o CPF e a prova de quem ela é.",
    takes=RescheduleAppointment,
    answers=Rescheduled,
    acao="clinicas.mudar_consulta",
    effect="undoes",
    needs_proof=True,
    frees=Place("original_date", "original_time", "original_appointment"),
    books=Place("new_date", "new_time", "new_appointment"),
)
CANCELAR: Final = Ferramenta(
    name="cancel_appointment",
    title="Cancelar consulta",
    description="Cancela uma consulta e libera o horário. Pede o CPF e a prova de quem ela é.",
    takes=CancelAppointment,
    answers=Cancelled,
    acao="clinicas.mudar_consulta",
    effect="undoes",
    needs_proof=True,
    frees=Place("date", "time", "cancelled_appointment"),
)
VER_CONSULTAS: Final = Ferramenta(
    name="find_appointments",
    title="Consultas de um paciente",
    description="Lista as consultas futuras de um CPF: todas, a um operador ou em nome dessa pessoa; com o código de uma, só essa.",
    takes=FindAppointments,
    answers=Found,
    acao="clinicas.ver_consultas",
    needs_proof=True,
)
FERRAMENTAS: Final = (
    *(LISTAR_PACIENTES, LER_FICHA, BUSCAR_PACIENTES, VER_HORARIOS),
    *(MARCAR, REMARCAR, CANCELAR, VER_CONSULTAS),
)
"""All of them, as clients see them listed."""
BY_NAME: Final[Mapping[str, Ferramenta]] = {one.name: one for one in FERRAMENTAS}
