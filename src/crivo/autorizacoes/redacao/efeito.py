"""What a summary of adjustments says that they lead to, against what re-evaluation proved. Fault `resultado`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.modos import NEGATED
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.autorizacoes.redacao.papeis import Quantia

_EFFECT: Final = (
    (
        "total",
        re.compile(
            r"\b(?:aprovacao (?:\w+ ){0,2}total|por inteiro|integralmente|totalmente|aprovacao integral|aprovar tudo|na totalidade)\b"
        ),
    ),
    ("parcial", re.compile(r"\b(?:aprovacao (?:\w+ ){0,2}parcial|em parte|parcialmente|apenas parte)\b")),
    (
        "nenhum",
        re.compile(
            r"\b(?:sem aprovacao|nao (?:basta\w*|resolve\w*|leva\w*|permite\w*|e suficiente|sao suficientes)|nenhuma mudanca|"
            r"continua\w* sem|segue negad\w*|nao (?:pode|podera|sera|seria|vai|tem como) (?:ser )?(?:aprovad|autorizad|liberad)\w*)\b"
        ),
    ),
)
_ALONE: Final = re.compile(r"\b(?:um so|uma so|so um|so uma|apenas um|apenas uma|sozinh[oa]|isolad\w+)\b")
_MAY_BE: Final = re.compile(
    r"\bpod(?:e|em|era|erao) (?:\w+ )?ser (?:aprovad|autorizad|liberad)\w*|"
    r"\b(?:passa|passam) a (?:cumprir\b|ser (?:aprovad|autorizad|liberad|aceit|cobert)\w*)"
)


def check_efeito(pagina: Pagina, folded: str, fatos: Fatos, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """Another effect than the proved one, and more than the limit lets through; `folded` is without names of sources."""
    yield from _told(pagina, folded, fatos)
    yield from _quantity_after(pagina, folded, fatos, quantias)


def _told(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """A summary of the adjustments against what re-evaluation proved."""
    told = [(name, match.span()) for name, pattern in _EFFECT for match in pattern.finditer(folded)]
    proved = fatos.insumos.efeito_ajustes
    for name, span in told:
        # "Are needed, but do not suffice" and the like go with no effect; "does not approve in whole" with a partial one.
        alone = name == "nenhum" and _ALONE.search(folded[slice(*pagina.clause_at(span[0]))])
        if proved is not None and name != proved and not alone and not NEGATED.search(folded[: span[0]]):
            yield _fault(pagina, span, f"o efeito provado dos ajustes é {proved}")
    if proved == "nenhum":
        for match in _MAY_BE.finditer(folded):
            clause = folded[slice(*pagina.sentence_at(match.start()))]
            if not NEGATED.search(folded[: match.start()]) and not re.search(r"\b(?:so|analise|depois de|pessoa)\b", clause):
                yield _fault(pagina, match.span(), "os ajustes não levam à aprovação")


def _quantity_after(pagina: Pagina, folded: str, fatos: Fatos, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """A summary that has the whole quantity approved where the limit is below it."""
    limit, asked = fatos.limites.quantidade, fatos.insumos.quantidade
    if limit is None or asked is None or asked <= limit:
        return
    for quantia in quantias:
        of_all = re.search(r"\bd[aeo]s?\s+$", folded[max(0, quantia.start - 10) : quantia.start])
        if quantia.value == asked and quantia.unidade in ("procedimento", "nenhuma") and not of_all:
            yield _fault(pagina, (quantia.start, quantia.end), "o limite da regra é menor que esta quantidade")


def _fault(pagina: Pagina, span: Span, porque: str) -> Achado:
    return Achado("resultado", pagina.quote(span), porque)
