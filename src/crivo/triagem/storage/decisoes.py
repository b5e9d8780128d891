"""What people decided of the habilitação of projects, beside what was suggested; each decision with its act, and what it replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.guardados import Ato, DecisaoHabilitacao
from crivo.triagem.seladas import HABILITACOES, HABILITACOES_ANTERIORES
from crivo.triagem.storage.triados import once_through

_COLUMNS: Final = ", ".join(HABILITACOES.columns)
_BEFORE_COLUMNS: Final = ", ".join(HABILITACOES_ANTERIORES.columns)
_DECIDED: Final = "d.decisao, d.sugestao, d.motivo, d.decidido_por, d.decidido_em, d.ato_id"
# In the order of ids, so that two who decide on many wait for each other and never in a circle; an import that withdraws waits too.
_LOCK: Final = """
    select 1 from projetos where tenant_id = %s and edital_id = %s and codigo = any(%s) order by id for no key update"""
_STANDING: Final = f"""
    select p.id, p.codigo, p.retirado_em is not null as retirado, r.habilitacao_sugerida, {_DECIDED}, d.anterior_id
    from projetos p
    left join triagem_ia_resultados r on r.tenant_id = p.tenant_id and r.projeto_id = p.id and r.execucao_id = %(execucao)s
        and r.concluido_em is not null and r.erro is null
    left join habilitacao_decisoes d on d.tenant_id = p.tenant_id and d.projeto_id = p.id
    where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.codigo = any(%(codigos)s)"""
_FEW: Final = 100  # projects: of more, each table is gone through once
_OPEN_ACT: Final = """
    insert into habilitacao_atos (tenant_id, id, edital_id, decisao, quantos, feito_por, feito_em) values (%s, %s, %s, %s, %s, %s, %s)"""
_SET_ASIDE: Final = f"""
    insert into habilitacao_decisoes_anteriores (tenant_id, id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em,
        ato_id, anterior_id, desfeita_por, desfeita_em)
    select d.tenant_id, n.id, d.projeto_id, d.decisao, d.sugestao, d.motivo, d.decidido_por, d.decidido_em, d.ato_id, d.anterior_id,
        %(desfeita_por)s::uuid, %(desfeita_em)s::timestamptz
    from unnest(%(ids)s::uuid[], %(projetos)s::uuid[]) as n (id, projeto_id)
    join habilitacao_decisoes d on d.projeto_id = n.projeto_id
    where d.tenant_id = %(tenant)s returning {_BEFORE_COLUMNS}"""
_KEEP: Final = f"""
    insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em, ato_id, anterior_id)
    select %(tenant)s, n.projeto_id, %(decisao)s, n.sugestao, %(motivo)s, %(por)s, %(em)s, %(ato)s, n.anterior_id
    from unnest(%(projetos)s::uuid[], %(sugestoes)s::text[], %(anteriores)s::uuid[]) as n (projeto_id, sugestao, anterior_id)
    on conflict (tenant_id, projeto_id) do update set decisao = excluded.decisao, sugestao = excluded.sugestao, motivo = excluded.motivo,
        decidido_por = excluded.decidido_por, decidido_em = excluded.decidido_em, ato_id = excluded.ato_id,
        anterior_id = excluded.anterior_id
    returning {_COLUMNS}"""
_PUT_BACK: Final = f"""
    update habilitacao_decisoes d set decisao = a.decisao, sugestao = a.sugestao, motivo = a.motivo, decidido_por = a.decidido_por,
        decidido_em = a.decidido_em, ato_id = a.ato_id, anterior_id = a.anterior_id
    from habilitacao_decisoes_anteriores a
    where d.tenant_id = %(tenant)s and d.projeto_id = any(%(projetos)s::uuid[]) and a.tenant_id = d.tenant_id and a.id = d.anterior_id
    returning {", ".join(f"d.{name}" for name in HABILITACOES.columns)}"""
_TAKE_AWAY: Final = f"""
    delete from habilitacao_decisoes where tenant_id = %(tenant)s and projeto_id = any(%(projetos)s::uuid[]) and anterior_id is null
    returning {_COLUMNS}"""
_OF: Final = f"""
    select p.codigo, {_DECIDED}
    from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
# One that came into force again, as what replaced it was undone, is told where it stands now and not as an earlier one too.
_BEFORE: Final = f"""
    select p.codigo, {_DECIDED}, d.desfeita_por, d.desfeita_em
    from habilitacao_decisoes_anteriores d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null and not exists (
        select from habilitacao_decisoes_anteriores u
        where u.tenant_id = d.tenant_id and u.projeto_id = d.projeto_id and u.anterior_id = d.id and u.desfeita_em is not null)"""
