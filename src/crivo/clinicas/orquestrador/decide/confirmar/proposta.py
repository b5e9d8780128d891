"""What was said back and waits for a yes, as a conversation keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, Plan, Step, Value

KEY: Final = "proposto"
Planned = tuple[Plan, dict[str, str]]


class Proposto(Value, frozen=True):
    """What was said back and waits for a yes: the steps, the words that asked for it, and in which language it was asked.

    `troca` are the steps that do it in the place of what is held, where that was offered as well. `depois` is what the same message wished
    for besides, to be taken up once what waits is done, and `memoria` what is remembered then.
    """

    steps: tuple[Step, ...]
    dito: str = ""
    idioma: Idioma = "pt"
    troca: tuple[Step, ...] = ()
    depois: Plan | None = None
    memoria: dict[str, str] = msgspec.field(default_factory=dict)


def proposed(pending: Mapping[str, str]) -> Proposto | None:
    """What waits for a yes, if anything does."""
    try:
        return msgspec.json.decode(pending[KEY], type=Proposto)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        return None
