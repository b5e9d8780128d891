"""`/admin/editais/{id}/calibracao`: three projects that everybody judges first, how far the notas agree, and when the rest opens."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.distribuicao.calibracoes import COMUNS, LONGEST_REASON, PreviaDeCalibracao
from crivo.triagem.distribuicao.sorteios import LONGEST_SEMENTE
from crivo.triagem.erros import CalibracaoMudou
from crivo.triagem.palavras import shown
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.calibracao_vista import PreviaVista, RodadaVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/calibracao"
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT)
_DONE: Final = {"abrir": "calibracao_aberta", "fechar": "calibracao_fechada", "desfazer": "calibracao_desfeita"}


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request,
    edital_id: EditalId,
    codigos: Annotated[str, Query(max_length=500)] = "",
    semente: Annotated[str, Query(max_length=500)] = "",
    previa: Literal["", "sim"] = "",
) -> Response:
    """How the round stands, or what beginning one would do."""
    escrito = {"codigos": codigos, "semente": semente}
    if not previa:
        return await _page(request, edital_id, escrito)
    try:
        found = await state_of(request).container.calibracoes.prever(scope_of(request), edital_id, _codes(codigos), semente)
    except CrivoError as error:
        return await _page(request, edital_id, escrito, recusa=_told_here(error))
    return await _page(request, edital_id, escrito, found)


@router.post(_PAGE, response_class=Response)
async def agir(request: Request, edital_id: EditalId) -> Response:
    """Begin a round as it was foreseen, open the rest of one, close it again, or undo it."""
    fields = await read_form(request)
    calibracoes, scope, acao = state_of(request).container.calibracoes, scope_of(request), fields.get("acao", "")
    escrito = {name: fields.get(name, "") for name in ("codigos", "semente", "motivo")}
    try:
        match acao:
            case "abrir":
                await calibracoes.abrir(scope, edital_id, escrito["motivo"])
            case "fechar":
                await calibracoes.fechar(scope, edital_id)
            case "desfazer":
                await calibracoes.desfazer(scope, edital_id)
            case _:
                told = (_codes(escrito["codigos"]), escrito["semente"], fields.get("prevista", ""))
                await calibracoes.comecar(scope, edital_id, *told)
    except CalibracaoMudou as error:
        if not isinstance(error.nova, PreviaDeCalibracao):
            raise
        return await _page(request, edital_id, escrito, error.nova, error)
    except CrivoError as error:
        return await _page(request, edital_id, escrito, recusa=_told_here(error))
    return RedirectResponse(f"{address(edital_id)}?ok={_DONE.get(acao, 'calibracao_comecada')}", status_code=303)


def address(edital_id: str) -> str:
    """Of the round of an edital."""
    return _PAGE.format(edital_id=quote(edital_id, safe=""))


async def _page(
    request: Request, edital_id: str, escrito: dict[str, str], previa: PreviaDeCalibracao | None = None, recusa: CrivoError | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    vista = await container.calibracoes.ver(scope, edital_id)
    named = [*(vista.calibracao.codigos if vista.calibracao else ()), *(previa.projetos if previa else ())]
    edital, cabecalhos = await container.painel.cabecalhos(scope, edital_id, named)
    return page(
        request,
        "triagem/calibracao.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital={"id": edital_id, "nome": shown(edital.nome)},
        base=f"/admin/editais/{quote(edital_id, safe='')}",
        endereco=address(edital_id),
        rodada=RodadaVista.of(vista, cabecalhos),
        lote=None if previa is None else PreviaVista.of(previa, cabecalhos),
        prevista="" if previa is None else previa.prevista,
        semente=shown(vista.semente),
        escrito={"codigos": "", "semente": "", "motivo": ""} | escrito,
        erros={one.caminho: one.mensagem for one in recusa.problemas} if recusa else {},
        recusa=recusa,
        comuns=COMUNS,
        motivo_maximo=LONGEST_REASON,
        semente_maxima=LONGEST_SEMENTE,
    )


def _codes(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").replace(";", " ").split())


def _told_here(error: CrivoError) -> CrivoError:
    """The same where it is told on the page; raises it where it is not."""
    if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
        raise error
    return error