_COUNT: Final = """
    select count(*) from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
_ACTS: Final = """
    select t.id, e.codigo as edital, t.decisao, t.quantos, t.feito_por, t.feito_em,
        (select count(*) from habilitacao_decisoes d where d.tenant_id = t.tenant_id and d.ato_id = t.id) as em_vigor,
        (select count(distinct d.projeto_id) from habilitacao_decisoes_anteriores d
            where d.tenant_id = t.tenant_id and d.ato_id = t.id and d.desfeita_em is not null) as desfeitas,
        array(select distinct p.codigo
            from (select projeto_id from habilitacao_decisoes where tenant_id = t.tenant_id and ato_id = t.id
                union all select projeto_id from habilitacao_decisoes_anteriores where tenant_id = t.tenant_id and ato_id = t.id) d
            join projetos p on p.tenant_id = t.tenant_id and p.id = d.projeto_id order by p.codigo limit 3) as codigos
    from habilitacao_atos t join editais e on e.tenant_id = t.tenant_id and e.id = t.edital_id
    where t.tenant_id = %(tenant)s and t.edital_id = %(edital)s"""
_IN_ACT: Final = """
    select distinct p.codigo
    from (
        select projeto_id from habilitacao_decisoes where tenant_id = %(tenant)s and ato_id = %(ato)s
        union all select projeto_id from habilitacao_decisoes_anteriores where tenant_id = %(tenant)s and ato_id = %(ato)s) d
    join projetos p on p.tenant_id = %(tenant)s and p.id = d.projeto_id
    where p.edital_id = %(edital)s order by p.codigo"""
_UNDONE: Final = f"""
    select distinct on (p.codigo) p.codigo, {_DECIDED}, d.desfeita_por, d.desfeita_em
    from habilitacao_decisoes_anteriores d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %(tenant)s and p.edital_id = %(edital)s and d.ato_id = %(ato)s and d.desfeita_em is not null
    order by p.codigo, d.desfeita_em desc"""


@dataclass(frozen=True, slots=True)
class Posicao:
    """A project as it stands: what was suggested, and the decision in force with the id of what that replaced; None where there is none."""

    id: UUID
    codigo: str
    retirado: bool
    sugestao: HabilitacaoSugerida | None
    decisao: DecisaoHabilitacao | None
    anterior: UUID | None


@dataclass(frozen=True, slots=True)
class Nova:
    """A decision to be kept: its project, what was suggested, and under which id what stands is set aside; None where nothing does."""

    projeto_id: UUID
    sugestao: HabilitacaoSugerida | None
    anterior_id: UUID | None


@dataclass(frozen=True, slots=True)
class Tomada:
    """A decision as it is taken, on however many: the act's id, what and why, by whom and when."""

    id: UUID
    decisao: HabilitacaoSugerida
    motivo: str
    por: UUID
    em: datetime


Selos = Mapping[UUID, dict[str, str]]
"""Of each project, the seals of the rows that were written of it."""


