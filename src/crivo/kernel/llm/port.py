"""The port to a language model: what it is asked, what comes back, and how it fails.

A model reads and writes language. Whatever it says is a proposal: whoever asks holds it against the data before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from crivo.kernel.agents.prompts import Prompt
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope

T = TypeVar("T", bound=msgspec.Struct)

Roteiro = Callable[[str], dict[str, Any]]  # from what an agent asks, as text, to the fields of the answer
Falha = Literal["fora_do_ar", "limite_de_uso", "demorou", "ilegivel", "fora_do_formato", "recusou", "orcamento", "nao_aceito"]


@dataclass(frozen=True, slots=True)
class Dado:
    """Text of somebody else, under a label: it is shown between marks that it cannot know, and never as an instruction."""

    rotulo: str
    texto: str = field(repr=False)


Parte = str | Dado


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[T]):
    """What one agent asks of a model.

    `partes` come after the prompt, what is common to many questions first: providers keep a common beginning. `resposta` is the shape of
    the answer, with the model-written fields of the contract alone. `amostra` tells repeated readings of the same question apart.
    `nonce` is in the marks around every `Dado`, and counts for nothing in what makes two questions the same.
    `conferir` says in pt-BR what is wrong with an answer, or None: the model is told, and asked once more; the second answer stands
    as it is, and whoever asked checks it again. `espera_seconds` is the longest that an answer is waited for, repetitions included: two
    minutes, and longer where the installation has the model think hard, unless the asker says.
    `ao_escrever`: somebody waits. The answer is asked for in pieces where the service has them, so that a model that is silent is told
    from one that writes at length, and this is called with the number of characters that are there; never with what they say, which
    nobody has checked. It counts for nothing in what makes two questions the same.
    """

    agente: str
    prompt: Prompt
    partes: tuple[Parte, ...] = field(repr=False)
    resposta: type[T]
    nonce: str
    temperatura: float | None = None
    amostra: int = 0
    conferir: Callable[[T], str | None] | None = None
    espera_seconds: float | None = None
    ao_escrever: Callable[[int], None] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A model's answer. `modelo` is the one that gave it; `custo` in dollars, None where its price is not known.

    `repetida`: it was in the ledger, and nothing was paid for it this time. `provisoria`: it has a fault that the model was told of, and
    asking once more failed: it is served this once and kept nowhere, so that the next time the question is asked, the model is.
    """

    valor: T
    modelo: str
    tokens_entrada: int
    tokens_saida: int
    custo: Decimal | None
    repetida: bool
    provisoria: bool = False


class ModeloIndisponivel(CrivoError):
    """No answer of a model that can be used: it is away, slow, over a limit, or says what cannot be read. Code does its part then."""

    codigo: ClassVar[str] = "modelo_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O modelo não respondeu"

    def __init__(self, falha: Falha) -> None:
        super().__init__(_TOLD[falha])
        self.falha: Falha = falha


class Modelo(Protocol):
    """A model as agents see it: paid answers are kept, limits and budgets are held."""

    @property
    def nome(self) -> str:
        """What it is called in settings, trails and results, as in `openai:gpt-5`."""
        ...

    @property
    def simulado(self) -> bool:
        """Whether code plays its part: whatever it writes is shown as simulated."""
        ...

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        """The answer to a question, from the ledger where it was asked before. `origem` names what it is paid for.

        Raises ModeloIndisponivel, whatever the reason.
        """
        ...


_TOLD: dict[Falha, str] = {
    "fora_do_ar": "O serviço do modelo não respondeu. O que depende dele foi feito pelo código; tente de novo mais tarde.",
    "limite_de_uso": "O serviço do modelo recusou por excesso de uso. Espere um pouco, ou reduza CRIVO_MODELO_CONCORRENCIA.",
    "demorou": "O modelo demorou demais. O que depende dele foi feito pelo código; tente de novo mais tarde.",
    "ilegivel": "A resposta do modelo chegou cortada ou ilegível. O que depende dele foi feito pelo código.",
    "fora_do_formato": "A resposta do modelo não tem a forma pedida. O que depende dele foi feito pelo código.",
    "recusou": "O modelo se recusou a responder. O que depende dele foi feito pelo código.",
    "orcamento": (
        "O limite de gasto com modelo deste mês foi atingido. Quem cuida da instalação pode aumentar CRIVO_LIMITE_CUSTO, ou a cota desta "
        "organização."
    ),
    "nao_aceito": (
        "O serviço do modelo não aceitou a chave, o nome do modelo ou o esforço pedido em CRIVO_MODELO_ESFORCO. Confira com 'crivo doutor'."
    ),
}
