"""`crivo clinicas avaliar` and `avaliar-verificador`: the figures of conversations, and of the verifier alone."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import emit_value, note, say, table
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crivo.clinicas.avaliacao.conjunto import Caso
    from crivo.clinicas.avaliacao.execucao import Execucao

_EVERY: Final = 20  # cases between two words about progress

Conjunto = Annotated[Path, typer.Option("--conjunto", metavar="ARQ", help="O conjunto de casos, em JSON.")]


class RelatorioNaoGravado(CrivoError):
    """The folder of the reports cannot be written."""

    codigo: ClassVar[str] = "relatorio_nao_gravado"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Relatório não gravado"


def avaliar(
    ctx: typer.Context,
    conjunto: Conjunto,
    planejador: Annotated[
        Literal["embutido"], typer.Option("--planejador", help="Quem planeja os turnos; o embutido é só código.")
    ] = "embutido",
    dados: Annotated[
        Path | None, typer.Option("--dados", metavar="PASTA", help="De onde encher as clínicas em cada caso; sem ela, da amostra.")
    ] = None,
    saida: Annotated[
        Path | None, typer.Option("--saida", metavar="PASTA", help="Onde gravar JSON, Markdown e gráfico; sem ela, na pasta de dados.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Roda um conjunto de conversas contra seis clínicas de verdade e mede o que saiu.

    Cada caso começa com as agendas como eram. O relógio é o de CRIVO_AGORA, ou o que a pasta de dados diz.
    """
    from crivo.clinicas.avaliacao.conjunto import read_case_file
    from crivo.clinicas.avaliacao.execucao import execute
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()
    configure_logs("ERROR")
    casos = read_case_file(conjunto)
    progress = Progress(len(casos))
    run = asyncio.run(execute(casos, data_dir=settings.data_dir, dados=dados, agora=settings.agora, on_case=progress.step))
    folder = saida or settings.data_dir / "avaliacoes"
    document = write_reports(casos, run, planejador, folder, settings.clock.now())
    if ambiente.json:
        emit_value(document)
    else:
        _show(run, folder)


def avaliar_verificador(ctx: typer.Context, conjunto: Conjunto, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Mede o verificador em textos rotulados: o que pega de cada regra, e os alarmes falsos."""
    from crivo.clinicas.orquestrador.verifier import avaliacao

    ambiente = Ambiente.of(ctx, tenant, as_json)
    agora = ambiente.settings().agora
    casos = avaliacao.load_casos(conjunto)
    document = avaliacao.avaliar(casos) if agora is None else avaliacao.avaliar(casos, agora=agora)
    if ambiente.json:
        emit_value(document)
        return
    metricas = document["metricas"]
    rows = [("todas", _written(metricas["recall"]), _written(metricas["alarmes_falsos"]))]
    rows += [(regra, _written(one["recall"]), _written(one["alarmes_falsos"])) for regra, one in metricas["por_regra"].items()]
    table(("Regra", "Encontrado", "Alarmes falsos"), rows)
    wrong = [caso["id"] for caso in document["casos"] if not caso["certo"]]
    say(f"{metricas['casos']} casos. Errados: {', '.join(wrong) or 'nenhum'}.")


class Progress:
    """Says now and then how far a run has come."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def step(self) -> None:
        """One case more."""
        self._done += 1
        if self._done % _EVERY == 0 or self._done == self._total:
            note(f"{self._done} de {self._total} casos")


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
    from crivo.clinicas.avaliacao.relatorio import CLASSES, NOMES, rate, share

    classes = run.resultado.classes
    rows = [
        (nome, share(rate(run.resultado.geral, key)), *(share(rate(figures, key)) for figures in classes.values()))
        for key, nome in NOMES.items()
    ]
    table(("Métrica", "Geral", *(CLASSES[name] for name in classes)), rows, whole="Métrica")
    say(f"Saíram errados: {', '.join(run.resultado.erros) or 'nenhum'}.")
    say(f"Relatório, tabela e gráfico em {folder}.")


def _written(proportion: dict[str, Any]) -> str:
    if proportion["valor"] is None:
        return "–"
    low, high = proportion["intervalo"]
    shown = f"{100 * proportion['valor']:.1f} % ({100 * low:.1f} a {100 * high:.1f}; {proportion['acertos']}/{proportion['total']})"
    return shown.replace(".", ",")
