"""Who may do what over HTTP: one table with every address, checked before anything else of a request is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal

from fastapi.routing import APIRoute, iter_route_contexts
from starlette.requests import Request
from starlette.routing import BaseRoute

from crivo.kernel.access import Escopo, SessaoEncerrada, require
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.session_cookie import session_id_of
from crivo.web.state import enter, state_of

Admission = Escopo | Literal["publica", "sessao"]
PUBLIC: Final = "publica"
SESSION: Final = "sessao"

ACCESS: Final[Mapping[tuple[str, str], Admission]] = {
    ("POST", "/api/autorizacoes"): "autorizacoes:escrever",
    ("POST", "/api/autorizacoes/lote"): "autorizacoes:escrever",
    ("GET", "/api/autorizacoes"): "autorizacoes:ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}"): "autorizacoes:ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}/trilha"): "autorizacoes:ler",
    ("GET", "/api/politicas"): "politicas:ler",
    ("POST", "/api/politicas"): "politicas:escrever",
    ("GET", "/api/politicas/{politica_id}"): "politicas:ler",
    ("POST", "/api/politicas/{politica_id}/publicar"): "politicas:escrever",
    ("POST", "/api/politicas/{politica_id}/revogar"): "politicas:escrever",
    ("GET", "/api/agentes"): "autorizacoes:ler",
    ("GET", "/api/auditoria/verificacao"): "auditoria:ler",
    ("POST", "/api/clinicas/conversas"): "clinicas:conversar",
    ("GET", "/api/clinicas/conversas/{conversa_id}"): "clinicas:conversar",
    ("POST", "/api/clinicas/conversas/{conversa_id}/mensagens"): "clinicas:conversar",
    ("DELETE", "/api/clinicas/conversas/{conversa_id}"): "clinicas:conversar",
    ("POST", "/api/ia/triagem"): "triagem:executar",
    ("GET", "/api/ia/triagem/{edital_id}"): "triagem:ler",
    ("GET", "/api/ia/triagem/{edital_id}/status"): "triagem:ler",
    ("POST", "/api/ia/triagem/{edital_id}/cancelar"): "triagem:executar",
    ("POST", "/api/ia/triagem/{edital_id}/retomar"): "triagem:executar",
    ("GET", "/api/ia/triagem/{edital_id}/estimativa"): "triagem:ler",
    ("GET", "/api/ia/triagem/{edital_id}/exportacao"): "triagem:ler",
    ("GET", "/api/ia/triagem/{edital_id}/concordancia"): "triagem:ler",
    ("GET", "/api/editais"): "triagem:ler",
    ("POST", "/api/editais"): "triagem:executar",
    ("GET", "/api/avaliacoes"): "triagem:avaliar",
    ("GET", "/api/avaliacoes/{edital_id}/{projeto_id}"): "triagem:avaliar",
    ("PUT", "/api/avaliacoes/{edital_id}/{projeto_id}"): "triagem:avaliar",
    ("GET", "/api/docs"): PUBLIC,
    ("GET", "/api/docs/{nome}"): PUBLIC,
    ("GET", "/healthz"): PUBLIC,
    ("GET", "/readyz"): PUBLIC,
    ("GET", "/static/{nome}"): PUBLIC,
    ("GET", "/entrar"): PUBLIC,
    ("POST", "/entrar"): PUBLIC,
    ("POST", "/sair"): SESSION,
    ("GET", "/"): SESSION,
    ("GET", "/autorizacoes"): SESSION,
    ("POST", "/autorizacoes"): SESSION,
    ("GET", "/autorizacoes/{autorizacao_id}"): SESSION,
    ("GET", "/autorizacoes/{autorizacao_id}/decisao.json"): SESSION,
    ("GET", "/autorizacoes/{autorizacao_id}/trilha.json"): SESSION,
    ("GET", "/clinicas/conversa"): SESSION,
    ("POST", "/clinicas/conversa"): SESSION,
    ("GET", "/clinicas/conversa/{conversa_id}"): SESSION,
    ("POST", "/clinicas/conversa/{conversa_id}"): SESSION,
    ("POST", "/clinicas/conversa/{conversa_id}/encerrar"): SESSION,
    ("GET", "/admin/editais"): SESSION,
    ("POST", "/admin/editais"): SESSION,
    ("GET", "/admin/editais/{edital_id}/triagem-ia"): SESSION,
    ("POST", "/admin/editais/{edital_id}/triagem-ia"): SESSION,
    ("POST", "/admin/editais/{edital_id}/triagem-ia/cancelar"): SESSION,
    ("POST", "/admin/editais/{edital_id}/triagem-ia/retomar"): SESSION,
    ("GET", "/admin/editais/{edital_id}/triagem-ia/andamento"): SESSION,
    ("GET", "/admin/editais/{edital_id}/triagem-ia/exportacao"): SESSION,
    ("GET", "/avaliacao"): SESSION,
    ("GET", "/avaliacao/{projeto_id}"): SESSION,
    ("POST", "/avaliacao/{projeto_id}"): SESSION,
}


class ChaveAusente(CrivoError):
    """A program came without its key."""

    codigo: ClassVar[str] = "chave_ausente"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Falta a chave de API"


async def authorize(request: Request) -> None:
    """Let a request through as the table says, and note who is acting.

    Raises ChaveAusente, ChaveRecusada, SemPermissao, PedidosDemais or SessaoEncerrada.
    """
    match ACCESS[request.method, request.scope["route"].path]:
        case "publica":
            return
        case "sessao":
            await _admit_session(request)
        case escopo:
            await _admit_key(request, escopo)


def check_table(routes: Sequence[BaseRoute], table: Mapping[tuple[str, str], Admission] = ACCESS) -> None:
    """Raises ValueError unless the table and the routes name the same addresses: nothing is open because it was forgotten."""
    found = [context.original_route for context in iter_route_contexts(routes)]
    served = {(method, route.path) for route in found if isinstance(route, APIRoute) for method in route.methods or ()}
    difference = served.symmetric_difference(table)
    if difference:
        raise ValueError(f"routes and access table differ: {sorted(difference)}")


def methods_of(path: str) -> str:
    """The methods that an address takes, for the Allow header."""
    return ", ".join(method for method, address in ACCESS if address == path)


async def _admit_key(request: Request, escopo: Escopo) -> None:
    state = state_of(request)
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise ChaveAusente("Envie a chave de API no cabeçalho: Authorization: Bearer crv_...")
    access = await state.porteiro.authenticate(key.strip())
    enter(request, access.scope, access.escopos, access.papel)
    await state.limiter.hit(access.scope.tenant_id, access.scope.ator)
    require(access.escopos, escopo)


async def _admit_session(request: Request) -> None:
    session_id = session_id_of(request)
    if session_id is None:
        raise SessaoEncerrada("Entre para continuar.")
    visita = await state_of(request).sessoes.session(session_id)
    enter(request, visita.scope, papel=visita.papel, nome=visita.nome)
