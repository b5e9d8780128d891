"""What the writer was shown, sentence by sentence, and how much of a sentence is told from one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from crivo.autorizacoes.redacao.fatos import stems
from crivo.autorizacoes.redacao.lexico import LEXICO

# An abbreviation's full stop ends no sentence: "art. 6º", "n. 10".
END: Final = re.compile(r"(?<!\bart)(?<!\barts)(?<!\binc)(?<!\bpar)(?<!\bn)(?<!\bdr)(?<!\bdra)[.!?;\n]+(?=\s|$)|\n")
_FEWEST: Final = 3  # content words that must be the shown sentence's own
_COMMON: Final = frozenset(word for text in LEXICO["palavras_de_qualquer_frase"] for word in stems(text))


def content(folded: str) -> frozenset[str]:
    """The stems that say what a sentence is about, its connectives left out."""
    return frozenset(stems(folded)) - _COMMON


def shown_sentences(textos: Iterable[str]) -> tuple[str, ...]:
    """The sentences of the words of the inputs, folded."""
    return tuple(sentence for text in textos for sentence in END.split(text) if sentence and sentence.strip())


def share_told(folded: str, shown: Sequence[str]) -> float:
    """How much of a sentence's content stands in the one shown sentence that has most of it, 0 to 1.

    0 where too few words meet, or where one of the two denies and the other does not.
    """
    own = content(folded)
    denies = LEXICO.has("negacao", folded)
    best = 0.0
    for sentence in shown:
        met = own & content(sentence)
        if len(met) >= _FEWEST and LEXICO.has("negacao", sentence) == denies:
            best = max(best, len(met) / len(own))
    return best
