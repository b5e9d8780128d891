"""Sealing the accounts of before revision 0015, once, at the first start that finds some: the migration knows no keys.

Only who owns the table does it, which also writes it anew, so that no page of it keeps what stood in the clear.
"""

from __future__ import annotations

from typing import Any, Final

import psycopg

from crivo.kernel.sigilo.cofre import Cofre
from crivo.kernel.sigilo.conta import APAGADA, Conta, plain_email, seal_conta, seal_cpf
from crivo.kernel.sigilo.identidade import Identidade
from crivo.kernel.storage.errors import MigracaoImpossivel

_DONE: Final = "select convalidated from pg_constraint where conname = 'conta_sem_texto_legivel' and conrelid = 'public.usuarios'::regclass"
_MINE: Final = "select pg_has_role(relowner, 'USAGE') from pg_class where oid = 'public.usuarios'::regclass"
_LOCK: Final = 0x636F_6E74_6173  # 'contas'
_TENANTS: Final = "select id from public.tenants order by id"
_CLEAR: Final = """
    select id, nome, email, criado_em from public.usuarios where tenant_id = %s and (nome <> '' or email <> '')
    order by criado_em, id for update"""
_KEEP: Final = """
    insert into public.chaves_de_pessoas (tenant_id, id, aplicacao, embrulhada, criada_em) values (%s, %s, 'pessoas', %s, %s)
    on conflict do nothing"""
_SEAL: Final = "update public.usuarios set nome = '', email = '', selado = %s, email_resumo = %s where tenant_id = %s and id = %s"
_BOUND: Final = "select cpf_cifrado from public.contas_de_pacientes where tenant_id = %s and usuario_id = %s"
_SEAL_CPF: Final = "update public.contas_de_pacientes set cpf_cifrado = %s where tenant_id = %s and usuario_id = %s"
_OF_ERASED: Final = "apagada-{}@apagada.invalid"  # as an account was written over
_SEALED: Final = "alter table public.usuarios validate constraint conta_sem_texto_legivel"
_ANEW: Final = "vacuum (full) public.usuarios, public.contas_de_pacientes"


def seal_older_accounts(connection: psycopg.Connection, cofre: Cofre) -> None:
    """Seal every account that stands in the clear, on a connection that commits by itself.

    Raises MigracaoImpossivel where there are some and the connection is not of the table's owner.
    """
    if _is_done(connection):
        return
    if connection.execute(_MINE).fetchone() != (True,):
        raise MigracaoImpossivel(
            "Há contas de uma versão anterior ainda não fechadas à chave, e só o dono das tabelas as fecha. "
            "Rode 'crivo banco migrar' com o papel dele em CRIVO_DATABASE_URL."
        )
    connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
    try:
        if _is_done(connection):
            return
        for (tenant_id,) in connection.execute(_TENANTS).fetchall():
            with connection.transaction():
                connection.execute("select set_config('app.tenant_id', %s, true)", (tenant_id,))
                _seal_tenant(connection, cofre, tenant_id)
        connection.execute(_ANEW)
        connection.execute(_SEALED)
    finally:
        connection.execute("select pg_advisory_unlock(%s)", (_LOCK,))


def _is_done(connection: psycopg.Connection) -> bool:
    row = connection.execute(_DONE).fetchone()
    return row is None or bool(row[0])


def _seal_tenant(connection: psycopg.Connection, cofre: Cofre, tenant_id: str) -> None:
    taken: set[bytes | None] = set()
    for usuario_id, nome, email, criado_em in connection.execute(_CLEAR, (tenant_id,)).fetchall():
        nova = cofre.new(tenant_id, usuario_id, Identidade(), criado_em)
        erased = nome == APAGADA and email == _OF_ERASED.format(usuario_id)
        if erased or not connection.execute(_KEEP, (tenant_id, usuario_id, nova.embrulhada, criado_em)).rowcount:
            connection.execute(_SEAL, (None, None, tenant_id, usuario_id))
            continue
        digest = cofre.index(tenant_id, "email", plain_email(email))
        if digest in taken:  # two that only PostgreSQL told apart, by the case of a letter with an accent: the older one is found by it
            digest = None
        taken.add(digest)
        connection.execute(_SEAL, (seal_conta(nova.chave, Conta(nome, email)), digest, tenant_id, usuario_id))
        bound: Any = connection.execute(_BOUND, (tenant_id, usuario_id)).fetchone()
        if bound is not None:
            cpf = cofre.of_purpose(tenant_id, "contas_de_pacientes").open(str(usuario_id), bytes(bound[0])).decode()
            connection.execute(_SEAL_CPF, (seal_cpf(nova.chave, cpf), tenant_id, usuario_id))
