"""The browser's side of a session: a cookie that scripts cannot read and other sites cannot use."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import Sessao

_NAME: Final = "crivo_sessao"


def session_id_of(request: Request) -> str | None:
    """The session's id that the browser sent, or None."""
    return request.cookies.get(_name(request))


def set_session(request: Request, response: Response, sessao: Sessao) -> None:
    """Hand the browser a session just opened. When it ends is for the server to say: browsers go by a clock of their own."""
    secure = request.url.scheme == "https"
    response.set_cookie(_name(request), sessao.id, path="/", secure=secure, httponly=True, samesite="lax")


def clear_session(request: Request, response: Response) -> None:
    """Have the browser forget its session."""
    response.delete_cookie(_name(request), path="/", secure=request.url.scheme == "https", httponly=True, samesite="lax")


def cookie_name(request: Request, plain: str) -> str:
    """A cookie's name: over https one that browsers take only from https, for this host alone and every path; no sibling can toss it."""
    return f"__Host-{plain}" if request.url.scheme == "https" else plain


def _name(request: Request) -> str:
    return cookie_name(request, _NAME)
