"""Pages that were drawn, kept in memory up to so many bytes: those looked at longest ago are forgotten first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lembradas(Generic[K, V]):
    """Values by key, each with its size; together never more than `most_bytes`."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()

    @property
    def held_bytes(self) -> int:
        """The sizes of all that is kept."""
        return self._held

    def find(self, key: K) -> V | None:
        """What is kept, or None."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value, in the place of what was kept by that key; one that is larger than all together is not kept."""
        self._forget(key)
        if size > self._most:
            return
        self._kept[key] = (value, size)
        self._held += size
        while self._held > self._most:
            _, (_, freed) = self._kept.popitem(last=False)
            self._held -= freed

    def forget_where(self, gone: Callable[[K], bool]) -> None:
        """Keep no longer what is kept by any such key."""
        for key in [key for key in self._kept if gone(key)]:
            self._forget(key)

    def _forget(self, key: K) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._held -= found[1]
