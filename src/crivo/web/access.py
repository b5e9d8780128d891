"""Who may do what over HTTP: one table with every address, checked before anything else of a request is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal

from fastapi.routing import APIRoute, iter_route_contexts
from starlette.requests import Request
from starlette.routing import BaseRoute

from crivo.kernel.access import GESTAO, PAPEIS, Escopo, Papel, SemPermissao, SessaoEncerrada, require
from crivo.kernel.errors import CrivoError, Kind
from crivo.web.passos import PASSOS, EntradaCompleta, PassoPendente
from crivo.web.session_cookie import session_id_of
from crivo.web.state import enter, note_visita, state_of

Papeis = frozenset[Papel]
Admission = Escopo | Literal["publica"] | Papeis
PUBLIC: Final = "publica"
# Who may open a page. A session that is no person's, whose link was made on the command line, may open them all.
TODOS: Final[Papeis] = frozenset(PAPEIS)
ADMINISTRA: Final[Papeis] = frozenset({"admin", "super_admin"})
AUTORIZA: Final[Papeis] = GESTAO | {"revisor"}
CONSULTA: Final[Papeis] = GESTAO | {"operador", "paciente"}
AVALIA: Final[Papeis] = GESTAO | {"avaliador"}
ATENDE: Final[Papeis] = GESTAO | {"operador"}

ACCESS: Final[Mapping[tuple[str, str], Admission]] = {
    ("POST", "/api/autorizacoes"): "autorizacoes:escrever",
    ("POST", "/api/autorizacoes/lote"): "autorizacoes:escrever",
    ("GET", "/api/autorizacoes"): "autorizacoes:ler",
    ("GET", "/api/autorizacoes/esquema"): "autorizacoes:ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}"): "autorizacoes:ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}/trilha"): "autorizacoes:ler",
    ("POST", "/api/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes:revisar",
    ("GET", "/api/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes:ler",
    ("GET", "/api/politicas"): "politicas:ler",
    ("POST", "/api/politicas"): "politicas:escrever",
    ("GET", "/api/politicas/{politica_id}"): "politicas:ler",
    ("GET", "/api/politicas/{politica_id}/publicacao"): "politicas:ler",
    ("POST", "/api/politicas/{politica_id}/publicar"): "politicas:escrever",
    ("POST", "/api/politicas/{politica_id}/revogar"): "politicas:escrever",
    ("GET", "/api/agentes"): "autorizacoes:ler",
    ("GET", "/api/auditoria/verificacao"): "auditoria:ler",
    ("POST", "/api/clinicas/conversas"): "clinicas:conversar",
    ("GET", "/api/clinicas/conversas/{conversa_id}"): "clinicas:conversar",
    ("POST", "/api/clinicas/conversas/{conversa_id}/mensagens"): "clinicas:conversar",
    ("DELETE", "/api/clinicas/conversas/{conversa_id}"): "clinicas:conversar",
    ("GET", "/api/clinicas/atendimento"): "clinicas:operar",
    ("GET", "/api/clinicas/atendimento/{conversa_id}"): "clinicas:operar",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/assumir"): "clinicas:operar",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/respostas"): "clinicas:operar",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/devolver"): "clinicas:operar",
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
    ("POST", "/entrar/senha"): PUBLIC,
    ("GET", "/entrar/oidc"): PUBLIC,
    ("GET", "/entrar/oidc/retorno"): PUBLIC,
    ("GET", "/entrar/nova-senha"): TODOS,
    ("POST", "/entrar/nova-senha"): TODOS,
    ("GET", "/entrar/codigo"): TODOS,
    ("POST", "/entrar/codigo"): TODOS,
    ("GET", "/entrar/segundo-fator"): TODOS,
    ("POST", "/entrar/segundo-fator"): TODOS,
    ("GET", "/conta"): TODOS,
    ("GET", "/conta/segundo-fator"): TODOS,
    ("POST", "/conta/segundo-fator"): TODOS,
    ("POST", "/conta/segundo-fator/codigos"): TODOS,
    ("POST", "/conta/segundo-fator/desligar"): TODOS,
    ("POST", "/conta/senha"): TODOS,
    ("POST", "/conta/avisos"): TODOS,
    ("POST", "/conta/sessoes/encerrar"): TODOS,
    ("GET", "/admin/pessoas"): ADMINISTRA,
    ("POST", "/admin/pessoas"): ADMINISTRA,
    ("POST", "/admin/pessoas/{usuario_id}/papel"): ADMINISTRA,
    ("POST", "/admin/pessoas/{usuario_id}/convite"): ADMINISTRA,
    ("POST", "/admin/pessoas/{usuario_id}/acesso"): ADMINISTRA,
    ("GET", "/admin/chaves"): ADMINISTRA,
    ("POST", "/admin/chaves"): ADMINISTRA,
    ("POST", "/admin/chaves/{chave_id}/revogar"): ADMINISTRA,
    ("GET", "/admin/auditoria"): GESTAO,
    ("GET", "/admin/componentes"): TODOS,
    ("GET", "/admin/execucoes"): GESTAO,
    ("POST", "/sair"): TODOS,
    ("GET", "/"): TODOS,
    ("GET", "/autorizacoes"): AUTORIZA,
    ("POST", "/autorizacoes"): AUTORIZA,
    ("GET", "/autorizacoes/fila"): AUTORIZA,
    ("POST", "/autorizacoes/fila/proxima"): AUTORIZA,
    ("GET", "/autorizacoes/{autorizacao_id}"): AUTORIZA,
    ("POST", "/autorizacoes/{autorizacao_id}/reservar"): AUTORIZA,
    ("POST", "/autorizacoes/{autorizacao_id}/liberar"): AUTORIZA,
    ("GET", "/autorizacoes/{autorizacao_id}/revisao"): AUTORIZA,
    ("POST", "/autorizacoes/{autorizacao_id}/revisao"): AUTORIZA,
    ("GET", "/autorizacoes/{autorizacao_id}/decisao.json"): AUTORIZA,
    ("GET", "/autorizacoes/{autorizacao_id}/trilha.json"): AUTORIZA,
    ("GET", "/politicas"): AUTORIZA,
    ("GET", "/politicas/comparar"): AUTORIZA,
    ("GET", "/politicas/importar"): GESTAO,
    ("POST", "/politicas/importar"): GESTAO,
    ("GET", "/politicas/campos"): AUTORIZA,
    ("POST", "/politicas/campos/{mapeamento_id}"): GESTAO,
    ("GET", "/politicas/{politica_id}"): AUTORIZA,
    ("GET", "/politicas/{politica_id}/publicar"): GESTAO,
    ("POST", "/politicas/{politica_id}/publicar"): GESTAO,
    ("GET", "/politicas/{politica_id}/revogar"): GESTAO,
    ("POST", "/politicas/{politica_id}/revogar"): GESTAO,
    ("GET", "/clinicas/conversa"): CONSULTA,
    ("POST", "/clinicas/conversa"): CONSULTA,
    ("GET", "/clinicas/conversa/{conversa_id}"): CONSULTA,
    ("POST", "/clinicas/conversa/{conversa_id}"): CONSULTA,
    ("GET", "/clinicas/conversa/{conversa_id}/encerrar"): CONSULTA,
    ("POST", "/clinicas/conversa/{conversa_id}/encerrar"): CONSULTA,
    ("GET", "/clinicas/conversa/{conversa_id}/eventos"): CONSULTA,
    ("GET", "/clinicas/conversa/{conversa_id}/comprovante"): CONSULTA,
    ("GET", "/clinicas/atendimento"): ATENDE,
    ("GET", "/clinicas/atendimento/eventos"): ATENDE,
    ("GET", "/clinicas/atendimento/{conversa_id}"): ATENDE,
    ("POST", "/clinicas/atendimento/{conversa_id}/assumir"): ATENDE,
    ("POST", "/clinicas/atendimento/{conversa_id}/responder"): ATENDE,
    ("POST", "/clinicas/atendimento/{conversa_id}/devolver"): ATENDE,
    ("GET", "/clinicas/situacao"): ATENDE,
    ("GET", "/clinicas/avaliacao"): ATENDE,
    ("GET", "/admin/editais"): GESTAO,
    ("POST", "/admin/editais"): GESTAO,
    ("GET", "/admin/editais/{edital_id}/triagem-ia"): GESTAO,
    ("POST", "/admin/editais/{edital_id}/triagem-ia"): GESTAO,
    ("POST", "/admin/editais/{edital_id}/triagem-ia/cancelar"): GESTAO,
    ("POST", "/admin/editais/{edital_id}/triagem-ia/retomar"): GESTAO,
    ("GET", "/admin/editais/{edital_id}/triagem-ia/andamento"): GESTAO,
    ("GET", "/admin/editais/{edital_id}/triagem-ia/exportacao"): GESTAO,
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao"): GESTAO,
    ("POST", "/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao"): GESTAO,
    ("POST", "/admin/editais/{edital_id}/projetos/{projeto_id}/reabrir"): GESTAO,
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}"): AVALIA,
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}/arquivo"): AVALIA,
    ("GET", "/admin/editais/{edital_id}/ranking"): GESTAO,
    ("GET", "/avaliacao"): AVALIA,
    ("GET", "/avaliacao/{projeto_id}"): AVALIA,
    ("POST", "/avaliacao/{projeto_id}"): AVALIA,
    ("POST", "/avaliacao/{projeto_id}/enviar"): AVALIA,
}


class ChaveAusente(CrivoError):
    """A program came without its key."""

    codigo: ClassVar[str] = "chave_ausente"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Falta a chave de API"


async def authorize(request: Request) -> None:
    """Let a request through as the table says, and note who is acting.

    Raises ChaveAusente, ChaveRecusada, SemPermissao, PedidosDemais, SessaoEncerrada, PassoPendente or EntradaCompleta.
    """
    match ACCESS[request.method, request.scope["route"].path]:
        case "publica":
            return
        case frozenset() as papeis:
            await _admit_session(request, papeis)
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


async def _admit_session(request: Request, papeis: Papeis) -> None:
    session_id = session_id_of(request)
    if session_id is None:
        raise SessaoEncerrada("Entre para continuar.")
    visita = await state_of(request).sessoes.session(session_id)
    enter(request, visita.scope, papel=visita.papel, nome=visita.nome)
    note_visita(request, visita)
    # What is still to be done of an entry is done first, and nothing else.
    path = request.scope["route"].path
    if visita.falta is not None and path not in (PASSOS[visita.falta], "/sair"):
        raise PassoPendente(visita.falta)
    if visita.falta is None and path in PASSOS.values():
        raise EntradaCompleta("Sua entrada já está completa.")
    if visita.papel is not None and visita.papel not in papeis:
        raise SemPermissao("Esta página não faz parte do seu trabalho aqui. Se deveria fazer, fale com quem administra o crivo.")
