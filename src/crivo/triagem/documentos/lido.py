"""A document after it was read: its text by page, what it hides, and why it could not be read where it could not."""

from __future__ import annotations

from typing import Final, Literal

from crivo.triagem.edital import Formato, Projeto, Value

Leitura = Literal[
    "lido",
    "vazio",  # opened, and there is nothing to read in it
    "corrompido",
    "protegido",  # asks for a password
    "desconhecido",  # the content is of no type that is read here
    "grande_demais",
    "tempo_esgotado",
    "sem_ocr",  # an image of a page, and no tesseract on this machine
    "ilegivel",  # an image in which no text can be told from noise: a photograph, a hand, a poor copy
]
TruqueOculto = Literal[
    "invisivel", "sem_cor", "minusculo", "fora_da_pagina", "encoberto", "largura_zero", "vanish", "apagado", "metadado", "cortado"
]


# What files honestly hold unseen: properties, labels, comments, deletions that were tracked, a line that runs off the paper.
TRUQUES_COMUNS: Final[frozenset[TruqueOculto]] = frozenset({"apagado", "metadado", "cortado"})


class Palavra(Value, frozen=True):
    """A word read in an image: `confianca` 0 to 1; `caixa` left, top, right, bottom, in shares of the page as it is shown."""

    texto: str
    confianca: float
    caixa: tuple[float, float, float, float]


TipoDeRegiao = Literal[
    "carimbo",
    "manuscrito",  # a signature, a stroke of a pen
    "sem_leitura",  # something like a line of words, none of which was read for certain
]


class Regiao(Value, frozen=True):
    """A part of an image that is no print; `caixa` as that of a word."""

    tipo: TipoDeRegiao
    caixa: tuple[float, float, float, float]


class Pagina(Value, frozen=True):
    """The text of a page as a person sees it, hidden parts left out; `numero` counts from 1. A DOCX is one page.

    `palavras` are those of a page read from an image, in the order of its text; `nao_lida`: an image of which nothing was read.
    `regioes` are what stands on such a page beside print.
    """

    numero: int
    texto: str
    por_ocr: bool = False
    palavras: tuple[Palavra, ...] = ()
    nao_lida: bool = False
    regioes: tuple[Regiao, ...] = ()


class TrechoOculto(Value, frozen=True):
    """Text that is in the file and that nobody sees; `pagina` is None for what belongs to no page."""

    texto: str
    truque: TruqueOculto
    pagina: int | None = None


class DocumentoLido(Value, frozen=True):
    """A file as it was read. `formato` is that of its content, whatever its name says; `sha256` is hexadecimal.

    `quer_ocr`: a machine that reads images would read it otherwise.
    """

    arquivo: str
    sha256: str
    tamanho_bytes: int
    formato: Formato | None
    leitura: Leitura
    paginas: tuple[Pagina, ...] = ()
    ocultos: tuple[TrechoOculto, ...] = ()
    total_paginas: int = 0
    requisito: str | None = None
    quer_ocr: bool = False

    @property
    def texto(self) -> str:
        """All that a person can read in it."""
        return "\n".join(pagina.texto for pagina in self.paginas)


class ProjetoLido(Value, frozen=True):
    """A project with its documents read: what every finder takes."""

    projeto: Projeto
    documentos: tuple[DocumentoLido, ...] = ()
