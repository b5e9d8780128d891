"""What a reading finds along the way, and the words in which it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from crivo.kernel.formas.palavras import Caminho, name_of, nearest
from crivo.kernel.formas.queixas import Voz
from crivo.triagem.importacao.problemas import Ocorrencias, cite


class Relato:
    """The two levels: `problemas` refuse the import, `avisos` do not."""

    def __init__(self, origens: Mapping[Caminho, Caminho] | None = None, folder: Path | None = None) -> None:
        """`folder` takes what outgrows memory while it is read."""
        self.folder = folder
        self.problemas = Ocorrencias(origens)
        self.avisos = Ocorrencias(origens)
        self.voz = Voz(
            label=self.label,
            cite=cite,
            cita=False,
            aponta=". Os campos aceitos estão em `crivo triagem esquema`.",
            sugere=". Quis dizer `{}`?",
            cheia=lambda: self.problemas.cheia,
        )

    def fail(self, codigo: str, caminho: Caminho, resto: str) -> None:
        """A problem whose sentence begins with the field: "`peso` deve ser…"."""
        self.problemas.add(codigo, caminho, f"{self.label(caminho)} {resto}.")

    def label(self, caminho: Caminho) -> str:
        """The field's own name with its positions, or what the file as a whole is called."""
        return name_of(self.problemas.origin(caminho), "O arquivo", cite)

    def suggest(self, escrito: str, conhecidos: Iterable[str]) -> str:
        """A question that offers the known word most like this one; empty where none is."""
        meant = self.meant(escrito, conhecidos)
        return f" Quis dizer `{cite(meant)}`?" if meant else ""

    def meant(self, escrito: str, conhecidos: Iterable[str]) -> str | None:
        """The known word most like this one; None where none is, or nobody would read it any more."""
        return None if self.problemas.cheia else nearest(escrito, conhecidos)