async def lock(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> None:
    """Have these projects to oneself until the unit of work ends: nobody else decides on them, and no import withdraws them."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id, edital_id, list(codigos)))


async def standing(uow: UnitOfWork, edital_id: UUID, execucao_id: UUID | None, codigos: Sequence[str]) -> dict[str, Posicao]:
    """How each of these projects stands, withdrawn ones too, by code; one that never was there is left out."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "execucao": execucao_id, "codigos": list(codigos)}
    async with once_through(uow) if len(codigos) > _FEW else nullcontext():
        rows = (await uow.connection.exec_driver_sql(_STANDING, values)).all()
    return {
        row.codigo: Posicao(
            row.id, row.codigo, row.retirado, row.habilitacao_sugerida, _decisao(row) if row.decisao else None, row.anterior_id
        )
        for row in rows
    }


async def keep(uow: UnitOfWork, edital_id: UUID, ato: Tomada, novas: Sequence[Nova]) -> Selos:
    """Keep an act's decisions, whose projects are locked; each that was there is set aside whole."""
    tenant = uow.scope.tenant_id
    opened = (tenant, ato.id, edital_id, ato.decisao, len(novas), ato.por, ato.em)
    await uow.connection.exec_driver_sql(_OPEN_ACT, opened)
    aside = await _set_aside(uow, {one.projeto_id: one.anterior_id for one in novas if one.anterior_id is not None})
    values = {
        "tenant": tenant,
        "projetos": [one.projeto_id for one in novas],
        "sugestoes": [one.sugestao for one in novas],
        "anteriores": [one.anterior_id for one in novas],
        "decisao": ato.decisao,
        "motivo": ato.motivo,
        "por": ato.por,
        "em": ato.em,
        "ato": ato.id,
    }
    kept = (await uow.connection.exec_driver_sql(_KEEP, values)).all()
    return {row.projeto_id: dict([HABILITACOES.seal_of(row), *aside.get(row.projeto_id, ())]) for row in kept}


async def undo(uow: UnitOfWork, em_vigor: Mapping[UUID, UUID], por: UUID, em: datetime) -> tuple[Selos, Selos]:
    """Put these projects, which are locked, back to what their decisions in force replaced; these are set aside, marked as undone, each
    under the id given.

    The seals of what was written, and of rows that are gone: of projects that have no decision now.
    """
    aside = await _set_aside(uow, em_vigor, por, em)
    values = {"tenant": uow.scope.tenant_id, "projetos": list(em_vigor)}
    # First, as what comes back may have replaced nothing itself.
    gone = (await uow.connection.exec_driver_sql(_TAKE_AWAY, values)).all()
    back = (await uow.connection.exec_driver_sql(_PUT_BACK, values)).all()
    written: dict[UUID, dict[str, str]] = {of: dict(seals) for of, seals in aside.items()}
    for row in back:
        written[row.projeto_id] |= [HABILITACOES.seal_of(row)]
    return written, {row.projeto_id: dict([HABILITACOES.seal_of(row)]) for row in gone}


async def _set_aside(
    uow: UnitOfWork, ids: Mapping[UUID, UUID], por: UUID | None = None, em: datetime | None = None
) -> dict[UUID, list[tuple[str, str]]]:
    values = {"tenant": uow.scope.tenant_id, "ids": list(ids.values()), "projetos": list(ids), "desfeita_por": por, "desfeita_em": em}
    rows = (await uow.connection.exec_driver_sql(_SET_ASIDE, values)).all() if ids else []
    return {row.projeto_id: [HABILITACOES_ANTERIORES.seal_of(row)] for row in rows}


async def decisions_of(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None = None) -> Mapping[str, DecisaoHabilitacao]:
    """The decisions of an edital by the project's code; of some of its projects alone where they are named."""
    earlier = await earlier_of(uow, edital_id, projetos)
    only, given = _only(uow, edital_id, projetos)
    rows = await uow.connection.exec_driver_sql(f"{_OF} {only}", given)
    return {row.codigo: _decisao(row, earlier.get(row.codigo, ())) for row in rows}


async def earlier_of(
    uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None = None
) -> Mapping[str, tuple[DecisaoHabilitacao, ...]]:
    """The decisions that are in force no more, replaced or undone, the last one first; also of projects that have none now."""
    only, given = _only(uow, edital_id, projetos)
    found: dict[str, list[DecisaoHabilitacao]] = {}
    for row in await uow.connection.exec_driver_sql(f"{_BEFORE} {only} order by d.decidido_em desc, d.id desc", given):
        found.setdefault(row.codigo, []).append(_undone(row))
    return {codigo: tuple(those) for codigo, those in found.items()}


async def count_decisions(uow: UnitOfWork, edital_id: UUID) -> int:
    """How many projects of an edital a person decided on."""
    return int((await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id, edital_id))).scalar_one())


async def acts_of(uow: UnitOfWork, edital_id: UUID, limite: int) -> tuple[Ato, ...]:
    """The acts of an edital, the newest first, at most so many."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "limite": limite}
    rows = await uow.connection.exec_driver_sql(f"{_ACTS} order by t.feito_em desc, t.id desc limit %(limite)s", values)
    return tuple([_ato(row) for row in rows])


async def find_act(uow: UnitOfWork, edital_id: UUID, ato_id: UUID) -> Ato | None:
    """An act of an edital."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "ato": ato_id}
    row = (await uow.connection.exec_driver_sql(f"{_ACTS} and t.id = %(ato)s", values)).one_or_none()
    return None if row is None else _ato(row)


async def projects_in(uow: UnitOfWork, edital_id: UUID, ato_id: UUID) -> list[str]:
    """The codes of the projects of an act, in order; withdrawn ones too."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "ato": ato_id}
    return list((await uow.connection.exec_driver_sql(_IN_ACT, values)).scalars())


async def undone_in(uow: UnitOfWork, edital_id: UUID, ato_id: UUID) -> Mapping[str, DecisaoHabilitacao]:
    """The decisions of an act that were undone, by the project's code."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "ato": ato_id}
    return {row.codigo: _undone(row) for row in await uow.connection.exec_driver_sql(_UNDONE, values)}


def _only(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None) -> tuple[str, tuple[object, ...]]:
    of = (uow.scope.tenant_id, edital_id)
    return ("", of) if projetos is None else ("and p.id = any(%s)", (*of, list(projetos)))


def _ato(row: Row[Any]) -> Ato:
    return Ato(row.id, row.edital, row.decisao, row.quantos, row.feito_por, row.feito_em, row.em_vigor, row.desfeitas, tuple(row.codigos))


def _undone(row: Row[Any]) -> DecisaoHabilitacao:
    told = (row.decisao, row.sugestao, row.motivo, row.decidido_por, row.decidido_em)
    return DecisaoHabilitacao(row.codigo, *told, (), row.ato_id, row.desfeita_por, row.desfeita_em)


def _decisao(row: Row[Any], anteriores: tuple[DecisaoHabilitacao, ...] = ()) -> DecisaoHabilitacao:
    told = (row.decisao, row.sugestao, row.motivo, row.decidido_por, row.decidido_em)
    return DecisaoHabilitacao(row.codigo, *told, anteriores, row.ato_id)
