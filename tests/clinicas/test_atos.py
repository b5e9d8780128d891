"""What is done in a conversation is told to the audit as its owner's, and nothing of the patient with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from crivo.clinicas.orquestrador.atos import Atos, acts_of
from crivo.clinicas.orquestrador.contracts import Plan
from crivo.clinicas.orquestrador.trace import Trace
from crivo.clinicas.protocol import ClinicReply, ToolError
from crivo.kernel.atos import NewEntry
from crivo.kernel.atos.espera import AtoSemRegistro
from crivo.kernel.tenancy import Scope
from federacao import ANA, Federation

_DONO = Scope("local", "usuario:9")
_BOOKED = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00", "patient_name": ANA.nome, "cpf": ANA.cpf}
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


async def test_a_booking_its_change_and_its_end_are_told_as_whose_conversation_it_is(federation: Federation) -> None:
    """Source: design/sujeito.md, table, 7."""
    caderno = Caderno()
    clinicas = replace(federation.clinicas, registrar=caderno, dono=_DONO)
    async with federation.speaking(clinicas=clinicas) as session:
        await session.say("quero marcar uma consulta com cardiologista")
        await session.say("pode ser com o Dr. Fernando dia 18 as 10h")
        await session.say("preciso cancelar minha consulta")
        await session.say("sim")
    assert [(scope, one.acao, one.alvo) for scope, one in caderno.notes] == [
        (_DONO, "consulta.marcada", "clinica:clinic_c"),
        (_DONO, "consulta.cancelada", "clinica:clinic_c"),
    ]
    assert {tuple(one.dados[part] for part in ("medico", "data", "hora")) for _, one in caderno.notes} == {
        ("Dr. Fernando Mendes", "2025-07-18", "10:00")
    }
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
