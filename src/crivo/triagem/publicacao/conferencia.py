"""What is answered to whoever asks whether a file, or a digest, is what was published."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from crivo.triagem.publicacao.documentos.formatos import FormatoDeSaida
from crivo.triagem.publicacao.guardados import Prova, Publicada

Veredito = Literal["igual", "de_outra_versao", "diferente", "nao_conhecido"]
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")
_GAPS: Final = re.compile(r"[\s:]")


@dataclass(frozen=True, slots=True)
class Conferida:
    """`igual`: byte by byte the version that was asked about; `de_outra_versao`: another of the same edital (`versao`); `diferente`: a
    file that reads as one of our formats and is none of them; `nao_conhecido`: neither a file nor a digest of ours.

    `sha256` is of what came in. `vigente` is the version in force, of the fase of what was found.
    """

    veredito: Veredito
    sha256: str
    formato: FormatoDeSaida | None
    versao: Publicada | None
    vigente: Publicada
    prova: Prova | None


def read_digest(written: str) -> str | None:
    """A SHA-256 as people copy it, with blanks or a file's name after it; None where there is none."""
    found = _HEX.search(written) or _HEX.search(_GAPS.sub("", written))
    return found[0].lower() if found else None
