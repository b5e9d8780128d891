"""One question, asked of the configured models in turn until one answers in the form that was asked for."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic

import msgspec
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from crivo.kernel.clock import Clock
from crivo.kernel.llm.falhas import Tropeco, refuses, tropeco_of
from crivo.kernel.llm.forma import answer_schema, is_open
from crivo.kernel.llm.limites import Limites
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Falha, Question, T
from crivo.kernel.llm.provedores import Provedor
from crivo.kernel.llm.ritmo import LONGEST_PAUSE_SECONDS, pause_before
from crivo.kernel.storage.errors import BancoIndisponivel

_ATTEMPTS: Final = 4  # of each model, for what can pass
_TURNS: Final = 2  # an answer of another form, or with a fault, is told so once
_WRONG_FORM: Final = "A resposta não tem a forma pedida ({problema}). Responda de novo, só com o JSON completo na forma pedida."
_COMPLAINT: Final = "A resposta não serve: {problema} Responda de novo, só com o JSON completo na forma pedida."
_NO_NAME: Final = re.compile(r"[^\w.:/@+-]", re.ASCII)  # a service writes it: it is shown and stored
_LONGEST_NAME: Final = 80
_OUTPUT_NAME: Final = "resposta"


@dataclass(frozen=True, slots=True)
class Consumo:
    """The tokens that one answer took, of the model that gave it; `lidos` are those of the entrada that the service had kept."""

    provedor: Provedor
    modelo: str
    entrada: int
    saida: int
    lidos: int


@dataclass(frozen=True, slots=True)
class Obtida(Generic[T]):
    """An answer in the form that was asked for: `modelo` gave it; `consumos` is all that was paid for the question.

    `provisoria`: it has a fault that was told, and no other answer could be had.
    """

    valor: T
    modelo: str
    consumos: tuple[Consumo, ...]
    provisoria: bool = False


@dataclass(frozen=True, slots=True)
class Falhou:
    """No answer, and what was paid all the same."""

    falha: Falha
    consumos: tuple[Consumo, ...]


@dataclass(frozen=True, slots=True)
class _Conversa(Generic[T]):
    """A question while it is asked, and what it took so far."""

    question: Question[T]
    temperatura: float | None
    consumos: list[Consumo] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Lida(Generic[T]):
    """An answer whose form is right, whatever is said of it; `provisoria` where it was to be mended, and could not be asked again."""

    valor: T
    modelo: str
    provisoria: bool = False


class Gateway:
    """Asks models: as often as the limits allow, each call and each question for so long."""

    def __init__(
        self,
        provedores: Sequence[Provedor],
        clock: Clock,
        *,
        limites: Limites,
        segundos: float,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        sample: Callable[[], float] = random.random,
    ) -> None:
        self._provedores = tuple(provedores)
        self._clock = clock
        self._limites = limites
        self._segundos = segundos
        self._now = now
        self._sleep = sleep
        self._sample = sample

    async def ask(self, question: Question[T], temperatura: float | None) -> Obtida[T] | Falhou:
        """The answer of the first model that gives one. Each has an even share of the time that is left; the fault is the first one's.

        A model whose answer had a fault, and who could not be asked once more, has failed as any other: the next one is asked, and only
        where that fails too does the faulty answer stand.
        """
        ends = self._now() + question.espera_seconds
        conversa = _Conversa(question, temperatura)
        falhas: list[Falha] = []
        faulty: list[_Lida[T]] = []
        for left, provedor in zip(range(len(self._provedores), 0, -1), self._provedores, strict=True):
            now = self._now()
            found = await self._converse(provedor, conversa, now + (ends - now) / left)
            if not isinstance(found, _Lida):
                falhas.append(found)
            elif found.provisoria:
                faulty.append(found)
            else:
                return Obtida(found.valor, found.modelo, tuple(conversa.consumos))
        if faulty:
            return Obtida(faulty[0].valor, faulty[0].modelo, tuple(conversa.consumos), provisoria=True)
        return Falhou(falhas[0], tuple(conversa.consumos))

    async def _converse(self, provedor: Provedor, conversa: _Conversa[T], ends: float) -> _Lida[T] | Falha:
        question = conversa.question
        messages: list[ModelMessage] = [_said(question, render(question.partes, question.nonce))]
        best: _Lida[T] | None = None
        falha: Falha = "fora_do_formato"
        for turn in range(_TURNS):
            response = await self._send(provedor, conversa, messages, ends)
            if not isinstance(response, ModelResponse):
                falha = response
                break
            texto = "".join(part.content for part in response.parts if isinstance(part, TextPart))
            valor, problem = _read(texto, question)
            if valor is not None:
                best = _Lida(valor, _named(provedor, response), provisoria=problem is not None and turn == 0)
            if problem is None:
                break
            falha = "recusou" if valor is None and refuses(texto) else "fora_do_formato"
            messages += [ModelResponse(parts=[TextPart(texto)]), _said(question, problem)]
        return falha if best is None else best

    async def _send(self, provedor: Provedor, conversa: _Conversa[T], messages: list[ModelMessage], ends: float) -> ModelResponse | Falha:
        """What the service answers, asked again while what fails can pass and there is time."""
        tentativa = 0
        while True:
            got = await self._attempt(provedor, conversa, messages, ends)
            if isinstance(got, ModelResponse):
                conversa.consumos.append(_consumo(provedor, got))
                return _unusable(got) or got
            pause = pause_before(tentativa, got.espera, self._sample())
            tentativa += 1
            too_long = pause > LONGEST_PAUSE_SECONDS or self._now() + pause >= ends
            if not got.passa or tentativa == _ATTEMPTS or too_long:
                return got.falha
            await self._sleep(pause)

    async def _attempt(
        self, provedor: Provedor, conversa: _Conversa[T], messages: list[ModelMessage], ends: float
    ) -> ModelResponse | Tropeco:
        try:
            left = ends - self._now()
            async with asyncio.timeout(left), self._limites.vez(left), asyncio.timeout(self._segundos):
                model = await provedor.escolhe(conversa.question.agente)
                if model is None:
                    return Tropeco("nao_aceito")
                asked, settings = _parameters(conversa.question.resposta), _settings(model, provedor, conversa.temperatura)
                return await model_request(model, messages, model_settings=settings, model_request_parameters=asked, instrument=False)
        except BancoIndisponivel:  # the limits are counted there; nothing was asked
            return Tropeco("fora_do_ar", passa=True)
        except provedor.tropecos as error:
            return tropeco_of(error, self._clock.now())


def _said(question: Question[Any], texto: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(texto)], instructions=question.prompt.texto)


def _read(texto: str, question: Question[T]) -> tuple[T | None, str | None]:
    """The answer in a text, and what the model must be told of it: whatever stands around the JSON is passed over."""
    json = texto[texto.find("{") : texto.rfind("}") + 1]
    try:
        valor = msgspec.json.decode(json, type=question.resposta)
    except msgspec.DecodeError as error:
        return None, _WRONG_FORM.format(problema=str(error))
    complaint = None if question.conferir is None else question.conferir(valor)
    return valor, None if complaint is None else _COMPLAINT.format(problema=complaint)


def _unusable(response: ModelResponse) -> Falha | None:
    if response.finish_reason == "content_filter":
        return "recusou"
    return "ilegivel" if response.finish_reason in {"length", "error"} else None


def _named(provedor: Provedor, response: ModelResponse) -> str:
    """Who answered, by the service's own name for it, as in `openai:gpt-5-2025-08-07`."""
    own = _NO_NAME.sub("", response.model_name or "")[:_LONGEST_NAME]
    return provedor.nome if provedor.sistema == "simulado" or not own else f"{provedor.nome.partition(':')[0]}:{own}"


def _consumo(provedor: Provedor, response: ModelResponse) -> Consumo:
    usage = response.usage
    return Consumo(provedor, response.model_name or "", usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)


def _settings(model: Model[Any], provedor: Provedor, temperatura: float | None) -> ModelSettings:
    settings = OpenAIChatModelSettings(max_tokens=provedor.most_tokens)
    if provedor.sistema == "openai":
        settings["openai_store"] = False  # its newer protocol keeps what it is told for a month unless told not to
    profile = model.profile
    thinks = profile.get("thinking_always_enabled", False) or profile.get("thinking_enabled_by_default", False)
    if temperatura is not None and not thinks:  # a model that thinks refuses to be told how
        settings["temperature"] = temperatura
    return settings


def _parameters(resposta: type[msgspec.Struct]) -> ModelRequestParameters:
    schema = answer_schema(resposta)
    strict = None if is_open(schema) else True
    return ModelRequestParameters(
        output_mode="native", output_object=OutputObjectDefinition(json_schema=schema, name=_OUTPUT_NAME, strict=strict)
    )
