"""`/clinicas/contas`: the reception binds a patient's account to a CPF once it saw a document. Source: design/sujeito.md."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import (
    ContaJaVinculada,
    CpfEmUso,
    CpfInvalido,
    EmailEmUso,
    SemPermissao,
    Usuario,
    UsuarioInexistente,
    UsuarioInvalido,
    bind_cpf,
    create_usuario,
    get_paciente,
    read_documento,
)
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo.identidade import IdentidadeInvalida
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_DOCUMENTOS: Final = (
    ("rg", "RG ou CIN"),
    ("cnh", "CNH"),
    ("passaporte", "Passaporte"),
    ("ctps", "Carteira de trabalho"),
    ("outro", "Outro documento com foto"),
)


class DocumentoNaoVisto(CrivoError):
    """Nobody said that a document was seen."""

    codigo = "documento_nao_visto"
    kind = Kind.INVALID
    titulo = "Falta conferir o documento"
    campo = "visto"


_NOT_AGAIN: Final = (UsuarioInexistente, IdentidadeInvalida, DocumentoNaoVisto, SemPermissao)
_REFUSED: Final = (UsuarioInvalido, EmailEmUso, CpfInvalido, CpfEmUso, ContaJaVinculada, DocumentoNaoVisto)


@router.get("/clinicas/contas", response_class=Response)
async def contas(request: Request) -> Response:
    """The form of an invitation."""
    return _shown(request)


@router.post("/clinicas/contas", response_class=Response)
async def convidar(request: Request) -> Response:
    """Add the patient's account, bound to the CPF of the document that was seen, and show the invitation once."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    clock = state.container.clock
    try:
        _check_seen(form)
        async with state.container.database.unit_of_work(scope) as uow:
            em, novo = clock.now(), Uuid7(clock).new()
            usuario = await create_usuario(uow, em, novo, form.get("nome", ""), form.get("email", ""), "paciente")
            documento = read_documento(form.get("documento", ""))
            await bind_cpf(uow, em, usuario, form.get("cpf", ""), documento)
    except _REFUSED as error:
        return _shown(request, error, form)
    return await _invited(request, usuario)


@router.post("/clinicas/contas/convite", response_class=Response)
async def convidar_de_novo(request: Request) -> Response:
    """Show another invitation to a patient who has not come in yet; the one before is over."""
    form = await read_form(request)
    try:
        _check_seen(form)
        async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
            usuario = await get_paciente(uow, form.get("quem", ""))
        return await _invited(request, usuario)
    except _NOT_AGAIN as error:
        return _shown(request, error, form, de_novo=True)


def _check_seen(form: dict[str, str]) -> None:
    if form.get("visto") != "sim":
        raise DocumentoNaoVisto("Confira o documento com foto de quem está com você, e marque que o conferiu.")


async def _invited(request: Request, usuario: Usuario) -> Response:
    state = state_of(request)
    link = await state.sessoes.invite_patient(scope_of(request), usuario)
    return _shown(request, convidado=usuario, link=f"{state.container.settings.endereco}/entrar?token={link}&volta=/conta")


def _shown(
    request: Request,
    recusa: CrivoError | None = None,
    escrito: dict[str, str] | None = None,
    convidado: Usuario | None = None,
    link: str = "",
    *,
    de_novo: bool = False,
) -> Response:
    """The page; `de_novo`: what was refused and written is of the second form."""
    values: dict[str, Any] = {"recusa": recusa, "escrito": escrito or {}, "convidado": convidado, "link": link, "documentos": _DOCUMENTOS}
    return page(request, "clinicas/contas.html", status_of(recusa) if recusa else 200, **values, de_novo=de_novo)
