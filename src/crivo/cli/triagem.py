"""`crivo triagem`: public calls imported, estimated, screened, followed and cancelled."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from crivo.cli.ajuda import Aplicacao
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import FAILED, console, emit_value, moment, note, problem_line, problem_value, say, table
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.errors import Problem
    from crivo.triagem.achados import Resultado
    from crivo.triagem.andamento import Execucao
    from crivo.triagem.custeio import Estimativa
    from crivo.triagem.importacao import Importacao
    from crivo.triagem.service import EditalNaLista, Importada

_AT_ONCE: Final = 4  # projects: while one's files are read, another is judged
_MOST_AVISOS: Final = 10

app = Aplicacao("Importa editais, tria os projetos e mostra o que foi achado; quem decide são pessoas.")

EditalId = Annotated[str, typer.Argument(metavar="EDITAL", help="Código do edital, como ED-2026-04.")]
TipoDeTriagem = Annotated[
    Literal["completa", "habilitacao", "avaliacao", "irregularidades"],
    typer.Option("--tipo", metavar="TIPO", help="O que fazer: completa, habilitacao, avaliacao ou irregularidades."),
]

EmLote = Annotated[
    bool, typer.Option("--em-lote", help="Mais barato, sem pressa: o provedor do modelo responde em até 24 horas, pela metade do preço.")
]
_NO_LOTE: Final = (
    "Em lote: o provedor responde em até 24 horas. Ctrl-C não cancela: um 'crivo trabalhador' segue com ela, "
    "ou 'crivo triagem retomar {edital}' mais tarde."
)


@app.comando("esquema")
def esquema() -> None:
    """Imprime o JSON Schema do arquivo de importação."""
    from crivo.triagem.esquema import esquema as published

    emit_value(published())


@app.comando("importar")
def importar(
    ctx: typer.Context,
    fonte: Annotated[Path, typer.Argument(metavar="PASTA|ARQ", help="Pasta ou JSON do edital, ou exportação do Mapas Culturais.")],
    aceitar_apagados: Annotated[
        bool,
        typer.Option("--aceitar-apagados", help="Quem pediu para ser apagado consentiu de novo: entra, e a auditoria registra."),
    ] = False,
    no_edital: Annotated[
        str | None, typer.Option("--no-edital", metavar="EDITAL", help="Traz só os projetos, para um edital que já existe.")
    ] = None,
    retirar: Annotated[bool, typer.Option("--retirar", help="Com --no-edital: saem do edital os projetos que não vierem.")] = False,
    motivo: Annotated[
        str, typer.Option("--motivo", metavar="TEXTO", help="Por que mudam as regras de classificação de um resultado já publicado.")
    ] = "",
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Importa um edital com projetos e documentos: tudo, ou nada, com cada problema apontado.

    Importar de novo o mesmo edital troca o que havia; as triagens já feitas continuam legíveis.
    Projetos de quem pediu para ser apagado ficam de fora, e é dito quais; e quem vai avaliar e ainda não pode.
    """
    from crivo.triagem.fora import told
    from crivo.triagem.impedidos import heading
    from crivo.triagem.importacao import read_chamada
    from crivo.triagem.palavras import count
    from crivo.triagem.service import Acolhida

    ambiente = Ambiente.of(ctx, tenant, as_json)
    before = read_chamada(fonte) if no_edital is None else None  # a file that is wrong is told before any database is asked

    async def work(container: Container, scope: Scope) -> tuple[Importada, Importacao]:
        if before is not None:
            importada = await container.triagem.importar(scope, before, aceitar_apagados=aceitar_apagados, motivo=motivo)
            return importada, await container.chamadas.conferir_importada(scope, before)
        acolhedor, visto = await container.chamadas.acolher(scope, no_edital or "")
        projetos, acolhida = read_chamada(fonte, acolhedor=acolhedor), Acolhida(visto, retirar)
        return await container.triagem.importar(scope, projetos, aceitar_apagados=aceitar_apagados, acolhida=acolhida), projetos

    importada, lida = ambiente.use(work)
    if ambiente.json:
        emit_value({**_fields(importada), "avisos": [problem_value(aviso) for aviso in lida.avisos]})
        return
    say(
        f"✓ Edital {importada.edital_id} {'trocado' if importada.substituiu else 'importado'}: "
        f"{count(importada.projetos, 'projeto', 'projetos')}, "
        f"{count(importada.arquivos, 'arquivo', 'arquivos')}."
    )
    if importada.avaliados or importada.decididos:
        notas = count(importada.avaliados, "projeto com notas novas de pessoas", "projetos com notas novas de pessoas")
        say(f"✓ {notas}; {count(importada.decididos, 'habilitação decidida', 'habilitações decididas')} por pessoas.")
    left = told(importada.fora, importada.avaliadores_fora)
    for line in left:
        say(f"! {line}")
    if left:
        note("  Se essas pessoas consentiram de novo, importe outra vez com --aceitar-apagados.")
    if importada.impedidos:
        say(f"! {heading(importada.impedidos)}:")
    for one in importada.impedidos:
        say(f"  {one.dito_no_terminal}")
    if importada.imagens is not None:
        say(f"! {importada.imagens.dito}")
    _show_avisos(lida.avisos)
    note(f"Para triar: crivo triagem executar {importada.edital_id}")


