"""What is held of a patient who has an account, on their request. Source: design/sujeito.md, Erasure; LGPD, art. 18."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from crivo.kernel.access import SessaoEncerrada, Sessoes, Usuario, bind_cpf, create_usuario, find_conta, get_pessoa
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.clock import FixedClock
from crivo.kernel.sigilo.pessoas import PessoaNaoEncontrada, Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CPF = "529.982.247-25"


@pytest.fixture
def pessoas(database: Database) -> Pessoas:
    return Pessoas(database, FixedClock(_NOW), (AcervoDeContas(),))


async def _patient(database: Database, scope: Scope) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, _NOW, uuid4(), "Iolanda Quintanilha", "iolanda@correio.exemplo", "paciente")
        await bind_cpf(uow, _NOW, made, _CPF, "rg")
        return made


@pytest.mark.parametrize("said", [_CPF, "52998224725", "Iolanda@correio.exemplo"])
async def test_an_account_is_told_and_written_over_and_nobody_enters_by_it(
    database: Database, scope: Scope, pessoas: Pessoas, said: str
) -> None:
    made, sessoes = await _patient(database, scope), Sessoes(database, FixedClock(_NOW))
    opened = await sessoes.redeem(await sessoes.create_link(scope, made.ator))
    (held,) = (await pessoas.exportar(scope, said))["dados"]["pessoas"]
    assert (held["nome"], held["email"], held["documento"]) == (made.nome, made.email, "rg")
    assert (await pessoas.apagar(scope, said, "Pedido 12")).apagados == {"pessoas": 1}
    async with database.unit_of_work(as_person(scope, made)) as uow:
        assert await find_conta(uow) is None
        left = await get_pessoa(uow, made.id)
    assert (left.nome, left.desativado_em is None) == ("Conta apagada", False)
    assert "iolanda" not in left.email
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)


async def test_whoever_works_here_is_not_erased_by_their_e_mail(database: Database, scope: Scope, pessoas: Pessoas) -> None:
    async with database.unit_of_work(scope) as uow:
        await create_usuario(uow, _NOW, uuid4(), "Lia", "lia@exemplo.org", "gestor")
    with pytest.raises(PessoaNaoEncontrada):
        await pessoas.apagar(scope, "lia@exemplo.org", "Pedido 13")
