"""`crivo banco backup` and `crivo banco restaurar`: all of an installation into a file, and back into an empty place."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant, scope_of
from crivo.cli.saida import FAILED, emit_value, moment, note, say
from crivo.kernel.errors import CrivoError
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.copia.copiar import Copia
    from crivo.kernel.copia.manifesto import Manifesto
    from crivo.kernel.copia.restaurar import Restaurada
    from crivo.kernel.settings import Settings

Passo = Callable[[str, int], None]

Arquivo = Annotated[Path, typer.Argument(metavar="ARQ", help="O arquivo da cópia.", show_default=False)]


def backup(
    ctx: typer.Context,
    arquivo: Arquivo,
    chaves: Annotated[
        Path | None,
        typer.Option("--chaves", metavar="ARQ", help="Grava também as chaves, neste arquivo à parte: guarde-o longe da cópia."),
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Copia a instalação inteira para um arquivo, enquanto ela atende: o banco, as agendas das clínicas daqui e as âncoras da auditoria.

    As chaves nunca vão na cópia. Com CRIVO_BACKUP_CHAVE o arquivo é cifrado. Ele só aparece com o nome dado quando está inteiro no disco.
    """
    from crivo.copias import back_up
    from crivo.kernel.copia.chaves import told_lacking

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()
    scope = scope_of(settings)
    with _progress("Copiando", quiet=as_json) as passo:
        made = back_up(settings, arquivo, chaves, settings.clock.now(), scope.ator, passo)
    copia = made.copia
    unnoted = _noted(ambiente, settings, copia)
    if ambiente.json:
        file = {"arquivo": str(arquivo), "tamanho": copia.bytes, "sha256": copia.sha256, "cifrada": copia.cifrada, "anotada": not unnoted}
        emit_value({**_value(copia.manifesto), **file, "chaves_que_faltam": [*made.faltam, *made.outras]})
        return
    say(f"✓ {arquivo}: {_counted(copia.manifesto)}, {_size(copia.bytes)}{', cifrada' if copia.cifrada else ''}.")
    say(f"  SHA-256 {copia.sha256}")
    if lacking := told_lacking(made.faltam, made.outras, "que esta instalação usa"):
        say(f"✗ Das chaves, {lacking}: o que essa chave fecha não abriria. Devolva-a à pasta de dados, e guarde-as com --chaves.")
    if unnoted:
        note(f"A cópia está feita, e não foi anotada no banco: {unnoted.rstrip('.')}.")
    if not copia.cifrada:
        note("O arquivo não é cifrado: só o que é de pessoas vai fechado. Para cifrar tudo, informe CRIVO_BACKUP_CHAVE.")
    if chaves is not None:
        say(f"✓ {chaves}: as chaves. Guarde-as longe da cópia: quem tem as duas coisas lê tudo.")
    else:
        note("As chaves não vão na cópia, e sem elas nada do que é de pessoas abre. Guarde-as com --chaves, ao menos uma vez.")


