"""What mends an installation that reads no images: the one command for its system."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from typing import Final

# By the program that installs: Debian and Ubuntu, Fedora and its kin, Alpine, Arch, openSUSE, macOS.
_COMMANDS: Final[Sequence[tuple[str, str, bool]]] = (
    ("apt-get", "apt-get install -y tesseract-ocr tesseract-ocr-por", True),
    ("dnf", "dnf install -y tesseract tesseract-langpack-por", True),
    ("apk", "apk add tesseract-ocr tesseract-ocr-data-por", True),
    ("pacman", "pacman -S --noconfirm tesseract tesseract-data-por", True),
    ("zypper", "zypper install -y tesseract-ocr tesseract-ocr-traineddata-portuguese", True),
    ("brew", "brew install tesseract tesseract-lang", False),
)
_ROOT: Final = 0


def install_command(which: Callable[[str], str | None] = shutil.which, user: int | None = None) -> str | None:
    """What to type, as root or by sudo, to have tesseract with Portuguese; None for a system that is not known here."""
    own = os.geteuid() if user is None else user
    for program, command, as_root in _COMMANDS:
        if which(program):
            return command if own == _ROOT or not as_root else f"sudo {command}"
    return None


def how_to_install(command: str | None) -> str:
    """The same as a part of a sentence in pt-BR."""
    return f"rode no servidor: {command}" if command else "instale o tesseract 5 com o idioma português (por)"
