"""A letter as the outbox keeps it: how far it has come, and why it came no further."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args
from uuid import UUID

from crivo.kernel.cartas.carta import Carta

Situacao = Literal["na_fila", "enviando", "enviada", "falhou", "cancelada"]
Via = Literal["smtp", "arquivo", "outro_meio"]
"""How it went: handed to a server, written to a file of the data folder, or by a person, outside."""
Falha = Literal[
    "sem_conexao",
    "demorou",
    "entrada_recusada",
    "sem_cifra",
    "servidor_ocupado",
    "destinatario_recusado",
    "mensagem_recusada",
    "pasta_fechada",
    "interrompida",
]
"""Why it was not delivered, last. What the server said is not kept: it repeats the address."""

SITUACOES: Final[tuple[Situacao, ...]] = get_args(Situacao)
FALHAS: Final[tuple[Falha, ...]] = get_args(Falha)


@dataclass(frozen=True, slots=True)
class CartaGuardada:
    """A letter and its fate; `carta` is None where it was erased. `resposta` is the server's reply code, from 400.

    `chave` is by which whoever posted it finds it again. `motivo` and `marcada_por` are of a person who delivered it otherwise.
    """

    id: UUID
    chave: str
    carta: Carta | None
    situacao: Situacao
    tentativas: int
    criada_em: datetime
    via: Via | None = None
    enviada_em: datetime | None = None
    falha: Falha | None = None
    resposta: int | None = None
    motivo: str = field(default="", repr=False)
    marcada_por: str = ""
