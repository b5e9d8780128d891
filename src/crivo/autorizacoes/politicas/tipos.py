"""The kinds of field that a política's document is made of; the published schema and the validation both come from these."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Padrao:
    """A regular expression that a text must meet, or must not; written so that ECMA and Python read it alike."""

    expressao: str
    codigo: str
    mensagem: str
    recusa: bool = False

    def fails(self, texto: str) -> bool:
        """True where the text breaks this pattern."""
        return (re.search(self.expressao, texto) is not None) == self.recusa

    def matches_whole(self, texto: str) -> bool:
        """True where the pattern takes the whole text, so that a final line break is not overlooked."""
        return re.fullmatch(self.expressao, texto) is not None


NAO_VAZIO: Final = Padrao(r"\S", "texto_vazio", "não pode ficar em branco")
SEM_CONTROLE: Final = Padrao(
    r"[\u0000-\u001f\u007f-\u009f]",
    "texto_invalido",
    "tem um caractere invisível ou uma quebra de linha; escreva em uma linha só",
    recusa=True,
)
SEM_CONTROLE_LONGO: Final = Padrao(
    r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]", "texto_invalido", "tem um caractere invisível; apague-o", recusa=True
)


@dataclass(frozen=True, slots=True)
class Texto:
    """A text of up to `maximo` characters; `normaliza` gives the spelling that is kept."""

    maximo: int
    padroes: tuple[Padrao, ...] = (NAO_VAZIO, SEM_CONTROLE)
    normaliza: Callable[[str], str] = str.strip
    exemplo: str | None = None


@dataclass(frozen=True, slots=True)
class Escolha:
    """One of a closed list of words."""

    valores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """A calendar date, `AAAA-MM-DD`; `aberta` where none at all is the way to say that there is no such day."""

    aberta: bool = False


@dataclass(frozen=True, slots=True)
class Numero:
    """A number within inclusive bounds; an integer unless `fracao`."""

    minimo: int
    maximo: int
    fracao: bool = False


@dataclass(frozen=True, slots=True)
class Logico:
    """True or false."""


@dataclass(frozen=True, slots=True)
class ListaDe:
    """A list of one kind of item; with `sem_repetir`, the second of two equal items is left out."""

    item: Tipo
    minimo: int = 0
    sem_repetir: bool = False


@dataclass(frozen=True, slots=True)
class Objeto:
    """An object with these fields and no other."""

    nome: str
    campos: tuple[Campo, ...]
    por_nome: dict[str, Campo] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.por_nome.update({campo.nome: campo for campo in self.campos})


Tipo: TypeAlias = Texto | Escolha | Data | Numero | Logico | ListaDe | Objeto
Presenca: TypeAlias = Literal["obrigatorio", "opcional", "omissivel"]


@dataclass(frozen=True, slots=True)
class Campo:
    """A field of an object. `opcional` takes null as absent; `omissivel` may be left out, but stated is never null."""

    nome: str
    titulo: str
    descricao: str
    tipo: Tipo
    presenca: Presenca = "opcional"
