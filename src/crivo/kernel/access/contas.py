"""Which patient an account is: bound to a CPF once a document was seen, by whoever saw it. Source: design/sujeito.md."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, ClassVar, Final, Literal, get_args
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access.usuarios import Usuario, UsuarioInexistente, acting_usuario, find_usuario, get_pessoa
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import read_cpf
from crivo.kernel.sigilo.conta import open_cpf, seal_cpf
from crivo.kernel.sigilo.identidade import Identidade, identidade_of
from crivo.kernel.storage.session import UnitOfWork

Documento = Literal["rg", "cnh", "passaporte", "ctps", "outro"]
DOCUMENTOS: Final[tuple[Documento, ...]] = get_args(Documento)
_OF: Final = """
    select c.cpf_cifrado, c.provado_em, c.provado_por, k.embrulhada from contas_de_pacientes c
    join chaves_de_pessoas k on k.tenant_id = c.tenant_id and k.id = c.usuario_id
    where c.tenant_id = %s and c.usuario_id = %s"""
_HOLDER: Final = """
    select c.usuario_id, u.desativado_em from contas_de_pacientes c
    join usuarios u on u.tenant_id = c.tenant_id and u.id = c.usuario_id
    where c.tenant_id = %s and c.cpf_resumo = %s"""
_BOUND: Final = "select usuario_id from contas_de_pacientes where tenant_id = %s"
_UNBIND: Final = "delete from contas_de_pacientes where tenant_id = %s and usuario_id = %s"
_BIND: Final = """
    insert into contas_de_pacientes (tenant_id, usuario_id, cpf_resumo, cpf_cifrado, documento, provado_por, provado_em)
    values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing"""


class CpfInvalido(CrivoError):
    """A CPF whose figures do not agree; it is not repeated."""

    codigo: ClassVar[str] = "cpf_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "CPF inválido"
    campo = "cpf"

    def __init__(self) -> None:
        super().__init__("Esse CPF não confere. Verifique os onze números no documento e escreva de novo.")


class CpfEmUso(CrivoError):
    """Another account of this tenant is bound to that CPF."""

    codigo: ClassVar[str] = "cpf_em_uso"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "CPF em uso"
    campo = "cpf"

    def __init__(self) -> None:
        super().__init__("Já há uma conta com este CPF. Quem administra faz outro convite dela em Pessoas e papéis, ou tira o acesso.")


class ContaJaVinculada(CrivoError):
    """The account is bound to a CPF already, and stays so."""

    codigo: ClassVar[str] = "conta_ja_vinculada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A conta já tem um CPF"

    def __init__(self) -> None:
        super().__init__("Esta conta já está ligada a um CPF. Se ele está errado, quem administra tira o acesso dela, e aí se cria outra.")


class ContaDeOutroPapel(CrivoError):
    """Only a patient's account is bound to a CPF."""

    codigo: ClassVar[str] = "conta_de_outro_papel"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Só a conta de um paciente tem CPF"

    def __init__(self) -> None:
        super().__init__("Só uma conta com o papel paciente é ligada a um CPF. Escolha esse papel, ou deixe o CPF em branco.")


@dataclass(frozen=True, slots=True)
class Conta:
    """The patient that an account was proven to be: the name of the account, and the CPF in eleven digits."""

    usuario_id: UUID
    provado_em: datetime
    provado_por: str
    nome: str = field(repr=False)
    cpf: str = field(repr=False)


