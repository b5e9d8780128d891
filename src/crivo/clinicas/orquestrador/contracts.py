"""The values that planner, router, verifier and responder hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Protocol

import msgspec

from crivo.clinicas.ferramentas import BY_NAME, Action, Ferramenta, Place
from crivo.clinicas.orquestrador.preferencias import Busca, Preferencias
from crivo.clinicas.orquestrador.quem_pede import Papel as Papel
from crivo.clinicas.orquestrador.quem_pede import QuemPede, anybody
from crivo.clinicas.protocol import Slot, ToolError
from crivo.clinicas.registro import Registro

Idioma = Literal["pt", "en", "es"]
Regra = Literal["R1", "R2", "R3", "R4"]
MotivoDeRecusa = Literal["R1", "R2", "R3", "escopo"]
TipoDeEmergencia = Literal[
    "coracao",
    "avc",
    "respiracao",
    "alergia",
    "sangramento",
    "intoxicacao",
    "inconsciencia",
    "trauma",
    "bebe",
    "suicidio",
    "violencia",
]
Parameters = dict[str, str]


class Value(msgspec.Struct, frozen=True):
    """A frozen value of a conversation."""


class Paciente(Value, frozen=True):
    """Who is speaking."""

    nome: str
    cpf: str


Vaga = tuple[str, str, str, str]
"""A slot: clinic, doctor, day and time."""


def vaga_in(clinic: str, appointment: Mapping[str, str]) -> Vaga:
    """The slot of an appointment, as a clinic tells it."""
    return clinic, appointment["doctor"], appointment["date"], appointment["time"]


class Step(Value, frozen=True):
    """One tool call at one clinic. `patient_name` and `cpf` are never among the parameters of a plan."""

    step_id: int
    clinic: str
    action: Action | Literal["raw_response"]
    parameters: Parameters = {}
    depends_on: tuple[int, ...] = ()

    @property
    def ferramenta(self) -> Ferramenta | None:
        """The tool that it calls; None where it stands for a plan that could not be read."""
        return BY_NAME.get(self.action)

    @property
    def changes(self) -> bool:
        """Whether it changes what a clinic holds."""
        return self.ferramenta is not None and self.ferramenta.effect != "reads"

    @property
    def frees(self) -> Vaga | None:
        """The appointment that it gives up; None where it gives up none, or does not tell which."""
        return self._at(self.ferramenta.frees) if self.ferramenta is not None else None

    @property
    def books(self) -> Vaga | None:
        """The appointment that it makes; None where it makes none, or does not tell which."""
        return self._at(self.ferramenta.books) if self.ferramenta is not None else None

    def _at(self, place: Place | None) -> Vaga | None:
        told = self.parameters
        if place is None or not {"doctor", place.date, place.time} <= told.keys():
            return None
        return self.clinic, told["doctor"], told[place.date], told[place.time]


class ClinicReply(Value, frozen=True):
    """One step's answer, as verifier and responder read it. Source: blueprint 2.3.3, `clinic_data[]`."""

    clinic: str
    action: Action
    result: dict[str, Any] | None = None
    error: ToolError | None = None

    @property
    def ferramenta(self) -> Ferramenta:
        """The tool that was called."""
        return BY_NAME[self.action]

    @property
    def freed(self) -> dict[str, Any] | None:
        """The appointment that was given up, as the clinic tells it; None where none was."""
        return self._appointment(self.ferramenta.frees)

    @property
    def booked(self) -> dict[str, Any] | None:
        """The appointment that was made, as the clinic tells it; None where none was."""
        return self._appointment(self.ferramenta.books)

    def _appointment(self, place: Place | None) -> dict[str, Any] | None:
        return self.result.get(place.result) if place is not None and self.result is not None else None


class Offer(Value, frozen=True):
    """A slot that was shown to the person, and of which clinic."""

    clinic: str
    slot: Slot

    @property
    def vaga(self) -> Vaga:
        """The slot itself, by which two of them are told apart."""
        return self.clinic, self.slot.doctor, self.slot.date, self.slot.time


class Booking(Value, frozen=True):
    """An appointment that this person holds, or holds for somebody else: `para` is the name then, and `quem` how they were called.

    `para` is as `quem` (`seu filho`) where it is held in the speaker's own name and no name was given. `alheia` tells that it is somebody
    else's, of whom nothing is known but its code.
    """

    clinic: str
    doctor: str
    date: str
    time: str
    specialty: str = ""
    para: str = ""
    quem: str = ""
    alheia: bool = False

    @property
    def vaga(self) -> Vaga:
        """The slot that it takes, whosever it is."""
        return self.clinic, self.doctor, self.date, self.time


