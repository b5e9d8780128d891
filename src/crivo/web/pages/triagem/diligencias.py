"""`/admin/editais/{id}/diligencias`: what was asked of proponentes, asking, giving more time, taking back, and what came."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.diligencias.guardadas import SITUACOES
from crivo.triagem.diligencias.servico import (
    DIAS_DE_COSTUME,
    LONGEST_REASON,
    LONGEST_TEXT,
    MOST_DAYS,
    NovaDiligencia,
)
from crivo.web.pages.formatos import instante
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.listas import cut
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.diligencias_vista import SITUACAO_PALAVRAS, DiligenciaVista, LinhaVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId
from crivo.web.triagem.respostas import read_resposta

router = APIRouter(include_in_schema=False)
_LIST: Final = "/admin/editais/{edital_id}/diligencias"
_ONE: Final = f"{_LIST}/{{numero}}"
_NEW: Final = "/admin/editais/{edital_id}/projetos/{projeto_id}/diligencia"
_PER_PAGE: Final = 50
_FORM_BYTES: Final = 100_000
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.TOO_LARGE)
_SAFE_TYPE: Final = "application/octet-stream"
_SANDBOX: Final = "default-src 'none'; sandbox"
Numero = Annotated[int, Path(ge=1, le=1_000_000)]


@router.get(_LIST, response_class=Response)
async def listar(
    request: Request,
    edital_id: EditalId,
    situacao: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """The diligências of an edital, by how they stand."""
    nome, found = await state_of(request).container.diligencias.listar(scope_of(request), edital_id)
    base = _base(edital_id)
    asked = situacao if situacao in SITUACOES else ""
    linhas = [one for one in found if not asked or one.situacao == asked]
    counted = [(one, sum([um.situacao == one for um in found])) for one in SITUACOES]
    abas = [("", "Todas", len(found), f"{base}/diligencias")]
    abas += [(one, f"{SITUACAO_PALAVRAS[one][0]}s", many, f"{base}/diligencias?situacao={one}") for one, many in counted]
    return page(
        request,
        "triagem/diligencias.html",
        edital={"id": edital_id, "nome": nome},
        base=base,
        abas=abas,
        atual=asked,
        total=len(found),
        fatia=cut(linhas, lambda one: LinhaVista.of(one, base), pagina, _PER_PAGE, {"situacao": asked}),
    )


@router.get(_NEW, response_class=Response)
async def nova(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """What would be asked of a project, to be changed before it is sent."""
    return await _new_page(request, edital_id, projeto_id)


@router.post(_NEW, response_class=Response)
async def pedir(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Ask, and go on to the diligência; what will not do comes back with what was written."""
    fields, chosen = await read_choices(request, "requisito", max_bytes=_FORM_BYTES, max_fields=500)
    asked = NovaDiligencia(chosen, fields.get("texto", ""), _days(fields.get("dias", "")), fields.get("email", ""))
    try:
        numero = await state_of(request).container.diligencias.pedir(scope_of(request), edital_id, projeto_id, asked)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return await _new_page(request, edital_id, projeto_id, error, asked)
    return RedirectResponse(f"{_base(edital_id)}/diligencias/{numero}?ok=diligencia", status_code=303)


