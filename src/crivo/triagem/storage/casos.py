"""The cases of an edital as they are read: each with its signs, which stand where its execução put them, and what people said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Irregularidade
from crivo.triagem.casos.guardados import Caso, ListaCasos, PedidoCasos
from crivo.triagem.procura import words_of
from crivo.triagem.storage import caso_ditos, sinais
from crivo.triagem.storage.nomes import nomes_of

_JOINED: Final = """
    from triagem_casos c left join lateral (
        select d.situacao from triagem_caso_ditos d where d.tenant_id = c.tenant_id and d.caso_id = c.id and d.versao is not null
        order by d.versao desc limit 1) s on true"""
_THEIRS: Final = "where c.tenant_id = %(tenant)s and c.edital_id = %(edital)s"
_STATE: Final = f"{_JOINED} {_THEIRS}"
_SITUACAO: Final = "case when c.presente then coalesce(s.situacao, 'aberto') else 'sumido' end"
_COLUMNS: Final = "c.id, c.numero, c.titulo, c.gravidade, c.tipos, c.projetos, c.execucao_id, c.ordens, c.presente"
_ORDER: Final = "c.presente desc, array_position(array['grave', 'media', 'leve'], c.gravidade), c.numero"
_SIGNS: Final = f"""
    select i.execucao_id, {sinais.COLUMNS} from triagem_ia_irregularidades i
    join unnest(%s::uuid[], %s::integer[]) as w (execucao_id, ordem) on w.execucao_id = i.execucao_id and w.ordem = i.ordem
    where i.tenant_id = %s"""
_LOCK: Final = "select 1 from triagem_casos where tenant_id = %s and edital_id = %s and numero = %s for update"


async def load(uow: UnitOfWork, edital_id: UUID, situacao: str | None = None) -> tuple[Caso, ...]:
    """The cases of an edital with their signs, the gravest first and those that are gone last; of one situação, or `SUMIDO`."""
    only = "" if situacao is None else f"and {_SITUACAO} = %(situacao)s"
    return await _read(uow, f"select {_COLUMNS} {_STATE} {only} order by {_ORDER}", edital_id, situacao=situacao)


async def find(uow: UnitOfWork, edital_id: UUID, numero: int) -> Caso | None:
    """The case of that number with its signs, or None."""
    found = await _read(uow, f"select {_COLUMNS} {_STATE} and c.numero = %(numero)s", edital_id, numero=numero)
    return found[0] if found else None


async def of_projects(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> tuple[Caso, ...]:
    """The cases, without their signs, that concern some of these projects; those that are gone only where somebody decided them."""
    return await _read(
        uow,
        f"select {_COLUMNS} {_STATE} and c.projetos && %(codigos)s::text[] and (c.presente or s.situacao <> 'aberto') order by {_ORDER}",
        edital_id,
        com_sinais=False,
        codigos=list(codigos),
    )


async def pending_of(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The cases that weigh on each of these projects, open or confirmed, by the number and title that people know them by."""
    asked = set(codigos)
    found: dict[str, list[str]] = {}
    for caso in await of_projects(uow, edital_id, codigos):
        if caso.pendente or (caso.presente and caso.situacao == "confirmado"):
            said = f"Caso {caso.numero}: {caso.titulo}{'' if caso.pendente else ', confirmado'}"
            for codigo in asked.intersection(caso.projetos):
                found.setdefault(codigo, []).append(said)
    return {codigo: tuple(said) for codigo, said in found.items()}


