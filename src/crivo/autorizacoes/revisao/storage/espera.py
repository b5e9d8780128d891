"""Which decisions wait for a person: one condition for whoever asks."""

from __future__ import annotations

from typing import Final

ESPERA: Final = """a.decisao_final in ('PENDENTE_AJUSTES', 'NEGADO')
      and not exists (select 1 from autorizacao_revisoes v where v.tenant_id = a.tenant_id and v.autorizacao_id = a.id)
      and not exists (select 1 from chaves_de_pessoas k where k.tenant_id = a.tenant_id and k.id = a.id and k.destruida_em is not null)"""
"""Whether a decision `a` waits for a person."""
