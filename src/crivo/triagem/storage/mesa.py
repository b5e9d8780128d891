"""The queue of the mesa as it stands stored: what each project of a call is filtered and ordered by, and the views that people saved."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.casos import Gravidade
from crivo.triagem.fila import Ficha, Medias
from crivo.triagem.storage.triados import INTEIRA, NOTAS, OF_EXECUCAO, PESADA, Alvo, once_through

# One text for the whole call: ten thousand rows of their own would take longer to be received than to be found.
_FICHAS: Final = """
    select coalesce(json_agg(json_build_array(
        p.id, p.codigo, p.categoria, p.enviado_em,
        case when r.erro is not null then 'erro' else coalesce(r.habilitacao_sugerida, 'nao-triado') end,
        coalesce(d.decisao, 'sem'), coalesce(d.sugestao <> d.decisao, false),
        coalesce(r.itens_em_falta, '[]'), coalesce(r.itens_total - r.itens_lidos, 0)
    ) order by p.ordem, p.codigo collate "C"), '[]')::text
    from projetos p
    left join triagem_ia_resultados r on r.tenant_id = p.tenant_id and r.projeto_id = p.id
        and r.execucao_id = %(execucao)s and r.concluido_em is not null
    left join habilitacao_decisoes d on d.tenant_id = p.tenant_id and d.projeto_id = p.id
    where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null"""
# Whole avaliações alone make a mean, as in the ranking; who was asked and has not sent one is told by how many lack.
_PESSOAS: Final = """
    with enviadas as (
        select v.projeto_id, v.avaliador_id, sum(c.peso * v.nota) as pesada
        from criterios c join avaliacoes v on v.tenant_id = c.tenant_id and v.criterio_id = c.id
        where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s and c.retirado_em is null and v.enviada_em is not null
            and {v} group by v.projeto_id, v.avaliador_id having count(*) = %(criterios)s)
    select projeto_id::text as id, count(*) as dadas, count(pesada) as enviadas, sum(pesada) / nullif(count(pesada), 0) as pesada
    from (
        select projeto_id, max(pesada) as pesada
        from (
            select projeto_id, avaliador_id, pesada from enviadas
            union all select a.projeto_id, a.avaliador_id, null from atribuicoes a
                join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
                where a.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null and {a}) de
        group by projeto_id, avaliador_id) t
    group by projeto_id"""
_SUGERIDAS: Final = f"""
    select r.projeto_id::text as id, {PESADA} as pesada from triagem_ia_resultados r {NOTAS}
    where {OF_EXECUCAO} and {{r}} group by r.tenant_id, r.id having {INTEIRA}"""
_MINE: Final = """
    select p.codigo from atribuicoes a join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
    where a.tenant_id = %s and a.avaliador_id = %s and p.edital_id = %s and p.retirado_em is null"""
# As cheap as they can be told: a nota that was sent, and one that was suggested.
_GRADED: Final = """
    select exists (
        select from criterios c join avaliacoes v on v.tenant_id = c.tenant_id and v.criterio_id = c.id
        where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s and c.retirado_em is null and v.enviada_em is not null) as notas,
    exists (
        select from triagem_ia_resultados r join triagem_ia_notas n on n.tenant_id = r.tenant_id and n.resultado_id = r.id
        where r.tenant_id = %(tenant)s and r.execucao_id = %(execucao)s and n.nota_sugerida is not null) as sugestoes"""
_FICHA: Final = msgspec.json.Decoder(list[Ficha])
# A case weighs on its projects until somebody dismisses it, and once more where it then came to have signs or projects that they did
# not see: one that was confirmed is no less of a case.
_CASES: Final = """
    select c.projetos, c.gravidade, o.dono = %(pessoa)s as minha from triagem_casos c
    left join lateral (
        select d.situacao, d.tipos, d.projetos from triagem_caso_ditos d
        where d.tenant_id = c.tenant_id and d.caso_id = c.id and d.versao is not null order by d.versao desc limit 1) s on true
    left join lateral (
        select d.dono from triagem_caso_ditos d
        where d.tenant_id = c.tenant_id and d.caso_id = c.id and d.tipo = 'dono' order by d.em desc, d.id desc limit 1) o on true
    where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s and c.presente
        and (coalesce(s.situacao, 'aberto') <> 'descartado' or not (c.tipos <@ s.tipos and c.projetos <@ s.projetos))
    order by array_position(array['grave', 'media', 'leve'], c.gravidade), c.numero"""
_VIEWS: Final = """
    select id, nome, consulta from mesa_visoes where tenant_id = %s and edital_id = %s and usuario_id = %s order by nome, id"""
_SAVE: Final = """
    insert into mesa_visoes (tenant_id, id, edital_id, usuario_id, nome, consulta, criada_em) values (%s, %s, %s, %s, %s, %s, %s)
    on conflict (tenant_id, edital_id, usuario_id, nome) do update set consulta = excluded.consulta returning id"""
_FORGET: Final = "delete from mesa_visoes where tenant_id = %s and edital_id = %s and usuario_id = %s and id = %s returning nome"


async def fichas_of(uow: UnitOfWork, alvo: Alvo) -> list[Ficha]:
    """Every project in force of an edital, in the order of the call."""
    async with once_through(uow):
        told = (await uow.connection.exec_driver_sql(_FICHAS, alvo.values(uow))).scalar_one()
    return _FICHA.decode(told)


async def medias_of(uow: UnitOfWork, alvo: Alvo, ids: Sequence[str] | None = None) -> dict[str, Medias]:
    """What people and a model make of projects, of some of them alone where they are named, by the project's id.

    Those that nobody was given and no model graded are left out.
    """
    pesos, values = alvo.pesos, alvo.values(uow, ids=None if ids is None else list(ids))
    only = {table: "true" if ids is None else f"{table}.projeto_id = any(%(ids)s::uuid[])" for table in "var"}
    async with AsyncExitStack() as stack:
        if ids is None:
            await stack.enter_async_context(once_through(uow))
        people = (await uow.connection.exec_driver_sql(_PESSOAS.format(**only), values)).all()
        graded = (await uow.connection.exec_driver_sql(_SUGERIDAS.format(**only), values)).all()
    suggested = {row.id: _mean(row.pesada, pesos) for row in graded}
    found = {row.id: Medias(_mean(row.pesada, pesos), row.enviadas, row.dadas, suggested.get(row.id)) for row in people}
    return {one: Medias(sugestao=mean) for one, mean in suggested.items()} | found


async def graded_at_all(uow: UnitOfWork, alvo: Alvo) -> tuple[bool, bool]:
    """Whether people sent any nota of an edital, and whether a model suggested any."""
    row = (await uow.connection.exec_driver_sql(_GRADED, alvo.values(uow))).one()
    return row.notas, row.sugestoes


async def given_to(uow: UnitOfWork, edital_id: UUID, pessoa: UUID) -> frozenset[str]:
    """The codes of the projects of an edital that were given to a person to be judged."""
    return frozenset((await uow.connection.exec_driver_sql(_MINE, (uow.scope.tenant_id, pessoa, edital_id))).scalars())


async def open_cases(uow: UnitOfWork, edital_id: UUID, pessoa: UUID) -> tuple[dict[str, tuple[Gravidade, ...]], frozenset[str]]:
    """The open cases of an edital by the project's code, the gravest first, and the projects of those that a person took on."""
    graus: dict[str, tuple[Gravidade, ...]] = {}
    meus: set[str] = set()
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "pessoa": pessoa}
    for row in await uow.connection.exec_driver_sql(_CASES, values):
        for codigo in row.projetos:
            graus[codigo] = (*graus.get(codigo, ()), row.gravidade)
        if row.minha:
            meus.update(row.projetos)
    return graus, frozenset(meus)


