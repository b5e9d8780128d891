"""Reading images of text with tesseract, its one owner here, where the machine has it; images pass through pipes, never through files."""

from __future__ import annotations

import ctypes
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

_SECONDS: Final = 40.0  # for one page
_LISTING_SECONDS: Final = 10.0
_DEATH_SIGNAL_OPTION: Final = 1  # PR_SET_PDEATHSIG
_LANGUAGE: Final = "por"
_WORD: Final = "5"  # the level of a word among the rows of its table
_COLUMNS: Final = 12

Falta = Literal["programa", "portugues"]
Arranjo = Literal[
    "pagina",  # paragraphs, columns, tables
    "linhas",  # one line under the other
]
_ARRANJOS: Final[Mapping[Arranjo, str]] = {"pagina": "3", "linhas": "6"}  # the program's ways of parting a page


@dataclass(frozen=True, slots=True)
class Palavra:
    """A word found in an image: `confianca` 0 to 1, `caixa` left, top, right, bottom in pixels, `linha` and `paragrafo` by number."""

    texto: str
    confianca: float
    caixa: tuple[float, float, float, float]
    paragrafo: tuple[int, int]
    linha: int


class LeituraFalhou(Exception):
    """Nothing came of an image: `demorou` tells that it took too long, else the program failed."""

    def __init__(self, *, demorou: bool) -> None:
        super().__init__("o tempo acabou" if demorou else "o programa falhou")
        self.demorou = demorou


class Tesseract:
    """The tesseract at `program`, reading Portuguese."""

    def __init__(self, program: str) -> None:
        self._program = program

    def read(self, image: bytes, seconds: float = _SECONDS, arranjo: Arranjo = "pagina") -> tuple[Palavra, ...]:
        """The words in an image (PGM) from top to bottom. Raises LeituraFalhou."""
        # One thread: pages are read side by side already.
        given = ("-l", _LANGUAGE, "--dpi", "300", "--psm", _ARRANJOS[arranjo])
        command = ["env", "OMP_THREAD_LIMIT=1", self._program, "stdin", "stdout", *given, "tsv"]
        return tuple(_words(_run(command, image, min(seconds, _SECONDS))))

    def knows_portuguese(self) -> bool:
        """Whether it has what it takes to read the language."""
        try:
            return _LANGUAGE in _run([self._program, "--list-langs"], b"", _LISTING_SECONDS).split()
        except LeituraFalhou:
            return False


@cache
def find_tesseract(program: str = "tesseract") -> Tesseract | None:
    """The tesseract of this machine, or None where there is none that knows Portuguese."""
    path = shutil.which(program)
    found = None if path is None else Tesseract(path)
    return found if found is not None and found.knows_portuguese() else None


def missing(program: str = "tesseract") -> Falta | None:
    """What this machine lacks to read images."""
    if find_tesseract(program) is not None:
        return None
    return "programa" if shutil.which(program) is None else "portugues"


def die_with_parent() -> None:
    """Have this process killed when the one that started it ends, however that comes about (Linux; elsewhere nothing is done)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL_OPTION, signal.SIGKILL)


def _words(table: str) -> list[Palavra]:
    found = []
    for row in table.splitlines():
        cells = row.split("\t")
        if len(cells) != _COLUMNS or cells[0] != _WORD or not cells[11].strip():
            continue
        left, top, width, height = (float(cell) for cell in cells[6:10])
        sure = min(max(float(cells[10]) / 100, 0.0), 1.0)
        block, paragraph, line = (int(cell) for cell in cells[2:5])
        found.append(Palavra(cells[11].strip(), sure, (left, top, left + width, top + height), (block, paragraph), line))
    return found


def _run(command: list[str], given: bytes, seconds: float) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command; what was sent reaches it on its standard input alone
            command, input=given, capture_output=True, timeout=seconds, check=False, preexec_fn=die_with_parent
        )
    except subprocess.TimeoutExpired:
        raise LeituraFalhou(demorou=True) from None
    except OSError:
        raise LeituraFalhou(demorou=False) from None
    if done.returncode != 0:
        raise LeituraFalhou(demorou=False)
    return done.stdout.decode("utf-8", "replace")
