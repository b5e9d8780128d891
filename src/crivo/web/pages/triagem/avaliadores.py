"""`/admin/editais/{id}/avaliadores`: who judges an edital and how far they have come, who comes in, and what is taken from whom."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote, urlencode
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.usuarios import UsuarioInexistente, usuario_id_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.distribuicao.pessoas import LONGEST_REASON
from crivo.triagem.erros import AvaliadorNotFound
from crivo.triagem.palavras import shown
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.distribuicao_vista import AtoDadoVista, PessoaVista, ProjetoDadoVista, disponivel
from crivo.web.pages.triagem.impedimento_vista import ImpedimentoVista, PrazoVista
from crivo.web.problems import headers_of, status_of
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/avaliadores"
_TAKE: Final = f"{_PAGE}/{{avaliador_id}}/tirar"
_UNDO: Final = "/admin/editais/{edital_id}/distribuicao/atos/{ato_id}/desfazer"
_FORM_BYTES: Final = 500_000
_MOST_FIELDS: Final = 5_000
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT, Kind.FORBIDDEN)


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, pessoa: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Who judges; one of them with their projects where the address names them."""
    return await people_page(request, edital_id, _uuid(pessoa))


@router.post(_PAGE, response_class=Response)
async def incluir(request: Request, edital_id: EditalId) -> Response:
    """Have somebody judge the edital."""
    fields = await read_form(request)
    chosen = _uuid(fields.get("pessoa", ""))
    try:
        if chosen is None:
            raise AvaliadorNotFound("Escolha uma pessoa da lista.")
        await state_of(request).container.quem_avalia.incluir(scope_of(request), edital_id, chosen)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
            raise
        return await people_page(request, edital_id, None, error)
    return RedirectResponse(f"{address(edital_id)}?ok=avaliador", status_code=303)


@router.get(_TAKE, response_class=Response)
async def voltar(edital_id: EditalId, avaliador_id: UUID) -> Response:
    """The person: what is taken from them is taken by their form."""
    return RedirectResponse(f"{address(edital_id)}?pessoa={avaliador_id}", status_code=303)


@router.post(_TAKE, response_class=Response)
async def tirar(request: Request, edital_id: EditalId, avaliador_id: UUID) -> Response:
    """Take the marked projects from a person, or all, and the person out of the edital; what will not do comes back as it was written."""
    fields, codigos = await read_choices(request, "codigo", max_bytes=_FORM_BYTES, max_fields=_MOST_FIELDS)
    whole = fields.get("acao") == "sair"
    told = (None if whole else codigos, fields.get("motivo", ""), fields.get("notas", ""))
    try:
        taken = await state_of(request).container.quem_avalia.tirar(scope_of(request), edital_id, avaliador_id, *told)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
            raise
        return await people_page(request, edital_id, avaliador_id, error, fields, frozenset(codigos))
    said = {"ok": "avaliador_saiu"} if taken.saiu else {"pessoa": str(avaliador_id), "ok": "projetos_tirados"}
    return RedirectResponse(f"{address(edital_id)}?{urlencode(said)}", status_code=303)


@router.get(_UNDO, response_class=Response)
async def reabrir(edital_id: EditalId, ato_id: UUID) -> Response:
    """Where what was undone stands: the list."""
    return RedirectResponse(f"{address(edital_id)}?ato={ato_id}", status_code=303)


@router.post(_UNDO, response_class=Response)
async def desfazer(request: Request, edital_id: EditalId, ato_id: UUID) -> Response:
    """Take back what an act gave, but for what somebody wrote of already."""
    await read_form(request)
    try:
        undone = await state_of(request).container.distribuicao.desfazer(scope_of(request), edital_id, ato_id)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
            raise
        return await people_page(request, edital_id, None, error)
    said = "distribuicao_em_parte" if undone.ficaram else "distribuicao_desfeita"
    return RedirectResponse(f"{address(edital_id)}?ok={said}", status_code=303)


def address(edital_id: str) -> str:
    """Of the people who judge an edital."""
    return _PAGE.format(edital_id=quote(edital_id, safe=""))


async def people_page(
    request: Request,
    edital_id: str,
    pessoa: UUID | None,
    recusa: CrivoError | None = None,
    escrito: dict[str, str] | None = None,
    marcados: frozenset[str] = frozenset(),
) -> Response:
    """The page, with somebody open, a refusal, and what was written and marked when it came."""
    container, scope = state_of(request).container, scope_of(request)
    equipe = await container.quem_avalia.equipe(scope, edital_id)
    administers = pode(request, "pessoas.administrar")  # who else may read e-mails
    people = [PessoaVista.of(one, address(edital_id), com_email=administers) for one in equipe.pessoas]
    aberta = next((one for one in people if pessoa is not None and one.id == str(pessoa)), None)
    if pessoa is not None and aberta is None and recusa is None:
        recusa = AvaliadorNotFound("Esta pessoa não avalia este edital, ou deixou de avaliar.")
    given = await container.quem_avalia.projetos(scope, edital_id, pessoa) if aberta and pessoa else ()
    impedidos = await container.quem_nao_pode.lista(scope, edital_id)
    prazos = await container.prazos.do_edital(scope, edital_id)
    named = [*[one.codigo for one in given], *[one.projeto_id for one in impedidos.lista]]
    _, cabecalhos = await container.painel.cabecalhos(scope, edital_id, named)
    criterios = {one.id: shown(one.nome) for one in equipe.criterios}
    me, all_of_them = usuario_id_of(scope.ator), pode(request, "triagem.desfazer_de_outro")
    last = request.query_params.get("ato", "")
    if isinstance(recusa, UsuarioInexistente):
        recusa = AvaliadorNotFound("Esta pessoa não é da organização. Escolha outra da lista.")
    return page(
        request,
        "triagem/avaliadores.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital={"id": equipe.edital.id, "nome": shown(equipe.edital.nome)},
        base=f"/admin/editais/{quote(edital_id, safe='')}",
        endereco=address(edital_id),
        pessoas=people,
        aberta=aberta,
        dados=[ProjetoDadoVista.of(one, cabecalhos.get(one.codigo), marcado=one.codigo in marcados) for one in given],
        com_notas=any(one.notas for one in given),
        disponiveis=[disponivel(one, com_email=administers) for one in equipe.disponiveis],
        convida=administers,
        categorias=[(one, shown(one)) for one in equipe.categorias],
        impedimentos=[
            ImpedimentoVista.of(one, impedidos.nomes, cabecalhos.get(one.projeto_id), criterios)
            for one in impedidos.lista
            if aberta is None or str(one.avaliador) == aberta.id
        ],
        prazo=PrazoVista.of(prazos, pessoa if aberta else None),
        atos=[
            AtoDadoVista.of(one, equipe.nomes, mine=all_of_them or one.feito_por == me, last=last, sementes=equipe.sementes)
            for one in equipe.atos
        ],
        projetos=equipe.projetos,
        sem_ninguem=equipe.sem_ninguem,
        recusa=recusa,
        erros={one.caminho: one.mensagem for one in recusa.problemas} if recusa else {},
        escrito=escrito or {},
        motivo_maximo=LONGEST_REASON,
    )


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