@router.get(_ONE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """A diligência, with its link, its letter and what came."""
    return await _one_page(request, edital_id, numero)


@router.post(f"{_ONE}/prorrogar", response_class=Response)
async def prorrogar(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Give more time, with a reason."""
    fields = await read_form(request)
    container, scope = state_of(request).container, scope_of(request)
    try:
        await container.diligencias.prorrogar(scope, edital_id, numero, _days(fields.get("dias", "")), fields.get("motivo", ""))
    except CrivoError as error:
        return await _refused(request, edital_id, numero, error, "prorrogar", fields)
    return RedirectResponse(f"{_base(edital_id)}/diligencias/{numero}?ok=diligencia_prazo", status_code=303)


@router.post(f"{_ONE}/cancelar", response_class=Response)
async def cancelar(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Take it back, with a reason."""
    fields = await read_form(request)
    try:
        await state_of(request).container.diligencias.cancelar(scope_of(request), edital_id, numero, fields.get("motivo", ""))
    except CrivoError as error:
        return await _refused(request, edital_id, numero, error, "cancelar", fields)
    return RedirectResponse(f"{_base(edital_id)}/diligencias/{numero}?ok=diligencia_cancelada", status_code=303)


@router.post(f"{_ONE}/resposta", response_class=Response)
async def receber(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Put in an answer that came on paper."""
    container, scope = state_of(request).container, scope_of(request)
    aberta = await container.diligencias.abrir(scope, edital_id, numero)
    pedidos = aberta.diligencia.pedida.pedidos if aberta.diligencia.pedida else ()
    hold(request, state_of(request).respostas)
    fields: dict[str, str] = {}
    try:
        read, arquivos = await read_resposta(request, pedidos)
        fields = dict(read)
        await container.diligencias.receber(scope, edital_id, numero, read.get("texto", ""), arquivos)
    except CrivoError as error:
        return await _refused(request, edital_id, numero, error, "receber", fields)
    return RedirectResponse(f"{_base(edital_id)}/diligencias/{numero}?ok=diligencia_resposta#respostas", status_code=303)


@router.get(f"{_ONE}/prorrogar", response_class=Response)
@router.get(f"{_ONE}/cancelar", response_class=Response)
@router.get(f"{_ONE}/resposta", response_class=Response)
async def voltar(edital_id: EditalId, numero: Numero) -> Response:
    """Where a form came back from is opened again: the diligência."""
    return RedirectResponse(f"{_base(edital_id)}/diligencias/{numero}", status_code=303)


@router.get(f"{_ONE}/documentos/{{ordem}}", response_class=Response)
async def baixar(request: Request, edital_id: EditalId, numero: Numero, ordem: Numero) -> Response:
    """A file that came, always to be kept, never to be run or shown here."""
    nome, conteudo = await state_of(request).container.diligencias.papel(scope_of(request), edital_id, numero, ordem)
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(nome, safe='')}",
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
    }
    return Response(conteudo, media_type=_SAFE_TYPE, headers=headers)


async def _new_page(
    request: Request, edital_id: str, projeto_id: str, recusa: CrivoError | None = None, escrito: NovaDiligencia | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    rascunho = await container.diligencias.rascunho(scope, edital_id, projeto_id)
    base = _base(edital_id)
    opcoes = [
        (um.requisito, f"{um.descricao} (item {um.clausula})" if um.clausula else um.descricao, achado) for um, achado in rascunho.pediveis
    ]
    return page(
        request,
        "triagem/diligencia_nova.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital={"id": edital_id, "nome": rascunho.edital.nome},
        base=base,
        endereco=f"{base}/projetos/{quote(projeto_id, safe='')}/diligencia",
        mesa=f"{base}/mesa/{quote(projeto_id, safe='')}",
        projeto=projeto_id,
        titulo=rascunho.titulo,
        proponente=rascunho.proponente.nome,
        opcoes=opcoes,
        marcados=escrito.requisitos if escrito else rascunho.propostos,
        texto=escrito.texto if escrito else rascunho.texto,
        email=escrito.email if escrito else rascunho.proponente.email,
        dias=(escrito.dias or "") if escrito else rascunho.dias,
        prazo=instante(rascunho.prazo),
        dias_de_costume=DIAS_DE_COSTUME,
        mais_dias=MOST_DAYS,
        texto_maximo=LONGEST_TEXT,
        recusa=recusa,
    )


async def _one_page(
    request: Request, edital_id: str, numero: int, recusa: CrivoError | None = None, de: str = "", escrito: dict[str, str] | None = None
) -> Response:
    aberta = await state_of(request).container.diligencias.abrir(scope_of(request), edital_id, numero)
    base = _base(edital_id)
    return page(
        request,
        "triagem/diligencia.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital={"id": edital_id, "nome": aberta.edital.nome},
        base=base,
        endereco=f"{base}/diligencias/{numero}",
        um=DiligenciaVista.of(aberta, base),
        recusa=recusa,
        de=de,
        escrito=escrito or {},
        motivo_maximo=LONGEST_REASON,
        mais_dias=MOST_DAYS,
        dias_de_costume=DIAS_DE_COSTUME,
    )


async def _refused(request: Request, edital_id: str, numero: int, error: CrivoError, de: str, escrito: dict[str, str]) -> Response:
    if error.kind not in _ANSWERED_HERE:
        raise error
    return await _one_page(request, edital_id, numero, error, de, escrito)


def _base(edital_id: str) -> str:
    return f"/admin/editais/{quote(edital_id, safe='')}"


def _days(text: str) -> int:
    """A number of days; 0, which is refused with its bounds, for what is none."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 5 else 0
