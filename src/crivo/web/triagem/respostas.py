"""The files and words of an answer to a diligência, out of a form of several parts, within bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from starlette.datastructures import UploadFile
from starlette.requests import Request

from crivo.triagem.diligencias.guardadas import Arquivo, Pedido
from crivo.triagem.diligencias.recebimento import ARQUIVO_MAXIMO, ENVIO_MAXIMO
from crivo.web.body import limited
from crivo.web.pages import csrf

_OVERHEAD_BYTES: Final = 200_000
_MOST_PARTS: Final = 100  # beyond what an answer may have, so that whoever sends more is told so
FIELD: Final = "arquivo-"
OUTROS: Final = "outros"


async def read_resposta(request: Request, pedidos: Sequence[Pedido]) -> tuple[Mapping[str, str], tuple[Arquivo, ...]]:
    """The fields, and the files in the order of what was asked. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, ENVIO_MAXIMO + _OVERHEAD_BYTES).form(max_files=_MOST_PARTS, max_fields=40) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        fields = {name: value.replace("\0", "") for name, value in form.items() if isinstance(value, str)}
        files = []
        for name, value in form.multi_items():
            if isinstance(value, UploadFile) and name.startswith(FIELD) and value.filename:
                of = _requisito(name.removeprefix(FIELD), pedidos)
                files.append(Arquivo(of, value.filename, await value.read(ARQUIVO_MAXIMO + 1)))
        return fields, tuple(files)


def _requisito(which: str, pedidos: Sequence[Pedido]) -> str | None:
    """By its place among what was asked; whatever else is for none in particular."""
    at = int(which) if which.isascii() and which.isdigit() and len(which) < 4 else -1
    return pedidos[at].requisito if 0 <= at < len(pedidos) else None
