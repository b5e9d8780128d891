"""`/admin/componentes`: every component of the pages with its states, for whoever builds or judges them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.pages.rendering import page

router = APIRouter(include_in_schema=False)
_SYMBOL: Final = re.compile(r'<symbol id="([a-z]+)"')
# What people may write: nothing of it may break a page.
DIFICEIS: Final = (
    "Associação Comunitária dos Mestres e Mestras da Cultura Popular Tradicional do Médio e Baixo Vale do Rio Jaguaribe e Adjacências",
    "Superextraordinariamentelongasemnenhumespaçoparaquebrar" * 3,
    "جمعية الفنون الشعبية (2026) abc",
    "🪘🎭 Batuque 👩🏽‍🎨 das Marés 🌊",
    "<script>alert(1)</script> & \"aspas\" 'simples'",
)


@router.get("/admin/componentes", response_class=Response)
async def componentes(request: Request) -> Response:
    """Everything that pages are made of, in one."""
    return page(request, "administracao/componentes.html", icones=_icones(), dificeis=DIFICEIS)


@cache
def _icones() -> tuple[str, ...]:
    sprite = resources.files("crivo.web").joinpath("static", "icones.svg").read_text(encoding="utf-8")
    return tuple(_SYMBOL.findall(sprite))
