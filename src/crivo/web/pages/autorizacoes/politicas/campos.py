"""`/politicas/campos`: names of fields that a model proposes; a person confirms each once, and the administradora's table grows.

Source: design, "What the model may write, and what not".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.guardadas import Mapeamento, Situacao
from crivo.autorizacoes.modelo.mapeamento import MapeamentoDecidido, Mapeamentos, MotivoAusente
from crivo.autorizacoes.palavras import campo_com_artigo
from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import Coluna, Titulo, cut, heads, matches, order
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


_PER_PAGE: Final = 50
_COLUMNS: Final[tuple[Coluna[PropostaVista], ...]] = (
    Coluna("administradora", "Administradora", lambda one: fold(one.administradora)),
    Coluna("origem", "Como ela escreve", lambda one: fold(one.origem)),
    Coluna("campo", "O que é", lambda one: fold(one.campo)),
    Coluna("decisao", "Decisão", lambda one: one.rotulo.palavra),
)


@router.get("/politicas/campos", response_class=Response)
async def campos(
    request: Request,
    q: Annotated[str, Query(max_length=200)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """What waits for a person, and what was decided."""
    return await _shown(request, pedida={"q": q.strip(), "ordem": ordem}, pagina=pagina)


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


async def _shown(request: Request, recusa: CrivoError | None = None, pedida: Mapping[str, str] | None = None, pagina: int = 1) -> Response:
    asked = pedida or {"q": "", "ordem": ""}
    vistas = [PropostaVista.of(one) for one in await _mapeamentos(state_of(request)).listar(scope_of(request))]
    found = [one for one in vistas if matches(asked["q"], one.administradora, one.origem, one.campo, one.motivo)]
    decididas = order([one for one in found if not one.espera], _COLUMNS, asked["ordem"])
    return page(
        request,
        "autorizacoes/politicas/campos.html",
        200 if recusa is None else status_of(recusa),
        esperam=[one for one in found if one.espera],
        fatia=cut(decididas, lambda one: one, pagina, _PER_PAGE, asked),
        titulos=(*heads(_COLUMNS, asked["ordem"], asked), Titulo("Motivo")),
        total=len(vistas),
        pedida=asked,
        recusa=recusa,
        gere=pode(request, "politicas.escrever"),
    )


def _mapeamentos(state: WebState) -> Mapeamentos:
    return Mapeamentos(state.container.database, state.container.clock)
