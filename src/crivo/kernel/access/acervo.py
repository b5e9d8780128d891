"""What this installation holds of a patient who has an account: told whole, and written over at their request.

People who work here are not erased: what they decided stays theirs in the audit. Source: design/sujeito.md, Erasure; LGPD, art. 16 and 18.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork

_BLANK: Final = "Conta apagada"
_FIND: Final = """
    select u.id from usuarios u left join contas_de_pacientes c on c.tenant_id = u.tenant_id and c.usuario_id = u.id
    where u.tenant_id = %(tenant)s and u.papel = 'paciente' and u.nome <> %(blank)s
      and (c.cpf_resumo = %(cpf)b or lower(u.email) = nullif(%(email)s, ''))"""
_HELD: Final = """
    select u.id, u.nome, u.email, u.criado_em, c.documento, c.provado_em
    from usuarios u left join contas_de_pacientes c on c.tenant_id = u.tenant_id and c.usuario_id = u.id
    where u.tenant_id = %s and u.id = any(%s) and u.nome <> %s"""
_UNBIND: Final = "delete from contas_de_pacientes where tenant_id = %s and usuario_id = any(%s)"
_END: Final = "delete from sessoes where tenant_id = %s and ator = any(%s)"
_WRITE_OVER: Final = """
    update usuarios set nome = %(blank)s, email = 'apagada-' || id || '@apagada.invalid', desativado_em = coalesce(desativado_em, now())
    where tenant_id = %(tenant)s and id = any(%(ids)s) and papel = 'paciente' and nome <> %(blank)s"""


class AcervoDeContas:
    """The accounts of patients: their name and e-mail, and the CPF that each was bound to."""

    aplicacao: Final[Aplicacao] = "pessoas"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """Accounts are looked for by the CPF that they are bound to, or by their e-mail."""
        tenant_id = uow.scope.tenant_id
        cpf = uow.cofre.index(tenant_id, "cpf", identidade.cpf)
        values = {"tenant": tenant_id, "blank": _BLANK, "cpf": cpf, "email": identidade.email}
        return [row.id for row in await uow.connection.exec_driver_sql(_FIND, values)]

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each account as it stands; the CPF is the one that was asked by, and is not repeated."""
        rows = await uow.connection.exec_driver_sql(_HELD, (uow.scope.tenant_id, list(registros), _BLANK))
        return [
            {
                "conta": row.id,
                "nome": row.nome,
                "email": row.email,
                "desde": row.criado_em,
                "documento": row.documento,
                "em": row.provado_em,
            }
            for row in rows
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """None: an account is of use to its patient alone."""
        return {}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Write over the accounts, which nobody enters any more."""
        tenant_id, ids = uow.scope.tenant_id, list(registros)
        await uow.connection.exec_driver_sql(_UNBIND, (tenant_id, ids))
        await uow.connection.exec_driver_sql(_END, (tenant_id, [f"usuario:{one}" for one in ids]))
        done = await uow.connection.exec_driver_sql(_WRITE_OVER, {"tenant": tenant_id, "ids": ids, "blank": _BLANK})
        return int(done.rowcount)

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """None: an account lasts until its patient leaves."""
        return []

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Nothing: names and e-mails of accounts are not sealed."""
        return 0
