"""`/conta`: whose session this is, and their password."""

from __future__ import annotations

from typing import ClassVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import SemPermissao, SenhaFraca, Usuario, acting_usuario, find_by_senha, has_senha, set_senha
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope
from crivo.web.pages.formulario import read_form
from crivo.web.pages.pessoas_palavras import PAPEIS_PALAVRAS
from crivo.web.pages.rendering import page
from crivo.web.session_cookie import set_session
from crivo.web.state import WebState, scope_of, state_of

router = APIRouter(include_in_schema=False)


class SenhaNaoConfere(CrivoError):
    """The two texts of a new password differ, or the present one is not right."""

    codigo: ClassVar[str] = "senha_nao_confere"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A senha não foi mudada"


@router.get("/conta", response_class=Response)
async def conta(request: Request) -> Response:
    """The person of the session, and the form of their password."""
    usuario, tem = await _who(state_of(request), scope_of(request))
    return _shown(request, usuario, tem_senha=tem)


@router.post("/conta/senha", response_class=Response)
async def mudar_senha(request: Request) -> Response:
    """Choose a password: every other session of this person ends, and this one goes on under a new id."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    usuario, tem = await _who(state, scope)
    try:
        await _check(state, scope, usuario, form, tem_senha=tem)
        await set_senha(state.container.database, scope, state.container.clock.now(), usuario, form.get("nova", ""))
    except (SenhaNaoConfere, SenhaFraca) as error:
        return _shown(request, usuario, tem_senha=tem, recusa=error, status=422)
    response = RedirectResponse("/conta?ok=senha", status_code=303)
    set_session(request, response, await state.sessoes.open(scope))
    return response


async def _check(state: WebState, scope: Scope, usuario: Usuario, form: dict[str, str], *, tem_senha: bool) -> None:
    if form.get("nova") != form.get("repetida"):
        raise SenhaNaoConfere("As duas senhas novas são diferentes. Escreva a mesma nos dois campos.")
    if tem_senha:
        await state.entradas.hit(scope.tenant_id, usuario.email, str(usuario.id))
        if await find_by_senha(state.container.database, scope, usuario.email, form.get("atual", "")) is None:
            raise SenhaNaoConfere("A senha atual não confere. Escreva a que você usa hoje.")


async def _who(state: WebState, scope: Scope) -> tuple[Usuario, bool]:
    async with state.container.database.unit_of_work(scope) as uow:
        usuario = await acting_usuario(uow)
        if usuario is None:
            raise SemPermissao("Esta sessão não é de uma pessoa cadastrada, e por isso não tem conta.")
        return usuario, await has_senha(uow, usuario.id)


def _shown(request: Request, usuario: Usuario, *, tem_senha: bool, recusa: CrivoError | None = None, status: int = 200) -> Response:
    papel = PAPEIS_PALAVRAS[usuario.papel]
    return page(request, "conta.html", status, usuario=usuario, papel=papel, tem_senha=tem_senha, recusa=recusa)
