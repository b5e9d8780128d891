"""Use cases of the last day for notas: whoever manages gives somebody a later one, with a reason, and takes it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks, names_of_usuarios
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.guardados import PrazoReaberto
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.distribuicao.prazo import last_day_of
from crivo.triagem.erros import AvaliadorNotFound, NadaADesfazer, PrazoInvalido
from crivo.triagem.storage import editais, julgadores, prazos, registros

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000


@dataclass(frozen=True, slots=True)
class PrazosDoEdital:
    """The last day of an edital, whether it is over, and the later ones that people were given, the newest first; with names by id."""

    ultimo_dia: date | None
    encerrado: bool
    reabertos: tuple[PrazoReaberto, ...]
    nomes: Mapping[UUID, str]


class Prazos:
    """Last days for notas."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def do_edital(self, scope: Scope, edital_id: str) -> PrazosDoEdital:
        """How the days of an edital stand. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await prazos.of_edital(uow, guardado.id)
            people = {who for one in found for who in (one.por, one.desfeito_por) if who is not None}
            last = last_day_of(guardado.edital)
            return PrazosDoEdital(last, last is not None and today(self._clock) > last, found, await names_of_usuarios(uow, people))

    @asks("triagem.distribuir")
    async def reabrir(self, scope: Scope, edital_id: str, avaliador: UUID, ate: date | None, motivo: str) -> PrazoReaberto:
        """Take somebody's notas until the end of a later day.

        Raises SemPermissao unless a person is acting; EditalNotFound, AvaliadorNotFound; PrazoInvalido, with the field.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            given, now = motivo.strip(), self._clock.now()
            last = last_day_of(guardado.edital)
            wrong = [*_day_faults(ate, last, today(self._clock)), *_reason_faults(given)]
            if wrong or ate is None:
                raise PrazoInvalido(wrong[0].mensagem, wrong)
            if avaliador not in await julgadores.hold(uow, guardado.id, [avaliador]):
                raise AvaliadorNotFound("Esta pessoa não avalia este edital. Volte à lista de quem avalia e confira.")
            prazo = PrazoReaberto(self._new_id(), guardado.edital.id, avaliador, ate, given, person.id, now)
            await prazos.add(uow, guardado.id, prazo)
            await registros.note(uow, self._new_id(), now, "prazo.reaberto", edital_id, "usuario", str(avaliador), {"ate": ate.isoformat()})
            return prazo

    @asks("triagem.distribuir")
    async def desfazer(self, scope: Scope, edital_id: str, prazo_id: UUID) -> UUID:
        """Take a later day back; whose it was. What was sent meanwhile counts on.

        Raises SemPermissao unless a person is acting; EditalNotFound, NadaADesfazer.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado, now = await editais.get_by_codigo(uow, edital_id), self._clock.now()
            who = await prazos.undo(uow, guardado.id, prazo_id, person.id, now)
            if who is None:
                raise NadaADesfazer("Este prazo já foi desfeito, ou não é deste edital.")
            await registros.note(uow, self._new_id(), now, "prazo.desfeito", edital_id, "usuario", str(who), {"prazo": str(prazo_id)})
            return who


def _day_faults(ate: date | None, last: date | None, hoje: date) -> list[Problem]:
    if last is None:
        return [Problem("Este edital não tem um último dia para as notas: elas são aceitas sempre. Não há o que reabrir.", "ate")]
    if ate is None:
        return [Problem("Diga até que dia as notas desta pessoa são aceitas.", "ate")]
    if ate < hoje:
        return [Problem("Este dia já passou. Escolha hoje ou um dia depois.", "ate")]
    if ate <= last:
        return [Problem(f"O prazo de todas as pessoas já vai até {last:%d/%m/%Y}. Escolha um dia depois.", "ate")]
    return []


def _reason_faults(motivo: str) -> list[Problem]:
    if len(motivo) < SHORTEST_REASON:
        return [Problem("Escreva por que o prazo muda para esta pessoa: quem depois conferir vai querer saber.", "motivo")]
    if len(motivo) > LONGEST_REASON or "\0" in motivo:
        return [Problem(f"O motivo deve ter até {LONGEST_REASON} caracteres.", "motivo")]
    return []
