"""One question, asked of the configured models in turn until one answers in the form that was asked for."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic

import msgspec
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModelSettings, OpenAIResponsesModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from crivo.kernel.clock import Clock
from crivo.kernel.llm.envio import Escrita, NaoEnviada, answered_with, written_down
from crivo.kernel.llm.falhas import Tropeco, refuses, tropeco_of
from crivo.kernel.llm.fluxo import Escuta, asks_for_stream, heard_by
from crivo.kernel.llm.forma import answer_schema, is_open
from crivo.kernel.llm.limites import Limites
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Falha, ModeloIndisponivel, Question, T
from crivo.kernel.llm.provedores import Provedor
from crivo.kernel.llm.ritmo import LONGEST_PAUSE_SECONDS, pause_before
from crivo.kernel.storage.errors import BancoIndisponivel

_ATTEMPTS: Final = 4  # of each model, for what can pass
_TURNS: Final = 2  # an answer of another form, or with a fault, is told so once
_WRONG_FORM: Final = "A resposta não tem a forma pedida ({problema}). Responda de novo, só com o JSON completo na forma pedida."
_THIS_FORM: Final = " A forma é a deste esquema JSON: {schema}"
_COMPLAINT: Final = "A resposta não serve: {problema} Responda de novo, só com o JSON completo na forma pedida."
_NO_NAME: Final = re.compile(r"[^\w.:/@+-]", re.ASCII)  # a service writes it: it is shown and stored
_LONGEST_NAME: Final = 80
_OUTPUT_NAME: Final = "resposta"
_THE_FORM: Final = "Responda só com o JSON, na forma deste esquema, sem texto antes ou depois:\n{schema}"
PACIENCIA_SECONDS: Final = 120.0  # of a question that says none, where the model thinks in its own way


@dataclass(frozen=True, slots=True)
class Consumo:
    """The tokens that one answer took, of the model that gave it; `lidos` are those of the entrada that the service had kept.

    `contado` unless the service told of none: what such an answer cost is not known. `de_lote` where it came with many, at their price.
    """

    provedor: Provedor
    modelo: str
    entrada: int
    saida: int
    lidos: int
    contado: bool = True
    de_lote: bool = False


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
    """A question while it is asked, what it took so far, and an answer to it that is here already."""

    question: Question[T]
    temperatura: float | None
    consumos: list[Consumo] = field(default_factory=list)
    em_maos: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Lida(Generic[T]):
    """An answer whose form is right, whatever is said of it; `provisoria` where it was to be mended, and could not be asked again."""

    valor: T
    modelo: str
    provisoria: bool = False


@dataclass(frozen=True, slots=True)
class _Jeito:
    """How a service is asked: whether the answer comes in pieces, and whether the form is told by the protocol or in words."""

    flui: bool
    nativo: bool

    def simpler(self) -> _Jeito | None:
        """What may be taken where this is not; None where nothing is left to do without."""
        if self.flui:
            return replace(self, flui=False)
        return replace(self, nativo=False) if self.nativo else None


class Gateway:
    """Asks models: as often as the limits allow, each call and each question for so long.

    `segundos` is the longest that a call may be silent, and all of it where its answer comes at once; `paciencia` what a question is
    waited for that does not say.
    """

    def __init__(
        self,
        provedores: Sequence[Provedor],
        clock: Clock,
        *,
        limites: Limites,
        segundos: float,
        paciencia: float = PACIENCIA_SECONDS,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        sample: Callable[[], float] = random.random,
    ) -> None:
        self._provedores = tuple(provedores)
        self._clock = clock
        self._limites = limites
        self._segundos = segundos
        self._paciencia = paciencia
        self._taken: dict[str, _Jeito] = {}  # by provider, what was found out: not every service has all of the protocol
        self._now = now
        self._sleep = sleep
        self._sample = sample

    async def ask(self, question: Question[T], temperatura: float | None) -> Obtida[T] | Falhou:
        """The answer of the first model that gives one. Each has an even share of the time that is left; the fault is the first one's.

        A model whose answer had a fault, and who could not be asked once more, has failed as any other: the next one is asked, and only
        where that fails too does the faulty answer stand.
        """
        ends = self._now() + (self._paciencia if question.espera_seconds is None else question.espera_seconds)
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

    async def write(self, question: Question[T], temperatura: float | None) -> Escrita:
        """What the first model would be sent, which is not. Raises ModeloIndisponivel (`nao_aceito`) where it cannot be asked."""
        provedor = self._provedores[0]
        model = await provedor.escolhe(question.agente)
        if model is None:
            raise ModeloIndisponivel("nao_aceito")
        try:
            with written_down():
                await _request(provedor, model, _first_said(question), question, temperatura)
        except NaoEnviada as written:
            return written.escrita
        raise ModeloIndisponivel("nao_aceito")  # it is asked in another way than over HTTP

    async def finish(self, question: Question[T], temperatura: float | None, corpo: bytes) -> Obtida[T] | Falhou:
        """What comes of the body of an answer that the first model gave in a lote: where it has a fault, the model is told, as ever.

        It takes no turn of the limits; asking once more does. No other model is asked.
        """
        conversa = _Conversa(question, temperatura, em_maos=[corpo])
        ends = self._now() + (self._paciencia if question.espera_seconds is None else question.espera_seconds)
        found = await self._converse(self._provedores[0], conversa, ends)
        if not isinstance(found, _Lida):
            return Falhou(found, tuple(conversa.consumos))
        return Obtida(found.valor, found.modelo, tuple(conversa.consumos), found.provisoria)

    async def _converse(self, provedor: Provedor, conversa: _Conversa[T], ends: float) -> _Lida[T] | Falha:
        question = conversa.question
        messages = _first_said(question)
        best: _Lida[T] | None = None
        falha: Falha = "fora_do_formato"
        for turn in range(_TURNS):
            response = await self._send(provedor, conversa, messages, ends)
            if not isinstance(response, ModelResponse):
                falha = response
                break
            texto = "".join(part.content for part in response.parts if isinstance(part, TextPart))
            valor, problem = _read(texto, question)
            if valor is None and provedor.sistema == "openai-compatible":  # it may never have seen the form: not all heed the protocol's
                problem = f"{problem}{_THIS_FORM.format(schema=msgspec.json.encode(answer_schema(question.resposta)).decode())}"
            if valor is not None:
                best = _Lida(valor, _named(provedor, response), provisoria=problem is not None and turn == 0)
            if problem is None:
                break
            falha = "recusou" if valor is None and refuses(texto) else "fora_do_formato"
            messages += [ModelResponse(parts=[TextPart(texto)]), _said(question, problem)]
        return falha if best is None else best

    async def _send(self, provedor: Provedor, conversa: _Conversa[T], messages: list[ModelMessage], ends: float) -> ModelResponse | Falha:
        """What the service answers, asked again while what fails can pass and there is time, or more simply where it does not take this."""
        if conversa.em_maos:
            return await self._take(provedor, conversa, messages, conversa.em_maos.pop())
        tentativa = 0
        known = self._taken.get(provedor.nome, _Jeito(flui=True, nativo=True))
        asked = jeito = replace(known, flui=known.flui and conversa.question.ao_escrever is not None)
        while True:
            got = await self._attempt(provedor, conversa, messages, ends, jeito)
            if isinstance(got, ModelResponse):
                if jeito is not asked:
                    self._taken[provedor.nome] = replace(jeito, flui=jeito.flui or (known.flui and not asked.flui))
                conversa.consumos.append(_consumo(provedor, got))
                return _unusable(got) or got
            if got.jeito and (simpler := jeito.simpler()) is not None:
                jeito = simpler
                continue
            pause = pause_before(tentativa, got.espera, self._sample())
            tentativa += 1
            too_long = pause > LONGEST_PAUSE_SECONDS or self._now() + pause >= ends
            if not got.passa or tentativa == _ATTEMPTS or too_long:
                return got.falha
            await self._sleep(pause)

    async def _take(self, provedor: Provedor, conversa: _Conversa[T], messages: list[ModelMessage], corpo: bytes) -> ModelResponse | Falha:
        """An answer that is here, read as one that has just come."""
        try:
            model = await provedor.escolhe(conversa.question.agente)
            if model is None:
                return "nao_aceito"
            with answered_with(corpo):
                got = await _request(provedor, model, messages, conversa.question, conversa.temperatura)
        except provedor.tropecos as error:
            return tropeco_of(error, self._clock.now()).falha
        conversa.consumos.append(replace(_consumo(provedor, got), de_lote=True))
        return _unusable(got) or got

    async def _attempt(
        self, provedor: Provedor, conversa: _Conversa[T], messages: list[ModelMessage], ends: float, jeito: _Jeito
    ) -> ModelResponse | Tropeco:
        question = conversa.question
        escuta = Escuta(question.ao_escrever) if jeito.flui and question.ao_escrever is not None else None
        try:
            left = ends - self._now()
            # A call that is heard is held to its silences by the connection, and to no length but the question's own.
            async with asyncio.timeout(left), self._limites.vez(left), asyncio.timeout(None if jeito.flui else self._segundos):
                model = await provedor.escolhe(question.agente)
                if model is None:
                    return Tropeco("nao_aceito")
                with heard_by(escuta):
                    return await _request(provedor, model, messages, question, conversa.temperatura, jeito)
        except BancoIndisponivel:  # the limits are counted there; nothing was asked
            return Tropeco("fora_do_ar", passa=True)
        except provedor.tropecos as error:
            if escuta is not None and escuta.entrada:
                conversa.consumos.append(Consumo(provedor, escuta.modelo, escuta.entrada, escuta.saida, 0))
            return tropeco_of(error, self._clock.now())


async def _request(
    provedor: Provedor,
    model: Model[Any],
    messages: list[ModelMessage],
    question: Question[Any],
    temperatura: float | None,
    jeito: _Jeito = _Jeito(flui=False, nativo=True),
) -> ModelResponse:
    asked, settings = _parameters(question.resposta, nativo=jeito.nativo), _settings(model, provedor, temperatura)
    if jeito.flui:
        settings["extra_body"] = asks_for_stream(chat=not isinstance(model, OpenAIResponsesModel))
    return await model_request(model, messages, model_settings=settings, model_request_parameters=asked, instrument=False)


def _first_said(question: Question[Any]) -> list[ModelMessage]:
    return [_said(question, render(question.partes, question.nonce))]


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
    told = bool(usage.input_tokens or usage.output_tokens) or response.finish_reason == "content_filter"  # refused unread: nothing is paid
    return Consumo(provedor, response.model_name or "", usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, told)


def _settings(model: Model[Any], provedor: Provedor, temperatura: float | None) -> ModelSettings:
    familia = provedor.behind(model.model_name)
    settings = OpenAIChatModelSettings(max_tokens=familia.most_tokens(provedor.esforco))
    if provedor.sistema == "openai":
        settings["openai_store"] = False  # its newer protocol keeps what it is told for a month unless told not to
    effort = None if provedor.esforco is None else familia.esforcos.get(provedor.esforco)
    if effort is not None:
        settings["openai_reasoning_effort"] = effort
    if temperatura is not None and not familia.thinks(provedor.esforco):  # a model that thinks refuses to be told how
        settings["temperature"] = temperatura
    return settings


def _parameters(resposta: type[msgspec.Struct], *, nativo: bool = True) -> ModelRequestParameters:
    schema = answer_schema(resposta)
    strict = None if is_open(schema) else True
    form = OutputObjectDefinition(json_schema=schema, name=_OUTPUT_NAME, strict=strict)
    if nativo:
        return ModelRequestParameters(output_mode="native", output_object=form)
    return ModelRequestParameters(output_mode="prompted", output_object=form, prompted_output_template=_THE_FORM)