class ParaQuem(Value, frozen=True):
    """For whom the next booking is, where not for the speaker: as told (`seu filho`), and the name and CPF as far as they are known.

    `em_seu_nome` tells that the speaker wants it in the speaker's own name.
    """

    quem: str
    nome: str = ""
    cpf: str = ""
    em_seu_nome: bool = False

    @property
    def pessoa(self) -> Paciente | None:
        """Whom the booking is made for; None while that is not known, or where it is made in the speaker's name."""
        return Paciente(self.nome, self.cpf) if self.nome and self.cpf and not self.em_seu_nome else None


class Volta(Value, frozen=True):
    """An appointment that was cancelled or moved, as it was, and the steps that bring it back alone, until `ate`."""

    consulta: Booking
    steps: tuple[Step, ...]
    ate: datetime


class Feito(Value, frozen=True):
    """What was last booked, changed or cancelled, and the steps that take it back until `ate`; none where nothing takes it back.

    `turno` is how many messages had been said when it was done. `restam` are all that were given up and are not back, each by itself.
    """

    ato: Literal["marcou", "mudou", "cancelou", "desfez"]
    consultas: tuple[Booking, ...]
    turno: int
    volta: tuple[Step, ...] = ()
    ate: datetime | None = None
    restam: tuple[Volta, ...] = ()


class Plan(Value, frozen=True):
    """What a turn will do: steps, or a question back, or a refusal, or nothing but words.

    `pergunta` and `fala` are ready to be said, in the person's language. `raciocinio` is told by the reasoning variant only.
    `buscas` are what its listings, or the choice that it asks about, are for; `mais` goes on after what was shown of them; `ofertas`
    are the slots that `pergunta` shows, as it numbers them. `emergencia` is what the message sounds like; then nothing else is done.
    `prova` tells that what it asks or says waits for a proof of whose an appointment is; `provisorio` that the model was told of a fault
    of it and could not be asked again.
    """

    steps: tuple[Step, ...] = ()
    pergunta: str | None = None
    recusa: MotivoDeRecusa | None = None
    fala: str | None = None
    idioma: Idioma = "pt"
    raciocinio: tuple[str, ...] = ()
    buscas: tuple[Busca, ...] = ()
    mais: bool = False
    ofertas: tuple[Offer, ...] = ()
    emergencia: TipoDeEmergencia | None = None
    prova: bool = False
    provisorio: bool = False


class Vitrine(Value, frozen=True):
    """What the last listings held: every free slot, those shown of them so far, and how many more there are.

    `mais` counts the slots that fit what was asked and were not shown yet; `fora` those that do not fit.
    """

    todas: tuple[Offer, ...] = ()
    vistas: tuple[Offer, ...] = ()
    mais: int = 0
    fora: int = 0


class Dialogue(Value, frozen=True):
    """All that a planner may know: who works where, what was shown, what is booked, what was said, and what time it is.

    `offers` are the slots shown last, in the order shown and as they were numbered; `vitrine` is all that there was beside them, and
    `preferencias` what the person asked of it; `doctors` maps a doctor's full name to the clinics where that doctor works, and `ramos` to
    the specialties that the clinics file the doctor's slots under; `ultima_fala` is what the person was told last, which they answer;
    `utterances` are the person's earlier turns; `pending` is what the last question was about, in the planner's own terms; `feito` is
    what was done last; `para` for whom the next booking is; `pessoas` are those who were booked for besides the speaker.
    `papel` is who speaks, for the words; `quem` is who asks, as far as it was proven, for what may be done.
    """

    now: datetime
    registro: Registro
    papel: Papel = "paciente"
    doctors: dict[str, tuple[str, ...]] = {}
    offers: tuple[Offer, ...] = ()
    bookings: tuple[Booking, ...] = ()
    utterances: tuple[str, ...] = ()
    pending: dict[str, str] = {}
    paciente: Paciente | None = None
    preferencias: Preferencias = Preferencias()
    vitrine: Vitrine = Vitrine()
    feito: Feito | None = None
    para: ParaQuem | None = None
    pessoas: tuple[Paciente, ...] = ()
    quem: QuemPede = anybody()
    ramos: dict[str, tuple[str, ...]] = {}
    ultima_fala: str = ""

    @property
    def provado(self) -> bool:
        """Whether who speaks was proven to be `paciente`; a CPF that is typed proves nothing."""
        return self.quem.is_proven

    @property
    def conferida_como(self) -> Papel:
        """As whose a text is verified: the reception's where who asks may read of patients, whatever they speak as."""
        return "operador" if self.quem.may("clinicas.ler_pacientes") else "paciente"


class Verdict(Value, frozen=True):
    """What the verifier found: `note` is 'OK' or names each rule that was broken. Source: blueprint 2.3.2."""

    safe: bool
    note: str
    regras: tuple[Regra, ...] = ()


class Planner(Protocol):
    """Turns what was said into a plan."""

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        """The plan of a turn, and the `pending` to remember for the next."""
        ...


class Responder(Protocol):
    """Puts what the clinics answered into the person's language."""

    async def write(self, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
        """The text for the person."""
        ...
