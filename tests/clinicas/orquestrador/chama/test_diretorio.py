from __future__ import annotations

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Limits, Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, unreachable
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step
from crivo.clinicas.registro import REGISTRO_PADRAO
from espera import until

QUICK = Limits(call=0.1, steps=0.1, turn=0.1, shortest_pause=0.0, longest_pause=0.0)


class Offering:
    """Clinics that offer a slot of each of their doctors, or nothing at all while away."""

    def __init__(self, **doctors: list[str]) -> None:
        self.doctors = doctors
        self.away: set[str] = set()
        self.calls = 0

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        self.calls += 1
        if step.clinic in self.away:
            return Answer(ClinicReply(step.clinic, action, None, unreachable(REGISTRO_PADRAO.clinics[0])))
        slots = [
            {"doctor": doctor, "specialty": "x", "date": "2025-07-18", "time": "10:00", "available": True}
            for doctor in self.doctors.get(step.clinic, [])
        ]
        return Answer(ClinicReply(step.clinic, action, {"specialty": "x", "available_slots": slots, "note": ""}))


def directory_over(offering: Offering, clock: list[float]) -> Directory:
    return Directory(Router(offering, REGISTRO_PADRAO, limits=QUICK, clock=lambda: clock[0]), REGISTRO_PADRAO, lambda: clock[0])


async def settled(directory: Directory) -> None:
    await directory.ready()
    await until(lambda: directory._asking is None)


async def test_doctors_are_learned_from_what_all_clinics_offer() -> None:
    directory = directory_over(Offering(clinic_a=["Dr. Um", "Dra. Dois"], clinic_c=["Dra. Dois"]), [0.0])
    await directory.ready()
    assert directory.doctors == {"Dr. Um": ("clinic_a",), "Dra. Dois": ("clinic_a", "clinic_c")}


async def test_a_directory_that_is_fresh_asks_no_one() -> None:
    offering, clock = Offering(clinic_a=["Dr. Um"]), [0.0]
    directory = directory_over(offering, clock)
    await directory.ready()
    asked = offering.calls
    clock[0] = 100.0
    await settled(directory)
    assert offering.calls == asked
    clock[0] = 121.0
    await settled(directory)
    assert offering.calls == 2 * asked


async def test_a_clinic_that_was_away_is_learned_soon_after_it_is_back() -> None:
    offering, clock = Offering(clinic_a=["Dr. Um"], clinic_c=["Dra. Dois"]), [0.0]
    offering.away = {"clinic_c"}
    directory = directory_over(offering, clock)
    await directory.ready()
    assert directory.doctors == {"Dr. Um": ("clinic_a",)}
    offering.away, clock[0] = set(), 11.0
    await settled(directory)
    assert directory.doctors == {"Dr. Um": ("clinic_a",), "Dra. Dois": ("clinic_c",)}


async def test_a_doctor_stays_known_when_no_slot_of_theirs_is_free() -> None:
    offering, clock = Offering(clinic_a=["Dr. Um"]), [0.0]
    directory = directory_over(offering, clock)
    await directory.ready()
    offering.doctors, clock[0] = {}, 121.0
    await settled(directory)
    assert directory.doctors == {"Dr. Um": ("clinic_a",)}
    await directory.close()
