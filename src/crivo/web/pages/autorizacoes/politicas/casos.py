"""`/politicas/{id}/casos`: the test cases of a version, run; accept what is proposed, write one, change what is expected, take one away."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.palavras import verb
from crivo.autorizacoes.politicas.casos.caso import CasoInvalido, read_casos, to_yaml
from crivo.autorizacoes.politicas.casos.execucao import CasoRodado
from crivo.autorizacoes.politicas.casos.servico import CasoNotFound, CasosDemais, Provada
from crivo.autorizacoes.politicas.service import PoliticaNotFound
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.web.pages.autorizacoes.pessoas import names_of
from crivo.web.pages.autorizacoes.politicas.achados import CasoVisto, ConferenciaVista, expected
from crivo.web.pages.autorizacoes.politicas.vista import VersaoVista
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.listas import cut
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import hold, pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PER_PAGE: Final = 30
_PROPOSED_SHOWN: Final = 30
_LARGEST_CHOICE_BYTES: Final = 100_000
_NEW: Final = """caso: O que este caso mostra
pedido:
  pedido_id: EXEMPLO
  administradora_id: {administradora}
  plano_id: PLANO
  data_pedido: "{inicio}"
  beneficiario: {{id: BENEFICIARIO}}
  procedimento: {{codigo: "10101012", quantidade: 1}}
esperado:
  decisao_final: APROVADO
"""


class NenhumCasoMarcado(CrivoError):
    """Proposed cases accepted, and none chosen."""

    codigo: ClassVar[str] = "nenhum_caso_marcado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Nenhum caso está marcado"


class CasosNaoGuardados(CrivoError):
    """Proposed cases of which not all could be kept; `problemas` say which, and why."""

    codigo: ClassVar[str] = "casos_nao_guardados"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Nem todos os casos foram guardados"


async def panel(request: Request, politica_id: UUID, *, rascunho: bool) -> ConferenciaVista:
    """What was found in a version and how its cases come out; of a draft also what was asked for and has no regra.

    Raises PoliticaNotFound.
    """
    container, scope = state_of(request).container, scope_of(request)
    conferida = await container.conferencias.guardada(scope, politica_id, historico=rascunho)
    return ConferenciaVista.of(conferida.achados, await container.casos_de_politica.guardada(scope, politica_id))


@router.get("/politicas/{politica_id}/casos", response_class=Response)
async def casos(
    request: Request,
    politica_id: UUID,
    pagina: Annotated[int, Query(ge=1, le=100_000)] = 1,
    caso: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The cases, those that fail first; `caso` is the one whose text is there to be changed."""
    return await _shown(request, politica_id, pagina, caso)


@router.post("/politicas/{politica_id}/casos/gravar", response_class=Response)
async def gravar(request: Request, politica_id: UUID) -> Response:
    """Keep a case as it is written; what cannot be kept comes back with what is wrong, and nothing typed is lost."""
    form = await read_form(request)
    texto = form.get("texto", "")
    hold(request, state_of(request).politicas)
    try:
        lidos = read_casos(texto.encode("utf-8", "replace"), "Caso")
        gravados = await state_of(request).container.casos_de_politica.gravar(scope_of(request), politica_id, lidos)
    except (CasoInvalido, CasosDemais) as error:
        return await _shown(request, politica_id, recusa=error, texto=texto)
    if gravados.recusados:
        return await _shown(request, politica_id, recusa=_not_kept(gravados.recusados), texto=texto)
    return RedirectResponse(f"/politicas/{politica_id}/casos?ok=casos_gravados", status_code=303)


@router.post("/politicas/{politica_id}/casos/aceitar", response_class=Response)
async def aceitar(request: Request, politica_id: UUID) -> Response:
    """Keep the proposed cases that were chosen, or all of them where that is asked for; those that could not be kept are told."""
    form, nomes = await read_choices(request, "caso", max_bytes=_LARGEST_CHOICE_BYTES, max_fields=250)
    if not nomes and form.get("todos") != "sim":
        return await _shown(request, politica_id, recusa=NenhumCasoMarcado("Marque ao menos um dos propostos, e aceite de novo."))
    hold(request, state_of(request).politicas)
    try:
        gravados = await state_of(request).container.casos_de_politica.aceitar(scope_of(request), politica_id, nomes)
    except CasosDemais as error:
        return await _shown(request, politica_id, recusa=error)
    if gravados.recusados:
        total = len(gravados.nomes) + len(gravados.recusados)
        mensagem = (
            f"{verb(len(gravados.nomes), 'Foi guardado', 'Foram guardados')} {len(gravados.nomes)} de {total}. Estes não, e por isto:"
        )
        return await _shown(request, politica_id, recusa=CasosNaoGuardados(mensagem, gravados.recusados))
    return RedirectResponse(f"/politicas/{politica_id}/casos?ok=casos_aceitos", status_code=303)


@router.post("/politicas/{politica_id}/casos/apagar", response_class=Response)
async def apagar(request: Request, politica_id: UUID) -> Response:
    """Take a case away; the form asks twice, and the text is there to be kept."""
    nome = (await read_form(request)).get("caso", "")[:200]
    try:
        await state_of(request).container.casos_de_politica.apagar(scope_of(request), politica_id, nome)
    except CasoNotFound as error:
        return await _shown(request, politica_id, recusa=error)
    return RedirectResponse(f"/politicas/{politica_id}/casos?ok=caso_apagado", status_code=303)


def _not_kept(recusados: tuple[Problem, ...]) -> CasoInvalido:
    return CasoInvalido("O caso não foi guardado.", recusados)


def _seen(um: CasoRodado, provada: Provada) -> CasoVisto:
    return CasoVisto.of(um, herdado=um.caso.nome in provada.herdados, ja_falhava=um.caso.nome in provada.ja_falhavam)


async def _shown(
    request: Request, politica_id: UUID, pagina: int = 1, caso: str = "", recusa: CrivoError | None = None, texto: str = ""
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    try:
        guardada, _ = await container.politicas.obter(scope, politica_id)
    except PoliticaNotFound:
        raise PoliticaNotFound("Esta política não existe, ou não é daqui. Volte à lista e escolha outra.") from None
    provada: Provada = await container.casos_de_politica.guardada(scope, politica_id)
    rodados = sorted(provada.testada.rodados, key=lambda um: um.passou)
    chosen = next((um for um in rodados if um.caso.nome == caso), None)
    novo = _NEW.format(administradora=guardada.administradora_id, inicio=guardada.vigencia_inicio.isoformat())
    return page(
        request,
        "autorizacoes/politicas/casos.html",
        200 if recusa is None else status_of(recusa),
        versao=VersaoVista.of(guardada, today(container.clock), await names_of(request)),
        vista=ConferenciaVista.of((), provada),
        fatia=cut(rodados, lambda um: _seen(um, provada), pagina, _PER_PAGE, {}),
        antes=provada.de,
        propostos=[(um.nome, expected(um), to_yaml(um).decode()) for um in provada.propostos[:_PROPOSED_SHOWN]],
        outros=max(0, len(provada.propostos) - _PROPOSED_SHOWN),
        escolhido=caso if chosen else "",
        texto=texto or (to_yaml(chosen.caso).decode() if chosen else novo),
        recusa=recusa,
        gere=pode(request, "politicas.escrever"),
    )
