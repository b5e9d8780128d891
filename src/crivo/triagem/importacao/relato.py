"""What a reading finds along the way, and the words in which it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.importacao.itens import Itens
from crivo.triagem.importacao.leitura_json import Valor
from crivo.triagem.importacao.problemas import Caminho, Ocorrencias, cite, format_caminho

_ALIKE: Final = 65.0  # per cent; below it two words are not taken for each other
_SUGGESTED_LENGTH: Final = 64


class Relato:
    """The two levels: `problemas` refuse the import, `avisos` do not."""

    def __init__(self, origens: Mapping[Caminho, Caminho] | None = None, folder: Path | None = None) -> None:
        """`folder` takes what outgrows memory while it is read."""
        self.folder = folder
        self.problemas = Ocorrencias(origens)
        self.avisos = Ocorrencias(origens)

    def fail(self, codigo: str, caminho: Caminho, resto: str) -> None:
        """A problem whose sentence begins with the field: "`peso` deve ser…"."""
        self.problemas.add(codigo, caminho, f"{self.label(caminho)} {resto}.")

    def label(self, caminho: Caminho) -> str:
        """The field's own name with its positions, or what the file as a whole is called."""
        passos = self.problemas.origin(caminho)
        if not passos:
            return "O arquivo"
        start = max((index for index, passo in enumerate(passos) if isinstance(passo, str)), default=0)
        return f"`{format_caminho(passos[start:])}`"

    def suggest(self, escrito: str, conhecidos: Iterable[str]) -> str:
        """A question that offers the known word most like this one; empty where none is, or nobody would read it any more."""
        if self.problemas.cheia or len(escrito) > _SUGGESTED_LENGTH:
            return ""
        found = process.extractOne(escrito, list(conhecidos), scorer=fuzz.ratio, processor=fold, score_cutoff=_ALIKE)
        return f" Quis dizer `{cite(found[0])}`?" if found else ""


def seen(valor: Valor) -> str:
    """What stands where something else was expected; never a text, which may name somebody."""
    if valor is None:
        return "aqui está vazio"
    if isinstance(valor, bool):
        return f"aqui está `{'true' if valor else 'false'}`"
    if isinstance(valor, int | Decimal):
        return f"aqui está `{cite(str(valor))}`"
    kinds = {str: "um texto", list: "uma lista", Itens: "uma lista", dict: "um objeto"}
    return f"aqui há {next(words for kind, words in kinds.items() if isinstance(valor, kind))}"
