"""`/admin/editais/{id}/sorteio`: who judges what by a draw, and another person where a project asks for one.

A preview is an address of its own, which anybody who manages can open again; giving takes what it said, or nothing.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.distribuicao.guardados import AlvoDoSorteio
from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio, PreviaDeSorteio
from crivo.triagem.distribuicao.sorteios import LONGEST_SEMENTE
from crivo.triagem.erros import DistribuicaoInvalida, DistribuicaoMudou, DistribuicaoNotFound
from crivo.triagem.palavras import shown
from crivo.web.pages.formatos import dia
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.avaliadores import address as people_address
from crivo.web.pages.triagem.sorteio_vista import ConferidoVista, PedeOutraVista, SorteioVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/sorteio"
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT)
_SHOWN: Final = 200


@router.get(_PAGE, response_class=Response)
async def ver(
    request: Request,
    edital_id: EditalId,
    alvo: Literal["edital", "outra"] = "edital",
    por_projeto: Annotated[str, Query(max_length=20)] = "",
    maximo: Annotated[str, Query(max_length=20)] = "",
    semente: Annotated[str, Query(max_length=500)] = "",
    previa: Literal["", "sim"] = "",
) -> Response:
    """What is asked of a draw, or what would come of it; and the projects that ask for another person."""
    escrito = {"alvo": alvo, "por_projeto": por_projeto, "maximo": maximo, "semente": semente}
    if not previa:
        return await _page(request, edital_id, escrito)
    try:
        found = await state_of(request).container.sorteios.prever(scope_of(request), edital_id, _read(escrito))
    except CrivoError as error:
        return await _page(request, edital_id, escrito, recusa=_told_here(error))
    return await _page(request, edital_id, escrito, found)


@router.post(_PAGE, response_class=Response)
async def dar(request: Request, edital_id: EditalId) -> Response:
    """Give all that the preview said; where something changed since, nothing is, and the preview of now is shown."""
    fields = await read_form(request)
    escrito = {name: fields.get(name, "") for name in ("alvo", "por_projeto", "maximo", "semente")}
    try:
        pedido = _read(escrito)
        ato = await state_of(request).container.sorteios.dar(scope_of(request), edital_id, pedido, fields.get("prevista", ""))
    except DistribuicaoMudou as error:
        if not isinstance(error.nova, PreviaDeSorteio):
            raise
        return await _page(request, edital_id, escrito, error.nova, error)
    except CrivoError as error:
        return await _page(request, edital_id, escrito, recusa=_told_here(error))
    return RedirectResponse(f"{people_address(edital_id)}?{urlencode({'ato': ato.id, 'ok': 'sorteado'})}#atos", status_code=303)


def address(edital_id: str) -> str:
    """Of the draw of an edital."""
    return _PAGE.format(edital_id=quote(edital_id, safe=""))


async def _page(
    request: Request, edital_id: str, escrito: dict[str, str], previa: PreviaDeSorteio | None = None, recusa: CrivoError | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    como = await container.sorteios.como(scope, edital_id)
    equipe = await container.quem_avalia.equipe(scope, edital_id)
    prazos = await container.prazos.do_edital(scope, edital_id)
    calibracao = await container.calibracoes.ver(scope, edital_id)
    named = [one.projeto_id for one in como.pedem[:_SHOWN]] + ([] if previa is None else SorteioVista.named(previa))
    _, cabecalhos = await container.painel.cabecalhos(scope, edital_id, named)
    try:
        last = ConferidoVista.of(await container.sorteios.conferir(scope, edital_id))
    except DistribuicaoNotFound:
        last = None
    return page(
        request,
        "triagem/sorteio.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital={"id": edital_id, "nome": shown(equipe.edital.nome)},
        base=f"/admin/editais/{quote(edital_id, safe='')}",
        endereco=address(edital_id),
        pessoas=len(equipe.pessoas),
        projetos=equipe.projetos,
        como=como,
        semente=shown(como.semente),
        pedem=[PedeOutraVista.of(one, cabecalhos.get(one.projeto_id)) for one in como.pedem[:_SHOWN]],
        pedem_mais=max(0, len(como.pedem) - _SHOWN),
        a_sortear=sum(1 for one in como.pedem if one.quantos),
        lote=None if previa is None else SorteioVista.of(previa, cabecalhos),
        prevista="" if previa is None else previa.prevista,
        ultimo=last,
        prazo_encerrado=dia(prazos.ultimo_dia) if prazos.encerrado and prazos.ultimo_dia else "",
        calibrando=calibracao.em_curso,
        sem_calibracao=calibracao.calibracao is None,
        escrito=escrito,
        erros={one.caminho: one.mensagem for one in recusa.problemas} if recusa else {},
        recusa=recusa,
        semente_maxima=LONGEST_SEMENTE,
    )


def _read(escrito: dict[str, str]) -> PedidoDeSorteio:
    """Raises DistribuicaoInvalida, with the field, for a number that is none."""
    alvo: AlvoDoSorteio = "outra" if escrito["alvo"] == "outra" else "edital"
    return PedidoDeSorteio(alvo, _number(escrito, "por_projeto"), _number(escrito, "maximo"), escrito["semente"])


def _number(escrito: dict[str, str], campo: str) -> int | None:
    text = escrito[campo].strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        told = "Escreva um número inteiro, como 2, ou deixe em branco."
        raise DistribuicaoInvalida(told, [Problem(told, campo)])
    return int(text)


def _told_here(error: CrivoError) -> CrivoError:
    """The same where it is told on the page; raises it where it is not."""
    if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
        raise error
    return error
