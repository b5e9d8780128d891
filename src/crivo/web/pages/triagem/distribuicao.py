"""`/admin/editais/{id}/selecao`: what is done with marked projects beyond deciding: given to who judges, asked of them, exported.

Nothing is done before it was shown: `…/distribuicao` and `…/lembrete` take what a preview said, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final
from urllib.parse import quote, urlencode
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.distribuicao.lembrete import PreviaDeLembrete
from crivo.triagem.distribuicao.previa import PreviaDeDistribuicao
from crivo.triagem.erros import DistribuicaoMudou, ProjetoNotFound
from crivo.triagem.painel import Pedida
from crivo.triagem.palavras import shown
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.avaliadores import address
from crivo.web.pages.triagem.decisoes import way_back
from crivo.web.pages.triagem.distribuicao_vista import DadasVista, LembreteVista, PessoaVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId, export_some

router = APIRouter(include_in_schema=False)
_CHOOSE: Final = "/admin/editais/{edital_id}/selecao"
_GIVE: Final = "/admin/editais/{edital_id}/distribuicao"
_REMIND: Final = "/admin/editais/{edital_id}/lembrete"
_FORM_BYTES: Final = 5_000_000  # the codes of 50,000 projects, and four letters for each of what was foreseen
_MOST_FIELDS: Final = 1_200
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT)


@dataclass(frozen=True, slots=True)
class Selecao:
    """Marked projects, what is to be done with them, for whom, and where one goes back to."""

    acao: str
    codigos: tuple[str, ...]
    pessoas: tuple[UUID, ...] = ()
    volta: str = ""
    prevista: str = ""
    escolheu: bool = field(default=False)


@router.get(_CHOOSE, response_class=Response)
async def escolher(
    request: Request,
    edital_id: EditalId,
    codigo: Annotated[list[str] | None, Query(max_length=_MOST_FIELDS)] = None,
    acao: Annotated[str, Query(max_length=20)] = "",
    sobre: Annotated[str, Query(max_length=20)] = "",
    q: Annotated[str, Query(max_length=200)] = "",
    filtro: Annotated[str, Query(max_length=40)] = "",
    com: Annotated[str, Query(max_length=40)] = "",
    volta: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """What is done with the marked projects, or with all that answer to a filter of habilitação."""
    codigos: tuple[str, ...] = tuple(codigo or ())
    if sobre == "todos":
        asked = Pedida(q=q.strip(), filtro=filtro, decisao=com)
        codigos = await state_of(request).container.painel.codigos(scope_of(request), edital_id, asked)
    return await with_selected(request, edital_id, Selecao(acao, codigos, volta=volta))


@router.post(_CHOOSE, response_class=Response)
async def escolher_muitos(request: Request, edital_id: EditalId) -> Response:
    """The same for more projects than an address holds, and for people that were chosen."""
    return await with_selected(request, edital_id, await _read(request))


@router.get(_GIVE, response_class=Response)
@router.get(_REMIND, response_class=Response)
async def voltar(edital_id: EditalId) -> Response:
    """Where what was done stands: the people who judge."""
    return RedirectResponse(address(edital_id), status_code=303)


@router.post(_GIVE, response_class=Response)
async def dar(request: Request, edital_id: EditalId) -> Response:
    """Give all that the preview said; where something changed since, nothing is, and the preview of now is shown."""
    selecao, scope = await _read(request), scope_of(request)
    told = (selecao.codigos, selecao.pessoas, selecao.prevista)
    try:
        ato = await state_of(request).container.distribuicao.dar(scope, edital_id, *told)
    except DistribuicaoMudou as error:
        nova = error.nova
        if not isinstance(nova, PreviaDeDistribuicao):
            raise
        return await _given_page(request, edital_id, selecao, nova, error)
    except CrivoError as error:
        return await _people_page(request, edital_id, selecao, _told_here(error))
    said = {"ato": str(ato.id), "ok": "distribuido"} | ({"volta": selecao.volta} if selecao.volta else {})
    return RedirectResponse(f"{address(edital_id)}?{urlencode(said)}#atos", status_code=303)


@router.post(_REMIND, response_class=Response)
async def lembrar(request: Request, edital_id: EditalId) -> Response:
    """Remind all that the preview said; where something changed since, nobody is, and the preview of now is shown."""
    selecao, scope = await _read(request), scope_of(request)
    try:
        await state_of(request).container.lembretes.lembrar(scope, edital_id, selecao.codigos, selecao.prevista)
    except DistribuicaoMudou as error:
        nova = error.nova
        if not isinstance(nova, PreviaDeLembrete):
            raise
        return await _reminder_page(request, edital_id, selecao, nova, error)
    except CrivoError as error:
        return await _nothing_page(request, edital_id, selecao, _told_here(error))
    return RedirectResponse(f"{address(edital_id)}?ok=lembrado", status_code=303)


async def with_selected(request: Request, edital_id: str, selecao: Selecao) -> Response:
    """What is asked for of these projects: a file, or what would come of it."""
    container, scope = state_of(request).container, scope_of(request)
    match selecao.acao:
        case "csv" | "xlsx":
            try:
                return await export_some(request, edital_id, "csv" if selecao.acao == "csv" else "xlsx", selecao.codigos)
            except ProjetoNotFound as error:
                return await _nothing_page(request, edital_id, selecao, error)
        case "lembrar":
            try:
                previa = await container.lembretes.prever(scope, edital_id, selecao.codigos)
            except CrivoError as error:
                return await _nothing_page(request, edital_id, selecao, _told_here(error))
            return await _reminder_page(request, edital_id, selecao, previa)
        case _:
            if not selecao.codigos:
                return await _nothing_page(request, edital_id, selecao, None)
            if not selecao.escolheu:
                return await _people_page(request, edital_id, selecao)
            try:
                given = await container.distribuicao.prever(scope, edital_id, selecao.codigos, selecao.pessoas)
            except CrivoError as error:
                return await _people_page(request, edital_id, selecao, _told_here(error))
            return await _given_page(request, edital_id, selecao, given)


async def _read(request: Request) -> Selecao:
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS, max_part_size=_FORM_BYTES) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        fields = {key: value.replace("\0", "") for key, value in form.items() if isinstance(value, str)}
        marked = [one for one in form.getlist("codigo") if isinstance(one, str)]
        people = [one for one in form.getlist("avaliador") if isinstance(one, str)]
    codigos = tuple(dict.fromkeys([*marked, *fields.get("codigos", "").split()]))
    chosen = tuple([UUID(one) for one in people if _is_id(one)])
    return Selecao(fields.get("acao", ""), codigos, chosen, fields.get("volta", ""), fields.get("prevista", ""), "escolheu" in fields)


async def _people_page(request: Request, edital_id: str, selecao: Selecao, recusa: CrivoError | None = None) -> Response:
    """To whom the projects are to be given."""
    equipe = await state_of(request).container.quem_avalia.equipe(scope_of(request), edital_id)
    people = [PessoaVista.of(one, address(edital_id), com_email=False) for one in equipe.pessoas]
    chosen = {str(one) for one in selecao.pessoas}
    return await _show(request, edital_id, selecao, "triagem/distribuir.html", recusa, pessoas=people, escolhidas=chosen, lote=None)


async def _given_page(
    request: Request, edital_id: str, selecao: Selecao, previa: PreviaDeDistribuicao, recusa: CrivoError | None = None
) -> Response:
    named = DadasVista.named(previa)
    _, cabecalhos = await state_of(request).container.painel.cabecalhos(scope_of(request), edital_id, named)
    lote = DadasVista.of(previa, cabecalhos)
    return await _show(request, edital_id, selecao, "triagem/distribuir.html", recusa, lote=lote, prevista=previa.prevista)


async def _reminder_page(
    request: Request, edital_id: str, selecao: Selecao, previa: PreviaDeLembrete, recusa: CrivoError | None = None
) -> Response:
    lote = LembreteVista.of(previa)
    return await _show(request, edital_id, selecao, "triagem/lembrar.html", recusa, lote=lote, prevista=previa.prevista)


async def _nothing_page(request: Request, edital_id: str, selecao: Selecao, recusa: CrivoError | None) -> Response:
    """Nothing was marked, or nothing of it will do: by a link that is no mistake, and told as none."""
    told = None if request.method == "GET" else recusa
    vazio = recusa.mensagem if recusa else "Marque ao menos um projeto na lista."
    return await _show(request, edital_id, selecao, "triagem/lembrar.html", told, lote=None, vazio=vazio)


async def _show(request: Request, edital_id: str, selecao: Selecao, template: str, recusa: CrivoError | None, **more: object) -> Response:
    edital, _ = await state_of(request).container.painel.cabecalhos(scope_of(request), edital_id, ())
    base = f"/admin/editais/{quote(edital_id, safe='')}"
    return page(
        request,
        template,
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital=shown(edital.nome),
        base=base,
        codigos=" ".join(selecao.codigos),
        quantos=len(set(selecao.codigos)),
        marcadas=[str(one) for one in selecao.pessoas],
        volta=way_back(edital_id, selecao.volta),
        recusa=recusa,
        **more,
    )


def _told_here(error: CrivoError) -> CrivoError:
    """The same where it is told on the page; raises it where it is not."""
    if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
        raise error
    return error


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
