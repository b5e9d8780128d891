"""The port through which messages leave, and how a try may end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from crivo.autorizacoes.entregas.contracts import Falha


@dataclass(frozen=True, slots=True)
class Mensagem:
    """A message on its way: where to, with which headers, and its exact bytes."""

    endereco: str = field(repr=False)
    cabecalhos: Mapping[str, str] = field(repr=False)
    corpo: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Respondida:
    """The other side answered: with what status."""

    status: int


@dataclass(frozen=True, slots=True)
class SemResposta:
    """No answer came that could be read."""

    falha: Falha


Resposta = Respondida | SemResposta


class Saida(Protocol):
    """Sends one message, and never raises: whatever happens is an answer, in bounded time."""

    async def send(self, mensagem: Mensagem) -> Resposta:
        """Send it once."""
        ...


def failure_of(resposta: Resposta) -> Falha | None:
    """Why a try did not end well; None where it did: any 2xx."""
    if isinstance(resposta, SemResposta):
        return resposta.falha
    if 200 <= resposta.status < 300:
        return None
    if resposta.status == 410:
        return "desligado_la"
    return "redireciona" if 300 <= resposta.status < 400 else "resposta"
