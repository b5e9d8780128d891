"""Papers of an edital that are images and were not read: how many, and what would mend it. Source: design, From the text of the edital."""

from __future__ import annotations

from typing import Final

from crivo.triagem.documentos.instalacao import how_to_install, install_command
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Value
from crivo.triagem.palavras import count

CODIGO: Final = "imagens_nao_lidas"


class ImagensNaoLidas(Value, frozen=True):
    """So many documents are images that nothing read; `comando` installs what reads them, None on a system that is not known here.

    `ha_leitor`: it is there by now.
    """

    quantas: int
    comando: str | None = None
    ha_leitor: bool = False

    @property
    def dito(self) -> str:
        """What is so, and what mends it (pt-BR)."""
        one = self.quantas == 1
        many = count(self.quantas, "documento é imagem", "documentos são imagens")
        again = "só esse é lido outra vez" if one else "só esses são lidos outra vez"
        if self.ha_leitor:
            return f"{many} e ainda não {'foi lido' if one else 'foram lidos'}. Execute a triagem: {again}."
        return (
            f"{many}, e esta instalação não lê imagens: alguém precisa abrir e conferir. Para que sejam lidos, "
            f"{how_to_install(self.comando)}; depois reinicie o crivo e execute a triagem de novo: {again}."
        )


def unread_images(quantas: int) -> ImagensNaoLidas | None:
    """What is to be told of so many images on this machine, None of none."""
    if not quantas:
        return None
    ha_leitor = find_tesseract() is not None
    return ImagensNaoLidas(quantas, None if ha_leitor else install_command(), ha_leitor)
