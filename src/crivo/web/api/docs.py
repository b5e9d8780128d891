"""`/api/docs`: Swagger UI out of an installed package, asking no other host for anything. Source: interfaces, HTTP."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from fastapi import APIRouter
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.problems import RotaInexistente

router = APIRouter(include_in_schema=False)
_PACKAGE: Final = "fastapi_swagger.resources"
_FILES: Final[Mapping[str, str]] = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}
_SCRIPT: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@router.get("/api/docs", response_class=Response)
async def docs() -> Response:
    """The page."""
    page, policy = _page()
    return Response(page, media_type="text/html", headers={"content-security-policy": policy})


@router.get("/api/docs/{nome}", response_class=Response)
async def docs_file(request: Request, nome: str) -> Response:
    """A file of the page."""
    if nome not in _FILES:
        raise RotaInexistente("Não há nada neste endereço. A documentação está em /api/docs.")
    content = resources.files(_PACKAGE).joinpath(nome).read_bytes()
    return Response(content, media_type=_FILES[nome], headers={"cache-control": "public, max-age=86400"})


@cache
def _page() -> tuple[bytes, str]:
    """The page, and the policy that lets its one inline script run, and no other."""
    base = "/api/docs/"
    page = bytes(
        get_swagger_ui_html(
            openapi_url="/api/openapi.json",
            title="crivo · API",
            swagger_js_url=base + "swagger-ui-bundle.js",
            swagger_css_url=base + "swagger-ui.css",
            swagger_favicon_url=base + "favicon-32x32.png",
            swagger_ui_parameters={"tryItOutEnabled": True, "persistAuthorization": False, "validatorUrl": None},
        ).body
    )
    hashes = " ".join(f"'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'" for script in _SCRIPT.findall(page))
    policy = (
        f"default-src 'none'; connect-src 'self'; script-src 'self' {hashes}; style-src 'self'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy
