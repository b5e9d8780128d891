"""The change log of prompts: one file beside them, `mudancas.md`, says which text each version was, since when and why.

Under a heading with the prompt's file name, newest first, one line a version: `- 3 · 3bc4edeed622 · 2026-11-28 · Por quê.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Final

from crivo.kernel.agents.prompts import Prompt

ARQUIVO: Final = "mudancas.md"
DIGEST_CARACTERES: Final = 12
_LINE: Final = re.compile(r"- (?P<versao>\d+) · (?P<digest>[0-9a-f]{12}) · (?P<quando>\d{4}-\d\d-\d\d) · (?P<porque>\S.*)")


@dataclass(frozen=True, slots=True)
class Mudanca:
    """One version of a prompt: `digest` is the first 12 hexadecimal digits of its text's, `porque` is in pt-BR."""

    versao: str
    digest: str
    quando: date
    porque: str


@cache
def read_mudancas(package: str) -> Mapping[str, tuple[Mudanca, ...]]:
    """The log of a package, by the file name of the prompt, newest first. Raises ValueError where a line cannot be read."""
    return parse_mudancas(resources.files(package).joinpath("prompts", ARQUIVO).read_text(encoding="utf-8"))


def parse_mudancas(texto: str) -> Mapping[str, tuple[Mudanca, ...]]:
    """The log that a file's text is. Raises as `read_mudancas`."""
    found: dict[str, list[Mudanca]] = {}
    for nome, linha in _lines(texto):
        read = _LINE.fullmatch(linha)
        if read is None:
            raise ValueError(f"{ARQUIVO}: write '- VERSÃO · DIGEST · AAAA-MM-DD · por quê', not {linha!r}")
        found.setdefault(nome, []).append(Mudanca(read["versao"], read["digest"], date.fromisoformat(read["quando"]), read["porque"]))
    return {nome: tuple(mudancas) for nome, mudancas in found.items()}


def _lines(texto: str) -> Iterator[tuple[str, str]]:
    nome = ""
    for linha in texto.splitlines():
        if linha.startswith("## "):
            nome = linha.removeprefix("## ").strip()
        elif linha.startswith("- "):
            yield nome, linha.rstrip()


def line_of(prompt: Prompt, quando: date, porque: str = "…") -> str:
    """The line that a prompt's log begins with."""
    return f"- {prompt.versao} · {prompt.digest[:DIGEST_CARACTERES]} · {quando.isoformat()} · {porque}"


def with_line(texto: str, nome: str, linha: str) -> str:
    """The text of a log with one more line at the top of a prompt's list, which is begun where there is none."""
    heading = f"## {nome}\n"
    before, found, after = texto.partition(heading)
    return f"{before}{heading}\n{linha}\n{after.lstrip()}" if found else f"{texto.rstrip()}\n\n{heading}\n{linha}\n"


def problem_of(nome: str, prompt: Prompt, mudancas: Sequence[Mudanca], hoje: date) -> str | None:
    """What is wrong between a prompt and its log, with what to do about it (pt-BR), or None.

    A version is one text: the log's newest line must be of this version and this digest, and no text is two versions.
    """
    if not mudancas:
        return f"{nome} não está em {ARQUIVO}. Acrescente '## {nome}' e, abaixo:\n{line_of(prompt, hoje)}"
    newest, digest = mudancas[0], prompt.digest[:DIGEST_CARACTERES]
    if newest.versao == prompt.versao and newest.digest != digest:
        return (
            f"O texto de {nome} mudou, e a versão continua {prompt.versao}. Aumente a primeira linha do arquivo em um e ponha no alto de "
            f"'## {nome}', em {ARQUIVO}:\n{line_of(Prompt(_next(prompt.versao), prompt.texto, prompt.digest), hoje)}\n"
            f"Se a versão {prompt.versao} ainda não foi usada por ninguém, troque só o digest da linha dela: {digest}"
        )
    if newest.versao != prompt.versao:
        return (
            f"{nome} diz versão {prompt.versao}, e {ARQUIVO} para na {newest.versao}. "
            f"Ponha no alto de '## {nome}', em {ARQUIVO}:\n{line_of(prompt, hoje)}"
        )
    if any(before.digest == digest for before in mudancas[1:]):
        return f"O texto de {nome} é o de uma versão anterior, com número novo: volte ao número que ele tinha, ou mude o texto."
    return None


def _next(versao: str) -> str:
    return str(int(versao) + 1) if versao.isdecimal() else versao
