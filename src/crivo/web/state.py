"""What the application holds while it runs, and what each request has learnt so far."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request

from crivo.bootstrap import Container
from crivo.clinicas.atendimento import Atendimento
from crivo.clinicas.conversas import Conversas
from crivo.kernel.access import Acao, Algum, Papel, Porteiro, Recusas, SegundosFatores, Sessoes, Tentativas, Visita, may
from crivo.kernel.autorizar import DA_INSTALACAO
from crivo.kernel.cotas import own_cotas
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.web.edge import HELD, REQUEST_ID, TENANT
from crivo.web.limiter import Limiter, PerTenant, Places
from crivo.web.metrics import Metrics
from crivo.web.underway import Underway

_SCOPE = "crivo.scope"
_NOME = "crivo.nome"
_VISITA = "crivo.visita"
_FOLLOWERS: Final = 200  # each asks the database twice a second
_LISTENERS: Final = 1_000  # patients who wait for a person, and receptions; none asks anything
_IMPORTS: Final = 2  # each may lay out two gigabytes on disk
_TRIALS: Final = 4  # of rules over all projects of an edital, which are opened for each
_DOCUMENTS: Final = 8  # each may be ten megabytes, and as many trees of them
_DRAWINGS: Final = 96  # pages that are drawn or wait for it: a browser asks for six at a time
_VISITS: Final = 120  # of one place to come from, in a minute, to what is open to anybody
_CHECKS: Final = 20  # of files that are held against what was published; each may have one made again
_CHECKED: Final = 6  # of those at once; each may be 64 megabytes in memory
_PAPERS: Final = 8  # recursos on their way in, each with up to 25 megabytes of papers
_ANSWERS: Final = 8  # to diligências: each may hold fifty megabytes
_STREAMS: Final = 16  # of results that are decided as they are asked for; each may lay a quarter of a gigabyte on disk


@dataclass(frozen=True, slots=True)
class WebState:
    """The use cases and the doorkeepers of one running application."""

    container: Container
    conversas: Conversas
    atendimento: Atendimento
    porteiro: Porteiro
    sessoes: Sessoes
    segundos_fatores: SegundosFatores
    limiter: Limiter
    cota_por_minuto: PerTenant
    visitas: Limiter
    conferencias: Limiter
    entradas: Tentativas
    recusas: Recusas
    metrics: Metrics
    pedidos: Places
    acompanhamentos: Places
    escutas: Places
    importacoes: Places
    ensaios: Places
    politicas: Places
    lotes: Places
    recursos: Places
    respostas: Places
    desenhos: Places
    conferidos: Places
    decisoes: Underway
    free_bytes: Callable[[Path], int]

    @classmethod
    def over(cls, container: Container, conversas: Conversas, metrics: Metrics, conexoes: int) -> WebState:
        """The state over an open container, for a server with a limit of open connections."""
        return cls(
            container=container,
            conversas=conversas,
            atendimento=Atendimento(conversas, container.database, container.clock),
            porteiro=Porteiro(container.database, container.clock),
            sessoes=Sessoes(container.database, container.clock),
            segundos_fatores=SegundosFatores(container.database, container.clock),
            limiter=Limiter(container.settings.limite_por_minuto),
            cota_por_minuto=PerTenant(),
            visitas=Limiter(_VISITS),
            conferencias=Limiter(_CHECKS),
            entradas=Tentativas(container.database),
            recusas=Recusas(container.database, container.clock),
            metrics=metrics,
            pedidos=_shared(conexoes),
            acompanhamentos=_shared(min(_FOLLOWERS, conexoes // 4)),
            escutas=_shared(min(_LISTENERS, conexoes // 2)),
            importacoes=Places(_IMPORTS, share=_IMPORTS - 1),
            ensaios=_shared(_TRIALS),
            politicas=_shared(_DOCUMENTS),
            lotes=_shared(_STREAMS),
            recursos=_shared(_PAPERS),
            respostas=_shared(_ANSWERS),
            desenhos=_shared(_DRAWINGS),
            conferidos=_shared(_CHECKED),
            decisoes=Underway(),
            free_bytes=free_bytes,
        )


def free_bytes(folder: Path) -> int:
    """Room left on the disk that a folder is on, or will be."""
    return shutil.disk_usage(next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())).free


def _shared(most: int) -> Places:
    """Places of which a quarter is left to others by whoever would have them all."""
    return Places(most, share=max(1, most * 3 // 4))


def state_of(request: Request) -> WebState:
    """The state of the application that serves a request."""
    state: WebState = request.app.state.web
    return state


def enter(request: Request, scope: Scope, nome: str = "") -> None:
    """Note who is acting, once it is known, and the name of a person of the tenant.

    Raises CotaCheia or SemVaga where as many requests as may be are being answered.
    """
    request.scope[_SCOPE] = scope
    request.scope[_NOME] = nome
    request.scope[TENANT] = scope.tenant_id
    hold(request, state_of(request).pedidos)


def hold(request: Request, places: Places) -> None:
    """Take a place for whoever is acting, until the request is answered to its end. Raises CotaCheia or SemVaga."""
    held: ExitStack = request.scope[HELD]
    held.enter_context(places.taken(scope_of(request).tenant_id))


def note_visita(request: Request, visita: Visita) -> None:
    """Note what the session of whoever is acting lacks, and whether there is something that they were not told yet."""
    request.scope[_VISITA] = visita


def find_visita(request: Request) -> Visita | None:
    """The session of whoever is acting, or None where it is a program's key, or nobody is known."""
    visita: Visita | None = request.scope.get(_VISITA)
    return visita


def scope_of(request: Request) -> Scope:
    """Who is acting. Raises LookupError on a public address, where nobody is known."""
    scope: Scope = request.scope[_SCOPE]
    return scope


def tenant_of(request: Request, acao: Acao) -> str:
    """The organisation of which an act is asked: that of whoever acts, or the installation's own for what is of no organisation."""
    return state_of(request).container.organizacoes.casa if acao in DA_INSTALACAO else scope_of(request).tenant_id


async def conversations_at_once(request: Request) -> int | None:
    """How many conversations the organisation of whoever acts may have open, where it has a quota of its own."""
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        limite = (await own_cotas(uow)).get("conversas")
    return None if limite is None else int(limite)


def pode(request: Request, acao: Acao) -> bool:
    """Whether whoever is acting may do that at all; nobody may where nobody is known."""
    scope = find_scope(request)
    return scope is not None and may(scope.sujeito, acao, Algum(tenant_of(request, acao)))


def papel_of(request: Request) -> Papel | None:
    """The role of the person who is acting, to greet and to tell them what is theirs to do; never to allow anything."""
    scope = find_scope(request)
    return scope.sujeito.papel if scope is not None and isinstance(scope.sujeito, Pessoa) else None


def quem_of(request: Request) -> str:
    """How the page calls whoever is acting: by name where they are a person of the tenant; empty where nobody is known."""
    scope = find_scope(request)
    return str(request.scope[_NOME] or scope.ator) if scope else ""


def find_scope(request: Request) -> Scope | None:
    """Who is acting, or None where nobody is known."""
    scope: Scope | None = request.scope.get(_SCOPE)
    return scope


def request_id_of(request: Request) -> str:
    """The id under which the log knows this request."""
    return str(request.scope.get(REQUEST_ID, ""))
