"""`crivo triagem casos`: what a screening found, by its causes, and what people decided of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, note, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.triagem.casos.guardados import Caso


def casos(
    ctx: typer.Context,
    edital: Annotated[str, typer.Argument(metavar="EDITAL", help="Código do edital, como ED-2026-04.")],
    situacao: Annotated[
        Literal["aberto", "confirmado", "descartado", "sumido"] | None,
        typer.Option(
            "--situacao", metavar="SITUAÇÃO", help="aberto, confirmado, descartado, ou sumido: os que a última triagem não achou mais."
        ),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Lista os casos de um edital, do mais grave ao mais leve; confirmar e descartar é de uma pessoa, nas páginas."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[Caso, ...]:
        return await container.casos.listar(scope, edital, situacao)

    found = ambiente.use(work)
    if ambiente.json:
        emit_value([_value(one) for one in found])
        return
    table(("Caso", "Gravidade", "O que é", "Projetos", "Situação"), [_row(one) for one in found], empty="Nenhum caso.")
    if found:
        note(f"Para decidir: /admin/editais/{edital}/triagem-ia?aba=irregularidades")


def _row(caso: Caso) -> tuple[str, ...]:
    from crivo.triagem.casos.palavras import GRAVIDADE, NAO_APARECE, SITUACAO_CASO

    stands = SITUACAO_CASO[caso.situacao].palavra
    gone = "" if caso.presente else f". {NAO_APARECE}"
    return str(caso.numero), GRAVIDADE[caso.gravidade], caso.titulo, ", ".join(caso.projetos), f"{stands}{gone}"


def _value(caso: Caso) -> dict[str, object]:
    return {
        "numero": caso.numero,
        "titulo": caso.titulo,
        "gravidade": caso.gravidade,
        "situacao": caso.situacao,
        "presente": caso.presente,
        "projetos": caso.projetos,
        "tipos": caso.tipos,
        "motivo": caso.motivo,
        "decidido_em": caso.decidido_em,
    }
