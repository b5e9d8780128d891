"""`crivo clinicas avaliar` and `avaliar-verificador`: the figures of conversations, and of the verifier alone."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.clinicas_modelo import chosen, with_modelo
from crivo.cli.saida import console, emit_value, note, say, share, table
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from crivo.clinicas.avaliacao.conjunto import Caso
    from crivo.clinicas.avaliacao.execucao import Execucao
    from crivo.clinicas.service import Clinicas
    from crivo.kernel.settings import Planejador, Settings

_EVERY: Final = 20  # cases between two words about progress

Conjunto = Annotated[Path, typer.Option("--conjunto", metavar="ARQ", help="O conjunto de casos, em JSON.")]


class DadosSemConjunto(CrivoError):
    """Clinics are given without the conversations that go with them."""

    codigo: ClassVar[str] = "dados_sem_conjunto"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta o conjunto"


class RelatorioNaoGravado(CrivoError):
    """The folder of the reports cannot be written."""

    codigo: ClassVar[str] = "relatorio_nao_gravado"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Relatório não gravado"


def avaliar(
    ctx: typer.Context,
    conjunto: Annotated[
        Path | None, typer.Option("--conjunto", metavar="ARQ", help="O conjunto de casos, em JSON; sem ele, o que vem com o produto.")
    ] = None,
    planejador: Annotated[
        Literal["embutido", "modelo", "modelo_raciocinio"],
        typer.Option("--planejador", help="Quem planeja os turnos: embutido é só código; modelo e modelo_raciocinio, o de CRIVO_MODELO."),
    ] = "embutido",
    dados: Annotated[
        Path | None,
        typer.Option("--dados", metavar="PASTA", help="De onde encher as clínicas em cada caso; só com --conjunto; sem ela, da amostra."),
    ] = None,
    saida: Annotated[
        Path | None, typer.Option("--saida", metavar="PASTA", help="Onde gravar JSON, Markdown e gráfico; sem ela, na pasta de dados.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Roda um conjunto de conversas contra clínicas de verdade e mede o que saiu.

    Sem --conjunto, as clínicas são as da amostra, e não as suas: mede-se o programa, sempre com o mesmo resultado. Cada caso começa com
    as agendas como eram. O relógio é o de CRIVO_AGORA, ou o que a pasta de dados diz.
    """
    from crivo.clinicas.service import Clinicas
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()
    configure_logs("ERROR")
    chosen(settings, planejador)
    casos, where, agora = _asked(conjunto, dados, settings.agora)
    with progress(len(casos)) as step:
        run = asyncio.run(_executed(casos, Clinicas(settings.data_dir, agora, where), settings, planejador, step))
    folder = saida or settings.data_dir / "avaliacoes"
    document = write_reports(casos, run, planejador, folder, settings.clock.now())
    if ambiente.json:
        emit_value(document)
    else:
        _show(run, folder)


async def _executed(
    casos: Sequence[Caso], clinicas: Clinicas, settings: Settings, planejador: Planejador, on_case: Callable[[], None]
) -> Execucao:
    from crivo.clinicas.avaliacao.execucao import execute

    async with with_modelo(clinicas, settings, planejador) as asked:
        return await execute(
            casos,
            data_dir=asked.data_dir,
            dados=asked.dados,
            agora=asked.agora,
            modelo=asked.modelo,
            planejador=asked.planejador,
            dono=asked.dono,
            on_case=on_case,
        )


def _asked(conjunto: Path | None, dados: Path | None, agora: datetime | None) -> tuple[Sequence[Caso], Path | None, datetime | None]:
    """The cases, where their clinics are, and what time it is there; the set of the product has clinics and a clock of its own."""
    from crivo.clinicas.avaliacao.conjunto import read_case_file
    from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS

    if conjunto is not None:
        return read_case_file(conjunto), dados, agora
    if dados is not None:
        raise DadosSemConjunto("Com --dados, diga também com --conjunto quais são as conversas dessas clínicas.")
    return read_case_file(CONJUNTO), DADOS, None


def avaliar_verificador(ctx: typer.Context, conjunto: Conjunto, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mede o verificador em textos rotulados: o que pega de cada regra, e os alarmes falsos."""
    from crivo.clinicas.orquestrador.confere import avaliacao

    ambiente = Ambiente.of(ctx, tenant, as_json)
    agora = ambiente.settings().agora
    casos = avaliacao.load_casos(conjunto)
    document = avaliacao.avaliar(casos) if agora is None else avaliacao.avaliar(casos, agora=agora)
    if ambiente.json:
        emit_value(document)
        return
    metricas = document["metricas"]
    rows = [("todas", share(metricas["recall"]), share(metricas["alarmes_falsos"]))]
    rows += [(regra, share(one["recall"]), share(one["alarmes_falsos"])) for regra, one in metricas["por_regra"].items()]
    table(("Regra", "Encontrado", "Alarmes falsos"), rows)
    wrong = [caso["id"] for caso in document["casos"] if not caso["certo"]]
    say(f"{metricas['casos']} casos. Errados: {', '.join(wrong) or 'nenhum'}.")


@contextmanager
def progress(total: int, doing: str = "Conversando") -> Iterator[Callable[[], None]]:
    """Shows the progress of a run of `total` cases: a bar on a terminal, else a line now and then. Call the result after each case."""
    if sys.stderr.isatty():
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console(error=True), transient=True) as bar:
            task = bar.add_task(doing, total=total)
            yield lambda: bar.advance(task)
        return
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if done % _EVERY == 0 or done == total:
            note(f"{done} de {total} casos")

    yield step


def write_reports(casos: Sequence[Caso], run: Execucao, planejador: str, folder: Path, now: datetime) -> dict[str, Any]:
    """Write `clinicas-<quando>.json`, `.md` and `.svg` side by side; the first as a value. Raises RelatorioNaoGravado."""
    from crivo.cli.saida import encode
    from crivo.clinicas.avaliacao import grafico, relatorio

    name = f"clinicas-{now:%Y%m%d-%H%M%S}"
    document = relatorio.document(casos, run, planejador)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_bytes(encode(document))
        (folder / f"{name}.md").write_text(relatorio.markdown(casos, run, planejador, f"{name}.svg"), encoding="utf-8")
        (folder / f"{name}.svg").write_text(grafico.svg(run.resultado), encoding="utf-8")
    except OSError as error:
        raise RelatorioNaoGravado(f"Não foi possível gravar em {folder}: {error.strerror}. Use --saida com outra pasta.") from None
    return document


def _show(run: Execucao, folder: Path) -> None:
    from crivo.clinicas.avaliacao.relatorio import CLASSES, NOMES, failures, rate, share

    classes = run.resultado.classes
    rows = [
        (nome, share(rate(run.resultado.geral, key)), *(share(rate(figures, key)) for figures in classes.values()))
        for key, nome in NOMES.items()
    ]
    table(("Métrica", "Geral", *(CLASSES[name] for name in classes)), rows, whole="Métrica")
    told = failures(run)
    if told:
        say(f"O modelo falhou, e o código fez a parte dele: {', '.join(f'{name}, {count}' for name, count in told.items())}.")
    say(f"Saíram errados: {', '.join(run.resultado.erros) or 'nenhum'}.")
    say(f"Relatório, tabela e gráfico em {folder}.")