@app.comando("listar")
def listar(ctx: typer.Context, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Lista os editais importados, com a última triagem de cada um."""
    from crivo.cli.mostra_triagem import last_run

    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> tuple[EditalNaLista, ...]:
        return await container.triagem.editais(scope)

    editais = ambiente.use(work)
    if ambiente.json:
        emit_value(editais)
        return
    rows = [(e.edital_id, e.nome, str(e.projetos), moment(e.importado_em), last_run(e.execucao)) for e in editais]
    table(
        ("Edital", "Nome", "Projetos", "Importado em", "Última triagem"),
        rows,
        whole="Edital",
        empty="Nenhum edital ainda. Importe um com 'crivo triagem importar PASTA'.",
    )


@app.comando("edital")
def edital(ctx: typer.Context, edital: EditalId, tenant: Tenant = None) -> None:
    """Imprime o que um edital pede, no JSON de importação e sem os projetos.

    Corrigido e importado de novo, os projetos do edital ficam como estão.
    """
    from crivo.triagem.chamadas.definicao import to_json

    ambiente = Ambiente.of(ctx, tenant, as_json=False)

    async def work(container: Container, scope: Scope) -> bytes:
        return to_json((await container.chamadas.abrir(scope, edital)).chamada)

    sys.stdout.write(ambiente.use(work).decode())


@app.comando("estimar")
def estimar(ctx: typer.Context, edital: EditalId, tipo: TipoDeTriagem = "completa", tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Diz quanto custaria uma triagem e o que as anteriores já poupam."""
    from crivo.cli.mostra_triagem import show_estimate

    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Estimativa:
        return await container.triagem.estimar(scope, edital, tipo)

    estimativa = ambiente.use(work)
    if ambiente.json:
        emit_value(estimativa)
    else:
        show_estimate(estimativa)


@app.comando("executar")
def executar(
    ctx: typer.Context,
    edital: EditalId,
    tipo: TipoDeTriagem = "completa",
    em_lote: EmLote = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Tria o edital inteiro e mostra o que foi achado. Ctrl-C deixa feito o que já foi feito; 'retomar' continua.

    O que não mudou desde a última triagem não é feito de novo.
    """
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def begin(container: Container, scope: Scope) -> Execucao:
        execucao = await container.triagem.executar(scope, edital, tipo, em_lote=em_lote)
        if em_lote:
            note(_NO_LOTE.format(edital=edital))
        return execucao

    _see_through(ambiente, edital, begin)


@app.comando("retomar")
def retomar(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Continua a última triagem de onde ela parou, e pergunta de novo o que deu erro ou ficou sem uma boa resposta do modelo."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def begin(container: Container, scope: Scope) -> Execucao:
        return await container.triagem.retomar(scope, edital)

    _see_through(ambiente, edital, begin)


@app.comando("status")
def status(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mostra em que pé está a triagem do edital."""
    from crivo.cli.mostra_triagem import show_execucao

    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Execucao:
        return await container.triagem.status(scope, edital)

    execucao = ambiente.use(work)
    if ambiente.json:
        emit_value(execucao)
    else:
        show_execucao(execucao)


@app.comando("cancelar")
def cancelar(ctx: typer.Context, edital: EditalId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Interrompe a triagem em andamento; o que já foi achado fica guardado."""
    ambiente = Ambiente.of(ctx, tenant, as_json)

    async def work(container: Container, scope: Scope) -> Execucao:
        return await container.triagem.cancelar(scope, edital)

    execucao = ambiente.use(work)
    if ambiente.json:
        emit_value(execucao)
    else:
        say(f"✓ Triagem cancelada. Para continuar depois: crivo triagem retomar {edital}")


@dataclass(frozen=True, slots=True)
class _Ended:
    execucao: Execucao
    resultado: Resultado


Begin = Callable[["Container", Scope], Awaitable["Execucao"]]


def _see_through(ambiente: Ambiente, edital: str, begin: Begin) -> None:
    """Begin an execução, work on it in this process beside whatever other workers there are, and show what came of it."""
    from crivo.cli.mostra_triagem import show_execucao, show_resultado
    from crivo.triagem.exportacao import to_json

    async def work(container: Container, scope: Scope) -> _Ended:
        execucao = await begin(container, scope)
        execucao = await run(container, scope, execucao, quiet=ambiente.json)
        return _Ended(execucao, await container.triagem.resultado(scope, edital, execucao.id))

    ended = ambiente.use(work)
    if ambiente.json:
        sys.stdout.write(to_json(ended.resultado).decode() + "\n")
    else:
        show_execucao(ended.execucao)
        show_resultado(ended.resultado)
    if ended.execucao.status != "concluida":
        raise typer.Exit(FAILED)


async def run(container: Container, scope: Scope, execucao: Execucao, *, quiet: bool = False) -> Execucao:
    """Do the jobs of an execução in this process until it ends, with a bar on a terminal; how it ended."""
    from crivo.kernel.jobs.worker import working

    async with container.trabalhador(_AT_ONCE) as worker, working(worker):
        with _progress(execucao, quiet=quiet) as tell:
            async for now in container.triagem.acompanhar(scope, execucao.edital_id):
                tell(now)
                execucao = now
    return execucao


@contextmanager
def _progress(execucao: Execucao, *, quiet: bool) -> Iterator[Callable[[Execucao], None]]:
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from crivo.cli.mostra_triagem import FASES

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        tasks = {fase.fase: bar.add_task(FASES[fase.fase], total=fase.total, completed=fase.feitos) for fase in execucao.fases}

        def tell(now: Execucao) -> None:
            for fase in now.fases:
                bar.update(tasks[fase.fase], completed=fase.feitos, total=fase.total)

        yield tell


def _show_avisos(avisos: tuple[Problem, ...]) -> None:
    for aviso in avisos[:_MOST_AVISOS]:
        note(f"  ! {problem_line(aviso)}")
    if len(avisos) > _MOST_AVISOS:
        note(f"  … e mais {len(avisos) - _MOST_AVISOS} avisos; veja todos com --json.")


def _fields(importada: Importada) -> dict[str, Any]:
    return {name: getattr(importada, name) for name in importada.__struct_fields__}
