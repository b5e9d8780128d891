"""What only a conversation knows of each tool: what a model is told of it, how people are told of it, and what the audit notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from crivo.clinicas.ferramentas import (
    BUSCAR_PACIENTES,
    BY_NAME,
    CANCELAR,
    FERRAMENTAS,
    LER_FICHA,
    LISTAR_PACIENTES,
    MARCAR,
    REMARCAR,
    VER_CONSULTAS,
    VER_HORARIOS,
    Ferramenta,
)


class Uso(msgspec.Struct, frozen=True, kw_only=True):
    """How a conversation uses a tool.

    `palavras` names it to people; `faz` tells a planner what it does, empty where no plan may hold it: then code alone asks it; `ato` is
    what the audit notes where it was done, empty where nothing is noted.
    """

    palavras: str
    faz: str = ""
    ato: str = ""


class Parametros(msgspec.Struct, frozen=True, omit_defaults=True):
    """The parameters of every tool that a plan may hold; who it is for is none of them."""

    doctor: Annotated[str | None, Meta(description="nome inteiro, como em quem trabalha onde")] = None
    date: Annotated[str | None, Meta(description="AAAA-MM-DD")] = None
    time: Annotated[str | None, Meta(description="HH:MM")] = None
    original_date: Annotated[str | None, Meta(description="dia da consulta que muda, AAAA-MM-DD")] = None
    original_time: Annotated[str | None, Meta(description="hora da consulta que muda, HH:MM")] = None
    new_date: Annotated[str | None, Meta(description="dia para onde ela vai, AAAA-MM-DD")] = None
    new_time: Annotated[str | None, Meta(description="hora para onde ela vai, HH:MM")] = None
    patient_id: Annotated[str | None, Meta(description="identificador como CARD-001; só operador")] = None
    query: Annotated[str | None, Meta(description="texto a procurar; só operador")] = None


USOS: Final[Mapping[Ferramenta, Uso]] = {
    LISTAR_PACIENTES: Uso(
        palavras="Listar os pacientes",
        faz="identificador e condição de cada paciente da clínica",
        ato="pacientes.listados",
    ),
    LER_FICHA: Uso(
        palavras="Abrir uma ficha",
        faz="a ficha de um paciente pelo identificador; só para operador",
        ato="paciente.lido",
    ),
    BUSCAR_PACIENTES: Uso(
        palavras="Procurar entre os pacientes",
        faz="identificador e condição dos pacientes que combinam com um texto",
        ato="pacientes.listados",
    ),
    VER_HORARIOS: Uso(palavras="Ver os horários livres", faz="os horários livres da clínica; com `doctor`, só os desse médico"),
    MARCAR: Uso(palavras="Marcar", faz="marca um horário livre", ato="consulta.marcada"),
    REMARCAR: Uso(palavras="Remarcar", faz="muda uma consulta para outro horário do mesmo médico", ato="consulta.remarcada"),
    CANCELAR: Uso(palavras="Cancelar", faz="cancela uma consulta", ato="consulta.cancelada"),
    VER_CONSULTAS: Uso(palavras="Ver as consultas marcadas"),
}
PLANNED: Final = tuple(one for one in FERRAMENTAS if USOS[one].faz)
"""What a plan may be made of."""
_UNREADABLE: Final = "Entender de novo o pedido"


def planned(action: str) -> Ferramenta | None:
    """The tool of that name, where a plan may hold it."""
    found = BY_NAME.get(action)
    return found if found in PLANNED else None


def words_of(action: str) -> str:
    """What a step, or a call, is to whoever reads of it."""
    found = BY_NAME.get(action)
    return USOS[found].palavras if found is not None else _UNREADABLE
