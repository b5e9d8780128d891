"""What of the clinics on this machine goes into a copy of the installation: each silo as it is, sealed, and the registry; keys apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.silo_file import told
from crivo.clinicas.service import REGISTRO
from crivo.kernel.copia.pasta import ArquivoDaPasta, ChaveDaPasta, ParteDaPasta
from crivo.kernel.sigilo.destruidas import FILE as DESTRUIDAS
from crivo.kernel.sigilo.mestra import FILE as MESTRA

FOLDER: Final = "clinicas"
_BUSY_SECONDS: Final = 30.0
_HASHES: Final = "registro.chave"


@dataclass(frozen=True, slots=True)
class SiloCopiado:
    """The silo of a clinic at one moment, while the clinic goes on writing it."""

    nome: str
    path: Path
    antes: bool = False

    @contextmanager
    def read(self, work: Path) -> Iterator[BinaryIO]:
        """The whole file as one transaction sees it. Raises SiloIndisponivel."""
        draft = work / "silo.sqlite3"
        with told(self.path):
            uri = f"{self.path.absolute().as_uri()}?mode=rw"
            with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as source, closing(sqlite3.connect(draft)) as target:
                source.backup(target)
                target.execute("pragma journal_mode=delete")  # one file, with nothing beside it
        try:
            with draft.open("rb") as file:
                yield file
        finally:
            draft.unlink(missing_ok=True)


def partes_das_clinicas(data_dir: Path) -> tuple[ParteDaPasta, ...]:
    """The registry, and of each clinic the silo and its list of destroyed keys, which is read after it."""
    registro = data_dir / FOLDER / REGISTRO
    found: list[ParteDaPasta] = [ArquivoDaPasta(f"{FOLDER}/{REGISTRO}", registro)] if registro.exists() else []
    for folder in _folders(data_dir):
        found.append(SiloCopiado(_named(folder, folder.silo), folder.silo))
        if (lista := folder.path / DESTRUIDAS).exists():
            found.append(ArquivoDaPasta(_named(folder, lista), lista))
    return tuple(found)


def impressoes_das_clinicas(data_dir: Path) -> dict[str, str]:
    """The keys without which the silos here do not open: by path, with the fingerprint (hex) that each silo has of its own.

    Raises SiloIndisponivel.
    """
    return {_named(folder, folder.path / MESTRA): known for folder in _folders(data_dir) if (known := _known(folder.silo))}


def chaves_das_clinicas(data_dir: Path) -> tuple[ChaveDaPasta, ...]:
    """The keys of the clinics: without its master key a silo does not open; the others are made anew where they are missing."""
    found = []
    for folder in _folders(data_dir):
        for path, exigida in ((folder.path / MESTRA, True), (folder.keys, False)):
            if path.exists():
                found.append(ChaveDaPasta(_named(folder, path), path.read_bytes(), exigida))
    if (hashes := data_dir / FOLDER / _HASHES).exists():
        found.append(ChaveDaPasta(f"{FOLDER}/{_HASHES}", hashes.read_bytes()))
    return tuple(found)


def _known(silo: Path) -> str:
    """By which a silo knows its master key again (hex); empty where nothing in it was ever sealed."""
    with told(silo), closing(sqlite3.connect(f"{silo.absolute().as_uri()}?mode=rw", uri=True, timeout=_BUSY_SECONDS)) as opened:
        if not opened.execute("select 1 from sqlite_master where name = 'sigilo'").fetchone():
            return ""
        row = opened.execute("select impressao from sigilo").fetchone()
    return "" if row is None else bytes(row[0]).hex()


def _folders(data_dir: Path) -> Sequence[ClinicFolder]:
    return [ClinicFolder(path.parent) for path in sorted((data_dir / FOLDER).glob("*/silo.sqlite3"))]


def _named(folder: ClinicFolder, path: Path) -> str:
    return f"{FOLDER}/{folder.path.name}/{path.name}"
