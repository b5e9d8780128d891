"""`/admin/editais/{id}/resultado/desistencias`: projects that withdrew; recording it, and taking it back, once it was seen what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.usuarios import usuario_id_of
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError
from crivo.triagem.atos import name_of
from crivo.triagem.desistencia.guardadas import Desistida
from crivo.triagem.desistencia.previa import PreviaDeDesistencia
from crivo.triagem.desistencia.servico import LONGEST_REASON
from crivo.triagem.erros import DesistenciaInvalida, DesistenciaMudou
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.palavras import count, shown
from crivo.web.pages.formatos import dia, instante
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.resultado.comparadas import LadoVista
from crivo.web.pages.triagem.resultado.endereco import address_of, read_fase
from crivo.web.pages.triagem.resultado.moldura import frame
from crivo.web.pages.triagem.resultado.paginas import PAGE
from crivo.web.pages.triagem.vista import Quem
from crivo.web.problems import headers_of, status_of
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId

router = APIRouter(include_in_schema=False)
_LIST: Final = f"{PAGE}/desistencias"
_ONE: Final = f"{_LIST}/{{projeto_id}}"
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class DesistenciaVista:
    """A withdrawal as a line; `motivo` is empty where it was erased, `desfeita` where it stands; `pode_desfazer` by whoever looks."""

    quem: Quem
    quando: str
    motivo: str
    assinatura: str
    desfeita: str
    pode_desfazer: bool
    endereco: str

    @classmethod
    def of(cls, one: Desistida, edital_id: str, nomes: Mapping[UUID, str], cabecalho: Cabecalho | None, *, mine: bool) -> DesistenciaVista:
        """The withdrawal in words; `mine`: whoever looks may take it back."""
        undone = f"{shown(name_of(one.desfeita_por, nomes))}, {instante(one.desfeita_em)}" if one.desfeita_por and one.desfeita_em else ""
        return cls(
            Quem.of(one.projeto_id, cabecalho),
            dia(one.desistiu_em),
            "" if one.motivo is None else shown(one.motivo),
            f"{shown(name_of(one.registrada_por, nomes))}, {instante(one.registrada_em)}",
            undone,
            mine and one.em_vigor,
            f"{address_of(edital_id)}/desistencias/{one.projeto_id}",
        )


@dataclass(frozen=True, slots=True)
class Escrito:
    """What was written into the form, as it was."""

    desistiu_em: str
    motivo: str = ""


@router.get(_LIST, response_class=Response)
async def listar(request: Request, edital_id: EditalId, fase: Annotated[str, Query(max_length=20)] = "") -> Response:
    """All of an edital, the last first, those that were taken back too."""
    container, scope = state_of(request).container, scope_of(request)
    found = await container.desistencias.listar(scope, edital_id)
    shown_ones = found.todas[:_SHOWN]
    edital, cabecalhos = await container.painel.cabecalhos(scope, edital_id, [one.projeto_id for one in shown_ones])
    me, all_of_them = usuario_id_of(scope.ator), pode(request, "triagem.desfazer_de_outro")
    return page(
        request,
        "triagem/desistencias.html",
        **frame(edital_id, edital.nome, "desistencias", desistencias=sum(one.em_vigor for one in found.todas), fase=read_fase(fase)),
        linhas=[
            DesistenciaVista.of(one, edital_id, found.nomes, cabecalhos.get(one.projeto_id), mine=all_of_them or one.registrada_por == me)
            for one in shown_ones
        ],
        restantes=len(found.todas) - len(shown_ones),
    )


@router.get(_ONE, response_class=Response)
async def prever(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """What would come of this project's withdrawal, or of taking it back; nothing is done yet."""
    previa = await state_of(request).container.desistencias.prever(scope_of(request), edital_id, projeto_id)
    return await _preview_page(request, previa)


@router.post(_ONE, response_class=Response)
async def agir(request: Request, edital_id: EditalId, projeto_id: ProjetoId) -> Response:
    """Record it, or take it back, as it was foreseen; where something changed since, the preview of now is shown."""
    fields = await read_form(request)
    desistencias, scope = state_of(request).container.desistencias, scope_of(request)
    written = Escrito(fields.get("desistiu_em", ""), fields.get("motivo", ""))
    which = _uuid(fields.get("desistencia", ""))
    try:
        if fields.get("ato") == "desfazer" and which is not None:
            await desistencias.desfazer(scope, edital_id, which, fields.get("prevista", ""))
            return RedirectResponse(f"{address_of(edital_id)}/desistencias?ok=desistencia_desfeita", status_code=303)
        em, motivo, prevista = _day(written.desistiu_em), written.motivo, fields.get("prevista", "")
        await desistencias.registrar(scope, edital_id, projeto_id, em, motivo, prevista)
    except DesistenciaMudou as error:
        return await _preview_page(request, error.nova, written, error)
    except DesistenciaInvalida as error:
        return await _preview_page(request, await desistencias.prever(scope, edital_id, projeto_id), written, error)
    return RedirectResponse(f"{address_of(edital_id)}/desistencias?ok=desistencia", status_code=303)


async def _preview_page(
    request: Request, previa: PreviaDeDesistencia, written: Escrito | None = None, recusa: CrivoError | None = None
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    changed = previa.mudancas[:_SHOWN]
    codes = [previa.projeto_id, *(one.antes.projeto_id for one in changed)]
    edital, cabecalhos = await container.painel.cabecalhos(scope, previa.edital_id, codes)
    found = await container.desistencias.listar(scope, previa.edital_id)
    standing = next((one for one in found.todas if one.projeto_id == previa.projeto_id and one.em_vigor), None)
    me, all_of_them = usuario_id_of(scope.ator), pode(request, "triagem.desfazer_de_outro")
    hoje = today(container.clock)
    return page(
        request,
        "triagem/desistencia.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        **frame(previa.edital_id, edital.nome, "desistencias"),
        quem=Quem.of(previa.projeto_id, cabecalhos.get(previa.projeto_id)),
        ato=previa.ato,
        prevista=previa.prevista,
        com_regras=previa.com_regras,
        mudancas=[
            (Quem.of(one.antes.projeto_id, cabecalhos.get(one.antes.projeto_id)), LadoVista.of(one.antes), LadoVista.of(one.depois))
            for one in changed
        ],
        mais=len(previa.mudancas) - len(changed),
        so_lugar=count(previa.so_lugar, "projeto muda só de lugar", "projetos mudam só de lugar") if previa.so_lugar else "",
        atual=DesistenciaVista.of(standing, previa.edital_id, found.nomes, None, mine=all_of_them or standing.registrada_por == me)
        if standing
        else None,
        desistencia=str(standing.id) if standing else "",
        hoje=hoje.isoformat(),
        escrito=written or Escrito(hoje.isoformat()),
        motivo_maximo=LONGEST_REASON,
        erros=_faults(recusa),
        recusa=recusa,
    )


def _faults(recusa: CrivoError | None) -> dict[str, str]:
    """Each fault by its field."""
    return {one.caminho: one.mensagem for one in recusa.problemas if one.caminho} if recusa is not None else {}


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
