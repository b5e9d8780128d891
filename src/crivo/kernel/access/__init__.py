"""Who may enter: API keys for programs, sign-in links and sessions for people."""

from crivo.kernel.access.chaves import (
    Acesso,
    Chave,
    ChaveInexistente,
    ChaveInvalida,
    ChaveRecusada,
    NovaChave,
    Porteiro,
    create_chave,
    list_chaves,
    revoke_chave,
)
from crivo.kernel.access.scopes import ESCOPOS, Escopo, EscopoDesconhecido, SemPermissao, read_escopos, require
from crivo.kernel.access.sessoes import EntradaRecusada, Sessao, SessaoEncerrada, Sessoes

__all__ = [
    "ESCOPOS",
    "Acesso",
    "Chave",
    "ChaveInexistente",
    "ChaveInvalida",
    "ChaveRecusada",
    "EntradaRecusada",
    "Escopo",
    "EscopoDesconhecido",
    "NovaChave",
    "Porteiro",
    "SemPermissao",
    "Sessao",
    "SessaoEncerrada",
    "Sessoes",
    "create_chave",
    "list_chaves",
    "read_escopos",
    "require",
    "revoke_chave",
]
