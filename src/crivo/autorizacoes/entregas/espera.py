"""When what was not delivered is tried again, and until when. Pure: the moment and the chance are given."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

INSISTE: Final = timedelta(days=3)
"""How long a delivery is tried for, from when it was put in the outbox or asked for again."""
_FIRST_SECONDS: Final = 10
_LONGEST_SECONDS: Final = 3 * 3600
_JITTER: Final = 0.25
_RESTS_AFTER: Final = 3  # failures of one destination, one after another
_REST_FIRST_SECONDS: Final = 30
_REST_LONGEST_SECONDS: Final = 900


def pause_after(tentativas: int, acaso: float) -> timedelta:
    """The pause after so many tries (from 1): 10 s, 40 s, 2min40, … at most 3 h, a quarter more or less by `acaso`, 0 to 1."""
    return _spread(min(_FIRST_SECONDS * 4 ** min(tentativas - 1, 10), _LONGEST_SECONDS), acaso)


def rest_after(falhas_seguidas: int, acaso: float) -> timedelta | None:
    """How long a destination is left alone after so many failures in a row, and then tried with one message; None: it goes on.

    It keeps an address that is down for a day from holding workers for as long as there are messages to it.
    """
    beyond = falhas_seguidas - _RESTS_AFTER
    return None if beyond < 0 else _spread(min(_REST_FIRST_SECONDS * 2 ** min(beyond, 10), _REST_LONGEST_SECONDS), acaso)


def is_over(agora: datetime, insiste_ate: datetime) -> bool:
    """Whether a delivery that failed now is given up."""
    return agora >= insiste_ate


def _spread(seconds: float, acaso: float) -> timedelta:
    return timedelta(seconds=seconds * (1 - _JITTER + 2 * _JITTER * acaso))