async def cut(uow: UnitOfWork, edital_id: UUID, pedido: PedidoCasos) -> ListaCasos:
    """A page of the cases of an edital, and how many there are."""
    values: dict[str, Any] = {"tenant": uow.scope.tenant_id, "edital": edital_id, "filtro": pedido.filtro, "tipo": pedido.tipo}
    of_kinds = f"select t.nome, count(*) as quantos {_JOINED} cross join unnest(c.tipos) as t (nome) {_THEIRS}"
    which = f"and {_SITUACAO} = %(filtro)s" if pedido.filtro else ""
    tipos = await _counted(uow, f"{of_kinds} {which} group by 1", values)
    which += " and %(tipo)s = any(c.tipos)" if pedido.tipo else ""
    palavras = words_of(pedido.q)
    if palavras:
        every = await _read(uow, f"select {_COLUMNS} {_STATE} {which}", edital_id, **values)
        names = {one.codigo: one.procura for one in await nomes_of(uow, edital_id)}
        values["ditos"] = [one.id for one in every if _says(one, names, palavras)]
        which += " and c.id = any(%(ditos)s::uuid[])"
    total = int((await uow.connection.exec_driver_sql(f"select count(*) {_STATE} {which}", values)).scalar_one())
    pagina = min(max(1, pedido.pagina), max(1, -(-total // pedido.tamanho)))
    values |= {"quantas": pedido.tamanho, "antes": (pagina - 1) * pedido.tamanho}
    choosing = f"select {_COLUMNS} {_STATE} {which} order by {_ORDER} limit %(quantas)s offset %(antes)s"
    casos = await _read(uow, choosing, edital_id, **values)
    return ListaCasos(total, pagina, casos, await count_of(uow, edital_id), tipos)


async def count_of(uow: UnitOfWork, edital_id: UUID) -> Mapping[str, int]:
    """How many cases of an edital there are of each situação, with `SUMIDO`."""
    statement = f"select {_SITUACAO} as nome, count(*) as quantos {_STATE} group by 1"
    return await _counted(uow, statement, {"tenant": uow.scope.tenant_id, "edital": edital_id})


async def count_grave(uow: UnitOfWork, edital_id: UUID) -> int:
    """How many grave cases of an edital are open."""
    statement = f"select count(*) {_STATE} and c.gravidade = 'grave' and {_SITUACAO} = 'aberto'"
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id}
    return int((await uow.connection.exec_driver_sql(statement, values)).scalar_one())


async def hold(uow: UnitOfWork, edital_id: UUID, numero: int) -> None:
    """Nobody else decides the case of that number until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id, edital_id, numero))


async def _read(uow: UnitOfWork, statement: str, edital_id: UUID, *, com_sinais: bool = True, **more: object) -> tuple[Caso, ...]:
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, **more}
    rows = (await uow.connection.exec_driver_sql(statement, values)).all()
    signs = await _signs_of(uow, rows) if com_sinais else {}
    bare = [
        Caso(
            id=row.id,
            numero=row.numero,
            titulo=row.titulo,
            gravidade=row.gravidade,
            tipos=tuple(row.tipos),
            projetos=tuple(row.projetos),
            sinais=tuple([signs[row.execucao_id, ordem] for ordem in row.ordens if (row.execucao_id, ordem) in signs]),
            presente=row.presente,
        )
        for row in rows
    ]
    return await caso_ditos.said_of(uow, bare)


async def _signs_of(uow: UnitOfWork, rows: Sequence[Row[Any]]) -> Mapping[tuple[UUID, int], Irregularidade]:
    wanted = [(row.execucao_id, ordem) for row in rows for ordem in row.ordens]
    if not wanted:
        return {}
    asked = ([execucao_id for execucao_id, _ in wanted], [ordem for _, ordem in wanted], uow.scope.tenant_id)
    by_execucao: dict[UUID, list[Row[Any]]] = {}
    for row in await uow.connection.exec_driver_sql(_SIGNS, asked):
        by_execucao.setdefault(row.execucao_id, []).append(row)
    found: dict[tuple[UUID, int], Irregularidade] = {}
    for execucao_id, theirs in by_execucao.items():
        found |= {(execucao_id, ordem): one for ordem, one in await sinais.opened(uow, theirs)}
    return found


async def _counted(uow: UnitOfWork, statement: str, values: Mapping[str, Any]) -> dict[str, int]:
    return {row.nome: row.quantos for row in await uow.connection.exec_driver_sql(statement, values)}


def _says(caso: Caso, names: Mapping[str, str], palavras: Sequence[str]) -> bool:
    """Whether a case says the words, or one of its projects does; `caso 3` is its number."""
    said = fold(" ".join((f"caso {caso.numero} {caso.titulo}", *(one.achado for one in caso.sinais))))
    spoken = [said, *(names.get(codigo, codigo.lower()) for codigo in caso.projetos)]
    return any(all(palavra in text for palavra in palavras) for text in spoken)
