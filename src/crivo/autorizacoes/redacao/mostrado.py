"""What the writer was shown, sentence by sentence, and how much of a sentence is told from one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from crivo.autorizacoes.redacao.fatos import stems
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.kernel.linguagem.dobra import fold_letters

# An abbreviation's full stop ends no sentence: "art. 6º", "n. 10".
END: Final = re.compile(r"(?<!\bart)(?<!\barts)(?<!\binc)(?<!\bpar)(?<!\bn)(?<!\bdr)(?<!\bdra)[.!?;\n]+(?=\s|$)|\n")
_STEM: Final = 5  # letters by which "evolução" and "evoluiu" meet
_FEWEST: Final = 3  # content words that must be the shown sentence's own
_FEWEST_OF_CONDITION: Final = 2
_COMMON: Final = frozenset(word[:_STEM] for text in LEXICO["palavras_de_qualquer_frase"] for word in stems(fold_letters(text)))


def content(folded: str) -> frozenset[str]:
    """The stems that say what a sentence is about, its connectives left out."""
    return frozenset(word[:_STEM] for word in stems(folded)) - _COMMON


def shown_sentences(textos: Iterable[str]) -> tuple[str, ...]:
    """The sentences of the words of the inputs, folded."""
    return tuple(sentence for text in textos for sentence in END.split(text) if sentence.strip())


def share_told(folded: str, shown: Sequence[str], proprio: frozenset[str]) -> float:
    """How much of a sentence's content stands in the one shown sentence that has most of it, 0 to 1.

    Of a shown condition ("depends on", "may be") it counts as well how much of it is told. `proprio` are the stems of the procedure's
    own name, which every sentence has. 0 where too few words meet, or where one of the two denies and the other does not.
    """
    named = frozenset(word[:_STEM] for word in proprio)
    own = content(folded) - named
    denies = LEXICO.has("negacao", folded)
    best = 0.0
    for sentence in shown:
        if LEXICO.has("negacao", sentence) != denies:
            continue
        theirs = content(sentence) - named
        met = len(own & theirs)
        if met >= _FEWEST:
            best = max(best, met / len(own))
        if met >= _FEWEST_OF_CONDITION and len(theirs) > _FEWEST_OF_CONDITION and LEXICO.has("condiciona", sentence):
            best = max(best, met / len(theirs))
    return best
