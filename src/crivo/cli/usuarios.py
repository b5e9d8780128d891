"""`crivo usuarios`: the people of a tenant and their roles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import day, emit_value, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.access import Usuario

app = Aplicacao("Cria pessoas, lista quem há e muda papéis.")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail da pessoa.")]
_DOCUMENTS = "rg, cnh, passaporte, ctps ou outro"
_ROLES = "gestor, admin, super_admin, avaliador, revisor, operador ou paciente"


@app.comando("criar")
def criar(
    ctx: typer.Context,
    email: Email,
    nome: Annotated[str, typer.Option("--nome", metavar="NOME", help="Nome da pessoa.")],
    papel: Annotated[str, typer.Option("--papel", metavar="PAPEL", help=f"O que a pessoa faz: {_ROLES}.")],
    cpf: Annotated[str | None, typer.Option("--cpf", metavar="CPF", help="CPF do paciente, conferido em um documento com foto.")] = None,
    documento: Annotated[str, typer.Option("--documento", metavar="QUAL", help=f"Documento conferido: {_DOCUMENTS}.")] = "outro",
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Cria uma pessoa e mostra um link de entrada, que vale por 15 minutos e uma só vez.

    Com --cpf, quem tem o papel paciente vê e muda as próprias consultas em todas as clínicas.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Usuario, str]:
        from crivo.kernel.access import Sessoes, bind_cpf, create_usuario, read_documento
        from crivo.kernel.identity import Uuid7

        async with container.database.unit_of_work(scope) as uow:
            em = container.clock.now()
            usuario = await create_usuario(uow, em, Uuid7(container.clock).new(), nome, email, papel)
            if cpf is not None:
                await bind_cpf(uow, em, usuario, cpf, read_documento(documento))
        return usuario, await Sessoes(container.database, container.clock).create_link(scope, usuario.ator)

    usuario, link = ambiente.use(work)
    if ambiente.json:
        emit_value({**_value(usuario), "link": _entrance(ambiente, link)})
        return
    say(f"✓ {usuario.nome}, {usuario.papel}.")
    note(f"Para entrar, em até 15 minutos: {_entrance(ambiente, link)}")


@app.comando("entrar")
def entrar(
    ctx: typer.Context,
    email: Email,
    convite: Annotated[bool, typer.Option("--convite", help="Faz um convite, que vale por 7 dias.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra um link de entrada para quem já existe, como quem avalia um edital importado; vale por 15 minutos e uma só vez.

    Os que essa pessoa tinha deixam de valer.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> str:
        from crivo.kernel.access import Sessoes, get_usuario

        async with container.database.unit_of_work(scope) as uow:
            usuario = await get_usuario(uow, email)
        return await Sessoes(container.database, container.clock).create_link(scope, usuario.ator, "convite" if convite else "link")

    link = ambiente.use(work)
    if ambiente.json:
        emit_value({"link": _entrance(ambiente, link)})
    else:
        say(_entrance(ambiente, link))


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista as pessoas, por nome."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Usuario, ...]:
        from crivo.kernel.access import list_usuarios

        async with container.database.unit_of_work(scope) as uow:
            return await list_usuarios(uow)

    usuarios = ambiente.use(work)
    if ambiente.json:
        emit_value([_value(usuario) for usuario in usuarios])
        return
    rows = [(u.nome, u.email or "—", u.papel, day(u.criado_em), "✗ desativada" if u.desativado_em else "✓ ativa") for u in usuarios]
    table(
        ("Nome", "E-mail", "Papel", "Desde", "Situação"),
        rows,
        whole="E-mail",
        empty="Ninguém ainda. Crie a primeira pessoa com 'crivo usuarios criar EMAIL --nome NOME --papel gestor'.",
    )


@app.comando("papel")
def papel(
    ctx: typer.Context,
    email: Email,
    novo: Annotated[str, typer.Argument(metavar="PAPEL", help=f"O papel novo: {_ROLES}.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Muda o papel de uma pessoa."""
    _change(Ambiente.of(ctx, tenant, as_json), "papel", email, novo, lambda one: f"{one.nome} agora é {one.papel}.")


