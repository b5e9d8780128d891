"""The organisations of an installation: each a tenant, with people, records and an audit of its own.

Who looks after them is whoever has the machine, and whoever has the highest role in the installation's own organisation, by a session that
a second factor opened; nobody of another organisation. What is done is told in both audits, and why is kept sealed beside it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Final, Literal
from uuid import UUID

from crivo.kernel.access.chaves import count_chaves
from crivo.kernel.access.dados import rename_usuario
from crivo.kernel.access.segundo_fator import has_segundo_fator
from crivo.kernel.access.senhas import has_senha
from crivo.kernel.access.sessoes import Sessoes
from crivo.kernel.access.tokens import RandomBytes
from crivo.kernel.access.usuarios import (
    EmailEmUso,
    Usuario,
    count_working,
    create_usuario,
    find_usuario,
    read_endereco,
    read_nome,
    usuario_id_of,
)
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.autorizar import Algum, SemPermissao, asks, authorize
from crivo.kernel.clock import Clock
from crivo.kernel.cotas import NA_HORA, POR_NOME, Medidor, Nome, Uso, Valores, own_cotas, set_cotas, usos_of
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.ledger import spent_since
from crivo.kernel.llm.orcamento import month_of
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.errors import InquilinoDesconhecido
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import CONSOLE, INSTALACAO, Console, Papel
from crivo.kernel.suspensao import count_waiting, is_suspended, wake
from crivo.kernel.tenancy import Scope

Ato = Literal["criada", "renomeada", "suspensa", "reativada", "cotas", "convidada"]
MOTIVO_MAXIMO: Final = 500
NOME_MAXIMO: Final = 200
_ACTS_SHOWN: Final = 50
_CONVIDA_COMO: Final[Papel] = "super_admin"  # the role that an invitation from outside gives
_SHOWN: Final = 20
_LOOKING: Final = "inicio"
_SEALED_FOR: Final = "organizacoes"
_ALL: Final = "select id, nome, criado_em, suspensa_em from organizacoes_da_instalacao()"
_IS_THERE: Final = "select 1 from tenants where id = %s"
_FIND: Final = "select id, nome, criado_em, suspensa_em from tenants where id = %s"
_LOCK: Final = f"{_FIND} for update"
_ADD: Final = "insert into tenants (id, nome, criado_em) values (%s, %s, %s) on conflict do nothing"
_RENAME: Final = "update tenants set nome = %s where id = %s"
_SUSPEND: Final = "update tenants set suspensa_em = %s where id = %s"
_IN: Final = "select set_config('app.tenant_id', %s, true)"
_NOTE: Final = """
    insert into organizacao_atos (tenant_id, id, acao, motivo, feito_por, feito_em, mudou)
    values (%s, %s, %s, %s, %s, %s, %s)"""
_ACTS: Final = """
    select id, acao, motivo, feito_por, feito_em, mudou from organizacao_atos
    where tenant_id = %s order by feito_em desc, id desc limit %s"""
_HAS_ACTED: Final = "select exists (select from auditoria where tenant_id = %s and ator = %s)"
_LAST: Final = "select em from auditoria where tenant_id = %s order by seq desc limit 1"
# What each act is called in the organisation's own audit, and in that of the organisation whose person did it.
NA_AUDITORIA: Final[Mapping[Ato, tuple[str, str]]] = {
    "criada": ("organizacao_criada", "instalacao.organizacao_criada"),
    "renomeada": ("organizacao_renomeada", "instalacao.organizacao_renomeada"),
    "suspensa": ("organizacao_suspensa", "instalacao.organizacao_suspensa"),
    "reativada": ("organizacao_reativada", "instalacao.organizacao_reativada"),
    "cotas": ("cotas_mudadas", "instalacao.cotas_mudadas"),
    "convidada": ("administracao_convidada", "instalacao.administracao_convidada"),
}


# What was kept, before there could be none, in the place of a reason that nobody gave: the act again.
_NO_REASON: Final = frozenset({"Criada.", "Novo nome.", "Cotas mudadas."})
Mudadas = Mapping[Nome, tuple[Decimal | None, Decimal | None]]
"""Quotas that were changed: what each was and what it became, None where an organisation has none of its own."""


class OrganizacaoJaExiste(CrivoError):
    """There is an organisation of that id."""

    codigo: ClassVar[str] = "organizacao_ja_existe"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Essa organização já existe"
    campo = "id"


class OrganizacaoInvalida(CrivoError):
    """A name that nobody could read, or a reason that says nothing."""

    codigo: ClassVar[str] = "organizacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Confira o que foi escrito"


class OrganizacaoDaInstalacao(CrivoError):
    """The organisation that looks after the others would be left without a way in."""

    codigo: ClassVar[str] = "organizacao_da_instalacao"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Esta é a organização da própria instalação"


class OrganizacaoNaoConfirmada(CrivoError):
    """The id that was typed to confirm is not that of the organisation."""

    codigo: ClassVar[str] = "organizacao_nao_confirmada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta confirmar"
    campo = "confirma"


class SegundoFatorExigido(CrivoError):
    """Whoever looks after the organisations of an installation must have a second factor, whatever the settings ask of others."""

    codigo: ClassVar[str] = "segundo_fator_exigido"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Ligue o seu segundo fator"


@dataclass(frozen=True, slots=True)
class Organizacao:
    """An organisation: its id, by which commands name it, what people call it, and since when it is suspended, where it is."""

    id: str
    nome: str
    criado_em: datetime
    suspensa_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class AtoFeito:
    """What was done to an organisation from outside, when, by which actor, why where it was said, and which quotas it changed."""

    acao: Ato
    em: datetime
    por: str
    motivo: str
    mudadas: Mudadas


@dataclass(frozen=True, slots=True)
class Numeros:
    """An organisation in figures, none of which tells of anybody."""

    usos: tuple[Uso, ...]
    decisoes_no_mes: int
    ultima_atividade: datetime | None
    parados: int

    def uso(self, nome: Nome) -> Uso:
        """What is used of one quota."""
        return next(one for one in self.usos if one.cota.codigo == nome)


@dataclass(frozen=True, slots=True)
class Ficha:
    """All that is shown of an organisation to whoever looks after it."""

    organizacao: Organizacao
    numeros: Numeros
    atos: tuple[AtoFeito, ...]
    da_instalacao: bool


class Organizacoes:
    """Makes, lists, renames, suspends and reactivates organisations, and gives them quotas; every act in the audit of both sides.

    `casa` is the installation's own, whose people alone do so by the net; `medidores` count what applications keep of an organisation, and
    `do_mes` its decisions since the month began. `instalacao` are the limits that hold where an organisation has none of its own;
    `por_chave`, how many requests a minute each key may ask, whatever the organisation has.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        new_id: Callable[[], UUID],
        casa: str,
        medidores: Sequence[Medidor] = (),
        do_mes: Callable[[UnitOfWork, datetime], Awaitable[int]] | None = None,
        instalacao: Valores | None = None,
        por_chave: Decimal | None = None,
        random_bytes: RandomBytes = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._medidores = tuple(medidores)
        self._do_mes = do_mes
        self._instalacao = instalacao or {}
        self._por_chave = por_chave
        self._random_bytes = random_bytes
        self.casa: Final = casa

    @asks("organizacoes.administrar")
    async def listar(self, scope: Scope) -> Sequence[Organizacao]:
        """All of the installation, by id. Raises SemPermissao, SegundoFatorExigido."""
        await self._ask(scope)
        return await self._all(scope)

    @asks("organizacoes.administrar")
    async def numeros(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Numeros]:
        """Organisations in figures, by id; each is counted by itself, as nobody sees two at once."""
        await self._ask(scope)
        return {one: await self._numbers(Scope(one, scope.ator)) for one in ids}

    @asks("organizacoes.administrar")
    async def obter(self, scope: Scope, organizacao_id: str) -> Ficha:
        """One, with its figures and what was done to it, the latest first. Raises InvalidTenant, InquilinoDesconhecido."""
        await self._ask(scope)
        found = await self._find(scope, organizacao_id)
        within = Scope(organizacao_id, scope.ator)
        numeros = await self._numbers(within)
        async with self._database.unit_of_work(within) as uow:
            rows = (await uow.connection.exec_driver_sql(_ACTS, (organizacao_id, _ACTS_SHOWN))).all()
            key = _key(uow)
            atos = tuple([_act(one, key) for one in rows])
        return Ficha(found, numeros, atos, organizacao_id == self.casa)

    @asks("organizacoes.administrar")
    async def criar(self, scope: Scope, organizacao_id: str, nome: str, motivo: str = "") -> Organizacao:
        """Make one, with nobody in it yet. Raises InvalidTenant, OrganizacaoInvalida, OrganizacaoJaExiste."""
        await self._ask(scope)
        within, name, em = replace(scope, tenant_id=organizacao_id), _read(nome), self._clock.now()
        async with self._database.unit_of_work(within) as uow:
            if (await uow.connection.exec_driver_sql(_ADD, (organizacao_id, name, em))).rowcount == 0:
                raise OrganizacaoJaExiste(f"A organização '{organizacao_id}' já existe. Veja as que há na lista e escolha outro código.")
            await self._tell(uow, scope, em, "criada", _reason(motivo, needed=False))
        return Organizacao(organizacao_id, name, em)

    @asks("organizacoes.administrar")
    async def convidar(self, scope: Scope, organizacao_id: str, nome: str, email: str, motivo: str = "") -> tuple[Usuario, str]:
        """Add who is to administer an organisation, and the token of their invitation, with which they choose a password.

        For who was invited so and has not come in yet it is another invitation, and the one before is over.
        Raises InquilinoDesconhecido, OrganizacaoInvalida, UsuarioInvalido, EmailEmUso, CotaAtingida.
        """
        await self._ask(scope)
        said, em = _reason(motivo, needed=False), self._clock.now()
        within = Scope(organizacao_id, _ator_in(scope, organizacao_id, self.casa), CONSOLE)
        async with self._locked(scope, organizacao_id) as (uow, _):
            inside = replace(uow, scope=within)
            usuario = await _invited(inside, em, read_nome(nome), read_endereco(email))
            if usuario is None:
                usuario = await create_usuario(inside, em, self._new_id(), nome, email, _CONVIDA_COMO)
            await self._tell(uow, scope, em, "convidada", said, dados={"para": usuario.ator})
        sessoes = Sessoes(self._database, self._clock, self._random_bytes)
        return usuario, await sessoes.create_link(within, usuario.ator, "convite")

    @asks("organizacoes.administrar")
    async def renomear(self, scope: Scope, organizacao_id: str, nome: str, motivo: str = "") -> bool:
        """Change what people call one; its id stays. False where it is called so already, and nothing is done.

        Raises InvalidTenant, OrganizacaoInvalida, InquilinoDesconhecido.
        """
        await self._ask(scope)
        name, said, em = _read(nome), _reason(motivo, needed=False), self._clock.now()
        async with self._locked(scope, organizacao_id) as (uow, found):
            if found.nome == name:
                return False
            await uow.connection.exec_driver_sql(_RENAME, (name, organizacao_id))
            await self._tell(uow, scope, em, "renomeada", said)
        return True

    @asks("organizacoes.administrar")
    async def suspender(self, scope: Scope, organizacao_id: str, motivo: str) -> tuple[Organizacao, bool]:
        """Let nobody of one in, nor its programs, and have its work wait; nothing of it is lost. False: it was suspended already.

        Raises OrganizacaoDaInstalacao, OrganizacaoInvalida without a reason, InvalidTenant, InquilinoDesconhecido.
        """
        await self._ask(scope)
        said, em = _reason(motivo), self._clock.now()
        if organizacao_id == self.casa:
            raise OrganizacaoDaInstalacao(
                "Ela cuida das outras e não pode ser suspensa: ninguém entraria para desfazer. Suspenda outra, ou mude CRIVO_TENANT antes."
            )
        async with self._locked(scope, organizacao_id) as (uow, found):
            if found.suspensa_em is not None:
                return found, False
            await uow.connection.exec_driver_sql(_SUSPEND, (em, organizacao_id))
            await self._tell(uow, scope, em, "suspensa", said)
        return replace(found, suspensa_em=em), True

    @asks("organizacoes.administrar")
    async def reativar(self, scope: Scope, organizacao_id: str, motivo: str) -> int | None:
        """Undo a suspension: everything goes on where it stopped; how many jobs that waited go on. None where it was not suspended.

        Raises OrganizacaoInvalida without a reason, InvalidTenant, InquilinoDesconhecido.
        """
        await self._ask(scope)
        said, em = _reason(motivo), self._clock.now()
        async with self._locked(scope, organizacao_id) as (uow, found):
            if found.suspensa_em is None:
                return None
            await uow.connection.exec_driver_sql(_SUSPEND, (None, organizacao_id))
            woken = await wake(uow)
            await self._tell(uow, scope, em, "reativada", said)
        return woken

    @asks("organizacoes.administrar")
    async def definir_cotas(self, scope: Scope, organizacao_id: str, cotas: Valores, motivo: str = "") -> tuple[Numeros, Mudadas]:
        """Put these in the place of an organisation's own quotas; one that is less than what is used takes nothing away, and adds no more.

        What was changed comes back with what is used; where nothing was, nothing is done.
        Raises InvalidTenant, InquilinoDesconhecido, OrganizacaoInvalida.
        """
        await self._ask(scope)
        said, em = _reason(motivo, needed=False), self._clock.now()
        async with self._locked(scope, organizacao_id) as (uow, _):
            before = await own_cotas(uow)
            mudadas: Mudadas = {name: (before.get(name), cotas.get(name)) for name in POR_NOME if before.get(name) != cotas.get(name)}
            if mudadas:
                await set_cotas(uow, cotas)
                await self._tell(uow, scope, em, "cotas", said, mudadas, {name: format(value, "f") for name, value in cotas.items()})
        return await self._numbers(Scope(organizacao_id, scope.ator)), mudadas

    @asks("cotas.ver")
    async def uso(self, scope: Scope) -> Numeros:
        """What one's own organisation uses of its quotas."""
        return await self._numbers(scope)

    @asks("cotas.ver")
    async def quase_no_fim(self, scope: Scope) -> Sequence[Uso]:
        """The quotas of one's own organisation of which four fifths or more are used; where it has none nothing is counted."""
        counted = self._instalacao.keys() - NA_HORA
        async with self._database.unit_of_work(scope) as uow:
            has_some = bool(counted or await own_cotas(uow))
        return [one for one in (await self._numbers(scope)).usos if one.quase] if has_some else []

    async def require(self, organizacao_id: str) -> None:
        """Raises InquilinoDesconhecido, which names those that there are, unless that one is there; for whoever runs the machine."""
        async with self._database.unit_of_work(Scope(organizacao_id, _LOOKING)) as uow:
            found = (await uow.connection.exec_driver_sql(_IS_THERE, (organizacao_id,))).first()
        if found is None:
            raise await self._unknown(organizacao_id)

    @asks("cotas.ver")
    async def nome(self, scope: Scope) -> str:
        """What people call one's own organisation."""
        return (await self._find(scope, scope.tenant_id)).nome

    async def suspensa(self, organizacao_id: str) -> bool:
        """Whether one is suspended; for whoever runs the machine."""
        async with self._database.unit_of_work(Scope(organizacao_id, _LOOKING)) as uow:
            return await is_suspended(uow)

    async def _ask(self, scope: Scope) -> None:
        """Raises SemPermissao unless whoever acts looks after the installation; SegundoFatorExigido where they have no second factor."""
        authorize(scope.sujeito, "organizacoes.administrar", Algum(self.casa))
        if isinstance(scope.sujeito, Console):
            return
        usuario_id = usuario_id_of(scope.ator)
        if usuario_id is None:
            raise SemPermissao("Só uma pessoa, ou um comando no servidor, cuida das organizações.")
        async with self._database.unit_of_work(scope) as uow:
            if not await has_segundo_fator(uow, usuario_id):
                raise SegundoFatorExigido(
                    "Quem cuida das organizações desta instalação precisa de um segundo fator. Ligue o seu em Sua conta e volte aqui."
                )

    async def _numbers(self, scope: Scope) -> Numeros:
        em = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            used: dict[Nome, Decimal] = {}
            for medidor in (measure, *self._medidores):
                used |= await medidor(uow, em)
            usos = usos_of(used, await own_cotas(uow), self._instalacao, self._por_chave)
            of_month = 0 if self._do_mes is None else await self._do_mes(uow, em)
            last = (await uow.connection.exec_driver_sql(_LAST, (scope.tenant_id,))).scalar_one_or_none()
            return Numeros(tuple(usos), of_month, last, await count_waiting(uow))

    async def _find(self, scope: Scope, organizacao_id: str) -> Organizacao:
        async with self._database.unit_of_work(Scope(organizacao_id, scope.ator)) as uow:
            row = (await uow.connection.exec_driver_sql(_FIND, (organizacao_id,))).one_or_none()
        if row is None:
            raise await self._unknown(organizacao_id)
        return _organizacao(row)

    @asynccontextmanager
    async def _locked(self, scope: Scope, organizacao_id: str) -> AsyncIterator[tuple[UnitOfWork, Organizacao]]:
        """A unit of work in an organisation that nobody else changes meanwhile. Raises InvalidTenant, InquilinoDesconhecido."""
        async with self._database.unit_of_work(replace(scope, tenant_id=organizacao_id)) as uow:
            row = (await uow.connection.exec_driver_sql(_LOCK, (organizacao_id,))).one_or_none()
            if row is not None:
                yield uow, _organizacao(row)
                return
        raise await self._unknown(organizacao_id)

    async def _tell(
        self,
        uow: UnitOfWork,
        scope: Scope,
        em: datetime,
        ato: Ato,
        motivo: str,
        mudadas: Mudadas | None = None,
        dados: Mapping[str, str] | None = None,
    ) -> None:
        """Keep why, and tell of an act in the audit of the organisation, and in that of the one whose person did it."""
        tenant, ato_id, ator = uow.scope.tenant_id, self._new_id(), _ator_in(scope, uow.scope.tenant_id, self.casa)
        sealed = _key(uow).seal(str(ato_id), motivo.encode())
        await uow.connection.exec_driver_sql(_NOTE, (tenant, ato_id, ato, sealed, scope.ator, em, json.dumps(_written(mudadas or {}))))
        inside, outside = NA_AUDITORIA[ato]
        told = {"ato": str(ato_id), **(dados or {}), **{f"{name}.de": was for name, (was, _) in _written(mudadas or {}).items()}}
        await append(replace(uow, scope=Scope(tenant, ator, CONSOLE)), em, [NewEntry(acao=inside, alvo=tenant, dados=told)])
        if self.casa == tenant or not await self._is_there(uow, self.casa):
            return
        await uow.connection.exec_driver_sql(_IN, (self.casa,))
        await append(replace(uow, scope=replace(scope, tenant_id=self.casa)), em, [NewEntry(acao=outside, alvo=tenant, dados=told)])
        await uow.connection.exec_driver_sql(_IN, (tenant,))

    async def _is_there(self, uow: UnitOfWork, organizacao_id: str) -> bool:
        return any(one.id == organizacao_id for one in await uow.connection.exec_driver_sql(_ALL))

    async def _all(self, scope: Scope) -> Sequence[Organizacao]:
        async with self._database.unit_of_work(scope) as uow:
            return [_organizacao(row) for row in await uow.connection.exec_driver_sql(_ALL)]

    async def _unknown(self, organizacao_id: str) -> InquilinoDesconhecido:
        ids = [one.id for one in await self._all(Scope(organizacao_id, _LOOKING))]
        more = f" e mais {len(ids) - _SHOWN}" if len(ids) > _SHOWN else ""
        return InquilinoDesconhecido(
            f"A organização '{organizacao_id}' não existe aqui. As que há: {', '.join(ids[:_SHOWN])}{more}. "
            f"Confira --tenant ou CRIVO_TENANT, ou crie-a com 'crivo organizacoes criar {organizacao_id} --nome NOME'."
        )


