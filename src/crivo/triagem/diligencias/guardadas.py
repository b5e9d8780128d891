"""A diligência as values: what was asked, until when, what came, and what the papers that came say."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args
from uuid import UUID

from crivo.kernel.cartas import CartaGuardada
from crivo.kernel.prazos import is_in_time
from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.edital import Edital, Formato, Proponente, Value

Situacao = Literal["aberta", "respondida", "vencida", "cancelada"]
SITUACOES: Final[tuple[Situacao, ...]] = get_args(Situacao)
AutorDoEnvio = Literal["proponente", "gestao"]
"""Who put an answer in: whom it was asked of, by the link; or somebody of the agency, from paper."""


class Pedido(Value, frozen=True):
    """A requisito that is asked about: its code, its words and clause, and which formats it takes; of a condition, no paper."""

    requisito: str
    descricao: str
    clausula: str = ""
    formatos: tuple[Formato, ...] = ()
    e_documento: bool = True


class Pedida(Value, frozen=True):
    """What a diligência asks, as it is sealed; `antes` is what had been found of each requisito by then."""

    codigo: str
    texto: str
    pedidos: tuple[Pedido, ...]
    antes: tuple[ItemHabilitacao, ...]
    email: str = ""


@dataclass(frozen=True, slots=True)
class Papel:
    """A file of an answer, the `ordem`-th of its diligência from 1; `sha256` is hexadecimal."""

    ordem: int
    nome: str = field(repr=False)
    requisito: str | None
    sha256: str
    tamanho_bytes: int


@dataclass(frozen=True, slots=True)
class Envio:
    """An answer, whole or in part; `recibo` is the digest of all that came in it, in hexadecimal. `por` is who of the agency put it in."""

    id: UUID
    autor: AutorDoEnvio
    por: UUID | None
    em: datetime
    texto: str = field(repr=False)
    recibo: str
    papeis: tuple[Papel, ...]


@dataclass(frozen=True, slots=True)
class Prazo:
    """A deadline that was moved: from when to when, why and by whom."""

    antes: datetime
    depois: datetime
    motivo: str = field(repr=False)
    por: UUID
    em: datetime


@dataclass(frozen=True, slots=True)
class Diligencia:
    """A diligência, the `numero`-th of its edital; `pedida` is None where the project was erased.

    `depois` is what its papers say of the requisitos that they came for; None while they wait to be read, or could not be.
    """

    id: UUID
    edital_id: UUID
    projeto_id: UUID
    projeto: str
    numero: int
    chave: UUID
    pedida: Pedida | None
    dias: int
    prazo: datetime
    pedida_por: UUID
    pedida_em: datetime
    cancelada_em: datetime | None
    cancelada_por: UUID | None
    motivo: str
    respondida_em: datetime | None
    depois: tuple[ItemHabilitacao, ...] | None
    julgada_em: datetime | None

    def situacao(self, agora: datetime) -> Situacao:
        """How it stands at a moment."""
        if self.cancelada_em is not None:
            return "cancelada"
        if self.respondida_em is not None:
            return "respondida"
        return "aberta" if is_in_time(agora, self.prazo) else "vencida"


@dataclass(frozen=True, slots=True)
class Arquivo:
    """A file as it comes in, and the requisito that it is for; None where it is for none in particular."""

    requisito: str | None
    nome: str = field(repr=False)
    conteudo: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rascunho:
    """What a diligência on a project would be: what may be asked about, which of it is proposed, and the text by code."""

    edital: Edital
    projeto: str
    titulo: str
    proponente: Proponente
    pediveis: tuple[tuple[Pedido, str], ...]
    propostos: tuple[str, ...]
    texto: str
    dias: int
    prazo: datetime


@dataclass(frozen=True, slots=True)
class Aberta:
    """A diligência as whoever manages sees it: with its link, its letter, its answers and who did what."""

    edital: Edital
    titulo: str
    diligencia: Diligencia
    situacao: Situacao
    endereco: str
    carta: CartaGuardada | None
    envios: tuple[Envio, ...]
    prazos: tuple[Prazo, ...]
    nomes: dict[UUID, str]


@dataclass(frozen=True, slots=True)
class Publica:
    """A diligência as whoever has its code sees it. `em_tempo`: an answer is taken now."""

    orgao: str
    edital: str
    projeto: str
    titulo: str
    diligencia: Diligencia
    situacao: Situacao
    em_tempo: bool
    envios: tuple[Envio, ...]


@dataclass(frozen=True, slots=True)
class Linha:
    """A diligência as a list shows it; `a_conferir`: an answer came, and nobody has decided on the project since."""

    numero: int
    projeto: str
    titulo: str
    requisitos: tuple[str, ...]
    situacao: Situacao
    prazo: datetime
    pedida_em: datetime
    respondida_em: datetime | None
