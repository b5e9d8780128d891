"""What waits for somebody in the calls of a tenant, by the day by which it is due: counts, and whose it is of no matter.

What a final result was published of waits no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from crivo.kernel.storage.session import UnitOfWork

_OPEN: Final = """not exists (
        select from resultados_publicados f where f.tenant_id = p.tenant_id and f.edital_id = p.edital_id and f.fase = 'final')"""
_DILIGENCIAS: Final = f"""
    select (d.prazo at time zone 'America/Sao_Paulo')::date as dia, count(*) as quantas from diligencias d
    join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id and p.retirado_em is null
    where d.tenant_id = %s and d.respondida_em is null and d.cancelada_em is null and {_OPEN} group by 1"""
_RECURSOS: Final = """
    select count(*) as quantos, min(r.recebido_em) as desde from recursos r
    join projetos p on p.tenant_id = r.tenant_id and p.id = r.projeto_id and p.retirado_em is null
    where r.tenant_id = %s and not exists (
        select from recurso_respostas a where a.tenant_id = r.tenant_id and a.recurso_id = r.id and a.desfeita_em is null)"""
# A person's own later day goes before the edital's; without either, notas are taken for ever.
_NOTAS: Final = f"""
    with fins as (
        select e.tenant_id, e.id, max(coalesce(f ->> 'fim', f ->> 'inicio'))::date as dia from editais e
        cross join lateral jsonb_array_elements(
            case when jsonb_typeof(e.dados -> 'fases') = 'array' then e.dados -> 'fases' else '[]'::jsonb end) f
        where e.tenant_id = %(tenant)s and f ->> 'fase' = 'avaliacao' group by 1, 2
    ), reabertos as (
        select z.edital_id, z.avaliador_id, max(z.ate) as dia from avaliacao_prazos z
        where z.tenant_id = %(tenant)s and z.desfeito_em is null group by 1, 2
    ), pedidos as (
        select c.edital_id, count(*) as quantos from criterios c where c.tenant_id = %(tenant)s and c.retirado_em is null group by 1
    )
    select greatest(fins.dia, reabertos.dia) as dia, count(*) as quantas from atribuicoes a
    join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id and p.retirado_em is null
    join fins on fins.tenant_id = p.tenant_id and fins.id = p.edital_id
    join pedidos on pedidos.edital_id = p.edital_id
    left join reabertos on reabertos.edital_id = p.edital_id and reabertos.avaliador_id = a.avaliador_id
    where a.tenant_id = %(tenant)s and {_OPEN} and pedidos.quantos > (
        select count(*) from avaliacoes v join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id and c.retirado_em is null
        where v.tenant_id = a.tenant_id and v.projeto_id = a.projeto_id and v.avaliador_id = a.avaliador_id and v.enviada_em is not null)
    group by 1"""


async def diligencias_abertas(uow: UnitOfWork) -> Mapping[date, int]:
    """How many diligências have no answer yet, by the last day for it."""
    rows = await uow.connection.exec_driver_sql(_DILIGENCIAS, (uow.scope.tenant_id,))
    return {row.dia: row.quantas for row in rows}


async def notas_a_enviar(uow: UnitOfWork) -> Mapping[date, int]:
    """How many projects somebody has to judge and did not send the notas of, by the last day on which they are taken."""
    rows = await uow.connection.exec_driver_sql(_NOTAS, {"tenant": uow.scope.tenant_id})
    return {row.dia: row.quantas for row in rows}


async def recursos_abertos(uow: UnitOfWork) -> tuple[int, datetime | None]:
    """How many recursos have no answer that stands, and when the oldest of them came; None where there is none."""
    row = (await uow.connection.exec_driver_sql(_RECURSOS, (uow.scope.tenant_id,))).one()
    return row.quantos, row.desde
