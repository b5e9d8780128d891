"""What a preview rests on, in letters that whoever then acts gives back: four for each project, so that 5,000 fit in a form.

Source: decision 0045, "Many at once".
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

_MARK_BYTES: Final = 3
_MARK: Final = 4
_WHOLE: Final = 22


def state_of(*seen: object) -> bytes:
    """A digest of all that the preview of one project rests on."""
    return hashlib.sha256(msgspec.json.encode(seen)).digest()


def foreseen(states: Sequence[bytes]) -> str:
    """The marks of a preview: of the whole, then of each project in its order."""
    whole = hashlib.sha256(b"".join(states)).digest()
    return _text(whole)[:_WHOLE] + "".join([_text(one[:_MARK_BYTES]) for one in states])


def differing(codigos: Sequence[str], prevista: str, nova: str) -> tuple[str, ...] | None:
    """Which of these projects, in the order of the marks, another state was foreseen of than now; None where nothing is another, none
    where it cannot be told which.
    """
    if prevista == nova:
        return None
    if len(prevista) != len(nova):
        return ()
    marks = range(_WHOLE, len(prevista), _MARK)
    return tuple([one for one, at in zip(codigos, marks, strict=True) if prevista[at : at + _MARK] != nova[at : at + _MARK]])


def _text(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).decode()
