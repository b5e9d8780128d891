"""The values of deliveries: where decisions go, what is on its way, and how each try ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args
from uuid import UUID

Canal = Literal["webhook", "email"]
Evento = Literal["autorizacao.decidida", "autorizacao.revista"]
"""What is told of: a decision of the code, and a person's decision over it."""
Tipo = Literal["autorizacao.decidida", "autorizacao.revista", "exemplo"]
Conteudo = Literal["inteiro", "resumido"]
"""The RF6 document without the message to the beneficiary, or only how it was decided and where it is read."""
SituacaoDoDestino = Literal["ativo", "pausado", "desligado", "removido"]
MotivoDeDesligar = Literal["gone", "fila_cheia"]
SituacaoDaEntrega = Literal["espera", "entregue", "desistiu", "cancelada"]
SituacaoDaCarta = Literal["na_fila", "gravada", "enviada", "falhou", "cancelada"]
"""What became of the letter of a delivery by e-mail, which is over once that letter is posted; `gravada` is in a file, and not sent."""
EstadoDoDestino = Literal["recebendo", "nao_recebe", "so_grava", "pausado", "desligado", "removido"]
"""How a destination fares, to whoever looks: `nao_recebe` where the last try failed, `so_grava` where no e-mail leaves here."""
Falha = Literal[
    "resposta",
    "redireciona",
    "desligado_la",
    "demorou",
    "sem_nome",
    "endereco_proibido",
    "sem_conexao",
    "certificado",
    "resposta_ilegivel",
    "interrompida",
]
"""Why a try did not end well. What the other side said is not kept, but for its status."""

CANAIS: Final[tuple[Canal, ...]] = get_args(Canal)
EVENTOS: Final[tuple[Evento, ...]] = get_args(Evento)
CONTEUDOS: Final[tuple[Conteudo, ...]] = get_args(Conteudo)
FALHAS: Final[tuple[Falha, ...]] = get_args(Falha)


@dataclass(frozen=True, slots=True)
class Destino:
    """Where decisions of an organisation go. `anterior_ate` is until when an earlier secret signs too; `descansa_ate`, until when
    nothing is tried, as what was tried failed.
    """

    id: UUID
    nome: str
    canal: Canal
    endereco: str = field(repr=False)
    eventos: tuple[Evento, ...]
    conteudo: Conteudo
    situacao: SituacaoDoDestino
    motivo: MotivoDeDesligar | None
    anterior_ate: datetime | None
    falhas_seguidas: int
    descansa_ate: datetime | None
    criado_em: datetime
    criado_por: str

    @property
    def descansa(self) -> bool:
        """Whether so many tries in a row failed that it is left alone between them."""
        return self.situacao == "ativo" and self.descansa_ate is not None


@dataclass(frozen=True, slots=True)
class Segredos:
    """What a destination's messages are signed with: the secret, and while a rotation lasts the one before it."""

    atual: bytes = field(repr=False)
    anterior: bytes | None = field(default=None, repr=False)

    @property
    def validos(self) -> tuple[bytes, ...]:
        """Every secret that signs, the newest first."""
        return (self.atual,) if self.anterior is None else (self.atual, self.anterior)


@dataclass(frozen=True, slots=True)
class Entrega:
    """One thing to be told to one destination; its id is the same in every try, so that whoever receives it twice knows."""

    id: UUID
    destino_id: UUID
    evento: Tipo
    autorizacao_id: UUID | None
    revisao_id: UUID | None
    situacao: SituacaoDaEntrega
    tentativas: int
    criada_em: datetime
    insiste_ate: datetime
    proxima_em: datetime
    terminada_em: datetime | None
    ultimo_status: int | None = None
    ultima_falha: Falha | None = None
    pedido_id: str | None = None
    carta: SituacaoDaCarta | None = None


@dataclass(frozen=True, slots=True)
class Tentativa:
    """How one try ended: the status that came, or why none did."""

    numero: int
    em: datetime
    milissegundos: int
    status: int | None
    falha: Falha | None


@dataclass(frozen=True, slots=True)
class Fila:
    """What waits for a destination: how many, and since when the oldest."""

    quantas: int
    desde: datetime | None
