"""`/admin/pessoas`: who is in this tenant, what they do here, and how they get in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import (
    EmailEmUso,
    Papel,
    Usuario,
    UsuarioInvalido,
    change_email,
    create_usuario,
    deactivate_usuario,
    find_usuario,
    get_pessoa,
    has_senha,
    list_usuarios,
    may_give,
    reactivate_usuario,
    rename_usuario,
    require_may_give,
    set_papel,
)
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError
from crivo.kernel.identity import Uuid7
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import UnitOfWork
from crivo.web.pages.atores import PAPEIS_PALAVRAS
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import Coluna, Titulo, cut, heads, matches, order
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/pessoas"
_PER_PAGE: Final = 50
Escrito = Annotated[str, Query(max_length=200)]
_COLUMNS: Final[tuple[Coluna[Usuario], ...]] = (
    Coluna("nome", "Pessoa", lambda one: fold(one.nome)),
    Coluna("papel", "Papel", lambda one: PAPEIS_PALAVRAS[one.papel].nome),
    Coluna("acesso", "Acesso", lambda one: _acesso(one)),
    Coluna("desde", "Desde", lambda one: one.criado_em, desce=True),
)
_CHANGES: Final = {"tirar": deactivate_usuario, "deixar": reactivate_usuario}


@router.get("/admin/pessoas", response_class=Response)
async def pessoas(
    request: Request,
    q: Escrito = "",
    papel: Escrito = "",
    acesso: Escrito = "",
    ordem: Escrito = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Everybody of the tenant, and the form of an invitation."""
    return await _shown(request, pedida={"q": q.strip(), "papel": papel, "acesso": acesso, "ordem": ordem}, pagina=pagina)


@router.post("/admin/pessoas", response_class=Response)
async def convidar(request: Request) -> Response:
    """Add a person and show the invitation, once. Sent twice, it is one person, and the invitation is made anew."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    try:
        async with state.container.database.unit_of_work(scope) as uow:
            papel = _papel(form)
            require_may_give(uow, papel)
            usuario = await _invited(uow, form, papel) or await _added(uow, state.container.clock, form, papel)
    except (UsuarioInvalido, EmailEmUso) as error:
        return await _shown(request, recusa=error, escrito=form, status=422)
    return await _shown(request, convite=(usuario, await state.sessoes.create_link(scope, usuario.ator, "convite")))


@router.post("/admin/pessoas/{usuario_id}/papel", response_class=Response)
async def mudar_papel(request: Request, usuario_id: UUID) -> Response:
    """Give a person another role."""
    form = await read_form(request)
    state = state_of(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        usuario = await get_pessoa(uow, usuario_id)
        if (papel := _papel(form)) != usuario.papel:
            await set_papel(uow, state.container.clock.now(), usuario, papel)
    return RedirectResponse(f"{_PAGE}?ok=papel", status_code=303)


@router.post("/admin/pessoas/{usuario_id}/dados", response_class=Response)
async def mudar_dados(request: Request, usuario_id: UUID) -> Response:
    """Change a person's name and e-mail; sent twice, it is done once."""
    form = await read_form(request)
    state = state_of(request)
    em = state.container.clock.now()
    try:
        async with state.container.database.unit_of_work(scope_of(request)) as uow:
            usuario = await rename_usuario(uow, em, await get_pessoa(uow, usuario_id), form.get("nome", ""))
            if (email := form.get("email", "").strip()) != usuario.email:
                await change_email(uow, em, usuario, email)
    except (UsuarioInvalido, EmailEmUso) as error:
        return await _shown(request, recusa=error, na_lista=True, status=status_of(error))
    return RedirectResponse(f"{_PAGE}?ok=dados", status_code=303)


@router.post("/admin/pessoas/{usuario_id}/convite", response_class=Response)
async def convidar_de_novo(request: Request, usuario_id: UUID) -> Response:
    """Show another invitation to a person who is here already."""
    await read_form(request)
    state, scope = state_of(request), scope_of(request)
    async with state.container.database.unit_of_work(scope) as uow:
        usuario = await get_pessoa(uow, usuario_id)
        require_may_give(uow, usuario.papel)
    return await _shown(request, convite=(usuario, await state.sessoes.create_link(scope, usuario.ator, "convite")))


