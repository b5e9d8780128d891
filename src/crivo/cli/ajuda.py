"""Help in Portuguese: the groups and commands of Typer, with every word that a person reads written here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Final

import typer
from typer._click import Context, HelpFormatter, Parameter  # Typer carries its own Click, and gives these no public name
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

HELP_NAMES: Final = ("--ajuda", "--help", "-h")
_HELP_TEXT: Final = "Mostra esta ajuda e sai."
_WIDEST: Final = 100

Function = Callable[..., Any]


class Comando(TyperCommand):
    """A command whose help is in Portuguese."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the whole help page."""
        pieces = ["[OPÇÕES]", *(_argument_piece(param) for param in self.params if isinstance(param, TyperArgument))]
        _write_head(self, ctx, formatter, pieces)
        _write_params(self, ctx, formatter)


class Grupo(TyperGroup):
    """A group of commands whose help is in Portuguese."""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the whole help page."""
        _write_head(self, ctx, formatter, ["[OPÇÕES]", "COMANDO", "[ARGUMENTOS]..."])
        rows = [(name, _first_line(command.help)) for name, command in self.commands.items() if not command.hidden]
        with formatter.section("Comandos"):
            formatter.write_dl(rows)
        _write_params(self, ctx, formatter)


class Aplicacao(typer.Typer):
    """A Typer application made of `Grupo` and `Comando`."""

    def __init__(self, ajuda: str, cls: type[Grupo] = Grupo) -> None:
        settings = {"help_option_names": list(HELP_NAMES), "max_content_width": _WIDEST}
        super().__init__(cls=cls, help=ajuda, no_args_is_help=True, add_completion=False, rich_markup_mode=None, context_settings=settings)

    def comando(self, name: str) -> Callable[[Function], Function]:
        """Register a function as a command."""
        return self.command(name, cls=Comando)


def name_of(param: Parameter) -> str:
    """A parameter as it is written on the command line: its longest option, or its metavar."""
    if isinstance(param, TyperOption):
        return max(param.opts, key=len)
    return param.metavar or param.name.upper()


def _write_head(command: TyperCommand | TyperGroup, ctx: Context, formatter: HelpFormatter, pieces: Iterable[str]) -> None:
    formatter.write_usage(ctx.command_path, " ".join(pieces), prefix="Uso: ")
    if command.help:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(inspect.cleandoc(command.help))


def _write_params(command: TyperCommand | TyperGroup, ctx: Context, formatter: HelpFormatter) -> None:
    arguments = [(name_of(param), _told(param)) for param in command.params if isinstance(param, TyperArgument)]
    if arguments:
        with formatter.section("Argumentos"):
            formatter.write_dl(arguments)
    options = [(_spelled(param), _told(param)) for param in command.params if isinstance(param, TyperOption) and not param.hidden]
    with formatter.section("Opções"):
        formatter.write_dl([*options, (", ".join(HELP_NAMES), _HELP_TEXT)])


def _argument_piece(param: TyperArgument) -> str:
    piece = name_of(param) + ("..." if param.nargs == -1 else "")
    return piece if param.required else f"[{piece}]"


def _spelled(param: TyperOption) -> str:
    names = ", ".join(param.opts)
    if param.is_flag:
        return names
    choices = param.type_descriptor.choices
    return f"{names} {param.metavar or ('|'.join(str(choice) for choice in choices) if choices else 'VALOR')}"


def _told(param: TyperArgument | TyperOption) -> str:
    default = param.default
    shown = f" [padrão: {default}]" if default not in (None, False, ()) and not callable(default) else ""
    needed = " [obrigatória]" if isinstance(param, TyperOption) and param.required else ""
    return f"{param.help or ''}{shown}{needed}"


def _first_line(text: str | None) -> str:
    return inspect.cleandoc(text or "").partition("\n")[0]