async def measure(uow: UnitOfWork, em: datetime) -> Valores:
    """What an organisation uses of what the kernel keeps: people, keys, and the price of calls to models since the month began."""
    custo = (await spent_since(uow, month_of(em))).custo
    return {"pessoas": Decimal(await count_working(uow)), "chaves": Decimal(await count_chaves(uow, em)), "custo_mes": custo}


def _ator_in(scope: Scope, organizacao_id: str, casa: str) -> str:
    """How the audit of an organisation names whoever acts on it: a person of another one is nobody of its own."""
    return scope.ator if isinstance(scope.sujeito, Console) or organizacao_id == casa else INSTALACAO


def _organizacao(row: Any) -> Organizacao:
    return Organizacao(row.id, row.nome, row.criado_em, row.suspensa_em)


def _key(uow: UnitOfWork) -> Chave:
    return uow.cofre.of_purpose(uow.scope.tenant_id, _SEALED_FOR)


def _read(nome: str) -> str:
    name = nome.strip()
    if not name or len(name) > NOME_MAXIMO or not name.isprintable():
        raise OrganizacaoInvalida(f"Informe o nome da organização, com até {NOME_MAXIMO} letras.", campo="nome")
    return name


def _reason(motivo: str, *, needed: bool = True) -> str:
    said = " ".join(motivo.split())
    if (needed and not said) or len(said) > MOTIVO_MAXIMO or not said.isprintable():
        raise OrganizacaoInvalida(f"Diga por quê, com até {MOTIVO_MAXIMO} letras. Isto fica guardado com o ato.", campo="motivo")
    return said


