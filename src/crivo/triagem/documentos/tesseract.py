"""Reading images of text with tesseract, its one owner here, where the machine has it; images pass through pipes, never through files."""

from __future__ import annotations

import ctypes
import shutil
import signal
import subprocess
import sys
from functools import cache
from typing import Final

_SECONDS: Final = 40.0  # for one page
_DEATH_SIGNAL_OPTION: Final = 1  # PR_SET_PDEATHSIG
_PREFERRED: Final = "por"


class Tesseract:
    """The tesseract at `program`, reading Portuguese where it knows it."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._language = self._choose_language()

    def read(self, image: bytes) -> str:
        """The text in an image (PGM, PNG, JPEG, TIFF); empty where it finds none or takes too long."""
        # One thread: pages are read side by side already.
        command = ["env", "OMP_THREAD_LIMIT=1", self._program, "stdin", "stdout", *self._language]
        return _run(command, image)

    def _choose_language(self) -> tuple[str, ...]:
        known = _run([self._program, "--list-langs"], b"").split()
        return ("-l", _PREFERRED) if _PREFERRED in known else ()


@cache
def find_tesseract(program: str = "tesseract") -> Tesseract | None:
    """The tesseract of this machine, or None."""
    path = shutil.which(program)
    return None if path is None else Tesseract(path)


def die_with_parent() -> None:
    """Have this process killed when the one that started it ends, however that comes about (Linux; elsewhere nothing is done)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL_OPTION, signal.SIGKILL)


def _run(command: list[str], given: bytes) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command; what was sent reaches it on its standard input alone
            command, input=given, capture_output=True, timeout=_SECONDS, check=False, preexec_fn=die_with_parent
        )
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
