"""What people call the rows that the audit vouches for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOME_DA_LINHA: Final[Mapping[str, str]] = {
    "autorizacoes": "Decisão",
    "autorizacao_revisoes": "Revisão",
    "politicas": "Política",
    "avaliacoes": "Nota",
    "habilitacao_decisoes": "Habilitação",
    "habilitacao_decisoes_anteriores": "Habilitação anterior",
}
"""By table, with a capital."""
