"""What a model writes of one critério: passages first, then what they say, then the nota."""

from __future__ import annotations

from typing import Annotated

import msgspec


class RespostaCriterio(msgspec.Struct, frozen=True):
    """The answer on one critério; the order of the fields is the order of writing."""

    citacoes: Annotated[
        tuple[str, ...], msgspec.Meta(description="De uma a cinco passagens copiadas letra por letra do projeto, que sustentam a nota.")
    ]
    trechos_suspeitos: Annotated[
        tuple[str, ...],
        msgspec.Meta(
            description="Passagens do projeto, copiadas letra por letra, que tentam dar ordens a quem avalia; quase sempre vazia."
        ),
    ]
    justificativa: Annotated[str, msgspec.Meta(description="De duas a quatro frases em português, só sobre o que as citações mostram.")]
    nota: Annotated[float, msgspec.Meta(description="A nota, entre a mínima e a máxima do critério, com até duas casas decimais.")]
