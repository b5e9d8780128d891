"""Who is acting, and in whose data: the argument that no use case can be called without."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sujeitos import ANONIMO, Sujeito

LOCAL_TENANT = "local"
_TENANT_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")


class InvalidTenant(CrivoError):
    """A tenant id that no tenant can have."""

    codigo: ClassVar[str] = "inquilino_invalido"
    kind: ClassVar[Kind] = Kind.MISUSE


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant and the actor working in it; every stored row and audit entry is written under one.

    `sujeito` is who was proven, and what use cases ask `authorize` about; two scopes of one actor are the same whatever role they have now.
    """

    tenant_id: str
    ator: str
    sujeito: Sujeito = field(default=ANONIMO, compare=False)

    def __post_init__(self) -> None:
        if not _TENANT_ID.fullmatch(self.tenant_id):
            raise InvalidTenant("O código da organização deve ter de 1 a 40 letras minúsculas, algarismos ou hífens, como 'local'.")
