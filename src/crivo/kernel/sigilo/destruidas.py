"""The list of keys that were destroyed at a person's request, outside the database: what a restored backup brings back dies again.

A line is a tenant and the id of a key, which is random and tells of nobody. Lines are only ever added.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from crivo.kernel.sigilo.erros import ListaDeApagadosIlegivel

FILE: Final = "chaves_destruidas"


@dataclass(frozen=True, slots=True)
class Destruidas:
    """The list in a folder."""

    folder: Path

    def add(self, tenant_id: str, ids: Sequence[UUID]) -> None:
        """Write down keys, on disk before it returns: called before they are destroyed, as a key too many on the list harms nobody."""
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write("".join(f"{tenant_id} {one}\n" for one in ids))
            file.flush()
            os.fsync(file.fileno())

    def by_tenant(self) -> dict[str, list[UUID]]:
        """All keys of the list; a line that was cut short by a crash is passed over. Raises ListaDeApagadosIlegivel."""
        found: dict[str, list[UUID]] = {}
        try:
            lines = (self.folder / FILE).read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return found
        except OSError as error:  # what was erased must not come back for want of the list
            raise ListaDeApagadosIlegivel(
                f"A lista de chaves destruídas em {self.folder / FILE} não pôde ser lida: {error.strerror}."
            ) from None
        for line in lines:
            tenant_id, _, said = line.partition(" ")
            try:
                one = UUID(said)
            except ValueError:
                continue  # before anything of the line is taken: what is left of a name names nobody
            found.setdefault(tenant_id, []).append(one)
        return found
