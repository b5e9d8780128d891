"""The slots that can be chosen by a press: numbered as the answer numbers them, under their days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import groupby

from crivo.clinicas.orquestrador.linguagem.formatos import written_day
from crivo.clinicas.registro import Registro
from crivo.clinicas.turnos import Oferta, Turno


@dataclass(frozen=True, slots=True)
class Escolha:
    """A slot as a button: its number in the answer's own list, and the message that it sends."""

    numero: int
    dia: str
    hora: str
    doctor: str
    onde: str
    mais_cedo: bool
    mensagem: str


@dataclass(frozen=True, slots=True)
class Dia:
    """A day with its slots; `perto` is hoje or amanhã, else empty."""

    quando: str
    perto: str
    escolhas: tuple[Escolha, ...]


def dias_of(turno: Turno, registro: Registro, hoje: date) -> tuple[Dia, ...]:
    """What a turn has on offer, by days in the order in which it was shown."""
    shown = [(oferta, _escolha(oferta, turno.ofertas[0], registro)) for oferta in turno.ofertas]
    days = groupby(shown, key=lambda one: one[0].date)
    return tuple(Dia(written_day(day, "pt"), _near(day, hoje), tuple(escolha for _, escolha in slots)) for day, slots in days)


def _escolha(oferta: Oferta, first: Oferta, registro: Registro) -> Escolha:
    clinica = registro.find(oferta.clinic)
    branch = oferta.specialty if clinica and oferta.specialty != clinica.especialidade else ""
    onde = ", ".join(part for part in (oferta.clinica, branch) if part)
    is_first = (oferta.date, oferta.time) == (first.date, first.time)
    return Escolha(
        numero=oferta.numero,
        dia=written_day(oferta.date, "pt"),
        hora=oferta.time,
        doctor=oferta.doctor,
        onde=onde,
        mais_cedo=is_first,
        mensagem=oferta.mensagem,
    )


def _near(day: str, hoje: date) -> str:
    return {0: "hoje", 1: "amanhã"}.get((date.fromisoformat(day) - hoje).days, "")
