"""What a text says of the command line, held against the command line that there is."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import typer
from typer.main import get_command

from crivo.cli.main import app

_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(crivo [^`\n]+)`")
_ENDS = frozenset({"|", "||", "&&", ";", ">", ">>", "2>", "<", "&"})


def told(markdown: str) -> Iterator[str]:
    """Every `crivo …` of a page: lines of its blocks, and what stands between backticks in its prose."""
    for block in _FENCED.findall(markdown):
        for line in block.splitlines():
            if re.match(r"(?:\$ )?crivo ", line.strip()):
                yield line.strip().removeprefix("$ ").split("  #")[0].split(" #")[0].strip()
    yield from _INLINE.findall(_FENCED.sub("", markdown))


def fault(line: str) -> str | None:
    """What is wrong with `crivo …` as it is told: a command that there is none of, or an option that it does not have; None where all is."""
    try:
        words = shlex.split(line)
    except ValueError:
        return f"{line}: não se lê"
    rest = words[1 : next((at for at, word in enumerate(words) if word in _ENDS), len(words))]
    command = get_command(app)
    path = ["crivo"]
    while rest and isinstance(command, typer.core.TyperGroup):
        if rest[0].startswith("-"):
            break
        found = command.get_command(typer.Context(command), rest[0])
        if found is None:
            return f"{line}: '{' '.join(path)}' não tem '{rest[0]}'" if re.fullmatch(r"[a-z][a-z-]*", rest[0]) else None
        command, path, rest = found, [*path, rest[0]], rest[1:]
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--ajuda", "--help", "-h"}
    for word in rest:
        option = word.partition("=")[0].strip("[]…")
        if option.startswith("--") and option not in known:
            return f"{line}: '{' '.join(path)}' não tem {option}"
    return None
