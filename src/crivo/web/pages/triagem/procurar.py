"""`/admin/editais/{id}/procurar`: projects that speak of something, whatever their words. Source: design, Meaning, not only letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.comparar import LONGEST_QUESTION, Achado
from crivo.triagem.erros import SemSentido
from crivo.triagem.palavras import shown
from crivo.web.pages.listas import link
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.palavras import campo_name
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/procurar"


@dataclass(frozen=True, slots=True)
class AchadoVista:
    """A project that was found: its place, the sentence that speaks most of what was asked, and where the project is read."""

    ordem: int
    codigo: str
    titulo: str
    trecho: str
    lugar: str
    endereco: str


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, q: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "") -> Response:
    """What was found, the nearest first; where meaning cannot be told, why, and what would mend it."""
    container, scope = state_of(request).container, scope_of(request)
    edital = (await container.triagem.edital(scope, edital_id)).edital
    triagem = f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia"
    falta, achados = "", list[AchadoVista]()
    try:
        found = await container.comparar.procurar(scope, edital_id, q.strip())
        achados = [_found(at, one, triagem) for at, one in enumerate(found, 1)]
    except SemSentido as error:
        falta = error.mensagem
    return page(
        request,
        "triagem/procurar.html",
        edital=shown(edital.nome),
        endereco=_PAGE.format(edital_id=quote(edital_id, safe="")),
        triagem=triagem,
        q=q.strip(),
        falta=falta,
        achados=achados,
        mais_longo=LONGEST_QUESTION,
    )


def _found(ordem: int, one: Achado, triagem: str) -> AchadoVista:
    endereco = f"{triagem}{link({'aba': 'avaliacao', 'q': one.projeto, 'projeto': one.projeto})}#projeto-{one.projeto}"
    return AchadoVista(ordem, one.projeto, one.titulo, one.trecho, campo_name(one.campo), endereco)
