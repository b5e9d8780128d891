"""What the reader cannot be expected to know, beside the words of the trade (`regras`): codes, names of the system, another language.

Fault `jargao`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.frases import Span

_MACHINE: Final = re.compile(
    r"(?<![\w@/.])(?:[A-Za-zÀ-ÿ]+_[A-Za-z0-9_]+|[a-z]+\.[a-z]+_?[a-z]+(?=[\s,;:.)]|$)|null|None|JSON|[{}<>])(?!\w)"
)
_LANGUAGES: Final = {name: frozenset(LEXICO[name]) for name in ("ingles", "espanhol", "portugues")}
_FOREIGN_AT_LEAST: Final = 3
_DISTINCTIVE: Final = 4
_NO_CODES: Final = "o beneficiário não precisa de códigos"


def check_jargao(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, codigos: tuple[Span, ...]) -> Iterator[Achado]:
    """What is not in the reader's language; codes are faults to the beneficiário alone. `folded` is without the procedure's name."""
    if _is_foreign(folded):
        yield Achado("jargao", pagina.quote((0, len(pagina.text))), "não está em português")
    if campo != "para_beneficiario":
        return
    own = [code for code in fatos.codigos_proprios if len(code) >= _DISTINCTIVE]
    for span in (*codigos, *(span for code in own for span in pagina.places(code))):
        yield Achado("jargao", pagina.quote(span), _NO_CODES)
    for match in _MACHINE.finditer(pagina.text):
        yield Achado("jargao", pagina.quote(match.span()), "é um nome interno do sistema")


def _is_foreign(folded: str) -> bool:
    words = re.findall(r"[a-z]+", folded)
    english, spanish, portuguese = (sum(word in _LANGUAGES[name] for word in words) for name in ("ingles", "espanhol", "portugues"))
    if english >= _FOREIGN_AT_LEAST and english > portuguese:
        return True
    only = sum(word in _LANGUAGES["portugues"] - _LANGUAGES["espanhol"] for word in words)
    return spanish >= _FOREIGN_AT_LEAST and spanish > 2 * only
