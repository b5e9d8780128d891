"""The form of a pedido between its pages: what was sent is kept by the browser, sealed, and the page that shows it is one that is opened.

So the way back never asks for a form to be sent again. Nothing that was typed is in an address, and nothing of it is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.formulario.preenchido import Preenchido
from crivo.autorizacoes.formulario.rascunho import Rascunho
from crivo.autorizacoes.formulario.servico import DocumentoNaoReconhecido, FormularioIncompleto, NumeroJaUsado
from crivo.kernel.errors import CrivoError
from crivo.web.pages.autorizacoes.novo_erros import ConfiraARegra
from crivo.web.session_cookie import cookie_name, session_id_of
from crivo.web.state import scope_of, state_of

PAGE: Final = "/autorizacoes/novo"
_COOKIE: Final = "crivo_pedido"
_SECONDS: Final = 7_200  # as long as a session lasts without a request
_CHAVE: Final = re.compile(r"[0-9a-f]{32}")
_NOT_KEPT: Final = frozenset({"csrf", "vista", "procurado", "chave"})
_TOLD_AGAIN: Final = (FormularioIncompleto, ConfiraARegra, NumeroJaUsado, DocumentoNaoReconhecido)


async def kept(request: Request, chave: str) -> Rascunho | None:
    """The form `chave` as the browser keeps it; None where it keeps another, or none."""
    guardado, sessao = request.cookies.get(cookie_name(request, _COOKIE), ""), session_id_of(request)
    if not guardado or not sessao:
        return None
    rascunho = await state_of(request).container.pedidos_a_mao.lembrar(scope_of(request), sessao, guardado)
    return rascunho if rascunho is not None and rascunho.chave == chave else None


async def turned(request: Request, preenchido: Preenchido, recusa: CrivoError | None) -> Response | None:
    """The way to the page that shows this form; None where it cannot be kept, and is to be shown at once."""
    chave = preenchido.of("chave")
    if recusa is not None and not isinstance(recusa, _TOLD_AGAIN):
        return None
    campos = {nome: valor for nome, valor in preenchido.campos.items() if valor and nome not in _NOT_KEPT}
    faltas = recusa.faltas if isinstance(recusa, FormularioIncompleto) else {}
    told = (recusa.codigo, recusa.mensagem) if recusa is not None else ("", "")
    answer = RedirectResponse(f"{PAGE}?f={chave}", status_code=303)
    return answer if await _keep(request, answer, Rascunho(chave, campos, preenchido.documentos, *told, faltas)) else None


async def decided(request: Request, chave: str, autorizacao_id: UUID) -> Response:
    """The way to the decision; whoever goes back from there finds the form of the pedido that was sent."""
    answer = RedirectResponse(f"/autorizacoes/{autorizacao_id}", status_code=303)
    await _keep(request, answer, Rascunho(chave, enviada=autorizacao_id))
    return answer


def recusa_of(rascunho: Rascunho) -> CrivoError | None:
    """Why the form was refused, as it was told."""
    match rascunho.recusa:
        case "":
            return None
        case FormularioIncompleto.codigo:
            return FormularioIncompleto(rascunho.faltas)
        case NumeroJaUsado.codigo:
            return NumeroJaUsado()
        case DocumentoNaoReconhecido.codigo:
            return DocumentoNaoReconhecido(rascunho.mensagem)
        case _:
            return ConfiraARegra(rascunho.mensagem)


def filled(rascunho: Rascunho) -> Preenchido:
    """What was typed, with the form that it was typed into."""
    campos: Mapping[str, str] = {**rascunho.campos, "chave": rascunho.chave}
    return Preenchido(campos, rascunho.documentos)


async def _keep(request: Request, answer: Response, rascunho: Rascunho) -> bool:
    sessao = session_id_of(request)
    if not sessao or not _CHAVE.fullmatch(rascunho.chave):
        return False
    guardado = await state_of(request).container.pedidos_a_mao.guardar(scope_of(request), sessao, rascunho)
    if guardado is None:
        return False
    secure = request.url.scheme == "https"
    answer.set_cookie(cookie_name(request, _COOKIE), guardado, _SECONDS, path="/", secure=secure, httponly=True, samesite="lax")
    return True
