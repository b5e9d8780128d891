"""How much memory a process and all that it started hold at one moment, as Linux tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

CAN_TELL: Final = Path("/proc/self/smaps_rollup").exists()


def held_megabytes(pid: int) -> float:
    """Memory of the process and its descendants, what several share counted once between them; 0 once they are gone."""
    return sum(_held_kilobytes(one) for one in _family(pid)) / 1024


def _family(pid: int) -> list[int]:
    return [pid, *(each for child in _children(pid) for each in _family(child))]


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _held_kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
