"""What whoever follows a pedido is told while it is decided: the code's decision, and then each text as it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.agents.contract import Author
from crivo.kernel.logs import logger


@dataclass(frozen=True, slots=True)
class DecididoPeloCodigo:
    """The six agents have decided, in words of the code; only texts may still change."""

    trilha: Trilha = field(repr=False)


@dataclass(frozen=True, slots=True)
class Escrevendo:
    """A model is asked for the text at a path of a stage's answer, as in `ajustes_sugeridos[0].justificativa`."""

    etapa: str
    campo: str


@dataclass(frozen=True, slots=True)
class Escrito:
    """Who wrote that text in the end. Where it is the code: `falha` says why there was no answer, `falhas` why the model's was dropped."""

    etapa: str
    campo: str
    autor: Author
    falhas: tuple[str, ...] = ()
    falha: str | None = None


Acontecimento = DecididoPeloCodigo | Escrevendo | Escrito
Observador = Callable[[Acontecimento], None]


def quiet(observador: Observador | None) -> Observador:
    """An observer that can be told anything at any time: what goes wrong in it is logged, and the decision goes on."""
    if observador is None:
        return _nobody

    def tell(acontecimento: Acontecimento) -> None:
        try:
            observador(acontecimento)
        except Exception as error:  # noqa: BLE001 - whatever fails in whoever looks on, no decision is lost for it
            logger.warning("observador_falhou", exc_info=error)

    return tell


def _nobody(_: Acontecimento) -> None:
    """Nobody looks on."""
