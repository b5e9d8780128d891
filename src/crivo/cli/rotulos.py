"""How outcomes are drawn on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.palavras import DECISOES

if TYPE_CHECKING:
    from rich.text import Text

_CORES: Final[Mapping[str, str]] = {"aprovado": "green", "parcial": "cyan", "pendente": "yellow", "negado": "red"}


def decisao(final: DecisaoFinal) -> Text:
    """An outcome with its mark, in its colour."""
    from rich.text import Text

    rotulo = DECISOES[final]
    return Text(f"{rotulo.marca} {rotulo.palavra}", style=_CORES[rotulo.estilo])
