"""A text cut into sentences and segments, each with what it is: a question, a refusal, a denial, a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from crivo.clinicas.orquestrador.entende.lexico_frases import FRASES
from crivo.kernel.linguagem.fala import Folded, folded
from crivo.kernel.linguagem.folego import check

_SENTENCE_END: Final = re.compile(
    # What precedes a point is looked at behind it, so that a place without one costs nothing.
    r"[.](?<!\bdr.)(?<!\bdra.)(?<!\bsr.)(?<!\bsra.)(?<!\bav.)(?<!\bprof.)(?:(?<=\bclinica\s[a-z].)|(?<=\bclinic\s[a-z].)|(?<!\b[a-z].))"
    r"(?=\s|$)|[!?]+|\n+|[.](?<=\bh.)(?=\s+[a-z])"
)
_SEGMENT_END: Final = re.compile(FRASES.corte)
_SPELLED: Final = re.compile(r"(?<!\w)[a-z]([ .\-_*])[a-z](?:\1[a-z]){2,}(?!\w)")
_DISGUISED: Final = re.compile(r"(?<![a-z0-9@$])(?=[a-z0-9@$]*[a-z]{2})[a-z0-9@$]*[a-z][013457@$]+[a-z][a-z0-9@$]*")
_PLAIN_LETTERS: Final = str.maketrans("013457@$", "oieastas")


# How many stretches of text are remembered with what was found in them: most are said again, as the lines of an agenda are.
REMEMBERED: Final = 2_048


class _Wording:
    """What a stretch of text says by its words alone, wherever it stands."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def refused(self) -> int | None:
        match = _REFUSAL.search(self._text)
        return match.start() if match else None

    @cached_property
    def deferred(self) -> bool:
        return bool(_DEFERRAL.search(self._text)) and not _FORETELLS.search(self._text)

    @cached_property
    def denied(self) -> bool:
        return bool(_DENIAL.search(self._text))

    @cached_property
    def supposed(self) -> bool:
        return bool(_HYPOTHETICAL.search(self._text))


@lru_cache(maxsize=REMEMBERED)
def _wording(text: str) -> _Wording:
    return _Wording(text)


class Segment:
    """A stretch of one sentence that says one thing; `start` and `end` are positions in the folded page."""

    def __init__(self, page: Folded, start: int, end: int, *, question: bool) -> None:
        self.start = start
        self.end = end
        self.text = page.text[start:end]
        self.question = question
        self._wording = _wording(self.text)

    @property
    def refused(self) -> int | None:
        """Where it refuses to speak of something ("não posso indicar…"), in the segment's own positions."""
        return self._wording.refused

    @property
    def deferred(self) -> bool:
        """Whether it leaves the matter to a doctor."""
        return self._wording.deferred

    @property
    def denied(self) -> bool:
        """Whether it says that something is not there, or no longer free."""
        return self._wording.denied

    @property
    def hypothetical(self) -> bool:
        """Whether it speaks of what may come, not of what is: a condition, a wish, a question."""
        return self.question or self._wording.supposed


_REFUSAL: Final = re.compile(FRASES.recusa)
_DEFERRAL: Final = re.compile(FRASES.encaminha)
_FORETELLS: Final = re.compile(
    r"\b(?:vai|ira|costuma|costumam|provavelmente|com certeza|will(?: probably)?|usually)\s+(?:\w+\s+)?(?:mandar|receitar|prescrever|"
    r"passar|dar|usar|prescribe|give|recetar)\b"
)
_DENIAL: Final = re.compile(FRASES.negacao)
_HYPOTHETICAL: Final = re.compile(FRASES.hipotese)


class Page:
    """A text read once for all the rules."""

    def __init__(self, text: str) -> None:
        self.original = text
        self.folded = folded(text)
        self.text = self.folded.text

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each sentence or line in the folded text, the closing mark included."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[tuple[int, int]]:
        start = 0
        for match in _SENTENCE_END.finditer(self.text):
            if self.text[start : match.start()].strip():
                yield start, match.end()
            start = match.end()
        if self.text[start:].strip():
            yield start, len(self.text)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Every segment of every sentence."""
        return tuple(segment for start, end in self.sentences for segment in self._cut(start, end))

    def _cut(self, start: int, end: int) -> Iterator[Segment]:
        check()
        question = "?" in self.text[max(start, end - 4) : end]
        cuts = [match.start() for match in _SEGMENT_END.finditer(self.text, start, end) if match.start() > start]
        for left, right in zip((start, *cuts), (*cuts, end), strict=True):
            if self.text[left:right].strip(" ,;:.-"):
                yield Segment(self.folded, left, right, question=question)

    @cached_property
    def undisguised(self) -> str:
        """Words spelled with marks between their letters, or with figures for letters, as plain words."""
        spelled = ["".join(char for char in match.group() if char.isalpha()) for match in _SPELLED.finditer(self.text)]
        disguised = [match.group().translate(_PLAIN_LETTERS) for match in _DISGUISED.finditer(self.text)]
        return " ; ".join((*spelled, *disguised))
