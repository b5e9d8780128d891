"""How a clinic is reached, so that nothing is said to whoever merely listens on its port: by a socket in its folder, or by TLS.

A clinic of this machine is proven by where its socket is: in a folder that nobody but its owner may enter.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crivo.clinicas.registro import Clinica

_LONGEST_NAME: Final = 103  # bytes of a socket's path on macOS; Linux takes 107
_DESCRIPTORS: Final = Path("/proc/self/fd")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Local:
    """By the socket of that name in the clinic's own folder."""

    folder: Path
    name: str

    def is_private(self) -> bool:
        """Whether nobody but whoever runs this program, or root, can have put a socket there."""
        try:
            found = self.folder.stat()
        except OSError:
            return False
        own = os.geteuid()
        return not found.st_mode & _OTHERS and own in {0, found.st_uid}

    @contextmanager
    def address(self) -> Iterator[str]:
        """The socket as the system takes it, while the block lasts. Raises OSError where there is no such folder."""
        whole = self.folder / self.name
        if len(os.fsencode(whole)) <= _LONGEST_NAME or not _DESCRIPTORS.is_dir():
            yield str(whole)
            return
        descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield str(_DESCRIPTORS / str(descriptor) / self.name)
        finally:
            os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Tls:
    """By TLS: with a certificate that the machine trusts, or with the one of this SHA-256 fingerprint and no other."""

    impressao: bytes | None


Way = Local | Tls


def door_of(clinica: Clinica, folder: Path) -> Local:
    """The socket on which a clinic that runs on this machine answers."""
    return Local(folder, f"{clinica.porta}.sock")


def way_to(clinica: Clinica, folder: Path) -> Way:
    """How a clinic is reached by its address: `https` is another machine's, and all else this one's."""
    try:
        is_remote = urlsplit(clinica.url).scheme == "https"
    except ValueError:
        is_remote = False
    if not is_remote:
        return door_of(clinica, folder)
    return Tls(bytes.fromhex(clinica.impressao.replace(":", "")) if clinica.impressao else None)
