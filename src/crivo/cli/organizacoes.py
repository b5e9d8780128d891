"""`crivo organizacoes`: the organisations of this installation."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import day, emit_value, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.access.organizacoes import Numeros, Organizacao
    from crivo.kernel.cotas import Nome

app = Aplicacao("Cria, lista, renomeia, suspende e dá cotas a organizações: cada uma com as suas pessoas, os seus dados e a sua auditoria.")

Id = Annotated[str, typer.Argument(metavar="ID", help="Como os comandos a chamam: letras minúsculas, algarismos e hífens.")]
NomeDela = Annotated[str, typer.Option("--nome", metavar="NOME", help="Como as pessoas a chamam.")]
Motivo = Annotated[str, typer.Option("--motivo", metavar="MOTIVO", help="Por quê; fica guardado com o ato.")]
Cota = Annotated[str | None, typer.Option(metavar="N", help="Um número a partir de 0, ou 'nenhuma'.", show_default=False)]
_NENHUMA: Final = "nenhuma"


@app.comando("criar")
def criar(ctx: typer.Context, organizacao: Id, nome: NomeDela, tenant: Tenant = None, as_json: AsJson = False) -> None:
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
    """Lista as organizações desta instalação, com o que cada uma usa."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> list[tuple[Organizacao, Numeros]]:
        found = await container.organizacoes.listar(scope)
        numeros = await container.organizacoes.numeros(scope, [one.id for one in found])
        return [(one, numeros[one.id]) for one in found]

    found = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value([_value(one) | _figures(numeros) for one, numeros in found])
        return
    rows = [
        (
            one.id,
            one.nome,
            "suspensa" if one.suspensa_em else "em uso",
            str(int(numeros.uso("pessoas").usado or 0)),
            str(numeros.decisoes_no_mes),
            day(one.criado_em),
        )
        for one, numeros in found
    ]
    table(("Id", "Nome", "Estado", "Pessoas", "Decisões no mês", "Desde"), rows, whole="Id", empty="Nenhuma ainda.")


@app.comando("renomear")
def renomear(ctx: typer.Context, organizacao: Id, nome: NomeDela, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Muda como as pessoas chamam uma organização; o id fica."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> None:
        await container.organizacoes.renomear(scope, organizacao, nome)

    ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "nome": nome.strip()})
    else:
        say(f"✓ {organizacao} agora é {nome.strip()}.")


@app.comando("suspender")
def suspender(ctx: typer.Context, organizacao: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Suspende uma organização: ninguém dela entra e os trabalhos dela esperam; nada se apaga. Desfaz-se com reativar."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Organizacao:
        return await container.organizacoes.suspender(scope, organizacao, motivo)

    done = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value(_value(done))
        return
    say(f"✓ {done.nome} ({done.id}) está suspensa. Nada se apagou.")
    note(f"Resultados publicados, recursos e cartas continuam. Para desfazer: crivo organizacoes reativar {done.id} --motivo MOTIVO")


@app.comando("reativar")
def reativar(ctx: typer.Context, organizacao: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Desfaz uma suspensão: tudo continua de onde parou."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int:
        return await container.organizacoes.reativar(scope, organizacao, motivo)

    woken = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "trabalhos": woken})
    else:
        say(f"✓ {organizacao} está em uso de novo. Trabalhos que esperavam e continuam: {woken}.")


@app.comando("cotas")
def cotas(
    ctx: typer.Context,
    organizacao: Id,
    decisoes_por_dia: Cota = None,
    editais: Cota = None,
    projetos: Cota = None,
    bytes_documentos: Cota = None,
    pessoas: Cota = None,
    chaves: Cota = None,
    custo_mes: Cota = None,
    conversas: Cota = None,
    pedidos_por_minuto: Cota = None,
    motivo: Annotated[str, typer.Option("--motivo", metavar="MOTIVO", help="Por quê; fica guardado com o ato.")] = "",
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra o que uma organização usa e muda as cotas dela: um número, ou 'nenhuma' para a de toda a instalação."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    asked: dict[Nome, str | None] = {
        "decisoes_por_dia": decisoes_por_dia,
        "editais": editais,
        "projetos": projetos,
        "bytes_documentos": bytes_documentos,
        "pessoas": pessoas,
        "chaves": chaves,
        "custo_mes": custo_mes,
        "conversas": conversas,
        "pedidos_por_minuto": pedidos_por_minuto,
    }
    changed = {name: said for name, said in asked.items() if said is not None}

    async def work(container: Container, scope: Scope) -> Numeros:
        from crivo.kernel.cotas import POR_NOME, read_cota

        casas = container.organizacoes
        values = {name: read_cota(POR_NOME[name], "" if said == _NENHUMA else said) for name, said in changed.items()}
        before = (await casas.obter(scope, organizacao)).numeros
        if not changed:
            return before
        kept = {uso.cota.codigo: uso.limite for uso in before.usos if uso.propria} | values
        return await casas.definir_cotas(scope, organizacao, {name: one for name, one in kept.items() if one is not None}, motivo)

    numeros = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, **_figures(numeros)})
        return
    _show(numeros)


def _show(numeros: Numeros) -> None:
    from crivo.kernel.cotas import said

    rows = [
        (
            uso.cota.nome,
            "" if uso.usado is None else said(uso.cota, uso.usado),
            "sem limite" if uso.limite is None else said(uso.cota, uso.limite) + ("" if uso.propria else " (de todas)"),
        )
        for uso in numeros.usos
    ]
    table(("Cota", "Usado", "Limite"), rows, whole="Cota", empty="")
    for uso in numeros.usos:
        if uso.limite is not None and uso.usado is not None and uso.usado > uso.limite:
            note(f"{uso.cota.nome}: já se usa mais do que a cota. Nada se apaga; só não entra mais nada até que haja lugar.")


def _figures(numeros: Numeros) -> dict[str, Any]:
    """Figures for machines: whole numbers, and dollars as texts."""
    cotas = {
        uso.cota.codigo: {
            "usado": None if uso.usado is None else _plain(uso.usado, uso.cota.unidade),
            "limite": None if uso.limite is None else _plain(uso.limite, uso.cota.unidade),
            "propria": uso.propria,
        }
        for uso in numeros.usos
    }
    last = numeros.ultima_atividade
    return {"cotas": cotas, "decisoes_no_mes": numeros.decisoes_no_mes, "ultima_atividade": last, "trabalhos_parados": numeros.parados}


def _plain(valor: Decimal, unidade: str) -> int | str:
    return format(valor, "f") if unidade == "dolares" else int(valor)


def _value(one: Organizacao) -> dict[str, Any]:
    return {"id": one.id, "nome": one.nome, "criado_em": one.criado_em, "suspensa_em": one.suspensa_em}
