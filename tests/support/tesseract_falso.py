"""Stand-ins for tesseract: a program that says what it is told to say, and a reader within the process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from crivo.triagem.documentos.tesseract import Arranjo, Palavra

SURE = 0.96
_HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def words(linhas: Sequence[str], confianca: float = SURE) -> tuple[Palavra, ...]:
    """The words of lines, each where a page would have it."""
    return tuple(
        Palavra(word, confianca, (100.0 + 90 * at, 100.0 + 60 * number, 180.0 + 90 * at, 140.0 + 60 * number), (1, 1), number)
        for number, linha in enumerate(linhas)
        for at, word in enumerate(linha.split())
    )


def table(linhas: Sequence[str], confianca: float = SURE) -> str:
    """The same as tesseract's table."""
    rows = [_HEAD]
    for one in words(linhas, confianca):
        left, top, right, bottom = (int(edge) for edge in one.caixa)
        rows.append(f"5\t1\t1\t1\t{one.linha}\t1\t{left}\t{top}\t{right - left}\t{bottom - top}\t{100 * one.confianca:.2f}\t{one.texto}")
    return "\n".join(rows) + "\n"


def saying(folder: Path, linhas: Sequence[str], confianca: float = SURE) -> str:
    """A script that says these lines of any image."""
    said = folder / "dito.tsv"
    said.write_text(table(linhas, confianca), encoding="utf-8")
    return f"cat > /dev/null; cat {said}"


def install_tesseract(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, languages: str = "por") -> None:
    """Put a stand-in first on the way to programs."""
    program = folder / "tesseract"
    program.write_text(f'#!/bin/sh\nif [ "$1" = --list-langs ]; then echo {languages}; exit; fi\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


class Lendo:
    """A reader that sees these words in every image, and counts how often it was asked."""

    def __init__(self, linhas: Sequence[str] = (), confianca: float = SURE) -> None:
        self.said = words(linhas, confianca)
        self.asked = 0

    def read(self, image: bytes, seconds: float = 40.0, arranjo: Arranjo = "pagina") -> tuple[Palavra, ...]:
        assert image.startswith(b"P5")
        assert seconds > 0
        self.asked += 1
        return self.said
