"""Which projects were given to whom to be judged, by which act, how far each has come, and when somebody was reminded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, ComoFicam, Par
from crivo.triagem.seladas import ATRIBUICOES_TIRADAS

# Of people's notas, those of critérios in force; a project is sent once each of these was.
_PARES: Final = """
    select a.avaliador_id, a.projeto_id, p.codigo, p.ordem, a.ato_id, a.lembrado_por, a.lembrado_em,
        coalesce(v.escritas, 0) > 0 as comecada, coalesce(v.enviadas, 0) as notas,
        c.quantos > 0 and coalesce(v.enviadas, 0) >= c.quantos as enviada
    from atribuicoes a
    join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
    cross join (select count(*) as quantos from criterios
        where tenant_id = %(tenant)s and edital_id = %(edital)s and retirado_em is null) c
    left join (
        select n.projeto_id, n.avaliador_id, count(*) filter (where n.enviada_em is not null and c.retirado_em is null) as enviadas,
            count(*) filter (where n.nota is not null or n.texto <> '') as escritas
        from avaliacoes n join criterios c on c.tenant_id = n.tenant_id and c.id = n.criterio_id
        where n.tenant_id = %(tenant)s and c.edital_id = %(edital)s group by n.projeto_id, n.avaliador_id) v
        on v.projeto_id = a.projeto_id and v.avaliador_id = a.avaliador_id
    where a.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null"""
_OF_PROJECTS: Final = f"{_PARES} and p.codigo = any(%(codigos)s) order by p.ordem, p.codigo, a.avaliador_id"
_OF_PERSON: Final = f"{_PARES} and a.avaliador_id = %(avaliador)s order by p.ordem, p.codigo"
_OF_ACT: Final = f"{_PARES} and a.ato_id = %(ato)s order by p.ordem, p.codigo, a.avaliador_id"
_COUNTED: Final = f"""
    select avaliador_id, count(*) as projetos, count(*) filter (where enviada) as enviadas,
        count(*) filter (where comecada and not enviada) as rascunhos, max(lembrado_em) as lembrado_em,
        (array_agg(lembrado_por order by lembrado_em desc nulls last))[1] as lembrado_por
    from ({_PARES}) t group by avaliador_id"""
_DROP: Final = """
    delete from atribuicoes a using projetos p where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s
        and a.tenant_id = p.tenant_id and a.projeto_id = p.id and not exists (
            select from unnest(%(avaliadores)s::uuid[], %(projetos)s::uuid[]) as n (avaliador_id, projeto_id)
            where n.avaliador_id = a.avaliador_id and n.projeto_id = a.projeto_id)"""
_GIVE: Final = """
    insert into atribuicoes (tenant_id, avaliador_id, projeto_id, ato_id)
    select %(tenant)s, n.avaliador_id, n.projeto_id, %(ato)s::uuid
    from unnest(%(avaliadores)s::uuid[], %(projetos)s::uuid[]) as n (avaliador_id, projeto_id)
    where not exists (select from impedimentos i where i.tenant_id = %(tenant)s and i.projeto_id = n.projeto_id
        and i.avaliador_id = n.avaliador_id and i.desfeito_em is null)
    on conflict do nothing"""
_TAKE: Final = """
    delete from atribuicoes a using unnest(%(avaliadores)s::uuid[], %(projetos)s::uuid[]) as n (avaliador_id, projeto_id)
    where a.tenant_id = %(tenant)s and a.avaliador_id = n.avaliador_id and a.projeto_id = n.projeto_id"""
_TAKE_FROM_OTHERS: Final = """
    delete from atribuicoes a using projetos p where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s
        and a.tenant_id = p.tenant_id and a.projeto_id = p.id and a.avaliador_id <> all(%(avaliadores)s::uuid[])"""
_NOTE_TAKEN: Final = f"""
    insert into atribuicoes_tiradas (tenant_id, id, projeto_id, avaliador_id, motivo, notas, tirada_por, tirada_em)
    select %(tenant)s, n.id, n.projeto_id, %(avaliador)s, %(motivo)s, n.notas, %(por)s, %(em)s
    from unnest(%(ids)s::uuid[], %(projetos)s::uuid[], %(notas)s::text[]) as n (id, projeto_id, notas)
    returning {", ".join(ATRIBUICOES_TIRADAS.columns)}"""
_OPEN_ACT: Final = """
    insert into atribuicao_atos (tenant_id, id, edital_id, projetos, dadas, feito_por, feito_em) values (%s, %s, %s, %s, %s, %s, %s)"""
_ACTS: Final = """
    select t.id, e.codigo as edital, t.projetos, t.dadas, t.feito_por, t.feito_em,
        (select count(*) from atribuicoes a where a.tenant_id = t.tenant_id and a.ato_id = t.id) as em_vigor
    from atribuicao_atos t join editais e on e.tenant_id = t.tenant_id and e.id = t.edital_id
    where t.tenant_id = %(tenant)s and t.edital_id = %(edital)s"""
_REMIND: Final = """
    update atribuicoes a set lembrado_por = %(por)s, lembrado_em = %(em)s
    from unnest(%(avaliadores)s::uuid[], %(projetos)s::uuid[]) as n (avaliador_id, projeto_id)
    where a.tenant_id = %(tenant)s and a.avaliador_id = n.avaliador_id and a.projeto_id = n.projeto_id"""
_ALONE: Final = """
    select count(*) as projetos, count(*) filter (where not exists (
        select from atribuicoes a where a.tenant_id = p.tenant_id and a.projeto_id = p.id)) as sem_ninguem
    from projetos p where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