async def views_of(uow: UnitOfWork, edital_id: UUID, usuario_id: UUID) -> tuple[tuple[UUID, str, str], ...]:
    """The views that a person saved for an edital: id, name, and what its address asks for."""
    rows = await uow.connection.exec_driver_sql(_VIEWS, (uow.scope.tenant_id, edital_id, usuario_id))
    return tuple([(row.id, row.nome, row.consulta) for row in rows])


async def save_view(uow: UnitOfWork, new_id: UUID, edital_id: UUID, usuario_id: UUID, nome: str, consulta: str, em: datetime) -> UUID:
    """Keep a view, in the place of the one that the same person called the same; its id."""
    kept = await uow.connection.exec_driver_sql(_SAVE, (uow.scope.tenant_id, new_id, edital_id, usuario_id, nome, consulta, em))
    visao_id: UUID = kept.scalar_one()
    return visao_id


async def forget_view(uow: UnitOfWork, edital_id: UUID, usuario_id: UUID, visao_id: UUID) -> str | None:
    """Forget a view of a person's own; its name, or None where they have none of that id."""
    gone = await uow.connection.exec_driver_sql(_FORGET, (uow.scope.tenant_id, edital_id, usuario_id, visao_id))
    nome: str | None = gone.scalar_one_or_none()
    return nome


def _mean(pesada: Decimal | None, pesos: Decimal) -> Decimal | None:
    return None if pesada is None or not pesos else pesada / pesos
