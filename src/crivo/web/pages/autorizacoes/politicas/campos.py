"""`/politicas/campos`: names of fields that a model proposes; a person confirms each once, and the administradora's table grows.

Source: design, "What the model may write, and what not".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.guardadas import Mapeamento, Situacao
from crivo.autorizacoes.modelo.mapeamento import MapeamentoDecidido, Mapeamentos, MotivoAusente
from crivo.autorizacoes.palavras import campo_com_artigo
from crivo.kernel.errors import CrivoError
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import WebState, pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_ROTULOS: Final[Mapping[Situacao, Rotulo]] = {
    "proposto": Rotulo("Espera por você", "!", "pendente"),
    "confirmado": Rotulo("Confirmado", "✓", "aprovado"),
    "recusado": Rotulo("Recusado", "✕", "negado"),
}


@dataclass(frozen=True, slots=True)
class PropostaVista:
    """A proposal as a line: what the administradora writes, and what it would be read as."""

    id: str
    administradora: str
    origem: str
    campo: str
    modelo: str
    rotulo: Rotulo
    espera: bool
    proposto_em: datetime
    pedido: str
    motivo: str

    @classmethod
    def of(cls, one: Mapeamento) -> PropostaVista:
        """The line of a proposal."""
        return cls(
            str(one.id),
            one.administradora_id,
            one.origem,
            campo_com_artigo(one.destino),
            one.modelo,
            _ROTULOS[one.situacao],
            one.situacao == "proposto",
            one.proposto_em,
            f"/autorizacoes/{one.autorizacao_id}" if one.autorizacao_id else "",
            one.motivo or "",
        )


@router.get("/politicas/campos", response_class=Response)
async def campos(request: Request) -> Response:
    """What waits for a person, and what was decided."""
    return await _shown(request)


@router.post("/politicas/campos/{mapeamento_id}", response_class=Response)
async def decidir(request: Request, mapeamento_id: UUID) -> Response:
    """Confirm or refuse a proposal, with a reason. Raises MapeamentoNotFound."""
    form = await read_form(request)
    mapeamentos, scope = _mapeamentos(state_of(request)), scope_of(request)
    decide = mapeamentos.confirmar if form.get("decisao") == "confirmar" else mapeamentos.recusar
    try:
        await decide(scope, mapeamento_id, form.get("motivo", ""))
    except (MotivoAusente, MapeamentoDecidido) as error:
        return await _shown(request, recusa=error)
    return RedirectResponse("/politicas/campos?ok=gravado", status_code=303)


async def _shown(request: Request, recusa: CrivoError | None = None) -> Response:
    found = await _mapeamentos(state_of(request)).listar(scope_of(request))
    vistas = [PropostaVista.of(one) for one in found]
    return page(
        request,
        "autorizacoes/politicas/campos.html",
        200 if recusa is None else status_of(recusa),
        esperam=[one for one in vistas if one.espera],
        decididas=[one for one in vistas if not one.espera],
        recusa=recusa,
        gere=pode(request, "politicas.escrever"),
    )


def _mapeamentos(state: WebState) -> Mapeamentos:
    return Mapeamentos(state.container.database, state.container.clock)
