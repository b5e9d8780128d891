"""The provider of the tests as a process of its own: it speaks as OpenAI does, takes its time, and counts what it is asked."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import httpx
import msgspec

from bench.instalacao import RAIZ, own_settings, python
from crivo.kernel.settings import Settings

MODELO: Final = "openai-compatible:bancada"
CONCORRENCIA: Final = 25
_APOIO: Final = RAIZ / "tests" / "support"
_CAMPOS: Final = "bench.provedor:fields"
_SUMMARY: Final = re.compile(r"<dado \w+ projeto: resumo>\n([^\n]{30,}?)(?:\. |\n)")


class Contagem(msgspec.Struct, frozen=True):
    """What a provider was asked: how many requests came in, how many it answered whole, and how many different ones those were."""

    recebidos: int
    pagos: int
    distintos: int


class Pedido(Protocol):
    """A request, as the provider hands it over."""

    @property
    def texto(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NoAr:
    """A provider that runs."""

    endereco: str

    def settings(self, settings: Settings, concorrencia: int) -> Settings:
        """The same settings, with this provider's model."""
        chosen = {"modelo": MODELO, "modelo_url": f"{self.endereco}/v1", "modelo_concorrencia": concorrencia}
        return settings.model_copy(update=chosen)

    def settings_of(self, pasta: Path) -> Settings:
        """The settings of the installation in a folder, with this provider's model."""
        return self.settings(own_settings(pasta), CONCORRENCIA)

    def count(self) -> Contagem:
        """What it was asked so far."""
        return msgspec.json.decode(httpx.get(f"{self.endereco}/contagem", timeout=10).content, type=Contagem)


@contextmanager
def provider(segundos: float) -> Iterator[NoAr]:
    """A provider whose every answer takes so long, until the end of the block."""
    paths = os.pathsep.join([str(_APOIO), str(RAIZ)])
    command = python("-m", "provedor", "--segundos", str(segundos), "--campos", _CAMPOS)
    with subprocess.Popen(command, cwd=RAIZ, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield NoAr((process.stdout.readline() if process.stdout else "").strip())
        finally:
            process.terminate()


def fields(pedido: Pedido) -> dict[str, Any]:
    """A nota that stands on the first sentence of the project's summary."""
    said = _SUMMARY.search(pedido.texto)
    return {
        "citacoes": [said[1].strip() if said else ""],
        "trechos_suspeitos": [],
        "justificativa": "O projeto diz o que pretende fazer e para quem, na passagem citada.",
        "nota": 7,
    }
