"""Prompts are files: a version line, a blank line, and the text, known by its digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

_VERSION_PREFIX = "versão: "


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as read: `digest` is the SHA-256 of its text in hexadecimal."""

    versao: str
    texto: str
    digest: str


@cache
def load_prompt(package: str, filename: str) -> Prompt:
    """The prompt of a package; raises `ValueError` when its first line does not state its version."""
    return read_prompt(resources.files(package).joinpath("prompts", filename).read_text(encoding="utf-8"), filename)


def read_prompt(whole: str, filename: str) -> Prompt:
    """The prompt that a file's text is; raises as `load_prompt`."""
    first, _, rest = whole.partition("\n")
    if not first.startswith(_VERSION_PREFIX):
        raise ValueError(f"prompt {filename} must begin with '{_VERSION_PREFIX}N'")
    texto = rest.strip()
    return Prompt(first.removeprefix(_VERSION_PREFIX).strip(), texto, hashlib.sha256(texto.encode()).hexdigest())
