"""`/api/politicas`: import, publish, revoke, read. Source: interfaces, HTTP."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.schemas import (
    ListaPoliticas,
    PoliticaCompleta,
    PoliticaImportada,
    PoliticaResumo,
    PreviaPublicacao,
    RelatorioImportacao,
    Revogacao,
    encode,
)
from crivo.web.body import JSON, LARGEST_DOCUMENT_BYTES, YAML, content_type, read_body
from crivo.web.parametros import refuse_unknown
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(tags=["Políticas"])
_LARGEST_REASON_BYTES: Final = 10_000
_MANTER: Final = "Deixa as versões anteriores do documento valendo ao lado desta, em vez de encerrá-las."
_JSON: Final = "application/json"
_decode_revogacao = msgspec.json.Decoder(Revogacao).decode


class RevogacaoIlegivel(CrivoError):
    """A revocation whose body states no reason that can be kept."""

    codigo: ClassVar[str] = "revogacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O motivo da revogação não pôde ser lido"


class RevogacaoSemJson(RevogacaoIlegivel):
    """A revocation whose body is no JSON."""

    codigo: ClassVar[str] = "json_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O conteúdo não é JSON"


@router.get(
    "/api/politicas",
    summary="Lista as políticas",
    response_class=Response,
    responses={**answer(ListaPoliticas, "Todas as políticas, sem as regras."), **failures(422)},
)
async def listar(request: Request) -> Response:
    """Por administradora, documento e início de vigência."""
    refuse_unknown(request)
    politicas = await state_of(request).container.politicas.listar(scope_of(request))
    return Response(encode(ListaPoliticas(tuple([PoliticaResumo.of(politica) for politica in politicas]))), media_type=_JSON)


@router.post(
    "/api/politicas",
    summary="Importa uma política",
    response_class=Response,
    responses={
        **answer(PoliticaImportada, "O mesmo documento já estava guardado: nada mudou."),
        **answer(PoliticaImportada, "Guardada.", status=201, headers={"Location": "Onde a política está."}),
        **failures(400, 409, 413, 415, 422),
    },
    openapi_extra=body("O documento em JSON ou YAML.", {"$ref": REF.format(name="Politica")}, [_JSON, "application/yaml"]),
)
async def importar(
    request: Request,
    publicar: Annotated[bool, Query(description="Publica de uma vez, em vez de guardar como rascunho.")] = False,
    manter_anterior: Annotated[bool, Query(description=_MANTER)] = False,
) -> Response:
    """Guarda o documento como rascunho. O relatório diz o que parece estranho e o que foi lido das observações."""
    media_type = content_type(request, JSON | YAML)
    formato: Literal["json", "yaml"] | None = None if not media_type else "yaml" if media_type in YAML else "json"
    hold(request, state_of(request).politicas)
    raw = await read_body(request, LARGEST_DOCUMENT_BYTES)
    importacao = await state_of(request).container.politicas.importar(
        scope_of(request), raw, formato, publicar=publicar, manter_anterior=manter_anterior
    )
    resumo = PoliticaResumo.of(importacao.politica)
    content = encode(PoliticaImportada(resumo, importacao.mudou, RelatorioImportacao.of(importacao.relatorio)))
    location = {"location": f"/api/politicas/{resumo.id}"}
    return Response(content, status_code=201 if importacao.mudou else 200, media_type=_JSON, headers=location)


@router.get(
    "/api/politicas/{politica_id}",
    summary="Uma política e o seu documento",
    response_class=Response,
    responses={**answer(PoliticaCompleta, "A política."), **failures(404)},
)
async def obter(request: Request, politica_id: UUID) -> Response:
    """O documento vem na forma canônica, a que foi guardada."""
    politica, documento = await state_of(request).container.politicas.obter(scope_of(request), politica_id)
    return Response(encode(PoliticaCompleta(PoliticaResumo.of(politica), msgspec.Raw(documento))), media_type=_JSON)


@router.get(
    "/api/politicas/{politica_id}/publicacao",
    summary="O que a publicação de um rascunho mudaria",
    response_class=Response,
    responses={**answer(PreviaPublicacao, "O que se encerra e o que muda."), **failures(404)},
)
async def previa(request: Request, politica_id: UUID) -> Response:
    """As versões que se encerram e as regras que entram, saem ou mudam. Nada é publicado."""
    found = await state_of(request).container.politicas.previa(scope_of(request), politica_id)
    return Response(encode(PreviaPublicacao.of(found)), media_type=_JSON)


@router.post(
    "/api/politicas/{politica_id}/publicar",
    summary="Publica um rascunho",
    response_class=Response,
    responses={**answer(PoliticaResumo, "A política publicada."), **failures(404, 409)},
)
async def publicar_rascunho(
    request: Request,
    politica_id: UUID,
    manter_anterior: Annotated[bool, Query(description=_MANTER)] = False,
    confirmacao: Annotated[
        str | None, Query(max_length=64, description="A marca da prévia vista: se o efeito já não for aquele, nada é publicado (409).")
    ] = None,
) -> Response:
    """Passa a valer na vigência que o documento diz e encerra as versões anteriores na véspera do seu início.

    Publicar de novo o que já está publicado não muda nada. Veja antes o que muda em `GET /api/politicas/{id}/publicacao`.
    """
    politica = await state_of(request).container.politicas.publicar(
        scope_of(request), politica_id, manter_anterior=manter_anterior, confirmacao=confirmacao
    )
    return Response(encode(PoliticaResumo.of(politica)), media_type=_JSON)


@router.post(
    "/api/politicas/{politica_id}/revogar",
    summary="Revoga uma política publicada",
    response_class=Response,
    responses={**answer(PoliticaResumo, "A política revogada."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra=body("Por que ela deixa de valer.", {"$ref": REF.format(name="Revogacao")}, [_JSON]),
)
async def revogar(request: Request, politica_id: UUID) -> Response:
    """Deixa de valer para as decisões seguintes; as já tomadas ficam como estão."""
    content_type(request, JSON)
    revogacao = _read_revogacao(await read_body(request, _LARGEST_REASON_BYTES))
    politica = await state_of(request).container.politicas.revogar(scope_of(request), politica_id, revogacao.motivo.strip())
    return Response(encode(PoliticaResumo.of(politica)), media_type=_JSON)


def _read_revogacao(raw: bytes) -> Revogacao:
    try:
        return _decode_revogacao(raw)
    except msgspec.ValidationError:
        raise RevogacaoIlegivel('Envie {"motivo": "..."}, com um texto de 3 a 500 caracteres e sem outros campos.') from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RevogacaoSemJson('O conteúdo não é um JSON válido em UTF-8. Envie {"motivo": "..."}.') from None
