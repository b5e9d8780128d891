"""The registry: which clinics there are, what they practise, and where they answer. A clinic is data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec


class Clinica(msgspec.Struct, frozen=True):
    """One clinic as the router knows it."""

    id: str
    nome: str
    especialidade: str
    porta: int
    url: str


class Registro(msgspec.Struct, frozen=True):
    """Every clinic, in the order in which people read them."""

    clinics: tuple[Clinica, ...]

    def __iter__(self) -> Iterator[Clinica]:
        return iter(self.clinics)

    def find(self, clinic_id: str) -> Clinica | None:
        """The clinic of that id, or None."""
        return next((clinica for clinica in self.clinics if clinica.id == clinic_id), None)

    def of_specialty(self, especialidade: str) -> tuple[Clinica, ...]:
        """Every clinic of a specialty. Source: blueprint rule 10."""
        return tuple(clinica for clinica in self.clinics if clinica.especialidade == especialidade)


def read_registro(raw: bytes) -> Registro:
    """The registry in a JSON document `{"clinics": [...]}`; raises `msgspec.ValidationError` when it is none."""
    return msgspec.json.decode(raw, type=Registro)


_CLINICS: Final = (
    ("clinic_a", "Clínica A", "Cardiologia", 8001),
    ("clinic_b", "Clínica B", "Dermatologia", 8002),
    ("clinic_c", "Clínica C", "Cardiologia", 8003),
    ("clinic_d", "Clínica D", "Ortopedia", 8004),
    ("clinic_e", "Clínica E", "Ortopedia", 8005),
    ("clinic_f", "Clínica F", "Dermatologia", 8006),
)
REGISTRO_PADRAO: Final = Registro(
    tuple(Clinica(id_, nome, especialidade, porta, f"http://127.0.0.1:{porta}/mcp") for id_, nome, especialidade, porta in _CLINICS)
)
"""The blueprint's six clinics. Source: blueprint 1.3."""
