"""The models that the settings name, as the gateway asks them: OpenAI, Azure OpenAI, any compatible service, and code in their place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol

import httpx2
import msgspec
from openai import APIConnectionError, APIStatusError, AsyncOpenAI
from pydantic_ai.exceptions import AgentRunError, ModelConnectionError, ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIModelProfile, openai_model_profile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.azure import AzureProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from crivo.kernel.llm.envio import send_as_given
from crivo.kernel.llm.esforco import patience
from crivo.kernel.llm.falhas import TROPECOS, CorpoGrande
from crivo.kernel.llm.familias import Familia, familia_of
from crivo.kernel.llm.fluxo import put_together
from crivo.kernel.llm.port import Roteiro
from crivo.kernel.settings import SIMULADO, Esforco, Settings

Sistema = Literal["openai", "azure", "openai-compatible", "simulado"]
LARGEST_BODY_BYTES: Final = 2_000_000
_CONNECT_SECONDS: Final = 10.0
_FIRST_LISTED: Final = "primeiro da lista"
# What may be counted on in a service that only resembles OpenAI's.
_PLAIN: Final = OpenAIModelProfile(
    supports_json_schema_output=True,
    openai_chat_supports_max_completion_tokens=False,
    openai_chat_supports_multiple_system_messages=False,
)
# What a model may write of which nothing is known; a local one often has a context of 8,192 for everything.
_MOST_TOKENS: Final[Mapping[Sistema, int]] = {"openai": 16_000, "azure": 16_000, "openai-compatible": 4_096, "simulado": 16_000}


class Escolha(Protocol):
    """Finds the model of one provider for an agent; None where it cannot be asked: a key is lacking, or nobody plays that agent."""

    async def __call__(self, agente: str) -> Model[Any] | None:
        """The model; raises what asking a service may raise."""
        ...


@dataclass(frozen=True, slots=True)
class Provedor:
    """One model that may be asked: `nome` as the settings have it, `familia` what is behind that name, where it is known.

    `esforco` is how hard it is to think, None where it does as it does.
    """

    nome: str
    sistema: Sistema
    familia: str
    escolhe: Escolha
    tropecos: tuple[type[Exception], ...] = (TimeoutError, *TROPECOS)
    esforco: Esforco | None = None

    def behind(self, nome: str) -> Familia:
        """The family of the model that is asked under this name."""
        return known_familia(self.sistema, nome, self.familia)


def known_familia(sistema: Sistema, nome: str, familia: str) -> Familia:
    """What is known of a model: by `familia`, what is behind its name, or else by the name."""
    return familia_of(familia or nome, _MOST_TOKENS[sistema])


def effort_meant(settings: Settings) -> Esforco | None:
    """How hard the configured models think, as far as is known: as they are told, or as hard as most do that think without being told."""
    if settings.modelo_esforco is not None:
        return settings.modelo_esforco
    named = ((settings.modelo, settings.modelo_familia), (settings.modelo_reserva, ""))
    think = any(known_familia(sistema_of(nome), model_in(nome), familia).pensa for nome, familia in named if nome)
    return "medio" if think else None


def open_http(settings: Settings, most_bytes: int = LARGEST_BODY_BYTES) -> httpx2.AsyncClient:
    """The connections to every provider: no body is held that is larger than `most_bytes`, no silence borne beyond its time."""
    return httpx2.AsyncClient(
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [partial(_cap_body, most_bytes)]},
        timeout=httpx2.Timeout(patience(settings.modelo_segundos, effort_meant(settings)), connect=_CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=settings.modelo_concorrencia, max_keepalive_connections=settings.modelo_concorrencia),
    )


def provedores_of(settings: Settings, http: httpx2.AsyncClient, roteiros: Mapping[str, Roteiro]) -> tuple[Provedor, ...]:
    """The configured model, and the one that answers when it fails."""
    familia = settings.modelo_familia
    named = ((settings.modelo, familia), (settings.modelo_reserva, ""))
    return tuple(_provedor(settings, nome, behind, http, roteiros) for nome, behind in named if nome)


def client_of(settings: Settings, nome: str, http: httpx2.AsyncClient) -> AsyncOpenAI | None:
    """The client of a named model's service, which never asks again by itself; None where its key is lacking."""
    provider = _provider(settings, nome, http)
    return None if provider is None else provider.client


def model_in(nome: str) -> str:
    """The model or deployment in a configured name; empty where a compatible service is to choose."""
    return nome.partition(":")[2]


def sistema_of(nome: str) -> Sistema:
    """Whose a configured name is."""
    if nome == SIMULADO:
        return "simulado"
    if nome.startswith("azure:"):
        return "azure"
    return "openai-compatible" if nome.startswith("openai-compatible") else "openai"


