"""Which lines of an execução's long lists are asked for, and in what order: cut by the database.

Words and titles stand sealed: where a list is searched or ordered by them, the names of the call are opened first, and the database is
told what was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import SEM_LEITURA
from crivo.triagem.guardados import COM_DECISAO, SEM_DECISAO
from crivo.triagem.storage.nomes import nomes_of, places_by_title
from crivo.triagem.storage.triados import FORA, GRUPO, INTEIRA, NOTAS, OF_EXECUCAO, PESADA, TRIADOS, Alvo, once_through

Linha = TypeVar("Linha")
# Texts are compared sign by sign, whatever the language of the server.
_IN_ORDER: Final = 'p.ordem, p.codigo collate "C"'
# What is told of thousands of projects is told as one text: it is made of their ids once, and not a value at a time.
_FOUND: Final = "r.projeto_id = any(%(achados)s::uuid[])"
# Where each project stands by its title.
_BY_TITLE: Final = """
    left join unnest(%(titulados)s::uuid[], %(lugares)s::integer[]) as o (projeto_id, lugar) on o.projeto_id = r.projeto_id"""
_READ_ITEMS: Final = f'$[*] ? (@.situacao != "nao_lido" && !({" || ".join([f"""@.motivo == "{one}" """ for one in SEM_LEITURA])}))'
_JUDGED: Final[Mapping[str, str]] = {
    "projeto": "o.lugar",
    "situacao": f"array_position(array['inabilitado', 'pendencia', 'erro', '', 'habilitado'], {GRUPO})",
    # What could not be read at all stands last, whichever way the list goes.
    "confianca": f"nullif(jsonb_array_length(jsonb_path_query_array(r.itens, '{_READ_ITEMS}'))::float8 / nullif(r.itens_total, 0), 0)",
}
_READ: Final[Mapping[str, str]] = {
    "": "t.posicao nulls last",
    "-nota": "t.posicao nulls last",
    "nota": "t.posicao desc nulls last",
    "projeto": "t.lugar",
    "-projeto": "t.lugar desc",
}
_DECIDED: Final[Mapping[str, str]] = {SEM_DECISAO: "d.projeto_id is null", COM_DECISAO: "d.projeto_id is not null"}
_HAS_BEEN_READ: Final = (
    "(r.com_leitura or exists (select from triagem_ia_notas n where n.tenant_id = r.tenant_id and n.resultado_id = r.id))"
)
_PLACED: Final = f"""
    (select r.projeto_id, p.codigo, p.ordem, o.lugar, r.com_leitura or count(n.id) > 0 as lido,
        case when {INTEIRA} and not {FORA} then rank() over (partition by {INTEIRA} and not {FORA} order by {PESADA} desc) end as posicao
    {TRIADOS} {_BY_TITLE} {NOTAS} where {OF_EXECUCAO} group by r.tenant_id, r.id, p.tenant_id, p.id, o.lugar) t"""


@dataclass(frozen=True, slots=True)
class Recorte:
    """What is asked of a list: all of these folded words, two filters, an order (each empty where none is), and the page, from 1.

    `filtro` is of what was found, `decisao` of what people decided. An order begins with `-` where the greatest comes first.
    """

    palavras: tuple[str, ...] = ()
    filtro: str = ""
    ordem: str = ""
    pagina: int = 1
    tamanho: int = 25
    decisao: str = ""


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
    """Projects of which habilitação says something, or that failed; `filtro` is a suggestion or `erro`, `decisao` one of the two."""
    chosen = f"{GRUPO} = %(filtro)s" if recorte.filtro else "true"
    decided = _DECIDED.get(recorte.decisao, "true")
    names = await _names(uow, alvo, recorte)
    which = f"where {OF_EXECUCAO} and {GRUPO} <> '' and {chosen} and {decided} and {_FOUND if recorte.palavras else 'true'}"
    column = _JUDGED.get(recorte.ordem.removeprefix("-"), "")
    down = f"{' desc' if recorte.ordem.startswith('-') else ''} nulls last" if column else ""
    order = ", ".join(part for part in (column + down, _IN_ORDER) if part)
    counting, choosing = f"select count(*) {TRIADOS} {which}", f"select r.projeto_id, p.codigo {TRIADOS} {_BY_TITLE} {which}"
    found = await _cut(uow, alvo, recorte, counting, f"{choosing} order by {order}", names)
    return Corte(tuple([Lugar(row.projeto_id, row.codigo, None) for row in found.linhas]), found.total, found.pagina)


async def read(uow: UnitOfWork, alvo: Alvo, recorte: Recorte) -> Corte[Lugar]:
    """Projects of which avaliação says something; they are not filtered."""
    names = await _names(uow, alvo, recorte)
    counting = f"select count(*) {TRIADOS} where {OF_EXECUCAO} and {_HAS_BEEN_READ} and {_FOUND if recorte.palavras else 'true'}"
    order = ", ".join(part for part in (_READ.get(recorte.ordem, ""), 't.ordem, t.codigo collate "C"') if part)
    only = "t.projeto_id = any(%(achados)s::uuid[])" if recorte.palavras else "true"
    choosing = f"select t.projeto_id, t.codigo, t.posicao from {_PLACED} where t.lido and {only} order by {order}"
    found = await _cut(uow, alvo, recorte, counting, choosing, names)
    return Corte(tuple([Lugar(row.projeto_id, row.codigo, row.posicao) for row in found.linhas]), found.total, found.pagina)


async def _names(uow: UnitOfWork, alvo: Alvo, recorte: Recorte) -> dict[str, Any]:
    """The parameters of what is looked for by names: nothing is opened where neither words nor the order ask for it."""
    ordered = recorte.ordem.removeprefix("-") == "projeto"
    names = await nomes_of(uow, alvo.edital_id) if recorte.palavras or ordered else []
    places = places_by_title(names) if ordered else []
    achados = [one.id for one in names if one.says(recorte.palavras)] if recorte.palavras else []
    titulados = [one.id for one in names] if ordered else []
    return {"achados": _array(achados), "titulados": _array(titulados), "lugares": _array(map(str, places))}


def _array(values: Iterable[str]) -> str:
    """Ids or numbers as PostgreSQL writes an array of them."""
    return f"{{{','.join(values)}}}"


async def _cut(uow: UnitOfWork, alvo: Alvo, recorte: Recorte, counting: str, choosing: str, found: Mapping[str, Any]) -> Corte[Any]:
    values = alvo.values(uow, filtro=recorte.filtro, **found)
    async with once_through(uow):
        total = int((await uow.connection.exec_driver_sql(counting, values)).scalar_one())
        pagina = min(max(1, recorte.pagina), max(1, -(-total // recorte.tamanho)))
        cut = {"quantas": recorte.tamanho, "antes": (pagina - 1) * recorte.tamanho}
        rows = (await uow.connection.exec_driver_sql(f"{choosing} limit %(quantas)s offset %(antes)s", values | cut)).all()
    return Corte(tuple(rows), total, pagina)
