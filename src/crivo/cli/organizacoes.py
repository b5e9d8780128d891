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
    from crivo.kernel.cotas import Cota, Nome

app = Aplicacao("Cria, lista, renomeia, suspende e dá cotas a organizações: cada uma com as suas pessoas, os seus dados e a sua auditoria.")

Id = Annotated[
    str, typer.Argument(metavar="CÓDIGO", help="Código, pelo qual os comandos a chamam: letras minúsculas, algarismos e hífens.")
]
NomeDela = Annotated[str, typer.Option("--nome", metavar="NOME", help="Como as pessoas a chamam.")]
Motivo = Annotated[str, typer.Option("--motivo", metavar="MOTIVO", help="Por quê; fica guardado com o ato.")]
Valor = Annotated[str | None, typer.Option(metavar="N", help="Um número a partir de 0, ou 'nenhuma'.", show_default=False)]
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
    table(("Código", "Nome", "Estado", "Pessoas", "Decisões no mês", "Desde"), rows, whole="Código", empty="Nenhuma ainda.")


@app.comando("renomear")
def renomear(ctx: typer.Context, organizacao: Id, nome: NomeDela, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Muda como as pessoas chamam uma organização; o código fica."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> bool:
        return await container.organizacoes.renomear(scope, organizacao, nome)

    done = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "nome": nome.strip(), "mudou": done})
    elif not done:
        say(f"{organizacao} já se chamava {nome.strip()}: nada mudou.")
    else:
        say(f"✓ {organizacao} agora é {nome.strip()}.")


@app.comando("suspender")
def suspender(ctx: typer.Context, organizacao: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Suspende uma organização: ninguém dela entra e os trabalhos dela esperam; nada se apaga. Desfaz-se com reativar."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Organizacao, bool]:
        return await container.organizacoes.suspender(scope, organizacao, motivo)

    done, changed = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({**_value(done), "mudou": changed})
        return
    if not changed:
        say(f"{done.nome} ({done.id}) já estava suspensa{_since(done)}: nada mudou, e este motivo não foi guardado.")
        return
    say(f"✓ {done.nome} ({done.id}) está suspensa. Nada se apagou.")
    note(f"Resultados publicados, recursos e cartas continuam. Para desfazer: crivo organizacoes reativar {done.id} --motivo MOTIVO")


@app.comando("reativar")
def reativar(ctx: typer.Context, organizacao: Id, motivo: Motivo, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Desfaz uma suspensão: tudo continua de onde parou."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> int | None:
        return await container.organizacoes.reativar(scope, organizacao, motivo)

    woken = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "trabalhos": woken or 0, "mudou": woken is not None})
    elif woken is None:
        say(f"{organizacao} já estava em uso: nada mudou, e este motivo não foi guardado.")
    else:
        say(f"✓ {organizacao} está em uso de novo. Trabalhos que esperavam e continuam: {woken}.")


@app.comando("cotas")
def cotas(
    ctx: typer.Context,
    organizacao: Id,
    decisoes_por_dia: Valor = None,
    editais: Valor = None,
    projetos: Valor = None,
    bytes_documentos: Valor = None,
    pessoas: Valor = None,
    chaves: Valor = None,
    custo_mes: Valor = None,
    conversas: Valor = None,
    pedidos_por_minuto: Valor = None,
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

    async def work(container: Container, scope: Scope) -> tuple[Numeros, bool]:
        from crivo.kernel.cotas import read_cotas

        casas = container.organizacoes
        values = read_cotas({name: _written(said) for name, said in changed.items()}, _option, f"ou '{_NENHUMA}' para não ter cota própria")
        before = (await casas.obter(scope, organizacao)).numeros
        if not changed:
            return before, False
        kept = {uso.cota.codigo: uso.limite for uso in before.usos if uso.propria} | dict(values)
        numeros, mudadas = await casas.definir_cotas(
            scope, organizacao, {name: one for name, one in kept.items() if one is not None}, motivo
        )
        return numeros, bool(mudadas)

    numeros, done = ambiente.use(work, any_organisation=True)
    if ambiente.json:
        emit_value({"id": organizacao, "mudou": done, **_figures(numeros)})
        return
    _show(numeros)
    if not done and (changed or motivo.strip()):
        same = "As cotas já eram estas: nada mudou" if changed else "Nenhuma cota foi pedida: nada mudou"
        note(f"{same}{', e este motivo não foi guardado' if motivo.strip() else ''}.")


def _written(said: str) -> str:
    """A quota as it was written; an empty text is none of those that take one away."""
    plain = said.strip()
    return "" if plain.casefold() == _NENHUMA else plain or "(vazio)"


def _option(cota: Cota) -> str:
    return f"--{cota.codigo.replace('_', '-')}"


def _since(one: Organizacao) -> str:
    return f" desde {day(one.suspensa_em)}" if one.suspensa_em else ""


def _show(numeros: Numeros) -> None:
    from crivo.kernel.cotas import limite_em_palavras, said

    rows = [
        (
            uso.cota.nome,
            "" if uso.usado is None else said(uso.cota, uso.usado),
            limite_em_palavras(uso, " (de toda a instalação)"),
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
