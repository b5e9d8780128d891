"""`/conta`: whose session this is, their password, what others did to their access, and where else they are signed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import (
    Aviso,
    Chave,
    SemPermissao,
    SenhaFraca,
    SessaoAberta,
    Usuario,
    UsuarioInvalido,
    acting_usuario,
    bound_accounts,
    end_others,
    end_own_chave,
    end_sessao,
    find_by_senha,
    has_segundo_fator,
    has_senha,
    list_avisos,
    list_own_chaves,
    list_sessoes,
    read_avisos,
    rename_own,
    set_senha,
)
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.web.pages.atores import ESCOPOS_PALAVRAS, PAPEIS_PALAVRAS, aviso_em_palavras
from crivo.web.pages.conta.navegadores import onde_of
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.session_cookie import session_id_of, set_session
from crivo.web.state import WebState, scope_of, state_of

router = APIRouter(include_in_schema=False)


class SenhaNaoConfere(CrivoError):
    """The two texts of a new password differ, or the present one is not right."""

    codigo: ClassVar[str] = "senha_nao_confere"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A senha não foi mudada"


@dataclass(frozen=True, slots=True)
class Conta:
    """What the page shows of a person."""

    usuario: Usuario
    tem_senha: bool
    tem_segundo_fator: bool
    vinculada: bool  # to the CPF of a document, where the name stood too
    avisos: Sequence[Aviso]
    sessoes: Sequence[SessaoAberta]
    chaves: Sequence[Chave]


@router.get("/conta", response_class=Response)
async def conta(request: Request) -> Response:
    """The person of the session, the form of their password, and where they are signed in."""
    return _shown(request, await _who(request))


@router.post("/conta/avisos", response_class=Response)
async def avisos_lidos(request: Request) -> Response:
    """Note that what others did to one's access has been read; it stays in the list."""
    await read_form(request)
    state, scope = state_of(request), scope_of(request)
    async with state.container.database.unit_of_work(scope) as uow:
        await read_avisos(uow, state.container.clock.now(), (await _acting(uow)).id)
    return RedirectResponse("/conta?ok=alterado", status_code=303)


@router.post("/conta/sessoes/encerrar", response_class=Response)
async def encerrar_sessoes(request: Request) -> Response:
    """End one of one's own sessions, or all but this one; sent twice, it is done once."""
    form = await read_form(request)
    state = state_of(request)
    now = state.container.clock.now()
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        if numero := form.get("numero"):
            await end_sessao(uow, now, numero)
        else:
            await end_others(uow, now, session_id_of(request) or "")
    return RedirectResponse("/conta?ok=sessoes", status_code=303)


@router.post("/conta/chaves/encerrar", response_class=Response)
async def encerrar_chave(request: Request) -> Response:
    """End a key that acts for oneself; sent twice, it is done once."""
    form, state = await read_form(request), state_of(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        await end_own_chave(uow, state.container.clock.now(), form.get("chave", ""))
    return RedirectResponse("/conta?ok=revogada", status_code=303)


@router.post("/conta/senha", response_class=Response)
async def mudar_senha(request: Request) -> Response:
    """Choose a password: every other session of this person ends, and this one goes on under a new id."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    quem = await _who(request)
    try:
        await _check(state, scope, quem.usuario, form, tem_senha=quem.tem_senha)
        await set_senha(state.container.database, scope, state.container.clock.now(), quem.usuario, form.get("nova", ""))
    except (SenhaNaoConfere, SenhaFraca) as error:
        return _shown(request, quem, recusa=error, status=422)
    response = RedirectResponse("/conta?ok=senha", status_code=303)
    set_session(request, response, await state.sessoes.open(scope, onde_of(request)))
    return response


@router.post("/conta/nome", response_class=Response)
async def mudar_nome(request: Request) -> Response:
    """Change one's own name; sent twice, it is done once."""
    form, state = await read_form(request), state_of(request)
    try:
        async with state.container.database.unit_of_work(scope_of(request)) as uow:
            await rename_own(uow, state.container.clock.now(), await _acting(uow), form.get("nome", ""))
    except UsuarioInvalido as error:
        return _shown(request, await _who(request), recusa_do_nome=error, status=422)
    return RedirectResponse("/conta?ok=nome", status_code=303)


def check_repeated(form: dict[str, str]) -> None:
    """Raises SenhaNaoConfere unless the two texts of a new password are one."""
    if form.get("nova") != form.get("repetida"):
        raise SenhaNaoConfere("As duas senhas novas são diferentes. Escreva a mesma nos dois campos.", campo="repetida")


async def _check(state: WebState, scope: Scope, usuario: Usuario, form: dict[str, str], *, tem_senha: bool) -> None:
    check_repeated(form)
    if tem_senha:
        await state.entradas.hit(scope.tenant_id, usuario.email, str(usuario.id))
        if await find_by_senha(state.container.database, scope, usuario.email, form.get("atual", "")) is None:
            raise SenhaNaoConfere("A senha atual não confere. Escreva a que você usa hoje.", campo="atual")


async def _who(request: Request) -> Conta:
    state = state_of(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        usuario = await _acting(uow)
        now = state.container.clock.now()
        sessoes, chaves = await list_sessoes(uow, now, session_id_of(request) or ""), await list_own_chaves(uow, now)
        tem_senha, tem_segundo_fator = await has_senha(uow, usuario.id), await has_segundo_fator(uow, usuario.id)
        vinculada = usuario.is_patient and usuario.id in await bound_accounts(uow)
        return Conta(
            usuario=usuario,
            tem_senha=tem_senha,
            tem_segundo_fator=tem_segundo_fator,
            vinculada=vinculada,
            avisos=await list_avisos(uow, usuario.id),
            sessoes=sessoes,
            chaves=chaves,
        )


async def _acting(uow: UnitOfWork) -> Usuario:
    usuario = await acting_usuario(uow)
    if usuario is None:
        raise SemPermissao("Esta sessão não é de uma pessoa cadastrada, e por isso não tem conta.")
    return usuario


def _shown(
    request: Request, quem: Conta, *, recusa: CrivoError | None = None, recusa_do_nome: CrivoError | None = None, status: int = 200
) -> Response:
    return page(
        request,
        "conta/conta.html",
        status,
        usuario=quem.usuario,
        papel_visto=PAPEIS_PALAVRAS[quem.usuario.papel],
        tem_senha=quem.tem_senha,
        tem_segundo_fator=quem.tem_segundo_fator,
        avisos=[(aviso_em_palavras(one), one.lido) for one in quem.avisos],
        sessoes=quem.sessoes,
        chaves=[(one, [ESCOPOS_PALAVRAS[escopo] for escopo in sorted(one.escopos)]) for one in quem.chaves],
        vinculada=quem.vinculada,
        recusa=recusa,
        recusa_do_nome=recusa_do_nome,
    )
