"""The few files that pages refer to, read once; a file's address holds its digest, so that browsers may keep it for ever."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.web.problems import RotaInexistente

router = APIRouter(include_in_schema=False)
_TYPES: Final[Mapping[str, str]] = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=300"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media_type: str
    digest: str


@cache
def _files() -> Mapping[str, _File]:
    files = {}
    for entry in resources.files("crivo.web").joinpath("static").iterdir():
        media_type = _TYPES.get(entry.name[entry.name.rfind(".") :])
        if media_type is not None:
            content = entry.read_bytes()
            files[entry.name] = _File(content, media_type, hashlib.sha256(content).hexdigest()[:16])
    return files


def address_of(name: str) -> str:
    """Where a static file is served; raises KeyError where there is none."""
    return f"/static/{name}?v={_files()[name].digest}"


@router.get("/static/{nome}", response_class=Response)
async def static(request: Request, nome: str) -> Response:
    """A static file; the address with its digest may be kept for ever."""
    found = _files().get(nome)
    if found is None:
        raise RotaInexistente("Não há nada neste endereço.")
    cache_control = _FOR_EVER if request.query_params.get("v") == found.digest else _BRIEFLY
    return Response(found.content, media_type=found.media_type, headers={"cache-control": cache_control})
