"""Use cases of test cases: keep them beside a política, run them, propose what is missing, and take one away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final, Literal
from uuid import UUID

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.casos import guardados
from crivo.autorizacoes.politicas.casos.anonimo import without_person
from crivo.autorizacoes.politicas.casos.caso import Caso, CasoInvalido, check_caso
from crivo.autorizacoes.politicas.casos.execucao import Testada, run
from crivo.autorizacoes.politicas.casos.guardados import Ressalva
from crivo.autorizacoes.politicas.casos.herdados import Herdados, list_herdados
from crivo.autorizacoes.politicas.casos.propostas import apart, propose
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.servico import read_stored
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.vigentes import publicadas_at
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

CASOS_MAXIMO: Final = 2_000


class CasoNotFound(CrivoError):
    """No test case of that name beside this política."""

    codigo: ClassVar[str] = "caso_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Este caso de teste não existe"


class CasosDemais(CrivoError):
    """More test cases than a política may have."""

    codigo: ClassVar[str] = "casos_demais"
    kind: ClassVar[Kind] = Kind.TOO_LARGE
    titulo: ClassVar[str] = "São casos de teste demais"


@dataclass(frozen=True, slots=True)
class Provada:
    """The cases of a document as they come out today, and those proposed for what none of them goes through.

    `herdados` are the names of those that are not its own yet: they stand beside the version `de` that it succeeds. Of these
    `ja_falhavam` failed in that version, too.
    """

    testada: Testada
    propostos: tuple[Caso, ...]
    herdados: frozenset[str] = frozenset()
    de: PoliticaGuardada | None = None
    ja_falhavam: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Gravados:
    """Cases that were kept, by name, and those that were not, with why."""

    nomes: tuple[str, ...]
    recusados: tuple[Problem, ...]


class CasosDePolitica:
    """The test cases beside the políticas of a tenant."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("politicas.ler")
    async def guardada(self, scope: Scope, politica_id: UUID) -> Provada:
        """The kept cases of a stored version, run; with a draft, those of the version that it succeeds too. Raises PoliticaNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            make = await self._bancada(uow, await read_stored(uow, politica_id))
            casos = await guardados.list_casos(uow, politica_id)
            herdados = await _herdados(uow, politica_id, casos)
        provada = await asyncio.to_thread(_proved, make, casos, herdados)
        falhos = {um.caso.nome for um in provada.testada.falhos} & provada.herdados
        if provada.de is None or not falhos:
            return provada
        async with self._database.unit_of_work(scope) as uow:
            before = await self._bancada(uow, await read_stored(uow, provada.de.id))
            antigos = [caso for caso in await guardados.list_casos(uow, provada.de.id) if caso.nome in falhos]
        rodados = await asyncio.to_thread(_run, before, antigos)
        return replace(provada, ja_falhavam=frozenset([um.caso.nome for um in rodados.falhos]))

    @asks("politicas.ler")
    async def documento(
        self, scope: Scope, raw: bytes, formato: Literal["json", "yaml"] | None, casos: Sequence[Caso]
    ) -> tuple[Politica, Provada]:
        """The cases of a document that is not stored. Raises PoliticaInvalida."""
        politica = (await asyncio.to_thread(read_politica, raw, formato)).politica
        async with self._database.unit_of_work(scope) as uow:
            make = await self._bancada(uow, politica)
        return politica, await asyncio.to_thread(_proved, make, casos)

    @asks("politicas.escrever")
    async def gravar(self, scope: Scope, politica_id: UUID, casos: Sequence[Caso]) -> Gravados:
        """Keep cases beside a stored version, each in the place of one of its name, without whoever they were about.

        One that only holds for how its pedido is written is not kept, and told. Raises PoliticaNotFound, CasoInvalido, CasosDemais.
        """
        faults = [problem for caso in casos for problem in check_caso(caso)]
        if faults:
            raise CasoInvalido("Corrija o que está indicado e grave de novo.", faults)
        async with self._database.unit_of_work(scope) as uow:
            make = await self._bancada(uow, await read_stored(uow, politica_id))
            bare = await asyncio.to_thread(_without_people, make, casos)
            kept = [um for _, um in bare if um is not None]
            own = await guardados.list_casos(uow, politica_id)
            herdados = (await _herdados(uow, politica_id, own)).casos
            names = {caso.nome for caso in (*own, *herdados, *kept)}
            if len(names) > CASOS_MAXIMO:
                raise CasosDemais(f"Uma política guarda até {CASOS_MAXIMO} casos. Apague os que já não servem.")
            em = self._clock.now()
            await guardados.put_casos(uow, politica_id, kept, em)
            if kept:
                await append(uow, em, [NewEntry(acao="politica.casos_gravados", alvo=str(politica_id), dados={"casos": len(kept)})])
        mensagem = "este caso depende do jeito como o pedido está escrito; ele roda com a pasta, mas não é guardado com a política"
        refused = [Problem(f"“{caso.nome}”: {mensagem}.", codigo="caso_nao_guardado") for caso, um in bare if um is None]
        return Gravados(tuple([caso.nome for caso in kept]), tuple(refused))

    @asks("politicas.escrever")
    async def aceitar(self, scope: Scope, politica_id: UUID, nomes: Sequence[str] = ()) -> Gravados:
        """Keep the proposed cases of these names, or all of them; a name that is none of theirs by now is told. Raises PoliticaNotFound."""
        propostos = (await self.guardada(scope, politica_id)).propostos
        names = {caso.nome for caso in propostos}
        gravados = await self.gravar(scope, politica_id, [caso for caso in propostos if not nomes or caso.nome in nomes])
        mensagem = "já não está entre os propostos; veja se já foi aceito"
        gone = [Problem(f"“{nome}”: {mensagem}.", codigo="caso_nao_proposto") for nome in dict.fromkeys(nomes) if nome not in names]
        return replace(gravados, recusados=(*gravados.recusados, *gone))

    @asks("politicas.escrever")
    async def apagar(self, scope: Scope, politica_id: UUID, nome: str) -> None:
        """Take a case away. Raises PoliticaNotFound, CasoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            await read_stored(uow, politica_id)
            if not await guardados.delete_caso(uow, politica_id, nome):
                raise CasoNotFound("Não há um caso com este nome; talvez já tenha sido apagado.")
            dados = {"nome": nome}
            await append(uow, self._clock.now(), [NewEntry(acao="politica.caso_apagado", alvo=str(politica_id), dados=dados)])

    @asks("politicas.ler")
    async def ressalva(self, scope: Scope, politica_id: UUID) -> Ressalva | None:
        """Why a version was published in spite of errors or of cases that failed; None where there were none."""
        async with self._database.unit_of_work(scope) as uow:
            return await guardados.find_ressalva(uow, politica_id)

    async def _bancada(self, uow: UnitOfWork, politica: Politica) -> Callable[[], Bancada]:
        """What makes the bench: of large documents that takes long, and the loop that serves everybody else must not wait for it."""
        publicadas = await publicadas_at(uow, await storage.catalogo_versao(uow))
        return partial(Bancada, politica, publicadas, today(self._clock))


def _without_people(make: Callable[[], Bancada], casos: Sequence[Caso]) -> list[tuple[Caso, Caso | None]]:
    bancada = make()
    return [(caso, without_person(bancada, caso)) for caso in casos]


def _proved(make: Callable[[], Bancada], casos: Sequence[Caso], herdados: Herdados | None = None) -> Provada:
    bancada = make()
    herdados = herdados or Herdados()
    todos = [*casos, *herdados.casos]
    testada = run(bancada, todos)
    propostos = apart(propose(bancada, testada.cobertura), {caso.nome for caso in todos})
    return Provada(testada, propostos, frozenset([caso.nome for caso in herdados.casos]), herdados.de)


def _run(make: Callable[[], Bancada], casos: Sequence[Caso]) -> Testada:
    return run(make(), casos)


async def _herdados(uow: UnitOfWork, politica_id: UUID, own: Sequence[Caso]) -> Herdados:
    found = await storage.find(uow, politica_id)
    return Herdados() if found is None else await list_herdados(uow, found, own)
