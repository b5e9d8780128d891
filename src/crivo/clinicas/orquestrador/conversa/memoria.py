"""All that a session remembers between two turns, as one frozen value: put back, the next turn is as it would have been.

What every server has by itself is not in it: the registry, the directory of doctors, and who the owner of the conversation is by now.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from crivo.clinicas.codigos_ditos import Dito
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Feito, Offer, Paciente, ParaQuem, Value, Vitrine
from crivo.clinicas.orquestrador.conversa.apresentacao import Apresentada
from crivo.clinicas.orquestrador.conversa.comprovacao import Comprovada
from crivo.clinicas.orquestrador.emergencia import Sobreaviso, Socorro
from crivo.clinicas.orquestrador.preferencias import Preferencias
from crivo.clinicas.orquestrador.provas import Comecado

VERSAO = 1
"""Of the shape of what is kept: another one is not read. A field that is added with a default needs no other number."""


class Dialogado(Value, frozen=True):
    """A dialogue without what is known wherever it goes on; the fields are those of `Dialogue`."""

    now: datetime
    offers: tuple[Offer, ...] = ()
    bookings: tuple[Booking, ...] = ()
    utterances: tuple[str, ...] = ()
    pending: dict[str, str] = msgspec.field(default_factory=dict)
    paciente: Paciente | None = None
    preferencias: Preferencias = Preferencias()
    vitrine: Vitrine = Vitrine()
    feito: Feito | None = None
    para: ParaQuem | None = None
    pessoas: tuple[Paciente, ...] = ()
    ultima_fala: str = ""

    @classmethod
    def of(cls, dialogue: Dialogue) -> Dialogado:
        """What is kept of a dialogue."""
        return cls(**{name: getattr(dialogue, name) for name in cls.__struct_fields__})

    def over(self, fresh: Dialogue) -> Dialogue:
        """A dialogue that has just begun, with what was kept."""
        return msgspec.structs.replace(fresh, **{name: getattr(self, name) for name in self.__struct_fields__})


class Memoria(Value, frozen=True):
    """What is kept of a session. `provado` is the CPF, in digits, that who speaks was proven to have; empty where nobody was.

    `sabe_medicos`: the directory had told who works where before the last turn ended. `interrompida` is what a turn had begun that was
    lost with its server; None where none was, or that is settled.
    """

    dialogo: Dialogado
    apresentada: Apresentada
    comprovada: Comprovada
    provado: str = ""
    sabe_medicos: bool = False
    turnos: int = 0
    perdidos: int = 0
    aviso: Sobreaviso | None = None
    socorro: Socorro | None = None
    atendidos: tuple[Paciente, ...] = ()
    guardadas: tuple[tuple[str, tuple[Booking, ...]], ...] = ()
    dito: Dito | None = None
    interrompida: tuple[Comecado, ...] | None = None

    @property
    def cpfs(self) -> frozenset[str]:
        """The CPF of everybody who is told of in it, as it was written."""
        asked = self.apresentada.falta
        named = (self.dialogo.paciente, asked.paciente if asked else None, *self.dialogo.pessoas, *self.atendidos)
        told = (self.provado, self.dialogo.para.cpf if self.dialogo.para else "", *(one.cpf for one in named if one is not None))
        return frozenset(cpf for cpf in told if cpf)

    def __repr__(self) -> str:
        return "Memoria()"