# One reminder of a person at a time, whatever projects it is about.
_IN_TURN: Final = "select pg_advisory_xact_lock(hashtextextended('lembretes|' || %s, 0))"
_REMINDED: Final = """
    select distinct on (avaliador_id) avaliador_id, lembrado_por, lembrado_em from atribuicoes
    where tenant_id = %s and avaliador_id = any(%s) and lembrado_em is not null order by avaliador_id, lembrado_em desc"""


Pares = Sequence[tuple[UUID, UUID]]
"""Who, and which project, by their ids."""


async def replace(uow: UnitOfWork, edital_id: UUID, pares: Pares) -> None:
    """These were given in an edital, and nothing else; what was given before keeps its act and its reminder. Whoever is impeded in a
    project is not given it.
    """
    values = _values(uow, pares)
    await uow.connection.exec_driver_sql(_DROP, {**values, "edital": edital_id})
    await uow.connection.exec_driver_sql(_GIVE, {**values, "ato": None})


async def take_from_others(uow: UnitOfWork, edital_id: UUID, avaliadores: Sequence[UUID]) -> None:
    """Whoever is not of these people has no project of an edital any more."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "avaliadores": list(avaliadores)}
    await uow.connection.exec_driver_sql(_TAKE_FROM_OTHERS, values)


async def give(uow: UnitOfWork, edital_id: UUID, ato: AtoDeDistribuicao, pares: Pares) -> None:
    """Keep an act, and give what it gives; its projects are locked."""
    opened = (uow.scope.tenant_id, ato.id, edital_id, ato.projetos, ato.dadas, ato.feito_por, ato.feito_em)
    await uow.connection.exec_driver_sql(_OPEN_ACT, opened)
    await uow.connection.exec_driver_sql(_GIVE, {**_values(uow, pares), "ato": ato.id})


async def put(uow: UnitOfWork, pares: Pares) -> None:
    """These are given by no act of here; what was given already stays as it was."""
    await uow.connection.exec_driver_sql(_GIVE, {**_values(uow, pares), "ato": None})


async def take(uow: UnitOfWork, pares: Pares) -> None:
    """These are no longer given; what was written of them stays."""
    await uow.connection.exec_driver_sql(_TAKE, _values(uow, pares))


async def note_taken(
    uow: UnitOfWork, avaliador: UUID, tiradas: Sequence[tuple[UUID, UUID, str]], motivo: str, por: UUID, em: datetime
) -> Mapping[UUID, dict[str, str]]:
    """Keep why projects were taken from a person: an id, the project, and what becomes of the notas; the seals, by project."""
    values = {
        "tenant": uow.scope.tenant_id,
        "avaliador": avaliador,
        "motivo": motivo,
        "por": por,
        "em": em,
        "ids": [one for one, _, _ in tiradas],
        "projetos": [projeto for _, projeto, _ in tiradas],
        "notas": [notas for _, _, notas in tiradas],
    }
    rows = (await uow.connection.exec_driver_sql(_NOTE_TAKEN, values)).all()
    return {row.projeto_id: dict([ATRIBUICOES_TIRADAS.seal_of(row)]) for row in rows}


async def of_projects(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> tuple[Par, ...]:
    """Who was given some of the projects in force of an edital, in the order of the projects."""
    return await _pares(uow, _OF_PROJECTS, edital_id, codigos=list(codigos))


async def of_person(uow: UnitOfWork, edital_id: UUID, avaliador: UUID) -> tuple[Par, ...]:
    """What of an edital was given to a person, in the order of the projects."""
    return await _pares(uow, _OF_PERSON, edital_id, avaliador=avaliador)


async def of_act(uow: UnitOfWork, edital_id: UUID, ato_id: UUID) -> tuple[Par, ...]:
    """What an act gave and is given still, in the order of the projects."""
    return await _pares(uow, _OF_ACT, edital_id, ato=ato_id)


async def counts_of(uow: UnitOfWork, edital_id: UUID) -> Mapping[UUID, ComoFicam]:
    """How far each person of an edital has come, by id; of who was given nothing, nothing."""
    rows = await uow.connection.exec_driver_sql(_COUNTED, {"tenant": uow.scope.tenant_id, "edital": edital_id})
    return {row.avaliador_id: ComoFicam(row.projetos, row.rascunhos, row.enviadas, row.lembrado_por, row.lembrado_em) for row in rows}


async def count_alone(uow: UnitOfWork, edital_id: UUID) -> tuple[int, int]:
    """How many projects in force an edital has, and how many of them nobody was given."""
    row = (await uow.connection.exec_driver_sql(_ALONE, (uow.scope.tenant_id, edital_id))).one()
    return row.projetos, row.sem_ninguem


async def acts_of(uow: UnitOfWork, edital_id: UUID, limite: int) -> tuple[AtoDeDistribuicao, ...]:
    """The acts of an edital, the newest first, at most so many."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "limite": limite}
    rows = await uow.connection.exec_driver_sql(f"{_ACTS} order by t.feito_em desc, t.id desc limit %(limite)s", values)
    return tuple([_ato(row) for row in rows])


