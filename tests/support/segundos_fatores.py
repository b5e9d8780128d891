"""A second factor turned on, as a person would with an app."""

from __future__ import annotations

from crivo.bootstrap import Container
from crivo.kernel.access import SegundosFatores, Sessoes, Usuario, codigos
from crivo.kernel.clock import FixedClock
from crivo.kernel.tenancy import Scope
from sujeitos import as_person


async def enrol(container: Container, scope: Scope, usuario: Usuario) -> None:
    """Turn on a person's second factor."""
    opened = await Sessoes(container.database, container.clock).open(as_person(scope, usuario))
    now = container.clock.now()
    fatores = SegundosFatores(container.database, FixedClock(now))
    inscricao = await fatores.begin(as_person(scope, usuario), usuario, opened.id)
    await fatores.turn_on(as_person(scope, usuario), usuario, opened.id, codigos.code_at(inscricao.segredo, codigos.step_of(now)))
