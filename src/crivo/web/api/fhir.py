"""`/fhir`: a Claim in, a ClaimResponse out, and what this server does of FHIR R4. It describes itself in `/fhir/metadata`.

Source: interfaces, HTTP; design/autorizacoes.md, "Standards"; decision 0081.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.fhir.capacidades import capability_statement
from crivo.web.api.avisos import told_beside
from crivo.web.api.schemas import encode
from crivo.web.body import content_type, read_body
from crivo.web.fhir import FHIR_JSON
from crivo.web.parametros import refuse_unknown
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_READ: Final = frozenset({FHIR_JSON, "application/json", "text/json"})


@router.get("/fhir/metadata", response_class=Response)
async def metadata(request: Request) -> Response:
    """The CapabilityStatement."""
    said = capability_statement(state_of(request).container.settings.endereco, request.app.version)
    return Response(encode(said), media_type=FHIR_JSON)


@router.post("/fhir/Claim/$submit", response_class=Response)
async def submit(request: Request) -> Response:
    """Decide what a Claim asks for, alone or in a Bundle, and store a decision for each item."""
    refuse_unknown(request)
    content_type(request, _READ)
    state = state_of(request)
    raw = await read_body(request, state.container.settings.limite_corpo_bytes)
    respondida = await state.container.fhir.submeter(scope_of(request), raw)
    for decidida in respondida.decididas:
        if not decidida.repetida:
            state.metrics.decided(decidida.autorizacao.decisao_final)
    first = respondida.decididas[0].autorizacao.id
    headers = {"location": f"/fhir/ClaimResponse/{first}", **told_beside(respondida.decididas)}
    if all(decidida.repetida for decidida in respondida.decididas):
        headers["idempotency-replayed"] = "true"
    return Response(respondida.json, media_type=FHIR_JSON, headers=headers)


@router.get("/fhir/ClaimResponse/{autorizacao_id}", response_class=Response)
async def read(request: Request, autorizacao_id: UUID) -> Response:
    """The ClaimResponse of a stored decision, with what people decided since."""
    return Response(await state_of(request).container.fhir.responder(scope_of(request), autorizacao_id), media_type=FHIR_JSON)
