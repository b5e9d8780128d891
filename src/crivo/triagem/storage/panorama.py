"""How a finished execução came out, in numbers: counted by the database."""

from __future__ import annotations

from typing import Final

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.guardados import Panorama
from crivo.triagem.storage.triados import GRUPO, INTEIRA, NOTAS, OF_EXECUCAO, PESADA, TRIADOS, Alvo, once_through

_GRUPOS: Final = ("habilitado", "pendencia", "inabilitado", "erro")
_COUNTED: Final = f"""
    select count(*) as projetos, count(*) filter (where grupo <> '') as julgados,
        {", ".join(f"count(*) filter (where grupo = '{grupo}') as {grupo}" for grupo in _GRUPOS)},
        count(*) filter (where grupo <> '' and not decidido) as sem_decisao, count(*) filter (where decidido) as decididos,
        count(*) filter (where com_leitura or notas > 0) as lidos, count(*) filter (where notas > 0) as com_notas,
        count(*) filter (where inteira) as com_media, coalesce(sum(pesada) filter (where inteira), 0) as pesadas
    from (
        select {GRUPO} as grupo, count(d.projeto_id) > 0 as decidido, r.com_leitura, count(n.id) as notas, {PESADA} as pesada,
            {INTEIRA} as inteira
        {TRIADOS} {NOTAS} where {OF_EXECUCAO} group by r.tenant_id, r.id) t"""
_DIFFERENT: Final = """
    select count(*) from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null and d.sugestao <> d.decisao"""
_GIVEN: Final = """
    select count(*) as dadas, count(*) filter (where %(criterios)s > 0 and enviadas >= %(criterios)s) as enviadas
    from (
        select count(c.id) as enviadas from atribuicoes a join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
        left join avaliacoes v on v.tenant_id = a.tenant_id and v.projeto_id = a.projeto_id and v.avaliador_id = a.avaliador_id
            and v.enviada_em is not null
        left join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id and c.retirado_em is null
        where a.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null
        group by a.projeto_id, a.avaliador_id) t"""


async def panorama_of(uow: UnitOfWork, alvo: Alvo) -> Panorama:
    """The counts of an execução, and of what people made of it."""
    values = alvo.values(uow)
    async with once_through(uow):
        counted = (await uow.connection.exec_driver_sql(_COUNTED, values)).one()
        different = int((await uow.connection.exec_driver_sql(_DIFFERENT, values)).scalar_one())
        given = (await uow.connection.exec_driver_sql(_GIVEN, values)).one()
    return Panorama(
        counted.projetos,
        counted.julgados,
        {grupo: getattr(counted, grupo) for grupo in _GRUPOS},
        counted.sem_decisao,
        counted.decididos,
        different,
        counted.lidos,
        counted.com_notas,
        counted.com_media,
        counted.pesadas / alvo.pesos / counted.com_media if counted.com_media else None,
        given.dadas,
        given.enviadas,
    )
