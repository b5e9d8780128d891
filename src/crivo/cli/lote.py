"""`crivo autorizacoes lote`: many pedidos, one a line, decided without being stored."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO, ClassVar

import typer

from crivo.autorizacoes.palavras import DECISOES, count, number
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, ArquivoInacessivel, label, open_entrada, open_saida, size_of
from crivo.cli.saida import FAILED, emit_value, note
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sistema import explain
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.autorizacoes.lote import Rules, Totais
    from crivo.bootstrap import Container

Progress = Callable[[int, int], None]


_SEM_A_CASA = (
    "Há regras com limite por período. O lote conta só o histórico que cada pedido traz, e não o que já foi aprovado aqui: "
    "decidido de verdade, um pedido pode ter outra resposta."
)


class ProcessoPerdido(CrivoError):
    """A worker process ended before its lines were decided."""

    codigo: ClassVar[str] = "processo_perdido"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Um dos processos terminou antes da hora"


def lote(
    ctx: typer.Context,
    entrada: Annotated[
        str,
        typer.Argument(
            metavar="ENTRADA",
            help="Um pedido em JSON por linha (.ndjson), ou um .csv que um mapeamento publicado lê; '-' lê da entrada padrão.",
        ),
    ],
    saida: Annotated[str, typer.Option("--saida", metavar="SAIDA.ndjson", help="Um resultado por linha; '-' escreve na saída padrão.")],
    processos: Annotated[int, typer.Option("--processos", metavar="N", min=1, max=64, help="Quantos processos decidem lado a lado.")] = 1,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Decide um arquivo de pedidos, um por linha, na mesma ordem, sem guardar as decisões.

    Uma linha que não traz um pedido também tem resultado, que diz o que há de errado com ela; o lote segue, e o total
    de erros aparece no fim. A saída só toma o lugar do arquivo anterior quando o lote termina. Um XML não se lê por linhas: mande
    cada um com `crivo autorizacoes decidir`. Termina com código 1 quando nenhuma linha pôde ser decidida.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def rules(container: Container, scope: Scope) -> Rules:
        return await container.autorizacoes.regras_em_vigor(scope)

    regras = ambiente.use(rules)
    if regras.count_over_history:
        note(_SEM_A_CASA)
    with open_entrada(entrada) as lida, open_saida(saida, lida) as escrita:
        totais = _run(lida, escrita, regras, processos, saida)
    if ambiente.json and saida != STANDARD:
        emit_value({"linhas": totais.linhas, "por_resultado": dict(totais.por_resultado)})
    else:
        note(_told(totais))
    if totais.linhas and totais.por_resultado["erro"] == totais.linhas:
        raise typer.Exit(FAILED)


def _run(entrada: BinaryIO, saida: BinaryIO, regras: Rules, processos: int, path: str) -> Totais:
    from crivo.autorizacoes.lote import run_lote

    try:
        with _progress(size_of(entrada)) as on_progress:
            totais = run_lote(entrada, saida, regras, processos=processos, on_progress=on_progress)
            saida.flush()
    except BrokenProcessPool as error:
        raise ProcessoPerdido("Pode ter faltado memória. Rode de novo com menos processos em --processos.") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        named = label(path, "A saída padrão")
        raise ArquivoInacessivel(f"{named} {explain(error)}. Nada foi mudado; libere espaço ou indique outra saída.") from error
    return totais


@contextmanager
def _progress(total_bytes: int | None) -> Iterator[Progress]:
    """A bar by bytes on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from crivo.cli.saida import console

    columns = (TextColumn("Decidindo"), BarColumn(), DownloadColumn(), TextColumn("{task.fields[linhas]} linhas"), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        task = bar.add_task("", total=total_bytes, linhas=0)
        done = 0

        def advance(consumed: int, lines: int) -> None:
            nonlocal done
            done += lines
            bar.update(task, advance=consumed, linhas=done)

        yield advance


def _told(totais: Totais) -> str:
    counted = [
        f"  {rotulo.palavra}: {number(totais.por_resultado[final])}" for final, rotulo in DECISOES.items() if totais.por_resultado[final]
    ]
    erros = totais.por_resultado["erro"]
    return "\n".join(
        [
            f"{count(totais.linhas, 'linha lida', 'linhas lidas')}.",
            *counted,
            *([f"  Com erro: {number(erros)} (o resultado da linha diz qual)"] if erros else []),
        ]
    )
