"""`/diligencias/{organizacao}/{codigo}`: what is asked, for whoever has its code, who answers without having an account."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.diligencias.guardadas import Publica
from crivo.triagem.diligencias.recebimento import ARQUIVO_MAXIMO, LONGEST_TEXT, MOST_FILES
from crivo.web.pages import csrf
from crivo.web.pages.conta.navegadores import address_of
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.diligencias_vista import PublicaVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import state_of
from crivo.web.triagem.respostas import read_resposta

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/diligencias/{organizacao}/{codigo}"
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.TOO_LARGE, Kind.LIMITED)
Organizacao = Annotated[str, Path(max_length=40)]
Codigo = Annotated[str, Path(max_length=60)]


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, organizacao: Organizacao, codigo: Codigo, enviado: Annotated[str, Query(max_length=5)] = "") -> Response:
    """What is asked, until when, and what was sent already."""
    return _shown(request, organizacao, codigo, await _asked(request, organizacao, codigo), enviado=bool(enviado))


@router.post(_PAGE, response_class=Response)
async def responder(request: Request, organizacao: Organizacao, codigo: Codigo) -> Response:
    """Answer, or add to an answer; what will not do comes back with what was written, and nothing of it was kept."""
    state = state_of(request)
    publica = await _asked(request, organizacao, codigo)  # before the body is read: whoever has no code sends nothing
    texto = ""
    try:
        with ExitStack() as held:
            held.enter_context(state.respostas.taken(organizacao))
            pedidos = publica.diligencia.pedida.pedidos if publica.diligencia.pedida else ()
            fields, arquivos = await read_resposta(request, pedidos)
            texto = fields.get("texto", "")
            await state.container.respostas.responder(organizacao, codigo, texto, arquivos)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return _shown(request, organizacao, codigo, publica, recusa=error, texto=texto)
    return RedirectResponse(f"/diligencias/{organizacao}/{codigo}?enviado=1#enviado", status_code=303)


async def _asked(request: Request, organizacao: str, codigo: str) -> Publica:
    """The diligência of that code; tries of codes that are none are counted by where they come from."""
    state = state_of(request)
    async with state.entradas.secret(address_of(request)):
        return await state.container.respostas.ver(organizacao, codigo)


def _shown(
    request: Request,
    organizacao: str,
    codigo: str,
    publica: Publica,
    *,
    recusa: CrivoError | None = None,
    texto: str = "",
    enviado: bool = False,
) -> Response:
    return page(
        request,
        "triagem/diligencia_publica.html",
        200 if recusa is None else status_of(recusa),
        {"x-robots-tag": "noindex"} | ({} if recusa is None else headers_of(recusa)),
        um=PublicaVista.of(publica),
        endereco=f"/diligencias/{organizacao}/{codigo}",
        csrf_daqui=csrf.token_of(request),
        recusa=recusa,
        texto=texto,
        enviado=enviado,
        texto_maximo=LONGEST_TEXT,
        arquivo_maximo=ARQUIVO_MAXIMO // 1024**2,
        arquivos_maximo=MOST_FILES,
    )
