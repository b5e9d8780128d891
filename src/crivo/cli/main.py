"""The `crivo` command: its groups, and how any command ends."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from io import UnsupportedOperation
from types import TracebackType
from typing import Annotated, Any, NoReturn

import typer
from typer._click.exceptions import UsageError  # Typer carries its own Click, and gives this no public name

from crivo.cli import (
    agentes,
    agentes_conferir,
    auditoria,
    autorizacoes,
    avaliacao_clinicas,
    avaliar_modelo,
    banco,
    cartas,
    casos,
    chaves,
    clinicas,
    conversa,
    conversa_mcp,
    custos,
    demo,
    doutor,
    entregas,
    lote,
    lugares,
    notas_triagem,
    organizacoes,
    pessoas,
    politicas,
    redacao,
    resultado_triagem,
    servidor,
    sorteio_triagem,
    tiss,
    trabalhador,
    triagem,
    triagem_pessoas,
    usuarios,
)
from crivo.cli.ajuda import Aplicacao, Grupo
from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.saida import DONE, FAILED, INTERRUPTED, WRONG_USE, encode, exit_code, note, report, speak_utf8
from crivo.cli.uso import explain as explain_use
from crivo.kernel.errors import CrivoError
from crivo.kernel.sistema import explain as explain_os


class Raiz(Grupo):
    """The root of the commands, which turns whatever ends one into an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run one command line and exit."""
        speak_utf8()
        sys.exit(_run(self, list(sys.argv[1:] if args is None else args)))


app = Aplicacao("Passa pelo crivo pedidos de autorização, consultas em clínicas e chamadas públicas: todo campo tem um autor.", Raiz)
app.add_typer(autorizacoes.app, name="autorizacoes")
app.add_typer(politicas.app, name="politicas")
app.add_typer(clinicas.app, name="clinicas")
app.add_typer(triagem.app, name="triagem")
app.add_typer(auditoria.app, name="auditoria")
app.add_typer(chaves.app, name="chaves")
app.add_typer(usuarios.app, name="usuarios")
app.add_typer(pessoas.app, name="pessoas")
app.add_typer(organizacoes.app, name="organizacoes")
app.add_typer(banco.app, name="banco")
app.add_typer(cartas.app, name="cartas")
app.add_typer(entregas.app, name="entregas")
app.comando("demo")(demo.demo)
app.comando("servir")(servidor.servir)
app.comando("trabalhador")(trabalhador.trabalhador)
app.comando("doutor")(doutor.doutor)
app.comando("custos")(custos.custos)
app.comando("avaliar-modelo")(avaliar_modelo.avaliar_modelo)
app.add_typer(agentes.app, name="agentes")
agentes.app.comando("conferir")(agentes_conferir.conferir)
clinicas.app.comando("conversar")(conversa.conversar)
clinicas.app.comando("mcp")(conversa_mcp.mcp)
clinicas.app.comando("avaliar")(avaliacao_clinicas.avaliar)
clinicas.app.comando("avaliar-verificador")(avaliacao_clinicas.avaliar_verificador)
autorizacoes.app.comando("lote")(lote.lote)
autorizacoes.app.comando("tiss")(tiss.tiss)
autorizacoes.app.comando("avaliar-redacao")(redacao.avaliar_redacao)
triagem.app.comando("exportar")(resultado_triagem.exportar)
triagem.app.comando("resultado")(lugares.resultado)
triagem.app.comando("modelo-de-notas")(notas_triagem.modelo_de_notas)
triagem.app.comando("importar-notas")(notas_triagem.importar_notas)
triagem.app.comando("decisoes")(resultado_triagem.decisoes)
triagem.app.comando("avaliadores")(triagem_pessoas.avaliadores)
triagem.app.comando("sortear-avaliadores")(sorteio_triagem.sortear_avaliadores)
triagem.app.comando("casos")(casos.casos)
triagem.app.comando("concordancia")(resultado_triagem.concordancia)
triagem.app.comando("avaliar")(resultado_triagem.avaliar)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"crivo {version('crivo')}\n")
        raise typer.Exit


@app.callback()
def crivo(
    ctx: typer.Context,
    tenant: Tenant = None,
    as_json: AsJson = False,
    versao: Annotated[bool, typer.Option("--versao", help="Mostra a versão e sai.", is_eager=True, callback=_show_version)] = False,
) -> None:
    """Keep what was chosen for every command."""
    ctx.obj = Ambiente(tenant, as_json)


def main() -> NoReturn:
    """The entry point of the program."""
    sys.excepthook = _confess
    _begin_in_utf8()
    _stand_in_for_closed_streams()
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # whoever said nohup wants it to go on
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    typer.main.get_command(app).main()
    raise AssertionError("the root always exits")


def _begin_in_utf8() -> None:
    """Begin again in Python's UTF-8 mode where the locale reads names of files and texts in anything else.

    What processes this one starts then does so too. Once: where that changes nothing, the names that have accents are shown as they are.
    """
    told_otherwise = sys.flags.ignore_environment or "utf8" in sys._xoptions  # noqa: SLF001 - Python tells it nowhere else
    if sys.getfilesystemencoding().lower() in {"utf-8", "utf8"} or told_otherwise or not sys.orig_argv:
        return
    os.putenv("PYTHONUTF8", "1")
    with suppress(OSError):
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - this same command, as it was given


def _stand_in_for_closed_streams() -> None:
    """Put nothing in the place of a standard stream that is closed: else the next file that is opened would be taken for it."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor == number:
                os.set_inheritable(descriptor, True)
            else:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for as long as the program runs


def _run(root: Raiz, given: list[str]) -> int:
    as_json = "--json" in given
    try:
        code = _invoke(root, given)
        sys.stdout.flush()
    except UsageError as error:
        _report_use(explain_use(error), as_json=as_json)
        return WRONG_USE
    except CrivoError as error:
        report(error, as_json=as_json)
        return exit_code(error.kind)
    except KeyboardInterrupt:
        note("\nInterrompido.")
        return INTERRUPTED
    except OSError as error:
        return _end_of(error)
    return code


def _invoke(root: Raiz, given: list[str]) -> int:
    try:
        with root.make_context("crivo", given.copy()) as ctx:
            root.invoke(ctx)
    except typer.Exit as end:
        return end.exit_code
    return DONE


def _report_use(told: str, *, as_json: bool) -> None:
    if as_json:
        note(encode({"erro": {"codigo": "uso_incorreto", "titulo": "Uso incorreto", "mensagem": told, "problemas": []}}).decode())
    else:
        note(told if told.startswith("Uso: ") else f"Erro: {told}")


def _end_of(error: OSError) -> int:
    """A reader that had enough is no fault; anything else that the system refused is. Only an open stream has no name."""
    _discard_output()
    if error.errno == errno.EPIPE:
        return DONE
    note(f"Erro: {'a saída' if error.filename is None else f'o arquivo {error.filename}'} {explain_os(error)}.")
    return FAILED


def _discard_output() -> None:
    """Keep what is still buffered from being written, and failing, once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnsupportedOperation:  # not a file of the system
        return


def _confess(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The last resort for a fault of the program itself: where it happened, and none of the values it happened with."""
    frames = traceback.extract_tb(trace)
    place = f" em {frames[-1].filename.rpartition('/site-packages/')[2]}:{frames[-1].lineno}" if frames else ""
    note(f"Erro: o crivo falhou por um defeito dele ({kind.__name__}{place}). Nada do que já estava gravado se perdeu; relate o defeito.")
