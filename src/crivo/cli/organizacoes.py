"""`crivo organizacoes`: the organisations of this installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import day, emit_value, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.access.organizacoes import Organizacao

app = Aplicacao("Cria, lista e renomeia organizações: cada uma com as suas pessoas, os seus dados e a sua auditoria.")

Id = Annotated[str, typer.Argument(metavar="ID", help="Como os comandos a chamam: letras minúsculas, algarismos e hífens.")]
Nome = Annotated[str, typer.Option("--nome", metavar="NOME", help="Como as pessoas a chamam.")]


@app.comando("criar")
def criar(ctx: typer.Context, organizacao: Id, nome: Nome, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Cria uma organização, ainda sem ninguém."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Organizacao:
        return await container.organizacoes.criar(scope, organizacao, nome)

    made = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value(_value(made))
        return
    say(f"✓ {made.nome} ({made.id}).")
    note(f"Agora crie quem a administra: crivo usuarios criar EMAIL --nome NOME --papel super_admin --tenant {made.id}")


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista as organizações desta instalação."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Sequence[Organizacao]:
        return await container.organizacoes.listar(scope)

    found = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value([_value(one) for one in found])
        return
    table(("Id", "Nome", "Desde"), [(one.id, one.nome, day(one.criado_em)) for one in found], whole="Id", empty="Nenhuma ainda.")


@app.comando("renomear")
def renomear(ctx: typer.Context, organizacao: Id, nome: Nome, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Muda como as pessoas chamam uma organização; o id fica."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> None:
        await container.organizacoes.renomear(scope, organizacao, nome)

    ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "nome": nome.strip()})
    else:
        say(f"✓ {organizacao} agora é {nome.strip()}.")


def _value(one: Organizacao) -> dict[str, Any]:
    return {"id": one.id, "nome": one.nome, "criado_em": one.criado_em}
