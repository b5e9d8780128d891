"""`crivo chaves`: API keys for programs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import day, emit_value, note, say, table
from crivo.kernel.clock import Clock
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.access import Chave, NovaChave

_LONGEST_DAYS: Final = 3650

app = Aplicacao("Cria, lista e revoga as chaves de API dos programas.")


@app.comando("criar")
def criar(
    ctx: typer.Context,
    nome: Annotated[str, typer.Argument(metavar="NOME", help="De quem é a chave, como o sistema que vai usá-la.")] = "sem nome",
    escopos: Annotated[
        list[str] | None,
        typer.Option("--escopo", metavar="ESCOPO", help="O que a chave pode fazer; repita para mais de um. Sem ela, tudo."),
    ] = None,
    validade_dias: Annotated[
        int, typer.Option("--validade-dias", metavar="N", min=1, max=_LONGEST_DAYS, help="Por quantos dias vale.")
    ] = 365,
    usuario: Annotated[
        str | None,
        typer.Option("--usuario", metavar="EMAIL", help="Pessoa por quem a chave age; ela não pode mais do que essa pessoa."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Cria uma chave e a mostra uma única vez; guarde-a em lugar seguro."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> NovaChave:
        return await create(container, scope, nome, escopos, timedelta(days=validade_dias), usuario)

    nova = ambiente.use(work)
    if ambiente.json:
        emit_value({"id": nova.chave.id, "chave": nova.segredo, "escopos": sorted(nova.chave.escopos), "expira_em": nova.chave.expira_em})
        return
    say(nova.segredo)
    note(f"Id {nova.chave.id}, vale até {day(nova.chave.expira_em)}. Ela não será mostrada de novo.")


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista as chaves, das mais novas para as mais antigas; o segredo delas não é guardado."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[tuple[Chave, ...], Clock]:
        from crivo.kernel.access import list_chaves

        async with container.database.unit_of_work(scope) as uow:
            return await list_chaves(uow), container.clock

    chaves, clock = ambiente.use(work)
    if ambiente.json:
        emit_value([_value(chave) for chave in chaves])
        return
    rows = [(chave.id, chave.nome, ", ".join(sorted(chave.escopos)), day(chave.expira_em), _situation(chave, clock)) for chave in chaves]
    table(
        ("Id", "Nome", "Escopos", "Vale até", "Situação"),
        rows,
        whole="Id",
        empty="Nenhuma chave ainda. Crie uma com 'crivo chaves criar NOME'.",
    )


@app.comando("revogar")
def revogar(
    ctx: typer.Context,
    chave: Annotated[str, typer.Argument(metavar="ID", help="Id da chave, como em 'crivo chaves listar'.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Revoga uma chave para sempre; pode levar alguns segundos até que todo servidor a recuse."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> None:
        from crivo.kernel.access import revoke_chave

        async with container.database.unit_of_work(scope) as uow:
            await revoke_chave(uow, container.clock.now(), chave)

    ambiente.use(work)
    if ambiente.json:
        emit_value({"id": chave, "revogada": True})
    else:
        say(f"✓ Chave {chave} revogada.")


async def create(
    container: Container, scope: Scope, nome: str, escopos: list[str] | None, lasts: timedelta, email: str | None = None
) -> NovaChave:
    """A new key; without scopes named it has them all, and with an e-mail it acts for that person."""
    from crivo.kernel.access import ESCOPOS, create_chave, get_usuario

    now = container.clock.now()
    async with container.database.unit_of_work(scope) as uow:
        usuario = await get_usuario(uow, email) if email is not None else None
        return await create_chave(uow, now, nome, escopos or ESCOPOS, now + lasts, usuario=usuario)


def _situation(chave: Chave, clock: Clock) -> str:
    if chave.revogada_em is not None:
        return "✗ revogada"
    return "✓ em uso" if chave.expira_em > clock.now() else "✗ vencida"


def _value(chave: Chave) -> dict[str, Any]:
    return {
        "id": chave.id,
        "nome": chave.nome,
        "escopos": sorted(chave.escopos),
        "criada_em": chave.criada_em,
        "expira_em": chave.expira_em,
        "revogada_em": chave.revogada_em,
    }
