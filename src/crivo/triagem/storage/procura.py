"""Names and findings folded as they are searched, for what was stored before they were, or by other rules than these."""

from __future__ import annotations

from uuid import UUID

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.palavras import shown
from crivo.triagem.procura import PROCURA, searched
from crivo.triagem.storage import editais, projetos
from crivo.triagem.storage.editais import EditalGuardado


async def ensure_folded(uow: UnitOfWork, guardado: EditalGuardado) -> None:
    """Fold what belongs to an edital by the rules of this program; nothing where that was done."""
    if guardado.procura == PROCURA:
        return
    locked = await editais.find(uow, guardado.edital.id, lock=True)  # somebody else who looks now does it, or waits
    if locked is None or locked.procura == PROCURA:
        return
    await _fold_projetos(uow, guardado.id)
    await _fold_irregularidades(uow, guardado.id)
    await uow.connection.exec_driver_sql(
        "update editais set procura_versao = %s where tenant_id = %s and id = %s", (PROCURA, uow.scope.tenant_id, guardado.id)
    )


async def _fold_projetos(uow: UnitOfWork, edital_id: UUID) -> None:
    rows = await uow.connection.exec_driver_sql(
        "select id, codigo, titulo, coalesce(proponente ->> 'nome', '') as nome, categoria from projetos "
        "where tenant_id = %s and edital_id = %s and chave is null",
        (uow.scope.tenant_id, edital_id),
    )
    found = rows.all()
    await uow.connection.exec_driver_sql(
        "update projetos p set procura = n.procura, titulo_dobrado = n.titulo "
        "from unnest(%s::uuid[], %s::text[], %s::text[]) as n (id, procura, titulo) where p.tenant_id = %s and p.id = n.id",
        (
            [row.id for row in found],
            [searched(row.codigo, row.titulo, row.nome, row.categoria) for row in found],
            [fold(shown(row.titulo)) for row in found],
            uow.scope.tenant_id,
        ),
    )
    await projetos.fold_again(uow, edital_id)


async def _fold_irregularidades(uow: UnitOfWork, edital_id: UUID) -> None:
    rows = await uow.connection.exec_driver_sql(
        "select i.execucao_id, i.ordem, coalesce(i.dados ->> 'achado', '') as achado from triagem_ia_irregularidades i "
        "join triagem_ia_execucoes x on x.tenant_id = i.tenant_id and x.id = i.execucao_id "
        "where i.tenant_id = %s and x.edital_id = %s and i.selado is null",
        (uow.scope.tenant_id, edital_id),
    )
    found = rows.all()
    await uow.connection.exec_driver_sql(
        "update triagem_ia_irregularidades i set procura = n.procura "
        "from unnest(%s::uuid[], %s::integer[], %s::text[]) as n (execucao_id, ordem, procura) "
        "where i.tenant_id = %s and i.execucao_id = n.execucao_id and i.ordem = n.ordem",
        ([row.execucao_id for row in found], [row.ordem for row in found], [fold(row.achado) for row in found], uow.scope.tenant_id),
    )
