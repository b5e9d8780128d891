"""That a form was sent from our own page, by the person whose session it is."""

from __future__ import annotations

import hashlib
import hmac
from typing import ClassVar, Final
from urllib.parse import urlsplit

from starlette.requests import Request

from crivo.kernel.errors import CrivoError, Kind
from crivo.web.session_cookie import session_id_of
from crivo.web.state import state_of

FIELD: Final = "csrf"
_PURPOSE: Final = b"crivo.csrf.1"


class FormularioDeFora(CrivoError):
    """A form that another site sent, or one that was opened in another session."""

    codigo: ClassVar[str] = "formulario_de_fora"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "O envio não foi aceito"


def token_of(request: Request) -> str:
    """The token that this session's forms carry; without the session's id nobody can make it."""
    return hmac.new((session_id_of(request) or "").encode(), _PURPOSE, hashlib.sha256).hexdigest()


def check_origin(request: Request) -> None:
    """Raises FormularioDeFora where the browser says that another site is asking. A program that says nothing passes."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise _from_elsewhere()
    origin = request.headers.get("origin")
    own = (request.headers.get("host"), urlsplit(state_of(request).container.settings.endereco).netloc)
    if origin is not None and urlsplit(origin).netloc not in own:
        raise _from_elsewhere()


def check_token(request: Request, token: object) -> None:
    """Raises FormularioDeFora unless the form carries the session's own token."""
    if not isinstance(token, str) or not hmac.compare_digest(token.encode("utf-8", "replace"), token_of(request).encode()):
        raise _from_elsewhere()


def _from_elsewhere() -> FormularioDeFora:
    return FormularioDeFora("Por segurança, este envio não foi aceito. Abra a página de novo e repita o envio a partir dela.")
