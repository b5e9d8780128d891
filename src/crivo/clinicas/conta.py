"""The patient whom an account was proven to be. Source: design/sujeito.md, "Who a patient is"."""

from __future__ import annotations

from crivo.clinicas.conversa import Prova
from crivo.clinicas.orquestrador.contracts import Paciente
from crivo.kernel.access import Conta, find_conta
from crivo.kernel.linguagem.identificadores import format_cpf
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


async def find_conta_de(database: Database, casa: str, scope: Scope) -> Conta | None:
    """The account of a patient that a scope acts for. The clinics are of `casa`: another tenant's reception proves nothing there."""
    if scope.tenant_id != casa:
        return None
    async with database.unit_of_work(scope) as uow:
        return await find_conta(uow)


def paciente_of(conta: Conta) -> Paciente:
    """The patient of an account."""
    return Paciente(conta.nome, format_cpf(conta.cpf))


def still_proven(database: Database, casa: str) -> Prova:
    """Whether the account of whoever acts is still open, and still of that CPF."""

    async def stands(scope: Scope, cpf: str) -> bool:
        conta = await find_conta_de(database, casa, scope)
        return conta is not None and conta.cpf == cpf

    return stands
