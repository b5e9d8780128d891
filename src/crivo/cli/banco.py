"""`crivo banco`: the database's schema, how the database fares, and copies of all of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from crivo.cli import banco_estado, copias
from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, say
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container

app = Aplicacao("Cuida do banco de dados.")
app.comando("backup")(copias.backup)
app.comando("restaurar")(copias.restaurar)
app.comando("estado")(banco_estado.estado)


@app.comando("migrar")
def migrar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Prepara o banco, ou o traz à versão deste programa; onde não há o que fazer, não muda nada."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> str:
        from crivo.kernel.storage.inspection import inspect

        for tenant_id in await container.pessoas.organizacoes(scope):
            await container.pessoas.selar(replace(scope, tenant_id=tenant_id))  # what was stored before there were keys
        async with container.database.unit_of_work(scope) as uow:
            return (await inspect(uow)).migracao

    migracao = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"migracao": migracao})
    else:
        say(f"✓ O banco está pronto, na versão {migracao}.")
