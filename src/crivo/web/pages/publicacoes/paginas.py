"""`/publicacoes`: what an organisation published, each version as a page and as files, and the check of what somebody holds.

Nobody signs in here. Search engines are asked to leave out what names people; the list of an organisation's publications names none.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.enderecos import site_of
from crivo.triagem.publicacao.conferencia import read_digest
from crivo.triagem.publicacao.documentos.formatos import FormatoDeSaida
from crivo.triagem.publicacao.guardados import Publicada, standing
from crivo.triagem.publicacao.publicacoes import Publicacoes
from crivo.web.body import limited
from crivo.web.limiter import Limiter
from crivo.web.pages import csrf
from crivo.web.pages.publicacoes.vista import conferida_said, prova_said, versao_vista, vista_of
from crivo.web.pages.rendering import page
from crivo.web.problems import PedidosDemais, VisitasDemais
from crivo.web.state import state_of
from crivo.web.triagem.saida import send

router = APIRouter(include_in_schema=False)
ARQUIVO_MAXIMO: Final = 64 * 1024**2  # bytes of a file that is held against what was published
_FORM_OVERHEAD: Final = 20_000
_LIST: Final = "/publicacoes/{organizacao}"
_ONE: Final = f"{_LIST}/{{codigo}}"
_CHECK: Final = f"{_ONE}/conferir"
_BRIEFLY: Final = "public, max-age=60"
_ASKED_AGAIN: Final = "public, max-age=300"
_UNLISTED: Final = "noindex, noarchive"
Organizacao = Annotated[str, Path(max_length=40)]
Codigo = Annotated[str, Path(max_length=40)]


@router.get(_LIST, response_class=Response)
async def lista(request: Request, organizacao: Organizacao) -> Response:
    """What an organisation published, the newest first."""
    await _visit(request, state_of(request).visitas)
    nome, found = await _publicacoes(request).lista(organizacao)
    of_edital: dict[str, list[Publicada]] = {}
    for one, _ in found:
        of_edital.setdefault(one.edital_id, []).append(one)
    versoes = [versao_vista(one, edital, organizacao, em_vigor=one == standing(one, of_edital[one.edital_id])) for one, edital in found]
    return page(request, "publicacoes/lista.html", headers=_headers(listed=True), organizacao=nome, versoes=versoes)


@router.get(f"{_ONE}.{{formato}}", response_class=Response)
async def arquivo(request: Request, organizacao: Organizacao, codigo: Codigo, formato: FormatoDeSaida) -> Response:
    """A version as a file, known by its digest: whoever has it already is not sent it again."""
    await _visit(request, state_of(request).visitas)
    made = await _publicacoes(request).arquivo_publico(organizacao, codigo, formato)
    etag = f'"{made.sha256}"'
    headers = {"cache-control": _ASKED_AGAIN, "etag": etag, "x-robots-tag": _UNLISTED}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return send(made, headers)


@router.get(_ONE, response_class=Response)
async def versao(
    request: Request,
    organizacao: Organizacao,
    codigo: Codigo,
    grupo: Annotated[str, Query(max_length=10)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    q: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """A version: whether it is in force, its rows, its files, and what it is known by."""
    await _visit(request, state_of(request).visitas)
    found = await _publicacoes(request).publica(organizacao, codigo)
    vista = vista_of(found, organizacao, grupo, pagina, q.replace("\0", "").strip())
    return page(request, "publicacoes/versao.html", headers=_headers(), vista=vista, lista=f"/publicacoes/{organizacao}", q=q, grupo=grupo)


@router.get(_CHECK, response_class=Response)
async def conferir(request: Request, organizacao: Organizacao, codigo: Codigo) -> Response:
    """The form by which a file, or a digest, is held against what was published."""
    await _visit(request, state_of(request).visitas)
    return await _check_page(request, organizacao, codigo)


@router.post(_CHECK, response_class=Response)
async def conferido(request: Request, organizacao: Organizacao, codigo: Codigo) -> Response:
    """What came in, held against what was published. Nothing of it is kept."""
    await _visit(request, state_of(request).conferencias)
    csrf.check_origin(request)
    with state_of(request).conferidos.taken(organizacao):
        async with limited(request, ARQUIVO_MAXIMO + _FORM_OVERHEAD).form(max_files=1, max_fields=4, max_part_size=_FORM_OVERHEAD) as form:
            sent, said = form.get("arquivo"), form.get("resumo")
            content = await sent.read() if isinstance(sent, UploadFile) and sent.size else None
        digest = read_digest(said) if content is None and isinstance(said, str) else None
        if content is None and digest is None:
            told = said[:500] if isinstance(said, str) else ""
            lacking = "Isto não parece um resumo: são 64 letras e algarismos, de 0 a 9 e de a a f." if told.strip() else ""
            return await _check_page(request, organizacao, codigo, 422, lacking or "Escolha um arquivo, ou cole um resumo SHA-256.", told)
        found = await _publicacoes(request).conferir(organizacao, codigo, content, digest)
    estilo, titulo, dito = conferida_said(found)
    answer = {"estilo": estilo, "titulo": titulo, "dito": dito, "sha256": found.sha256, "prova": prova_said(found.prova)}
    return await _check_page(request, organizacao, codigo, resposta=answer)


async def _check_page(
    request: Request, organizacao: str, codigo: str, status: int = 200, erro: str = "", resumo: str = "", resposta: object = None
) -> Response:
    vista = vista_of(await _publicacoes(request).publica(organizacao, codigo), organizacao, "", 1, "")
    return page(
        request,
        "publicacoes/conferir.html",
        status,
        {"x-robots-tag": _UNLISTED},
        vista=vista,
        lista=f"/publicacoes/{organizacao}",
        erro=erro,
        resumo=resumo,
        resposta=resposta,
    )


async def _visit(request: Request, limiter: Limiter) -> None:
    """Raises VisitasDemais where one place to come from asks too often."""
    try:
        await limiter.hit("publicacoes", site_of(request.client.host if request.client else ""))
    except PedidosDemais as error:
        raise VisitasDemais(error.retry_after_seconds) from None


def _publicacoes(request: Request) -> Publicacoes:
    return state_of(request).container.publicacoes


def _headers(*, listed: bool = False) -> dict[str, str]:
    """A page may be kept for a minute, by theme and by whoever looks; what names people is not for search engines."""
    return {"cache-control": _BRIEFLY, "vary": "cookie"} | ({} if listed else {"x-robots-tag": _UNLISTED})