@app.comando("renomear")
def renomear(
    ctx: typer.Context,
    email: Email,
    nome: Annotated[str, typer.Argument(metavar="NOME", help="O nome novo.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Muda o nome de uma pessoa, que é avisada."""
    _change(Ambiente.of(ctx, tenant, as_json), "nome", email, nome, lambda one: f"Agora é {one.nome}.")


@app.comando("email")
def mudar_email(
    ctx: typer.Context,
    email: Email,
    novo: Annotated[str, typer.Argument(metavar="NOVO", help="O e-mail novo.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Muda o e-mail com que uma pessoa entra; ela é avisada, e as sessões e os links dela terminam."""
    _change(Ambiente.of(ctx, tenant, as_json), "email", email, novo, lambda one: f"{one.nome} entra agora com {one.email}.")


@app.comando("desativar")
def desativar(ctx: typer.Context, email: Email, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Impede que a pessoa entre, encerra as sessões dela e revoga as chaves que agem por ela; o que ela fez continua dela."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> None:
        from crivo.kernel.access import deactivate_usuario, get_usuario

        async with container.database.unit_of_work(scope) as uow:
            await deactivate_usuario(uow, container.clock.now(), await get_usuario(uow, email))

    ambiente.use(work)
    if ambiente.json:
        emit_value({"desativada": True})
    else:
        say("✓ Essa pessoa não entra mais.")


@app.comando("segundo-fator")
def segundo_fator(
    ctx: typer.Context,
    email: Email,
    remover: Annotated[bool, typer.Option("--remover", help="Tira o de quem perdeu o aplicativo; a pessoa é avisada.")] = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Diz se a pessoa tem segundo fator; com --remover, tira-o e encerra as sessões dela."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[bool, bool]:
        from crivo.kernel.access import get_usuario, has_segundo_fator, remove_segundo_fator

        async with container.database.unit_of_work(scope) as uow:
            usuario = await get_usuario(uow, email)
            tirado = remover and await remove_segundo_fator(uow, container.clock.now(), usuario)
            return tirado, await has_segundo_fator(uow, usuario.id)

    tirado, ligado = ambiente.use(work)
    if ambiente.json:
        emit_value({"removido": tirado, "ligado": ligado})
    elif tirado:
        say("✓ O segundo fator foi tirado. Na próxima entrada com senha, quem precisa de um liga outro.")
    else:
        say("Ligado." if ligado else "Desligado.")


def _change(ambiente: Ambiente, what: Literal["papel", "nome", "email"], email: str, novo: str, told: Callable[[Usuario], str]) -> None:
    """Change one thing of a person, and say how they are now."""

    async def work(container: Container, scope: Scope) -> Usuario:
        from crivo.kernel.access import change_email, get_usuario, rename_usuario, set_papel

        change = {"papel": set_papel, "nome": rename_usuario, "email": change_email}[what]
        async with container.database.unit_of_work(scope) as uow:
            return await change(uow, container.clock.now(), await get_usuario(uow, email), novo)

    usuario = ambiente.use(work)
    if ambiente.json:
        emit_value(_value(usuario))
    else:
        say(f"✓ {told(usuario)}")


def _entrance(ambiente: Ambiente, token: str) -> str:
    """The whole address by which a person comes in once, as one sends it to them."""
    return f"{ambiente.settings().endereco}/entrar?token={token}"


def _value(usuario: Usuario) -> dict[str, Any]:
    return {
        "id": str(usuario.id),
        "nome": usuario.nome,
        "email": usuario.email,
        "papel": usuario.papel,
        "criado_em": usuario.criado_em,
        "desativado_em": usuario.desativado_em,
    }
