"""The model of the conversations that a command holds: opened where one is to plan, with the ledger that keeps what was paid for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from crivo.cli.ambiente import scope_of
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.clinicas.service import Clinicas
    from crivo.kernel.settings import Planejador, Settings

QuemPlaneja = Annotated[
    Literal["embutido", "modelo", "modelo_raciocinio"] | None,
    typer.Option(
        "--planejador",
        help="Quem planeja os turnos: embutido é só código; modelo e modelo_raciocinio, o de CRIVO_MODELO. Sem ele, como a instalação usa.",
    ),
]


class ModeloAusente(CrivoError):
    """The model's planner is asked for, and there is none."""

    codigo: ClassVar[str] = "modelo_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Planejador por modelo indisponível"

    def __init__(self) -> None:
        super().__init__("Nenhum modelo está configurado. Preencha CRIVO_MODELO e a chave do serviço, ou use --planejador embutido.")


def chosen(settings: Settings, planejador: Planejador | None) -> Planejador:
    """Who is to plan: as asked, else as the installation has it. Raises ModeloAusente."""
    planeja = planejador or settings.planeja
    if planeja != "embutido" and not settings.modelo:
        raise ModeloAusente
    return planeja


@asynccontextmanager
async def with_modelo(clinicas: Clinicas, settings: Settings, planejador: Planejador) -> AsyncIterator[Clinicas]:
    """The clinics with that planner, and with the model open for as long where it is the model's; code alone opens no database."""
    if planejador == "embutido":
        yield replace(clinicas, planejador=planejador)
        return
    from crivo.clinicas.orquestrador.linha import waits_of
    from crivo.kernel.llm.modelo import open_modelo
    from crivo.kernel.storage.session import open_database

    database = await open_database(settings)
    try:
        async with open_modelo(settings, database, settings.clock) as modelo:
            yield replace(clinicas, modelo=modelo, planejador=planejador, prazos=waits_of(settings), dono=scope_of(settings))
    finally:
        await database.close()
