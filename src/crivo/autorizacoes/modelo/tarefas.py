"""What a worker has to know to do the jobs that decisions leave for a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from crivo.autorizacoes.modelo.mapeamento import Mapeador
from crivo.autorizacoes.modelo.sombra import Sombra
from crivo.autorizacoes.modelo.trabalhos import MAPEAMENTO, SOMBRA
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.kernel.clock import Clock
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.llm.port import Modelo
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


def tasks(database: Database, vigentes: Vigentes, clock: Clock, new_id: Callable[[], UUID], modelo: Modelo | None) -> tuple[Task, ...]:
    """The comparison of `sombra` and the proposals of names; where the model was taken away, what was left of either is let go."""
    if modelo is None:
        return (Task(SOMBRA, _let_go, _give_up), Task(MAPEAMENTO, _let_go, _give_up))
    sombra = Sombra(database, vigentes, clock, modelo)
    mapeador = Mapeador(database, vigentes, clock, new_id, modelo)
    return (Task(SOMBRA, sombra.comparar, sombra.desistir), Task(MAPEAMENTO, mapeador.propor, mapeador.desistir))


async def _let_go(_scope: Scope, _about: Mapping[str, str]) -> None:
    """Nobody is waiting for it."""


async def _give_up(_scope: Scope, _about: Mapping[str, str], _error: Exception | None) -> None:
    """Nothing was begun."""
