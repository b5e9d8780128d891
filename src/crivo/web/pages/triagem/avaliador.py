"""`/admin/editais/{id}/avaliadores/{avaliador}`: what is changed of one who judges, their categorias, their impediments, their last day."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.erros import ImpedimentoNotFound, NadaADesfazer
from crivo.web.pages.formulario import read_choices
from crivo.web.pages.triagem.avaliadores import address, people_page
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/avaliadores/{avaliador_id}"
_ANSWERED_HERE: Final = (Kind.INVALID, Kind.CONFLICT, Kind.ABSENT, Kind.FORBIDDEN)
_DONE: Final = {
    "categorias": "categorias",
    "impedir": "impedido",
    "desfazer_impedimento": "impedimento_desfeito",
    "prazo": "prazo",
    "desfazer_prazo": "prazo_desfeito",
}
# Two forms of the page ask for a reason, each in a field of its own.
_MOTIVO: Final = {"impedir": "motivo_impedimento", "prazo": "motivo_prazo"}


@router.get(_PAGE, response_class=Response)
async def voltar(edital_id: EditalId, avaliador_id: UUID) -> Response:
    """The person, on the page of all."""
    return RedirectResponse(f"{address(edital_id)}?pessoa={avaliador_id}", status_code=303)


@router.post(_PAGE, response_class=Response)
async def mudar(request: Request, edital_id: EditalId, avaliador_id: UUID) -> Response:
    """Do what one of the person's forms asks; what will not do comes back as it was written."""
    fields, categorias = await read_choices(request, "categoria", max_fields=300)
    acao = fields.get("acao", "")
    try:
        await _do(request, edital_id, avaliador_id, acao, fields, categorias)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE or error.codigo == "edital_nao_encontrado":
            raise
        return await people_page(request, edital_id, avaliador_id, _at_its_field(error, acao), fields)
    where = "#impedimentos" if "imped" in acao else ""
    return RedirectResponse(f"{address(edital_id)}?pessoa={avaliador_id}&ok={_DONE.get(acao, 'gravado')}{where}", status_code=303)


async def _do(request: Request, edital_id: str, avaliador: UUID, acao: str, fields: dict[str, str], categorias: tuple[str, ...]) -> None:
    container, scope = state_of(request).container, scope_of(request)
    motivo = fields.get(_MOTIVO.get(acao, ""), "")
    match acao:
        case "categorias":
            await container.quem_avalia.mudar_categorias(scope, edital_id, avaliador, categorias)
        case "impedir":
            codigos = fields.get("codigos", "").replace(",", " ").replace(";", " ").split()
            await container.quem_nao_pode.registrar(scope, edital_id, avaliador, codigos, motivo)
        case "prazo":
            await container.prazos.reabrir(scope, edital_id, avaliador, _day(fields.get("ate", "")), motivo)
        case "desfazer_impedimento":
            which = _id(fields)
            if which is None:
                raise ImpedimentoNotFound("Não há este impedimento neste edital. Volte à lista e confira.")
            await container.quem_nao_pode.desfazer(scope, edital_id, which)
        case _:
            which = _id(fields)
            if which is None:
                raise NadaADesfazer("Este prazo já foi desfeito, ou não é deste edital.")
            await container.prazos.desfazer(scope, edital_id, which)


def _at_its_field(error: CrivoError, acao: str) -> CrivoError:
    """The same, its reason told at the field of the form that asked for it."""
    field = _MOTIVO.get(acao)
    if field is not None:
        error.problemas = tuple([Problem(one.mensagem, field) if one.caminho == "motivo" else one for one in error.problemas])
    return error


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _id(fields: dict[str, str]) -> UUID | None:
    try:
        return UUID(fields.get("qual", ""))
    except ValueError:
        return None
