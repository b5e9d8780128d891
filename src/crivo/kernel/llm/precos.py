"""What calls to models cost, in dollars, by public prices; what is not known is said to be unknown."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

from genai_prices import Usage, calc_price

from crivo.kernel.settings import SIMULADO

_LISTED: Final = {"openai": "openai", "openai-chat": "openai", "azure": "azure"}
_CHARACTERS_A_TOKEN: Final = 3.0  # Portuguese takes 3.3 to 4.2 with the providers' own tokenizers: an estimate must not fall short


def cost(nome: str, modelo: str, entrada: int, saida: int, *, familia: str = "", lidos: int = 0) -> Decimal | None:
    """Dollars for the tokens of a call to a model configured as `nome`, which told its own name as `modelo`; None where nobody knows.

    `familia` is what stands behind a deployment's name; `lidos` are the tokens of the entrada that the service had kept.
    """
    if nome == SIMULADO:
        return Decimal(0)
    prefix, _, own = nome.partition(":")
    provider = _LISTED.get(prefix)
    if provider is None:
        return None
    usage = Usage(input_tokens=entrada, output_tokens=saida, cache_read_tokens=min(lidos, entrada))
    for named in filter(None, (modelo, familia, own)):
        try:
            return calc_price(usage, named, provider_id=provider).total_price
        except LookupError:
            continue
    return None


def estimate_tokens(texto: str) -> int:
    """Tokens that a text in Portuguese may take, by its length alone: more than any tokenizer is likely to count."""
    return math.ceil(len(texto) / _CHARACTERS_A_TOKEN)


def estimate_cost(nome: str, entrada: int, saida: int, *, familia: str = "") -> Decimal | None:
    """Estimated cost of a number of tokens in US dollars; None if the model's price is unknown."""
    return cost(nome, "", entrada, saida, familia=familia)