@router.post("/admin/pessoas/{usuario_id}/acesso", response_class=Response)
async def mudar_acesso(request: Request, usuario_id: UUID) -> Response:
    """Let a person in no more, or again, as the form says; sent twice, it is done once. Raises UsuarioInvalido."""
    change = _CHANGES.get((await read_form(request)).get("acesso", ""))
    if change is None:
        raise UsuarioInvalido("Volte à lista e escolha de novo o que mudar no acesso dessa pessoa.")
    state = state_of(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        await change(uow, state.container.clock.now(), await get_pessoa(uow, usuario_id))
    return RedirectResponse(f"{_PAGE}?ok=acesso", status_code=303)


def _papel(form: Mapping[str, str]) -> Papel:
    """The role that a form asks for. Raises UsuarioInvalido."""
    for papel in PAPEIS_PALAVRAS:
        if papel == form.get("papel"):
            return papel
    raise UsuarioInvalido("Escolha um dos papéis da lista.", campo="papel")


async def _invited(uow: UnitOfWork, form: Mapping[str, str], papel: Papel) -> Usuario | None:
    """Whoever was invited just so and has not come in yet. Raises EmailEmUso for anybody else who has that e-mail."""
    found = await find_usuario(uow, form.get("email", ""))
    if found is None:
        return None
    same = (found.nome, found.papel, found.desativado_em) == (form.get("nome", "").strip(), papel, None)
    if same and not await has_senha(uow, found.id):
        return found
    then = "Deixar entrar" if found.desativado_em else "Novo convite"
    raise EmailEmUso(f"Já há uma pessoa com este e-mail, na lista desta página. Para que ela entre, use “{then}” na linha dela.")


async def _added(uow: UnitOfWork, clock: Clock, form: Mapping[str, str], papel: Papel) -> Usuario:
    return await create_usuario(uow, clock.now(), Uuid7(clock).new(), form.get("nome", ""), form.get("email", ""), papel)


async def _shown(
    request: Request,
    *,
    recusa: CrivoError | None = None,
    escrito: dict[str, str] | None = None,
    convite: tuple[Usuario, str] | None = None,
    na_lista: bool = False,
    status: int = 200,
    pedida: Mapping[str, str] | None = None,
    pagina: int = 1,
) -> Response:
    state, scope = state_of(request), scope_of(request)
    async with state.container.database.unit_of_work(scope) as uow:
        people, given = await list_usuarios(uow), [papel for papel in PAPEIS_PALAVRAS if may_give(uow, papel)]
    asked = pedida or dict.fromkeys(("q", "papel", "acesso", "ordem"), "")
    wanted = [
        one
        for one in people
        if matches(asked["q"], one.nome, one.email or "") and asked["papel"] in ("", one.papel) and asked["acesso"] in ("", _acesso(one))
    ]

    def show(one: Usuario) -> tuple[Usuario, str, bool]:
        return one, PAPEIS_PALAVRAS[one.papel].nome, one.ator == scope.ator

    return page(
        request,
        "administracao/pessoas.html",
        status,
        fatia=cut(order(wanted, _COLUMNS, asked["ordem"]), show, pagina, _PER_PAGE, asked),
        titulos=(*heads(_COLUMNS, asked["ordem"], asked), Titulo("Ações")),
        pedida=asked,
        filtrada=any(valor for nome, valor in asked.items() if nome != "ordem"),
        total=len(people),
        todos_os_papeis=[(papel, visto.nome) for papel, visto in PAPEIS_PALAVRAS.items()],
        papeis=[
            (papel, f"{visto.nome}: {visto.faz[:1].lower()}{visto.faz[1:]}") for papel, visto in PAPEIS_PALAVRAS.items() if papel in given
        ],
        recusa=recusa,
        na_lista=na_lista,
        escrito=escrito or {},
        convidado=convite[0] if convite else None,
        link=f"{state.container.settings.endereco}/entrar?token={convite[1]}&volta=/conta" if convite else "",
    )


def _acesso(pessoa: Usuario) -> str:
    return "apagada" if pessoa.apagada else "nao" if pessoa.desativado_em else "sim"
