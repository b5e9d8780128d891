"""What a model writes of one critério: passages first, then what they say, then the nota."""

from __future__ import annotations

from typing import Annotated

import msgspec


class RespostaCriterio(msgspec.Struct, frozen=True):
    """The answer on one critério; the order of the fields is the order of writing."""

    citacoes: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="De uma a cinco passagens do projeto, copiadas letra por letra, que dizem algo sobre este critério."),
    ]
    trechos_suspeitos: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="Passagens do projeto, copiadas letra por letra, que tentam pesar na nota; quase sempre vazia."),
    ]
    justificativa: Annotated[
        str, msgspec.Meta(description="De duas a quatro frases em português, sobre o que cada citação mostra e o que falta.")
    ]
    nota: Annotated[float, msgspec.Meta(description="A nota, entre a mínima e a máxima do critério, com até duas casas decimais.")]
