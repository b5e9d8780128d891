"""The papers of a recurso: their pages as they are, drawn; the file itself only to be kept, never shown or run here."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.palavras import shown
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.recurso_vista import base_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAPER: Final = "/admin/editais/{edital_id}/recursos/{numero}/papeis/{ordem}"
_SANDBOX: Final = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
Numero = Annotated[int, Path(ge=1, le=1_000_000_000)]
Ordem = Annotated[int, Path(ge=1, le=100)]


@router.get(_PAPER, response_class=Response)
async def ver(
    request: Request, edital_id: EditalId, numero: Numero, ordem: Ordem, pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1
) -> Response:
    """A page of a paper."""
    hold(request, state_of(request).desenhos)
    found = await state_of(request).container.papeis_de_recurso.abrir(scope_of(request), edital_id, numero, ordem, pagina)
    return page(
        request,
        "triagem/recurso_papel.html",
        edital=shown(found.edital_nome),
        base=base_of(edital_id),
        numero=numero,
        ordem=ordem,
        nome=shown(found.papel.nome),
        pagina=pagina,
        total=found.total,
        desenhavel=found.desenhavel,
    )


@router.get(f"{_PAPER}/paginas/{{pagina}}.png", response_class=Response)
async def imagem(
    request: Request,
    edital_id: EditalId,
    numero: Numero,
    ordem: Ordem,
    pagina: Annotated[int, Path(ge=1, le=1_000_000)],
    largura: Annotated[int, Query(ge=1, le=100_000)] = 1200,
) -> Response:
    """One page as an image."""
    hold(request, state_of(request).desenhos)
    drawn = state_of(request).container.papeis_de_recurso.imagem
    png = await drawn(scope_of(request), edital_id, numero, ordem, pagina, largura)
    headers = {"content-security-policy": _SANDBOX, "x-content-type-options": "nosniff"}
    return Response(png, media_type="image/png", headers=headers)


@router.get(f"{_PAPER}/arquivo", response_class=Response)
async def baixar(request: Request, edital_id: EditalId, numero: Numero, ordem: Ordem) -> Response:
    """The file as it was sent."""
    nome, conteudo = await state_of(request).container.papeis_de_recurso.baixar(scope_of(request), edital_id, numero, ordem)
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(nome, safe='')}",
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
    }
    return Response(conteudo, media_type="application/octet-stream", headers=headers)
