"""`/api/politicas`: import, publish, revoke, read. Source: interfaces, HTTP."""

from __future__ import annotations

from datetime import date
from itertools import chain
from typing import Annotated, ClassVar, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.lote import LineReader
from crivo.autorizacoes.simulacao.resultado import Recorte, value_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.api.autorizacoes import PEDIDO_SCHEMA
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.schemas import (
    ListaPoliticas,
    PoliticaCompleta,
    PoliticaImportada,
    PoliticaResumo,
    PreviaPublicacao,
    Publicacao,
    RelatorioImportacao,
    Revogacao,
    SimulacaoPolitica,
    encode,
)
from crivo.web.body import CSV, JSON, LARGEST_DOCUMENT_BYTES, NDJSON, YAML, content_type, read_body
from crivo.web.parametros import refuse_unknown
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(tags=["Políticas"])
_LARGEST_REASON_BYTES: Final = 10_000
_MANTER: Final = "Deixa as versões anteriores do documento valendo ao lado desta, em vez de encerrá-las."
_JSON: Final = "application/json"
_decode_publicacao = msgspec.json.Decoder(Publicacao).decode
_decode_revogacao = msgspec.json.Decoder(Revogacao).decode


class RevogacaoIlegivel(CrivoError):
    """A revocation whose body states no reason that can be kept."""

    codigo: ClassVar[str] = "revogacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O motivo da revogação não pôde ser lido"


class PublicacaoIlegivel(CrivoError):
    """A publication whose body states no reason that can be kept."""

    codigo: ClassVar[str] = "publicacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O motivo da publicação não pôde ser lido"


class PublicacaoSemJson(PublicacaoIlegivel):
    """A publication whose body is no JSON."""

    codigo: ClassVar[str] = "json_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O conteúdo não é JSON"


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
    """As versões que se encerram, as regras que entram, saem ou mudam, e o que impede a publicação sem um motivo. Nada é publicado."""
    politicas, scope = state_of(request).container.politicas, scope_of(request)
    found = await politicas.previa(scope, politica_id)
    return Response(encode(PreviaPublicacao.of(found, await politicas.impedimentos(scope, politica_id))), media_type=_JSON)


@router.post(
    "/api/politicas/{politica_id}/publicar",
    summary="Publica um rascunho",
    response_class=Response,
    responses={**answer(PoliticaResumo, "A política publicada."), **failures(400, 404, 409, 413, 415, 422)},
    openapi_extra={
        "requestBody": {
            "required": False,
            "description": "Só onde há erros ou casos de teste que falham: por que publicar assim.",
            "content": {_JSON: {"schema": {"$ref": REF.format(name="Publicacao")}}},
        }
    },
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
    Com erros na conferência ou casos de teste que falham, nada é publicado (409 `publicacao_impedida`) sem o motivo.
    """
    raw = await read_body(request, _LARGEST_REASON_BYTES)
    motivo = _read_motivo(request, raw) if raw else None
    politica = await state_of(request).container.politicas.publicar(
        scope_of(request), politica_id, manter_anterior=manter_anterior, confirmacao=confirmacao, motivo=motivo
    )
    return Response(encode(PoliticaResumo.of(politica)), media_type=_JSON)


@router.post(
    "/api/politicas/{politica_id}/simular",
    summary="Simula uma política sobre pedidos já decididos",
    response_class=Response,
    responses={**answer(SimulacaoPolitica, "O que mudaria."), **failures(404, 409, 413, 415, 422)},
    openapi_extra=body(
        "Pedidos em NDJSON, ou um CSV que um mapeamento publicado lê, para simular sobre eles em vez dos guardados.",
        PEDIDO_SCHEMA,
        ["application/x-ndjson", "text/csv"],
        required=False,
    ),
)
async def simular(
    request: Request,
    politica_id: UUID,
    desde: Annotated[date | None, Query(description="Pedidos recebidos a partir deste dia; sem isto, nos últimos 30 dias.")] = None,
    ate: Annotated[date | None, Query(description="Pedidos recebidos até este dia, incluído; sem isto, até hoje.")] = None,
    pulando: Annotated[int, Query(ge=0, le=10_000_000, description="Quantos casos pular, para ver os seguintes.")] = 0,
) -> Response:
    """Decide de novo os pedidos do período, pelo que está publicado agora e pelo rascunho, e compara. Nada é mudado.

    Cada pedido é lido como foi lido ao chegar; o que uma pessoa reviu depois não entra na conta. Com um corpo, valem os pedidos dele.

    `casos` são os que mudam de decisão; `mesma_decisao`, os que ficam com a mesma e mudam em outra coisa. `pulando` vale para ambos.
    """
    content_type(request, NDJSON | JSON | CSV)
    hold(request, state_of(request).politicas)
    raw = await read_body(request, LARGEST_DOCUMENT_BYTES)
    reader = LineReader()
    entrada = chain(reader.feed(raw), reader.finish()) if raw else None
    simulada = await state_of(request).container.simulacoes.simular(
        scope_of(request), politica_id, desde, ate, entrada=entrada, recorte=Recorte(pulando=pulando)
    )
    periodo = simulada.periodo
    more = {
        "desde": periodo and periodo.desde,
        "ate": periodo and periodo.ate,
        "sem_publicada": simulada.sem_publicada,
        "trazidos": simulada.trazidos,
        "nunca_vale": simulada.nunca_vale,
        "sem_a_casa": simulada.sem_a_casa,
    }
    return Response(encode({**value_of(simulada.simulacao), **more}), media_type=_JSON)


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


def _read_motivo(request: Request, raw: bytes) -> str:
    content_type(request, JSON)
    try:
        return _decode_publicacao(raw).motivo
    except msgspec.ValidationError:
        raise PublicacaoIlegivel('Envie {"motivo": "..."}, com um texto de 3 a 500 caracteres e sem outros campos, ou nada.') from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise PublicacaoSemJson('O conteúdo não é um JSON válido em UTF-8. Envie {"motivo": "..."}, ou nada.') from None


def _read_revogacao(raw: bytes) -> Revogacao:
    try:
        return _decode_revogacao(raw)
    except msgspec.ValidationError:
        raise RevogacaoIlegivel('Envie {"motivo": "..."}, com um texto de 3 a 500 caracteres e sem outros campos.') from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RevogacaoSemJson('O conteúdo não é um JSON válido em UTF-8. Envie {"motivo": "..."}.') from None
