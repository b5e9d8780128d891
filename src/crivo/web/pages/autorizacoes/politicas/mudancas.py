"""Changes of políticas: import a document, publish a draft, revoke what is in force; each asks first. Source: interfaces, Pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal
from uuid import UUID

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.palavras import count, listing, number, verb
from crivo.autorizacoes.politicas.nos import PoliticaInvalida
from crivo.autorizacoes.politicas.service import (
    Impedimentos,
    Importacao,
    MotivoDaRessalva,
    PublicacaoImpedida,
    PublicacaoMudou,
    TransicaoRecusada,
    VersaoPublicada,
)
from crivo.autorizacoes.politicas.sobras import NAO_LIDA
from crivo.autorizacoes.simulacao.ditos import say_same
from crivo.autorizacoes.simulacao.resultado import Recorte
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.body import LARGEST_DOCUMENT_BYTES, limited
from crivo.web.pages import csrf
from crivo.web.pages.autorizacoes.pessoas import names_of
from crivo.web.pages.autorizacoes.politicas.achados import AchadoVisto, warned
from crivo.web.pages.autorizacoes.politicas.versoes import read_stored, version_page
from crivo.web.pages.autorizacoes.politicas.vista import MudancaVista, VersaoVista, encerrada, side_by_side
from crivo.web.pages.formulario import read_form
from crivo.web.pages.problemas import ProblemaVisto
from crivo.web.pages.rendering import page
from crivo.web.problems import CorpoGrandeDemais, status_of
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(include_in_schema=False)
_FORM_OVERHEAD_BYTES: Final = 64_000
_PROBLEMS_SHOWN: Final = 200
_CHANGES_SHOWN: Final = 30
_SHORTEST_REASON: Final = 3
_LONGEST_REASON: Final = 500
Acao = Literal["publicar", "revogar"]
Formato = Literal["json", "yaml"]
_FORMATOS: Final[Mapping[str, Formato]] = {"json": "json", "yaml": "yaml", "yml": "yaml"}


class ArquivoAusente(CrivoError):
    """The form came without a file."""

    codigo: ClassVar[str] = "arquivo_ausente"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o arquivo"


class MotivoAusente(CrivoError):
    """A revocation that does not say why."""

    codigo: ClassVar[str] = "motivo_ausente"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Diga o motivo"


@router.get("/politicas/importar", response_class=Response)
async def formulario(request: Request) -> Response:
    """Where a document is sent."""
    return page(request, "autorizacoes/politicas/importar.html", recusa=None, problemas=(), outros=0)


@router.post("/politicas/importar", response_class=Response)
async def importar(request: Request) -> Response:
    """Keep a document as a draft and show the report; one that cannot be kept comes back with every fault."""
    csrf.check_origin(request)
    hold(request, state_of(request).politicas)
    limit = LARGEST_DOCUMENT_BYTES + _FORM_OVERHEAD_BYTES
    try:
        async with limited(request, limit).form(max_files=1, max_fields=4, max_part_size=limit) as form:
            csrf.check_token(request, form.get(csrf.FIELD))
            arquivo = form.get("arquivo")
            raw, formato = await _chosen(arquivo)
        importacao = await state_of(request).container.politicas.importar(scope_of(request), raw, formato)
    except (ArquivoAusente, CorpoGrandeDemais, PoliticaInvalida, VersaoPublicada) as error:
        problemas = [ProblemaVisto.of(one) for one in error.problemas]
        shown, others = problemas[:_PROBLEMS_SHOWN], max(0, len(problemas) - _PROBLEMS_SHOWN)
        return page(request, "autorizacoes/politicas/importar.html", status_of(error), recusa=error, problemas=shown, outros=others)
    return await imported(request, importacao)


@router.get("/politicas/{politica_id}/publicar", response_class=Response)
async def confirmar_publicacao(request: Request, politica_id: UUID) -> Response:
    """The question before publishing, as a page."""
    return await _ask(request, politica_id, "publicar")


@router.post("/politicas/{politica_id}/publicar", response_class=Response)
async def publicar(request: Request, politica_id: UUID) -> Response:
    """Put a draft in force for the dates it states; twice is once."""
    form = await read_form(request)
    confirmacao, manter = form.get("confirmacao", "")[:64], form.get("manter_anterior") == "sim"
    politicas = state_of(request).container.politicas
    if not confirmacao and (await politicas.previa(scope_of(request), politica_id)).encerra:
        return await _ask(request, politica_id, "publicar")  # what it closes was not seen yet
    motivo = form.get("motivo", "").encode("utf-8", "replace").decode().strip()
    hold(request, state_of(request).politicas)
    try:
        await politicas.publicar(scope_of(request), politica_id, manter_anterior=manter, confirmacao=confirmacao or None, motivo=motivo)
    except TransicaoRecusada as error:
        return await version_page(request, politica_id, recusa=error)
    except PublicacaoMudou as error:
        return await _ask(request, politica_id, "publicar", error)
    except (PublicacaoImpedida, MotivoDaRessalva) as error:
        return await _ask(request, politica_id, "publicar", type(error)(error.mensagem, campo="motivo"), motivo)
    return RedirectResponse(f"/politicas/{politica_id}?ok=publicado", status_code=303)


@router.get("/politicas/{politica_id}/revogar", response_class=Response)
async def confirmar_revogacao(request: Request, politica_id: UUID) -> Response:
    """The question before revoking, as a page."""
    return await _ask(request, politica_id, "revogar")


@router.post("/politicas/{politica_id}/revogar", response_class=Response)
async def revogar(request: Request, politica_id: UUID) -> Response:
    """Take a version out of use from now on; twice is once."""
    motivo = (await read_form(request)).get("motivo", "").encode("utf-8", "replace").decode().strip()
    if not _SHORTEST_REASON <= len(motivo) <= _LONGEST_REASON or "\0" in motivo:
        error = MotivoAusente(f"Escreva o motivo, com {_SHORTEST_REASON} a {_LONGEST_REASON} caracteres: ele fica na auditoria.")
        return await _ask(request, politica_id, "revogar", error, motivo)
    try:
        await state_of(request).container.politicas.revogar(scope_of(request), politica_id, motivo)
    except TransicaoRecusada as error:
        return await version_page(request, politica_id, recusa=error)
    return RedirectResponse(f"/politicas/{politica_id}?ok=revogado", status_code=303)


async def imported(request: Request, importacao: Importacao) -> Response:
    """What was read of a document that was kept."""
    relatorio = importacao.relatorio
    return page(
        request,
        "autorizacoes/politicas/importada.html",
        versao=await _shown(request, importacao.politica),
        mudou=importacao.mudou,
        avisos=[ProblemaVisto.of(one) for one in relatorio.avisos[:_PROBLEMS_SHOWN]],
        avisos_total=len(relatorio.avisos),
        lidas=relatorio.lidos_de_observacoes[:_PROBLEMS_SHOWN],
        lidas_total=len(relatorio.lidos_de_observacoes),
        nao_lidas=sum(one.codigo in (NAO_LIDA, "nao_dita") for one in relatorio.avisos),
    )


async def _ask(request: Request, politica_id: UUID, acao: Acao, recusa: CrivoError | None = None, motivo: str = "") -> Response:
    lida = await read_stored(request, politica_id)
    shown = await _changes(request, politica_id) if acao == "publicar" else {}
    return page(
        request,
        "autorizacoes/politicas/confirmar.html",
        200 if recusa is None else status_of(recusa),
        versao=await _shown(request, lida.guardada),
        acao=acao,
        recusa=recusa,
        motivo=motivo,
        **shown,
    )


async def _changes(request: Request, politica_id: UUID) -> dict[str, Any]:
    """What the publication closes and changes, as the page shows it."""
    politicas, scope = state_of(request).container.politicas, scope_of(request)
    previa = await politicas.previa(scope, politica_id)
    impedimentos = await politicas.impedimentos(scope, politica_id)
    avisos, por_tipo = warned((await state_of(request).container.conferencias.guardada(scope, politica_id)).achados)
    comparacao = previa.comparacao
    mudadas = comparacao.regras if comparacao else ()
    antes = previa.encerra[-1].politica if previa.encerra else None
    de = next(
        (one.id for one in await politicas.listar(scope) if antes and (one.documento, one.versao) == (antes.documento, antes.versao)), ""
    )
    return {
        "previa": previa,
        "erros": [AchadoVisto.of(um) for um in impedimentos.erros[:_CHANGES_SHOWN]],
        "impedem": _hindering(impedimentos),
        "falhos": [um.caso.nome for um in impedimentos.falhos[:_CHANGES_SHOWN]],
        "casos": impedimentos.casos,
        "avisos": avisos,
        "avisos_por_tipo": por_tipo,
        "encerra": [encerrada(um) for um in previa.encerra],
        "mudancas": [MudancaVista.of(uma) for uma in mudadas[:_CHANGES_SHOWN]],
        "outras": max(0, len(mudadas) - _CHANGES_SHOWN),
        "iguais": comparacao.iguais if comparacao else 0,
        "cabecalho": [side_by_side(campo) for campo in (comparacao.cabecalho if comparacao else ())],
        "planos_perdidos": comparacao.planos_perdidos if comparacao else (),
        "de": de,
        "simulada": await _simulated(request, previa.politica),
    }


def _hindering(impedimentos: Impedimentos) -> str:
    """What stands in the way, counted in words; empty where nothing does."""
    erros = count(len(impedimentos.erros), "erro", "erros")
    falhos = count(len(impedimentos.falhos), "caso de teste que falha", "casos de teste que falham")
    return listing([um for um, quais in ((erros, impedimentos.erros), (falhos, impedimentos.falhos)) if quais])


async def _simulated(request: Request, politica: PoliticaGuardada) -> str:
    """What of the decisions of the last thirty days the draft would have made otherwise, in sentences; empty where there are none."""
    if politica.status != "rascunho":
        return ""
    simulada = await state_of(request).container.simulacoes.simular(scope_of(request), politica.id, recorte=Recorte(quantos=0))
    total, mudam = simulada.simulacao.total, simulada.simulacao.mudam
    if not total:
        return ""
    head = f"{number(mudam)} de {count(total, 'decisão', 'decisões')} {verb(mudam, 'mudaria', 'mudariam')}."
    return f"{head} {say_same(simulada.simulacao.mesma)}".rstrip()


async def _shown(request: Request, politica: PoliticaGuardada) -> VersaoVista:
    return VersaoVista.of(politica, today(state_of(request).container.clock), await names_of(request))


async def _chosen(arquivo: UploadFile | str | None) -> tuple[bytes, Formato | None]:
    """A file's bytes, and the format that its name states, if any. Raises ArquivoAusente."""
    raw = await arquivo.read() if isinstance(arquivo, UploadFile) else b""
    if not raw or not isinstance(arquivo, UploadFile):
        raise ArquivoAusente("Escolha um arquivo .json, .yaml ou .yml que não esteja vazio.")
    return raw, _FORMATOS.get((arquivo.filename or "").rpartition(".")[2].lower())