async def _invited(uow: UnitOfWork, em: datetime, nome: str, email: str) -> Usuario | None:
    """Whoever is to administer the organisation by that e-mail and has not come in yet, by the name that is theirs now.

    Raises EmailEmUso for anybody else who has that e-mail: a link would let its holder act as them.
    """
    found = await find_usuario(uow, email)
    if found is None:
        return None
    has_come = (await uow.connection.exec_driver_sql(_HAS_ACTED, (uow.scope.tenant_id, found.ator))).scalar_one()
    if found.papel != _CONVIDA_COMO or found.desativado_em is not None or has_come or await has_senha(uow, found.id):
        raise EmailEmUso(
            "Este e-mail já é de alguém desta organização que já entrou nela, ou que tem outro papel ou nenhum acesso. Convide por outro "
            f"e-mail, ou peça a quem tem a máquina um convite: crivo usuarios entrar EMAIL --convite --tenant {uow.scope.tenant_id}"
        )
    return found if found.nome == nome else await rename_usuario(uow, em, found, nome)


def _act(row: Any, key: Chave) -> AtoFeito:
    said = key.open(str(row.id), bytes(row.motivo)).decode()
    mudadas = {POR_NOME[name].codigo: (_value(was), _value(now)) for name, (was, now) in row.mudou.items() if name in POR_NOME}
    return AtoFeito(row.acao, row.feito_em, row.feito_por, "" if said in _NO_REASON else said, mudadas)


def _written(mudadas: Mudadas) -> dict[str, tuple[str, str]]:
    """Quotas as they are kept; an empty text is none."""
    return {
        name: ("" if was is None else format(was, "f"), "" if now is None else format(now, "f")) for name, (was, now) in mudadas.items()
    }


def _value(written: str) -> Decimal | None:
    return Decimal(written) if written else None
