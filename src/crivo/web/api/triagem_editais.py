"""`/api/editais`: editais come in whole or not at all, and are listed. Source: interfaces, HTTP; design, Shapes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Final

from fastapi import APIRouter, Query
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.chamadas.definicao import to_json
from crivo.triagem.chamadas.publicada import MOTIVO_MAXIMO
from crivo.triagem.fora import CODIGO, told
from crivo.triagem.imagens import CODIGO as IMAGENS
from crivo.triagem.impedidos import CODIGO as IMPEDIDO
from crivo.triagem.importacao import Importacao
from crivo.triagem.service import Importada
from crivo.web.api.documenting import Responses, answer, failures
from crivo.web.api.triagem_schemas import EditalDefinido, EditalImportado, ListaEditais, encode
from crivo.web.body import JSON, content_type, limited
from crivo.web.problems import Fault
from crivo.web.state import hold, pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, editais_given
from crivo.web.triagem.pacote import CONSENT_FIELD, FILE_FIELD, PACOTE_MAXIMO, YES, bring, bring_in, consents, receive, take_in

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_ZIP: Final = "application/zip"
_ACCEPTED: Final = JSON | {_ZIP, "application/x-zip-compressed", "multipart/form-data"}
_IN_MEMORY_BYTES: Final = 1_000_000
_FORM_OVERHEAD_BYTES: Final = 100_000


@router.get(
    "/api/editais", summary="Lista os editais", response_class=Response, responses=answer(ListaEditais, "Cada um com a última execução.")
)
async def listar(request: Request) -> Response:
    """O que foi importado por último vem primeiro. Um avaliador vê só os editais de que recebeu projetos."""
    found = await state_of(request).container.triagem.editais(scope_of(request))
    if not pode(request, "triagem.acompanhar"):
        given = await editais_given(request)
        found = tuple([one for one in found if one.edital_id in given])
    return Response(encode(ListaEditais(found)), media_type=_JSON)


@router.get(
    "/api/editais/{edital_id}",
    summary="Lê o que um edital pede",
    response_class=Response,
    responses={**answer(EditalDefinido, "O edital, os requisitos e os critérios, como na importação."), **failures(404)},
)
async def ler(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. É o JSON de importação sem os projetos: corrigido e enviado de novo, os projetos ficam como estão."""
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    return Response(to_json(aberta.chamada), media_type=_JSON)


def _importar_responses() -> Responses:
    return {
        **answer(EditalImportado, "Trocou o edital de mesmo código; as triagens já feitas continuam legíveis."),
        **answer(EditalImportado, "Importado.", status=201),
        **failures(400, 409, 413, 415, 422),
    }


_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": "Um .zip com `edital.json` e os documentos, até 512 MB; ou só o JSON; ou um formulário com um deles em `arquivo`.",
        "content": {
            _ZIP: {"schema": {"type": "string", "format": "binary"}},
            _JSON: {"schema": {"type": "object"}, "example": {"edital": {"id": "ED-2026-04", "nome": "Edital de exemplo"}, "projetos": []}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {FILE_FIELD: {"type": "string", "format": "binary"}, CONSENT_FIELD: {"type": "string", "enum": [YES]}},
                    "required": [FILE_FIELD],
                }
            },
        },
    }
}

_PROJETOS: Final = {
    "requestBody": {
        "required": True,
        "description": "Um .zip com um JSON dos projetos e os documentos, até 512 MB; ou só o JSON; ou um formulário com um deles.",
        "content": {
            _ZIP: {"schema": {"type": "string", "format": "binary"}},
            _JSON: {"schema": {"type": "object"}, "example": {"projetos": []}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        FILE_FIELD: {"type": "string", "format": "binary"},
                        CONSENT_FIELD: {"type": "string", "enum": [YES]},
                        "retirar": {"type": "string", "enum": [YES]},
                    },
                    "required": [FILE_FIELD],
                }
            },
        },
    }
}


