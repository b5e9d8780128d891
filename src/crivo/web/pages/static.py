"""The few files that pages refer to, read once; a file's address holds its digest, so that browsers may keep it for ever.

The style of every page is written in several files and served as one, `crivo.css`.
"""

from __future__ import annotations

import gzip
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
# In the order in which the layers are declared; the first one declares them all.
_ESTILO: Final = ("tokens.css", "base.css", "casca.css", "formularios.css", "blocos.css", "fluxos.css", "paginas.css")
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=300"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    packed: bytes
    media_type: str
    digest: str


@cache
def _files() -> Mapping[str, _File]:
    folder = resources.files("crivo.web").joinpath("static")
    estilo = b"".join([folder.joinpath("estilo", name).read_bytes() for name in _ESTILO])
    contents = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()} | {"crivo.css": estilo}
    return {
        name: _File(content, gzip.compress(content, mtime=0), media_type, hashlib.sha256(content).hexdigest()[:16])
        for name, content in contents.items()
        if (media_type := _TYPES.get(name[name.rfind(".") :])) is not None
    }


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
    headers = {"cache-control": cache_control, "vary": "accept-encoding"}
    # Nothing in these files is secret, so that packing them tells nobody anything.
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.media_type, headers=headers | {"content-encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=headers)
