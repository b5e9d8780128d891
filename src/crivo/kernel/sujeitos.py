"""Who acts: the closed union of proven subjects, the roles of people, and the scopes of keys. `kernel.access` decides over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, get_args
from uuid import UUID

Papel = Literal["gestor", "admin", "super_admin", "avaliador", "revisor", "operador", "paciente"]
PAPEIS: Final[tuple[Papel, ...]] = get_args(Papel)
Escopo = Literal[
    "autorizacoes:escrever",
    "autorizacoes:ler",
    "autorizacoes:revisar",
    "entregas:administrar",
    "politicas:escrever",
    "politicas:ler",
    "auditoria:ler",
    "custos:ler",
    "clinicas:conversar",
    "clinicas:operar",
    "triagem:executar",
    "triagem:ler",
    "triagem:avaliar",
    "triagem:decidir",
]
ESCOPOS: Final[tuple[Escopo, ...]] = get_args(Escopo)


@dataclass(frozen=True, slots=True)
class Pessoa:
    """A person of a tenant, proven by a session; `papel` is the role they have at this request."""

    tenant_id: str
    usuario_id: UUID
    papel: Papel


@dataclass(frozen=True, slots=True)
class Programa:
    """A program with a key of its own, which may do what the key's scopes name."""

    tenant_id: str
    escopos: frozenset[Escopo]


@dataclass(frozen=True, slots=True)
class ProgramaDePessoa:
    """A program with a key that acts for a person: its scopes, and of them only what that person's role allows at this request.

    `chave` is the key's id, by which the audit tells what it did from what the person did.
    """

    tenant_id: str
    usuario_id: UUID
    papel: Papel
    escopos: frozenset[Escopo]
    chave: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Paciente:
    """A patient whose identity was proven inside a conversation: of all their appointments, or of the one whose code they gave."""

    tenant_id: str
    cpf: str = field(repr=False)
    consulta: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Console:
    """Whoever runs commands or workers on the machine itself, which holds every key already: any act, in any tenant."""


@dataclass(frozen=True, slots=True)
class Anonimo:
    """Nobody in particular: what a scope is of until somebody was proven."""


Sujeito = Pessoa | Programa | ProgramaDePessoa | Paciente | Console | Anonimo
ANONIMO: Final = Anonimo()
CONSOLE: Final = Console()
INSTALACAO: Final = "instalacao"
"""How an organisation's own audit names whoever looks after the installation, by the page: a person of another organisation."""
