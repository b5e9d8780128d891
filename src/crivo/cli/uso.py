"""What a wrong command line is told, in Portuguese: which word is wrong and what would be right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from typer._click import Context, Parameter  # Typer carries its own Click, and gives these no public name
from typer._click.exceptions import BadOptionUsage, BadParameter, MissingParameter, NoArgsIsHelpError, NoSuchOption, UsageError
from typer.core import TyperArgument, TyperGroup, TyperOption

from crivo.cli.ajuda import HELP_NAMES, name_of

_UNKNOWN_COMMAND: Final = re.compile(r"No such command '(?P<name>.*?)'\.")
_EXTRA: Final = re.compile(r"Got unexpected extra argument\(s\) \((?P<words>.*)\)", re.DOTALL)


def explain(error: UsageError) -> str:
    """The fault and its remedy, with the help to read."""
    if isinstance(error, NoArgsIsHelpError):
        return error.format_message()
    hint = f"\nVeja como usar: {error.ctx.command_path} {HELP_NAMES[0]}" if error.ctx else ""
    return _fault(error) + hint


def _fault(error: UsageError) -> str:
    match error:
        case MissingParameter(param=param) if param is not None:
            return f"Falta {_article(param)} {name_of(param)}."
        case NoSuchOption(option_name=name, ctx=ctx):
            return f"A opção {name} não existe{_meant(name, _options(ctx))}"
        case BadOptionUsage(option_name=name):
            return f"A opção {name} não leva valor." if "does not take" in error.message else f"A opção {name} precisa de um valor."
        case BadParameter(param=param) if param is not None:
            return f"O valor de {name_of(param)} não serve: {_wanted(param)}."
    return _fault_of_words(error)


def _fault_of_words(error: UsageError) -> str:
    """Faults that Typer tells by their text alone."""
    unknown = _UNKNOWN_COMMAND.search(error.message)
    if unknown and error.ctx is not None:
        commands = list(error.ctx.command.commands) if isinstance(error.ctx.command, TyperGroup) else []
        return f"O comando '{unknown['name']}' não existe{_meant(unknown['name'], commands)}"
    extra = _EXTRA.search(error.message)
    if extra:
        return f"Sobrou na linha de comando: {extra['words']}."
    if error.message == "Missing command.":
        return "Falta dizer o comando."
    return "A linha de comando não pôde ser entendida."


def _article(param: Parameter) -> str:
    return "o argumento" if isinstance(param, TyperArgument) else "a opção"


def _options(ctx: Context | None) -> list[str]:
    return [name for param in ctx.command.params if isinstance(param, TyperOption) for name in param.opts] if ctx else []


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"; quis dizer '{near[0]}'?" if near else "."


def _wanted(param: Parameter) -> str:
    if not isinstance(param, (TyperArgument, TyperOption)):
        return "use outro"
    choices = param.type_descriptor.choices
    if choices:
        return f"use {', '.join(map(str, choices[:-1]))} ou {choices[-1]}"
    if param.type_descriptor.annotation is int:
        info = param.type_descriptor.parameter_info
        until = f" a {info.max}" if info.max is not None else " em diante" if info.min is not None else ""
        return f"use um número inteiro{'' if info.min is None else f' de {info.min}'}{until}"
    return "use outro"
