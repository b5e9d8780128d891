"""A question to a model, as agents ask them, for tests of what carries it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from crivo.kernel.agents.prompts import Prompt
from crivo.kernel.llm.port import Dado, Question

SEGREDO = "Maria das Dores Quaresma, CPF 529.982.247-25"  # somebody's text: it must come out nowhere
_TEXTO = "Leia o projeto e dê uma nota."
PROMPT = Prompt("1", _TEXTO, sha256(_TEXTO.encode()).hexdigest())


class Parecer(msgspec.Struct, frozen=True):
    """What is asked of the model."""

    texto: str
    nota: int


def pergunta(
    texto: str = SEGREDO,
    *,
    agente: str = "teste.parecer",
    amostra: int = 0,
    nonce: str = "0123456789abcdef",
    temperatura: float | None = 0.6,
    conferir: Callable[[Parecer], str | None] | None = None,
    espera_seconds: float | None = 20.0,
    ao_escrever: Callable[[int], None] | None = None,
) -> Question[Parecer]:
    """A question about somebody's text."""
    return Question(
        agente=agente,
        prompt=PROMPT,
        partes=("Considere o que segue.", Dado("projeto", texto)),
        resposta=Parecer,
        nonce=nonce,
        temperatura=temperatura,
        amostra=amostra,
        conferir=conferir,
        espera_seconds=espera_seconds,
        ao_escrever=ao_escrever,
    )


def campos(texto: str = "Um bom projeto.", nota: int = 7) -> dict[str, Any]:
    """The fields of a good answer."""
    return {"texto": texto, "nota": nota}
