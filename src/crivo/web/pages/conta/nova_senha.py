"""`/entrar/nova-senha`: a link that somebody else made leads to the choice of a password, and says whose link it was."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import Aviso, SemPermissao, SenhaFraca, Usuario, acting_usuario, has_senha, list_avisos, read_avisos, set_senha
from crivo.kernel.errors import CrivoError
from crivo.kernel.tenancy import Scope
from crivo.web.pages.conta.conta import SenhaNaoConfere, check_repeated
from crivo.web.pages.conta.entrada import entered, opened_by_password, own_address
from crivo.web.pages.formatos import instante
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.state import WebState, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/entrar/nova-senha"


@router.get(_PAGE, response_class=Response)
async def nova_senha(request: Request, volta: Annotated[str, Query(max_length=2_000)] = "") -> Response:
    """The form, and who made the link."""
    return await _shown(request, volta)


@router.post(_PAGE, response_class=Response)
async def escolher_senha(request: Request) -> Response:
    """Keep the password and go on. Whoever was signed in as this person, by whatever way, is signed out."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    now = state.container.clock.now()
    usuario, tinha, _ = await _who(state, scope)
    try:
        check_repeated(form)
        await set_senha(state.container.database, scope, now, usuario, form.get("nova", ""))
    except (SenhaNaoConfere, SenhaFraca) as error:
        return await _shown(request, form.get("volta", ""), error, 422)
    if not tinha:  # who was never here before has nobody else's traces to be told of: this page has told them
        async with state.container.database.unit_of_work(scope) as uow:
            await read_avisos(uow, now, usuario.id)
    return await entered(request, await opened_by_password(request, scope, usuario), form.get("volta"))


async def _who(state: WebState, scope: Scope) -> tuple[Usuario, bool, Aviso | None]:
    async with state.container.database.unit_of_work(scope) as uow:
        usuario = await acting_usuario(uow)
        if usuario is None:
            raise SemPermissao("Esta sessão não é de uma pessoa cadastrada, e por isso não tem senha.")
        avisos = await list_avisos(uow, usuario.id)
        return usuario, await has_senha(uow, usuario.id), next((one for one in avisos if one.acao == "link_feito"), None)


async def _shown(request: Request, volta: str, recusa: CrivoError | None = None, status: int = 200) -> Response:
    usuario, tinha, aviso = await _who(state_of(request), scope_of(request))
    return page(
        request,
        "conta/nova_senha.html",
        status,
        usuario=usuario,
        tinha_senha=tinha,
        autoria=(aviso.nome, instante(aviso.em)) if aviso else None,
        volta=own_address(volta),
        recusa=recusa,
    )
