"""A file of a result on its way out: what browsers and programs are told of it."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path
from starlette.responses import Response

from crivo.triagem.publicacao.publicacoes import Arquivo

_SANDBOX: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
NumeroDaVersao = Annotated[int, Path(ge=1, le=1_000_000, description="Qual versão publicada, contada de 1.")]


def send(arquivo: Arquivo, headers: dict[str, str] | None = None) -> Response:
    """The file as a download. `x-conteudo-sha256` is the digest of its bytes."""
    told = {
        "content-disposition": f'attachment; filename="{arquivo.nome}"',
        "content-security-policy": _SANDBOX,
        "x-conteudo-sha256": arquivo.sha256,
    }
    return Response(arquivo.content, media_type=arquivo.media_type, headers=told | (headers or {}))
