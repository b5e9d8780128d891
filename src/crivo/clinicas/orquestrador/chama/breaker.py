"""A circuit breaker: a clinic that keeps failing is left alone for a while, then tried with one call. Source: design, Router."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

State = Literal["fechado", "aberto", "meio_aberto"]

_TOLERANCE: Final = 3  # failures in a row
_FIRST_PAUSE: Final = 1.0  # seconds
_LONGEST_PAUSE: Final = 8.0


class Breaker:
    """The breaker of one clinic; `clock` counts seconds from any moment on."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        tolerance: int = _TOLERANCE,
        first_pause: float = _FIRST_PAUSE,
        longest_pause: float = _LONGEST_PAUSE,
    ) -> None:
        self._clock = clock
        self._tolerance = tolerance
        self._first_pause = first_pause
        self._longest_pause = longest_pause
        self._failures = 0
        self._pause = first_pause
        self._open_until: float | None = None  # None: calls pass
        self._probing = False

    @property
    def state(self) -> State:
        """Whether calls pass, none does, or one is out to see."""
        if self._open_until is None:
            return "fechado"
        return "meio_aberto" if self._probing else "aberto"

    def admits(self) -> bool:
        """Whether a call may go out now; one that may must be followed by `succeeded` or `failed`."""
        if self._open_until is None:
            return True
        if self._probing or self._clock() < self._open_until:
            return False
        self._probing = True
        return True

    def succeeded(self) -> None:
        """The clinic answered."""
        self._failures, self._pause = 0, self._first_pause
        self._open_until, self._probing = None, False

    def failed(self) -> None:
        """The clinic did not answer."""
        self._failures += 1
        if self._probing:
            self._pause = min(2 * self._pause, self._longest_pause)
        if self._probing or self._failures >= self._tolerance:
            self._open_until, self._probing = self._clock() + self._pause, False
