"""What stands stored of a mapping, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Status = Literal["rascunho", "publicado", "encerrado"]


@dataclass(frozen=True, slots=True)
class FormatoGuardado:
    """A stored mapping without its document; `versao` counts from 1 by name, `publicado_na` and `encerrado_na` are catalogue versions."""

    id: UUID
    nome: str
    administradora_id: str
    versao: int
    status: Status
    digest: bytes
    criado_em: datetime
    criado_por: str
    publicado_em: datetime | None = None
    publicado_na: int | None = None
    encerrado_em: datetime | None = None
    encerrado_na: int | None = None
