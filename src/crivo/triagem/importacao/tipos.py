"""The kinds of field that an import is made of; the published schema and the validation both come from these."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias


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


NAO_VAZIO: Final = Padrao(r"\S", "texto_vazio", "não pode ficar em branco")
SEM_CONTROLE: Final = Padrao(
    r"[\u0000-\u001f\u007f-\u009f\ud800-\udfff]",
    "texto_invalido",
    "tem um caractere invisível ou uma quebra de linha; apague-o",
    recusa=True,
)
SEM_ESPACO: Final = Padrao(r"\s", "texto_invalido", "não pode ter espaço nem quebra de linha", recusa=True)


@dataclass(frozen=True, slots=True)
class Texto:
    """A text of up to `maximo` characters. `citavel`: it names nobody, and a message may repeat it."""

    maximo: int
    padroes: tuple[Padrao, ...] = ()
    citavel: bool = False
    exemplo: str | None = None


@dataclass(frozen=True, slots=True)
class Escolha:
    """One of a closed list of words."""

    valores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """A calendar date of the years 1900 to 2199, `AAAA-MM-DD`."""


@dataclass(frozen=True, slots=True)
class Momento:
    """A date with time and offset, as RFC 3339 writes it."""


@dataclass(frozen=True, slots=True)
class Numero:
    """A number within inclusive bounds (`acima`: greater than the lower one); an integer unless `fracao`."""

    minimo: int
    maximo: int
    fracao: bool = False
    acima: bool = False


@dataclass(frozen=True, slots=True)
class Logico:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Livre:
    """What a project declares: a text, a number, yes or no, nothing, or a list of these."""


@dataclass(frozen=True, slots=True)
class ListaDe:
    """A list of up to `maximo` items of one kind; with `sem_repetir`, each at most once; `em_disco` where it may outgrow memory."""

    item: Tipo
    maximo: int
    minimo: int = 0
    sem_repetir: bool = False
    em_disco: bool = False


@dataclass(frozen=True, slots=True)
class MapaDe:
    """An object whose names are anybody's choice, up to `maximo` of them."""

    chave: Texto
    item: Tipo
    maximo: int


@dataclass(frozen=True, slots=True)
class Objeto:
    """An object with these fields and no other. `nome` completes the sentence "não existe em …"."""

    nome: str
    campos: tuple[Campo, ...]
    por_nome: dict[str, Campo] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.por_nome.update({campo.nome: campo for campo in self.campos})


@dataclass(frozen=True, slots=True)
class Variante:
    """An object that is one of several: its field `marca` says which."""

    marca: str
    opcoes: dict[str, Objeto]


Simples: TypeAlias = Texto | Escolha | Data | Momento | Numero | Logico | Livre
Tipo: TypeAlias = Simples | ListaDe | MapaDe | Objeto | Variante


@dataclass(frozen=True, slots=True)
class Campo:
    """A field of an object. One that is not `obrigatorio` may be left out, or be null, which is the same."""

    nome: str
    titulo: str
    descricao: str
    tipo: Tipo
    obrigatorio: bool = False
