"""What commands print: JSON for machines, tables for people, errors as one block; and the exit code of each kind of error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind, Problem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

DONE: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
_YES: Final = frozenset({"s", "sim", "y", "yes"})
_NO: Final = frozenset({"", "n", "nao", "não", "no"})
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells have it

_AS_WIDE_AS_NEEDED: Final = 10_000
# Control characters, and those that turn the direction of text: what was sent must not drive the terminal it is shown on.
_UNSAFE: Final = dict.fromkeys(
    [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\N{REPLACEMENT CHARACTER}"
)
_UNSAFE_LINES: Final = {code: mark for code, mark in _UNSAFE.items() if code not in (0x09, 0x0A)}


def exit_code(kind: Kind) -> int:
    """The exit code of a kind of error: 1 refused or failed, 2 wrong use. Source: interfaces, Commands."""
    match kind:
        case Kind.MISUSE:
            return WRONG_USE
        case (
            Kind.MALFORMED
            | Kind.INVALID
            | Kind.TOO_LARGE
            | Kind.UNAUTHENTICATED
            | Kind.FORBIDDEN
            | Kind.ABSENT
            | Kind.GONE
            | Kind.CONFLICT
            | Kind.LIMITED
            | Kind.UNAVAILABLE
        ):
            return FAILED


def speak_utf8() -> None:
    """Write and read UTF-8 whatever the locale says; a file name that is no text is shown escaped instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def plain(text: str) -> str:
    """A text for one cell of a table, without anything that a terminal would obey."""
    return text.translate(_UNSAFE)


def plain_lines(text: str) -> str:
    """`plain`, for a text that may have line breaks."""
    return text.translate(_UNSAFE_LINES)


def emit(raw: bytes, *, as_json: bool = False) -> None:
    """Print a JSON document: indented and coloured on a terminal, else as it is on one line."""
    if as_json or not sys.stdout.isatty():
        sys.stdout.write(raw.decode() + "\n")
        return
    from rich.json import JSON

    shown = JSON(raw.decode(), ensure_ascii=False).text
    shown.plain = plain_lines(shown.plain)
    console().print(shown, soft_wrap=True)


def emit_value(value: object, *, as_json: bool = True) -> None:
    """Print a value as a JSON document."""
    emit(encode(value), as_json=as_json)


def encode(value: object) -> bytes:
    """A value as JSON; bytes become hexadecimal."""
    import msgspec

    return msgspec.json.encode(value, enc_hook=_as_text)


def say(text: str = "") -> None:
    """Print a line of plain text on stdout."""
    sys.stdout.write(plain_lines(text) + "\n")


def note(text: str) -> None:
    """Print a line on stderr: progress and remarks, apart from what is asked for."""
    sys.stderr.write(plain_lines(text) + "\n")
    sys.stderr.flush()


def confirmed(question: str) -> bool:
    """Whether somebody at a terminal says yes; where nobody is at one, nothing is asked, and it is a no."""
    return sys.stdin.isatty() and asked(question)


def asked(question: str) -> bool:
    """Whether whoever is at the terminal says yes, in Portuguese; no where nothing is said, at the end of input and by Ctrl-C."""
    while True:
        sys.stderr.write(f"{question} [s/N] ")
        sys.stderr.flush()
        try:
            said = sys.stdin.readline()
        except KeyboardInterrupt:
            said = ""
        if not said.endswith("\n"):
            note("")
        if said.strip().lower() in _YES:
            return True
        if said.strip().lower() in _NO:
            return False
        note("Responda s, para sim, ou n, para não.")


def console(*, error: bool = False) -> Console:
    """The terminal as Rich sees it."""
    from rich.console import Console

    return Console(file=sys.stderr if error else sys.stdout, highlight=False, markup=False, emoji=False)


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], *, empty: str = "", whole: str = "", lines: bool = False) -> None:
    """Print rows for people, or say that there are none. The column `whole` is never folded; `lines` keeps the line breaks of cells."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    drawn = Table(*(Column(name, overflow="fold", no_wrap=name == whole) for name in columns), box=SIMPLE_HEAD, pad_edge=False)
    safe = plain_lines if lines else plain
    for row in rows:
        drawn.add_row(*(safe(cell) if isinstance(cell, str) else cell for cell in row))
    if not drawn.row_count:
        say(empty)
    elif sys.stdout.isatty():
        console().print(drawn)
    else:
        sys.stdout.write(_plain_table(drawn))


def _plain_table(drawn: Table) -> str:
    """A table as text, as wide as it needs to be: nothing that another program reads is cut or folded."""
    from rich.console import Console

    paper = Console(file=StringIO(), width=_AS_WIDE_AS_NEEDED, no_color=True, highlight=False, markup=False, emoji=False)
    with paper.capture() as captured:
        paper.print(drawn)
    return "".join(line.rstrip() + "\n" for line in captured.get().strip("\n").splitlines())


def report(error: CrivoError, *, as_json: bool = False, about: str = "") -> None:
    """Tell an error on stderr, with where each of its problems is; `about` names what it concerns."""
    if as_json:
        sys.stderr.write(encode({"erro": error_value(error), **({"arquivo": about} if about else {})}).decode() + "\n")
        return
    head = f"{about}: {error.titulo}" if about else error.titulo
    untold = (problem for problem in error.problemas if problem.mensagem not in error.mensagem)
    lines = [f"Erro: {head}.", f"  {error.mensagem}", *(f"  - {problem_line(problem)}" for problem in untold)]
    note("\n".join(lines))


def error_value(error: CrivoError) -> dict[str, Any]:
    """An error as machines read it: `codigo`, `titulo`, `mensagem`, `problemas[{caminho, linha, codigo, mensagem}]`."""
    return {
        "codigo": error.codigo,
        "titulo": error.titulo,
        "mensagem": error.mensagem,
        "problemas": [problem_value(problem) for problem in error.problemas],
    }


def problem_value(problem: Problem) -> dict[str, Any]:
    """A problem as machines read it."""
    return {"caminho": problem.caminho, "linha": problem.linha, "codigo": problem.codigo, "mensagem": problem.mensagem}


def problem_line(problem: Problem) -> str:
    """A problem as people read it: `regras[3].codigo (linha 12): …`."""
    line = f"linha {problem.linha}" if problem.linha is not None else ""
    place = f"{problem.caminho} ({line})" if problem.caminho and line else problem.caminho or line
    return f"{place}: {problem.mensagem}" if place else problem.mensagem


def share(proportion: dict[str, Any]) -> str:
    """A share with its interval, as evaluations print it: `98,6 % (92,7 a 99,8; 73/74)`."""
    if proportion["valor"] is None:
        return "–"
    low, high = proportion["intervalo"]
    shown = f"{100 * proportion['valor']:.1f} % ({100 * low:.1f} a {100 * high:.1f}; {proportion['acertos']}/{proportion['total']})"
    return shown.replace(".", ",")


def moment(instant: datetime | None) -> str:
    """An instant in Brasília, as Brazilians write it."""
    return instant.astimezone(BRASILIA).strftime("%d/%m/%Y %H:%M") if instant else ""


def day(when: date | None) -> str:
    """A date as Brazilians write it."""
    return when.strftime("%d/%m/%Y") if when else ""


def _as_text(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, UUID):
        return str(value)
    raise NotImplementedError(f"no JSON for {type(value).__name__}")
