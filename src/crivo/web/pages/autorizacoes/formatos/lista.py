"""`/formatos`: how the pedidos of each administradora's system are read; versions, what each reads, publish, close."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.mapeamento.documento import DOCUMENTOS, places_of, to_document
from crivo.autorizacoes.mapeamento.service import (
    FormatoNaoPublicavel,
    FormatoNotFound,
    Mudanca,
    PublicacaoDeFormatoMudou,
    ReconhecimentoRepetido,
)
from crivo.kernel.errors import CrivoError
from crivo.web.pages.autorizacoes.formatos.vista import TITULOS, EfeitoVisto, FormatoVisto, Provado, condition_said, how_read, shown
from crivo.web.pages.autorizacoes.pessoas import names_of
from crivo.web.pages.autorizacoes.politicas.mudancas import MotivoAusente
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_SHORTEST_REASON: Final = 3
_LONGEST_REASON: Final = 500
_CHANGES_SHOWN: Final = 60


@router.get("/formatos", response_class=Response)
async def listar(request: Request) -> Response:
    """Every version of every mapping."""
    names = await names_of(request)
    formatos = [FormatoVisto.of(um, names) for um in await state_of(request).container.formatos.listar(scope_of(request))]
    return page(request, "autorizacoes/formatos/lista.html", formatos=formatos, gere=pode(request, "politicas.escrever"))


@router.get("/formatos/{formato_id}", response_class=Response)
async def ver(request: Request, formato_id: UUID) -> Response:
    """One version: how it knows a pedido, what it reads from where, what its words mean."""
    return await _version(request, formato_id)


@router.get("/formatos/{formato_id}/publicar", response_class=Response)
async def confirmar_publicacao(request: Request, formato_id: UUID) -> Response:
    """The question before publishing: what it recognises, what it replaces, what it runs into."""
    return await _ask(request, formato_id, "publicar", provado=Provado.of(request.query_params))


@router.post("/formatos/{formato_id}/publicar", response_class=Response)
async def publicar(request: Request, formato_id: UUID) -> Response:
    """Let a draft read what comes from now on; twice is once."""
    confirmacao = (await read_form(request)).get("confirmacao", "")[:64]
    if not confirmacao:
        return await _ask(request, formato_id, "publicar")
    try:
        await state_of(request).container.formatos.publicar(scope_of(request), formato_id, confirmacao)
    except (FormatoNaoPublicavel, ReconhecimentoRepetido, PublicacaoDeFormatoMudou) as error:
        return await _ask(request, formato_id, "publicar", error)
    return RedirectResponse(f"/formatos/{formato_id}?ok=formato_publicado", status_code=303)


@router.get("/formatos/{formato_id}/encerrar", response_class=Response)
async def confirmar_encerramento(request: Request, formato_id: UUID) -> Response:
    """The question before closing."""
    return await _ask(request, formato_id, "encerrar")


@router.post("/formatos/{formato_id}/encerrar", response_class=Response)
async def encerrar(request: Request, formato_id: UUID) -> Response:
    """Let a published mapping read nothing more; twice is once."""
    motivo = (await read_form(request)).get("motivo", "").encode("utf-8", "replace").decode().strip()
    if not _SHORTEST_REASON <= len(motivo) <= _LONGEST_REASON:
        told = f"Escreva o motivo, com {_SHORTEST_REASON} a {_LONGEST_REASON} caracteres: ele fica na auditoria."
        return await _ask(request, formato_id, "encerrar", MotivoAusente(told, campo="motivo"), motivo)
    try:
        await state_of(request).container.formatos.encerrar(scope_of(request), formato_id, motivo)
    except FormatoNaoPublicavel as error:
        return await _ask(request, formato_id, "encerrar", error, motivo)
    return RedirectResponse(f"/formatos/{formato_id}?ok=formato_encerrado", status_code=303)


async def _version(request: Request, formato_id: UUID) -> Response:
    guardado, documento = await _stored(request, formato_id)
    return page(
        request,
        "autorizacoes/formatos/versao.html",
        formato=FormatoVisto.of(guardado, await names_of(request)),
        reconhecer=[(caminho, condition_said(valor)) for caminho, valor in documento.reconhecer.items()],
        itens=documento.itens,
        campos=[
            (
                TITULOS.get(destino, destino),
                ", ".join(places_of(campo)) or f"sempre {shown(campo.valor)}",
                how_read(destino, campo, documento),
            )
            for destino, campo in documento.campos.items()
        ],
        situacoes=[(palavra, str(valor)) for palavra, valor in documento.valores.get(f"{DOCUMENTOS}.status", {}).items()],
        documento=to_document(documento).decode(),
        gere=pode(request, "politicas.escrever"),
    )


async def _ask(
    request: Request, formato_id: UUID, acao: str, recusa: CrivoError | None = None, motivo: str = "", provado: Provado | None = None
) -> Response:
    guardado, documento = await _stored(request, formato_id)
    previa = await state_of(request).container.formatos.previa(scope_of(request), formato_id)
    return page(
        request,
        "autorizacoes/formatos/confirmar.html",
        200 if recusa is None else status_of(recusa),
        formato=FormatoVisto.of(guardado, await names_of(request)),
        acao=acao,
        recusa=recusa,
        motivo=motivo,
        reconhecer=[(caminho, condition_said(valor)) for caminho, valor in documento.reconhecer.items()],
        anterior=previa.anterior,
        mudancas=[_said(um) for um in previa.mudancas[:_CHANGES_SHOWN]],
        outras=max(0, len(previa.mudancas) - _CHANGES_SHOWN),
        conflitos=previa.conflitos,
        provado=provado,
        efeito=EfeitoVisto.of(previa.efeito, previa.anterior.versao) if previa.efeito and previa.anterior else None,
        confirmacao=previa.confirmacao,
    )


def _said(um: Mudanca) -> tuple[str, str, str]:
    antes, depois = ["nada" if value is None else shown(value) for value in (um.antes, um.depois)]
    return um.lugar, antes, depois


async def _stored(request: Request, formato_id: UUID) -> Any:
    try:
        return await state_of(request).container.formatos.obter(scope_of(request), formato_id)
    except FormatoNotFound:
        raise FormatoNotFound("Este formato não existe, ou não é daqui. Volte à lista e escolha outro.") from None
