"""`/clinicas/situacao`: which clinics answer now, in how long, and whether the conversations hold calls to them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.clinicas.palavras import DISJUNTORES, milliseconds
from crivo.web.pages.rendering import page
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_RESPONDE: Final = Rotulo("Responde", "✓", "aprovado")
_NAO_RESPONDE: Final = Rotulo("Não responde", "✕", "negado")


@dataclass(frozen=True, slots=True)
class Linha:
    """A clinic as the page shows it."""

    nome: str
    especialidade: str
    situacao: Rotulo
    tempo: str
    chamadas: Rotulo


@router.get("/clinicas/situacao", response_class=Response)
async def situacao(request: Request) -> Response:
    """Every clinic, asked now."""
    state = state_of(request)
    found = await state.conversas.situacao()
    quando = state.container.clock.now()
    return page(request, "clinicas/situacao.html", linhas=[_linha(one) for one in found], resumo=_resumo(found), quando=quando)


def _linha(one: SituacaoDaClinica) -> Linha:
    rotulo, tempo = (_RESPONDE, milliseconds(one.ms)) if one.responde else (_NAO_RESPONDE, "–")
    return Linha(one.clinica.nome, one.clinica.especialidade, rotulo, tempo, DISJUNTORES[one.disjuntor])


def _resumo(found: Sequence[SituacaoDaClinica]) -> str:
    up = sum(one.responde for one in found)
    if up == len(found):
        return f"Todas as {up} clínicas respondem." if up > 1 else "A clínica responde."
    if not up:
        return "Nenhuma clínica responde agora."
    return f"{up} de {len(found)} clínicas {'respondem' if up > 1 else 'responde'}."
