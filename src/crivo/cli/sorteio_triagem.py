"""`crivo triagem sortear-avaliadores`: who would judge what by a draw, and a draw made again to hold it against what it gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.resultado_triagem import EditalId
from crivo.cli.saida import FAILED, emit_value, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio, PreviaDeSorteio
    from crivo.triagem.distribuicao.sorteios import SorteioConferido


def sortear_avaliadores(
    ctx: typer.Context,
    edital: EditalId,
    semente: Annotated[str, typer.Option("--semente", metavar="TEXTO", help="Com que se sorteia; sem ela, a do edital.")] = "",
    por_projeto: Annotated[
        int | None, typer.Option("--por-projeto", metavar="N", help="Pessoas por projeto; sem ele, o mínimo do edital.")
    ] = None,
    maximo: Annotated[int | None, typer.Option("--maximo", metavar="N", help="Projetos por pessoa, no máximo, com os que já tem.")] = None,
    outra: Annotated[bool, typer.Option("--outra", help="Só os projetos que pedem outra pessoa, uma a mais para cada.")] = False,
    conferir: Annotated[bool, typer.Option("--conferir", help="Refaz o último sorteio dado e diz se dá as mesmas entregas.")] = False,
    ato: Annotated[UUID | None, typer.Option("--ato", metavar="ID", help="Com --conferir: qual sorteio, se não o último.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra quem avaliaria o quê por sorteio, ou refaz um sorteio e o confere.

    Nada é dado aqui: dar é de uma pessoa, na página do edital em Quem avalia. O mesmo pedido, sobre o mesmo edital, sai igual.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)
    if conferir:

        async def check(container: Container, scope: Scope) -> SorteioConferido:
            return await container.sorteios.conferir(scope, edital, ato)

        _show_checked(edital, ambiente.use(check), as_json=ambiente.json)
        return
    pedido = _asked(semente, por_projeto, maximo, outra=outra)

    async def foresee(container: Container, scope: Scope) -> PreviaDeSorteio:
        return await container.sorteios.prever(scope, edital, pedido)

    _show(ambiente.use(foresee), as_json=ambiente.json)


def _asked(semente: str, por_projeto: int | None, maximo: int | None, *, outra: bool) -> PedidoDeSorteio:
    from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio  # here, for the start of every command

    return PedidoDeSorteio("outra" if outra else "edital", por_projeto, maximo, semente)


def _show(previa: PreviaDeSorteio, *, as_json: bool) -> None:
    if as_json:
        emit_value(previa)
        return
    nomes = {one.id: one.nome for one in previa.pessoas}
    people = [(one.nome, str(one.tem), str(one.recebe), str(one.fica), ", ".join(one.categorias)) for one in previa.pessoas]
    table(("Pessoa", "Tem", "Recebe", "Fica com", "Categorias"), people, whole="Pessoa")
    rows = [(one.projeto_id, ", ".join(sorted([nomes[who] for who in one.avaliadores]))) for one in previa.entram]
    table(("Projeto", "Vai para"), rows, whole="Projeto", empty="Não há o que sortear.")
    for one in previa.faltas:
        say(f"{one.codigo}: {'falta 1 pessoa' if one.faltam == 1 else f'faltam {one.faltam} pessoas'}.")
    note(f"Semente {previa.semente}. SHA-256 das entregas: {previa.pares_resumo}. Nada foi dado: confirme na página do edital.")


def _show_checked(edital: str, found: SorteioConferido, *, as_json: bool) -> None:
    if as_json:
        sorteio = found.sorteio
        told = {
            "edital_id": edital,
            "ato_id": sorteio.ato_id,
            "confere": found.confere,
            "entrada": sorteio.entrada,
            "entrada_sha256": sorteio.entrada_resumo,
            "pares": [{"projeto_id": codigo, "avaliadores": people} for codigo, people in found.refeito.pares],
            "pares_sha256": found.refeito.resumo,
            "pares_sha256_guardado": sorteio.pares_resumo,
        }
        emit_value(told)
    else:
        rows = [(codigo, ", ".join(people)) for codigo, people in found.refeito.pares]
        table(("Projeto", "Pessoas, pelo id"), rows, whole="Pessoas, pelo id")
        note(f"Semente {found.sorteio.entrada.semente}. SHA-256 das entregas: {found.refeito.resumo}.")
        note("✓ Refeito agora, o sorteio dá as mesmas entregas." if found.confere else "✗ O que está guardado não dá as mesmas entregas.")
    if not found.confere:
        raise typer.Exit(FAILED)
