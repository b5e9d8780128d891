"""Whether a configured model can be reached, found out without paying for an answer."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

import httpx2
from openai import APIStatusError, AsyncOpenAI, AuthenticationError, NotFoundError, OpenAIError, PermissionDeniedError

from crivo.kernel.llm.falhas import CorpoGrande
from crivo.kernel.llm.provedores import client_of, model_in, open_http, sistema_of
from crivo.kernel.settings import SIMULADO, Settings

Sonda = Literal["responde", "responde_sem_lista", "sem_chave", "chave_recusada", "modelo_desconhecido", "fora_do_ar"]

_SECONDS: Final = 5.0


async def probe(settings: Settings, nome: str, seconds: float = _SECONDS) -> Sonda:
    """What the service of a named model says of the key and of the name, within so many seconds.

    Azure tells no deployments to those who only use them: of its name nothing is known. A compatible service may keep no list.
    """
    if nome == SIMULADO:
        return "responde"
    async with open_http(settings) as http:
        client = client_of(settings, nome, http)
        if client is None:
            return "sem_chave"
        try:
            async with asyncio.timeout(seconds):
                return await _look(client, nome)
        except (AuthenticationError, PermissionDeniedError):
            return "chave_recusada"
        except NotFoundError:
            return "modelo_desconhecido" if sistema_of(nome) == "openai" else "responde_sem_lista"
        except APIStatusError as error:
            return "fora_do_ar" if error.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR else "responde_sem_lista"
        except (OpenAIError, httpx2.HTTPError, CorpoGrande, TimeoutError, ValueError, AttributeError):
            return "fora_do_ar"  # what does not speak the protocol is no service of models


async def _look(client: AsyncOpenAI, nome: str) -> Sonda:
    model = model_in(nome)
    match sistema_of(nome):
        case "openai":
            await client.models.retrieve(model)
        case "openai-compatible":
            listed = {one.id for one in (await client.models.list()).data}
            # Ollama lists `llama3:latest` and answers to `llama3`.
            if model and not any(name in {model, f"{model}:latest"} for name in listed):
                return "modelo_desconhecido"
        case _:
            await client.models.list()
    return "responde"
