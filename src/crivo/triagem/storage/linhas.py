"""Which lines of an execução's long lists are asked for, and in what order: found and cut by the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import msgspec

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Irregularidade
from crivo.triagem.storage.triados import (
    FORA,
    GRUPO,
    INTEIRA,
    NOTAS,
    OF_EXECUCAO,
    PESADA,
    PROCURA,
    TITULO,
    TRIADOS,
    Alvo,
    once_through,
    says,
    spoken,
)

Linha = TypeVar("Linha")
SEM_DECISAO: Final = "sem-decisao"
# Texts are compared sign by sign, whatever the language of the server.
_IN_ORDER: Final = 'p.ordem, p.codigo collate "C"'
_JUDGED: Final[Mapping[str, str]] = {
    "projeto": TITULO,
    "situacao": f"array_position(array['inabilitado', 'pendencia', 'erro', '', 'habilitado'], {GRUPO})",
    "confianca": "case when r.itens_total = 0 then 0 else r.itens_lidos::float8 / r.itens_total end",
}
_READ: Final[Mapping[str, str]] = {"": "t.posicao nulls last", "projeto": "t.titulo"}
_SIGNS: Final[Mapping[str, str]] = {
    "medida": "coalesce((i.dados ->> 'valor')::float8, 0) desc",
    "projeto": "array(select jsonb_array_elements_text(i.dados -> 'projetos')) collate \"C\"",
}
_HAS_BEEN_READ: Final = (
    "(r.com_leitura or exists (select from triagem_ia_notas n where n.tenant_id = r.tenant_id and n.resultado_id = r.id))"
)
_PLACED: Final = f"""
    (select r.projeto_id, p.codigo, p.ordem, {TITULO} as titulo, {PROCURA} as procura, r.com_leitura or count(n.id) > 0 as lido,
        case when {INTEIRA} and not {FORA} then rank() over (partition by {INTEIRA} and not {FORA} order by {PESADA} desc) end as posicao
    {TRIADOS} {NOTAS} where {OF_EXECUCAO} group by r.tenant_id, r.id, p.tenant_id, p.id) t"""


@dataclass(frozen=True, slots=True)
class Recorte:
    """What is asked of a list: all of these folded words, one filter, an order (each empty where none is), and the page, from 1."""

    palavras: tuple[str, ...] = ()
    filtro: str = ""
    ordem: str = ""
    pagina: int = 1
    tamanho: int = 25


@dataclass(frozen=True, slots=True)
class Corte(Generic[Linha]):
    """A page of what answers to a `Recorte`: the last one where there are fewer, and how many lines there are in all."""

    linhas: tuple[Linha, ...]
    total: int
    pagina: int


@dataclass(frozen=True, slots=True)
class Lugar:
    """A project of a list; `posicao` is its place by the suggested mean, where it has a whole one."""

    projeto_id: UUID
    codigo: str
    posicao: int | None


async def judged(uow: UnitOfWork, alvo: Alvo, recorte: Recorte) -> Corte[Lugar]:
    """Projects of which habilitação says something, or that failed; `filtro` is a suggestion, `erro` or `SEM_DECISAO`."""
    chosen = {"": "true", SEM_DECISAO: "d.projeto_id is null"}.get(recorte.filtro, f"{GRUPO} = %(filtro)s")
    which = f"{TRIADOS} where {OF_EXECUCAO} and {GRUPO} <> '' and {chosen} and {says(PROCURA, recorte.palavras)}"
    order = ", ".join(part for part in (_JUDGED.get(recorte.ordem, ""), _IN_ORDER) if part)
    found = await _cut(uow, alvo, recorte, f"select count(*) {which}", f"select r.projeto_id, p.codigo {which} order by {order}")
    return Corte(tuple([Lugar(row.projeto_id, row.codigo, None) for row in found.linhas]), found.total, found.pagina)


async def read(uow: UnitOfWork, alvo: Alvo, recorte: Recorte) -> Corte[Lugar]:
    """Projects of which avaliação says something; they are not filtered."""
    counting = f"select count(*) {TRIADOS} where {OF_EXECUCAO} and {_HAS_BEEN_READ} and {says(PROCURA, recorte.palavras)}"
    order = ", ".join(part for part in (_READ.get(recorte.ordem, ""), 't.ordem, t.codigo collate "C"') if part)
    choosing = f"select t.projeto_id, t.codigo, t.posicao from {_PLACED} where t.lido and {says('t.procura', recorte.palavras)}"
    found = await _cut(uow, alvo, recorte, counting, f"{choosing} order by {order}")
    return Corte(tuple([Lugar(row.projeto_id, row.codigo, row.posicao) for row in found.linhas]), found.total, found.pagina)


async def signs(uow: UnitOfWork, alvo: Alvo, recorte: Recorte) -> Corte[Irregularidade]:
    """Signs of a kind that say the words, or that concern a project that does; a project of another edital has only its code."""
    chosen = "i.tipo = %(filtro)s" if recorte.filtro else "true"
    # Uncorrelated, so that the projects are gone through once, not for each sign.
    in_force = "select p.codigo from projetos p where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null"
    about = (
        f"(({says('i.procura', recorte.palavras)}) or exists (select from jsonb_array_elements_text(i.dados -> 'projetos') as c (codigo) "
        f"where c.codigo in ({in_force} and {says('p.procura', recorte.palavras)}) "
        f"or (({says('lower(c.codigo)', recorte.palavras)}) and c.codigo not in ({in_force}))))"
        if recorte.palavras
        else "true"
    )
    which = f"from triagem_ia_irregularidades i where i.tenant_id = %(tenant)s and i.execucao_id = %(execucao)s and {chosen} and {about}"
    order = ", ".join(part for part in (_SIGNS.get(recorte.ordem, ""), "i.ordem") if part)
    found = await _cut(uow, alvo, recorte, f"select count(*) {which}", f"select i.dados::text as dados {which} order by {order}")
    return Corte(tuple([msgspec.json.decode(row.dados, type=Irregularidade) for row in found.linhas]), found.total, found.pagina)


async def _cut(uow: UnitOfWork, alvo: Alvo, recorte: Recorte, counting: str, choosing: str) -> Corte[Any]:
    values = alvo.values(uow, filtro=recorte.filtro, **spoken(recorte.palavras))
    async with once_through(uow):
        total = int((await uow.connection.exec_driver_sql(counting, values)).scalar_one())
        pagina = min(max(1, recorte.pagina), max(1, -(-total // recorte.tamanho)))
        cut = {"quantas": recorte.tamanho, "antes": (pagina - 1) * recorte.tamanho}
        rows = (await uow.connection.exec_driver_sql(f"{choosing} limit %(quantas)s offset %(antes)s", values | cut)).all()
    return Corte(tuple(rows), total, pagina)
