"""Which days count in whose deadlines: those of an organisation, and of an administradora whose place is another. Said by people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from typing import ClassVar, Final

from crivo.autorizacoes.politicas.codigos import fold_id, without_zeros
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.prazos import NACIONAL, Calendario, cidades, estados_de, read_folgas, ufs
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

DE_TODAS: Final = ""
"""The administradora of the calendar that all those have that have none of their own."""
COMO_SE_ESCREVE: Final = "14/06/2027, 13/06 (todo ano), carnaval, cinzas, corpus christi"
"""How people write days off."""
_LONGEST: Final = 2_000
_LONGEST_NAME: Final = 200
_MOST_TOLD: Final = 3
_A_DAY: Final = re.compile(r"\d{1,2}/\d{1,2}(?:/\d{4})?|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}", re.ASCII)
_OF_EVERY_YEAR: Final = re.compile(r"(\d{1,2}/\d{1,2})\s*\(todo ano\)", re.ASCII)
_ALL: Final = (
    "select administradora_id, uf, cidade, folgas, definido_por, definido_em from autorizacao_calendarios where tenant_id = %s "
    "order by administradora_id"
)
_SET: Final = """
    insert into autorizacao_calendarios (tenant_id, administradora_id, uf, cidade, folgas, definido_por, definido_em)
    values (%s, %s, %s, %s, %s, %s, %s)
    on conflict (tenant_id, administradora_id) do update set uf = excluded.uf, cidade = excluded.cidade, folgas = excluded.folgas,
        definido_por = excluded.definido_por, definido_em = excluded.definido_em"""
# Of decisions too: a pedido may name one that no política is of, and its deadline is counted all the same.
_KNOWN: Final = """
    select administradora_id from politicas where tenant_id = %(tenant)s and status <> 'rascunho'
    union select administradora_id from autorizacoes where tenant_id = %(tenant)s and administradora_id is not null order by 1"""
_REMOVE: Final = "delete from autorizacao_calendarios where tenant_id = %s and administradora_id = %s"


class CalendarioInvalido(CrivoError):
    """A place or days that cannot be counted by."""

    codigo: ClassVar[str] = "calendario_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O calendário não pode ser guardado assim"


@dataclass(frozen=True, slots=True)
class Dito:
    """A calendar as people say it: a state's two letters, a city, and days off as settings write them, as `06-13`."""

    administradora_id: str = DE_TODAS
    uf: str = ""
    cidade: str = ""
    folgas: str = ""

    @property
    def calendario(self) -> Calendario:
        """Which days count by it."""
        return replace(read_folgas(self.folgas), uf=self.uf, cidade=self.cidade)


@dataclass(frozen=True, slots=True)
class CalendarioGuardado:
    """A calendar as it is kept, with who said it."""

    dito: Dito
    por: str
    em: datetime


@dataclass(frozen=True, slots=True)
class Calendarios:
    """The calendars of a tenant, by administradora; `padrao` is the installation's, which counts where nobody said another."""

    padrao: Calendario = NACIONAL
    ditos: Mapping[str, Calendario] = field(default_factory=dict)

    def de(self, administradora_id: str | None) -> Calendario:
        """The calendar that counts for a pedido of an administradora."""
        found = self.ditos.get(fold(administradora_id or DE_TODAS))
        return found or self.ditos.get(DE_TODAS) or self.padrao


def check_dito(dito: Dito) -> Dito:
    """A calendar in the one way of writing it. Raises CalendarioInvalido with every fault."""
    uf, cidade = dito.uf.strip().upper(), " ".join(dito.cidade.split())
    folgas = ", ".join([_as_settings(one.strip().lower()) for one in dito.folgas.replace("\n", ",").split(",") if one.strip()])
    problems = []
    if uf and uf not in ufs():
        problems.append(Problem("Use a sigla de um estado, como CE, ou deixe vazio.", "uf", codigo="uf_desconhecida"))
    estados = estados_de(cidade)
    if uf and estados and uf not in estados:
        said = f"{cidade} fica em {' ou '.join(estados)}, e o estado escolhido é {uf}. Corrija um dos dois: os feriados vêm de ambos."
        problems.append(Problem(said, "cidade", codigo="cidade_de_outro_estado"))
    elif not uf and len(estados) == 1:  # a city's days are its state's too
        uf = estados[0]
    unread = _unread(dito.folgas)
    if len(folgas) > _LONGEST or unread:
        said = f"{unread}Escreva os dias separados por vírgula: {COMO_SE_ESCREVE}."
        problems.append(Problem(said, "folgas", codigo="folga_invalida"))
    known = {fold(one): one for one in cidades()}
    if cidade and fold(cidade) not in known and not folgas:
        near = get_close_matches(fold(cidade), known, 1)
        meant = f" Quis dizer {known[near[0]]}?" if near else ""
        said = f"Não conhecemos os feriados de {cidade[:60]}.{meant} Escreva-os nos dias sem expediente, como 13/06, carnaval."
        problems.append(Problem(said, "cidade", codigo="cidade_desconhecida"))
    if max(len(cidade), len(dito.administradora_id)) > _LONGEST_NAME:
        problems.append(Problem(f"Use até {_LONGEST_NAME} letras.", "cidade", codigo="texto_longo"))
    if problems:
        raise CalendarioInvalido(problems[0].mensagem, problems)
    return Dito(dito.administradora_id.strip(), uf, known.get(fold(cidade), cidade), folgas)


