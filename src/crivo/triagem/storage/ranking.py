"""The projects of an edital in the order of their notas, placed by the database, and the notas of people beside those suggested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from crivo.kernel.access import names_of_usuarios
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.concordancia import Chave, NotaHumana
from crivo.triagem.guardados import Por, Posto
from crivo.triagem.storage.nomes import nomes_of
from crivo.triagem.storage.triados import INTEIRA, NOTAS, OF_EXECUCAO, PESADA, Alvo, once_through

# Notas of a person count once each critério has one that was sent. A quotient is rounded where only its rounding could tell it from
# an equal one.
_VALUES: Final = f"""
    with pessoas as (
        select projeto_id, count(*) as julgadores, round(sum(pesada) / count(*), 12) as pesada
        from (
            select v.projeto_id, sum(c.peso * v.nota) as pesada
            from criterios c join avaliacoes v on v.tenant_id = c.tenant_id and v.criterio_id = c.id
            where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s and c.retirado_em is null and v.enviada_em is not null
            group by v.projeto_id, v.avaliador_id having count(*) = %(criterios)s) de
        group by projeto_id),
    sugestoes as (
        select r.projeto_id, case when {INTEIRA} then {PESADA} end as pesada
        from triagem_ia_resultados r {NOTAS} where {OF_EXECUCAO} group by r.tenant_id, r.id),
    valores as (
        select id, max(codigo) as codigo, max(ordem) as ordem, max(julgadores) as julgadores, max(pessoas) as pessoas,
            max(sugestao) as sugestao
        from (
            select p.id, p.codigo, p.ordem, null::bigint as julgadores, null::numeric as pessoas, null::numeric as sugestao from projetos p
            where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null
            union all select projeto_id, null, null, julgadores, pesada, null from pessoas
            union all select projeto_id, null, null, null, null, pesada from sugestoes) t
        group by id having max(codigo) is not null)"""
_BY: Final[Mapping[Por | None, str]] = {
    "pessoas": "pessoas",
    "sugestao": "sugestao",
    None: "case when com_pessoas > 0 then pessoas else sugestao end",
}
# Whom a person left out stands after all others, in no place.
_PLACED: Final = f"""{_VALUES}
    select postos.*, count(*) over () as achados
    from (select id, codigo, ordem, julgadores, pessoas, sugestao, com_pessoas, com_sugestao, fora,
        case when valor is not null and not fora then rank() over (partition by fora order by valor desc nulls last) end as posicao
    from (
        select *, {{valor}} as valor
        from (select v.*, coalesce(d.decisao = 'inabilitado', false) as fora,
                count(v.pessoas) over () as com_pessoas, count(v.sugestao) over () as com_sugestao
            from valores v left join habilitacao_decisoes d on d.tenant_id = %(tenant)s and d.projeto_id = v.id) contados) ordenados) postos
    where {{achados}} order by fora, {{coluna}}, ordem, codigo collate "C" limit %(quantas)s offset %(antes)s"""
_ORDERS: Final[Mapping[str, str]] = {
    "posicao": "posicao nulls last",
    "-posicao": "posicao desc nulls last",
    "projeto": 'codigo collate "C"',
    "-projeto": 'codigo collate "C" desc',
    "pessoas": "pessoas nulls last",
    "-pessoas": "pessoas desc nulls last",
    "sugestao": "sugestao nulls last",
    "-sugestao": "sugestao desc nulls last",
}
_SENT: Final = """
    select p.codigo as projeto, c.codigo as criterio, v.avaliador_id::text as avaliador, v.nota, n.nota_sugerida
    from avaliacoes v join projetos p on p.tenant_id = v.tenant_id and p.id = v.projeto_id
    join criterios c on c.tenant_id = v.tenant_id and c.id = v.criterio_id
    left join triagem_ia_resultados r on r.tenant_id = p.tenant_id and r.projeto_id = p.id and r.execucao_id = %(execucao)s
        and r.concluido_em is not null
    left join triagem_ia_notas n on n.tenant_id = r.tenant_id and n.resultado_id = r.id and n.criterio_id = c.id
    where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null and c.retirado_em is null
        and v.enviada_em is not null"""
_GIVEN: Final = """
    select projeto_id, count(*) as dadas from atribuicoes where tenant_id = %(tenant)s and projeto_id = any(%(projetos)s) group by 1"""
_SEEN: Final = """
    select count(*), sum(v.nota), sum(extract(epoch from v.enviada_em)), sum(extract(epoch from v.atualizada_em))
    from criterios c join avaliacoes v on v.tenant_id = c.tenant_id and v.criterio_id = c.id
    where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s and c.retirado_em is null and v.enviada_em is not null"""
_JUDGES: Final = """
    select distinct a.avaliador_id from atribuicoes a
    join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
    where a.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null"""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of the projects in force: the highest mean first, those without one next, those left out last.

    `total` were asked for; of all that there are, `com_sugestao` have the suggested mean and `com_pessoas` people's.
    """

    postos: tuple[Posto, ...]
    por: Por
    total: int
    pagina: int
    com_sugestao: int
    com_pessoas: int = 0