def _provedor(settings: Settings, nome: str, familia: str, http: httpx2.AsyncClient, roteiros: Mapping[str, Roteiro]) -> Provedor:
    sistema = sistema_of(nome)
    if sistema == "simulado":
        return Provedor(nome, sistema, "", _Simulado(roteiros), (TimeoutError, AgentRunError))
    provider = _provider(settings, nome, http)
    if provider is None:
        return Provedor(nome, sistema, familia, _Fixo(None))
    if sistema == "openai-compatible":
        return Provedor(nome, sistema, familia, _Compativel(provider, model_in(nome), familia), esforco=settings.modelo_esforco)
    speaks_chat = sistema == "azure" or nome.startswith("openai-chat:")
    kind = OpenAIChatModel if speaks_chat else OpenAIResponsesModel
    profile = openai_model_profile(familia) if familia else None
    model = kind(model_in(nome), provider=provider, profile=profile)
    return Provedor(nome, sistema, familia, _Fixo(model), esforco=settings.modelo_esforco)


def _provider(settings: Settings, nome: str, http: httpx2.AsyncClient) -> Provider[AsyncOpenAI] | None:
    provider: Provider[AsyncOpenAI]
    match sistema_of(nome):
        case "azure":
            key = settings.azure_openai_api_key
            if key is None or not settings.azure_openai_endpoint:
                return None
            endpoint, version = _azure_address(settings)
            provider = AzureProvider(azure_endpoint=endpoint, api_version=version, api_key=key.get_secret_value(), http_client=http)
        case "openai-compatible":
            url, own = settings.modelo_url, _compatible_key(settings)
            provider = OpenAICompatibleProvider("openai-compatible", base_url=url, api_key=own, http_client=http, profile=_PLAIN)
        case _:
            key = settings.openai_api_key
            if key is None:
                return None
            provider = OpenAIProvider(base_url=settings.openai_base_url, api_key=key.get_secret_value(), http_client=http)
    provider.client.max_retries = 0  # the gateway counts, waits and tells of every attempt
    send_as_given(provider.client)
    return provider


def _azure_address(settings: Settings) -> tuple[str, str | None]:
    """The endpoint and its dated version, or the v1 endpoint, which has none."""
    endpoint = settings.azure_openai_endpoint.rstrip("/")
    if endpoint.endswith("/v1"):
        return endpoint, None
    version = settings.azure_openai_api_version
    return (endpoint, version) if version else (f"{endpoint}/openai/v1", None)


def _compatible_key(settings: Settings) -> str | None:
    """OPENAI_API_KEY, unless it is OpenAI's own: a key is shown to nobody but its owner."""
    owned = any(sistema_of(nome) == "openai" for nome in (settings.modelo, settings.modelo_reserva, settings.embeddings) if ":" in nome)
    key = settings.openai_api_key
    return None if key is None or owned else key.get_secret_value()


@dataclass(frozen=True, slots=True)
class _Fixo:
    model: Model[Any] | None

    async def __call__(self, agente: str) -> Model[Any] | None:
        return self.model


class _Compativel:
    """A model of a compatible service: the named one, or the first that the service lists."""

    def __init__(self, provider: Provider[AsyncOpenAI], nome: str, familia: str) -> None:
        self._provider = provider
        self._familia = familia
        self._model = self._named(nome) if nome else None

    async def __call__(self, agente: str) -> Model[Any] | None:
        if self._model is None:
            try:
                listed = await self._provider.client.models.list()
            except APIStatusError as error:
                raise ModelHTTPError(error.status_code, _FIRST_LISTED, headers=dict(error.response.headers)) from error
            except APIConnectionError as error:
                raise ModelConnectionError(_FIRST_LISTED, type(error).__name__) from error
            self._model = self._named(listed.data[0].id)
        return self._model

    def _named(self, nome: str) -> Model[Any]:
        return OpenAIChatModel(nome, provider=self._provider, profile=known_familia("openai-compatible", nome, self._familia).perfil)


@dataclass(frozen=True, slots=True)
class _Simulado:
    """Code in a model's place: each agent's answers are made from what it was asked, by its roteiro."""

    roteiros: Mapping[str, Roteiro]

    async def __call__(self, agente: str) -> Model[Any] | None:
        roteiro = self.roteiros.get(agente)
        return None if roteiro is None else FunctionModel(_played(roteiro), model_name=SIMULADO)


def _played(roteiro: Roteiro) -> Callable[[list[ModelMessage], AgentInfo], ModelResponse]:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(msgspec.json.encode(roteiro(_first_asked(messages))).decode())])

    return answer


def _first_asked(messages: list[ModelMessage]) -> str:
    parts = (part for message in messages if isinstance(message, ModelRequest) for part in message.parts)
    return next(part.content for part in parts if isinstance(part, UserPromptPart) and isinstance(part.content, str))


class _Capped(httpx2.AsyncByteStream):
    """A body that ends with an error as soon as it is larger than any that could be meant."""

    def __init__(self, body: httpx2.AsyncByteStream, most_bytes: int) -> None:
        self._body = body
        self._most_bytes = most_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._most_bytes
        async for chunk in self._body:
            left -= len(chunk)
            if left < 0:
                raise CorpoGrande
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()


async def _cap_body(most_bytes: int, response: httpx2.Response) -> None:
    packed = response.headers.get("content-encoding", "identity") != "identity"  # asked not to: a few bytes could become very many
    if packed or int(response.headers.get("content-length", 0)) > most_bytes:
        await response.aclose()
        raise CorpoGrande
    if not put_together(response, most_bytes, CorpoGrande) and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Capped(response.stream, most_bytes)