async def bind_cpf(uow: UnitOfWork, em: datetime, usuario: Usuario, cpf: str, documento: Documento) -> None:
    """Bind an account to the CPF of a document that whoever acts has seen.

    Raises CpfInvalido, ContaDeOutroPapel, ContaJaVinculada, and CpfEmUso for a CPF of another account that may still enter.
    """
    tenant_id, digits = uow.scope.tenant_id, read_cpf(cpf)
    if not usuario.is_patient:
        raise ContaDeOutroPapel
    if not digits:
        raise CpfInvalido
    if await _row(uow, usuario.id) is not None:
        raise ContaJaVinculada
    digest = uow.cofre.index(tenant_id, "cpf", digits)
    holder = (await uow.connection.exec_driver_sql(_HOLDER, (tenant_id, digest))).one_or_none()
    if holder is not None and holder.desativado_em is None:
        raise CpfEmUso
    if holder is not None:  # whoever had it enters no more
        await uow.connection.exec_driver_sql(_UNBIND, (tenant_id, holder.usuario_id))
    chave = (await uow.cofre.keys(uow, [usuario.id])).get(usuario.id)
    if chave is None:  # erased at this very moment
        raise ContaDeOutroPapel
    sealed = seal_cpf(chave, digits)
    values = (tenant_id, usuario.id, digest, sealed, documento, uow.scope.ator, em)
    if (await uow.connection.exec_driver_sql(_BIND, values)).rowcount == 0:  # another was bound at the same moment
        raise CpfEmUso
    await audit.append(uow, em, [audit.NewEntry(acao="conta_vinculada", alvo=usuario.ator, dados={"documento": documento})])


async def find_conta(uow: UnitOfWork) -> Conta | None:
    """The patient that whoever acts was proven to be; None for programs, other roles, those not bound, and those deactivated."""
    acting = await acting_usuario(uow)
    if acting is None or not acting.is_patient:
        return None
    row = await _row(uow, acting.id)
    chave = None if row is None else uow.cofre.unwrap(uow.scope.tenant_id, acting.id, row.embrulhada)
    if chave is None:
        return None
    digits = open_cpf(chave, bytes(row.cpf_cifrado))
    return Conta(acting.id, row.provado_em, row.provado_por, acting.nome, digits)


async def get_paciente(uow: UnitOfWork, said: str) -> Usuario:
    """The patient's account that is bound to a CPF, or has an e-mail. Raises UsuarioInexistente, IdentidadeInvalida.

    Of other accounts nothing is told, not even that they are there.
    """
    quem = identidade_of(said)
    digest = uow.cofre.index(uow.scope.tenant_id, "cpf", quem.cpf)
    holder = (await uow.connection.exec_driver_sql(_HOLDER, (uow.scope.tenant_id, digest))).one_or_none() if digest else None
    found = await get_pessoa(uow, holder.usuario_id) if holder is not None else await find_usuario(uow, quem.email)
    if found is None or not found.is_patient or found.desativado_em is not None:
        raise UsuarioInexistente("Nenhum paciente daqui tem esse CPF ou esse e-mail. Se for a primeira vez, convide-o com os dados dele.")
    return found


async def with_bound_cpf(uow: UnitOfWork, quem: Identidade) -> Identidade:
    """Somebody of whom an e-mail is told, with the CPF that their account is bound to; as told where there is none."""
    found = None if quem.cpf else await find_usuario(uow, quem.email)
    row = None if found is None else await _row(uow, found.id)
    chave = None if found is None or row is None else uow.cofre.unwrap(uow.scope.tenant_id, found.id, row.embrulhada)
    return quem if chave is None or row is None else replace(quem, cpf=open_cpf(chave, bytes(row.cpf_cifrado)))


async def bound_accounts(uow: UnitOfWork) -> frozenset[UUID]:
    """The accounts of the tenant that are bound to a CPF."""
    rows = await uow.connection.exec_driver_sql(_BOUND, (uow.scope.tenant_id,))
    return frozenset(row.usuario_id for row in rows)


def read_documento(text: str) -> Documento:
    """The kind of document that was seen; `outro` where it is none of those listed."""
    return next((one for one in DOCUMENTOS if one == text), "outro")


async def _row(uow: UnitOfWork, usuario_id: UUID) -> Any:
    return (await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, usuario_id))).one_or_none()
