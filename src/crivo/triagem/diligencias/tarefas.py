"""What workers do of diligências: read what came and judge the requisitos that it came for, and remind of deadlines that are near."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.cartas import Correio
from crivo.kernel.clock import BRASILIA, Clock, today
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.prazos import Calendario, business_day_before
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Ler
from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.diligencias.escrita import reminding
from crivo.triagem.diligencias.guardadas import Diligencia, Papel
from crivo.triagem.diligencias.recebimento import JULGAR
from crivo.triagem.diligencias.rejulgar import judge_again
from crivo.triagem.diligencias.servico import address_of, letter_of
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.storage import arquivos, diligencias, editais, projetos, registros
from crivo.triagem.storage.projetos import lido_of

_FURTHEST: Final = timedelta(days=15)  # that a business day may be from the next one, holidays of an organisation's own included


class Rejulgamento:
    """Reads answers and judges them; each file is read once, whoever is killed meanwhile."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], ler: Ler) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._ler = ler

    def task(self) -> Task:
        """What a worker has to know to do it."""
        return Task(JULGAR, self.julgar, self.desistir)

    async def julgar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Judge a diligência by all that came so far; nothing where it was judged since, or the project was erased."""
        found, papeis = await self._open(scope, UUID(about["diligencia"]))
        if found is None:
            return
        novos = [await self._read(scope, found, one) for one in papeis]
        async with self._database.unit_of_work(scope) as uow:
            edital = (await editais.get(uow, found.edital_id)).edital
            requisitos = await editais.requisitos_of(uow, found.edital_id)
            guardado = await projetos.load_one(uow, found.projeto_id)
            kept = await arquivos.find_lidos(uow, "", {one.sha256 for one in guardado.documentos}, any_version=True)
        read = [one for one in novos if one is not None]
        depois = await asyncio.to_thread(judge_again, edital, requisitos, lido_of(guardado, kept), read)
        async with self._database.unit_of_work(scope) as uow:
            await diligencias.lock(uow, found.id)
            now_there = await diligencias.papeis_of(uow, found)
            if len(now_there) != len(papeis):  # more came meanwhile, and has a job of its own
                return
            await self._keep(uow, found, edital.id, depois)

    async def desistir(self, scope: Scope, about: Mapping[str, str], _: Exception | None) -> None:
        """Say that an answer could not be judged: whoever manages reads it as it is."""
        async with self._database.unit_of_work(scope) as uow:
            found = await diligencias.find(uow, UUID(about["diligencia"]))
            if found is not None and found.julgada_em is None:
                await diligencias.judged(uow, found, None, self._clock.now())

    async def _open(self, scope: Scope, diligencia_id: UUID) -> tuple[Diligencia | None, tuple[Papel, ...]]:
        async with self._database.unit_of_work(scope) as uow:
            found = await diligencias.find(uow, diligencia_id)
            if found is None or found.pedida is None or found.julgada_em is not None:
                return None, ()
            return found, await diligencias.papeis_of(uow, found)

    async def _read(self, scope: Scope, found: Diligencia, papel: Papel) -> DocumentoLido | None:
        """What a file says; None where it was erased since."""
        async with self._database.unit_of_work(scope) as uow:
            lido = await diligencias.lido(uow, found, papel.ordem)
            file = None if lido is not None else await diligencias.papel(uow, found, papel.ordem)
        if lido is None:
            if file is None:
                return None
            lido = await self._ler(papel.nome, file[1])
            async with self._database.unit_of_work(scope) as uow:
                await diligencias.keep_lido(uow, found, papel.ordem, lido)
        return msgspec.structs.replace(lido, arquivo=papel.nome, requisito=papel.requisito)

    async def _keep(self, uow: UnitOfWork, found: Diligencia, edital_id: str, depois: Sequence[ItemHabilitacao]) -> None:
        now = self._clock.now()
        await diligencias.judged(uow, found, depois, now)
        told = {"projeto": found.projeto, "diligencia": found.numero, "itens": len(depois)}
        await registros.note(uow, self._new_id(), now, "diligencia.julgada", edital_id, "diligencia", str(found.id), told)


class LembretesDePrazo:
    """Reminds proponentes, by a letter, on the last business day before a deadline; once for each deadline."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        correio: Correio,
        calendario: Calendario,
        endereco: str,
        organizacoes: Callable[[], Awaitable[Sequence[str]]],
        dono: Scope,
    ) -> None:
        self._database = database
        self._clock = clock
        self._correio = correio
        self._calendario = calendario
        self._endereco = endereco
        self._organizacoes = organizacoes
        self._dono = dono

    async def lembrar(self) -> None:
        """Go through every organisation; done again on the same day it posts nothing more."""
        for one in await self._organizacoes():
            await self.lembrar_em(replace(self._dono, tenant_id=one))

    async def lembrar_em(self, scope: Scope) -> int:
        """The same in one organisation; how many were due."""
        due = 0
        async with self._database.unit_of_work(scope) as uow:
            now = self._clock.now()
            day = today(self._clock)
            last = datetime.combine(day + _FURTHEST, time.min, BRASILIA)
            for diligencia_id in await diligencias.due(uow, now, last):
                found = await diligencias.find(uow, diligencia_id)
                if found is None or found.pedida is None or not found.pedida.email:
                    continue
                ends = found.prazo.astimezone(BRASILIA).date()
                if not business_day_before(ends, self._calendario) <= day <= ends or found.pedida_em.astimezone(BRASILIA).date() == day:
                    continue
                edital = (await editais.get(uow, found.edital_id)).edital
                heads = await projetos.cabecalhos_of(uow, found.edital_id, [found.projeto])
                titulo = heads[found.projeto].titulo if found.projeto in heads else found.projeto
                address = address_of(self._endereco, scope.tenant_id, found.pedida.codigo)
                carta = reminding(found.pedida.email, edital.nome, titulo, found.prazo, address)
                await self._correio.post(uow, carta, now, chave=f"{letter_of(found.id)}:lembrete:{ends.isoformat()}")
                due += 1
        return due
