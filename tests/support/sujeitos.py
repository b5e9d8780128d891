"""Scopes of proven subjects, as the doorkeepers would make them."""

from __future__ import annotations

from crivo.kernel.access import ESCOPOS, Escopo, Usuario
from crivo.kernel.sujeitos import Pessoa, Programa
from crivo.kernel.tenancy import Scope


def as_person(scope: Scope, usuario: Usuario) -> Scope:
    """A person of the tenant who has signed in."""
    return Scope(scope.tenant_id, usuario.ator, Pessoa(scope.tenant_id, usuario.id, usuario.papel))


def as_program(tenant_id: str, ator: str, *escopos: Escopo) -> Scope:
    """A program with a key of its own; without scopes named it has them all."""
    return Scope(tenant_id, ator, Programa(tenant_id, frozenset(escopos or ESCOPOS)))
