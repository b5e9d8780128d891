"""The words of a message as written, found by their place in its text as it is read."""

from __future__ import annotations

from crivo.clinicas.orquestrador.entende.frase import Frase


def written(sentence: Frase, start: int, end: int) -> str:
    """The words that begin in a span, as written."""
    left, right = places(sentence, start, end)
    return sentence.original[left:right].strip(" ,;")


def places(sentence: Frase, *edges: int) -> list[int]:
    """Where in the message as written the first word stands that begins at each place of its text, or after it."""
    found, at = [], 0
    for word in sentence.words:
        at = sentence.original.index(word.original, at)
        found.append((word.start, at))
        at += len(word.original)
    return [next((place for begin, place in found if begin >= edge), len(sentence.original)) for edge in edges]
