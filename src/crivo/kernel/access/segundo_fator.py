"""A person's second factor: turned on with a first code, asked at each entry, taken off by whoever lost it and somebody who may."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Final, Literal
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import codigos
from crivo.kernel.access.avisos import tell
from crivo.kernel.access.sessoes import Falta, SessaoEncerrada, forget_inscricoes
from crivo.kernel.access.tokens import RandomBytes, digest_of
from crivo.kernel.access.usuarios import Usuario, end_sessions
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Papel
from crivo.kernel.tenancy import Scope

Exigencia = Literal["administra", "todos", "ninguem"]
_ADMINISTRA: Final[frozenset[Papel]] = frozenset({"admin", "super_admin"})
_FIND: Final = "select segredo, ultimo_passo, ligado_em from segundos_fatores where tenant_id = %s and usuario_id = %s"
_PENDING: Final = """
    select inscricao from sessoes where tenant_id = %s and id_digest = %s and tipo = 'sessao' and ator = %s for update"""
_BEGIN: Final = "update sessoes set inscricao = %s where tenant_id = %s and id_digest = %s"
# What an earlier version left begun, whose secret more than one session was shown.
_FORGET_BEGUN: Final = "delete from segundos_fatores where tenant_id = %s and usuario_id = %s and ligado_em is null"
_TURN_ON: Final = """
    insert into segundos_fatores (tenant_id, usuario_id, segredo, ultimo_passo, criado_em, ligado_em)
    values (%s, %s, %s, %s, %s, %s) on conflict do nothing"""
# Of two who give one code at once, one has it: a step is taken once, and none before it any more.
_TAKE: Final = """
    update segundos_fatores set ultimo_passo = %(passo)s
    where tenant_id = %(tenant)s and usuario_id = %(usuario)s and ultimo_passo < %(passo)s and ligado_em is not null"""
_FORGET_CODES: Final = "delete from codigos_de_recuperacao where tenant_id = %s and usuario_id = %s"
_KEEP_CODE: Final = "insert into codigos_de_recuperacao (tenant_id, usuario_id, resumo) values (%s, %s, %s)"
_SPEND_CODE: Final = """
    update codigos_de_recuperacao set usado_em = %s where tenant_id = %s and usuario_id = %s and resumo = %s and usado_em is null"""
_LEFT: Final = "select count(*) from codigos_de_recuperacao where tenant_id = %s and usuario_id = %s and usado_em is null"
_REMOVE: Final = "delete from segundos_fatores where tenant_id = %s and usuario_id = %s returning ligado_em"


class CodigoErrado(CrivoError):
    """Not the code of now, one that was given before, or no recovery code that is left."""

    codigo: ClassVar[str] = "codigo_errado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O código não confere"


@dataclass(frozen=True, slots=True)
class Inscricao:
    """What an authenticator app takes: the secret typed, or the address read from a QR code."""

    segredo: str = field(repr=False)
    endereco: str = field(repr=False)


def is_required(exigencia: Exigencia, papel: Papel) -> bool:
    """Whether people of that role must have a second factor."""
    return exigencia == "todos" or (exigencia == "administra" and papel in _ADMINISTRA)


def falta_of(exigencia: Exigencia, papel: Papel, *, ligado: bool) -> Falta | None:
    """What whoever has proved a password still lacks: a code where they have a second factor, else to enrol where they must."""
    if ligado:
        return "codigo"
    return "inscricao" if is_required(exigencia, papel) else None


async def has_segundo_fator(uow: UnitOfWork, usuario_id: UUID) -> bool:
    """Whether a person's second factor is on."""
    row = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, usuario_id))).one_or_none()
    return row is not None and row.ligado_em is not None


async def count_recovery_codes(uow: UnitOfWork, usuario_id: UUID) -> int:
    """How many recovery codes a person has left."""
    return int((await uow.connection.exec_driver_sql(_LEFT, (uow.scope.tenant_id, usuario_id))).scalar_one())


async def remove_segundo_fator(uow: UnitOfWork, em: datetime, usuario: Usuario) -> bool:
    """Take a person's second factor off, and sign them out; whether it was on. They are told where another did it."""
    row = (await uow.connection.exec_driver_sql(_REMOVE, (uow.scope.tenant_id, usuario.id))).one_or_none()
    await uow.connection.exec_driver_sql(_FORGET_CODES, (uow.scope.tenant_id, usuario.id))
    if row is None or row.ligado_em is None:
        return False
    if uow.scope.ator != usuario.ator:
        await end_sessions(uow, usuario.id)
        await tell(uow, em, usuario.id, "segundo_fator_tirado")
    await audit.append(uow, em, [audit.NewEntry(acao="segundo_fator_tirado", alvo=usuario.ator)])
    return True


