"""How much of a screening whoever asks may see: all of it, or what was given to them.

Source: triagem seed, Segurança.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path
from starlette.requests import Request

from crivo.triagem.achados import Resultado
from crivo.triagem.edital import EditalNotFound
from crivo.web.state import pode, scope_of, state_of

_CODE: Final = r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$"
EditalId = Annotated[str, Path(pattern=_CODE, description="Código do edital, como ED-2026-04.", examples=["ED-2026-04"])]
ProjetoId = Annotated[str, Path(pattern=_CODE, description="Código do projeto, como P001.", examples=["P001"])]


async def check_sight(request: Request, edital_id: str) -> None:
    """Raises EditalNotFound for a judge to whom nothing of the edital was given."""
    if not pode(request, "triagem.acompanhar") and edital_id not in await editais_given(request):
        raise EditalNotFound("Não há edital com este código entre os que têm projetos dados a você. Confira o código.")


async def editais_given(request: Request) -> frozenset[str]:
    """The editais of which something was given to the acting person."""
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    return frozenset(one.edital_id for one in given)


async def resultado_seen(request: Request, edital_id: str) -> Resultado:
    """What the last finished screening found, as far as whoever asks may see it. Raises EditalNotFound, TriagemNotFound."""
    container = state_of(request).container
    whole = pode(request, "triagem.acompanhar")
    return await (container.triagem if whole else container.julgamento).resultado(scope_of(request), edital_id)