def known_as(administradora: str, conhecidas: Sequence[str]) -> str:
    """An administradora by the id under which it is known, whatever its case, accents, blanks and zeros in front.

    Raises CalendarioInvalido where none is known by it: the calendar would count for nobody, and nobody would notice.
    """
    ids = {fold_id(one): one for one in conhecidas}
    bare = {without_zeros(one): id_ for one, id_ in ids.items()}
    found = ids.get(fold_id(administradora)) or bare.get(without_zeros(fold_id(administradora)) or "")
    if found is not None:
        return administradora if fold(found) == fold(administradora) else found
    near = get_close_matches(fold_id(administradora), ids, 1)
    meant = f" Quis dizer {mask_cpfs(ids[near[0]])}?" if near else ""
    said = (
        f"Nenhuma política publicada e nenhuma decisão é da administradora {mask_cpfs(administradora[:60])}.{meant} "
        "Se ela ainda vai chegar, marque que é nova e grave de novo."
    )
    raise CalendarioInvalido(said, [Problem(said, "administradora", codigo="administradora_desconhecida")])


async def calendarios_of(uow: UnitOfWork, padrao: Calendario) -> Calendarios:
    """The calendars that the tenant of a unit of work has said."""
    return Calendarios(padrao, {fold(one.dito.administradora_id): one.dito.calendario for one in await _all(uow)})


class CalendariosDePrazo:
    """Use cases of calendars."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("autorizacoes.revisar")
    async def listar(self, scope: Scope) -> tuple[CalendarioGuardado, ...]:
        """What was said, that of all administradoras first."""
        async with self._database.unit_of_work(scope) as uow:
            return await _all(uow)

    @asks("autorizacoes.revisar")
    async def administradoras(self, scope: Scope) -> tuple[str, ...]:
        """Those that a política which was published or a decision is of."""
        async with self._database.unit_of_work(scope) as uow:
            return await _known(uow)

    @asks("autorizacoes.definir_prazos")
    async def definir(self, scope: Scope, dito: Dito, *, nova: bool = False) -> CalendarioGuardado:
        """Say which days count for an administradora, in the place of what the audit keeps.

        `nova` is that it be kept though nothing is known of that administradora yet. Raises CalendarioInvalido, for such a one too.
        """
        dito, now = check_dito(dito), self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            ditos = {fold(one.dito.administradora_id): one.dito for one in await _all(uow)}
            if dito.administradora_id and fold(dito.administradora_id) not in ditos and not nova:
                dito = replace(dito, administradora_id=known_as(dito.administradora_id, await _known(uow)))
            before = ditos.get(fold(dito.administradora_id))
            kept = dito if before is None else replace(dito, administradora_id=before.administradora_id)
            values = (kept.administradora_id, kept.uf, kept.cidade, kept.folgas, scope.ator, now)
            await uow.connection.exec_driver_sql(_SET, (scope.tenant_id, *values))
            await append(uow, now, [NewEntry(acao="calendario.definido", alvo="calendario", dados={"antes": _told(before), **_told(kept)})])
        return CalendarioGuardado(kept, scope.ator, now)

    @asks("autorizacoes.definir_prazos")
    async def retirar(self, scope: Scope, administradora_id: str) -> None:
        """Take a calendar back; one that is not there is no fault."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            before = {one.dito.administradora_id: one.dito for one in await _all(uow)}.get(administradora_id)
            if before is not None:
                await uow.connection.exec_driver_sql(_REMOVE, (scope.tenant_id, administradora_id))
                await append(uow, now, [NewEntry(acao="calendario.retirado", alvo="calendario", dados=_told(before))])


def shown(folgas: str) -> str:
    """Days off as people write them: `14/06/2027`, `13/06` of every year, and the names of moving ones, as `corpus christi`."""
    return ", ".join([_as_people(one.strip()) for one in folgas.split(",") if one.strip()])


def _as_settings(said: str) -> str:
    parts = (_OF_EVERY_YEAR.sub(r"\1", said)).split("/")
    return "-".join([one.zfill(2) for one in reversed(parts)]) if 2 <= len(parts) <= 3 else "-".join(said.split())


def _as_people(said: str) -> str:
    return "/".join(reversed(said.split("-"))) if said[:1].isdigit() else said.replace("-", " ")


def _unread(folgas: str) -> str:
    """Which of the days off cannot be read, a sentence each, the first three; empty where all can."""
    wrong = []
    for one in [part.strip() for part in folgas.replace("\n", ",").split(",") if part.strip()]:
        try:
            read_folgas(_as_settings(one.lower()))
        except ValueError:
            wrong.append(f"{one[:30]} não existe. " if _A_DAY.fullmatch(one) else f"“{one[:30]}” não se lê. ")
    return "".join(wrong[:_MOST_TOLD])


def _told(dito: Dito | None) -> dict[str, str]:
    if dito is None:
        return {}
    return {"administradora": dito.administradora_id, "uf": dito.uf, "cidade": dito.cidade, "folgas": dito.folgas}


async def _known(uow: UnitOfWork) -> tuple[str, ...]:
    return tuple((await uow.connection.exec_driver_sql(_KNOWN, {"tenant": uow.scope.tenant_id})).scalars())


async def _all(uow: UnitOfWork) -> tuple[CalendarioGuardado, ...]:
    rows = await uow.connection.exec_driver_sql(_ALL, (uow.scope.tenant_id,))
    return tuple(
        [CalendarioGuardado(Dito(row.administradora_id, row.uf, row.cidade, row.folgas), row.definido_por, row.definido_em) for row in rows]
    )
