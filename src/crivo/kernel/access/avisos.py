"""What others did to a person's access, told to that person: nobody makes a way in for somebody else unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from crivo.kernel.access.usuarios import conta_of
from crivo.kernel.storage.session import UnitOfWork

AcaoAvisada = Literal["link_feito", "chave_feita", "nome_mudado", "email_mudado", "segundo_fator_ligado", "segundo_fator_tirado"]
_SHOWN: Final = 20
_TELL: Final = "insert into avisos_de_acesso (tenant_id, usuario_id, acao, feito_por, em) values (%s, %s, %s, %s, %s)"
_LIST: Final = """
    select a.acao, a.feito_por, a.em, a.lido_em, u.id as quem, u.selado, k.embrulhada
    from avisos_de_acesso a left join usuarios u on u.tenant_id = a.tenant_id and a.feito_por = 'usuario:' || u.id
    left join chaves_de_pessoas k on k.tenant_id = u.tenant_id and k.id = u.id
    where a.tenant_id = %s and a.usuario_id = %s order by a.em desc, a.id desc limit %s"""
_READ: Final = "update avisos_de_acesso set lido_em = %s where tenant_id = %s and usuario_id = %s and lido_em is null"


@dataclass(frozen=True, slots=True)
class Aviso:
    """What was done to a person's access: by whom (`feito_por` as the audit names them, `nome` where they are a person) and when."""

    acao: AcaoAvisada
    feito_por: str
    nome: str
    em: datetime
    lido: bool


async def tell(uow: UnitOfWork, em: datetime, usuario_id: UUID, acao: AcaoAvisada) -> None:
    """Tell a person that the scope's actor did something to their access."""
    await uow.connection.exec_driver_sql(_TELL, (uow.scope.tenant_id, usuario_id, acao, uow.scope.ator, em))


async def list_avisos(uow: UnitOfWork, usuario_id: UUID) -> Sequence[Aviso]:
    """The latest that a person was told, the newest first; what they have read stays."""
    rows = await uow.connection.exec_driver_sql(_LIST, (uow.scope.tenant_id, usuario_id, _SHOWN))
    return tuple([Aviso(row.acao, row.feito_por, _name(uow, row), row.em, row.lido_em is not None) for row in rows])


async def read_avisos(uow: UnitOfWork, em: datetime, usuario_id: UUID) -> None:
    """A person has read all that they were told."""
    await uow.connection.exec_driver_sql(_READ, (em, uow.scope.tenant_id, usuario_id))


def _name(uow: UnitOfWork, row: Any) -> str:
    return "" if row.quem is None else conta_of(uow, row.quem, row).nome
