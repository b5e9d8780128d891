"""The people of a tenant and their roles; nobody is deleted, as what they did stays theirs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.autorizar import Acao, Algum, SemPermissao, authorize, may
from crivo.kernel.cotas import require_room
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import fold, is_writable
from crivo.kernel.sigilo.conta import APAGADA, Conta, open_conta, plain_email, seal_conta
from crivo.kernel.sigilo.identidade import Identidade
from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.sujeitos import PAPEIS, Papel

_PREFIX: Final = "usuario:"
_EMAIL: Final = re.compile(r"[^\s@]{1,64}@[^\s@]{1,190}")
_NAME_CHARS: Final = 200
# Name and e-mail open with the account's key, in the round trip that finds the row.
_ALL: Final = """
    select u.id, u.papel, u.criado_em, u.desativado_em, u.selado, k.embrulhada
    from usuarios u left join chaves_de_pessoas k on k.tenant_id = u.tenant_id and k.id = u.id where u.tenant_id = %s"""
_BY_EMAIL: Final = f"{_ALL} and u.email_resumo = %s"
_BY_ID: Final = f"{_ALL} and u.id = %s"
_ACTIVE: Final = f"{_BY_ID} and u.desativado_em is null"
_SOME: Final = f"{_ALL} and u.id = any(%s)"
_ADD: Final = """
    insert into usuarios (tenant_id, id, papel, criado_em, selado, email_resumo) values (%s, %s, %s, %s, %s, %s) on conflict do nothing"""
_WORKING: Final = "select count(*) from usuarios where tenant_id = %s and desativado_em is null and papel <> 'paciente'"
# What was spent at a provider stays remembered: forgetting it would let it be given once more.
_LOCKED_OUT: Final = "delete from sessoes where tenant_id = %s and ator = %s and tipo <> 'ida'"
_KEYS_REVOKED: Final = """
    update chaves_api set revogada_em = %s where tenant_id = %s and usuario_id = %s and revogada_em is null returning id"""


class UsuarioInvalido(CrivoError):
    """A person who could not be told from another, or who has a role that does not exist."""

    codigo: ClassVar[str] = "usuario_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Usuário inválido"


class EmailEmUso(CrivoError):
    """Somebody of this tenant has that e-mail already."""

    codigo: ClassVar[str] = "email_em_uso"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "E-mail em uso"
    campo = "email"


class UsuarioInexistente(CrivoError):
    """Nobody of this tenant has that e-mail."""

    codigo: ClassVar[str] = "usuario_inexistente"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Usuário não encontrado"


@dataclass(frozen=True, slots=True)
class Usuario:
    """A person of a tenant; name and e-mail stay out of every representation."""

    id: UUID
    papel: Papel
    criado_em: datetime
    desativado_em: datetime | None
    nome: str = field(repr=False)
    email: str = field(repr=False)

    @property
    def ator(self) -> str:
        """How scopes and the audit name them."""
        return ator_of(self.id)

    @property
    def apagada(self) -> bool:
        """Whether it is nobody's any more: erased at their request."""
        return self.desativado_em is not None and (self.nome, self.email) == (APAGADA, "")

    @property
    def is_patient(self) -> bool:
        """Whether it is a patient's account, which alone is bound to a CPF."""
        return self.papel == "paciente"


def ator_of(usuario_id: UUID) -> str:
    """How scopes and the audit name a person."""
    return f"{_PREFIX}{usuario_id}"


def usuario_id_of(ator: str) -> UUID | None:
    """The person that scopes and the audit name so; None for a program, and for the command line."""
    if not ator.startswith(_PREFIX):
        return None
    try:
        return UUID(ator.removeprefix(_PREFIX))
    except ValueError:
        return None


async def create_usuario(uow: UnitOfWork, em: datetime, novo_id: UUID, nome: str, email: str, papel: str) -> Usuario:
    """Add a person to the scope's tenant. Raises UsuarioInvalido, EmailEmUso, CotaAtingida; SemPermissao where whoever acts may not."""
    role = read_papel(papel)
    require_may_give(uow, role)
    if role != "paciente":
        await require_room(uow, "pessoas", count_working)
    name, address = read_nome(nome), read_endereco(email)
    if not await add_usuario(uow, em, Usuario(novo_id, role, em, None, name, address)):
        raise EmailEmUso("Já há uma pessoa com este e-mail. Quem administra a encontra em Pessoas e papéis, e faz ali outro convite.")
    await audit.append(uow, em, [audit.NewEntry(acao="usuario_criado", alvo=ator_of(novo_id), dados={"papel": role})])
    return Usuario(novo_id, role, em, None, name, address)


async def count_working(uow: UnitOfWork) -> int:
    """How many people of the tenant may come in, patients left out: those are nobody's to choose."""
    return int((await uow.connection.exec_driver_sql(_WORKING, (uow.scope.tenant_id,))).scalar_one())


