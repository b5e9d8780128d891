"""The vectors that the projects of an edital are compared by: made here, or by a service that is paid for, each call once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from hashlib import sha256
from typing import Final

from crivo.kernel.clock import Clock
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.llm.orcamento import Orcamento
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.avaliacao.material import OMITIDO, PESSOAL
from crivo.triagem.embeddings.cache import fetch_vetores, read_vetores
from crivo.triagem.embeddings.escolha import LOCAL, is_remote, open_embedder
from crivo.triagem.embeddings.openai import OPENAI, Lote, OpenAIEmbedder, Pagar, Servico, read_servico
from crivo.triagem.embeddings.port import Embedder, Vetores
from crivo.triagem.embeddings.semantico import SEMANTICO
from crivo.triagem.storage.arquivos import TenantVectors

AGENTE: Final = "triagem.embeddings"
_NO_PROMPT: Final = sha256(b"").digest()
_CHARACTERS_A_TOKEN: Final = 3.0  # or more, in Portuguese


@dataclass(frozen=True, slots=True)
class Comparados:
    """The vectors, and in pt-BR why they are not those that the settings ask for; empty where they are."""

    vetores: Vetores
    observacao: str = ""


class Comparacao:
    """Makes the vectors of any edital, as the settings say."""

    def __init__(
        self, settings: Settings, database: Database, clock: Clock, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._ledger = Ledger(database, clock, sleep)
        self._orcamento = Orcamento(clock, settings.limite_custo)
        self._sleep = sleep
        self._embedders: dict[str, Embedder] = {}

    async def read(self, scope: Scope, textos: Sequence[str], origem: str) -> Comparados:
        """The vectors of the texts, in their order; where the service fails, those that need none, and a word on it.

        `origem` names what the calls are paid for. Raises EmbeddingsUnavailable where the settings cannot be met at all.
        """
        setting = self._settings.embeddings
        if not is_remote(setting):
            return Comparados(await self._here(scope, textos, setting))
        servico = read_servico(setting, _key(self._settings), self._settings.openai_base_url)
        embedder = OpenAIEmbedder(
            servico,
            self._paid(scope, servico, origem),
            self._clock.now,
            timeout_seconds=self._settings.modelo_segundos,
            sleep=self._sleep,
        )
        try:
            shown = [PESSOAL.sub(OMITIDO, texto) for texto in textos]  # what a text is about is told without anybody's numbers
            return Comparados(await fetch_vetores(shown, embedder, TenantVectors(self._database, scope)))
        except ModeloIndisponivel as error:
            return Comparados(await self._here(scope, textos, LOCAL), _told(servico, error))

    @property
    def pelo_sentido(self) -> bool:
        """Whether the vectors tell what texts mean, and more of them cost nothing but time."""
        return self._settings.embeddings == SEMANTICO

    async def _here(self, scope: Scope, textos: Sequence[str], setting: str) -> Vetores:
        if setting not in self._embedders:
            self._embedders[setting] = await asyncio.to_thread(open_embedder, setting)
        return await read_vetores(textos, self._embedders[setting], TenantVectors(self._database, scope))

    def _paid(self, scope: Scope, servico: Servico, origem: str) -> Pagar:
        from crivo.kernel.llm.precos import cost, estimate_cost  # here: the table of prices is read with it

        async def pay(digest: bytes, characters: int, ask: Callable[[], Awaitable[Lote]]) -> bytes:
            estimate = estimate_cost(servico.nome, math.ceil(characters / _CHARACTERS_A_TOKEN), 0) or Decimal(0)

            async def answer() -> Answer:
                lote = await ask()
                return Answer(lote.vetores, lote.tokens, 0, cost(servico.nome, servico.modelo, lote.tokens, 0))

            call = Call(servico.nome, _NO_PROMPT, digest)
            hold = partial(self._orcamento.hold, estimate=estimate)
            kept = await self._ledger.answer(scope, call, origem, answer, AGENTE, hold)
            return kept.answer.resposta

        return pay


def _key(settings: Settings) -> str:
    """OPENAI_API_KEY, unless another's service is asked and the key is OpenAI's own: it is shown to nobody but its owner."""
    key = settings.openai_api_key
    asks_openai = any(name.startswith(("openai:", "openai-chat:")) for name in (settings.modelo, settings.modelo_reserva))
    is_owners = settings.embeddings.startswith(OPENAI) or not asks_openai
    return key.get_secret_value() if key is not None and is_owners else ""


def _told(servico: Servico, error: ModeloIndisponivel) -> str:
    return (
        f"Os textos foram comparados pelo método local, que só vê palavras: o serviço de embeddings ({servico.modelo}) não atendeu. "
        f"{error.mensagem} Faça a triagem de novo para comparar por ele; o que já foi pago não se paga outra vez."
    )