@router.post(
    "/api/editais",
    summary="Importa um edital",
    status_code=201,
    response_class=Response,
    responses=_importar_responses(),
    openapi_extra=_BODY,
)
async def importar(
    request: Request,
    aceitar_apagados: bool = False,
    motivo: Annotated[str, Query(max_length=MOTIVO_MAXIMO, description="Por que mudam as regras de um resultado já publicado.")] = "",
) -> Response:
    """Só gestão e administração. Tudo ou nada: com qualquer problema, 422 com todos eles, por arquivo e campo.

    Quem vai avaliar e ainda não pode (papel, acesso, nenhuma senha) vem nos avisos, com o que fazer; e quantos documentos são imagens
    que esta instalação não lê.
    Projetos de quem pediu para ser apagado ficam de fora, com um aviso; `aceitar_apagados=true` diz que consentiram de novo.
    Sem `projetos` nem `avaliadores`, os de um edital que já existe ficam como estão. Depois que um resultado foi publicado, outra
    `classificacao` pede `motivo`, e outra semente do sorteio é recusada com 409 (`semente_publicada`).
    A forma do JSON é a que `crivo triagem esquema` imprime; a exportação do Mapas Culturais também é lida.
    """
    hold(request, state_of(request).importacoes)
    async with _sent(request) as (file, form):
        if form is None:
            importada, lida = await receive(request, file, aceitar_apagados=aceitar_apagados, motivo=motivo)
        else:
            importada, lida = await take_in(
                request, form.get(FILE_FIELD), aceitar_apagados=aceitar_apagados or consents(form), motivo=motivo
            )
    return _answer(importada, lida, 200 if importada.substituiu else 201)


@router.post(
    "/api/editais/{edital_id}/projetos",
    summary="Traz projetos para um edital que já existe",
    response_class=Response,
    responses={**answer(EditalImportado, "Os projetos estão no edital."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=_PROJETOS,
)
async def trazer(
    request: Request,
    edital_id: EditalId,
    retirar: Annotated[bool, Query(description="Saem do edital os projetos que não vierem.")] = False,
    aceitar_apagados: Annotated[bool, Query(description="Quem pediu para ser apagado consentiu de novo.")] = False,
) -> Response:
    """Só gestão e administração. O arquivo fala só de projetos, e vale o que o edital pede; o que ele disser do edital é dispensado.

    Tudo ou nada: com qualquer problema, 422 com todos eles, por arquivo e campo. Sem `retirar=true`, um arquivo sem algum dos projetos
    que já estão no edital é recusado com 409 (`projetos_sairiam`), e nada muda. Quem avalia continua com o que recebeu.
    """
    hold(request, state_of(request).importacoes)
    async with _sent(request) as (file, form):
        if form is None:
            importada, lida = await bring_in(request, edital_id, file, retirar=retirar, aceitar_apagados=aceitar_apagados)
        else:
            out, accepted = retirar or form.get("retirar") == YES, aceitar_apagados or consents(form)
            importada, lida = await bring(request, edital_id, form.get(FILE_FIELD), retirar=out, aceitar_apagados=accepted)
    return _answer(importada, lida, 200)


@asynccontextmanager
async def _sent(request: Request) -> AsyncIterator[tuple[IO[bytes], FormData | None]]:
    """The body, whole, as a file, or the form that it is in; for as long as a block lasts."""
    media_type = content_type(request, _ACCEPTED)
    with SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as received:
        if media_type == "multipart/form-data":
            async with limited(request, PACOTE_MAXIMO + _FORM_OVERHEAD_BYTES).form(max_files=1, max_fields=10) as form:
                yield received, form
            return
        async for chunk in limited(request, PACOTE_MAXIMO).stream():
            await asyncio.to_thread(received.write, chunk)
        received.seek(0)
        yield received, None


def _answer(importada: Importada, lida: Importacao, status: int) -> Response:
    left = [Fault("projetos", None, line, CODIGO) for line in told(importada.fora, importada.avaliadores_fora)]
    left += [Fault("avaliadores", None, one.dito, IMPEDIDO) for one in importada.impedidos]
    if importada.imagens is not None:
        left.append(Fault("projetos", None, importada.imagens.dito, IMAGENS))
    avisos = [Fault(one.caminho, one.linha, one.mensagem, one.codigo) for one in lida.avisos]
    return Response(encode(EditalImportado.of(importada, (*left, *avisos))), status, media_type=_JSON)
