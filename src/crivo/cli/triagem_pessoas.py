"""`crivo triagem avaliadores`: who judges an edital, and how far each has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, moment, note, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.triagem.distribuicao.guardados import QuemJulga
    from crivo.triagem.distribuicao.pessoas import Equipe

EditalId = Annotated[str, typer.Argument(metavar="EDITAL", help="Código do edital, como ED-2026-04.")]
_NOBODY = "Ninguém avalia este edital ainda. Diga quem, na página do edital em Quem avalia."


def avaliadores(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista quem avalia um edital: quantos projetos, quantos com rascunho e enviados, e o último lembrete."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Equipe:
        return await container.quem_avalia.equipe(scope, edital)

    equipe = ambiente.use(work)
    if ambiente.json:
        told = {"edital_id": edital, "avaliadores": equipe.pessoas, "projetos": equipe.projetos, "sem_ninguem": equipe.sem_ninguem}
        emit_value(told)
        return
    head = ("Pessoa", "E-mail", "Projetos", "Por começar", "Com rascunho", "Enviados", "Último lembrete")
    table(head, [_row(one) for one in equipe.pessoas], whole="E-mail", empty=_NOBODY)
    if equipe.projetos:
        note(f"Projetos que não estão com ninguém: {equipe.sem_ninguem} de {equipe.projetos}.")


def _row(one: QuemJulga) -> tuple[str, ...]:
    counted = (str(one.projetos), str(one.por_comecar), str(one.rascunhos), str(one.enviadas))
    reminded = f"{moment(one.lembrada_em)}, por {one.lembrada_por}" if one.lembrada_em else "nenhum"
    return (one.nome, one.email, *counted, reminded)
