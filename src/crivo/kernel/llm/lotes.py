"""The port to a service that takes many questions at once, for less, to be answered within a day.

What a question of a lote is answered lands where every answer does, in the ledger: whoever asks it afterwards finds it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Final, Literal, Protocol
from uuid import UUID

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.port import Question
from crivo.kernel.tenancy import Scope

DE_LOTE: Final = Decimal("0.5")  # of the price. Source: OpenAI, Batch API
_SOLD_BY: Final = frozenset({"openai", "openai-chat"})

Fim = Literal["concluido", "vencido", "cancelado", "recusado"]
"""How a lote ended at the service: whole, at its time with a part of the answers, called off, or not taken at all."""

Envio = Literal["enviado", "nada_a_perguntar", "espere"]


def sells_lotes(modelo: str) -> bool:
    """Whether the service of a model, as CRIVO_MODELO names it, takes lotes."""
    return modelo.partition(":")[0] in _SOLD_BY


class LoteRecusado(CrivoError):
    """The service does not take a lote, or knows nothing of it: asking again changes nothing. `motivo` is its code, as in `http_400`."""

    codigo: ClassVar[str] = "lote_recusado"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O provedor não aceitou o lote"

    def __init__(self, motivo: str) -> None:
        super().__init__(
            f"O provedor do modelo não aceitou o lote ({motivo}). Confira a conta e os limites de lotes dela; "
            "o que falta pode ser perguntado do jeito comum."
        )
        self.motivo = motivo


@dataclass(frozen=True, slots=True)
class Gasta:
    """What an answer took that nobody can use: `modelo` by the service's name for it, and tokens."""

    modelo: str
    entrada: int
    saida: int


@dataclass(frozen=True, slots=True)
class Situacao:
    """A lote at its service: of `perguntas`, `respondidas` are; `fim` None while it is under way."""

    perguntas: int
    respondidas: int
    fim: Fim | None = None
    motivo: str = ""


@dataclass(frozen=True, slots=True)
class Colheita:
    """What came of a lote: so many answers are kept. Of the lines that came, `com_erro` tell of no answer, `estranhas` are to no question
    of this lote, and `repetidas` come a second time."""

    recolhidas: int
    com_erro: int = 0
    estranhas: int = 0
    repetidas: int = 0


class Lotes(Protocol):
    """Lotes of the configured model. Each has a row (`lotes_guardados`), which is there before anything is sent."""

    async def enviar(self, scope: Scope, lote_id: UUID, perguntas: Sequence[Question[Any]]) -> Envio:
        """Send what has no answer in the ledger yet, once: whoever finds that it may have been sent looks for it at the service first.

        `espere`: another worker may be at it. Raises ModeloIndisponivel (`orcamento` before anything is sent; `fora_do_ar` where it can be
        tried again), LoteRecusado.
        """
        ...

    async def olhar(self, scope: Scope, lote_id: UUID) -> Situacao:
        """How a lote that was sent stands. Raises ModeloIndisponivel (`fora_do_ar`, `nao_aceito`), LoteRecusado."""
        ...

    async def colher(self, scope: Scope, lote_id: UUID, perguntas: Sequence[Question[Any]]) -> Colheita:
        """Keep what a lote that has ended was answered; done again, it costs nothing more. `perguntas` are those that were to be sent.

        Raises ModeloIndisponivel (`fora_do_ar`), LoteRecusado.
        """
        ...

    async def cancelar(self, scope: Scope, lote_id: UUID) -> bool:
        """Have the service stop; what it has answered by then is paid for. False where nothing was ever sent.

        Raises ModeloIndisponivel (`fora_do_ar`, also while it may be on its way), LoteRecusado.
        """
        ...

    async def esquecer(self, scope: Scope, lote_id: UUID) -> None:
        """Have the service erase the texts of a lote that is done with; where it does not answer, they are gone within days."""
        ...
