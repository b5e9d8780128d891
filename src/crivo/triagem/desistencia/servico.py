"""Use cases of whoever writes down that a project withdrew: foresee what comes of it, record it, take it back.

Source: decision 0063.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, asks, may, names_of_usuarios
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.errors import Problem
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.desistencia.guardadas import Desistida
from crivo.triagem.desistencia.previa import AtoDeDesistencia, PreviaDeDesistencia, foresee
from crivo.triagem.erros import (
    DesistenciaInvalida,
    DesistenciaMudou,
    DesistenciaNotFound,
    ProjetoNotFound,
)
from crivo.triagem.lugares import load_concorrencia
from crivo.triagem.palavras import day, shown
from crivo.triagem.seladas import DESISTENCIAS
from crivo.triagem.storage import chaves, decisoes, desistencias, editais, registros
from crivo.triagem.storage.desistencias import Nova
from crivo.triagem.storage.editais import EditalGuardado

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
_FIRST_DAY: Final = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Desistidas:
    """The withdrawals of an edital, the last first, with what people are called by id."""

    todas: tuple[Desistida, ...]
    nomes: Mapping[UUID, str]


class Desistencias:
    """Projects that withdraw. Nothing of theirs is lost: notas and decisions stay, and count again when it is taken back."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def listar(self, scope: Scope, edital_id: str) -> Desistidas:
        """All of an edital, those that were taken back too. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            found = await desistencias.of_edital(uow, (await editais.get_by_codigo(uow, edital_id)).id)
            people = {who for one in found for who in (one.registrada_por, one.desfeita_por) if who is not None}
            return Desistidas(found, await names_of_usuarios(uow, people))

    @asks("triagem.decidir")
    async def prever(self, scope: Scope, edital_id: str, projeto_id: str) -> PreviaDeDesistencia:
        """What would come of this project's withdrawal, or, of one that withdrew, of taking it back.

        Raises EditalNotFound, ProjetoNotFound.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            await _require_in_force(uow, guardado, projeto_id)
            withdrawn = projeto_id in await desistencias.in_force(uow, guardado.id)
            return await self._foresee(uow, guardado, projeto_id, "desfazer" if withdrawn else "registrar")

    @asks("triagem.decidir")
    async def registrar(
        self, scope: Scope, edital_id: str, projeto_id: str, desistiu_em: date | None, motivo: str, prevista: str
    ) -> Desistida:
        """Record that a project withdrew on a day, and why; `prevista` is what the preview of it said.

        Raises SemPermissao unless a person is acting; EditalNotFound, ProjetoNotFound; DesistenciaMudou, with the preview of now, where
        something changed since, or somebody recorded it already; DesistenciaInvalida; DadosApagados.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            person = await _acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, [projeto_id])
            projeto = await _require_in_force(uow, guardado, projeto_id)
            await self._require_foreseen(uow, guardado, projeto_id, "registrar", prevista)
            em, said = self._read_day(desistiu_em), _read_motivo(motivo)
            posse = await chaves.hold(uow, projeto)
            if posse.dona is None:
                raise DadosApagados
            nova = Nova(self._new_id(), projeto, em, said, person.id, self._clock.now())
            await desistencias.keep(uow, nova, posse.dona)
            told = {"projeto": projeto_id, "desistiu_em": em.isoformat()}
            return await self._note(uow, guardado, nova.id, projeto_id, "desistencia.registrada", told)

    @asks("triagem.decidir")
    async def desfazer(self, scope: Scope, edital_id: str, desistencia_id: UUID, prevista: str) -> Desistida:
        """Take a withdrawal back: the project competes again with all that it had.

        Raises SemPermissao unless whoever recorded it is acting, or somebody who administers; EditalNotFound, DesistenciaNotFound;
        DesistenciaMudou as `registrar`; DesistenciaInvalida where it was taken back already.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            person = await _acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await desistencias.find(uow, guardado.id, desistencia_id)
            if found is None:
                raise DesistenciaNotFound("Não há esta desistência neste edital. Volte à lista e escolha outra.")
            if found.registrada_por != person.id and not may(scope.sujeito, "triagem.desfazer_de_outro", Este(scope.tenant_id)):
                raise SemPermissao("Só quem registrou esta desistência, ou quem administra, desfaz.")
            await decisoes.lock(uow, guardado.id, [found.projeto_id])
            await _require_in_force(uow, guardado, found.projeto_id)
            if found.projeto_id not in await desistencias.in_force(uow, guardado.id):
                raise DesistenciaInvalida("Esta desistência já foi desfeita. Não há mais o que desfazer.")
            await self._require_foreseen(uow, guardado, found.projeto_id, "desfazer", prevista)
            await desistencias.undo(uow, found.id, person.id, self._clock.now())
            return await self._note(uow, guardado, found.id, found.projeto_id, "desistencia.desfeita", {"projeto": found.projeto_id})

    async def _foresee(self, uow: UnitOfWork, guardado: EditalGuardado, projeto_id: str, ato: AtoDeDesistencia) -> PreviaDeDesistencia:
        regras = guardado.edital.classificacao
        if regras is None:
            return PreviaDeDesistencia(guardado.edital.id, projeto_id, ato, com_regras=False)
        carregada = await load_concorrencia(uow, guardado, regras)
        hoje = self._clock.now().astimezone(BRASILIA).date()
        return await asyncio.to_thread(foresee, carregada.concorrencia, projeto_id, hoje, ato)

    async def _require_foreseen(
        self, uow: UnitOfWork, guardado: EditalGuardado, projeto_id: str, ato: AtoDeDesistencia, prevista: str
    ) -> None:
        withdrawn = projeto_id in await desistencias.in_force(uow, guardado.id)
        now: AtoDeDesistencia = "desfazer" if withdrawn else "registrar"
        nova = await self._foresee(uow, guardado, projeto_id, now)
        if nova.prevista != prevista or now != ato:
            raise DesistenciaMudou(nova, ja_feita=now != ato)

    async def _note(
        self, uow: UnitOfWork, guardado: EditalGuardado, which: UUID, projeto_id: str, acao: str, told: Mapping[str, object]
    ) -> Desistida:
        selos = await audit.read_seals(uow, DESISTENCIAS, {"id": which})
        found = await desistencias.find(uow, guardado.id, which)
        dados = {**told, "desistencia": str(which), audit.DIGESTS: selos}
        await registros.note(uow, self._new_id(), self._clock.now(), acao, guardado.edital.id, "projeto", projeto_id, dados)
        if found is None:  # it was written in this very unit of work
            raise DesistenciaNotFound("Não há esta desistência neste edital.")
        return found

    def _read_day(self, desistiu_em: date | None) -> date:
        hoje = self._clock.now().astimezone(BRASILIA).date()
        if desistiu_em is None:
            raise _invalid("Diga em que dia a desistência chegou.", "desistiu_em")
        if desistiu_em > hoje:
            raise _invalid(f"A desistência não pode ser de um dia que ainda não veio: hoje é {day(hoje)}.", "desistiu_em")
        if desistiu_em < _FIRST_DAY:
            raise _invalid("Confira o ano da desistência.", "desistiu_em")
        return desistiu_em


async def _acting_manager(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada registra uma desistência. Entre com o seu usuário.")
    return person


async def _require_in_force(uow: UnitOfWork, guardado: EditalGuardado, projeto_id: str) -> UUID:
    """The id of a project of the edital."""
    found = (await decisoes.standing(uow, guardado.id, None, [projeto_id])).get(projeto_id)
    if found is None or found.retirado:
        raise ProjetoNotFound(f"Não há projeto {shown(projeto_id)} neste edital. Volte à lista e escolha outro.")
    return found.id


def _read_motivo(motivo: str) -> str:
    said = motivo.strip()
    if len(said) < SHORTEST_REASON:
        raise _invalid("Escreva como a desistência chegou e por quê: quem vier depois vai querer saber.", "motivo")
    if len(said) > LONGEST_REASON or "\0" in said:
        raise _invalid(f"O motivo deve ter até {LONGEST_REASON} caracteres.", "motivo")
    return said


def _invalid(mensagem: str, campo: str) -> DesistenciaInvalida:
    return DesistenciaInvalida(mensagem, [Problem(mensagem, campo)])
