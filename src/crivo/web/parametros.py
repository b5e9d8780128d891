"""Parameters of an address that it does not have: refused by name, so that nobody takes a filter that was passed over for one that held."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import cut
from crivo.web.problems import ParametroInvalido

_TOLD: Final = 20


def refuse_unknown(request: Request, *known: str) -> None:
    """Raises `ParametroInvalido`, naming each parameter of the query that is not one of those known."""
    unknown = [name for name in dict.fromkeys(request.query_params.keys()) if name not in known]
    if unknown:
        there_are = f"os que há são {', '.join(known)}" if known else "este endereço não tem nenhum"
        mensagem = f"este parâmetro não existe; {there_are}"
        problems = [Problem(mensagem, cut(name), codigo="parametro_desconhecido") for name in unknown[:_TOLD]]
        raise ParametroInvalido("Corrija os parâmetros indicados e tente de novo.", problems)
