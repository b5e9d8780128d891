"""What to begin with: a small edital, a pedido and a política that are made up, to be downloaded, looked into and sent."""

from __future__ import annotations

import asyncio
import io
import tempfile
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes import amostra as amostra_de_autorizacoes
from crivo.triagem import amostra as amostra_de_triagem

router = APIRouter(include_in_schema=False)
_PROJETOS: Final = 4
_EDITAL: Final[Mapping[str, Any]] = {"id": "EXEMPLO-1", "nome": "Edital de exemplo"}  # never the code of an edital that somebody has


@router.get("/admin/editais/exemplo", response_class=Response)
async def edital(request: Request) -> Response:
    """An edital with four projects and their documents, as it is imported."""
    return _file(await asyncio.to_thread(_packed), "edital-de-exemplo.zip", "application/zip")


@router.get("/autorizacoes/exemplo", response_class=Response)
async def pedido(request: Request) -> Response:
    """A pedido as it is sent."""
    found = amostra_de_autorizacoes.pedidos()[0]
    return _file(found.conteudo, "pedido-de-exemplo.json", "application/json")


@router.get("/politicas/exemplo", response_class=Response)
async def politica(request: Request) -> Response:
    """A política as it is imported."""
    found = amostra_de_autorizacoes.politicas()[0]
    return _file(found.conteudo, f"politica-de-exemplo{Path(found.nome).suffix}", "application/octet-stream")


@cache
def _packed() -> bytes:
    """The edital's folder, packed; made once in a server."""
    with tempfile.TemporaryDirectory() as folder:
        amostra_de_triagem.write_sample(Path(folder), _PROJETOS, **_EDITAL)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    into.write(path, path.relative_to(folder))
    return packed.getvalue()


def _file(content: bytes, name: str, media_type: str) -> Response:
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