class SegundosFatores:
    """Second factors, whose secrets the database holds sealed, and of whose recovery codes it holds digests."""

    def __init__(self, database: Database, clock: Clock, random_bytes: RandomBytes = secrets.token_bytes) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    async def begin(self, scope: Scope, usuario: Usuario, session_id: str) -> Inscricao:
        """What a person's app has to take: made for the session that enrols, and the same until it is on or the session is over.

        No other session is shown it. Raises CodigoErrado where it is on already, SessaoEncerrada where the session is not theirs.
        """
        async with self._database.unit_of_work(scope) as uow:
            if await has_segundo_fator(uow, usuario.id):
                raise CodigoErrado("O segundo fator já está ligado. Para trocar de aplicativo, desligue-o antes.")
            segredo = await self._begun(uow, usuario, session_id)
            if segredo is None:
                segredo = await self._made(uow, usuario, session_id)
        return Inscricao(segredo, codigos.otpauth(segredo, usuario.email or usuario.nome))

    async def turn_on(self, scope: Scope, usuario: Usuario, session_id: str, said: str) -> Sequence[str]:
        """Turn on what that session began, with the app's first code; the recovery codes, shown this once. Raises CodigoErrado.

        The person is told, as whoever has their password could do it.
        """
        async with self._database.unit_of_work(scope) as uow:
            now, segredo = self._clock.now(), await self._begun(uow, usuario, session_id)
            step = None if segredo is None else codigos.find_step(segredo, said, now, -1)
            if segredo is None or step is None:
                raise _wrong()
            await uow.connection.exec_driver_sql(_FORGET_BEGUN, (scope.tenant_id, usuario.id))
            kept = (scope.tenant_id, usuario.id, _key(uow).seal(str(usuario.id), segredo.encode()), step, now, now)
            if not (await uow.connection.exec_driver_sql(_TURN_ON, kept)).rowcount:
                raise _wrong()
            await forget_inscricoes(uow, usuario.id)
            fresh = await self._fresh_codes(uow, usuario)
            await tell(uow, now, usuario.id, "segundo_fator_ligado")
            await audit.append(uow, now, [audit.NewEntry(acao="segundo_fator_ligado", alvo=usuario.ator)])
        return fresh

    async def check(self, scope: Scope, usuario: Usuario, said: str) -> None:
        """Take a code of the app or a recovery code, once. Raises CodigoErrado; what was refused is in the audit."""
        async with self._database.unit_of_work(scope) as uow:
            now = self._clock.now()
            by_app = await self._took_step(uow, usuario, said, now)
            by_paper = not by_app and await self._took_recovery_code(uow, usuario, said, now)
            if by_paper:
                await audit.append(uow, now, [audit.NewEntry(acao="codigo_de_recuperacao_usado", alvo=usuario.ator)])
            elif not by_app:
                await audit.append(uow, now, [audit.NewEntry(acao="segundo_fator_recusado", alvo=usuario.ator)])
        if not (by_app or by_paper):
            raise _wrong()

    async def renew_codes(self, scope: Scope, usuario: Usuario, said: str) -> Sequence[str]:
        """New recovery codes for the old, against a code. Raises CodigoErrado."""
        await self.check(scope, usuario, said)
        async with self._database.unit_of_work(scope) as uow:
            fresh = await self._fresh_codes(uow, usuario)
            await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="codigos_de_recuperacao_trocados", alvo=usuario.ator)])
        return fresh

    async def _begun(self, uow: UnitOfWork, usuario: Usuario, session_id: str) -> str | None:
        """The secret that a session of the person's is enrolling with, or None. Raises SessaoEncerrada."""
        digest = digest_of(session_id)
        row = (await uow.connection.exec_driver_sql(_PENDING, (uow.scope.tenant_id, digest, usuario.ator))).one_or_none()
        if row is None:
            raise SessaoEncerrada("Sua sessão terminou. Entre de novo para continuar.")
        return None if row.inscricao is None else _key(uow).open(_of_session(usuario, digest), bytes(row.inscricao)).decode()

    async def _made(self, uow: UnitOfWork, usuario: Usuario, session_id: str) -> str:
        digest, segredo = digest_of(session_id), codigos.new_secret(self._random_bytes)
        sealed = _key(uow).seal(_of_session(usuario, digest), segredo.encode())
        await uow.connection.exec_driver_sql(_BEGIN, (sealed, uow.scope.tenant_id, digest))
        await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="inscricao_comecada", alvo=usuario.ator)])
        return segredo

    async def _took_step(self, uow: UnitOfWork, usuario: Usuario, said: str, now: datetime) -> bool:
        row = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, usuario.id))).one_or_none()
        if row is None or row.ligado_em is None:
            return False
        segredo = _key(uow).open(str(usuario.id), bytes(row.segredo)).decode()
        step = codigos.find_step(segredo, said, now, row.ultimo_passo)
        if step is None:
            return False
        values = {"passo": step, "tenant": uow.scope.tenant_id, "usuario": usuario.id}
        return bool((await uow.connection.exec_driver_sql(_TAKE, values)).rowcount)

    async def _took_recovery_code(self, uow: UnitOfWork, usuario: Usuario, said: str, now: datetime) -> bool:
        resumo = codigos.digest_of_recovery(said)
        if resumo is None:
            return False
        return bool((await uow.connection.exec_driver_sql(_SPEND_CODE, (now, uow.scope.tenant_id, usuario.id, resumo))).rowcount)

    async def _fresh_codes(self, uow: UnitOfWork, usuario: Usuario) -> Sequence[str]:
        fresh = codigos.new_recovery_codes(self._random_bytes)
        await uow.connection.exec_driver_sql(_FORGET_CODES, (uow.scope.tenant_id, usuario.id))
        for code in fresh:
            await uow.connection.exec_driver_sql(_KEEP_CODE, (uow.scope.tenant_id, usuario.id, codigos.digest_of_recovery(code)))
        return fresh


def _of_session(usuario: Usuario, digest: bytes) -> str:
    """What a secret that is not on yet is sealed for: it opens as nobody else's, and in no other session."""
    return f"{usuario.id}/{digest.hex()}"


def _key(uow: UnitOfWork) -> Chave:
    return uow.cofre.of_purpose(uow.scope.tenant_id, "segundos_fatores")


def _wrong() -> CodigoErrado:
    return CodigoErrado("Esse código não confere ou já foi usado. Espere o aplicativo mostrar o próximo e escreva-o aqui.")