def restaurar(
    ctx: typer.Context,
    arquivo: Arquivo,
    chaves: Annotated[
        Path | None, typer.Option("--chaves", metavar="ARQ", help="As chaves que 'crivo banco backup --chaves' gravou.", show_default=False)
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Traz uma cópia de volta a um lugar vazio: o banco de CRIVO_DATABASE_URL, ou o embutido, e a pasta de dados.

    Tudo é conferido antes que algo seja gravado. No fim as linhas são contadas e a auditoria de cada organização é verificada. Se parar no
    meio, rode de novo com o mesmo arquivo.
    """
    from crivo.copias import restore

    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings = ambiente.settings()

    def proven(manifest: Manifesto) -> None:
        if not as_json:
            say(f"✓ A cópia de {moment(manifest.feita_em)} está inteira: {_counted(manifest)}. Restaurando…")

    broken: list[str] = []

    def ended(done: Restaurada) -> None:
        broken.extend(ambiente.use(_verified(done), settings, any_organisation=True, restoring=True))

    with _progress("Restaurando", quiet=as_json) as passo:
        done = restore(settings, arquivo, chaves, settings.clock.now(), scope_of(settings).ator, passo, proven, ended)
    if ambiente.json:
        emit_value({**_value(done.manifesto), "auditoria_integra": not broken, "organizacoes_com_quebras": broken})
    else:
        say(f"✓ Restaurada: {_counted(done.manifesto)}, como a cópia diz.")
        if done.concluida:
            left = "pôr os arquivos no lugar" if done.postos else "verificar a auditoria"
            say(f"  O banco já estava de volta desde a outra vez; faltava {left}.")
        say("✓ A auditoria de cada organização se sustenta." if not broken else f"✗ A auditoria não se sustenta em: {', '.join(broken)}.")
        if broken:
            note("A cópia foi restaurada como foi feita. Veja o que foi mexido com 'crivo auditoria verificar --tenant NOME'.")
        note("Antes de abrir o crivo, confira para onde vão as cartas (CRIVO_SMTP_URL): as que esperavam na cópia serão enviadas.")
    if broken:
        raise typer.Exit(FAILED)


def _noted(ambiente: Ambiente, settings: Settings, copia: Copia) -> str:
    """Keep in the database that a copy was made; why it was not (pt-BR), or nothing. The copy is there whatever comes of it."""
    from crivo.kernel.storage.migrating import HEAD

    if copia.manifesto.esquema != HEAD:
        return f"o banco está na versão {copia.manifesto.esquema}, de antes deste crivo, e foi copiado como está"

    async def work(container: Container, scope: Scope) -> None:
        await container.copias.anotar(_in_one_that_is_there(scope, await container.pessoas.organizacoes(scope)), copia)

    try:
        ambiente.use(work, settings, any_organisation=True)
    except CrivoError as error:
        return error.mensagem
    return ""


def _verified(done: Restaurada) -> Callable[[Container, Scope], Awaitable[list[str]]]:
    """Finds the organisations whose audit does not hold, and notes what came back."""

    async def work(container: Container, scope: Scope) -> list[str]:
        from crivo.cli.auditoria import verify

        there = await container.pessoas.organizacoes(scope)
        broken = [one for one in there if not (await verify(container, replace(scope, tenant_id=one))).integra]
        await container.copias.anotar_volta(_in_one_that_is_there(scope, there), done)
        return broken

    return work


def _in_one_that_is_there(scope: Scope, organizacoes: Sequence[str]) -> Scope:
    """Where the audit tells of what concerns all organisations: in the one of the settings, or the first."""
    return scope if scope.tenant_id in organizacoes or not organizacoes else replace(scope, tenant_id=organizacoes[0])


@contextmanager
def _progress(doing: str, *, quiet: bool) -> Iterator[Passo]:
    """What is being read, on a terminal alone: a bar without an end, as nobody knows how much is left."""
    if quiet or not sys.stderr.isatty():
        yield lambda _name, _size: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TransferSpeedColumn

    from crivo.cli.saida import console

    shown = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeElapsedColumn()
    with Progress(*shown, console=console(error=True), transient=True) as progress:
        task = progress.add_task(doing, total=None)

        def step(name: str, size: int) -> None:
            progress.update(task, advance=size, description=f"{doing} {name}")

        yield step


def _value(manifest: Manifesto) -> dict[str, Any]:
    return {
        "id": manifest.id,
        "feita_em": manifest.feita_em,
        "crivo": manifest.crivo,
        "esquema": manifest.esquema,
        "postgresql": manifest.servidor,
        "linhas": manifest.linhas,
        "bytes": manifest.bytes,
        "tabelas": {one.nome: one.linhas for one in manifest.tabelas},
        "arquivos": [one.nome for one in manifest.arquivos],
    }


def _counted(manifest: Manifesto) -> str:
    rows = f"{manifest.linhas:,}".replace(",", ".")
    silos = sum(one.nome.endswith("silo.sqlite3") for one in manifest.arquivos)
    clinics = "" if not silos else f" e {silos} {'agenda de clínica' if silos == 1 else 'agendas de clínicas'}"
    return f"{rows} linhas em {len(manifest.tabelas)} tabelas{clinics}"


def _size(count: int) -> str:
    for unit, of in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if count >= of:
            return f"{count / of:.1f} {unit}".replace(".", ",")
    return f"{count} bytes"
