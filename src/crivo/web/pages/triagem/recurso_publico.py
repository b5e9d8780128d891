"""`/recursos/{organizacao}`: whoever applied reads what was decided of their project and answers it, with a code and without an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import TentativasDemais
from crivo.kernel.errors import CrivoError
from crivo.triagem.palavras import shown
from crivo.triagem.recursos.codigos import read_code
from crivo.triagem.recursos.contratos import Recurso
from crivo.triagem.recursos.erros import CodigoRecusado, ForaDoPrazo, RecursoInvalido
from crivo.triagem.recursos.palavras import CONTRA
from crivo.triagem.recursos.peticoes import Porta
from crivo.triagem.recursos.recebimento import LARGEST_PAPER, LONGEST_TEXT, MOST_PAPERS
from crivo.web.body import limited
from crivo.web.edge import CODIGO
from crivo.web.pages import csrf
from crivo.web.pages.conta.navegadores import address_of
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.recurso_papeis_enviados import read_with_papers
from crivo.web.pages.triagem.recurso_vista import RecursoVisto, decidido_da_porta, prazo_dito, publicado_dito
from crivo.web.problems import CorpoGrandeDemais, headers_of, status_of
from crivo.web.state import state_of

router = APIRouter(include_in_schema=False)
_HOME: Final = "/recursos/{organizacao}"
_DOOR: Final = "/recursos/{organizacao}/{codigo}"
_FORM_BYTES: Final = 4_000
Organizacao = Annotated[str, Path(max_length=60)]
Codigo = Annotated[str, Path(max_length=100)]


@dataclass(frozen=True, slots=True)
class _Escrito:
    """What was sent and refused: all but the files, which a browser does not send twice by itself."""

    contra: str = ""
    texto: str = ""
    tinha_papeis: bool = False


@router.get(_HOME, response_class=Response)
async def pedir_codigo(request: Request, organizacao: Organizacao) -> Response:
    """Where a code is typed in."""
    return page(request, "triagem/recurso_codigo.html", organizacao=organizacao, recusa=None, codigo="")


@router.post(_HOME, response_class=Response)
async def ler_codigo(request: Request, organizacao: Organizacao) -> Response:
    """Go to what a code opens; one that is wrong comes back to be corrected."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=3) as form:
        typed = form.get("codigo")
    codigo = typed[:100] if isinstance(typed, str) else ""
    try:
        await _opened(request, organizacao, codigo)
    except (CodigoRecusado, TentativasDemais) as error:
        return _refused(request, organizacao, codigo, error)
    return RedirectResponse(_address(organizacao, codigo), status_code=303)


@router.get(_DOOR, response_class=Response)
async def abrir(request: Request, organizacao: Organizacao, codigo: Codigo, enviado: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The project of a code, what was decided of it, the recursos that were made and their answers, and the form within its days."""
    try:
        porta = await _opened(request, organizacao, codigo)
    except (CodigoRecusado, TentativasDemais) as error:
        return _refused(request, organizacao, "", error)
    return _page(request, organizacao, codigo, porta, recibo=enviado)


@router.post(_DOOR, response_class=Response)
async def apresentar(request: Request, organizacao: Organizacao, codigo: Codigo) -> Response:
    """Make a recurso; what is refused comes back with what was written."""
    state = state_of(request)
    with state.recursos.taken(organizacao):
        try:
            porta = await _opened(request, organizacao, codigo)
        except (CodigoRecusado, TentativasDemais) as error:
            return _refused(request, organizacao, "", error)
        escrito = _Escrito()
        try:
            fields, papeis = await read_with_papers(request, com_sessao=False)
            escrito = _Escrito(fields.get("contra", ""), fields.get("texto", ""), bool(papeis))
            made: Recurso = await state.container.peticoes.apresentar(organizacao, codigo, escrito.contra, escrito.texto, papeis)
        except (RecursoInvalido, ForaDoPrazo, CorpoGrandeDemais) as error:
            request.scope[CODIGO] = error.codigo
            return _page(request, organizacao, codigo, porta, error, escrito)
    return RedirectResponse(f"{_address(organizacao, codigo)}?enviado={made.numero}#recibo", status_code=303)


async def _opened(request: Request, organizacao: str, codigo: str) -> Porta:
    """What a code opens; a wrong one counts against the address that it comes from. Raises CodigoRecusado, TentativasDemais."""
    state = state_of(request)
    async with state.entradas.secret(address_of(request)):
        return await state.container.peticoes.porta(organizacao, codigo)


def _page(
    request: Request,
    organizacao: str,
    codigo: str,
    porta: Porta,
    recusa: CrivoError | None = None,
    escrito: _Escrito | None = None,
    recibo: int = 0,
) -> Response:
    criterios = {one.id: shown(one.nome) for one in porta.criterios}
    recursos = [RecursoVisto.of(one, None, criterios, {}, de_dentro=False, versao=porta.versao or 0) for one in porta.recursos]
    return page(
        request,
        "triagem/recurso_publico.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        endereco=_address(organizacao, codigo),
        edital=shown(porta.edital_nome),
        orgao=shown(porta.orgao),
        projeto=porta.projeto_id,
        titulo=shown(porta.titulo),
        decidido=decidido_da_porta(porta),
        publicado=publicado_dito(porta),
        prazo=prazo_dito(porta.prazo, porta.agora),
        aberto=porta.prazo.situacao(porta.agora) == "aberto",
        contras=[(one, CONTRA[one]) for one in porta.pode],
        recursos=list(reversed(recursos)),
        recibo=next((one for one in recursos if one.numero == recibo), None),
        recusa=recusa,
        escrito=escrito or _Escrito(),
        texto_maximo=LONGEST_TEXT,
        papeis_maximo=MOST_PAPERS,
        mega_maximo=LARGEST_PAPER // 1_000_000,
    )


def _refused(request: Request, organizacao: str, codigo: str, error: CrivoError) -> Response:
    request.scope[CODIGO] = error.codigo
    return page(
        request,
        "triagem/recurso_codigo.html",
        status_of(error),
        headers_of(error),
        organizacao=organizacao,
        recusa=error,
        codigo=codigo,
    )


def _address(organizacao: str, codigo: str) -> str:
    return f"/recursos/{quote(organizacao, safe='')}/{quote(read_code(codigo) or '', safe='')}"