async def ranking_of(
    uow: UnitOfWork, alvo: Alvo, por: Por | None, pagina: int, tamanho: int, *, palavras: tuple[str, ...] = (), ordem: str = ""
) -> Ranking:
    """A page of the ranking, the last one where there are fewer; where nobody says by what, it is by people's notas once there are any.

    `palavras` keep the projects whose names say them, and `ordem` is another order than the places; both leave the places as they are.
    """
    found = [one.id for one in await nomes_of(uow, alvo.edital_id) if one.says(palavras)] if palavras else []
    values = alvo.values(uow, quantas=tamanho, antes=(pagina - 1) * tamanho, achados=f"{{{','.join(map(str, found))}}}")
    which = "id = any(%(achados)s::uuid[])" if palavras else "true"
    asked = _PLACED.format(valor=_BY[por], achados=which, coluna=_ORDERS.get(ordem, _ORDERS["posicao"]))
    async with once_through(uow):
        rows = (await uow.connection.exec_driver_sql(asked, values)).all()
    if not rows:
        if pagina > 1:
            first = await ranking_of(uow, alvo, por, 1, tamanho, palavras=palavras, ordem=ordem)
            last = max(1, -(-first.total // tamanho))
            return first if last == 1 else await ranking_of(uow, alvo, por, last, tamanho, palavras=palavras, ordem=ordem)
        whole = await ranking_of(uow, alvo, por, 1, 1) if palavras else Ranking((), por or "sugestao", 0, 1, 0)
        return Ranking((), whole.por, 0, 1, whole.com_sugestao, whole.com_pessoas)
    chosen: Por = por or ("pessoas" if rows[0].com_pessoas else "sugestao")
    given = {"tenant": uow.scope.tenant_id, "projetos": [row.id for row in rows]}
    dadas = {row.projeto_id: row.dadas for row in await uow.connection.exec_driver_sql(_GIVEN, given)}
    postos = [
        Posto(
            row.id,
            row.codigo,
            row.posicao,
            _mean(row.pessoas, alvo),
            row.julgadores or 0,
            _mean(row.sugestao, alvo),
            row.fora,
            dadas.get(row.id, 0),
        )
        for row in rows
    ]
    return Ranking(tuple(postos), chosen, rows[0].achados, pagina, rows[0].com_sugestao, rows[0].com_pessoas)


async def seen_of(uow: UnitOfWork, alvo: Alvo) -> tuple[object, ...]:
    """What changes with any nota that is sent, sent again or taken back."""
    return tuple((await uow.connection.exec_driver_sql(_SEEN, alvo.values(uow))).one())


async def notas_of(uow: UnitOfWork, alvo: Alvo) -> tuple[list[NotaHumana], Mapping[Chave, Decimal]]:
    """The notas that people sent, and the suggestions for the same."""
    async with once_through(uow):
        rows = (await uow.connection.exec_driver_sql(_SENT, alvo.values(uow))).all()
    sugeridas = {(row.projeto, row.criterio): row.nota_sugerida for row in rows if row.nota_sugerida is not None}
    return [NotaHumana(row.projeto, row.criterio, row.avaliador, row.nota) for row in rows], sugeridas


async def names_of(uow: UnitOfWork, alvo: Alvo) -> Mapping[str, str]:
    """Who judges, by id."""
    judges = (await uow.connection.exec_driver_sql(_JUDGES, alvo.values(uow))).scalars().all()
    return {str(one): nome for one, nome in (await names_of_usuarios(uow, judges)).items()}


def _mean(pesada: Decimal | None, alvo: Alvo) -> Decimal | None:
    return None if pesada is None else pesada / alvo.pesos
