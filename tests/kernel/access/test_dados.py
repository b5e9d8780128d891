"""Names and e-mails of people change, and the audit has neither."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from crivo.kernel.access import (
    EmailEmUso,
    EntradaRecusada,
    SemPermissao,
    SessaoEncerrada,
    Sessoes,
    Usuario,
    UsuarioInexistente,
    UsuarioInvalido,
    bind_cpf,
    change_email,
    create_usuario,
    find_by_senha,
    find_usuario,
    get_pessoa,
    list_avisos,
    rename_own,
    rename_usuario,
    set_senha,
)
from crivo.kernel.access.acervo import AcervoDeContas
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import FixedClock
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from procura_em_tudo import in_postgres, spellings
from sujeitos import as_person

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_CLOCK = FixedClock(_NOW)
_SENHA = "azul de metileno 7"


async def _made(database: Database, scope: Scope, email: str, papel: str = "gestor") -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), "Ana Braga", email, papel)


async def test_another_e_mail_ends_what_was_handed_out_and_lets_in_with_the_same_password(database: Database, scope: Scope) -> None:
    admin, ana = await _made(database, scope, "adm@exemplo.org", "admin"), await _made(database, scope, "ana@exemplo.org")
    await set_senha(database, scope, _NOW, ana, _SENHA)
    sessoes = Sessoes(database, _CLOCK)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    invited = await sessoes.create_link(scope, ana.ator, "convite")
    acting = as_person(scope, admin)
    async with database.unit_of_work(acting) as uow:
        assert (await change_email(uow, _NOW, ana, " ana.braga@exemplo.org ")).email == "ana.braga@exemplo.org"
    with pytest.raises(SessaoEncerrada):
        await sessoes.session(opened.id)
    with pytest.raises(EntradaRecusada):
        await sessoes.redeem(invited)
    assert await find_by_senha(database, scope, "ana@exemplo.org", _SENHA) is None
    found = await find_by_senha(database, scope, "ANA.Braga@exemplo.org", _SENHA)
    assert (found and found.id, found and found.nome) == (ana.id, "Ana Braga")
    async with database.unit_of_work(scope) as uow:
        assert [(one.acao, one.feito_por) for one in await list_avisos(uow, ana.id)] == [("email_mudado", admin.ator)]
        told = [one for one in await list_latest(uow, 30) if one.acao == "email_mudado"]
    assert [(one.ator, one.alvo, one.dados) for one in told] == [(admin.ator, ana.ator, "{}")]


async def test_only_the_spelling_of_an_e_mail_changed_signs_nobody_out_and_the_same_again_is_no_change(
    database: Database, scope: Scope
) -> None:
    ana, sessoes = await _made(database, scope, "ana@exemplo.org"), Sessoes(database, _CLOCK)
    opened = await sessoes.redeem(await sessoes.create_link(scope, ana.ator))
    for _ in range(2):
        async with database.unit_of_work(scope) as uow:
            assert (await change_email(uow, _NOW, ana, "Ana@exemplo.org")).email == "Ana@exemplo.org"
    assert (await sessoes.session(opened.id)).nome == "Ana Braga"
    async with database.unit_of_work(scope) as uow:
        assert len(await list_avisos(uow, ana.id)) == 1


async def test_an_e_mail_that_is_taken_or_is_none_is_refused_and_another_tenants_is_not_taken(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    ana, _ = await _made(database, scope, "ana@exemplo.org"), await _made(database, scope, "rita@exemplo.org")
    await _made(database, new_tenant(), "longe@exemplo.org")
    for email, error in (("RITA@exemplo.org", EmailEmUso), ("rita", UsuarioInvalido), ("", UsuarioInvalido)):
        async with database.unit_of_work(scope) as uow:
            with pytest.raises(error):
                await change_email(uow, _NOW, ana, email)
    async with database.unit_of_work(scope) as uow:
        assert (await change_email(uow, _NOW, ana, "longe@exemplo.org")).id == ana.id
        assert await find_usuario(uow, "ana@exemplo.org") is None


async def test_a_name_is_changed_by_who_administers_or_by_its_owner_and_both_changes_stay(database: Database, scope: Scope) -> None:
    admin, ana = await _made(database, scope, "adm@exemplo.org", "admin"), await _made(database, scope, "ana@exemplo.org")
    async with database.unit_of_work(as_person(scope, admin)) as uow:
        await change_email(uow, _NOW, ana, "outro@exemplo.org")
        await rename_usuario(uow, _NOW, ana, "Ana Braga Lima")  # as it was read before: the e-mail stays
    async with database.unit_of_work(as_person(scope, ana)) as uow:
        await rename_own(uow, _NOW, ana, "Ana Lima")
    async with database.unit_of_work(scope) as uow:
        now = await get_pessoa(uow, ana.id)
        told = [(one.ator, one.dados) for one in await list_latest(uow, 30) if one.acao == "nome_mudado"]
        assert sorted(one.acao for one in await list_avisos(uow, ana.id)) == ["email_mudado", "nome_mudado"]  # nobody is told of their own
    assert (now.nome, now.email) == ("Ana Lima", "outro@exemplo.org")
    assert told == [(ana.ator, "{}"), (admin.ator, "{}")]


@pytest.mark.parametrize("papel", ["gestor", "operador", "revisor", "avaliador", "paciente"])
async def test_nobody_without_the_role_changes_another_and_nobody_their_own_e_mail(database: Database, scope: Scope, papel: str) -> None:
    ana, rita = await _made(database, scope, "ana@exemplo.org", papel), await _made(database, scope, "rita@exemplo.org")
    chief = await _made(database, scope, "chefe@exemplo.org", "super_admin")
    admin = await _made(database, scope, "adm@exemplo.org", "admin")
    for acting, whose in ((ana, rita), (ana, ana), (admin, chief), (admin, admin)):
        async with database.unit_of_work(as_person(scope, acting)) as uow:
            with pytest.raises(SemPermissao):
                await change_email(uow, _NOW, whose, "novo@exemplo.org")
            with pytest.raises(SemPermissao):
                await rename_usuario(uow, _NOW, whose, "Outro nome")
            if acting is not whose:
                with pytest.raises(SemPermissao):
                    await rename_own(uow, _NOW, whose, "Outro nome")


async def test_a_patient_whose_document_was_seen_keeps_the_name_that_stood_in_it(database: Database, scope: Scope) -> None:
    ana = await _made(database, scope, "ana@exemplo.org", "paciente")
    async with database.unit_of_work(as_person(scope, ana)) as uow:
        assert (await rename_own(uow, _NOW, ana, "Ana B.")).nome == "Ana B."
    async with database.unit_of_work(scope) as uow:
        await bind_cpf(uow, _NOW, ana, "529.982.247-25", "rg")
    async with database.unit_of_work(as_person(scope, ana)) as uow:
        with pytest.raises(SemPermissao, match="documento que a recepção conferiu"):
            await rename_own(uow, _NOW, ana, "Outra Pessoa")


async def test_an_account_that_was_changed_is_erased_with_all_that_it_ever_was(
    database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    ana = await _made(database, scope, "umbelina.velha@exemplo.org")
    async with database.unit_of_work(scope) as uow:
        await change_email(uow, _NOW, await rename_usuario(uow, _NOW, ana, "Umbelina Taquari"), "umbelina.nova@exemplo.org")
    await Pessoas(database, _CLOCK, (AcervoDeContas(),)).apagar(scope, "umbelina.nova@exemplo.org", "Pedido 19")
    words = spellings("Umbelina Taquari", "umbelina.velha", "umbelina.nova")
    assert in_postgres(urls[0], scope.tenant_id, words) == []
    async with database.unit_of_work(scope) as uow:
        with pytest.raises(UsuarioInexistente):
            await rename_usuario(uow, _NOW, await get_pessoa(uow, ana.id), "Volta")