async def add_usuario(uow: UnitOfWork, em: datetime, usuario: Usuario) -> bool:
    """Keep somebody new, sealed under a key of their account; False where somebody has that e-mail. Who may was asked before."""
    nova = uow.cofre.new(uow.scope.tenant_id, usuario.id, Identidade(), em)
    sealed = seal_conta(nova.chave, Conta(usuario.nome, usuario.email))
    values = (uow.scope.tenant_id, usuario.id, usuario.papel, em, sealed, email_digest(uow, usuario.email))
    if (await uow.connection.exec_driver_sql(_ADD, values)).rowcount == 0:
        return False
    await uow.cofre.keep(uow, "pessoas", [nova])
    return True


async def list_usuarios(uow: UnitOfWork) -> tuple[Usuario, ...]:
    """Everybody of the tenant, by name; those who were erased last."""
    rows = await uow.connection.exec_driver_sql(_ALL, (uow.scope.tenant_id,))
    return tuple(sorted([_usuario(uow, row) for row in rows], key=lambda one: (one.apagada, fold(one.nome), one.id)))


async def names_of_usuarios(uow: UnitOfWork, ids: Collection[UUID]) -> Mapping[UUID, str]:
    """What some people of the tenant are called, by id."""
    rows = await uow.connection.exec_driver_sql(_SOME, (uow.scope.tenant_id, list(ids))) if ids else ()
    return {row.id: conta_of(uow, row.id, row).nome for row in rows}


def conta_of(uow: UnitOfWork, usuario_id: UUID, row: Any) -> Conta:
    """Whose the account of a row is that has its `selado` and its key's `embrulhada`."""
    return open_conta(uow.cofre.unwrap(uow.scope.tenant_id, usuario_id, row.embrulhada), row.selado)


def email_digest(uow: UnitOfWork, email: str) -> bytes | None:
    """What an account is found by, in any case of the e-mail's letters; None for an empty one."""
    return uow.cofre.index(uow.scope.tenant_id, "email", plain_email(email))


async def find_usuario(uow: UnitOfWork, email: str) -> Usuario | None:
    """Who has that e-mail, in any case of its letters."""
    if not _can_be_written(email):
        return None
    found = await uow.connection.exec_driver_sql(_BY_EMAIL, (uow.scope.tenant_id, email_digest(uow, email)))
    row = found.one_or_none()
    return None if row is None else _usuario(uow, row)


async def get_usuario(uow: UnitOfWork, email: str) -> Usuario:
    """Who has that e-mail. Raises UsuarioInexistente."""
    found = await find_usuario(uow, email)
    if found is None:
        where = uow.scope.tenant_id
        raise UsuarioInexistente(
            f"Ninguém tem este e-mail na organização '{where}'. Veja quem há com 'crivo usuarios listar --tenant {where}', ou diga outra "
            "organização com --tenant CÓDIGO; as que há: 'crivo organizacoes listar'."
        )
    return found


async def acting_usuario(uow: UnitOfWork) -> Usuario | None:
    """The person that the scope acts for; None for a program, and for somebody who was deactivated."""
    usuario_id = usuario_id_of(uow.scope.ator)
    if usuario_id is None:
        return None
    found = await uow.connection.exec_driver_sql(_ACTIVE, (uow.scope.tenant_id, usuario_id))
    row = found.one_or_none()
    return None if row is None else _usuario(uow, row)


async def get_pessoa(uow: UnitOfWork, usuario_id: UUID) -> Usuario:
    """A person of the tenant by their id. Raises UsuarioInexistente."""
    found = await uow.connection.exec_driver_sql(_BY_ID, (uow.scope.tenant_id, usuario_id))
    row = found.one_or_none()
    if row is None:
        raise UsuarioInexistente("Essa pessoa não está no cadastro. Volte à lista e escolha outra.")
    return _usuario(uow, row)


async def set_papel(uow: UnitOfWork, em: datetime, usuario: Usuario, papel: str) -> Usuario:
    """Give a person another role. Raises UsuarioInvalido, CotaAtingida; SemPermissao where whoever acts may not give or take that role."""
    role = read_papel(papel)
    require_may_change(uow, usuario, role)
    if usuario.is_patient and role != "paciente" and usuario.desativado_em is None:
        await require_room(uow, "pessoas", count_working)
    await uow.connection.exec_driver_sql(
        "update usuarios set papel = %s where tenant_id = %s and id = %s", (role, uow.scope.tenant_id, usuario.id)
    )
    # What was begun in one role does not go on in another: whoever is signed in enters again, and what was handed out lets nobody in.
    await end_sessions(uow, usuario.id)
    dados = {"de": usuario.papel, "para": role}
    await audit.append(uow, em, [audit.NewEntry(acao="papel_mudado", alvo=usuario.ator, dados=dados)])
    return replace(usuario, papel=role)


async def deactivate_usuario(uow: UnitOfWork, em: datetime, usuario: Usuario) -> None:
    """Let a person in no more; what they did stays. Raises SemPermissao for oneself, and for whom one may not change.

    Their sessions, links and invitations end and the keys that act for them are revoked, all for good: being let in again brings none back.
    """
    require_may_change(uow, usuario, usuario.papel)
    done = await uow.connection.exec_driver_sql(
        "update usuarios set desativado_em = %s where tenant_id = %s and id = %s and desativado_em is null",
        (em, uow.scope.tenant_id, usuario.id),
    )
    if done.rowcount:
        await audit.append(uow, em, [audit.NewEntry(acao="usuario_desativado", alvo=usuario.ator), *await _close(uow, em, usuario)])


