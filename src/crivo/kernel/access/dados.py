"""A person's name and e-mail, changed: who they are here stays, by the account's id; what lets them in by the old e-mail does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from crivo.kernel import audit
from crivo.kernel.access.avisos import tell
from crivo.kernel.access.contas import bound_accounts
from crivo.kernel.access.usuarios import (
    EmailEmUso,
    Usuario,
    UsuarioInexistente,
    email_digest,
    end_sessions,
    find_usuario,
    get_pessoa,
    read_endereco,
    read_nome,
    require_may_change,
)
from crivo.kernel.autorizar import Algum, SemPermissao, authorize
from crivo.kernel.sigilo.conta import Conta, plain_email, seal_conta
from crivo.kernel.storage.session import UnitOfWork

_LOCK: Final = "select 1 from usuarios where tenant_id = %s and id = %s for update"
_SEAL: Final = "update usuarios set selado = %s, email_resumo = %s where tenant_id = %s and id = %s and selado is not null"


async def rename_own(uow: UnitOfWork, em: datetime, usuario: Usuario, nome: str) -> Usuario:
    """Change the name of whoever acts. Raises UsuarioInvalido; SemPermissao for a patient whose document was seen."""
    authorize(uow.scope.sujeito, "conta.mudar", Algum(uow.scope.tenant_id))
    if uow.scope.ator != usuario.ator:
        raise SemPermissao("Cada pessoa muda aqui só o próprio nome.")
    if usuario.is_patient and usuario.id in await bound_accounts(uow):
        raise SemPermissao("O seu nome é o do documento que a recepção conferiu. Se ele mudou, fale com a recepção.")
    return await _renamed(uow, em, usuario, nome)


async def rename_usuario(uow: UnitOfWork, em: datetime, usuario: Usuario, nome: str) -> Usuario:
    """Change another person's name; they are told. Raises UsuarioInvalido; SemPermissao for oneself, and for whom one may not change."""
    require_may_change(uow, usuario, usuario.papel)
    changed = await _renamed(uow, em, usuario, nome)
    if changed.nome != usuario.nome:
        await tell(uow, em, usuario.id, "nome_mudado")
    return changed


async def change_email(uow: UnitOfWork, em: datetime, usuario: Usuario, email: str) -> Usuario:
    """Give another person another e-mail: they are told, their sessions, links and invitations end, and they enter by the new one.

    The password stays theirs. Raises UsuarioInvalido, EmailEmUso; SemPermissao for oneself, and for whom one may not change.
    """
    require_may_change(uow, usuario, usuario.papel)
    address = read_endereco(email)
    holder = await find_usuario(uow, address)
    if holder is not None and holder.id != usuario.id:
        raise EmailEmUso("Já há uma pessoa com este e-mail aqui. Confira o endereço, ou mude antes o dela.")
    now = await _held(uow, usuario)
    if address == now.email:
        return now
    await _seal(uow, now, Conta(now.nome, address))
    if plain_email(address) != plain_email(now.email):  # what was handed out went to the address of before
        await end_sessions(uow, usuario.id)
    await tell(uow, em, usuario.id, "email_mudado")
    await audit.append(uow, em, [audit.NewEntry(acao="email_mudado", alvo=usuario.ator)])
    return replace(now, email=address)


async def _renamed(uow: UnitOfWork, em: datetime, usuario: Usuario, nome: str) -> Usuario:
    name, now = read_nome(nome), await _held(uow, usuario)
    if name == now.nome:
        return now
    await _seal(uow, now, Conta(name, now.email))
    await audit.append(uow, em, [audit.NewEntry(acao="nome_mudado", alvo=usuario.ator)])
    return replace(now, nome=name)


async def _held(uow: UnitOfWork, usuario: Usuario) -> Usuario:
    """The person as they are now, and stay until the unit of work ends: name and e-mail are one text."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id, usuario.id))
    return await get_pessoa(uow, usuario.id)


async def _seal(uow: UnitOfWork, usuario: Usuario, conta: Conta) -> None:
    chave = (await uow.cofre.keys(uow, [usuario.id])).get(usuario.id)
    if chave is None:
        raise UsuarioInexistente("Os dados dessa pessoa foram apagados a pedido dela: não há mais conta a mudar.")
    values = (seal_conta(chave, conta), email_digest(uow, conta.email), uow.scope.tenant_id, usuario.id)
    await uow.connection.exec_driver_sql(_SEAL, values)
