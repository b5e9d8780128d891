"""Embeddings by OpenAI, or by any service that speaks as it does. Source: triagem seed, Prompts; interfaces, Settings (`EMBEDDINGS`)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
import numpy as np

from crivo.kernel.llm.port import Falha, ModeloIndisponivel
from crivo.kernel.llm.ritmo import LONGEST_PAUSE_SECONDS, pause_before, retry_after
from crivo.triagem.embeddings.pedacos import Limites, batches, cut, groups, pool
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI: Final = "openai:"
ENDERECOS: Final = ("http://", "https://")
OPENAI_URL: Final = "https://api.openai.com/v1"
_LIMIAR: Final = 0.85  # the seed's, for text-embedding-3-small; the edital's own pairs correct it, as they do for other models
_TRIES: Final = 4
_WAITED_SECONDS: Final = 180.0  # for one request, its repetitions included
_NO_KEY: Final = "sem-chave"  # local services ask for none, and the client does not go without
# 8,192 tokens a text and 300,000 a request, by OpenAI's own word; of others little is known, and 512 tokens are what many take.
_OF_OPENAI: Final = Limites(8_000, 256, 300_000)  # 2,048 texts are allowed: their vectors would be 60 MB
_OF_OTHERS: Final = Limites(500, 32, 16_000)
_OPENAI_DIMENSIONS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


class Lote(NamedTuple):
    """What one paid request brings: the vectors of its chunks, one after the other, little-endian float32, and the tokens it took."""

    vetores: bytes
    tokens: int


# From the SHA-256 of a request, and its characters, to its vectors: those paid for before, or what asking brings, which is then kept.
Pagar = Callable[[bytes, int, Callable[[], Awaitable[Lote]]], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Servico:
    """Who is asked: the address, the model, and the key, which is empty where none is needed. `nome` holds neither key nor password."""

    nome: str
    url: str
    modelo: str
    chave: str = field(default="", repr=False)

    @property
    def limites(self) -> Limites:
        """The most that it is sent at once."""
        return _OF_OPENAI if self.nome.startswith(OPENAI) else _OF_OTHERS

    @property
    def dimensoes(self) -> int | None:
        """How many numbers its vectors have, where that is known."""
        return _OPENAI_DIMENSIONS.get(self.modelo) if self.nome.startswith(OPENAI) else None


class OpenAIEmbedder:
    """Each text cut into chunks that the model takes whole; a text's vector is the mean of theirs, by their length."""

    limiar: Final = _LIMIAR

    def __init__(
        self,
        servico: Servico,
        pagar: Pagar,
        now: Callable[[], datetime],
        *,
        timeout_seconds: float = 60.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        sample: Callable[[], float] = random.random,
    ) -> None:
        self.nome = servico.nome
        self._servico = servico
        self._pagar = pagar
        self._now = now
        self._timeout_seconds = timeout_seconds
        self._sleep = sleep
        self._sample = sample

    async def embed(self, textos: Sequence[str]) -> AsyncIterator[tuple[Sequence[int], Matriz]]:
        """As the port says: as many texts at a time as fill one request; what was paid for before is not asked again."""
        limites = self._servico.limites
        cortados = [cut(texto, limites.pedaco_bytes) for texto in textos]
        if not textos:
            return
        dimensoes = self._servico.dimensoes
        async with self._client() as client:
            if dimensoes is None:
                dimensoes = (await self._fetch(client, ["dimensões"], None)).shape[1]
            for group in groups(cortados, limites):
                yield group, await self._vectors(client, [cortados[place] for place in group], dimensoes)

    async def _vectors(self, client: AsyncOpenAI, cortados: Sequence[Sequence[str]], dimensoes: int) -> Matriz:
        vectors = np.zeros((len(cortados), dimensoes), np.float32)
        pedacos = [pedaco for cortado in cortados for pedaco in cortado]
        fetched = [await self._fetch(client, batch, dimensoes) for batch in batches(pedacos, self._servico.limites)]
        if fetched:
            of_chunks, start = np.concatenate(fetched), 0
            for row, cortado in enumerate(cortados):
                if cortado:
                    vectors[row] = pool(of_chunks[start : start + len(cortado)], cortado)[0]
                start += len(cortado)
        return vectors

    async def _fetch(self, client: AsyncOpenAI, pedacos: Sequence[str], dimensoes: int | None) -> Matriz:
        """The vectors of some chunks, paid for once."""

        async def ask() -> Lote:
            return await self._ask(client, pedacos, dimensoes)

        digest = sha256(msgspec.json.encode(pedacos)).digest()
        found = np.frombuffer(await self._pagar(digest, sum(map(len, pedacos)), ask), "<f4").astype(np.float32)
        return found.reshape(len(pedacos), -1)

    async def _ask(self, client: AsyncOpenAI, pedacos: Sequence[str], dimensoes: int | None) -> Lote:
        """Ask until there is an answer in order. Raises ModeloIndisponivel."""
        falha: Falha = "demorou"
        try:
            async with asyncio.timeout(_WAITED_SECONDS):
                for tentativa in range(_TRIES):
                    said = await self._once(client, pedacos, dimensoes)
                    if isinstance(said, Lote):
                        return said
                    falha = said.falha
                    if not said.passa or (said.espera or 0.0) > LONGEST_PAUSE_SECONDS or tentativa + 1 == _TRIES:
                        break
                    await self._sleep(pause_before(tentativa, said.espera, self._sample()))
        except TimeoutError:
            falha = "demorou"
        raise ModeloIndisponivel(falha)

    async def _once(self, client: AsyncOpenAI, pedacos: Sequence[str], dimensoes: int | None) -> Lote | _Tropeco:
        import openai

        try:
            # As numbers: the library reads base64 by itself, and trips over what is no answer.
            raw = await client.embeddings.with_raw_response.create(model=self._servico.modelo, input=list(pedacos), encoding_format="float")
            return _read(raw.content, len(pedacos), dimensoes)
        except openai.APIStatusError as error:
            return _of_status(error.status_code, error.code, retry_after(error.response.headers, self._now()))
        except openai.APITimeoutError:
            return _Tropeco("demorou", passa=True)
        except openai.APIConnectionError:
            return _Tropeco("fora_do_ar", passa=True)

    def _client(self) -> AsyncOpenAI:
        import openai  # here: it takes most of a second, and most installations compare without it

        chave = self._servico.chave or _NO_KEY
        # Its own repetitions are off: they are made here, where they can be counted and waited for as everywhere else.
        return openai.AsyncOpenAI(base_url=self._servico.url, api_key=chave, timeout=self._timeout_seconds, max_retries=0)