async def reactivate_usuario(uow: UnitOfWork, em: datetime, usuario: Usuario) -> None:
    """Let a person in again; what was open before stays closed, and keys are made anew.

    Raises CotaAtingida; SemPermissao for whom one may not change.
    """
    require_may_change(uow, usuario, usuario.papel)
    if usuario.desativado_em is not None and not usuario.is_patient:
        await require_room(uow, "pessoas", count_working)
    done = await uow.connection.exec_driver_sql(
        "update usuarios set desativado_em = null where tenant_id = %s and id = %s and desativado_em is not null",
        (uow.scope.tenant_id, usuario.id),
    )
    if done.rowcount:
        # Again, for what was begun at the very moment at which access was taken, or was left by an earlier version.
        await audit.append(uow, em, [audit.NewEntry(acao="usuario_reativado", alvo=usuario.ator), *await _close(uow, em, usuario)])


async def _close(uow: UnitOfWork, em: datetime, usuario: Usuario) -> list[audit.NewEntry]:
    """End what lets in whoever acts as that person; what has to be told of it."""
    await end_sessions(uow, usuario.id)
    keys = await uow.connection.exec_driver_sql(_KEYS_REVOKED, (em, uow.scope.tenant_id, usuario.id))
    return [audit.NewEntry(acao="chave_revogada", alvo=f"chave:{key.id}") for key in keys]


async def end_sessions(uow: UnitOfWork, usuario_id: UUID) -> None:
    """Sign a person out everywhere, and have no link that was made for them let anybody in."""
    await uow.connection.exec_driver_sql(_LOCKED_OUT, (uow.scope.tenant_id, ator_of(usuario_id)))


def require_may_give(uow: UnitOfWork, papel: Papel) -> None:
    """Raises SemPermissao unless whoever acts may let people in, and into that role."""
    # Whoever is at the reception lets in the patients whose document they saw, and nobody else.
    of_patients = papel == "paciente" and may(uow.scope.sujeito, "clinicas.vincular_conta", Algum(uow.scope.tenant_id))
    if not of_patients:
        _ask(uow, "pessoas.administrar")
    if papel == "super_admin":
        _ask(uow, "pessoas.dar_papel_mais_alto")


def may_give(uow: UnitOfWork, papel: Papel) -> bool:
    """Whether whoever acts may let people into that role."""
    try:
        require_may_give(uow, papel)
    except SemPermissao:
        return False
    return True


def require_may_change(uow: UnitOfWork, usuario: Usuario, papel: Papel) -> None:
    """Raises SemPermissao unless whoever acts may change that person's access, in the role they have and in that one; nobody their own."""
    if uow.scope.ator == usuario.ator:
        raise SemPermissao("Ninguém muda o próprio acesso. Peça a outra pessoa da administração.")
    _ask(uow, "pessoas.administrar")
    if usuario.apagada:
        raise UsuarioInexistente("Os dados dessa pessoa foram apagados a pedido dela: não há mais conta a mudar. Convide-a de novo.")
    for one in {usuario.papel, papel}:
        require_may_give(uow, one)


def _ask(uow: UnitOfWork, acao: Acao) -> None:
    authorize(uow.scope.sujeito, acao, Algum(uow.scope.tenant_id))


def read_papel(text: str) -> Papel:
    """The role named. Raises UsuarioInvalido."""
    for papel in PAPEIS:
        if papel == text:
            return papel
    raise UsuarioInvalido(f"O papel deve ser um destes: {', '.join(PAPEIS)}.", campo="papel")


def read_nome(text: str) -> str:
    """A person's name, as it is kept. Raises UsuarioInvalido."""
    name = text.strip()
    if not _can_be_written(name):
        raise UsuarioInvalido("O nome tem um caractere que não se escreve. Digite-o de novo.", campo="nome")
    if not name or len(name) > _NAME_CHARS:
        raise UsuarioInvalido(f"Informe o nome da pessoa, com até {_NAME_CHARS} letras.", campo="nome")
    return name


def read_endereco(text: str) -> str:
    """A person's e-mail, as it is kept. Raises UsuarioInvalido."""
    address = text.strip()
    if not _can_be_written(address):
        raise UsuarioInvalido("O e-mail tem um caractere que não se escreve. Digite-o de novo.", campo="email")
    if not _EMAIL.fullmatch(address):
        raise UsuarioInvalido("Informe um e-mail completo, como ana@prefeitura.gov.br.", campo="email")
    return address


def _can_be_written(text: str) -> bool:
    """Whether a text holds no control character, and nothing that no database takes."""
    return all(map(is_writable, text))


def _usuario(uow: UnitOfWork, row: Any) -> Usuario:
    conta = conta_of(uow, row.id, row)
    return Usuario(row.id, row.papel, row.criado_em, row.desativado_em, conta.nome, conta.email)
