"""`/api/ia/triagem/{edital_id}/resultado/versoes/{numero}/documento`: a published version as a file. Source: design, After the notas."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.publicacao.documentos.formatos import FORMATOS, FormatoDeSaida
from crivo.web.api.documenting import failures
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId
from crivo.web.triagem.saida import NumeroDaVersao, send

router = APIRouter(tags=["Triagem"])
_FILE: Final[dict[str, Any]] = {"schema": {"type": "string", "format": "binary"}}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "O arquivo. A mesma versão dá os mesmos bytes; `x-conteudo-sha256` é o resumo deles.",
        "content": {one.media_type.partition(";")[0]: {} if one.codigo == "json" else _FILE for one in FORMATOS.values()},
    }
}


@router.get(
    "/api/ia/triagem/{edital_id}/resultado/versoes/{numero}/documento",
    summary="Uma versão publicada, como arquivo",
    response_class=Response,
    responses={**_ANSWER, **failures(404, 413, 422, 503)},
)
async def documento(
    request: Request,
    edital_id: EditalId,
    numero: NumeroDaVersao,
    formato: Annotated[
        FormatoDeSaida, Query(description="pdf é PDF/A; json é o conteúdo exato de que o resumo publicado é feito.")
    ] = "json",
) -> Response:
    """Só gestão e administração; o que sai fica na auditoria. Qualquer pessoa baixa os mesmos arquivos em `/publicacoes`."""
    hold(request, state_of(request).desenhos)
    return send(await state_of(request).container.publicacoes.arquivo(scope_of(request), edital_id, numero, formato))
