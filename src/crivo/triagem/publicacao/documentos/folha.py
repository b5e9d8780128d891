"""A document before it has a format: what it says, in order, as people read it. Every writer takes the same."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from crivo.triagem.condicao import Value

RASCUNHO = "RASCUNHO"


class Coluna(Value, frozen=True):
    """A column: its heading, its share of the width beside the others, and whether numbers stand in it."""

    titulo: str
    largura: int = 10
    numero: bool = False


class Tabela(Value, frozen=True, tag_field="tipo", tag="tabela"):
    """Rows of text under headings; `titulo` is its caption, `vazia` is said where there are none, `chave` is the column that names one."""

    titulo: str
    colunas: tuple[Coluna, ...]
    linhas: tuple[tuple[str, ...], ...]
    vazia: str = "Nenhum projeto."
    chave: int = 0


class Fatos(Value, frozen=True, tag_field="tipo", tag="fatos"):
    """Names and what is said of each."""

    itens: tuple[tuple[str, str], ...]


class Paragrafo(Value, frozen=True, tag_field="tipo", tag="paragrafo"):
    """Running text; `aviso` is to be seen first, `literal` is to be copied letter by letter."""

    texto: str
    estilo: Literal["corrido", "aviso", "literal"] = "corrido"


Bloco = Tabela | Fatos | Paragrafo


class Secao(Value, frozen=True):
    """A part with a heading; `nivel` 2 stands under the title, 3 under the 2 before it."""

    titulo: str
    blocos: tuple[Bloco, ...]
    nivel: Literal[2, 3] = 2


class Folha(Value, frozen=True):
    """A whole document. `em` is the moment that it tells as its own, `marca` what every page says above it (RASCUNHO, or nothing)."""

    titulo: str
    orgao: str
    assunto: str
    em: datetime
    abertura: tuple[Bloco, ...]
    secoes: tuple[Secao, ...]
    pe: str
    marca: str = ""
    deitada: bool = False
