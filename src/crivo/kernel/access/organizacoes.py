"""The organisations of an installation: each a tenant, with people, records and an audit of its own. Whoever has the machine makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Final

from crivo.kernel.audit import NewEntry, append
from crivo.kernel.autorizar import asks
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.errors import InquilinoDesconhecido
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_NAME_CHARS: Final = 200
_SHOWN: Final = 20
_LOOKING: Final = "inicio"
_ALL: Final = "select id, nome, criado_em from organizacoes_da_instalacao()"
_IS_THERE: Final = "select 1 from tenants where id = %s"
_ADD: Final = "insert into tenants (id, nome, criado_em) values (%s, %s, %s) on conflict do nothing"
_RENAME: Final = "update tenants set nome = %s where id = %s"


class OrganizacaoJaExiste(CrivoError):
    """There is an organisation of that id."""

    codigo: ClassVar[str] = "organizacao_ja_existe"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Essa organização já existe"


class OrganizacaoInvalida(CrivoError):
    """A name that nobody could read."""

    codigo: ClassVar[str] = "organizacao_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Organização inválida"


@dataclass(frozen=True, slots=True)
class Organizacao:
    """An organisation: its id, by which commands name it, and what people call it."""

    id: str
    nome: str
    criado_em: datetime


class Organizacoes:
    """Makes, lists and renames organisations; nobody who enters by the net does."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("organizacoes.administrar")
    async def listar(self, scope: Scope) -> Sequence[Organizacao]:
        """All of the installation, by id."""
        return await self._all(scope)

    @asks("organizacoes.administrar")
    async def criar(self, scope: Scope, organizacao_id: str, nome: str) -> Organizacao:
        """Make one, with nobody in it yet. Raises InvalidTenant, OrganizacaoInvalida, OrganizacaoJaExiste."""
        within, name, em = replace(scope, tenant_id=organizacao_id), _read(nome), self._clock.now()
        async with self._database.unit_of_work(within) as uow:
            if (await uow.connection.exec_driver_sql(_ADD, (organizacao_id, name, em))).rowcount == 0:
                raise OrganizacaoJaExiste(f"A organização '{organizacao_id}' já existe. Veja as que há com 'crivo organizacoes listar'.")
            await append(uow, em, [NewEntry(acao="organizacao_criada", alvo=organizacao_id)])
        return Organizacao(organizacao_id, name, em)

    @asks("organizacoes.administrar")
    async def renomear(self, scope: Scope, organizacao_id: str, nome: str) -> None:
        """Change what people call one; its id stays. Raises InvalidTenant, OrganizacaoInvalida, InquilinoDesconhecido."""
        within, name, em = replace(scope, tenant_id=organizacao_id), _read(nome), self._clock.now()
        async with self._database.unit_of_work(within) as uow:
            if (await uow.connection.exec_driver_sql(_RENAME, (name, organizacao_id))).rowcount:
                await append(uow, em, [NewEntry(acao="organizacao_renomeada", alvo=organizacao_id)])
                return
        raise await self._unknown(organizacao_id)

    async def require(self, organizacao_id: str) -> None:
        """Raises InquilinoDesconhecido, which names those that there are, unless that one is there; for whoever runs the machine."""
        async with self._database.unit_of_work(Scope(organizacao_id, _LOOKING)) as uow:
            found = (await uow.connection.exec_driver_sql(_IS_THERE, (organizacao_id,))).first()
        if found is None:
            raise await self._unknown(organizacao_id)

    async def _all(self, scope: Scope) -> Sequence[Organizacao]:
        async with self._database.unit_of_work(scope) as uow:
            return [Organizacao(row.id, row.nome, row.criado_em) for row in await uow.connection.exec_driver_sql(_ALL)]

    async def _unknown(self, organizacao_id: str) -> InquilinoDesconhecido:
        ids = [one.id for one in await self._all(Scope(organizacao_id, _LOOKING))]
        more = f" e mais {len(ids) - _SHOWN}" if len(ids) > _SHOWN else ""
        return InquilinoDesconhecido(
            f"A organização '{organizacao_id}' não existe aqui. As que há: {', '.join(ids[:_SHOWN])}{more}. "
            f"Confira --tenant ou CRIVO_TENANT, ou crie-a com 'crivo organizacoes criar {organizacao_id} --nome NOME'."
        )


def _read(nome: str) -> str:
    name = nome.strip()
    if not name or len(name) > _NAME_CHARS or not name.isprintable():
        raise OrganizacaoInvalida(f"Informe o nome da organização, com até {_NAME_CHARS} letras.")
    return name
