"""`crivo triagem modelo-de-notas` and `importar-notas`: notas and habilitações that people gave outside, in a spreadsheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.arquivos import STANDARD, open_saida, read_file
from crivo.cli.resultado_triagem import EditalId, SaidaObrigatoria
from crivo.cli.saida import emit_value, note, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.triagem.planilha.previa import PreviaDeNotas, Trazidas

_SHOWN = 20


def modelo_de_notas(
    ctx: typer.Context,
    edital: EditalId,
    saida: Annotated[str, typer.Option("--saida", metavar="ARQ", help="Planilha a gravar; '-' escreve na saída padrão.")] = STANDARD,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Grava a planilha em que se preenchem as notas e a habilitação dos projetos de um edital."""
    if saida == STANDARD and sys.stdout.isatty():
        raise SaidaObrigatoria("A planilha não cabe no terminal. Diga onde gravar com --saida notas.xlsx.")
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> bytes:
        return await container.notas_trazidas.modelo(scope, edital)

    _write(saida, ambiente.use(work))
    if saida != STANDARD:
        note(f"Preencha e veja o que mudaria com: crivo triagem importar-notas {edital} {saida}")


def importar_notas(
    ctx: typer.Context,
    edital: EditalId,
    arquivo: Annotated[str, typer.Argument(metavar="ARQ", help="Planilha .xlsx ou .csv, como a de modelo-de-notas; '-' lê da entrada.")],
    confirmar: Annotated[bool, typer.Option("--confirmar", help="Importa o que a prévia mostra. Sem esta opção, nada é gravado.")] = False,
    anotada: Annotated[
        str | None, typer.Option("--anotada", metavar="ARQ", help="Se houver problemas, grava uma cópia da planilha com eles anotados.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Mostra o que uma planilha de notas e habilitações mudaria e, com --confirmar, importa: tudo, ou nada.

    Cada problema é apontado pela célula. O que não vem na planilha fica como está.
    """
    from crivo.kernel.planilha.arquivo import PLANILHA_MAXIMO
    from crivo.triagem.planilha.erros import PlanilhaRecusada

    ambiente = Ambiente.of(ctx, tenant, as_json)
    content = read_file(arquivo, PLANILHA_MAXIMO)

    async def work(container: Container, scope: Scope) -> tuple[PreviaDeNotas, Trazidas | None]:
        try:
            previa = await container.notas_trazidas.conferir(scope, edital, content)
        except PlanilhaRecusada:
            if anotada is not None:
                _write(anotada, await container.notas_trazidas.anotar(scope, edital, content))
            raise
        if not confirmar or not previa.muda:
            return previa, None
        return previa, await container.notas_trazidas.trazer(scope, edital, content, previa.prevista)

    previa, trazidas = ambiente.use(work)
    if ambiente.json:
        emit_value({"previa": previa, "importada": trazidas})
        return
    _show(previa)
    if trazidas is not None:
        say("✓ Importado.")
        note(f"Para ver os lugares: crivo triagem resultado {edital}")
    elif previa.muda:
        note("Nada foi gravado ainda. Confira e repita com --confirmar.")


def _write(saida: str, content: bytes) -> None:
    with Path("/dev/null").open("rb") as nothing, open_saida(saida, nothing) as written:
        written.write(content)
    if saida != STANDARD:
        note(f"✓ Gravado em {saida}.")


def _show(previa: PreviaDeNotas) -> None:
    from crivo.triagem.planilha.palavras import antes_said, said, summary

    for line in summary(previa):
        say(line)
    if previa.mudadas:
        rows = [(one.projeto, one.criterio, one.nome, antes_said(one), said(one.agora)) for one in previa.mudadas[:_SHOWN]]
        table(("Projeto", "Critério", "Quem avaliou", "Era", "Fica"), rows, whole="Projeto")
        if previa.notas_mudadas > _SHOWN:
            note(f"  … e mais {previa.notas_mudadas - _SHOWN}; veja com --json.")
    if previa.decisoes:
        from crivo.triagem.palavras import HABILITACAO

        words = [(one.projeto, HABILITACAO[one.antes].palavra, HABILITACAO[one.agora].palavra) for one in previa.decisoes[:_SHOWN]]
        table(("Projeto", "Habilitação era", "Fica"), words, whole="Projeto")
    for onde, mensagem in previa.avisos[:_SHOWN]:
        note(f"  ! {onde}: {mensagem}")
    if previa.avisos_no_total > _SHOWN:
        note(f"  … e mais {previa.avisos_no_total - _SHOWN}; veja com --json.")
