"""`/api/mapeamentos`: their own format in — import, try on a sample, publish, close, read. Source: design, "Their own format in"."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.mapeamento.documento import to_document
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.mapeamentos_schemas import (
    EncerramentoDeMapeamento,
    ListaMapeamentos,
    MapeamentoCompleto,
    MapeamentoImportado,
    MapeamentoResumo,
    PreviaMapeamento,
    ProvaDeMapeamento,
    TesteDeMapeamento,
)
from crivo.web.api.schemas import encode
from crivo.web.body import JSON, YAML, content_type, read_body, read_json
from crivo.web.parametros import refuse_unknown
from crivo.web.problems import Fault
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Mapeamentos"])
_JSON: Final = "application/json"
_LARGEST: Final = 2_000_000
_LARGEST_DOCUMENT: Final = 1_000_000
_LARGEST_REASON: Final = 10_000
_decode_teste = msgspec.json.Decoder(TesteDeMapeamento)
_decode_encerramento = msgspec.json.Decoder(EncerramentoDeMapeamento)
_DOCUMENTO: Final = {
    "type": "object",
    "description": "O documento; o JSON Schema é o de `crivo autorizacoes mapeamento esquema`.",
    "additionalProperties": True,
}


@router.get(
    "/api/mapeamentos",
    summary="Lista os mapeamentos",
    response_class=Response,
    responses={**answer(ListaMapeamentos, "Todos, sem os documentos."), **failures(422)},
)
async def listar(request: Request) -> Response:
    """Por nome, da versão mais nova à mais antiga."""
    refuse_unknown(request)
    found = await state_of(request).container.formatos.listar(scope_of(request))
    return Response(encode(ListaMapeamentos(tuple([MapeamentoResumo.of(one) for one in found]))), media_type=_JSON)


@router.post(
    "/api/mapeamentos",
    summary="Importa um mapeamento",
    response_class=Response,
    responses={
        **answer(MapeamentoImportado, "O mesmo documento já estava guardado: nada mudou."),
        **answer(MapeamentoImportado, "Guardado como rascunho.", status=201, headers={"Location": "Onde o mapeamento está."}),
        **failures(400, 409, 413, 415, 422),
    },
    openapi_extra=body("O documento em JSON ou YAML.", _DOCUMENTO, [_JSON, "application/yaml"]),
)
async def importar(request: Request) -> Response:
    """Guarda o documento como o rascunho do seu nome; publicá-lo é outro passo."""
    media_type = content_type(request, JSON | YAML)
    formato: Literal["json", "yaml"] | None = None if not media_type else "yaml" if media_type in YAML else "json"
    raw = await read_body(request, _LARGEST_DOCUMENT)
    importacao = await state_of(request).container.formatos.importar(scope_of(request), raw, formato)
    resumo = MapeamentoResumo.of(importacao.formato)
    avisos = tuple([Fault(p.caminho, p.linha, p.mensagem, p.codigo) for p in importacao.avisos])
    content = encode(MapeamentoImportado(resumo, importacao.mudou, avisos))
    location = {"location": f"/api/mapeamentos/{resumo.id}"}
    return Response(content, status_code=201 if importacao.mudou else 200, media_type=_JSON, headers=location)


@router.post(
    "/api/mapeamentos/testar",
    summary="Testa um mapeamento num pedido, sem guardar nada",
    response_class=Response,
    responses={**answer(ProvaDeMapeamento, "O que foi lido, de onde, e o que sobrou."), **failures(400, 413, 415, 422)},
    openapi_extra=body("O mapeamento e o pedido.", {"$ref": REF.format(name="TesteDeMapeamento")}, [_JSON]),
)
async def testar(request: Request) -> Response:
    """O mapeamento e o pedido vêm como objetos, ou como o texto do arquivo: YAML de um, XML ou CSV do outro."""
    certo = 'Envie {"mapeamento": {...}, "pedido": {...}}, cada um como objeto ou como o texto do arquivo.'
    teste = await read_json(request, _decode_teste, _LARGEST, certo)
    feito = await state_of(request).container.formatos.testar(scope_of(request), _bytes_of(teste.mapeamento), _bytes_of(teste.pedido))
    return Response(encode(feito.prova.as_json(decidida=True)), media_type=_JSON)


@router.get(
    "/api/mapeamentos/{mapeamento_id}",
    summary="Um mapeamento e o seu documento",
    response_class=Response,
    responses={**answer(MapeamentoCompleto, "O mapeamento."), **failures(404)},
)
async def obter(request: Request, mapeamento_id: UUID) -> Response:
    """O documento vem na forma canônica, a que foi guardada."""
    formato, documento = await state_of(request).container.formatos.obter(scope_of(request), mapeamento_id)
    return Response(encode(MapeamentoCompleto(MapeamentoResumo.of(formato), msgspec.Raw(to_document(documento)))), media_type=_JSON)


@router.get(
    "/api/mapeamentos/{mapeamento_id}/publicacao",
    summary="O que a publicação de um rascunho mudaria",
    response_class=Response,
    responses={**answer(PreviaMapeamento, "O que se encerra e o que muda."), **failures(404)},
)
async def previa(request: Request, mapeamento_id: UUID) -> Response:
    """A versão que se encerra, o que muda dela, e que outros mapeamentos reconhecem o mesmo. Nada é publicado."""
    found = await state_of(request).container.formatos.previa(scope_of(request), mapeamento_id)
    return Response(encode(PreviaMapeamento.of(found)), media_type=_JSON)


@router.post(
    "/api/mapeamentos/{mapeamento_id}/publicar",
    summary="Publica um rascunho",
    response_class=Response,
    responses={**answer(MapeamentoResumo, "O mapeamento publicado."), **failures(404, 409)},
)
async def publicar(
    request: Request,
    mapeamento_id: UUID,
    confirmacao: Annotated[
        str | None, Query(max_length=64, description="A marca da prévia vista: se o efeito já não for aquele, nada é publicado (409).")
    ] = None,
) -> Response:
    """O que ele reconhece passa a ser lido por ele, e a versão anterior do mesmo nome se encerra."""
    formato = await state_of(request).container.formatos.publicar(scope_of(request), mapeamento_id, confirmacao)
    return Response(encode(MapeamentoResumo.of(formato)), media_type=_JSON)


@router.post(
    "/api/mapeamentos/{mapeamento_id}/encerrar",
    summary="Encerra um mapeamento publicado",
    response_class=Response,
    responses={**answer(MapeamentoResumo, "O mapeamento encerrado."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("Por que ele deixa de valer.", {"$ref": REF.format(name="EncerramentoDeMapeamento")}, [_JSON]),
)
async def encerrar(request: Request, mapeamento_id: UUID) -> Response:
    """Deixa de ler o que chega; o que já leu fica como está."""
    certo = 'Envie {"motivo": "..."}, com um texto de 3 a 500 caracteres e sem outros campos.'
    motivo = (await read_json(request, _decode_encerramento, _LARGEST_REASON, certo)).motivo.strip()
    formato = await state_of(request).container.formatos.encerrar(scope_of(request), mapeamento_id, motivo)
    return Response(encode(MapeamentoResumo.of(formato)), media_type=_JSON)


def _bytes_of(sent: Any) -> bytes:
    return sent.encode() if isinstance(sent, str) else msgspec.json.encode(sent)
