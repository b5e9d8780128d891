"""`/admin/editais/{id}/resultado/{versao}.{formato}`: a published version, or the draft, as a file."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.publicacao.documentos.formatos import FormatoDeSaida
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId
from crivo.web.triagem.saida import NumeroDaVersao, send

router = APIRouter(include_in_schema=False)
_BASE: Final = "/admin/editais/{edital_id}/resultado"


@router.get(f"{_BASE}/rascunho.{{formato}}", response_class=Response)
async def rascunho(request: Request, edital_id: EditalId, formato: FormatoDeSaida, fase: FaseDoResultado = "preliminar") -> Response:
    """What would be published now, marked as a draft on every page."""
    hold(request, state_of(request).desenhos)
    return send(await state_of(request).container.publicacoes.rascunho(scope_of(request), edital_id, fase, formato))


@router.get(f"{_BASE}/{{numero}}.{{formato}}", response_class=Response)
async def versao(request: Request, edital_id: EditalId, numero: NumeroDaVersao, formato: FormatoDeSaida) -> Response:
    """A version as it was published."""
    hold(request, state_of(request).desenhos)
    return send(await state_of(request).container.publicacoes.arquivo(scope_of(request), edital_id, numero, formato))