async def find_act(uow: UnitOfWork, edital_id: UUID, ato_id: UUID) -> AtoDeDistribuicao | None:
    """An act of an edital."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "ato": ato_id}
    row = (await uow.connection.exec_driver_sql(f"{_ACTS} and t.id = %(ato)s", values)).one_or_none()
    return None if row is None else _ato(row)


async def remind_in_turn(uow: UnitOfWork) -> None:
    """Nobody else reminds anybody of the tenant until the unit of work ends."""
    await uow.connection.exec_driver_sql(_IN_TURN, (uow.scope.tenant_id,))


async def last_reminders(uow: UnitOfWork, avaliadores: Sequence[UUID]) -> Mapping[UUID, tuple[UUID, datetime]]:
    """By whom and when each of these people was reminded last, in whatever edital; of who never was, nothing."""
    rows = await uow.connection.exec_driver_sql(_REMINDED, (uow.scope.tenant_id, list(avaliadores)))
    return {row.avaliador_id: (row.lembrado_por, row.lembrado_em) for row in rows}


async def remind(uow: UnitOfWork, pares: Pares, por: UUID, em: datetime) -> None:
    """People are reminded of these projects, in the place of an earlier reminder."""
    await uow.connection.exec_driver_sql(_REMIND, {**_values(uow, pares), "por": por, "em": em})


def _values(uow: UnitOfWork, pares: Pares) -> dict[str, Any]:
    return {"tenant": uow.scope.tenant_id, "avaliadores": [one for one, _ in pares], "projetos": [one for _, one in pares]}


async def _pares(uow: UnitOfWork, statement: str, edital_id: UUID, **more: object) -> tuple[Par, ...]:
    rows = await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id, "edital": edital_id, **more})
    return tuple([Par(row.avaliador_id, row.projeto_id, row.codigo, row.comecada, row.notas, row.enviada) for row in rows])


def _ato(row: Row[Any]) -> AtoDeDistribuicao:
    return AtoDeDistribuicao(row.id, row.edital, row.projetos, row.dadas, row.feito_por, row.feito_em, row.em_vigor)
