"""What the queries about the projects and signs of an execução are put together from: rows, groups, notas weighed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Criterio

# The analysed projects, and a person's decision on each; of those that were withdrawn since nothing but the code is told.
#
# Tables are joined by their keys alone, never by what another query made of them; see `once_through`.
TRIADOS: Final = """
    from triagem_ia_resultados r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id
    left join habilitacao_decisoes d on d.tenant_id = p.tenant_id and d.projeto_id = p.id and p.retirado_em is null"""
OF_EXECUCAO: Final = "r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and r.concluido_em is not null"
GRUPO: Final = "case when r.erro is not null then 'erro' else coalesce(r.habilitacao_sugerida, '') end"

# The notas of each result, to be grouped by it.
NOTAS: Final = """
    left join triagem_ia_notas n on n.tenant_id = r.tenant_id and n.resultado_id = r.id
    left join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id and c.retirado_em is null"""
# A mean counts as the whole project's only where each critério in force has its nota, so that all are divided by the same sum of weights.
# One without evidence is shown and weighs nothing.
_COUNTS: Final = "filter (where c.id is not null and n.situacao = 'sugerida')"
INTEIRA: Final = f"(%(criterios)s > 0 and count(n.nota_sugerida) {_COUNTS} = %(criterios)s)"
PESADA: Final = f"sum(c.peso * n.nota_sugerida) {_COUNTS}"
# Whom a person left out of the call is in no order of merit.
FORA: Final = "coalesce(bool_or(d.decisao = 'inabilitado'), false)"


@dataclass(frozen=True, slots=True)
class Alvo:
    """An execução of an edital, None where none was ever finished, and the critérios in force: what the queries are about."""

    edital_id: UUID
    execucao_id: UUID | None
    criterios: tuple[Criterio, ...]

    @property
    def pesos(self) -> Decimal:
        """Σ weight."""
        return sum((one.peso for one in self.criterios), Decimal(0))

    def values(self, uow: UnitOfWork, **more: object) -> dict[str, Any]:
        """The parameters of a query."""
        own = {"tenant": uow.scope.tenant_id, "edital": self.edital_id, "execucao": self.execucao_id, "criterios": len(self.criterios)}
        return own | more


@asynccontextmanager
async def once_through(uow: UnitOfWork) -> AsyncIterator[None]:
    """Statements that go through all of an execução, each table once.

    One that has just ended, or a tenant that is new, is in no statistics yet: the server would take it for a single row, and go
    through a table again for each project.
    """
    await uow.connection.exec_driver_sql("set local enable_nestloop = off")
    yield
    await uow.connection.exec_driver_sql("set local enable_nestloop = on")