def read_servico(setting: str, chave: str, openai_url: str = OPENAI_URL) -> Servico:
    """The service that `CRIVO_EMBEDDINGS` names: `openai:<model>`, or an address followed by `#<model>`.

    Raises EmbeddingsUnavailable, saying what is lacking.
    """
    if setting.startswith(OPENAI):
        if not chave:
            raise EmbeddingsUnavailable(
                f"CRIVO_EMBEDDINGS={setting} precisa de uma chave: preencha OPENAI_API_KEY, ou use local, que não precisa de nenhuma."
            )
        return Servico(setting, openai_url, setting.removeprefix(OPENAI), chave)
    url, _, modelo = setting.partition("#")
    parts = urlsplit(url)
    if not modelo or not parts.hostname:
        raise EmbeddingsUnavailable(
            "CRIVO_EMBEDDINGS com o endereço de um serviço precisa dizer o modelo depois de #, "
            "como em http://localhost:11434/v1#nomic-embed-text; ou use local."
        )
    where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return Servico(f"{where}#{modelo}", url, modelo, chave)


class _Tropeco(NamedTuple):
    """A request that brought nothing: `passa` where asking again may, `espera` the seconds that the service asked for."""

    falha: Falha
    passa: bool = False
    espera: float | None = None


class _Vetor(msgspec.Struct):
    index: int
    embedding: list[float]


class _Uso(msgspec.Struct):
    prompt_tokens: int = 0


class _Corpo(msgspec.Struct):
    data: list[_Vetor]
    usage: _Uso = msgspec.field(default_factory=_Uso)


def _of_status(status: int, codigo: str | None, espera: float | None) -> _Tropeco:
    if status == 429:
        return _Tropeco("limite_de_uso", codigo != "insufficient_quota", espera)
    if status == 408 or status >= 500:
        return _Tropeco("fora_do_ar", passa=True, espera=espera)
    return _Tropeco("nao_aceito")


def _read(corpo: bytes, esperados: int, dimensoes: int | None) -> Lote | _Tropeco:
    """The vectors in the order of what was asked, or what is wrong with them."""
    try:
        said = msgspec.json.decode(corpo, type=_Corpo)
    except msgspec.ValidationError:
        return _Tropeco("fora_do_formato", passa=True)
    except msgspec.DecodeError:
        return _Tropeco("ilegivel", passa=True)
    data = sorted(said.data, key=lambda one: one.index)
    sizes = {len(one.embedding) for one in data}
    if [one.index for one in data] != list(range(esperados)) or sizes != {dimensoes or max(sizes, default=0)} or 0 in sizes:
        return _Tropeco("fora_do_formato", passa=True)
    matriz = np.array([one.embedding for one in data], "<f4")
    if not np.isfinite(matriz).all() or not matriz.any(axis=1).all():
        return _Tropeco("fora_do_formato", passa=True)
    return Lote(matriz.tobytes(), said.usage.prompt_tokens)
