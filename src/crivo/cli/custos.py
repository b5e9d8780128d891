"""`crivo custos`: what models cost an organisation, by day, application, model or agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.llm.custos import Gastos, Grupo, Soma

Por = Literal["dia", "aplicacao", "modelo", "agente"]
_COLUMNS: Final = ("Custo", "Sem preço", "Chamadas", "Lidos", "Escritos", "Falharam", "Servidas uma vez", "Pago por nada")


def custos(
    ctx: typer.Context,
    mes: Annotated[str, typer.Option("--mes", metavar="AAAA-MM", help="O mês; sem período, o atual.", show_default=False)] = "",
    de: Annotated[str, typer.Option("--de", metavar="AAAA-MM-DD", help="Do dia, no horário de Brasília.", show_default=False)] = "",
    ate: Annotated[str, typer.Option("--ate", metavar="AAAA-MM-DD", help="Até o dia, inclusive.", show_default=False)] = "",
    por: Annotated[Por, typer.Option("--por", help="Como somar.")] = "agente",
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra o que os modelos custaram: chamadas, tokens e dólares, com o que não trouxe proveito e o limite do mês."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Gastos:
        from crivo.kernel.clock import today
        from crivo.kernel.llm.custos import read_periodo

        return await container.custos.gastos(scope, read_periodo(mes, de, ate, today(container.clock)))

    gastos = ambiente.use(work)
    if ambiente.json:
        from crivo.kernel.llm.custos import Recorte
        from crivo.web.api.custos import CustosDoPeriodo, encode

        emit(encode(CustosDoPeriodo.of(gastos, Recorte())), as_json=True)
        return
    _show(gastos, por)


def _show(gastos: Gastos, por: Por) -> None:
    from crivo.kernel.llm.custos import by, projected, total_of

    keys: dict[Por, Callable[[Grupo], str]] = {
        "dia": lambda one: one.dia.isoformat(),
        "aplicacao": lambda one: one.aplicacao or "(não anotada)",
        "modelo": lambda one: one.modelo,
        "agente": lambda one: one.agente or "(não anotado)",
    }
    found = by(gastos.grupos, keys[por])
    ordered = sorted(found) if por == "dia" else list(found)
    total = total_of(gastos.grupos)
    titles = ("Dia" if por == "dia" else por.capitalize().replace("Aplicacao", "Aplicação"), *_COLUMNS)
    rows = [_row(one, found[one]) for one in ordered]
    table(titles, [*rows, _row("Total", total)] if rows else [], empty="Nenhuma chamada a modelo neste período.")
    say(f"De {gastos.periodo.de:%d/%m/%Y} a {gastos.periodo.ate:%d/%m/%Y}; custos em dólares.")
    if gastos.limite is not None:
        say(f"Limite do mês: {gastos.limite:.2f}.")
    if (projeto := projected(gastos)) is not None and projeto:
        say(f"No ritmo de até agora, o mês terminaria em cerca de {projeto:.2f} (projeção).")
    if total.sem_preco:
        note("O que não tem preço conhecido não está nas somas de custo.")


def _row(name: str, soma: Soma) -> tuple[str, ...]:
    return (
        name,
        f"{soma.custo:.4f}",
        str(soma.sem_preco or ""),
        str(soma.chamadas),
        str(soma.tokens_entrada),
        str(soma.tokens_saida),
        str(soma.falharam or ""),
        str(soma.provisorias or ""),
        f"{soma.custo_perdido:.4f}" if soma.custo_perdido else "",
    )
