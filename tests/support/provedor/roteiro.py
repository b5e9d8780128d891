"""What a server is to answer and how it is to fail, and the record of what it was asked."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from provedor.balcao import Balcao
from provedor.esquema import fill
from provedor.faltas import Campos, QualquerFalta
from provedor.pedido import Pedido

Escolhe = Callable[[Pedido, int], QualquerFalta | None]
CamposDe = Callable[[Pedido], Campos]


@dataclass(frozen=True, slots=True)
class Anotado:
    """A request, and what became of it: `pago` where it was answered whole, with 200."""

    pedido: Pedido
    falta: QualquerFalta | None
    pago: bool


@dataclass(kw_only=True)
class Provedor:
    """The script of a server, and its record. It may be changed while the server runs; the same seed brings the same faults.

    `campos` gives the fields of a good answer, from the request (made from its schema unless told); `faltas` are done to the next
    requests, one each, and then `sempre` decides, if it is there, from the request and how often the same body came before.
    `nao_aceita` is what it has to say of a request that it does not take, with 400; `ignora_fluxo` answers at once who asked for pieces, and
    `sem_contagem` tells no tokens. `maior_entrada` is the most that one text to be embedded may have, each byte counted as a token, as no tokenizer takes more.
    """

    campos: CamposDe = lambda pedido: fill(pedido.esquema)
    faltas: deque[QualquerFalta] = field(default_factory=deque)
    sempre: Escolhe | None = None
    espera_seconds: float = 0.0  # of every answer
    segura: Callable[[Pedido], None] | None = None  # an answer leaves only once this has returned; called in a thread of its own
    nao_aceita: Callable[[Pedido], str] | None = None
    ignora_fluxo: bool = False
    sem_contagem: bool = False
    entre_eventos_seconds: float = 0.0  # of a stream
    para_depois_de: int | None = None  # events of a stream, that many of which come before it is silent
    retry_after_seconds: int = 1
    silencio_seconds: float = 30.0
    modelos: tuple[str, ...] = ("modelo-unico",)  # that it lists
    dimensoes: int = 1536
    maior_entrada: int = 8192
    anotados: list[Anotado] = field(default_factory=list)
    recebidos: list[Pedido] = field(default_factory=list)
    em_curso: int = 0  # requests under way
    mais_em_curso: int = 0  # the most that were under way at once
    endereco: str = ""
    balcao: Balcao = field(init=False)  # where many are asked at once

    def __post_init__(self) -> None:
        self.balcao = Balcao(lambda pedido: self.campos(pedido))

    @property
    def url(self) -> str:
        """What a client is given as its base URL; on Azure it is given `endereco`."""
        return f"{self.endereco}/v1"

    @property
    def pagos(self) -> int:
        """The calls that were answered whole, with 200."""
        return sum(anotado.pago for anotado in self.anotados)

    @property
    def distintos(self) -> int:
        """The different bodies among those that were paid."""
        return len({anotado.pedido.resumo for anotado in self.anotados if anotado.pago})

    def contagem(self) -> dict[str, Any]:
        """The record in numbers."""
        por_falta = Counter(anotado.falta for anotado in self.anotados if anotado.falta is not None)
        return {"recebidos": len(self.recebidos), "pagos": self.pagos, "distintos": self.distintos, "por_falta": dict(por_falta)}

    def esquecer(self) -> None:
        """Begin the record anew."""
        self.anotados.clear()
        self.recebidos.clear()

    def receive(self, pedido: Pedido) -> QualquerFalta | None:
        """Write a request down, and say what is to go wrong with it."""
        earlier = sum(recebido.resumo == pedido.resumo for recebido in self.recebidos)
        self.recebidos.append(pedido)
        if self.faltas:
            return self.faltas.popleft()
        return None if self.sempre is None else self.sempre(pedido, earlier)


def always(falta: QualquerFalta) -> Escolhe:
    """The same fault for every request."""
    return lambda pedido, earlier: falta


def sometimes(parte: float, faltas: tuple[QualquerFalta, ...], seed: int) -> Escolhe:
    """A fault for a share of the requests, by their body and its repetitions and not by their order."""

    def choose(pedido: Pedido, earlier: int) -> QualquerFalta | None:
        drawn = int.from_bytes(sha256(f"{seed} {pedido.resumo} {earlier}".encode()).digest()[:8], "big")
        return faltas[drawn % len(faltas)] if (drawn >> 32) / 2**32 < parte else None

    return choose
