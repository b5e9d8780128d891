"""A clinic's agenda in and out as db.json, with its servers running or not. Source: blueprint 3.2."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from crivo.clinicas.clinica.dbjson import write_db_json
from crivo.clinicas.clinica.serving import Place, prepare
from crivo.clinicas.clinica.values import Seed, SlotRecord
from crivo.kernel.clock import BRASILIA


def export_slots(place: Place, path: Path) -> int:
    """Writes every slot of a clinic to a db.json; returns the count. Raises SiloIndisponivel."""
    with closing(place.open_silo()) as silo:
        slots = silo.all_slots()
    write_db_json(path, slots)
    return len(slots)


def held_slots(place: Place) -> tuple[SlotRecord, ...]:
    """Every slot that a clinic has now; none where it never ran. Raises SiloIndisponivel."""
    if not place.folder.silo.exists():
        return ()
    with closing(place.open_silo()) as silo:
        return silo.all_slots()


def import_slots(place: Place, slots: Sequence[SlotRecord], seen: Sequence[SlotRecord]) -> None:
    """Replaces every slot of a clinic, which are known to be those of `seen`.

    Raises AgendaMudou where they are not, and SiloIndisponivel; the clinic is then as it was.
    """
    prepare(place, lambda _: Seed())
    with closing(place.open_silo()) as silo:
        silo.replace_slots(slots, seen)


def write_aside(place: Place, folder: Path, slots: Sequence[SlotRecord]) -> Path:
    """Write an agenda to a new db.json in a folder, named by its clinic and the moment; nothing that is there is written over.

    Raises SiloIndisponivel.
    """
    name = f"{place.clinica.id}-antes-{place.clock.now().astimezone(BRASILIA):%Y%m%d-%H%M%S}"
    path = next(path for again in count(1) if not (path := folder / f"{name}{f'-{again}' if again > 1 else ''}.db.json").exists())
    write_db_json(path, slots)
    return path
