"""A clinic's agenda in and out as db.json, with its servers running or not. Source: blueprint 3.2."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from crivo.clinicas.clinica.dbjson import read_db_json, write_db_json
from crivo.clinicas.clinica.serving import Place, prepare
from crivo.clinicas.clinica.values import Seed


def export_slots(place: Place, path: Path) -> int:
    """Writes every slot of a clinic to a db.json; returns the count. Raises SiloIndisponivel."""
    with closing(place.open_silo()) as silo:
        slots = silo.all_slots()
    write_db_json(path, slots)
    return len(slots)


def import_slots(place: Place, path: Path) -> int:
    """Replaces every slot of a clinic by those of a db.json; returns the count.

    Raises DbJsonInvalido (nothing is changed) and SiloIndisponivel.
    """
    slots = read_db_json(path)
    prepare(place, lambda _: Seed())
    with closing(place.open_silo()) as silo:
        silo.replace_slots(slots)
    return len(slots)
