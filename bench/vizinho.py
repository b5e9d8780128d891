"""The server's neighbour: the same application with one route more, which stores the body by one INSERT and answers a constant.

`python -m bench.vizinho --porta N`, in the environment of an installation. It admits by the same keys and writes through the same unit
of work; its table has no row-level security and no index, so that the least is asked of it.
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import nullcontext
from typing import Final

import psycopg
import uvicorn
from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from crivo.bootstrap import open_container
from crivo.kernel.access import Algum, authorize
from crivo.kernel.logs import configure_logs
from crivo.kernel.settings import Settings, load_settings
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.urls import libpq_url
from crivo.web.app import create_app
from crivo.web.body import read_body
from crivo.web.state import enter, scope_of, state_of

CAMINHO: Final = "/vizinho"
_ANSWER: Final = b'{"recebido":true}'
_TABLE: Final = "create table if not exists vizinho (tenant_id text not null, corpo bytea not null)"


async def admit(request: Request) -> None:
    """The same doorkeeping as every route of the API."""
    state = state_of(request)
    access = await state.porteiro.authenticate(request.headers.get("authorization", "").removeprefix("Bearer "))
    enter(request, access.scope)
    await state.limiter.hit(access.scope.tenant_id, access.scope.ator)
    authorize(access.scope.sujeito, "autorizacoes.decidir", Algum(access.scope.tenant_id))


async def receive(request: Request) -> Response:
    """Store the body, answer the constant."""
    container = state_of(request).container
    scope = scope_of(request)
    raw = await read_body(request, container.settings.limite_corpo_bytes)
    async with container.database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql("insert into vizinho (tenant_id, corpo) values (%s, %s)", (scope.tenant_id, raw))
    return Response(_ANSWER, media_type="application/json")


async def serve(settings: Settings, porta: int) -> None:
    """Serve until told to stop, set up as `crivo servir` sets itself up."""
    async with open_container(settings) as container:
        app = create_app(settings, lambda _: nullcontext(container))
        # Put in the list itself: a route that is added in the usual way would be held against the table of access.
        app.router.routes.insert(0, APIRoute(CAMINHO, receive, methods=["POST"], response_class=Response, dependencies=[Depends(admit)]))
        config = uvicorn.Config(app, port=porta, log_config=None, access_log=False, server_header=False, lifespan="on")
        await uvicorn.Server(config).serve()


def main() -> None:
    """Make the table, then serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--porta", type=int, required=True)
    porta = parser.parse_args().porta
    settings = load_settings(None)
    configure_logs(settings.log_nivel)
    embedded = EmbeddedPostgres(settings.data_dir)
    embedded.start()
    with psycopg.connect(libpq_url(embedded.admin_url)) as connection:
        connection.execute(_TABLE)
        connection.execute("grant insert on vizinho to crivo_app")
    with asyncio.Runner(loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(serve(settings, porta))
    embedded.release()


if __name__ == "__main__":
    main()
