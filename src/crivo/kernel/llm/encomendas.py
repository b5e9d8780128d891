"""Files and batches of a service, over its SDK: what is sent in one, and what came back. Source: OpenAI, Batch API."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, cast
from uuid import UUID

import httpx2
import msgspec
from openai import APIStatusError, AsyncOpenAI, OpenAIError
from openai.types import Batch

from crivo.kernel.llm.envio import Escrita
from crivo.kernel.llm.falhas import CorpoGrande
from crivo.kernel.llm.lotes import Fim, Gasta, LoteRecusado, Situacao
from crivo.kernel.llm.port import ModeloIndisponivel

LARGEST_FILE_BYTES: Final = 200_000_000  # of what may be sent; answers are shorter than what is asked
_NAME: Final = "crivo_lote"  # by which a batch is known as ours
_PURPOSE: Final = "batch"
_KEPT_SECONDS: Final = 3 * 24 * 3600  # three times the longest that a batch takes, and then the service erases the file by itself
_LOOKED_AT: Final = 200  # of the newest batches, where one of ours is looked for
_OK: Final = 200
_CODE: Final = re.compile(r"[a-z0-9_]{1,60}", re.ASCII)  # a service writes it: it is shown and logged
_NO_MONEY: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_NOT_TAKEN: Final = frozenset({401, 403})
_PASSING: Final = frozenset({408, 409, 425, 429})
_SERVER_ERROR: Final = 500
_FINS: Final[Mapping[str, Fim]] = {"completed": "concluido", "expired": "vencido", "cancelled": "cancelado", "failed": "recusado"}
_Endpoint = Literal["/v1/responses", "/v1/chat/completions"]


class _Resposta(msgspec.Struct):
    status_code: int = 0
    body: msgspec.Raw = msgspec.Raw(b"null")


class _Linha(msgspec.Struct):
    custom_id: str
    response: _Resposta | None = None
    error: Any = None


class _Uso(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class _Corpo(msgspec.Struct):
    model: str = ""
    usage: _Uso | None = None


@dataclass(frozen=True, slots=True)
class Saida:
    """What came back: the body of each answer by the name of its question, and how many lines tell of none or come again."""

    corpos: Mapping[str, bytes]
    com_erro: int
    repetidas: int


def write_lines(escritas: Mapping[str, Escrita]) -> bytes:
    """The file of a batch: a request a line, each under its own name."""
    return b"".join(
        msgspec.json.encode({"custom_id": nome, "method": "POST", "url": f"/v1{one.caminho}", "body": msgspec.Raw(one.corpo)}) + b"\n"
        for nome, one in escritas.items()
    )


def read_lines(conteudo: bytes) -> Saida:
    """What a file of answers says. Of two to one question the first counts; what cannot be read is no answer."""
    corpos: dict[str, bytes] = {}
    com_erro = repetidas = 0
    for line in conteudo.splitlines():
        if not line.strip():
            continue
        try:
            one = msgspec.json.decode(line, type=_Linha)
        except msgspec.DecodeError:
            com_erro += 1
            continue
        if one.custom_id in corpos:
            repetidas += 1
        elif one.error is not None or one.response is None or one.response.status_code != _OK:
            com_erro += 1
        else:
            corpos[one.custom_id] = bytes(one.response.body)
    return Saida(corpos, com_erro, repetidas)


def spent_on(corpo: bytes) -> Gasta:
    """What an answer says that it took."""
    try:
        said = msgspec.json.decode(corpo, type=_Corpo)
    except msgspec.DecodeError:
        return Gasta("", 0, 0)
    uso = said.usage or _Uso()
    return Gasta(said.model, uso.prompt_tokens or uso.input_tokens, uso.completion_tokens or uso.output_tokens)


class Encomendas:
    """The batches of one account.

    Every method raises ModeloIndisponivel for what can pass (`nao_aceito` where the key was not taken), LoteRecusado for what cannot.
    """

    def __init__(self, client: AsyncOpenAI) -> None:
        self._client = client

    async def upload(self, lote_id: UUID, escritas: Mapping[str, Escrita]) -> str:
        """Give the service a file of questions, which it does not answer yet; its name for the file."""
        conteudo = write_lines(escritas)
        if len(conteudo) > LARGEST_FILE_BYTES:
            raise LoteRecusado("arquivo_grande")
        async with _told():
            file = await self._client.files.create(
                file=(f"crivo-{lote_id}.jsonl", conteudo, "application/jsonl"),
                purpose=_PURPOSE,
                expires_after={"anchor": "created_at", "seconds": _KEPT_SECONDS},
            )
        return file.id

    async def begin(self, lote_id: UUID, arquivo: str, caminho: str) -> str:
        """Have the questions of a file answered, all of them sent to one `caminho`; the service's name for the batch."""
        endpoint = cast("_Endpoint", f"/v1{caminho}")
        async with _told():
            batch = await self._client.batches.create(
                input_file_id=arquivo, endpoint=endpoint, completion_window="24h", metadata={_NAME: str(lote_id)}
            )
        return batch.id

    async def find(self, lote_id: UUID) -> str | None:
        """The batch that a lote was sent as, if it was."""
        async with _told():
            looked = 0
            async for batch in self._client.batches.list(limit=100):
                if (batch.metadata or {}).get(_NAME) == str(lote_id):
                    return batch.id
                looked += 1
                if looked == _LOOKED_AT:
                    break
        return None

    async def look(self, nome: str) -> Situacao:
        """How a batch stands."""
        async with _told():
            batch = await self._client.batches.retrieve(nome)
        counts = batch.request_counts
        total, done = (counts.total, counts.completed) if counts is not None else (0, 0)
        return Situacao(total, done, _FINS.get(batch.status), _reason(batch))

    async def fetch(self, nome: str) -> Saida:
        """The answers of a batch that has ended, and its errors."""
        async with _told():
            batch = await self._client.batches.retrieve(nome)
            files = [one for one in (batch.output_file_id, batch.error_file_id) if one]
            conteudos = [(await self._client.files.content(one)).content for one in files]
        return read_lines(b"\n".join(conteudos))

    async def cancel(self, nome: str) -> None:
        """Stop a batch; one that has ended is as it is."""
        async with _told():
            batch = await self._client.batches.retrieve(nome)
            if batch.status not in _FINS and batch.status != "cancelling":
                await self._client.batches.cancel(nome)

    async def erase(self, nome: str) -> None:
        """Erase the files of a batch, as far as the service does it now."""
        with suppress(OpenAIError, httpx2.HTTPError):
            batch = await self._client.batches.retrieve(nome)
            for one in _files(batch):
                with suppress(OpenAIError, httpx2.HTTPError):
                    await self._client.files.delete(one)


def _files(batch: Batch) -> Sequence[str]:
    return [one for one in (batch.input_file_id, batch.output_file_id, batch.error_file_id) if one]


def _reason(batch: Batch) -> str:
    errors = (batch.errors.data or []) if batch.errors is not None else []
    return next((one.code for one in errors if one.code and _CODE.fullmatch(one.code)), "")


@asynccontextmanager
async def _told() -> AsyncIterator[None]:
    """Tells what the SDK raises as what can pass or cannot; nothing of what the service said is kept but its code."""
    try:
        yield
    except APIStatusError as error:
        passes = error.status_code >= _SERVER_ERROR or error.status_code in _PASSING
        if passes and error.code not in _NO_MONEY:
            raise ModeloIndisponivel("fora_do_ar") from None
        if error.status_code in _NOT_TAKEN:
            raise ModeloIndisponivel("nao_aceito") from None
        code = error.code if error.code and _CODE.fullmatch(error.code) else f"http_{error.status_code}"
        raise LoteRecusado(code) from None
    except (OpenAIError, httpx2.HTTPError, CorpoGrande, TimeoutError):
        raise ModeloIndisponivel("fora_do_ar") from None
