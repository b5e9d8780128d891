"""A document of a project: its pages as they are, with what the last screening points at; its text as it was read; the file itself.

Source: design, Pages; design, The mesa.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.achados import Irregularidade, ItemHabilitacao
from crivo.triagem.edital import Criterio
from crivo.triagem.erros import DocumentoNotFound, PaginaNotFound
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.apontados import Origem
from crivo.web.pages.triagem.enderecos import documento_address
from crivo.web.pages.triagem.pagina import Ver, vista_da_pagina
from crivo.web.state import hold, pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}"
_SAFE_TYPE: Final = "application/octet-stream"
_SANDBOX: Final = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
_ASKED_EACH_TIME: Final = "private, no-cache"  # kept by the browser, and never shown before the server has said that it may be
_LONGEST_TAG: Final = 64
Numero = Annotated[str, Path(max_length=64, description="Qual documento do projeto, contado de 1.")]
Pagina = Annotated[int, Query(ge=0, le=1_000_000, description="Qual página, contada de 1.")]
Zoom = Literal["100", "150", "200"]


@dataclass(frozen=True, slots=True)
class _RotasDoDocumento:
    """The addresses of a document on a page of its own."""

    edital_id: str
    projeto_id: str
    gestao: bool

    def folha(self, documento: int, pagina: int = 0, ver: Ver = "pagina", zoom: int = 100) -> str:
        asked = {
            "pagina": str(pagina) if pagina else "",
            "ver": "texto" if ver == "texto" else "",
            "zoom": str(zoom) if zoom != 100 else "",
        }
        query = urlencode({name: value for name, value in asked.items() if value})
        return documento_address(self.edital_id, self.projeto_id, documento) + (f"?{query}" if query else "")

    def alvo(self, origem: Origem) -> str:
        edital, projeto = quote(self.edital_id, safe=""), quote(self.projeto_id, safe="")
        if not self.gestao:
            where = f"/avaliacao/{projeto}?edital={edital}"
            return f"{where}&vista=analise#criterio-{quote(origem.id, safe='')}" if isinstance(origem, Criterio) else where
        screening = f"/admin/editais/{edital}/triagem-ia"
        match origem:
            case ItemHabilitacao():
                return f"{screening}?projeto={projeto}#projeto-{projeto}"
            case Criterio():
                return f"{screening}?aba=avaliacao&projeto={projeto}#projeto-{projeto}"
            case Irregularidade():
                return f"{screening}?aba=irregularidades&q={projeto}"


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request,
    edital_id: EditalId,
    projeto_id: ProjetoId,
    documento_id: Numero,
    pagina: Pagina = 0,
    ver: Ver = "pagina",
    zoom: Zoom = "100",
) -> Response:
    """The page, drawn, with its findings beside it; or the text that was read. Never the file itself."""
    gestao = pode(request, "triagem.acompanhar")
    rotas = _RotasDoDocumento(edital_id, projeto_id, gestao)
    hold(request, state_of(request).desenhos)
    vista = await vista_da_pagina(request, edital_id, projeto_id, _number(documento_id) or -1, pagina, rotas, ver=ver, zoom=int(zoom))
    return page(
        request,
        "triagem/documento.html",
        edital_id=edital_id,
        gestao=gestao,
        voltar=f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia" if gestao else f"/avaliacao/{projeto_id}?edital={quote(edital_id)}",
        vista=vista,
    )


@router.get(f"{_PAGE}/paginas/{{numero}}.png", response_class=Response)
async def imagem(
    request: Request,
    edital_id: EditalId,
    projeto_id: ProjetoId,
    documento_id: Numero,
    numero: Annotated[str, Path(max_length=64)],
    largura: Annotated[int, Query(ge=1, le=100_000)] = 1200,
) -> Response:
    """One page as an image."""
    if not _is_number(numero):
        raise PaginaNotFound("Não há esta página. Volte ao documento e escolha outra.")
    known = request.headers.get("if-none-match", "")[:_LONGEST_TAG]
    hold(request, state_of(request).desenhos)
    found = await state_of(request).container.paginas.imagem(
        scope_of(request), edital_id, projeto_id, _number(documento_id), int(numero), largura, conhecida=known
    )
    headers = {
        "cache-control": _ASKED_EACH_TIME,
        "etag": found.etag,
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
    }
    if not found.png:
        return Response(status_code=304, headers=headers)
    return Response(found.png, media_type="image/png", headers=headers)


@router.get(f"{_PAGE}/arquivo", response_class=Response)
async def baixar(request: Request, edital_id: EditalId, projeto_id: ProjetoId, documento_id: Numero) -> Response:
    """The file as it was sent: always to be kept, never to be run or shown here."""
    nome, conteudo = await state_of(request).container.documentacao.baixar(scope_of(request), edital_id, projeto_id, _number(documento_id))
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(nome, safe='')}",
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
    }
    return Response(conteudo, media_type=_SAFE_TYPE, headers=headers)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _number(text: str) -> int:
    """Raises DocumentoNotFound."""
    if not _is_number(text):
        raise DocumentoNotFound("Não há este documento entre os que você pode ver. Volte ao projeto e escolha outro.")
    return int(text)
