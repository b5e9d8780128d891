"""The ids of patients, as clinics number them: a prefix of the specialty, perhaps the clinic's letter, and a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.lexico import ESPECIALIDADES
from crivo.clinicas.orquestrador.entende.lugares import letters
from crivo.clinicas.registro import Clinica, Registro, practises
from crivo.kernel.linguagem.fala import fold

_ID: Final = re.compile(r"\b([a-z]{2,6})[- ]?([a-z]?)(\d{3,6})\b")
_SHORTEST: Final = 4  # of a prefix that is the beginning of a specialty


class Ficha(msgspec.Struct, frozen=True):
    """A patient's id in a text, as clinics write it, and the clinic that gave it; empty where the letter is of none."""

    patient_id: str
    clinic: str


def find_records(text: str, registro: Registro) -> Iterator[Ficha]:
    """The patients' ids in a folded text: those whose prefix is a clinic's, by its registry or the beginning of its specialty."""
    for match in _ID.finditer(text):
        prefix, letter, number = match.groups()
        for head, tail in ((prefix, letter), (prefix[:-1], prefix[-1])) if not letter else ((prefix, letter),):
            clinics = [clinica for clinica in registro if _numbers_with(clinica, head)]
            if clinics:
                found = letters(registro).get(tail, "") if tail else clinics[0].id
                yield Ficha(f"{head}-{tail}{number}".upper(), found)
                break


def _numbers_with(clinica: Clinica, prefix: str) -> bool:
    """Whether a clinic's ids begin so."""
    if clinica.prefixo:
        return fold(clinica.prefixo) == prefix
    known = [words.en for name, words in ESPECIALIDADES.items() if practises(clinica.especialidade, name)]
    return len(prefix) >= _SHORTEST and any(fold(name).startswith(prefix) for name in (clinica.especialidade, *known))
