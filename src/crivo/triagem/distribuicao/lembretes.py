"""Use cases of reminders: whoever manages asks for notas that were not sent, and whoever is to send them sees who asked, and when.

A reminder stands on the pages of whom it is for until they send; no letter goes out. Of one person there is one a day at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks, names_of_usuarios
from crivo.kernel.access.usuarios import acting_usuario
from crivo.kernel.clock import Clock, today
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.guardados import Lembrete, lembretes_of, reminded_on
from crivo.triagem.distribuicao.lembrete import Esperado, Lembradas, Lembravel, PreviaDeLembrete, changed_since, foresee
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.erros import DistribuicaoInvalida, DistribuicaoMudou
from crivo.triagem.palavras import number
from crivo.triagem.storage import atribuicoes, avaliacoes, calibracoes, decisoes, editais, julgadores, registros
from crivo.triagem.storage.editais import EditalGuardado

MOST_AT_ONCE: Final = 50_000  # as many as an edital may have


class Lembretes:
    """Reminders to people who judge."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.ver_atribuidos")
    async def meus(self, scope: Scope) -> tuple[tuple[Lembrete, str], ...]:
        """The reminders that stand for whoever is acting, each with the name of who asked; none where no person acts."""
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_usuario(uow)
            found = lembretes_of(await avaliacoes.atribuicoes_of(uow, person.id)) if person else ()
            nomes = await names_of_usuarios(uow, {one.por for one in found})
            return tuple([(one, nomes[one.por]) for one in found])

    @asks("triagem.distribuir")
    async def prever(self, scope: Scope, edital_id: str, codigos: Sequence[str]) -> PreviaDeLembrete:
        """Whom a reminder of these projects would reach. Raises EditalNotFound, DistribuicaoInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._foresee(uow, await editais.get_by_codigo(uow, edital_id), codigos)

    @asks("triagem.distribuir")
    async def lembrar(self, scope: Scope, edital_id: str, codigos: Sequence[str], prevista: str) -> Lembradas:
        """Remind everybody that a preview said would be; one entry a person in the audit.

        Raises SemPermissao unless a person is acting; EditalNotFound; DistribuicaoMudou, with the preview of now and which projects
        changed; DistribuicaoInvalida, also where nobody would be reminded.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, codigos)
            await atribuicoes.remind_in_turn(uow)
            nova = await self._foresee(uow, guardado, codigos)
            mudaram = changed_since(prevista, codigos, nova)
            if mudaram is not None:
                raise DistribuicaoMudou(nova, mudaram)
            if not nova.lembrar:
                raise DistribuicaoInvalida("Ninguém seria lembrado: volte à lista e marque outros projetos.")
            now, ids = self._clock.now(), await decisoes.standing(uow, guardado.id, None, codigos)
            pares = [(one.avaliador, ids[codigo].id) for one in nova.lembrar for codigo in one.projetos]
            await atribuicoes.remind(uow, pares, person.id, now)
            notes = [(self._new_id(), str(one.avaliador), {"projetos": len(one.projetos)}) for one in nova.lembrar]
            await registros.note_all(uow, now, "avaliador.lembrado", edital_id, "usuario", notes)
            return Lembradas(edital_id, now, nova.lembrar)

    async def _foresee(self, uow: UnitOfWork, guardado: EditalGuardado, codigos: Sequence[str]) -> PreviaDeLembrete:
        if not codigos or len(codigos) > MOST_AT_ONCE:
            raise DistribuicaoInvalida(f"Marque ao menos um projeto, e até {number(MOST_AT_ONCE)} de uma vez.")
        posicoes = await decisoes.standing(uow, guardado.id, None, codigos)
        having: set[str] = set()
        missing: dict[str, list[UUID]] = {}
        waiting = await calibracoes.waiting_in(uow, guardado.id)
        held: set[str] = set()
        for par in await atribuicoes.of_projects(uow, guardado.id, codigos):
            having.add(par.codigo)
            if (par.codigo, par.avaliador) in waiting:
                held.add(par.codigo)
            elif not par.enviada:
                missing.setdefault(par.codigo, []).append(par.avaliador)
        esperados = {
            codigo: Esperado(codigo, one.retirado, codigo in having, tuple(missing.get(codigo, ())), codigo in held)
            for codigo, one in posicoes.items()
        }
        people = {who for those in missing.values() for who in those}
        return foresee(guardado.edital.id, codigos, esperados, await self._people(uow, guardado, sorted(people)))

    async def _people(self, uow: UnitOfWork, guardado: EditalGuardado, people: Sequence[UUID]) -> Mapping[UUID, Lembravel]:
        barred = {
            one.id for one in await julgadores.judges_of_edital(uow, guardado.id) if one.causa in ("acesso_retirado", "papel_nao_avalia")
        }
        earlier = reminded_on(today(self._clock), await atribuicoes.last_reminders(uow, people))
        nomes = await names_of_usuarios(uow, {*people, *(by for by, _ in earlier.values())})
        found = {}
        for who in people:
            by, at = earlier.get(who, (None, None))
            found[who] = Lembravel(nomes[who], who not in barred, nomes[by] if by else None, at)
        return found
