"""Passwords of people: argon2 digests in a table of their own, checked in the same time whether or not somebody has that e-mail."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access.usuarios import Usuario, end_sessions, find_usuario
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from pwdlib import PasswordHash

SHORTEST: Final = 10
LONGEST: Final = 200
_TELLING: Final = 3  # letters of the person's own name or e-mail from which a password that holds them gives them away
_DISTINCT: Final = 5
_OWN: Final = 7  # characters that are left of a password without what everybody knows
_OBVIOUS: Final = ("senha", "password", "crivo", "123456", "qwerty", "abcdef", "mudar")
_KEEP: Final = """
    insert into senhas (tenant_id, usuario_id, resumo, mudada_em) values (%s, %s, %s, %s)
    on conflict (tenant_id, usuario_id) do update set resumo = excluded.resumo, mudada_em = excluded.mudada_em"""
_FIND: Final = "select resumo from senhas where tenant_id = %s and usuario_id = %s"


class SenhaFraca(CrivoError):
    """A password that others would guess."""

    codigo: ClassVar[str] = "senha_fraca"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Escolha outra senha"
    campo = "nova"


def check_senha(senha: str, usuario: Usuario) -> None:
    """Raises SenhaFraca for one that is too short, too long, or made of what everybody knows of the person."""
    if not SHORTEST <= len(senha) <= LONGEST:
        raise SenhaFraca(f"A senha deve ter de {SHORTEST} a {LONGEST} caracteres. Uma frase curta funciona bem.")
    plain = fold(senha).replace(" ", "")
    own = [part for part in (*fold(usuario.nome).split(), *fold(usuario.email.partition("@")[0]).split(".")) if len(part) >= _TELLING]
    rest = plain
    for known in (*own, *_OBVIOUS):
        rest = rest.replace(known, "")
    if len(set(plain)) < _DISTINCT or len(rest) < _OWN:
        raise SenhaFraca(
            "Essa senha é fácil de adivinhar. Evite o seu nome, sequências e palavras como 'senha'; uma frase curta funciona bem."
        )


async def set_senha(database: Database, scope: Scope, em: datetime, usuario: Usuario, senha: str) -> None:
    """Give a person a password; whoever was signed in as them is signed out. Raises SenhaFraca."""
    check_senha(senha, usuario)
    resumo = await asyncio.to_thread(_hasher().hash, senha)
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql(_KEEP, (uow.scope.tenant_id, usuario.id, resumo, em))
        await end_sessions(uow, usuario.id)
        await audit.append(uow, em, [audit.NewEntry(acao="senha_mudada", alvo=usuario.ator)])


async def has_senha(uow: UnitOfWork, usuario_id: UUID) -> bool:
    """Whether a person has chosen a password."""
    return await _resumo(uow, usuario_id) is not None


async def find_by_senha(database: Database, scope: Scope, email: str, senha: str) -> Usuario | None:
    """Who has that e-mail and that password, or None; neither the answer nor its time tells which of the two was wrong."""
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, email)
        resumo = None if usuario is None else await _resumo(uow, usuario.id)
    right = await asyncio.to_thread(_hasher().verify, senha[: LONGEST + 1], resumo or _nobodys())
    if usuario is None or usuario.desativado_em is not None or resumo is None or not right:
        return None
    return usuario


async def _resumo(uow: UnitOfWork, usuario_id: UUID) -> str | None:
    found = await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, usuario_id))
    row = found.one_or_none()
    return None if row is None else str(row.resumo)


@cache
def _hasher() -> PasswordHash:
    from pwdlib import PasswordHash  # here, for the sake of every start that signs nobody in

    return PasswordHash.recommended()


@cache
def _nobodys() -> str:
    return _hasher().hash("a password that nobody has")
