"""What this installation holds of whoever has an account, patients and people who work here: told whole, and erased with its key.

What somebody did stays theirs in the audit, which knows them by their account's id. Source: design/sujeito.md, Erasure; LGPD, art. 16, 18.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.access.usuarios import conta_of, email_digest
from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork

_FIND: Final = """
    select u.id from usuarios u left join contas_de_pacientes c on c.tenant_id = u.tenant_id and c.usuario_id = u.id
    where u.tenant_id = %(tenant)s and u.selado is not null and (c.cpf_resumo = %(cpf)b or u.email_resumo = %(email)b)"""
_HELD: Final = """
    select u.id, u.selado, k.embrulhada, u.papel, u.criado_em, c.documento, c.provado_em
    from usuarios u left join contas_de_pacientes c on c.tenant_id = u.tenant_id and c.usuario_id = u.id
    join chaves_de_pessoas k on k.tenant_id = u.tenant_id and k.id = u.id and k.embrulhada is not null
    where u.tenant_id = %s and u.id = any(%s) and u.selado is not null"""
_UNBIND: Final = "delete from contas_de_pacientes where tenant_id = %s and usuario_id = any(%s)"
_LAST: Final = """
    select u.id from usuarios u
    where u.tenant_id = %(tenant)s and u.id = any(%(ids)s) and u.papel = 'super_admin' and u.desativado_em is null
      and not exists (select from usuarios o where o.tenant_id = u.tenant_id and o.papel = 'super_admin' and o.desativado_em is null
        and not o.id = any(%(ids)s))"""
_LAST_ONE: Final = (
    "É a última pessoa com o papel super_admin: sem ela ninguém mais administra este crivo. "
    "Dê o papel a outra pessoa com 'crivo usuarios criar' ou em /admin/pessoas, e apague de novo."
)
# What lets them in, by a password, a code or a key that acts for them.
_LOCK_OUT: Final = (
    "delete from senhas where tenant_id = %(tenant)s and usuario_id = any(%(ids)s)",
    "delete from codigos_de_recuperacao where tenant_id = %(tenant)s and usuario_id = any(%(ids)s)",
    "delete from segundos_fatores where tenant_id = %(tenant)s and usuario_id = any(%(ids)s)",
    "update chaves_api set revogada_em = now() where tenant_id = %(tenant)s and usuario_id = any(%(ids)s) and revogada_em is null",
)
_END: Final = "delete from sessoes where tenant_id = %s and ator = any(%s)"
_CLEAR: Final = """
    update usuarios set selado = null, email_resumo = null, desativado_em = coalesce(desativado_em, now())
    where tenant_id = %(tenant)s and id = any(%(ids)s) and selado is not null"""


class AcervoDeContas:
    """Accounts: name and e-mail, and the CPF that a patient's was bound to."""

    aplicacao: Final[Aplicacao] = "pessoas"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """Accounts are looked for by their e-mail, and a patient's by the CPF that it is bound to."""
        tenant_id = uow.scope.tenant_id
        cpf = uow.cofre.index(tenant_id, "cpf", identidade.cpf)
        values = {"tenant": tenant_id, "cpf": cpf, "email": email_digest(uow, identidade.email)}
        return [row.id for row in await uow.connection.exec_driver_sql(_FIND, values)]

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each account as it stands; the CPF is the one that was asked by, and is not repeated."""
        rows = await uow.connection.exec_driver_sql(_HELD, (uow.scope.tenant_id, list(registros)))
        return [
            {
                "conta": row.id,
                "nome": (conta := conta_of(uow, row.id, row)).nome,
                "email": conta.email,
                "papel": row.papel,
                "desde": row.criado_em,
                "documento": row.documento,
                "em": row.provado_em,
            }
            for row in rows
        ]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """The last account that may administer everything: with it gone nobody could let anybody in."""
        values = {"tenant": uow.scope.tenant_id, "ids": list(registros)}
        return {row.id: _LAST_ONE for row in await uow.connection.exec_driver_sql(_LAST, values)}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """Clear what was sealed of the accounts, which nobody enters any more."""
        tenant_id, ids = uow.scope.tenant_id, list(registros)
        await uow.connection.exec_driver_sql(_UNBIND, (tenant_id, ids))
        for statement in _LOCK_OUT:
            await uow.connection.exec_driver_sql(statement, {"tenant": tenant_id, "ids": ids})
        await uow.connection.exec_driver_sql(_END, (tenant_id, [f"usuario:{one}" for one in ids]))
        done = await uow.connection.exec_driver_sql(_CLEAR, {"tenant": tenant_id, "ids": ids})
        return int(done.rowcount)

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """None: an account lasts until its person leaves."""
        return []

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Nothing: accounts of before are sealed at the start, as nobody is found by an e-mail in the clear."""
        return 0
