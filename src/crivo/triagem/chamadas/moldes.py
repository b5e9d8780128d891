"""Editais to begin from, kept as data: what calls of a kind usually ask for, in our own words, for somebody to correct."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from crivo.triagem.edital import Chamada, Value
from crivo.triagem.importacao.leitura import read_definicao
from crivo.triagem.importacao.relato import Relato

# In the order in which they are offered.
_NOMES: Final = ("pnab-projetos", "pnab-premiacao", "lei-14903-execucao")


class Molde(Value, frozen=True):
    """A file of `moldes/`: what it is called, for whom it is, what has to be checked before anybody uses it, and the call as an import."""

    nome: str
    descricao: str
    confira: tuple[str, ...]
    chamada: dict[str, Any]

    def as_chamada(self) -> Chamada:
        """The call. Raises ValueError where the file is no right import, which a test holds it to."""
        relato = Relato()
        chamada = read_definicao(self.chamada, relato)
        if chamada is None:
            raise ValueError(relato.problemas.as_tuple())
        return chamada


_DECODER: Final = msgspec.json.Decoder(Molde, float_hook=Decimal)  # numbers are exact, as those of an import


@cache
def moldes() -> dict[str, Molde]:
    """Each by the name of its file, in the order in which they are offered."""
    folder = resources.files("crivo.triagem.chamadas").joinpath("moldes")
    return {nome: _DECODER.decode(folder.joinpath(f"{nome}.json").read_bytes()) for nome in _NOMES}
