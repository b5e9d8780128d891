"""`/admin/editais/{id}/projetos`: projects are brought into an edital that people wrote, out of a file that speaks of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.fora import told
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId
from crivo.web.triagem.pacote import FILE_FIELD, PACOTE_MAXIMO, YES, bring, consents

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/projetos"
_FORM_OVERHEAD_BYTES: Final = 100_000
_MOST_AVISOS: Final = 50
_ANSWERED_HERE: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.CONFLICT)


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId) -> Response:
    """How projects come into the edital."""
    return await _page(request, edital_id)


@router.post(_PAGE, response_class=Response)
async def trazer(request: Request, edital_id: EditalId) -> Response:
    """Bring the projects of a file in, and go on to the edital; what is wrong with it, or deserves a look, is shown here."""
    csrf.check_origin(request)
    hold(request, state_of(request).importacoes)
    async with limited(request, PACOTE_MAXIMO + _FORM_OVERHEAD_BYTES).form(max_files=1, max_fields=10) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        try:
            importada, lida = await bring(
                request, edital_id, form.get(FILE_FIELD), retirar=form.get("retirar") == YES, aceitar_apagados=consents(form)
            )
        except CrivoError as error:
            if error.kind not in _ANSWERED_HERE:
                raise
            return await _page(request, edital_id, error)
    left = told(importada.fora, importada.avaliadores_fora)
    if left or lida.avisos:
        return await _page(request, edital_id, trazidos=importada.projetos, fora=left, avisos=lida.avisos)
    return RedirectResponse(f"/admin/editais/{edital_id}/triagem-ia?ok=importado", status_code=303)


async def _page(
    request: Request,
    edital_id: str,
    recusa: CrivoError | None = None,
    *,
    trazidos: int = 0,
    fora: Sequence[str] = (),
    avisos: Sequence[Problem] = (),
) -> Response:
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    return page(
        request,
        "triagem/chamada_projetos.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        endereco=_PAGE.format(edital_id=edital_id),
        edital=aberta.chamada.edital,
        projetos=aberta.projetos,
        recusa=recusa,
        trazidos=trazidos,
        fora=fora,
        avisos=avisos[:_MOST_AVISOS],
        mais_avisos=max(0, len(avisos) - _MOST_AVISOS),
    )
