"""How a person answers what was proposed: a clear yes, a clear no, or neither. Only whole messages are weighed, never a word in them."""

from __future__ import annotations

import re
from typing import Final, Literal

from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import accord

Resposta = Literal["sim", "nao", "outra"]
_LETTERS: Final = re.compile(r"\w|👍")


def answer_in(sentence: Frase, *verbs: str) -> Resposta:
    """`sim` or `nao` where the message is made of nothing else; a hesitation or a question is neither.

    `verbs` are the groups of what was proposed: `cancela` agrees to a cancellation and to nothing else.
    """
    text, yes = sentence.text, ("sim", *verbs)
    if "?" in text:
        return "outra"
    if consists_of(text, "nao", "resto"):
        return "nao"
    if any(consists_of(text, first, *yes, "resto") for first in yes):
        return "sim"
    return "nao" if _begins_with(text, "nao") and consists_of(text, "nao", *yes, "resto") else "outra"


def begins_with_yes(sentence: Frase, *verbs: str) -> bool:
    """Whether a message begins by agreeing, and nothing in it hesitates or declines: `isso, cancela a da coluna`."""
    text = sentence.text
    if "?" in text or accord("nao").search(text) or accord("hesita").search(text):
        return False
    return any(_begins_with(text, group) for group in ("sim", *verbs))


def draws_back(sentence: Frase) -> bool:
    """Whether anything in a message hesitates, puts off or lets be."""
    return any(accord(group).search(sentence.text) for group in ("recua", "hesita"))


def consists_of(text: str, *groups: str) -> bool:
    """Whether a text has words of the first group, and none but of these groups."""
    return bool(accord(groups[0]).search(text)) and holds_only(text, *groups)


def holds_only(text: str, *groups: str) -> bool:
    """Whether a text has no words but of these groups."""
    for name in groups:
        text = accord(name).sub(" ", text)
    return not _LETTERS.search(text)


def _begins_with(text: str, group: str) -> bool:
    """Whether the first words that are more than fillers are of a group."""
    start = 0
    while (found := accord("resto").match(text, start)) or (start < len(text) and not _LETTERS.match(text, start)):
        if accord(group).match(text, start):
            return True
        start = found.end() if found else start + 1
    return bool(accord(group).match(text, start))
