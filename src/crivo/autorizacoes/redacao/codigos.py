"""Codes in a text: procedures, regras, diseases. Fault `codigo` where one is no input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos, squeeze
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.frases import Span

# Figures that belong to a person or a place; they are judged as numbers.
_PERSONAL: Final = re.compile(
    r"(?<!\d)(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}|"
    r"(?:\+?55\s?)?\(?\d{2}\)?\s?9?\d{4}[-\s]\d{4}|0[38]00[\s.-]?\d{3}[\s.-]?\d{3,4}"
    r"|[34]00\d[\s.-]\d{4}|9?\d{4}-\d{4}|\d{5}-\d{3})(?!\d)"
)
_CODES: Final = (
    re.compile(r"(?<![\w.])\d\.\d{2}\.\d{2}\.\d{2}[-.]?\d(?!\w)"),
    re.compile(r"(?<![\w.,])\d{5,}(?:-\d)?(?!\w|[,.]\d)"),
    re.compile(r"(?<!\w)[A-Z]{2,6}-\d{3,}(?!\w)"),
    re.compile(r"(?<!\w)[A-TV-Z]\d{2}(?:\.\d{1,2})?(?!\w)"),
    re.compile(r"(?i)(?<!\w)cid(?:[- ]?1[01])?\s*:?\s*(?P<code>[a-z]\d{2}(?:\.?\d{1,2})?)(?!\w)"),
    re.compile(
        r"(?i)(?<!\w)(?:c[óo]d(?:igos?|\.)|tuss|cbhpm|amb)\s+(?:(?:o|d[oe]s?|procedimento|tuss|cbhpm|amb|n[.ºo°]*|"
        r"para)\s+)*(?P<code>[\w.-]*\d[\w.-]*\w|\d)(?!\w)"
    ),
    re.compile(r"(?<!\w)(?:regra|Regra|REGRA|item|cláusula)\s+(?:n[.ºo°]*\s+)?(?P<code>[A-Z0-9][\w.-]*[A-Z0-9]|\d+)(?!\w)"),
    re.compile(r"(?<!\w)[Pp]edido\s+(?:n[.ºo°]*\s*)?(?P<code>[A-Z]{1,6}[-_/]?\d[\w-]*|\d{3,})(?!\w)"),
)


def find_codigos(pagina: Pagina, folded: str) -> tuple[Span, ...]:
    """Where codes stand; `folded` has empty what was read as something else."""
    personal = [match.span() for match in _PERSONAL.finditer(folded)]
    found: list[Span] = []
    for pattern in _CODES:
        for match in pattern.finditer(pagina.text):
            span = match.span("code") if "code" in pattern.groupindex else match.span()
            free = all(char != " " for char in folded[span[0] : span[1]])
            apart = not any(span[0] < end and start < span[1] for start, end in (*personal, *found))
            if free and apart and not LEXICO.ends("dono_de_algarismos", folded[max(0, span[0] - 40) : span[0]]):
                found.append(span)
    return tuple(sorted(found))


def check_codigos(pagina: Pagina, fatos: Fatos, codigos: tuple[Span, ...]) -> Iterator[Achado]:
    """The codes that are no input."""
    for span in codigos:
        if squeeze(pagina.text[span[0] : span[1]]) not in fatos.codigos:
            yield Achado("codigo", pagina.quote(span), "este código não está nos dados da decisão")
